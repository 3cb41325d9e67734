//! A request for an exploration on disk or on several processes, as options state it.

use super::args::Threads;
use std::time::Duration;

/// The maximum number of states whose values are certified without an explicit request.
const CERTIFIED_STATES: u64 = 10_000_000;

/// A request to explore a graph and optionally to solve it.
pub struct ExploreRequest {
    /// The memory limit in bytes, for all processes together.
    pub memory_bytes: u64,
    /// The value of `--threads`.
    pub threads: Threads,
    /// The value of `--max-states`.
    pub max_states: Option<u64>,
    /// The value of `--max-depth`, in plies.
    pub max_depth: u32,
    /// Whether the graph is solved.
    pub solve: bool,
    /// Whether values are certified for any number of states.
    pub certify: bool,
    /// The value of `--time`.
    pub time: Option<Duration>,
}

impl ExploreRequest {
    /// Returns the maximum number of states whose values are certified.
    pub fn certified_states(&self) -> u64 {
        match self.certify {
            true => u64::MAX,
            false => CERTIFIED_STATES,
        }
    }

    /// Returns whether the values of this number of states are certified.
    pub fn certifies(&self, states: u64) -> bool {
        states <= self.certified_states()
    }
}
