//! How long an answer may take to be written: a search can find millions of lines within its time.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long the writing of an answer may go on after the search.
pub(super) struct Patience {
    until: Option<Instant>,
    stop: &'static AtomicBool,
    /// Whether the search itself was interrupted: what it found is then still shown.
    interrupted: bool,
    /// Whether it has ended.
    pub over: Cell<bool>,
}

impl Patience {
    /// The time in which a search that was stopped still shows what it has found.
    const AT_LEAST: Duration = Duration::from_millis(500);

    /// For an answer that was asked for at `asked`, may take `time` altogether, and has just been found.
    pub fn new(time: Option<Duration>, asked: Instant, stop: &'static AtomicBool) -> Patience {
        let interrupted = stop.load(Ordering::Relaxed);
        let least = Instant::now() + Self::AT_LEAST;
        let until = match (time, interrupted) {
            (_, true) => Some(least),
            (Some(time), false) => asked.checked_add(time).map(|until| until.max(least)),
            (None, false) => None,
        };
        Patience {
            until,
            stop,
            interrupted,
            over: Cell::new(false),
        }
    }

    /// Whether no more is to be written.
    pub fn is_over(&self) -> bool {
        let pressed = !self.interrupted && self.stop.load(Ordering::Relaxed);
        let over = pressed || self.until.is_some_and(|until| Instant::now() >= until);
        self.over.set(self.over.get() || over);
        self.over.get()
    }
}
