//! Reduced arrays: parts of a rule set's start position on smaller boards.
//!
//! An array consists of a run of files and the outer ranks of each side, with the royal units of both sides.
//! Three families of arrays are generated for each board:
//!
//! * all units of these files and ranks, for every run of files that contains the royal units;
//! * "fewer pawns": no units on the inner ranks, or only those on the files of royal units;
//! * by material, for the most central run of files: the royal units and one further unit of White, then one
//!   further unit of each side.
//!
//! If a rule set has no royal units, each side needs at least one unit. Arrays that are not legal start
//! positions are listed separately, with the reason.

use super::small_boards::Array;
use board::field::{BoardField, Cell, Dialect, FieldWriter, UnitText};
use board::{Color, Geometry};
use diagnostics::Diagnostic;
use notation::{Setup, fen, with_setup};
use rules::Variant;
use std::collections::BTreeSet;

/// The maximum board size of reduced arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReducedScope {
    /// The maximum number of files.
    pub max_files: usize,
    /// The maximum number of ranks.
    pub max_ranks: usize,
}

impl Default for ReducedScope {
    /// Returns a scope with boards of up to 4 files and 5 ranks.
    fn default() -> ReducedScope {
        ReducedScope {
            max_files: 4,
            max_ranks: 5,
        }
    }
}

/// A reduced array with its board size and its units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReducedArray {
    /// The array as it is solved.
    pub array: Array,
    /// The number of files and the number of ranks.
    pub board: (usize, usize),
    /// The units as (file from the left, rank from the top, letter).
    pub units: BTreeSet<(usize, usize, char)>,
}

/// An array that is not a legal start position, or a board on which the rule set cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// The FEN of the array, or the size of the board.
    pub name: String,
    /// The reason.
    pub why: String,
}

/// The reduced arrays of a rule set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reduced {
    /// The arrays that are legal start positions, sorted by number of squares, then by number of units.
    pub arrays: Vec<ReducedArray>,
    /// The skipped boards and arrays, in the same order.
    pub skipped: Vec<Skipped>,
}

/// A grid of units, the highest rank first.
type Grid = Vec<Vec<Option<UnitText>>>;

/// The start position of a rule set.
struct StartArray {
    cells: Vec<Vec<Cell>>,
    /// Whether each unit is royal, by rank from the top and by file.
    royal: Vec<Vec<bool>>,
    /// The part of the board field that follows the board: the hands.
    hands: String,
    /// The side to move.
    side: String,
    /// The fields of the FEN after castling rights and en passant.
    rest: String,
}

impl StartArray {
    fn read(variant: &Variant) -> Result<StartArray, Diagnostic> {
        let start = variant.start();
        let fields: Vec<&str> = start.split_whitespace().collect();
        let text = fields.first().copied().unwrap_or("");
        let wrong = || Diagnostic::new("FEN", "the start position cannot be read");
        let field = BoardField::read(text, Dialect::POSITION).map_err(|_| wrong())?;
        let setup = Setup::read(variant, None)?;
        let ranks = field.ranks.len();
        let files = field.ranks.first().map_or(0, |rank| rank.cells.len());
        let mut royal = vec![vec![false; files]; ranks];
        with_setup!(&setup, start => {
            let geometry = start.game.board().geometry();
            for color in Color::BOTH {
                let royals = board::Squares::bits(start.game.royals(&start.position, color));
                for square in (0..geometry.len() as u8).map(board::Square) {
                    if royals >> square.0 & 1 == 1 {
                        let row = ranks - 1 - usize::from(geometry.rank(square));
                        royal[row][usize::from(geometry.file(square))] = true;
                    }
                }
            }
        });
        let cells =
            |rank: &board::field::RankText| rank.cells.iter().map(|&(cell, _)| cell).collect();
        Ok(StartArray {
            cells: field.ranks.iter().map(cells).collect(),
            royal,
            hands: field.hand.map_or(String::new(), |hand| format!("[{hand}]")),
            side: fields.get(1).copied().unwrap_or("w").to_owned(),
            rest: fields.get(4..).unwrap_or(&[]).join(" "),
        })
    }

    fn files(&self) -> usize {
        self.cells.first().map_or(0, Vec::len)
    }

    fn ranks(&self) -> usize {
        self.cells.len()
    }

    /// Returns the first and the last file with a royal unit.
    fn royal_files(&self) -> Option<(usize, usize)> {
        let files = (0..self.files()).filter(|&file| self.royal.iter().any(|rank| rank[file]));
        let files: Vec<usize> = files.collect();
        Some((*files.first()?, *files.last()?))
    }

    /// Returns a part of the start position on a smaller board, and which of its units are royal. The part
    /// consists of a run of files that begins with file `first`, and the `depth` outer ranks of each side. A
    /// unit on a square that the board lacks is left out. Returns `None` if a royal unit is on such a square
    /// or on an inner rank, or if the board has a square where the start position has a hole.
    fn cut(&self, first: usize, board: Geometry, depth: usize) -> Option<(Grid, Vec<Vec<bool>>)> {
        let (files, ranks) = (usize::from(board.files()), usize::from(board.ranks()));
        let last = self.ranks() - 1;
        let mut grid = vec![vec![None; files]; ranks];
        let mut royal = vec![vec![false; files]; ranks];
        let is_inner = |row: usize| row >= depth && row + depth <= last;
        if (0..self.ranks()).any(|row| is_inner(row) && self.royal[row].contains(&true)) {
            return None;
        }
        for row in (0..depth).chain(ranks - depth..ranks) {
            let own = if row < depth {
                row
            } else {
                last + 1 + row - ranks
            };
            for file in 0..files {
                let is_royal = self.royal[own][first + file];
                match (self.cells[own][first + file], is_hole(board, row, file)) {
                    (Cell::Unit(_), true) if is_royal => return None,
                    (Cell::Unit(unit), false) => grid[row][file] = Some(unit),
                    (Cell::Hole, false) => return None,
                    _ => {}
                }
                royal[row][file] = is_royal;
            }
        }
        Some((grid, royal))
    }

    fn fen(&self, grid: &Grid, board: Geometry) -> String {
        let mut field = FieldWriter::default();
        for (row, cells) in grid.iter().enumerate() {
            if row > 0 {
                field.next_rank();
            }
            for (file, cell) in cells.iter().enumerate() {
                match cell {
                    Some(unit) => field.occupied(&unit.to_string()),
                    None if is_hole(board, row, file) => field.occupied("*"),
                    None => field.vacant(),
                }
            }
        }
        let (hands, side, rest) = (&self.hands, &self.side, &self.rest);
        format!("{}{hands} {side} - - {rest}", field.finish())
    }
}

/// Returns whether the board lacks a square. `row` counts from the highest rank.
fn is_hole(board: Geometry, row: usize, file: usize) -> bool {
    let rank = board.ranks() - 1 - row as u8;
    !board.exists(board.square(file as u8, rank))
}

/// Returns the arrays of one part: all units, fewer pawns and, if `by_material` is set, one or two further
/// units.
fn sub_arrays(grid: &Grid, royal: &[Vec<bool>], depth: usize, by_material: bool) -> Vec<Grid> {
    let ranks = grid.len();
    let keep = |is_kept: &dyn Fn(usize, usize) -> bool| -> Grid {
        let rank = |(row, cells): (usize, &Vec<Option<UnitText>>)| {
            let cell =
                |(file, unit): (usize, &Option<UnitText>)| unit.filter(|_| is_kept(row, file));
            cells.iter().enumerate().map(cell).collect()
        };
        grid.iter().enumerate().map(rank).collect()
    };
    let mut arrays = vec![grid.clone()];
    let is_outer = |row: usize| row == 0 || row + 1 == ranks;
    if depth > 1 {
        let has_royal = |file: usize| royal.iter().any(|rank| rank[file]);
        arrays.push(keep(&|row, file| is_outer(row) || has_royal(file)));
    }
    if !by_material {
        return arrays;
    }
    // The first unit of each kind and side, except royal units.
    let mut kinds: [Vec<(String, (usize, usize))>; 2] = Default::default();
    for (row, cells) in grid.iter().enumerate() {
        for (file, unit) in cells.iter().enumerate() {
            let Some(unit) = unit.filter(|_| !royal[row][file]) else {
                continue;
            };
            let side = usize::from(unit.letter.is_ascii_lowercase());
            let text = unit.to_string();
            if kinds[side].iter().all(|(known, _)| *known != text) {
                kinds[side].push((text, (row, file)));
            }
        }
    }
    let [white, black] = kinds;
    let with = |more: &[(usize, usize)]| {
        keep(&|row, file| royal[row][file] || more.contains(&(row, file)))
    };
    arrays.extend(white.iter().map(|(_, place)| with(&[*place])));
    for (_, one) in &white {
        arrays.extend(black.iter().map(|(_, other)| with(&[*one, *other])));
    }
    arrays
}

/// Returns the reduced arrays of a rule set. Each array occurs once.
///
/// # Errors
/// If the start position of the rule set cannot be read.
pub fn reduced(variant: &Variant, scope: ReducedScope) -> Result<Reduced, Diagnostic> {
    const MIN_FILES: usize = 2;
    const MIN_RANKS: usize = 3;
    let start = StartArray::read(variant)?;
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut skipped = Vec::new();
    let (all_files, all_ranks) = (start.files(), start.ranks());
    for files in MIN_FILES..=scope.max_files.min(all_files) {
        let mut windows: Vec<usize> = (0..=all_files - files)
            .filter(|&first| {
                let royal = start.royal_files();
                royal.is_none_or(|(low, high)| first <= low && high < first + files)
            })
            .collect();
        // Boards on which the rule set cannot be played are reported once.
        let mut boards = Vec::new();
        for ranks in MIN_RANKS..=scope.max_ranks.min(all_ranks) {
            match variant.rule_set.board(files as u8, ranks as u8) {
                Ok(board) => boards.push(board),
                Err(why) => skipped.push(Skipped {
                    name: format!("{files}x{ranks}"),
                    why: why.into(),
                }),
            }
        }
        // The most central run of files comes first.
        windows.sort_by_key(|first| (2 * first + files).abs_diff(all_files));
        for (place, &first) in windows.iter().enumerate() {
            for &board in &boards {
                let deepest = usize::from(board.ranks()).min(all_ranks) / 2;
                for depth in 1..=deepest {
                    let Some((grid, royal)) = start.cut(first, board, depth) else {
                        continue;
                    };
                    let by_material = place == 0 && depth <= 2;
                    candidates.extend(
                        sub_arrays(&grid, &royal, depth, by_material)
                            .into_iter()
                            .map(|grid| Candidate { board, grid }),
                    );
                }
            }
        }
    }
    let mut reduced = sorted(variant, &start, candidates);
    reduced.skipped.splice(0..0, skipped);
    if reduced.arrays.is_empty() {
        // Rule sets whose regions do not fit on smaller boards keep their own board, with few units.
        let board = fen::shape(&variant.start())?;
        let depths = 1..=(all_ranks / 2).min(2);
        let cuts = depths.filter_map(|depth| start.cut(0, board, depth));
        let whole = cuts.flat_map(|(grid, royal)| {
            sub_arrays(&grid, &royal, 1, true)
                .into_iter()
                .skip(1)
                .collect::<Vec<_>>()
        });
        let candidates = whole.map(|grid| Candidate { board, grid });
        let own = sorted(variant, &start, candidates.collect());
        reduced.arrays = own.arrays;
        reduced.skipped.extend(own.skipped);
    }
    Ok(reduced)
}

/// An array with its board, before its legality is checked.
struct Candidate {
    board: Geometry,
    grid: Grid,
}

impl Candidate {
    fn units(&self) -> usize {
        self.grid.iter().flatten().flatten().count()
    }

    fn size(&self) -> (usize, usize) {
        (
            usize::from(self.board.files()),
            usize::from(self.board.ranks()),
        )
    }
}

/// Sorts the candidates by squares and units, removes duplicates, and separates the legal start positions
/// from the others.
fn sorted(variant: &Variant, start: &StartArray, mut candidates: Vec<Candidate>) -> Reduced {
    // The sort is stable, so candidates with equal keys keep the order of generation.
    candidates
        .sort_by_key(|candidate| (candidate.board.len(), candidate.size(), candidate.units()));
    let mut reduced = Reduced::default();
    let mut seen = BTreeSet::new();
    for candidate in candidates {
        let fen = start.fen(&candidate.grid, candidate.board);
        let (size, grid) = (candidate.size(), candidate.grid);
        if !seen.insert(fen.clone()) {
            continue;
        }
        let has = |is_white: bool| {
            let mut units = grid.iter().flatten().flatten();
            units.any(|unit| unit.letter.is_ascii_uppercase() == is_white)
        };
        // A side without units cannot play.
        if !(has(true) && has(false)) {
            continue;
        }
        match start_of(variant, &fen) {
            Ok(fen) => {
                let units = grid.iter().enumerate().flat_map(|(row, cells)| {
                    let unit = move |(file, unit): (usize, &Option<UnitText>)| {
                        unit.map(|unit| (row, file, unit.letter))
                    };
                    cells.iter().enumerate().filter_map(unit)
                });
                reduced.arrays.push(ReducedArray {
                    array: Array {
                        variant: variant.to_string(),
                        fen,
                        deep: false,
                    },
                    board: size,
                    units: units.collect(),
                });
            }
            Err(error) => reduced.skipped.push(Skipped {
                name: fen,
                why: error.to_string(),
            }),
        }
    }
    reduced
}

/// Checks whether a game can start from a position. Returns the FEN as it is printed.
///
/// # Errors
/// The reason why the game cannot start from the position.
fn start_of(variant: &Variant, fen: &str) -> Result<String, Diagnostic> {
    let setup = Setup::read(variant, Some(fen))?;
    let outcome = setup.outcome();
    match outcome.is_ongoing() {
        true => Ok(with_setup!(setup, start => fen::print(start.game.as_ref(), &start.position))),
        false => Err(Diagnostic::new("the game is over", outcome.to_string())),
    }
}
