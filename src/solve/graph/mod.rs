//! Solved games: the value of every state of a completely explored graph.
//!
//! * [`solve`]: the backward pass over any graph, given the values of its ends.
//! * [`solve_game`]: the same for the graph of a game, whose ends the rules value.
//! * [`certify`] and [`certify_game`]: re-check every state, with none of the solver's code.
//! * [`census`]: what the values come to; [`best_line`]: best play from a state.
//!
//! Values are those of the endgame tables ([`Value`]): what the side to move gets, and the plies to
//! the end of the game, which the winner hastens and the loser delays. A draw has no distance,
//! whether the game ends drawn or goes on for ever: neither player has a reason to hurry. Each
//! edge hands the move over, so that what is won for the one is lost for the other.

mod census;
pub(crate) mod certify;
pub(crate) mod line;
pub(crate) mod values;

pub use census::{Census, census};
pub use certify::{Certificate, Fault, certify, certify_game};
pub use line::{BestLine, LineEnd, best_line};
pub use values::{Values, bytes_needed, solve, solve_game};

use super::value::{MAX_DISTANCE_PLIES, Value};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a graph was not solved, or not certified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// Somebody asked to stop.
    Interrupted,
    /// The search that made the graph was stopped: states without turns may be no ends.
    Incomplete,
    /// A distance outgrows [`MAX_DISTANCE_PLIES`].
    Distance,
    /// There is not enough memory.
    Memory {
        /// Bytes needed for the graph, its states and values.
        needed_bytes: u64,
        /// Bytes allowed.
        allowed_bytes: u64,
    },
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Interrupted => f.write_str("interrupted"),
            Stopped::Incomplete => f.write_str("the graph is not complete"),
            Stopped::Distance => write!(f, "a distance outgrows {MAX_DISTANCE_PLIES} plies"),
            Stopped::Memory {
                needed_bytes,
                allowed_bytes,
            } => write!(
                f,
                "memory: solving needs about {}M, {}M are allowed",
                needed_bytes.div_ceil(1 << 20),
                allowed_bytes >> 20
            ),
        }
    }
}

/// Hears how solving and certifying get on.
pub trait Observer: Sync {
    /// So many states are won or lost within so many plies.
    fn solved(&self, _states: u64, _plies: u16) {}
    /// So many of the states have been compared with their successors.
    fn checked(&self, _states: u64, _of: u64) {}
}

/// Hears nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Observer for Silent {}

fn asked(stop: Option<&AtomicBool>) -> Result<(), Stopped> {
    match stop {
        Some(stop) if stop.load(Ordering::Relaxed) => Err(Stopped::Interrupted),
        _ => Ok(()),
    }
}
