//! Proofs and disproofs from the complete game graph, if it is small. They hold for games of any length,
//! repetitions included.

use crate::certificate::{Entry, Kind};
use crate::question::Question;
use control::Control;
use explore::{Exploration, GameGraph, Limits, StateId};
use position::{Layout, Position};
use rules::Outcome;
use values::Value;
use values::{Values, bytes_needed};

/// The answer of a complete graph for its root.
pub struct Whole {
    /// Whether the attacker forces the goal.
    pub kind: Kind,
    /// Plies to the end under best play of both sides, so no proof is shorter. 0 if the goal is not forced.
    pub plies: u16,
    /// The turns of the side that succeeds.
    pub entries: Vec<Entry>,
}

/// The reason why the graph gives no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing {
    /// The graph is larger than allowed, but perhaps not much larger.
    Larger,
    /// The graph is not worth another attempt, mostly because it was still growing from level to level at the
    /// limit.
    Growing,
}

/// Factor by which a level exceeds the one before in a graph that is far from its end.
const GROWTH: u64 = 2;

/// Returns the answer for a root from its complete graph, if the graph stays within the limits on states and
/// bytes.
pub fn whole<W: Layout>(
    question: &Question<'_, W>,
    root: &Position<W>,
    max_states: u64,
    control: &Control<'_>,
) -> Result<Whole, Missing> {
    let game = question.game;
    let limits = Limits {
        max_states,
        ..Limits::default()
    };
    let found = explore::explore(game, root, &limits, control);
    let Some(graph) = found.graph.as_ref().filter(|_| found.summary.complete()) else {
        // The last level is incomplete, so the two levels before it are compared.
        let level = |back: usize| {
            let at = found.summary.depths.len().checked_sub(back)?;
            found.summary.depths.get(at).map(|row| row.states)
        };
        return Err(match (level(2), level(3)) {
            (Some(last), Some(before)) if last > GROWTH * before => Missing::Growing,
            _ => Missing::Larger,
        });
    };
    if bytes_needed(graph) > control.memory_bytes() {
        return Err(Missing::Growing);
    }
    // Two results are enough: the goal counts as a win of the attacker, and everything else as a draw.
    let end = |state: StateId| {
        let p: Position<W> = found.position(state);
        let outcome: Outcome = game.outcome(&p);
        if !question.goal.is_reached(outcome, question.attacker) {
            Value::Draw
        } else if p.side == question.attacker {
            Value::Win(0)
        } else {
            Value::Loss(0)
        }
    };
    let values = values::solve(graph, end, control);
    let values = values.map_err(|_| Missing::Larger)?;
    let kind = match values.of(0) {
        Value::Draw => Kind::Avoid,
        _ => Kind::Force,
    };
    let entries = entries(question, &found, graph, &values, kind);
    Ok(Whole {
        kind,
        plies: values.of(0).distance_plies().unwrap_or(0),
        entries,
    })
}

fn entries<W: Layout>(
    question: &Question<'_, W>,
    found: &Exploration,
    graph: &GameGraph,
    values: &Values,
    kind: Kind,
) -> Vec<Entry> {
    let game = question.game;
    let chooser = match kind {
        Kind::Force => question.attacker,
        Kind::Avoid | Kind::Refute => !question.attacker,
    };
    let mut seen = vec![false; graph.states()];
    let mut open: Vec<StateId> = vec![0];
    let mut entries = Vec::new();
    seen[0] = true;
    while let Some(state) = open.pop() {
        let next = graph.successors(state);
        let p: Position<W> = found.position(state);
        let mut reach = |state: StateId| {
            if !std::mem::replace(&mut seen[state as usize], true) {
                open.push(state);
            }
        };
        if next.is_empty() {
            continue;
        }
        if p.side != chooser {
            next.iter().copied().for_each(reach);
            continue;
        }
        let best = next
            .iter()
            .enumerate()
            .min_by_key(|(at, state)| {
                let worth = values.of(**state);
                let kept = (worth == Value::Draw) == (kind == Kind::Avoid);
                (!kept, worth.distance_plies(), *at)
            })
            .map_or(0, |(at, _)| at);
        let mut list = Vec::new();
        game.turns(&p, &mut list);
        let turn = question.number(&p, &list[best]);
        entries.push(Entry {
            key: found.states.key(state).into(),
            rank: values.of(state).distance_plies().unwrap_or(0),
            turn: turn.expect("a legal turn, one of a few thousand"),
        });
        reach(next[best]);
    }
    entries
}
