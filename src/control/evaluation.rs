//! Stopping work that has no result which could say that it was stopped: the evaluation of expressions inside rules,
//! the analysis of a graph, and calls of the system that wait.
//!
//! The methods of a rule set return turns and outcomes, never an error, so the evaluation of a clause has no result
//! that could say that it was stopped. A front end therefore arms its threads with a function that returns whether
//! the computation must stop. An evaluation that takes long calls this function, and unwinds with [`Interrupted`] if
//! it returns true. Searches that call [`Control::check`](crate::Control::check) in time are never unwound.

use std::cell::{Cell, RefCell};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// A function that returns whether the computation must stop. Called at intervals, on any thread.
pub type Due = Arc<dyn Fn() -> bool + Send + Sync>;

/// The error of an evaluation that was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

/// The ticks between two readings of the clock.
const TICKS_PER_READING: u32 = 64;
/// How long evaluations run after a check of the control, or after the first tick, before they are stopped.
const PATIENCE: Duration = Duration::from_millis(100);

thread_local! {
    static DUE: RefCell<Option<Due>> = const { RefCell::new(None) };
    static TICKS: Cell<u32> = const { Cell::new(0) };
    static SINCE: Cell<Option<Instant>> = const { Cell::new(None) };
    /// Whether a check has already reported the stop to this thread, which then completes its answer.
    static IS_REPORTED: Cell<bool> = const { Cell::new(false) };
}

impl Interrupted {
    /// Unwinds to the caller that armed the thread, without a message.
    pub fn unwind<T>(self) -> T {
        resume_unwind(Box::new(self))
    }
}

/// Arms this thread for its remaining life, or disarms it.
pub fn arm(due: Option<Due>) {
    DUE.set(due);
    restart();
}

/// Calls `work` on this thread armed with `due`.
pub fn armed<T>(due: Due, work: impl FnOnce() -> T) -> T {
    /// Restores the function of the caller, also after a panic.
    struct Restore(Option<Due>);
    impl Drop for Restore {
        fn drop(&mut self) {
            arm(self.0.take());
        }
    }
    let _restore = Restore(armed_with());
    arm(Some(due));
    work()
}

/// Calls `work`.
///
/// # Errors
/// If an evaluation was stopped. Other panics unwind further.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Interrupted> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match panic.is::<Interrupted>() {
        true => Interrupted,
        false => resume_unwind(panic),
    })
}

/// Returns the function with which this thread is armed.
pub fn armed_with() -> Option<Due> {
    DUE.with_borrow(Option::clone)
}

/// Returns `work` for another thread, armed like this one.
pub fn inherited<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let due = armed_with();
    move || {
        arm(due);
        work()
    }
}

/// Begins a new computation on this thread: evaluations have time again.
pub fn restart() {
    IS_REPORTED.set(false);
    granted();
}

/// Gives evaluations time again, since the computation is known to continue.
pub(crate) fn granted() {
    TICKS.set(0);
    SINCE.set(None);
}

/// Notes that this thread knows of a stop. If the stop is that of its computation, evaluations are not stopped any
/// more, so that what has been found can be printed.
pub(crate) fn reported() {
    IS_REPORTED.set(is_due());
}

/// Counts `ticks` of work that takes about as long as they, and unwinds if it must stop.
pub fn check(ticks: u32) {
    if must_stop(ticks) {
        Interrupted.unwind()
    }
}

/// Calls `wait`, which may wait for another process, and unwinds if this thread must stop meanwhile. `wait` then
/// remains on a thread of its own.
///
/// # Errors
/// The error of `wait`, or that no thread can be started.
pub fn waiting<T: Send + 'static>(
    wait: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    const INTERVAL: Duration = Duration::from_millis(20);
    if armed_with().is_none() {
        return wait();
    }
    let (send, receive) = mpsc::channel();
    std::thread::Builder::new().spawn(move || send.send(wait()))?;
    loop {
        match receive.recv_timeout(INTERVAL) {
            Ok(result) => return result,
            Err(mpsc::RecvTimeoutError::Timeout) if is_due() => Interrupted.unwind(),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(ended) => return Err(io::Error::other(ended)),
        }
    }
}

fn is_due() -> bool {
    armed_with().is_some_and(|due| due())
}

/// Counts `ticks` of an evaluation. Returns whether it must stop.
pub fn must_stop(ticks: u32) -> bool {
    let count = TICKS.get() + ticks;
    TICKS.set(count);
    if count < TICKS_PER_READING {
        return false;
    }
    TICKS.set(0);
    let now = Instant::now();
    let since = SINCE.get().unwrap_or(now);
    SINCE.set(Some(since));
    now - since >= PATIENCE && !IS_REPORTED.get() && is_due()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Control, Stopped};
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Ticks until the evaluation must stop, or the time is over.
    fn stops_within(time: Duration) -> bool {
        let end = Instant::now() + time;
        while Instant::now() < end {
            if must_stop(TICKS_PER_READING) {
                return true;
            }
        }
        false
    }

    #[test]
    fn armed_threads_and_those_that_they_start_stop_once_the_function_says_so() {
        let stop = Arc::new(AtomicBool::new(false));
        let due = Arc::clone(&stop);
        armed(Arc::new(move || due.load(Ordering::Relaxed)), || {
            assert!(!stops_within(2 * PATIENCE));
            stop.store(true, Ordering::Relaxed);
            let pool = || crate::parallel::in_pool(2, || stops_within(100 * PATIENCE));
            assert!(stops_within(100 * PATIENCE) && pool());
            // Once a check has reported the stop, the rest of the answer is computed.
            let control = Control::new().with_stop(&stop);
            assert_eq!(control.check(), Err(Stopped::Interrupted));
            assert!(!stops_within(2 * PATIENCE));
        });
        assert!(armed_with().is_none() && !stops_within(2 * PATIENCE));
    }
}
