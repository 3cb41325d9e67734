//! Reduced arrays of a rule set: its start position on fewer files and ranks, or with fewer units.

use board::field::{BoardField, Cell, Dialect, FieldWriter, RankText};
use notation::Setup;
use rules::Variant;
use std::ops::Range;

/// The maximum number of files of a reduced array.
const MAX_FILES: usize = 4;

/// Returns reduced arrays with their FENs, in groups of increasing size. An array has fewer files than the
/// board and fewer vacant ranks. A rule set that is playable only on its own board keeps the board and loses
/// the units of the other files. Arrays in which the game is over are left out.
pub fn reduced_arrays(variant: &Variant, start: &Setup) -> Vec<Vec<(String, Setup)>> {
    let fen = start.fen();
    let mut fields = fen.split(' ');
    let field = fields.next().unwrap_or("");
    let side = fields.next().unwrap_or("w");
    // In a FEN, the variant state follows the clocks.
    let state: Vec<&str> = fen.split(' ').filter(|field| field.contains('=')).collect();
    let Ok(BoardField { ranks, .. }) = BoardField::read(field, Dialect::POSITION) else {
        return Vec::new();
    };
    let fen_of = |board: &str| {
        let fen = format!("{board} {side} - - 0 1 {}", state.join(" "));
        fen.trim_end().to_owned()
    };
    let read = |board: &str| {
        let fen = fen_of(board);
        let setup = Setup::read(variant, Some(&fen)).ok()?;
        setup.outcome().is_ongoing().then_some((fen, setup))
    };
    let files = ranks.iter().map(|rank| rank.cells.len()).min().unwrap_or(0);
    let mut groups = Vec::new();
    for vacant in 0..longest_vacant_run(&ranks).max(1) {
        let kept = kept_ranks(&ranks, vacant);
        let group = (1..=MAX_FILES.min(files)).filter_map(|width| {
            let windows = windows(files, width).into_iter();
            let boards = windows.filter_map(|window| cut(&kept, window));
            boards.filter_map(|board| read(&board)).next()
        });
        groups.push(group.collect::<Vec<_>>());
    }
    if groups.iter().all(Vec::is_empty) {
        let group = (1..=MAX_FILES.min(files.saturating_sub(1))).filter_map(|width| {
            let windows = windows(files, width).into_iter();
            let boards = windows.flat_map(|window| {
                [false, true].map(|kings| thinned(&ranks, window.clone(), kings))
            });
            boards.filter_map(|board| read(&board)).next()
        });
        groups.push(group.collect());
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// Returns all ranges of `width` neighboring files, the middle ranges first.
fn windows(files: usize, width: usize) -> Vec<Range<usize>> {
    let mut windows: Vec<Range<usize>> = (0..=files - width)
        .map(|first| first..first + width)
        .collect();
    windows.sort_by_key(|window| (window.start + window.end).abs_diff(files));
    windows
}

fn is_vacant(rank: &RankText) -> bool {
    rank.cells.iter().all(|(cell, _)| *cell == Cell::Vacant)
}

/// Returns the length of the longest run of ranks without units.
fn longest_vacant_run(ranks: &[RankText]) -> usize {
    let runs = ranks.split(|rank| !is_vacant(rank));
    runs.map(<[RankText]>::len).max().unwrap_or(0)
}

/// Returns the ranks, with each run of ranks without units shortened to at most `vacant` ranks.
fn kept_ranks(ranks: &[RankText], vacant: usize) -> Vec<&RankText> {
    let (mut run, mut kept) = (0, Vec::new());
    for rank in ranks {
        run = if is_vacant(rank) { run + 1 } else { 0 };
        if run <= vacant {
            kept.push(rank);
        }
    }
    kept
}

fn write_cell(board: &mut FieldWriter, cell: Cell) {
    match cell {
        Cell::Vacant => board.vacant(),
        Cell::Hole => board.occupied("*"),
        Cell::Unit(unit) => board.occupied(&unit.to_string()),
    }
}

/// Returns the board of these ranks, cut to these files. Returns `None` if no square remains.
fn cut(ranks: &[&RankText], files: Range<usize>) -> Option<String> {
    let mut board = FieldWriter::default();
    for (row, rank) in ranks.iter().enumerate() {
        if row > 0 {
            board.next_rank();
        }
        for (cell, _) in rank.cells.get(files.clone())? {
            write_cell(&mut board, *cell);
        }
    }
    Some(board.finish())
}

/// Returns the whole board with only the units of these files. With `kings`, the kings of all files remain.
fn thinned(ranks: &[RankText], files: Range<usize>, kings: bool) -> String {
    let mut board = FieldWriter::default();
    for (row, rank) in ranks.iter().enumerate() {
        if row > 0 {
            board.next_rank();
        }
        for (file, (cell, _)) in rank.cells.iter().enumerate() {
            let king =
                |cell: &Cell| matches!(cell, Cell::Unit(u) if u.letter.eq_ignore_ascii_case(&'k'));
            let stays = files.contains(&file) || *cell == Cell::Hole || kings && king(cell);
            write_cell(&mut board, if stays { *cell } else { Cell::Vacant });
        }
    }
    board.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::Catalog;

    #[test]
    fn arrays_of_french_revolution_have_fewer_files_and_ranks() {
        let variant = Catalog::new().open("french-revolution").expect("a variant");
        let start = Setup::read(&variant, None).expect("a start");
        let groups = reduced_arrays(&variant, &start);
        let fens: Vec<&str> = groups
            .iter()
            .flatten()
            .map(|(fen, _)| fen.as_str())
            .collect();
        assert!(fens.contains(&"k/1/P/p/1/K w - - 0 1 first=1"), "{fens:?}");
        assert!(fens.iter().all(|fen| fen.len() < variant.start().len()));
    }

    #[test]
    fn definition_with_one_board_loses_units() {
        let mut catalog = Catalog::new();
        let text = "[frogs]\nmaxRank = 5\nmaxFile = e\npawn = p\nking = -\nstartFen = ppppp/5/5/5/PPPPP w - - 0 1\n";
        catalog.add_text("frogs.ini", text).expect("a text");
        let variant = catalog.open("frogs").expect("a variant");
        let start = Setup::read(&variant, None).expect("a start");
        let groups = reduced_arrays(&variant, &start);
        assert!(groups.iter().flatten().count() > 0);
    }
}
