//! What may stop a search, and how it tells of its progress.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bounds of a search. Every one that stops it is named in the result.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// The most states, at most 2^32 - 2.
    pub max_states: u64,
    /// The deepest level that is still reached, in turns from the root.
    pub max_depth: u32,
    /// The most bytes of states, table and edges.
    pub memory_bytes: u64,
    /// How many threads may work.
    pub threads: usize,
    /// Whether edges are kept.
    pub edges: bool,
    /// Set from outside to stop the search.
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
    /// Whether somebody has asked to stop.
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

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// States found.
    pub states: u64,
    /// States whose turns have been generated.
    pub expanded: u64,
    /// Turns generated.
    pub edges: u64,
    /// Depth of the states now expanded, in turns.
    pub depth: u32,
}

/// Hears of progress now and then.
pub trait Observer: Sync {
    /// Called between batches, from one thread at a time.
    fn progress(&self, now: Progress);
}

/// Hears nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&self, _: Progress) {}
}
