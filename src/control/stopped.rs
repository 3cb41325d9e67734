//! The reasons why a long computation stopped before its end. All computations of the workspace use this
//! type, so that results and errors of different computations name limits in one way.

use std::fmt;

/// The reason why a computation stopped before its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Stopped {
    /// A stop was requested from outside.
    #[error("interrupted")]
    Interrupted,
    /// The time limit was reached.
    #[error("the time is over")]
    Time,
    /// The memory limit was reached.
    #[error("the memory limit was reached")]
    Memory,
    /// The system does not start a thread.
    #[error("no thread can be started (ulimit -v, ulimit -u)")]
    Threads,
    /// A limit on a number was reached.
    #[error("the limit on {0} was reached")]
    Count(Counted),
    /// A value that was taken as known cannot be read, or contradicts the rules.
    #[error("a value that was taken as known contradicts the rules")]
    Contradiction,
}

/// The quantity that a limit counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Counted {
    /// States of a graph.
    States,
    /// Turns between the root and a state.
    Depth,
    /// Positions that a search examines.
    Positions,
    /// Solutions of a problem.
    Solutions,
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Counted::States => "states",
            Counted::Depth => "depth",
            Counted::Positions => "positions",
            Counted::Solutions => "solutions",
        })
    }
}

impl Stopped {
    /// Returns the name of the limit in tables: `interrupted`, or the option of the command line that sets
    /// the limit.
    pub fn limit(&self) -> &'static str {
        match self {
            Stopped::Interrupted => "interrupted",
            Stopped::Time => "time",
            Stopped::Memory => "memory",
            Stopped::Threads => "threads",
            Stopped::Contradiction => "contradiction",
            Stopped::Count(Counted::States) => "max-states",
            Stopped::Count(Counted::Depth) => "max-depth",
            Stopped::Count(Counted::Positions) => "positions",
            Stopped::Count(Counted::Solutions) => "solutions",
        }
    }
}

/// The error of a computation that needs more memory than it may use. The computation was not started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shortage {
    /// The approximate number of bytes needed.
    pub needed_bytes: u64,
    /// The number of bytes allowed.
    pub allowed_bytes: u64,
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "needs about {}M, {}M are allowed",
            self.needed_bytes.div_ceil(1 << 20),
            self.allowed_bytes >> 20
        )
    }
}
