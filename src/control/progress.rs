//! Progress reports of long computations, and the [`Observer`] that receives them.

use std::fmt;
use std::time::Duration;

/// A progress report.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'p> {
    /// The name of the phase, such as `exploring` or `certifying`.
    pub phase: &'p str,
    /// The units of work that are done in this phase.
    pub done: u64,
    /// The units of work in this phase, if their number is known.
    pub total: Option<u64>,
    /// The unit of `done` and `total`, in the plural, such as `states`.
    pub unit: &'static str,
    /// Further figures in words, possibly empty. They are formatted only if the observer prints them.
    pub detail: fmt::Arguments<'p>,
}

/// A receiver of progress reports. Any thread may call its methods, at most a few hundred times a second.
///
/// An observer never changes a result.
pub trait Observer: Sync {
    /// Receives a progress report.
    fn progress(&self, _progress: &Progress<'_>) {}

    /// Receives a message for the user: a plan before long work, or an event that does not end it.
    fn note(&self, _message: &str) {}
}

/// Returns a duration in words, in its largest unit, such as `2 minutes`.
pub fn in_words(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds, seconds / 60, seconds / 3600) {
        (_, 0, _) => counted(seconds.max(1), "second", "seconds"),
        (_, minutes, 0) => counted(minutes, "minute", "minutes"),
        (_, _, hours) => counted(hours, "hour", "hours"),
    }
}

/// Returns a number with its noun, such as `1 class` or `2 classes`.
pub fn counted<N: fmt::Display + PartialEq + From<u8>>(n: N, one: &str, more: &str) -> String {
    let name = if n == N::from(1) { one } else { more };
    format!("{n} {name}")
}

/// An observer that ignores everything.
impl Observer for () {}
