//! A deadline for writing a solution. A search can find millions of turns, so writing them needs a limit of
//! its own.

use control::{Control, Stopped};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// The time at which the writing of a solution must end.
#[derive(Debug)]
pub struct Deadline<'a> {
    until: Option<Instant>,
    control: Control<'a>,
    /// Whether the search was interrupted. What it has found is still written then, so a later interrupt
    /// cannot be detected.
    interrupted: bool,
    over: Cell<bool>,
}

impl Deadline<'_> {
    /// The minimum time for writing what a stopped search has found.
    const MIN: Duration = Duration::from_millis(500);

    /// Returns the deadline for a solution that has just been found under `control`, whose time limit covers
    /// the search and the writing together.
    pub fn new<'a>(control: &Control<'a>) -> Deadline<'a> {
        let interrupted = control.is_interrupted();
        let min_until = Instant::now() + Self::MIN;
        let until = match interrupted {
            true => Some(min_until),
            false => control.deadline().map(|until| until.max(min_until)),
        };
        Deadline {
            until,
            control: *control,
            interrupted,
            over: Cell::new(false),
        }
    }

    /// Returns a deadline that never expires.
    pub fn endless() -> Deadline<'static> {
        Deadline::new(&Control::new())
    }

    /// Returns whether writing must end. Once expired, a deadline stays expired.
    pub fn is_over(&self) -> bool {
        let interrupted_now = !self.interrupted && self.control.is_interrupted();
        let over = interrupted_now || self.until.is_some_and(|until| Instant::now() >= until);
        self.over.set(self.over.get() || over);
        self.over.get()
    }

    /// Returns whether a call of [`is_over`](Self::is_over) has found the deadline expired, so that something
    /// was left out.
    pub fn was_over(&self) -> bool {
        self.over.get()
    }

    /// Returns the reason why the deadline expired, if it did.
    pub fn ended(&self) -> Option<Stopped> {
        self.was_over()
            .then(|| match self.control.is_interrupted() {
                true => Stopped::Interrupted,
                false => Stopped::Time,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn deadline_expires_on_timeout_or_stop() {
        let stop = AtomicBool::new(false);
        let control = Control::new().with_stop(&stop);
        let deadline = Deadline::new(&control);
        assert!(!deadline.is_over() && !deadline.was_over());
        stop.store(true, Ordering::Relaxed);
        assert!(!deadline.was_over() && deadline.is_over() && deadline.was_over());
        assert_eq!(deadline.ended(), Some(Stopped::Interrupted));
        // The result of an interrupted search still has the minimum time.
        assert!(!Deadline::new(&control).is_over());
        assert!(!Deadline::endless().is_over());
        stop.store(false, Ordering::Relaxed);
        let late = Deadline::new(&control.with_time(Some(Duration::ZERO)));
        assert!(!late.is_over(), "the minimum time is granted");
        std::thread::sleep(Deadline::MIN);
        assert!(late.is_over());
        assert_eq!(late.ended(), Some(Stopped::Time));
    }
}
