//! The bounds of a search, and when its threads stop.

use control::{Control, Counted, Progress, Stopped};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Positions that a thread counts between two reports of progress.
pub const REPORT_EVERY: u32 = 4096;
/// The most positions that a thread counts between two checks of clock and flags.
const CHECK_EVERY: u32 = 128;
/// Positions before the first check: how long one takes is not known yet.
const FIRST_CHECK: u32 = 2;
/// The time that should pass between two checks. Positions of slow rule sets take milliseconds each.
const CHECK_AFTER: Duration = Duration::from_millis(5);
/// Bytes of lines that a thread holds before it adds them to the shared number.
const SHARED_BYTES: u64 = 1 << 16;
/// Bytes that a search takes if memory is not limited.
const DEFAULT_MEMORY_BYTES: u64 = 800 << 20;

/// The bounds of a search, in addition to those of [`Control`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Solutions after which to stop, if bounded: keys, or whole lines.
    pub solutions: Option<usize>,
    /// Positions, if bounded. They are compared at every 4,096 of a thread, so that a search on one thread
    /// ends in the same place every time.
    pub positions: Option<u64>,
}

/// Returns the bytes of the table and of the lines found. An eighth is always left to the lines.
pub fn memory_bytes(control: &Control<'_>) -> usize {
    usize::try_from(control.memory_bytes_or(DEFAULT_MEMORY_BYTES)).unwrap_or(usize::MAX)
}

/// What all threads of a search share besides the table.
pub struct Shared<'a> {
    /// Stops the search, and receives its progress.
    pub control: &'a Control<'a>,
    /// Whether a thread has found that the time is over.
    ended: AtomicBool,
    max_positions: u64,
    /// Whether more than `max_positions` have been counted.
    enough_positions: AtomicBool,
    positions: AtomicU64,
    line_bytes: AtomicU64,
    /// The number of moves that is searched now, how many first turns are settled in it, and of how many.
    settled: [AtomicUsize; 3],
}

impl<'a> Shared<'a> {
    /// Returns a search that begins now.
    pub fn new(limits: &Limits, control: &'a Control<'a>) -> Shared<'a> {
        Shared {
            control,
            ended: AtomicBool::new(false),
            max_positions: limits.positions.unwrap_or(u64::MAX),
            enough_positions: AtomicBool::new(false),
            positions: AtomicU64::new(0),
            line_bytes: AtomicU64::new(0),
            settled: [const { AtomicUsize::new(0) }; 3],
        }
    }

    /// Notes that a first turn is settled: how many of how many, in which number of moves.
    pub fn settled(&self, done: usize, of: usize, moves: u32) {
        for (cell, n) in self.settled.iter().zip([moves as usize, done, of]) {
            cell.store(n, Ordering::Relaxed);
        }
    }

    /// Returns the number of positions that all threads have counted.
    pub fn positions(&self) -> u64 {
        self.positions.load(Ordering::Relaxed)
    }

    /// Reports the number of positions to the observer.
    fn report(&self, positions: u64) {
        let [moves, done, of] = [0, 1, 2].map(|n| self.settled[n].load(Ordering::Relaxed));
        let report = |detail: std::fmt::Arguments<'_>| {
            self.control.report(&Progress {
                phase: "solving",
                done: positions,
                total: None,
                unit: "positions",
                detail,
            });
        };
        match moves {
            0 => report(format_args!("")),
            _ => report(format_args!("{done} of {of} first turns in {moves} moves")),
        }
    }

    /// Returns the reason to stop at a time, if there is one.
    fn check(&self, now: impl FnOnce() -> Instant) -> Result<(), Stopped> {
        if self.control.is_interrupted() {
            return Err(Stopped::Interrupted);
        }
        if self.enough_positions.load(Ordering::Relaxed) {
            return Err(Stopped::Count(Counted::Positions));
        }
        let over = |deadline: Instant| now() >= deadline;
        if self.ended.load(Ordering::Relaxed) || self.control.deadline().is_some_and(over) {
            self.ended.store(true, Ordering::Relaxed);
            return Err(Stopped::Time);
        }
        Ok(())
    }
}

/// A thread's count of positions. Checks now and then whether to stop, often enough for an answer within
/// moments, however long a position takes.
#[derive(Clone)]
pub struct Watch<'a> {
    shared: &'a Shared<'a>,
    /// Counted up to the last check, and not reported yet.
    count: u32,
    /// From one look to the next.
    step: u32,
    /// Of these, still to count.
    until_check: u32,
    checked: Instant,
    /// Counted before, and reported.
    reported: u64,
    /// Bytes of lines not reported yet.
    bytes: u64,
}

impl<'a> Watch<'a> {
    /// Returns the count of a thread that begins.
    pub fn new(shared: &'a Shared<'a>) -> Watch<'a> {
        Watch {
            shared,
            count: 0,
            step: FIRST_CHECK,
            until_check: FIRST_CHECK,
            checked: Instant::now(),
            reported: 0,
            bytes: 0,
        }
    }

    /// Counted, and not reported yet.
    fn unreported(&self) -> u64 {
        u64::from(self.count + self.step - self.until_check)
    }

    /// Positions counted so far.
    pub fn positions(&self) -> u64 {
        self.reported + self.unreported()
    }

    /// Counts one position.
    ///
    /// # Errors
    /// If the search is to stop.
    #[inline(always)]
    pub fn tick(&mut self) -> Result<(), Stopped> {
        self.until_check -= 1;
        if self.until_check > 0 {
            return Ok(());
        }
        self.check()
    }

    #[cold]
    fn check(&mut self) -> Result<(), Stopped> {
        self.count += self.step;
        if self.count >= REPORT_EVERY {
            let counted = u64::from(std::mem::take(&mut self.count));
            self.reported += counted;
            let total = self.shared.positions.fetch_add(counted, Ordering::Relaxed) + counted;
            self.shared.report(total);
            if total > self.shared.max_positions {
                self.shared.enough_positions.store(true, Ordering::Relaxed);
            }
        }
        let now = Instant::now();
        let took = now.duration_since(self.checked);
        self.checked = now;
        let wanted = match took.as_nanos() {
            0 => CHECK_EVERY,
            nanos => {
                let steps = u128::from(self.step) * CHECK_AFTER.as_nanos() / nanos;
                steps.clamp(1, u128::from(CHECK_EVERY)) as u32
            }
        };
        // Not beyond the next telling, where the positions that are allowed may end.
        self.step = wanted.min(REPORT_EVERY - self.count);
        self.until_check = self.step;
        self.shared.check(|| now)
    }

    /// Looks whether to stop without counting: before work that is long beside a look at the clock.
    ///
    /// # Errors
    /// If the search is to stop.
    pub fn check_now(&self) -> Result<(), Stopped> {
        self.shared.check(Instant::now)
    }

    /// Counts bytes of lines, up to `allowed` in all.
    ///
    /// # Errors
    /// If the search is to stop.
    pub fn hold(&mut self, bytes: u64, allowed: impl FnOnce() -> u64) -> Result<(), Stopped> {
        self.bytes += bytes;
        if self.bytes < SHARED_BYTES {
            return Ok(());
        }
        let more = std::mem::take(&mut self.bytes);
        let total = self.shared.line_bytes.fetch_add(more, Ordering::Relaxed) + more;
        if total > allowed() {
            return Err(Stopped::Memory);
        }
        Ok(())
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.shared
            .positions
            .fetch_add(self.unreported(), Ordering::Relaxed);
    }
}
