//! The values of all states of a graph, by [retrograde analysis](crate::retro).

#[cfg(doc)]
use crate::MAX_DISTANCE_PLIES;
use crate::retro::{Nodes, Predecessors};
use crate::value::Packed;
use crate::{Unsolved, Value};
use control::{Control, Progress, Shortage, parallel};
use explore::{Exploration, GameGraph, ReverseEdges, StateId};
use per_layout::per_layout;
use position::Layout;
use rayon::prelude::*;
use rules::Game;
use std::sync::atomic::{AtomicU16, AtomicU32};

/// The values of all states of a graph, two bytes each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    packed: Vec<Packed>,
}

impl Values {
    /// Returns the number of states. Every state has a value.
    pub fn len(&self) -> usize {
        self.packed.len()
    }

    /// Returns whether the graph has no states.
    pub fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// Returns the value of a state for the side to move there.
    ///
    /// # Panics
    /// If `state` is not less than the number of states.
    pub fn of(&self, state: StateId) -> Value {
        self.packed[state as usize].final_value()
    }

    /// Returns all values, in the order of state numbers.
    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        (0..self.len()).map(|state| self.of(state as StateId))
    }
}

/// Collects values in the order of state numbers, the root's first.
impl FromIterator<Value> for Values {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Values {
        Values {
            packed: values.into_iter().map(Packed::of).collect(),
        }
    }
}

/// Returns the bytes that [`solve`] needs in addition to the graph: backward edges, counters, values, and the
/// states of two distances.
pub fn bytes_needed(graph: &GameGraph) -> u64 {
    graph.edges() * 4 + graph.states() as u64 * (16 + 4 + 2 + 8)
}

/// Returns the values of all states. `end` gives the value, for the side to move, of a state without
/// successors: a finished game, or a state whose value and distance are already known.
///
/// # Errors
/// If `control` stops the computation, or a distance exceeds [`MAX_DISTANCE_PLIES`].
#[inline]
pub fn solve(
    graph: &GameGraph,
    end: impl Fn(StateId) -> Value + Sync,
    control: &Control<'_>,
) -> Result<Values, Unsolved> {
    solve_by(graph, &end, control)
}

fn solve_by(
    graph: &GameGraph,
    end: &(dyn Fn(StateId) -> Value + Sync),
    control: &Control<'_>,
) -> Result<Values, Unsolved> {
    parallel::in_pool(control.threads(), || {
        let states = 0..graph.states() as StateId;
        let turns = |state: StateId| graph.successors(state).len() as u32;
        let values: Vec<AtomicU16> = states
            .clone()
            .into_par_iter()
            .map(|state| match turns(state) {
                0 => Packed::of(end(state)).0.into(),
                _ => Packed::OPEN.0.into(),
            })
            .collect();
        let turns_left: Vec<AtomicU32> = states
            .into_par_iter()
            .map(|state| turns(state).into())
            .collect();
        let nodes = Nodes {
            values: &values,
            turns_left: &turns_left,
            predecessors: &Backward(graph.reverse_edges()),
        };
        nodes.settle(control, &|plies, settled| {
            control.report(&Progress {
                phase: "solving",
                done: settled,
                total: None,
                unit: "states",
                detail: format_args!("within {plies} plies"),
            });
        })?;
        let packed = values.into_iter().map(|value| Packed(value.into_inner()));
        Ok(Values {
            packed: packed.collect(),
        })
    })
}

/// The turns of a graph, backward. No turn leads out of the graph.
struct Backward<'a>(&'a ReverseEdges);

impl Predecessors for Backward<'_> {
    #[inline]
    fn of_node(&self, node: u32) -> &[u32] {
        self.0.origins(node as usize)
    }
}

/// Returns the values of all states that an exploration found.
///
/// # Errors
/// As for [`solve`]. Also if the exploration is incomplete or kept no edges, or if the graph, its states and
/// values need more memory than `control` allows.
#[per_layout]
pub fn solve_game<W: Layout>(
    game: &dyn Game<W>,
    found: &Exploration,
    control: &Control<'_>,
) -> Result<Values, Unsolved> {
    let Some(graph) = found.graph.as_ref().filter(|_| found.summary.complete()) else {
        return Err(Unsolved::Incomplete);
    };
    let needed_bytes = found.states.bytes() + graph.bytes() + bytes_needed(graph);
    let allowed_bytes = control.memory_bytes();
    if needed_bytes > allowed_bytes {
        return Err(Unsolved::Memory(Shortage {
            needed_bytes,
            allowed_bytes,
        }));
    }
    let end = |state| {
        let p = found.position::<W>(state);
        Value::of_outcome(game.outcome_without_turn(&p), p.side)
    };
    solve(graph, end, control)
}
