//! Progress of long computations: what an [`Observer`] receives.

use std::fmt;
use std::time::Duration;

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

/// Returns a duration in words, in its largest unit: `2 minutes`.
pub fn in_words(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds, seconds / 60, seconds / 3600) {
        (_, 0, _) => counted(seconds.max(1), "second", "seconds"),
        (_, minutes, 0) => counted(minutes, "minute", "minutes"),
        (_, _, hours) => counted(hours, "hour", "hours"),
    }
}

/// Returns a number with its noun: `1 class`, `2 classes`.
pub fn counted<N: fmt::Display + PartialEq + From<u8>>(n: N, one: &str, more: &str) -> String {
    let name = if n == N::from(1) { one } else { more };
    format!("{n} {name}")
}

/// An observer that ignores everything.
impl Observer for () {}
