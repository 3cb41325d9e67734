//! A deadline for writing a solution. A search can find millions of turns, so writing them needs a limit of its
//! own.

use control::{Control, Stopped};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// How long a solution may be written after the search.
#[derive(Debug)]
pub struct Deadline<'a> {
    until: Option<Instant>,
    control: Control<'a>,
    /// Whether the search itself was interrupted. Its solution is then still written.
    interrupted: bool,
    over: Cell<bool>,
}

impl Deadline<'_> {
    /// The time in which a search that was stopped still writes what it has found.
    const MIN: Duration = Duration::from_millis(500);

    /// Returns the deadline for a solution that has just been found under `control`. Its time limit holds for
    /// search and writing together.
    pub fn new<'a>(control: &Control<'a>) -> Deadline<'a> {
        let interrupted = control.is_interrupted();
        let least = Instant::now() + Self::MIN;
        let until = match interrupted {
            true => Some(least),
            false => control.deadline().map(|until| until.max(least)),
        };
        Deadline {
            until,
            control: *control,
            interrupted,
            over: Cell::new(false),
        }
    }

    /// Returns a deadline that is never over.
    pub fn endless() -> Deadline<'static> {
        Deadline::new(&Control::new())
    }

    /// Returns whether no more is to be written, and remembers it.
    pub fn is_over(&self) -> bool {
        let pressed = !self.interrupted && self.control.is_interrupted();
        let over = pressed || self.until.is_some_and(|until| Instant::now() >= until);
        self.over.set(self.over.get() || over);
        self.over.get()
    }

    /// Returns whether the deadline was over at the last call of [`is_over`](Self::is_over), so that
    /// something was left out.
    pub fn was_over(&self) -> bool {
        self.over.get()
    }

    /// Returns why the deadline was over, if it was.
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
        // What an interrupted search has found is written for a moment.
        assert!(!Deadline::new(&control).is_over());
        assert!(!Deadline::endless().is_over());
        stop.store(false, Ordering::Relaxed);
        let late = Deadline::new(&control.with_time(Some(Duration::ZERO)));
        assert!(!late.is_over(), "the least time is given");
        std::thread::sleep(Deadline::MIN);
        assert!(late.is_over());
        assert_eq!(late.ended(), Some(Stopped::Time));
    }
}
