//! Why the pass over a graph stops early, and what receives its progress.

use crate::value::MAX_DISTANCE_PLIES;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a graph was not solved, or not certified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// The caller requested a stop.
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

/// Receives the progress of solving and certifying.
pub trait Observer: Sync {
    /// The number of states won or lost within a number of plies.
    fn solved(&self, _states: u64, _plies: u16) {}
    /// The number of states that have been compared with their successors.
    fn checked(&self, _states: u64, _of: u64) {}
}

/// Ignores progress.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Observer for Silent {}

/// Returns an error if a stop was requested.
pub(super) fn asked(stop: Option<&AtomicBool>) -> Result<(), Stopped> {
    match stop {
        Some(stop) if stop.load(Ordering::Relaxed) => Err(Stopped::Interrupted),
        _ => Ok(()),
    }
}
