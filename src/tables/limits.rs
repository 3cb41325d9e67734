//! When a build or a check stops, and what receives its progress.

use super::Plan;
use diagnostics::InputError;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a build may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Bytes in all.
    pub memory_bytes: u64,
    /// Threads.
    pub threads: usize,
    /// Set from outside to stop.
    pub stop: Option<&'a AtomicBool>,
}

impl Limits<'_> {
    /// Returns whether the caller has requested a stop.
    pub fn stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// Why a build or a check did not come to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// [`Limits::stop`]. What was finished before is kept.
    Interrupted,
    /// A group of classes needs more memory than allowed; nothing of it was begun.
    Memory {
        /// Its first class.
        name: String,
        /// How many indices it has.
        indices: u64,
        /// Bytes needed, about.
        needed_bytes: u64,
        /// Bytes allowed.
        allowed_bytes: u64,
    },
    /// Wrong input, or a file that cannot be read or written.
    Wrong(InputError),
}

impl From<InputError> for Stopped {
    fn from(error: InputError) -> Stopped {
        Stopped::Wrong(error)
    }
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stopped::Interrupted => f.write_str("interrupted"),
            Stopped::Memory {
                name,
                indices,
                needed_bytes,
                allowed_bytes,
            } => write!(
                f,
                "memory: `{name}` with {indices} indices needs about {}M, {}M are allowed",
                needed_bytes.div_ceil(1 << 20),
                allowed_bytes >> 20
            ),
            Stopped::Wrong(error) => error.fmt(f),
        }
    }
}

/// Receives the progress of a build or a check.
pub trait Observer: Sync {
    /// A group of classes begins (or has been found on disk): its first class's name, how many
    /// indices it has, and how many groups of how many known ones are done.
    fn group(&self, _name: &str, _indices: u64, _done: usize, _known: usize) {}
    /// The numbers of classes and of indices known by now; more may follow from them.
    fn planned(&self, _classes: usize, _indices: u64) {}
    /// Before the first group, where classes may be solved on disk: what each group will need, in the
    /// order in which they are solved, as far as it is known.
    fn forecast(&self, _groups: &[Plan]) {}
    /// The number of solved indices among those of all classes known so far.
    fn work(&self, _done: u64, _of: u64) {}
    /// The number of examined indices of this group.
    fn progress(&self, _done: u64, _of: u64) {}
    /// Values up to this distance are known.
    fn level(&self, _plies: u16) {}
}

/// Reports nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Observer for Silent {}
