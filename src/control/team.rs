//! Teams: threads that work together in short phases, such as the batches of an exploration.
//!
//! Waking a sleeping thread can take longer than a phase of a few hundred microseconds. Therefore the threads
//! of a team first spin between phases, then yield, and sleep only if the next phase is late.

use crate::evaluation;
use crate::parallel::{STACK_BYTES, has_room};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Thread};

/// The number of checks for the next phase before a thread yields; about 100 microseconds.
const SPINS: u32 = 2_000;
/// The number of yields before a thread sleeps.
const YIELDS: u32 = 200;
/// The phase number that ends the team.
const END: usize = usize::MAX;

/// State that the threads of a team share.
struct Signal {
    /// The number of the phase; [`END`] after the last one.
    phase: AtomicUsize,
    /// The number of followers that have not finished the phase.
    working: AtomicUsize,
    /// What a follower panicked with.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    leader: Thread,
}

/// A team: the leader, which starts the phases, and the followers, which work in each phase.
pub struct Team<'s> {
    signal: &'s Signal,
    followers: Vec<Thread>,
}

/// Calls `lead` with a team of `threads` threads, including the caller's, or fewer if the system does not
/// start as many. In each phase that `lead` starts, the other threads call `work`.
///
/// # Panics
/// With the panic of `work`, if it panics on one of the threads.
pub fn team<T>(threads: usize, work: &(dyn Fn() + Sync), lead: impl FnOnce(&Team<'_>) -> T) -> T {
    let signal = Signal {
        phase: AtomicUsize::new(0),
        working: AtomicUsize::new(0),
        panic: Mutex::new(None),
        leader: thread::current(),
    };
    let mut threads = threads;
    while threads > 1 && !has_room(threads) {
        threads /= 2;
    }
    thread::scope(|scope| {
        let mut team = Team {
            signal: &signal,
            followers: Vec::new(),
        };
        for _ in 1..threads {
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            let follow = evaluation::inherited(|| follow(&signal, work));
            match thread.spawn_scoped(scope, follow) {
                Ok(handle) => team.followers.push(handle.thread().clone()),
                Err(_) => break,
            }
        }
        lead(&team)
    })
}

impl Team<'_> {
    /// Returns the number of threads, including the leader.
    pub fn threads(&self) -> usize {
        1 + self.followers.len()
    }

    /// Runs a phase: the followers call the team's `work` while this thread calls `own`. Returns when all
    /// have finished.
    ///
    /// # Panics
    /// With the panic of another thread.
    pub fn run<T>(&self, own: impl FnOnce() -> T) -> T {
        let signal = self.signal;
        signal
            .working
            .store(self.followers.len(), Ordering::Relaxed);
        signal.phase.fetch_add(1, Ordering::Release);
        self.followers.iter().for_each(Thread::unpark);
        let result = own();
        wait_until(|| signal.working.load(Ordering::Acquire) == 0);
        let panic = signal.panic.lock();
        if let Some(panic) = panic.unwrap_or_else(PoisonError::into_inner).take() {
            resume_unwind(panic);
        }
        result
    }
}

impl Drop for Team<'_> {
    fn drop(&mut self) {
        self.signal.phase.store(END, Ordering::Release);
        self.followers.iter().for_each(Thread::unpark);
    }
}

/// Works in each phase until the team ends.
fn follow(signal: &Signal, work: &(dyn Fn() + Sync)) {
    let mut done = 0;
    loop {
        wait_until(|| signal.phase.load(Ordering::Acquire) != done);
        done = signal.phase.load(Ordering::Acquire);
        if done == END {
            return;
        }
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            *signal.panic.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic);
        }
        if signal.working.fetch_sub(1, Ordering::Release) == 1 {
            signal.leader.unpark();
        }
    }
}

/// Waits until `is_due` returns true. The thread that makes it true must unpark this thread.
fn wait_until(is_due: impl Fn() -> bool) {
    for _ in 0..SPINS {
        if is_due() {
            return;
        }
        std::hint::spin_loop();
    }
    for _ in 0..YIELDS {
        if is_due() {
            return;
        }
        thread::yield_now();
    }
    while !is_due() {
        thread::park();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;
    use std::time::Duration;

    #[test]
    fn all_threads_do_each_phase() {
        for threads in 1..5 {
            let (next, sum) = (AtomicUsize::new(0), AtomicU64::new(0));
            let work = || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= 100 {
                        break;
                    }
                    sum.fetch_add(at as u64, Ordering::Relaxed);
                }
            };
            let phases = team(threads, &work, |team| {
                for phase in 1..=1_000 {
                    if phase % 400 == 0 {
                        // Long enough for the followers to sleep.
                        thread::sleep(Duration::from_millis(50));
                    }
                    next.store(0, Ordering::Relaxed);
                    team.run(work);
                    assert_eq!(sum.load(Ordering::Relaxed), phase * 4_950);
                }
                1_000
            });
            assert_eq!(phases, 1_000);
        }
    }

    #[test]
    fn the_leader_waits_for_the_others() {
        let done = AtomicUsize::new(0);
        let work = || {
            thread::sleep(Duration::from_millis(30));
            done.fetch_add(1, Ordering::Relaxed);
        };
        team(3, &work, |team| {
            team.run(|| ());
            assert_eq!(done.load(Ordering::Relaxed), 2);
        });
    }

    #[test]
    #[should_panic(expected = "work")]
    fn a_panic_of_a_thread_is_passed_on() {
        let work = || panic!("work");
        team(2, &work, |team| team.run(|| ()));
    }

    #[test]
    #[should_panic(expected = "lead")]
    fn a_panic_of_the_leader_ends_the_team() {
        team(2, &|| (), |_| panic!("lead"));
    }
}
