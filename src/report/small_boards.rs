//! Small boards: reduced arrays of each rule set that are solved completely.

use super::reduced::ReducedArray;
use super::solved::Solved;
use catalog::Catalog;
use control::Control;
use diagnostics::Diagnostic;
use explore::{Expander, Limits, explore, playouts, structure};
use notation::{Setup, Start, with_setup};
use rayon::prelude::*;
use rules::Variant;
use scale::{SolvedSummary, Ties};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicUsize, Ordering};
use struct_field_names_as_array::FieldNamesAsSlice;
use values::Layout;
use values::{Unsolved, certify_game, solve_game};

/// The maximum number of states that are stored for one array.
pub const MAX_STATES: u64 = 50_000_000;

/// The built-in arrays. Arrays marked `deep` are solved only on request.
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

/// The default maximum number of states of a generated array.
pub const MAX_REDUCED_STATES: u64 = 1_000_000;

/// The number of random games from the start of an acyclic array.
const RANDOM_GAMES: u64 = 1_000;
/// The maximum length of a random game, in plies. Games of an acyclic array end earlier.
const RANDOM_CAP_PLIES: u32 = 100_000;

/// The lengths of games from an array without cycles.
#[derive(Clone, PartialEq, Debug, Serialize, FieldNamesAsSlice)]
#[allow(missing_docs)]
pub struct PlayLengthRow {
    pub variant: String,
    pub board: String,
    pub fen: String,
    pub longest_path_plies: usize,
    pub shortest_path_plies: u32,
    /// The number of random games, to which the next three columns refer.
    pub games: u64,
    pub min_plies: u32,
    pub mean_plies: String,
    pub max_plies: u32,
}

impl PlayLengthRow {
    /// Returns the row as one line of text.
    pub fn text(&self) -> String {
        format!(
            "{:<18} {:<5} {:<34} lasts {} to {} plies; {} random games: {} to {}, mean {}",
            self.variant,
            self.board,
            self.fen,
            self.shortest_path_plies,
            self.longest_path_plies,
            self.games,
            self.min_plies,
            self.max_plies,
            self.mean_plies
        )
    }
}

/// Measures the lengths of games from each array that has no cycle.
///
/// # Errors
/// If an array cannot be read.
pub fn play_lengths(
    catalog: &Catalog,
    rows: &[SmallBoardRow],
) -> Result<Vec<PlayLengthRow>, Diagnostic> {
    let is_finite = |row: &&SmallBoardRow| row.endless == Some(false);
    let length = |row: &SmallBoardRow| {
        let setup = Setup::read(&catalog.open(&row.variant)?, Some(&row.fen))?;
        Ok(with_setup!(&setup, start => {
            let (game, root) = (start.game.as_ref(), &start.position);
            let limits = Limits { edges: false, ..Limits::default() };
            let found = explore(game, root, &limits, &Control::new());
            let ended = found.summary.depths.iter().find(|row| row.terminals > 0);
            let random = playouts(game, root, super::atlas::SEED, 0..RANDOM_GAMES, RANDOM_CAP_PLIES);
            let mean = random.plies as f64 / random.ended().max(1) as f64;
            PlayLengthRow {
                variant: row.variant.clone(),
                board: row.board.clone(),
                fen: row.fen.clone(),
                longest_path_plies: row.longest_path_plies.unwrap_or(0),
                shortest_path_plies: ended.map_or(0, |row| row.depth),
                games: random.games,
                min_plies: random.lengths.keys().next().copied().unwrap_or(0),
                mean_plies: format!("{mean:.2}"),
                max_plies: random.max_plies,
            }
        }))
    };
    rows.iter().filter(is_finite).map(length).collect()
}

/// The limits of [`reduced_rows`].
#[derive(Clone, Copy, Debug)]
pub struct ReducedLimits {
    /// The maximum number of states of one array.
    pub max_states: u64,
    /// The number of states of all arrays of a rule set together after which no further group of arrays is
    /// explored.
    pub total_states: u64,
}

/// The rows of the reduced arrays of a rule set.
#[derive(Clone, Debug, Default)]
pub struct ReducedRows {
    /// The rows of the explored arrays, in the order of the arrays.
    pub rows: Vec<SmallBoardRow>,
    /// The number of arrays that were left out because a part of their units already exceeds the limit on the
    /// same board.
    pub larger: usize,
    /// The number of arrays that were left out because all arrays together reached the limit.
    pub beyond: usize,
    /// Whether `control` stopped the run.
    pub interrupted: bool,
}

/// Solves reduced arrays of a rule set, in groups with the same board and the same number of units. `known`
/// returns the row of an array that an earlier run solved. `keep` receives all rows after each group.
///
/// # Errors
/// If an array cannot be read, or `keep` fails.
pub fn reduced_rows<E: From<Diagnostic>>(
    variant: &Variant,
    arrays: &[ReducedArray],
    limits: ReducedLimits,
    control: &Control<'_>,
    known: &dyn Fn(&Array) -> Option<SmallBoardRow>,
    keep: &mut dyn FnMut(&[SmallBoardRow]) -> Result<(), E>,
) -> Result<ReducedRows, E> {
    let mut all = ReducedRows::default();
    let mut exceeding: Vec<&ReducedArray> = Vec::new();
    let mut states = 0;
    let group =
        |a: &ReducedArray, b: &ReducedArray| a.board == b.board && a.units.len() == b.units.len();
    for group in arrays.chunk_by(group) {
        if states >= limits.total_states {
            all.beyond += group.len();
            continue;
        }
        let exceeds = |array: &&ReducedArray| {
            let is_part = |part: &&ReducedArray| {
                part.board == array.board && part.units.is_subset(&array.units)
            };
            exceeding.iter().any(is_part)
        };
        let (larger, group): (Vec<&ReducedArray>, Vec<&ReducedArray>) =
            group.iter().partition(exceeds);
        all.larger += larger.len();
        let mut rows: Vec<Option<SmallBoardRow>> =
            group.iter().map(|reduced| known(&reduced.array)).collect();
        let open = rows.iter().zip(&group).filter(|(row, _)| row.is_none());
        let open: Vec<Array> = open.map(|(_, reduced)| reduced.array.clone()).collect();
        let Some(solved) = self::rows(&open, |_| Ok(variant.clone()), limits.max_states, control)?
        else {
            all.interrupted = true;
            return Ok(all);
        };
        let mut solved = solved.into_iter();
        for row in rows.iter_mut().filter(|row| row.is_none()) {
            *row = solved.next();
        }
        for (row, reduced) in rows.into_iter().zip(group) {
            let Some(row) = row else { continue };
            states += row.states;
            if row.complete != "complete" {
                exceeding.push(reduced);
            }
            all.rows.push(row);
        }
        keep(&all.rows)?;
    }
    Ok(all)
}

/// The solution of an array. Values are for the side to move. If the graph is incomplete, the optional fields
/// are `None`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, FieldNamesAsSlice)]
#[allow(missing_docs)]
pub struct SmallBoardRow {
    pub variant: String,
    pub board: String,
    pub fen: String,
    /// `complete`, or the limit that stopped the search.
    pub complete: String,
    pub states: u64,
    pub edges: u64,
    /// The value of the start position, to which `plies`, `line` and `line_end` also refer.
    pub value: Option<String>,
    pub plies: Option<u16>,
    pub line: Option<String>,
    pub line_end: Option<String>,
    /// The share of winning states among all states, from 0 to 1. The other shares are analogous.
    pub win_share: Option<String>,
    pub weak_win_share: Option<String>,
    pub draw_share: Option<String>,
    pub weak_loss_share: Option<String>,
    pub loss_share: Option<String>,
    pub longest_win_plies: Option<u16>,
    pub longest_win_fen: Option<String>,
    /// The number of winning states in which exactly one turn keeps the win.
    pub one_winning_turn_states: Option<u64>,
    /// Whether play can continue forever.
    pub endless: Option<bool>,
    /// The length of the longest possible game, if play always ends.
    pub longest_path_plies: Option<usize>,
    /// The number of states whose value the certifier confirmed.
    pub certified_states: Option<u64>,
}

impl SmallBoardRow {
    /// Returns whether the array was solved and every value was confirmed.
    pub fn solved(&self) -> bool {
        self.complete == "complete" && self.certified_states == Some(self.states)
    }

    /// Returns the row as one line of text.
    pub fn text(&self) -> String {
        let value = match (&self.value, self.plies) {
            (Some(value), Some(plies)) => format!("{value} in {plies}"),
            (Some(value), None) => value.clone(),
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
        complete: found
            .summary
            .limit
            .map_or("complete".to_string(), |stopped| {
                stopped.limit().to_string()
            }),
        states: found.states.len() as u64,
        edges: found.summary.edges,
        ..SmallBoardRow::default()
    };
    let Some(graph) = found.graph.as_ref().filter(|_| found.summary.complete()) else {
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
    let (certified, ties) = (Some(&certificate), Ties::FirstFound);
    let summary = SolvedSummary::of_graph(&expander, &found, graph, &values, certified, ties);
    let solved = Solved::new(&expander, &summary);
    let structure = structure(graph);
    let share = |n: u64| Some(format!("{:.4}", n as f64 / row.states as f64));
    let (line, line_end) = solved.line.map(|line| (line.turns, line.end)).unzip();
    let [wins, weak_wins, draws, weak_losses, losses] = solved.census.counts();
    let (plies, fen) = solved
        .census
        .longest_win
        .map(|longest| (longest.plies, longest.fen))
        .unzip();
    Ok(SmallBoardRow {
        value: Some(solved.value.to_owned()),
        plies: solved.plies,
        line,
        line_end,
        win_share: share(wins),
        weak_win_share: share(weak_wins),
        draw_share: share(draws),
        weak_loss_share: share(weak_losses),
        loss_share: share(losses),
        longest_win_plies: plies,
        longest_win_fen: fen,
        one_winning_turn_states: Some(solved.census.one_winning_turn),
        endless: Some(!structure.acyclic),
        longest_path_plies: structure.longest_path_turns(),
        certified_states: Some(certificate.states - certificate.faulty_states),
        ..row
    })
}

/// Solves arrays. Returns a row for each, in order, or `None` if `control` stopped it. `open` opens the rule
/// set of an array. Each array may use all of the memory of `control`. Arrays are divided among the threads
/// of the caller's pool, except that deep ones are solved one at a time. The rows do not depend on the number
/// of threads.
///
/// # Errors
/// If an array cannot be read, or is not a legal start.
pub fn rows(
    arrays: &[Array],
    open: impl Fn(&Array) -> Result<Variant, Diagnostic>,
    max_states: u64,
    control: &Control<'_>,
) -> Result<Option<Vec<SmallBoardRow>>, Diagnostic> {
    let setups: Vec<Setup> = arrays
        .iter()
        .map(|array| Setup::read(&open(array)?, Some(&array.fen)))
        .collect::<Result<_, _>>()?;
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
    // An interrupt is the only possible error here.
    Ok(rows.into_iter().map(|(_, row)| row.ok()).collect())
}
