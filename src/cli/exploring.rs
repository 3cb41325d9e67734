//! What is asked of a search for all states, wherever they lie, and how its progress is shown.

use super::args::Threads;
use explore::{Observer, Progress};
use indicatif::{ProgressBar, ProgressStyle};

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

/// Shows how far a search is, where somebody looks.
pub struct Bar(ProgressBar);

impl Bar {
    /// Returns a line with a spinner.
    pub fn new() -> Bar {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} states, {per_sec}, {msg}")
        {
            bar.set_style(style);
        }
        Bar(bar)
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.0.finish_and_clear();
    }
}

impl Observer for Bar {
    fn progress(&self, now: Progress) {
        self.0.set_position(now.states);
        self.0.set_message(format!(
            "depth {}, {} left, {} edges",
            now.depth,
            now.states - now.expanded,
            now.edges
        ));
    }
}

impl values::Observer for Bar {
    fn solved(&self, states: u64, plies: u16) {
        self.0.set_position(states);
        self.0.set_message(format!("solved within {plies} plies"));
    }

    fn checked(&self, states: u64, of: u64) {
        self.0.set_position(states);
        self.0.set_message(format!("of {of} certified"));
    }
}
