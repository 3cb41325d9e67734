//! The request for an exploration in memory, on disk or on several processes.

use super::args::Threads;
use std::time::Duration;

/// The most states whose values are certified without a request.
const CERTIFIED_STATES: u64 = 10_000_000;

/// A request to explore and perhaps to solve.
pub struct ExploreRequest {
    /// Bytes of memory, for all processes together.
    pub memory_bytes: u64,
    /// As `--threads` says.
    pub threads: Threads,
    /// As `--max-states` says.
    pub max_states: Option<u64>,
    /// As `--max-depth` says.
    pub max_depth: u32,
    /// Whether states are valued.
    pub solve: bool,
    /// Whether values are certified for any number of states.
    pub certify: bool,
    /// As `--time` says.
    pub time: Option<Duration>,
}

impl ExploreRequest {
    /// Returns the most states whose values are certified.
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
