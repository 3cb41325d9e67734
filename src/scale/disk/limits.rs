//! What bounds a search on disk.

use super::Stopped;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bounds of a search on disk.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// The most bytes that the whole process may hold in memory.
    pub memory_bytes: u64,
    /// The most states; they are then numbered in the order in which the search in memory finds
    /// them, which takes time.
    pub max_states: Option<u64>,
    /// The deepest level that is still reached, in turns from the root.
    pub max_depth: u32,
    /// Set from outside to stop the search.
    pub stop: Option<&'a AtomicBool>,
}

impl Limits<'_> {
    /// Returns an error if a stop was requested.
    pub(super) fn asked(&self) -> Result<(), Stopped> {
        match self.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(Stopped::Interrupted),
            _ => Ok(()),
        }
    }
}
