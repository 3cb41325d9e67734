//! Search limits: the bounds of a search, shared by its threads, and each thread's check whether to stop.

use control::{Control, Counted, Progress, Stopped};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Positions that a thread counts between two reports of progress.
pub const REPORT_EVERY: u32 = 4096;
/// The maximum number of positions that a thread counts between two checks of the clock and the flags.
const CHECK_EVERY: u32 = 128;
/// Positions before the first check. The value is small because the time per position is not known yet.
const FIRST_CHECK: u32 = 2;
/// The target time between two checks. In slow rule sets, each position takes milliseconds.
const CHECK_AFTER: Duration = Duration::from_millis(5);
/// Bytes of lines that a thread counts before it adds them to the shared count.
const SHARED_BYTES: u64 = 1 << 16;
/// Bytes that a search may use if memory is not limited.
const DEFAULT_MEMORY_BYTES: u64 = 800 << 20;

/// The bounds of a search, in addition to those of [`Control`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The maximum number of solutions, if bounded: keys in direct play, whole lines in help and series play.
    pub solutions: Option<usize>,
    /// The maximum number of positions, if bounded. Each thread compares it once every [`REPORT_EVERY`]
    /// positions, so a search on one thread always ends at the same position.
    pub positions: Option<u64>,
}

/// Returns the bytes for the transposition table and the lines found together. One eighth is always reserved
/// for the lines.
pub fn memory_bytes(control: &Control<'_>) -> usize {
    usize::try_from(control.memory_bytes_or(DEFAULT_MEMORY_BYTES)).unwrap_or(usize::MAX)
}

/// State that all threads of a search share, apart from the table.
pub struct Shared<'a> {
    /// Stops the search and receives its progress.
    pub control: &'a Control<'a>,
    /// Whether a thread has found that the deadline has passed.
    ended: AtomicBool,
    max_positions: u64,
    /// Whether more than `max_positions` have been counted.
    positions_exceeded: AtomicBool,
    positions: AtomicU64,
    line_bytes: AtomicU64,
    /// For progress reports: the number of moves being searched, the number of first turns settled for it,
    /// and the number of all first turns.
    settled: [AtomicUsize; 3],
}

impl<'a> Shared<'a> {
    /// Returns the shared state of a search that has not counted any positions.
    pub fn new(limits: &Limits, control: &'a Control<'a>) -> Shared<'a> {
        Shared {
            control,
            ended: AtomicBool::new(false),
            max_positions: limits.positions.unwrap_or(u64::MAX),
            positions_exceeded: AtomicBool::new(false),
            positions: AtomicU64::new(0),
            line_bytes: AtomicU64::new(0),
            settled: [const { AtomicUsize::new(0) }; 3],
        }
    }

    /// Records for progress reports that `done` of `of` first turns are settled for a search of `moves`
    /// moves.
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

    /// Checks whether the search must stop. `now` is called only if there is a deadline.
    fn check(&self, now: impl FnOnce() -> Instant) -> Result<(), Stopped> {
        if self.control.is_interrupted() {
            return Err(Stopped::Interrupted);
        }
        if self.positions_exceeded.load(Ordering::Relaxed) {
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

/// A thread's count of positions. The count checks every few milliseconds whether the search must stop,
/// however long a position takes.
pub struct Watch<'a> {
    shared: &'a Shared<'a>,
    /// Positions counted by the last check and not yet added to the shared count.
    count: u32,
    /// Positions from one check to the next.
    step: u32,
    /// Positions left until the next check.
    until_check: u32,
    checked: Instant,
    /// Positions already added to the shared count.
    reported: u64,
    /// Bytes of lines not yet added to the shared count.
    bytes: u64,
}

impl<'a> Watch<'a> {
    /// Returns the count of a new thread, which is zero.
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

    /// Returns the number of positions not yet added to the shared count.
    fn unreported(&self) -> u64 {
        u64::from(self.count + self.step - self.until_check)
    }

    /// Returns the number of positions counted so far.
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
                self.shared
                    .positions_exceeded
                    .store(true, Ordering::Relaxed);
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
        // Stop at the next report, because the limit on positions is checked there.
        self.step = wanted.min(REPORT_EVERY - self.count);
        self.until_check = self.step;
        self.shared.check(|| now)
    }

    /// Checks whether to stop, without counting a position. For use before work that takes much longer than
    /// reading the clock.
    ///
    /// # Errors
    /// If the search is to stop.
    pub fn check_now(&self) -> Result<(), Stopped> {
        self.shared.check(Instant::now)
    }

    /// Counts bytes of lines. All threads together may hold `allowed` bytes.
    ///
    /// # Errors
    /// If the search is to stop.
    pub fn count_line_bytes(
        &mut self,
        bytes: u64,
        allowed: impl FnOnce() -> u64,
    ) -> Result<(), Stopped> {
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
