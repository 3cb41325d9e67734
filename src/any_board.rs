//! Searches from a position on a board of any size, for callers that do not want to be generic over layouts.
//!
//! Positions on boards of different sizes have different types, and the searches of the library are generic
//! over these types. The functions here take a [`Setup`], which holds a position of any type. For full
//! control over a search, call the generic search from a [`SetupVisitor`](notation::SetupVisitor).

use control::Control;
use diagnostics::Diagnostic;
use explore::petgraph::graph::DiGraph;
use explore::{Exploration, StateNode, perft::Divide};
use notation::{Setup, with_setup};
use problems::{Problem, Solution, Stipulation};
use prove::{Found, Goal, Prover};
use rules::Game;
use std::sync::Arc;
use tables::{ClassKey, Failed, Layout, Probe, Signature, Tables};
use values::{Value, Values};

/// Returns the number of lines of `depth` turns that begin with each first turn.
pub fn divide(setup: &Setup, depth: u32) -> Divide {
    with_setup!(setup, start => explore::perft::divide(start.game.as_ref(), &start.position, depth))
}

/// Finds all positions that can be reached by legal turns.
pub fn explore(setup: &Setup, limits: &explore::Limits, control: &Control<'_>) -> Exploration {
    with_setup!(setup, start => {
        explore::explore(start.game.as_ref(), &start.position, limits, control)
    })
}

/// Returns the graph of an exploration as petgraph's `Graph`: nodes with FEN, outcome and value, edges with
/// the text of the turn. Returns `None` if the exploration has no edges.
pub fn to_petgraph(
    setup: &Setup,
    found: &Exploration,
    values: Option<&Values>,
) -> Option<DiGraph<StateNode<Value>, String>> {
    let value = |state| values.map(|values| values.of(state));
    with_setup!(setup, start => found.to_petgraph(start.game.as_ref(), value))
}

/// The result of [`solve`].
#[derive(Clone, Debug)]
pub struct Solved {
    /// The first turns of all solutions, in coordinate notation and in byte order.
    pub first_turns: Vec<String>,
    /// The solution. [`Solution::stopped`] is `None` if the search is complete.
    pub solution: Solution,
}

/// Finds all solutions of a problem with a stipulation such as `#2`, `h#3` or `win`.
///
/// # Errors
/// If the text is not a stipulation, or the variant does not have its goal.
pub fn solve(
    setup: &Setup,
    stipulation: &str,
    limits: &problems::Limits,
    control: &Control<'_>,
) -> Result<Solved, Diagnostic> {
    with_setup!(setup, start => {
        let board = start.game.board().geometry();
        let stipulation = Stipulation::parse(stipulation, &setup.variant().rule_set, board)?;
        let problem = Problem::new(start.clone(), stipulation);
        let solution = problem.solve(limits, control);
        Ok(Solved { first_turns: problem.first_turns(&solution), solution })
    })
}

/// Builds the endgame table of a position in memory, with every table that it depends on, and returns the
/// value of the position and of each legal turn, best first.
///
/// # Errors
/// If the table needs more memory than allowed, or the variant has no tables for these units.
pub fn endgame(setup: &Setup, control: &Control<'_>) -> Result<Probe, Failed> {
    with_setup!(setup, start => {
        let game = start.game.as_ref();
        let tables = Tables::new(Arc::clone(&start.game), None);
        let signature = Signature::parse(game, &signature(game, &start.position))?;
        tables::build(&tables, &signature, control)?;
        let probe = tables.probe(&start.position)?;
        probe.ok_or_else(|| Diagnostic::new("table", "it does not hold this position").into())
    })
}

/// Returns the material signature of a position, with its variant state if it has one.
fn signature<W: Layout>(game: &dyn Game<W>, p: &position::Position<W>) -> String {
    let label = ClassKey::of(game, p).label(game.men());
    let units = label.split('-').next().unwrap_or_default().to_owned();
    match notation::fen::state_text(game, p) {
        state if state.is_empty() || p.bound_len() > 0 => units,
        state => format!("{units};{state}"),
    }
}

/// Searches for a proof that the side to move can force a goal: `win`, `not-lose` or a reason of the
/// variant's outcomes, such as `checkmate`. The result contains a certificate, which [`prove::check::check`]
/// checks.
///
/// # Errors
/// If the variant does not have this goal.
pub fn prove(
    setup: &Setup,
    goal: &str,
    limits: prove::Limits,
    control: &Control<'_>,
) -> Result<Found, Diagnostic> {
    with_setup!(setup, start => {
        let (game, root) = (start.game.as_ref(), &start.position);
        let goal = Goal::parse(goal, &setup.variant().rule_set)?;
        Ok(Prover::new(game, root, root.side, &goal, limits, control, None).run())
    })
}
