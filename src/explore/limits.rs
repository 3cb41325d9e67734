//! The limits that may stop a search, and the observer of its progress.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// The bounds of a search. The result names the one that stopped it.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// The most states, at most 2^32 - 2.
    pub max_states: u64,
    /// The deepest level that is reached, in turns from the root.
    pub max_depth: u32,
    /// The most bytes that states, table and edges may take.
    pub memory_bytes: u64,
    /// The number of threads.
    pub threads: usize,
    /// Whether edges are kept.
    pub edges: bool,
    /// A flag that stops the search when it is set from outside.
    pub stop: Option<&'a AtomicBool>,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Limits {
            max_states: u64::from(u32::MAX),
            max_depth: u32::MAX,
            memory_bytes: u64::MAX,
            threads: 1,
            edges: true,
            stop: None,
        }
    }
}

impl Limits<'_> {
    /// Returns whether the caller has requested a stop.
    pub fn stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// The limit that stopped a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// [`Limits::max_states`].
    States,
    /// [`Limits::max_depth`].
    Depth,
    /// [`Limits::memory_bytes`].
    Memory,
    /// [`Limits::stop`].
    Interrupt,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::States => "max-states",
            Limit::Depth => "max-depth",
            Limit::Memory => "memory",
            Limit::Interrupt => "interrupted",
        })
    }
}

/// How far a search has got.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// States found.
    pub states: u64,
    /// States whose turns have been generated.
    pub expanded: u64,
    /// Turns generated.
    pub edges: u64,
    /// The depth of the states that are being expanded, in turns.
    pub depth: u32,
}

/// Receives the progress of a search from time to time.
pub trait Observer: Sync {
    /// Called between batches, from one thread at a time.
    fn progress(&self, now: Progress);
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&self, _: Progress) {}
}
