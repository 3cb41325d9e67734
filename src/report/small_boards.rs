//! Small boards: reduced arrays of each rule set's own men, solved whole.

use super::solved::Solved;
use super::table::Row;
use catalog::Catalog;
use control::Control;
use diagnostics::InputError;
use explore::{Expander, Limits, explore, structure};
use notation::with_setup;
use notation::{Setup, Start};
use rayon::prelude::*;
use scale::{SolvedSummary, Ties};
use serde::{Deserialize, Serialize};
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
    /// Whether it is too large for the report unless asked for.
    pub deep: bool,
}

/// Returns all arrays, in the order of the file.
///
/// # Errors
/// If an array cannot be read.
pub fn arrays() -> Result<Vec<Array>, InputError> {
    let mut reader = csv::Reader::from_reader(ARRAYS.as_bytes());
    reader
        .deserialize()
        .map(|row| row.map_err(|e| InputError::new("small_boards.csv", e.to_string())))
        .collect()
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
    control: &Control<'_>,
) -> Result<SmallBoardRow, Unsolved> {
    let game = start.game.as_ref();
    let limits = Limits {
        max_states: MAX_STATES,
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
    control: &Control<'_>,
) -> Result<Option<Vec<SmallBoardRow>>, InputError> {
    let setups: Vec<Setup> = arrays
        .iter()
        .map(|array| Setup::read(&catalog.open(&array.variant)?, Some(&array.fen)))
        .collect::<Result<_, _>>()?;
    let done = AtomicUsize::new(0);
    let solved = |i: usize| {
        let row = with_setup!(&setups[i], start => row(&arrays[i], start, &control.for_part()));
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        control.report_done("solving", done as u64, arrays.len() as u64, "arrays");
        (i, row)
    };
    let (deep, plain): (Vec<usize>, Vec<usize>) = (0..arrays.len()).partition(|&i| arrays[i].deep);
    let mut rows: Vec<(usize, Result<SmallBoardRow, Unsolved>)> =
        plain.into_par_iter().with_max_len(1).map(solved).collect();
    rows.extend(deep.into_iter().map(solved));
    rows.sort_by_key(|(i, _)| *i);
    // Nothing but an interrupt is told as an error.
    Ok(rows.into_iter().map(|(_, row)| row.ok()).collect())
}
