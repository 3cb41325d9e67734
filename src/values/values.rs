//! The backward pass over a whole graph.
//!
//! Distance by distance: a state with a turn to a loss of the opponent is a win; one all of whose
//! turns lead to wins of the opponent is a loss. Wins and losses first, then weak ones among what
//! is left; the rest are draws. Retrograde analysis with counters of turns (T. Ströhlein 1970,
//! K. Thompson 1986): every edge is examined once at most, and nothing recurses.

use crate::value::{MAX_DISTANCE_PLIES, Packed};
use crate::{Unsolved, Value};
use control::{Control, Progress, Shortage};
use explore::{Exploration, GameGraph, StateId};
use per_layout::per_layout;
use position::Layout;
use rules::Game;

/// The values of all states of a graph, two bytes each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    packed: Vec<Packed>,
}

impl Values {
    /// Returns how many states have a value: all.
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
    /// If there is no such state.
    pub fn of(&self, state: StateId) -> Value {
        self.packed[state as usize].value().unwrap_or(Value::Draw)
    }

    /// Returns all values, by the number of the state.
    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        (0..self.len()).map(|state| self.of(state as StateId))
    }
}

/// Values given one by one, the root's first.
impl FromIterator<Value> for Values {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Values {
        Values {
            packed: values.into_iter().map(Packed::of).collect(),
        }
    }
}

/// Bytes that [`solve`] takes beside the graph itself: edges backward, counters, values and the
/// states of two distances.
pub fn bytes_needed(graph: &GameGraph) -> u64 {
    graph.edges() * 4 + graph.states() as u64 * (16 + 4 + 2 + 8)
}

/// Returns the values of all states. `end` gives the value of a state without successors for the side to move
/// there: an ended game, or a state known from elsewhere, with its distance.
///
/// # Errors
/// If `control` stops it, or a distance exceeds [`MAX_DISTANCE_PLIES`].
#[inline]
pub fn solve(
    graph: &GameGraph,
    end: impl Fn(StateId) -> Value,
    control: &Control<'_>,
) -> Result<Values, Unsolved> {
    solve_by(graph, &end, control)
}

fn solve_by(
    graph: &GameGraph,
    end: &dyn Fn(StateId) -> Value,
    control: &Control<'_>,
) -> Result<Values, Unsolved> {
    let states = 0..graph.states() as StateId;
    // How many turns of a state are not known to lead to a win of the opponent.
    let mut left: Vec<u32> = states
        .clone()
        .map(|state| graph.successors(state).len() as u32)
        .collect();
    let mut packed: Vec<Packed> = states
        .clone()
        .map(|state| match left[state as usize] {
            0 => Packed::of(end(state)),
            _ => Packed::OPEN,
        })
        .collect();
    let mut solved = 0u64;
    for (lost, won) in [
        (Packed::LOSS, Packed::WIN),
        (Packed::WEAK_LOSS, Packed::WEAK_WIN),
    ] {
        let mut ends: Vec<StateId> = states
            .clone()
            .filter(|&state| {
                let class = packed[state as usize].class();
                graph.successors(state).is_empty() && (class == lost || class == won)
            })
            .collect();
        ends.sort_by_key(|&state| packed[state as usize].plies());
        let mut ends = ends.into_iter().peekable();
        let (mut now, mut next): (Vec<StateId>, Vec<StateId>) = (Vec::new(), Vec::new());
        let mut plies = 0;
        loop {
            if now.is_empty() {
                let Some(&state) = ends.peek() else { break };
                plies = packed[state as usize].plies();
            }
            while let Some(state) = ends.next_if(|&s| packed[s as usize].plies() == plies) {
                now.push(state);
            }
            control.check()?;
            solved += now.len() as u64;
            control.report(&Progress {
                phase: "solving",
                done: solved,
                total: None,
                unit: "states",
                detail: format_args!("within {plies} plies"),
            });
            for &state in &now {
                let loses = packed[state as usize].class() == lost;
                for &before in graph.predecessors(state) {
                    let at = before as usize;
                    if packed[at] != Packed::OPEN {
                        continue;
                    }
                    let class = if loses {
                        won
                    } else {
                        left[at] -= 1;
                        if left[at] > 0 {
                            continue;
                        }
                        lost
                    };
                    if plies == MAX_DISTANCE_PLIES {
                        return Err(Unsolved::Distance);
                    }
                    packed[at] = Packed::new(class, plies + 1);
                    next.push(before);
                }
            }
            now.clear();
            std::mem::swap(&mut now, &mut next);
            plies += 1;
        }
    }
    for value in &mut packed {
        if *value == Packed::OPEN {
            *value = Packed::of(Value::Draw);
        }
    }
    Ok(Values { packed })
}

/// Returns the values of all states that an exploration found.
///
/// # Errors
/// As [`solve`]; also if the exploration is not complete or kept no edges, or if graph, states
/// and values would take more memory than `control` allows.
#[per_layout]
pub fn solve_game<W: Layout>(
    game: &dyn Game<W>,
    found: &Exploration,
    control: &Control<'_>,
) -> Result<Values, Unsolved> {
    let Some(graph) = found.graph.as_ref().filter(|_| found.complete()) else {
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
