//! Small boards: reduced arrays of each rule set's own men, solved whole.

use super::solved::Solved;
use super::table::Row;
use board::field::{BoardField, Cell, Dialect, FieldWriter, RankText};
use catalog::Catalog;
use control::Control;
use diagnostics::Diagnostic;
use explore::{Expander, Limits, explore, structure};
use notation::{Setup, Start, with_setup};
use rayon::prelude::*;
use rules::Variant;
use scale::{SolvedSummary, Ties};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use values::Layout;
use values::{Unsolved, certify_game, solve_game};

/// States that are kept of one array at most.
pub const MAX_STATES: u64 = 50_000_000;

/// The arrays, all in one file: `deep` ones only on request.
const ARRAYS: &str = include_str!("data/small_boards.csv");

/// A reduced array.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Array {
    /// The rule set, with its options.
    pub variant: String,
    /// The start position.
    pub fen: String,
    /// Whether it is solved only on request, because it is large.
    pub deep: bool,
}

/// Returns all arrays, in the order of the file.
///
/// # Errors
/// If an array cannot be read.
pub fn arrays() -> Result<Vec<Array>, Diagnostic> {
    let mut reader = csv::Reader::from_reader(ARRAYS.as_bytes());
    reader
        .deserialize()
        .map(|row| row.map_err(|e| Diagnostic::new("small_boards.csv", e.to_string())))
        .collect()
}

/// Files and ranks of the boards on which a rule set's start is reduced, smallest first.
const BOARDS: [(usize, usize); 6] = [(3, 4), (4, 4), (3, 5), (4, 5), (5, 4), (5, 5)];

/// States that one of [`reduced_arrays`] may have.
pub const MAX_REDUCED_STATES: u64 = 1_000_000;

/// Returns arrays for a rule set that has none in the file: its start on smaller boards, with the two outer
/// ranks of each side on neighboring files. A rule set that has only its own board, as definitions have, is
/// reduced to few units. Arrays in which the game is over are left out.
///
/// # Errors
/// If the start position cannot be read.
pub fn reduced_arrays(variant: &Variant) -> Result<Vec<Array>, Diagnostic> {
    let start = variant.start();
    let field = start.split(' ').next().unwrap_or("");
    let mut arrays: Vec<Array> = Vec::new();
    let Ok(BoardField { ranks, .. }) = BoardField::read(field, Dialect::POSITION) else {
        return Ok(arrays);
    };
    let all = ranks[0].cells.len();
    for (files, rows) in BOARDS {
        if ranks.len() < 4 || files > all || (files, rows) == (all, ranks.len()) {
            continue;
        }
        // The middle first: kings are there in most arrays.
        let mut windows: Vec<usize> = (0..=all - files).collect();
        windows.sort_by_key(|first| (2 * first + files).abs_diff(all));
        let array = windows.into_iter().find_map(|first| {
            let board = reduced_board(&ranks, first..first + files, rows)?;
            let fen = format!("{board} w - - 0 1");
            let setup = Setup::read(variant, Some(&fen)).ok()?;
            let plays = with_setup!(&setup, start => {
                start.game.outcome(&start.position).is_ongoing()
            });
            plays.then(|| Array {
                variant: variant.to_string(),
                fen,
                deep: false,
            })
        });
        arrays.extend(array);
    }
    if arrays.is_empty() {
        arrays = reduced_material(variant, &ranks);
    }
    Ok(arrays)
}

/// Returns arrays on the variant's own board: one unit of each side, which is a king if there are kings, and
/// one further unit of White.
fn reduced_material(variant: &Variant, ranks: &[RankText]) -> Vec<Array> {
    let cells = ranks
        .iter()
        .flat_map(|rank| rank.cells.iter().map(|(cell, _)| *cell));
    let cells: Vec<Cell> = cells.collect();
    let find = |letter: char| {
        let is_it = |cell: &Cell| matches!(cell, Cell::Unit(unit) if unit.letter == letter);
        cells.iter().position(is_it)
    };
    let array = |kept: &[usize]| {
        let mut board = FieldWriter::default();
        for (place, cell) in cells.iter().enumerate() {
            if place > 0 && place % ranks[0].cells.len() == 0 {
                board.next_rank();
            }
            match cell {
                Cell::Hole => board.occupied("*"),
                Cell::Unit(unit) if kept.contains(&place) => board.occupied(&unit.to_string()),
                _ => board.vacant(),
            }
        }
        let fen = format!("{} w - - 0 1", board.finish());
        let setup = Setup::read(variant, Some(&fen)).ok()?;
        let plays = with_setup!(&setup, start => {
            start.game.outcome(&start.position).is_ongoing()
        });
        plays.then(|| Array {
            variant: variant.to_string(),
            fen,
            deep: false,
        })
    };
    let mut letters: Vec<char> = cells
        .iter()
        .filter_map(|cell| match cell {
            Cell::Unit(unit) if unit.letter.is_ascii_uppercase() => Some(unit.letter),
            _ => None,
        })
        .collect();
    letters.sort_unstable();
    letters.dedup();
    // Kings are royal in most rule sets.
    letters.sort_by_key(|letter| *letter != 'K');
    for base in &letters {
        let pair = [find(*base), find(base.to_ascii_lowercase())];
        let [Some(white), Some(black)] = pair else {
            continue;
        };
        let more = letters.iter().filter(|letter| *letter != base);
        let with_more = more.filter_map(|letter| array(&[white, black, find(*letter)?]));
        let arrays: Vec<Array> = with_more.collect();
        if !arrays.is_empty() {
            return arrays;
        }
        if let Some(alone) = array(&[white, black]) {
            return vec![alone];
        }
    }
    Vec::new()
}

/// Returns the board of `rows` ranks with the two outer ranks of each side, cut to these files. `None` if
/// there is a hole.
fn reduced_board(ranks: &[RankText], files: Range<usize>, rows: usize) -> Option<String> {
    let last = ranks.len() - 1;
    let mut board = FieldWriter::default();
    for row in 0..rows {
        if row > 0 {
            board.next_rank();
        }
        let rank = match row {
            0 | 1 => Some(row),
            _ if row + 2 >= rows => Some(last + 1 + row - rows),
            _ => None,
        };
        for file in files.clone() {
            match rank.map(|rank| ranks[rank].cells.get(file)) {
                None | Some(Some((Cell::Vacant, _))) => board.vacant(),
                Some(Some((Cell::Unit(unit), _))) => board.occupied(&unit.to_string()),
                Some(_) => return None,
            }
        }
    }
    Some(board.finish())
}

/// An array, solved. Values are for the side to move; nothing is known of an array whose graph is
/// not complete.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs)]
pub struct SmallBoardRow {
    pub variant: String,
    pub board: String,
    pub fen: String,
    /// `complete`, or the limit that stopped the search.
    pub complete: String,
    pub states: u64,
    pub edges: u64,
    /// Of the start, as are `plies`, `line` and `line_end`.
    pub value: Option<&'static str>,
    pub plies: Option<u16>,
    pub line: Option<String>,
    pub line_end: Option<String>,
    /// Shares of all states.
    pub win_share: Option<String>,
    pub weak_win_share: Option<String>,
    pub draw_share: Option<String>,
    pub weak_loss_share: Option<String>,
    pub loss_share: Option<String>,
    pub longest_win_plies: Option<u16>,
    pub longest_win_fen: Option<String>,
    /// Won states of whose turns exactly one keeps the win.
    pub one_winning_turn_states: Option<u64>,
    /// Whether play can go on for ever.
    pub endless: Option<bool>,
    /// The longest game possible, where it cannot.
    pub longest_path_plies: Option<usize>,
    /// States whose value the certifier confirmed.
    pub certified_states: Option<u64>,
}

impl Row for SmallBoardRow {
    const COLUMNS: &'static [&'static str] = &[
        "variant",
        "board",
        "fen",
        "complete",
        "states",
        "edges",
        "value",
        "plies",
        "line",
        "line_end",
        "win_share",
        "weak_win_share",
        "draw_share",
        "weak_loss_share",
        "loss_share",
        "longest_win_plies",
        "longest_win_fen",
        "one_winning_turn_states",
        "endless",
        "longest_path_plies",
        "certified_states",
    ];
}

impl SmallBoardRow {
    /// Returns whether the array was solved, and every value confirmed.
    pub fn solved(&self) -> bool {
        self.complete == "complete" && self.certified_states == Some(self.states)
    }

    /// Returns the row in a line for people.
    pub fn text(&self) -> String {
        let value = match (self.value, self.plies) {
            (Some(value), Some(plies)) => format!("{value} in {plies}"),
            (Some(value), None) => value.to_string(),
            (None, _) => format!("NOT solved ({})", self.complete),
        };
        let longest = match self.longest_win_plies {
            Some(plies) => format!(", longest win {plies}"),
            None => String::new(),
        };
        format!(
            "{:<18} {:<5} {:<34} {:>9} states  {value}{longest}",
            self.variant, self.board, self.fen, self.states
        )
    }
}

fn row<W: Layout>(
    array: &Array,
    start: &Start<W>,
    max_states: u64,
    control: &Control<'_>,
) -> Result<SmallBoardRow, Unsolved> {
    let game = start.game.as_ref();
    let limits = Limits {
        max_states,
        ..Limits::default()
    };
    let found = explore(game, &start.position, &limits, control);
    let mut row = SmallBoardRow {
        variant: array.variant.clone(),
        board: game.board().geometry().size(),
        fen: array.fen.clone(),
        complete: found.limit.map_or("complete".to_string(), |stopped| {
            stopped.limit().to_string()
        }),
        states: found.states.len() as u64,
        edges: found.edges,
        value: None,
        plies: None,
        line: None,
        line_end: None,
        win_share: None,
        weak_win_share: None,
        draw_share: None,
        weak_loss_share: None,
        loss_share: None,
        longest_win_plies: None,
        longest_win_fen: None,
        one_winning_turn_states: None,
        endless: None,
        longest_path_plies: None,
        certified_states: None,
    };
    let Some(graph) = found.graph.as_ref().filter(|_| found.complete()) else {
        return Ok(row);
    };
    let values = match solve_game(game, &found, control) {
        Ok(values) => values,
        Err(stopped) if stopped.is_interrupted() => return Err(stopped),
        Err(stopped) => {
            row.complete = stopped.to_string();
            return Ok(row);
        }
    };
    let certificate = certify_game(game, &found, &values, control)?;
    let expander = Expander::new(game, &found.position(0));
    let certified = Some(&certificate);
    let summary = SolvedSummary::new(game, &found, graph, &values, certified, Ties::FirstFound);
    let solved = Solved::new(&expander, &summary);
    let structure = structure(graph);
    let share = |n: u64| Some(format!("{:.4}", n as f64 / row.states as f64));
    let (line, line_end) = solved.line.map(|line| (line.turns, line.end)).unzip();
    let (plies, fen) = solved
        .longest_win
        .map(|longest| (longest.plies, longest.fen))
        .unzip();
    Ok(SmallBoardRow {
        value: Some(solved.value),
        plies: solved.plies,
        line,
        line_end,
        win_share: share(solved.wins),
        weak_win_share: share(solved.weak_wins),
        draw_share: share(solved.draws),
        weak_loss_share: share(solved.weak_losses),
        loss_share: share(solved.losses),
        longest_win_plies: plies,
        longest_win_fen: fen,
        one_winning_turn_states: Some(solved.one_winning_turn),
        endless: Some(!structure.acyclic),
        longest_path_plies: structure.longest_path_turns(),
        certified_states: Some(certificate.states - certificate.faulty_states),
        ..row
    })
}

/// Returns a row for each array, in their order, or `None` if `control` stopped it. Each array may take the
/// memory of `control`. Arrays are divided among the threads of the caller's pool, the deep ones one after the
/// other; the rows do not depend on the threads.
///
/// # Errors
/// If an array cannot be read, or is not a legal start.
pub fn rows(
    catalog: &Catalog,
    arrays: &[Array],
    max_states: u64,
    control: &Control<'_>,
) -> Result<Option<Vec<SmallBoardRow>>, Diagnostic> {
    let setups: Vec<Setup> = arrays
        .iter()
        .map(|array| Setup::read(&catalog.open(&array.variant)?, Some(&array.fen)))
        .collect::<Result<_, _>>()?;
    Ok(solve_all(&setups, arrays, max_states, control))
}

/// Like [`rows`], for arrays of one rule set.
///
/// # Errors
/// If an array cannot be read.
pub fn rows_of(
    variant: &Variant,
    arrays: &[Array],
    max_states: u64,
    control: &Control<'_>,
) -> Result<Option<Vec<SmallBoardRow>>, Diagnostic> {
    let setups: Vec<Setup> = arrays
        .iter()
        .map(|array| Setup::read(variant, Some(&array.fen)))
        .collect::<Result<_, _>>()?;
    Ok(solve_all(&setups, arrays, max_states, control))
}

/// Returns a row for each array, or `None` if it was stopped.
fn solve_all(
    setups: &[Setup],
    arrays: &[Array],
    max_states: u64,
    control: &Control<'_>,
) -> Option<Vec<SmallBoardRow>> {
    let done = AtomicUsize::new(0);
    let solved = |i: usize| {
        let row = with_setup!(&setups[i], start => row(&arrays[i], start, max_states, &control.for_part()));
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        control.report_done("solving", done as u64, arrays.len() as u64, "arrays");
        (i, row)
    };
    let (deep, plain): (Vec<usize>, Vec<usize>) = (0..arrays.len()).partition(|&i| arrays[i].deep);
    let mut rows: Vec<(usize, Result<SmallBoardRow, Unsolved>)> =
        plain.into_par_iter().with_max_len(1).map(solved).collect();
    rows.extend(deep.into_iter().map(solved));
    rows.sort_by_key(|(i, _)| *i);
    // Only an interrupt is an error here.
    rows.into_iter().map(|(_, row)| row.ok()).collect()
}
