//! Progress of long computations: what an [`Observer`] receives.

use std::fmt;

/// How far a computation is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'p> {
    /// What is being done: `exploring`, `certifying`.
    pub phase: &'p str,
    /// How much of this phase is done.
    pub done: u64,
    /// How much there is to do in this phase, if it is known.
    pub total: Option<u64>,
    /// What `done` counts, in the plural: `states`.
    pub unit: &'static str,
    /// Further figures in words, possibly empty. They are formatted only if the observer prints them.
    pub detail: fmt::Arguments<'p>,
}

/// Receives the progress of a computation. Any thread may call it, at most a few hundred times a second.
///
/// An observer never changes a result.
pub trait Observer: Sync {
    /// Receives how far the computation is.
    fn progress(&self, _progress: &Progress<'_>) {}

    /// Receives a message for the user: a plan before long work, or an event that does not end it.
    fn note(&self, _message: &str) {}
}

/// An observer that ignores everything.
impl Observer for () {}
