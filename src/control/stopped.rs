//! Why a long computation stopped before its end. Every computation of the workspace uses this one type, so
//! that a result or an error that names a limit can be compared with any other.

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
    /// The system lets no thread start.
    #[error("no thread can be started (ulimit -v, ulimit -u)")]
    Threads,
    /// A limit on a number was reached.
    #[error("the limit on {0} was reached")]
    Count(Counted),
}

/// What a limit on a number counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Counted {
    /// States of a graph.
    States,
    /// Turns between the root and a state.
    Depth,
    /// Positions that a search makes.
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
            Stopped::Count(Counted::States) => "max-states",
            Stopped::Count(Counted::Depth) => "max-depth",
            Stopped::Count(Counted::Positions) => "positions",
            Stopped::Count(Counted::Solutions) => "solutions",
        }
    }
}

/// A computation that needs more memory than it may use. Nothing of it was begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shortage {
    /// Bytes needed, about.
    pub needed_bytes: u64,
    /// Bytes allowed.
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
