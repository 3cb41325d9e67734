//! How long an answer may take to be written: a search can find millions of turns within its time.

use super::limits::Stop;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long the writing of an answer may go on after the search.
#[derive(Debug)]
pub struct Deadline<'a> {
    until: Option<Instant>,
    stop: &'a AtomicBool,
    /// Whether the search itself was interrupted: what it found is then still shown.
    interrupted: bool,
    over: Cell<bool>,
}

impl Deadline<'_> {
    /// The time in which a search that was stopped still shows what it has found.
    const AT_LEAST: Duration = Duration::from_millis(500);

    /// For an answer that was requested at `asked`, may take `time` altogether, has just been found, and
    /// is no longer wanted once `stop` is set.
    pub fn new(time: Option<Duration>, asked: Instant, stop: &AtomicBool) -> Deadline<'_> {
        let interrupted = stop.load(Ordering::Relaxed);
        let least = Instant::now() + Self::AT_LEAST;
        let until = match (time, interrupted) {
            (_, true) => Some(least),
            (Some(time), false) => asked.checked_add(time).map(|until| until.max(least)),
            (None, false) => None,
        };
        Deadline {
            until,
            stop,
            interrupted,
            over: Cell::new(false),
        }
    }

    /// For an answer that is wanted whole.
    pub fn endless() -> Deadline<'static> {
        static NOBODY: AtomicBool = AtomicBool::new(false);
        Deadline::new(None, Instant::now(), &NOBODY)
    }

    /// Returns whether no more is to be written: looks, and remembers it.
    pub fn is_over(&self) -> bool {
        let pressed = !self.interrupted && self.stop.load(Ordering::Relaxed);
        let over = pressed || self.until.is_some_and(|until| Instant::now() >= until);
        self.over.set(self.over.get() || over);
        self.over.get()
    }

    /// Returns whether it had passed at the last check, so that something was left out.
    pub fn was_over(&self) -> bool {
        self.over.get()
    }

    /// Why it was over, if it was.
    pub fn ended(&self) -> Option<Stop> {
        self.was_over()
            .then(|| match self.stop.load(Ordering::Relaxed) {
                true => Stop::Interrupted,
                false => Stop::Time,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_ends_with_the_time_or_when_nobody_wants_more() {
        let stop = AtomicBool::new(false);
        let now = Instant::now();
        let deadline = Deadline::new(None, now, &stop);
        assert!(!deadline.is_over() && !deadline.was_over());
        stop.store(true, Ordering::Relaxed);
        assert!(!deadline.was_over() && deadline.is_over() && deadline.was_over());
        assert_eq!(deadline.ended(), Some(Stop::Interrupted));
        // What an interrupted search has found is shown for a moment.
        assert!(!Deadline::new(None, now, &stop).is_over());
        assert!(!Deadline::endless().is_over());
        let past = now.checked_sub(Duration::from_secs(9)).unwrap_or(now);
        stop.store(false, Ordering::Relaxed);
        let late = Deadline::new(Some(Duration::from_secs(1)), past, &stop);
        assert!(!late.is_over(), "the least time is given");
        std::thread::sleep(Deadline::AT_LEAST);
        assert!(late.is_over());
        assert_eq!(late.ended(), Some(Stop::Time));
    }
}
