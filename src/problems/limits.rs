//! When a search stops: its bounds, why it ended before it was complete, what receives its progress.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How many positions are counted between two tellings of progress.
const TELL_EVERY: u32 = 4096;
/// The maximum number of positions between two checks of clock and flags.
const LOOK_EVERY: u32 = 128;
/// The number of positions before the first check, when the time for each is not known yet.
const FIRST_LOOK: u32 = 2;
/// How much time should pass between two looks. Positions of slow rule sets take milliseconds each.
const LOOK_AFTER: Duration = Duration::from_millis(5);
/// The number of bytes of lines that a thread holds before it reports them.
const TOLD_BYTES: u64 = 1 << 16;

/// Why a search ended before it was complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The caller requested it.
    Interrupted,
    /// Its time was over.
    Time,
    /// It had found as many solutions as requested.
    Enough,
    /// The lines found take the memory that was allowed.
    Memory,
    /// It had searched as many positions as were allowed.
    Positions,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stop::Interrupted => "interrupted",
            Stop::Time => "the time is over",
            Stop::Enough => "as many solutions as asked for",
            Stop::Memory => "the lines found take the memory that is allowed",
            Stop::Positions => "as many positions as allowed",
        })
    }
}

/// Bounds of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time, if bounded.
    pub time: Option<Duration>,
    /// Bytes of the table, and of the lines found beside it; an eighth is always left to the lines.
    pub memory_bytes: usize,
    /// Solutions after which to stop, if bounded: keys, or whole lines.
    pub solutions: Option<usize>,
    /// Threads; 0 for one a core.
    pub threads: usize,
    /// The number of positions, if bounded; checked every 4,096 of a thread, so that a search on one thread
    /// ends in the same place every time.
    pub positions: Option<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            time: None,
            memory_bytes: 800 << 20,
            solutions: None,
            threads: 0,
            positions: None,
        }
    }
}

/// Receives the progress of a search. All methods may be called from any thread.
pub trait Progress: Sync {
    /// Positions searched so far.
    fn positions(&self, _positions: u64) {}
    /// A first turn is settled: how many of how many, in which length.
    fn settled(&self, _done: usize, _of: usize, _moves: u32) {}
}

/// Ignores progress.
impl Progress for () {}

/// What all threads of a search share besides the table.
pub struct Shared<'a> {
    stop: &'a AtomicBool,
    ended: AtomicBool,
    deadline: Option<Instant>,
    most_positions: u64,
    /// Whether this number has been counted.
    enough_positions: AtomicBool,
    positions: AtomicU64,
    line_bytes: AtomicU64,
    progress: &'a dyn Progress,
}

impl<'a> Shared<'a> {
    /// Returns a search that begins now.
    pub(super) fn new(
        limits: &Limits,
        stop: &'a AtomicBool,
        progress: &'a dyn Progress,
    ) -> Shared<'a> {
        Shared {
            stop,
            ended: AtomicBool::new(false),
            deadline: limits.time.map(|time| Instant::now() + time),
            most_positions: limits.positions.unwrap_or(u64::MAX),
            enough_positions: AtomicBool::new(false),
            positions: AtomicU64::new(0),
            line_bytes: AtomicU64::new(0),
            progress,
        }
    }

    /// Reports that a first turn is settled: how many of how many, in which length.
    pub(super) fn settled(&self, done: usize, of: usize, moves: u32) {
        self.progress.settled(done, of, moves);
    }

    /// Positions that all threads have counted.
    pub(super) fn positions(&self) -> u64 {
        self.positions.load(Ordering::Relaxed)
    }
}

/// Counts positions and looks now and then whether to stop: often enough for an answer within
/// moments, however long a position takes.
#[derive(Clone)]
pub struct Watch<'a> {
    shared: &'a Shared<'a>,
    /// Counted up to the last check, and not reported yet.
    count: u32,
    /// From one look to the next.
    step: u32,
    /// Of these, still to count.
    left: u32,
    looked: Instant,
    /// Counted before, and reported.
    told: u64,
    /// Bytes of lines not reported yet.
    bytes: u64,
}

impl<'a> Watch<'a> {
    pub(super) fn new(shared: &'a Shared<'a>) -> Watch<'a> {
        Watch {
            shared,
            count: 0,
            step: FIRST_LOOK,
            left: FIRST_LOOK,
            looked: Instant::now(),
            told: 0,
            bytes: 0,
        }
    }

    /// Counted, and not reported yet.
    fn untold(&self) -> u64 {
        u64::from(self.count + self.step - self.left)
    }

    /// Positions counted so far.
    pub fn positions(&self) -> u64 {
        self.told + self.untold()
    }

    /// Counts one position.
    #[inline(always)]
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.left -= 1;
        if self.left > 0 {
            return Ok(());
        }
        self.look()
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stop> {
        self.count += self.step;
        if self.count >= TELL_EVERY {
            let counted = u64::from(std::mem::take(&mut self.count));
            self.told += counted;
            let total = self.shared.positions.fetch_add(counted, Ordering::Relaxed) + counted;
            self.shared.progress.positions(total);
            if total > self.shared.most_positions {
                self.shared.enough_positions.store(true, Ordering::Relaxed);
            }
        }
        let now = Instant::now();
        let took = now.duration_since(self.looked);
        self.looked = now;
        let wanted = match took.as_nanos() {
            0 => LOOK_EVERY,
            nanos => {
                let steps = u128::from(self.step) * LOOK_AFTER.as_nanos() / nanos;
                steps.clamp(1, u128::from(LOOK_EVERY)) as u32
            }
        };
        // Not beyond the next telling, where the positions that are allowed may end.
        self.step = wanted.min(TELL_EVERY - self.count);
        self.left = self.step;
        if self.shared.stop.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        if self.shared.enough_positions.load(Ordering::Relaxed) {
            return Err(Stop::Positions);
        }
        let over = |deadline: Instant| now >= deadline;
        if self.shared.ended.load(Ordering::Relaxed) || self.shared.deadline.is_some_and(over) {
            self.shared.ended.store(true, Ordering::Relaxed);
            return Err(Stop::Time);
        }
        Ok(())
    }

    /// Looks whether to stop without counting: before work that is long beside a look at the clock.
    pub fn glance(&self) -> Result<(), Stop> {
        if self.shared.stop.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        if self.shared.enough_positions.load(Ordering::Relaxed) {
            return Err(Stop::Positions);
        }
        let over = |deadline: Instant| Instant::now() >= deadline;
        if self.shared.deadline.is_some_and(over) {
            self.shared.ended.store(true, Ordering::Relaxed);
            return Err(Stop::Time);
        }
        Ok(())
    }

    /// Counts bytes of lines, up to `allowed` in all.
    pub fn hold(&mut self, bytes: u64, allowed: impl FnOnce() -> u64) -> Result<(), Stop> {
        self.bytes += bytes;
        if self.bytes < TOLD_BYTES {
            return Ok(());
        }
        let more = std::mem::take(&mut self.bytes);
        let total = self.shared.line_bytes.fetch_add(more, Ordering::Relaxed) + more;
        if total > allowed() {
            return Err(Stop::Memory);
        }
        Ok(())
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.shared
            .positions
            .fetch_add(self.untold(), Ordering::Relaxed);
    }
}
