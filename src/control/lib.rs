//! Control of long computations. [`Control`] has the stop flag, the limits and the observer of a computation;
//! [`Stopped`] is the reason why it ended early. Further modules: threads that share work, reading and
//! writing of files, and figures of the process and the machine.
//!
//! Of this workspace, the crate relies on `diagnostics` alone. It never prints.

pub mod checksum;
pub mod container;
pub mod evaluation;
pub mod files;
pub mod memory;
pub mod parallel;
pub mod process;
mod progress;
mod random;
mod stopped;
pub mod team;
pub mod varint;

pub use progress::{Observer, Progress, counted, in_words};
pub use random::{MAX_RANDOM_GAME_PLIES, Random};
pub use stopped::{Counted, Shortage, Stopped};

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The stop flag, the limits (time, memory, threads) and the observer of a long computation.
///
/// With the default, a computation never stops early, uses one thread and as much memory as it needs, and
/// does not report progress.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    stop: Option<&'a AtomicBool>,
    deadline: Option<Instant>,
    memory_bytes: Option<u64>,
    threads: usize,
    observer: &'a dyn Observer,
}

impl Default for Control<'_> {
    fn default() -> Self {
        Control::new()
    }
}

impl fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("stop", &self.stop)
            .field("deadline", &self.deadline)
            .field("memory_bytes", &self.memory_bytes)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

impl<'a> Control<'a> {
    /// Returns a control that never stops, on one thread, without a memory limit or an observer.
    pub const fn new() -> Control<'a> {
        Control {
            stop: None,
            deadline: None,
            memory_bytes: None,
            threads: 1,
            observer: &(),
        }
    }

    /// Returns the control with a flag. Setting the flag stops the computation.
    pub const fn with_stop(mut self, stop: &'a AtomicBool) -> Control<'a> {
        self.stop = Some(stop);
        self
    }

    /// Returns the control with a time limit that begins now, or without one.
    pub fn with_time(mut self, time: Option<Duration>) -> Control<'a> {
        self.deadline = time.and_then(|time| Instant::now().checked_add(time));
        self
    }

    /// Returns the control with a memory limit in bytes.
    pub const fn with_memory(mut self, bytes: u64) -> Control<'a> {
        self.memory_bytes = Some(bytes);
        self
    }

    /// Returns the control with a number of threads.
    ///
    /// # Panics
    /// If `threads` is 0. For one thread per processor, use [`parallel::processors`].
    pub const fn with_threads(mut self, threads: usize) -> Control<'a> {
        assert!(
            threads > 0,
            "a computation needs a thread: use `parallel::processors()` for one for each processor"
        );
        self.threads = threads;
        self
    }

    /// Returns the control with an observer that receives the progress.
    pub const fn with_observer(mut self, observer: &'a dyn Observer) -> Control<'a> {
        self.observer = observer;
        self
    }

    /// Returns the control for one part of work that is already divided among threads: one thread and no
    /// observer, with the same stop flag, deadline and memory limit.
    pub const fn for_part(&self) -> Control<'a> {
        Control {
            threads: 1,
            observer: &(),
            ..*self
        }
    }

    /// Checks that the computation may continue.
    ///
    /// # Errors
    /// If a stop was requested or the deadline has passed.
    pub fn check(&self) -> Result<(), Stopped> {
        let stopped = match self.deadline {
            _ if self.is_interrupted() => Stopped::Interrupted,
            Some(deadline) if Instant::now() >= deadline => Stopped::Time,
            _ => {
                evaluation::granted();
                return Ok(());
            }
        };
        evaluation::reported();
        Err(stopped)
    }

    /// Returns whether a stop was requested. Unlike [`Control::check`], ignores the time limit.
    pub fn is_interrupted(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Returns the flag that stops the computation, if there is one.
    pub fn stop_flag(&self) -> Option<&'a AtomicBool> {
        self.stop
    }

    /// Returns the time at which to stop, if there is a time limit.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Returns the number of threads, at least 1.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Returns the memory limit in bytes, or [`u64::MAX`] without a limit.
    pub fn memory_bytes(&self) -> u64 {
        self.memory_bytes.unwrap_or(u64::MAX)
    }

    /// Returns the memory limit in bytes, or `default` without a limit. For a computation that uses all the
    /// memory that it is given.
    pub fn memory_bytes_or(&self, default: u64) -> u64 {
        self.memory_bytes.unwrap_or(default)
    }

    /// Returns the observer.
    pub fn observer(&self) -> &'a dyn Observer {
        self.observer
    }

    /// Reports progress to the observer.
    pub fn report(&self, progress: &Progress<'_>) {
        self.observer.progress(progress);
    }

    /// Reports the part of a phase that is done, without further figures.
    pub fn report_done(&self, phase: &str, done: u64, total: u64, unit: &'static str) {
        self.report(&Progress {
            phase,
            done,
            total: Some(total),
            unit,
            detail: format_args!(""),
        });
    }

    /// Sends a message for the user to the observer.
    pub fn note(&self, message: &str) {
        self.observer.note(message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_flag_and_deadline_stop_and_the_flag_is_named_first() {
        let stop = AtomicBool::new(false);
        let control = Control::new().with_stop(&stop);
        assert_eq!(control.check(), Ok(()));
        let over = control.with_time(Some(Duration::ZERO));
        assert_eq!(over.check(), Err(Stopped::Time));
        assert!(!over.is_interrupted());
        stop.store(true, Ordering::Relaxed);
        assert_eq!(over.check(), Err(Stopped::Interrupted));
        assert_eq!(control.check(), Err(Stopped::Interrupted));
    }

    #[test]
    fn time_beyond_the_clock_is_no_limit() {
        let control = Control::new().with_time(Some(Duration::MAX));
        assert_eq!(control.deadline(), None);
    }

    #[test]
    #[should_panic(expected = "needs a thread")]
    fn no_threads_are_refused() {
        let _ = Control::new().with_threads(0);
    }
}
