//! Threads that work together in short phases.
//!
//! To wake a sleeping thread can take longer than a phase of some hundred microseconds. Between phases the
//! threads of a team therefore spin for a short time, then yield, and sleep only if the next phase is late.

use crate::parallel::{STACK_BYTES, has_room};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Thread};

/// Checks for the next phase before a thread yields: for about 100 microseconds.
const SPINS: u32 = 2_000;
/// How often it yields before it sleeps.
const YIELDS: u32 = 200;
/// The phase after the last one.
const END: usize = usize::MAX;

/// What the threads of a team share.
struct Signal {
    /// The number of the phase; [`END`] after the last one.
    phase: AtomicUsize,
    /// How many threads beside the leader have not finished the phase.
    working: AtomicUsize,
    has_panicked: AtomicBool,
    leader: Thread,
}

/// A thread that leads, and others that do a phase of the work whenever it starts one.
pub struct Team<'s> {
    signal: &'s Signal,
    followers: Vec<Thread>,
}

/// Calls `lead` with a team of `threads` threads, the caller's among them, or fewer if the system does not start
/// as many. In each phase that `lead` begins, the other threads call `work`.
///
/// # Panics
/// If `work` panics on one of the threads.
pub fn team<T>(threads: usize, work: &(dyn Fn() + Sync), lead: impl FnOnce(&Team<'_>) -> T) -> T {
    let signal = Signal {
        phase: AtomicUsize::new(0),
        working: AtomicUsize::new(0),
        has_panicked: AtomicBool::new(false),
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
            match thread.spawn_scoped(scope, || follow(&signal, work)) {
                Ok(handle) => team.followers.push(handle.thread().clone()),
                Err(_) => break,
            }
        }
        lead(&team)
    })
}

impl Team<'_> {
    /// Returns the number of threads, the leader among them.
    pub fn threads(&self) -> usize {
        1 + self.followers.len()
    }

    /// Lets the other threads do a phase of the work while this one does `own`. Returns when all have finished.
    ///
    /// # Panics
    /// If the work panicked on another thread.
    pub fn run<T>(&self, own: impl FnOnce() -> T) -> T {
        let signal = self.signal;
        signal
            .working
            .store(self.followers.len(), Ordering::Relaxed);
        signal.phase.fetch_add(1, Ordering::Release);
        self.followers.iter().for_each(Thread::unpark);
        let result = own();
        wait_until(|| signal.working.load(Ordering::Acquire) == 0);
        assert!(
            !signal.has_panicked.load(Ordering::Relaxed),
            "a thread of the team panicked"
        );
        result
    }
}

impl Drop for Team<'_> {
    fn drop(&mut self) {
        self.signal.phase.store(END, Ordering::Release);
        self.followers.iter().for_each(Thread::unpark);
    }
}

/// Does a part of each phase until the last one has ended.
fn follow(signal: &Signal, work: &(dyn Fn() + Sync)) {
    let mut done = 0;
    loop {
        wait_until(|| signal.phase.load(Ordering::Acquire) != done);
        done = signal.phase.load(Ordering::Acquire);
        if done == END {
            return;
        }
        let _part = PhaseShare(signal);
        work();
    }
}

/// A thread's part of a phase, which ends when it is dropped.
struct PhaseShare<'s>(&'s Signal);

impl Drop for PhaseShare<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.has_panicked.store(true, Ordering::Relaxed);
        }
        if self.0.working.fetch_sub(1, Ordering::Release) == 1 {
            self.0.leader.unpark();
        }
    }
}

/// Waits for something that another thread brings about. That thread unparks this one.
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
                        // The others sleep meanwhile.
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
    #[should_panic(expected = "a thread of the team panicked")]
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
