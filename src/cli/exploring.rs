//! What is asked of a search for all states, wherever they lie, and how its progress is shown.

use super::args::Threads;

/// Values of no more states than these are certified unasked.
const CERTIFIED_STATES: u64 = 10_000_000;

/// What is asked for.
pub struct ExploreRequest {
    /// Bytes of memory, for all processes together.
    pub memory_bytes: u64,
    /// As `--threads` says.
    pub threads: Threads,
    /// As `--max-states` says.
    pub max_states: Option<u64>,
    /// As `--max-depth` says.
    pub max_depth: u32,
    /// Whether values are asked for.
    pub solve: bool,
    /// Whether they are to be certified, however many.
    pub certify: bool,
}

impl ExploreRequest {
    /// Returns the most states whose values are certified.
    pub fn certified_states(&self) -> u64 {
        match self.certify {
            true => u64::MAX,
            false => CERTIFIED_STATES,
        }
    }

    /// Returns whether the values of so many states are certified.
    pub fn certifies(&self, states: u64) -> bool {
        states <= self.certified_states()
    }
}
