//! When a search stops: its bounds, why it ended before it was complete, who hears of its progress.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How many positions are counted between two looks at clock and flags.
const LOOK_EVERY: u32 = 4096;

/// Why a search ended before it was complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// It was told to.
    Interrupted,
    /// Its time was over.
    Time,
    /// It had found as many solutions as were asked for.
    Enough,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stop::Interrupted => "interrupted",
            Stop::Time => "the time is over",
            Stop::Enough => "as many solutions as asked for",
        })
    }
}

/// Bounds of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time, if bounded.
    pub time: Option<Duration>,
    /// Bytes of the table.
    pub memory_bytes: usize,
    /// Solutions after which to stop, if bounded: keys, or whole lines.
    pub solutions: Option<usize>,
    /// Threads; 0 for one a core.
    pub threads: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            time: None,
            memory_bytes: 800 << 20,
            solutions: None,
            threads: 0,
        }
    }
}

/// Hears how a search comes on. All methods may be called from any thread.
pub trait Progress: Sync {
    /// Positions searched so far.
    fn positions(&self, _positions: u64) {}
    /// A first turn is settled: how many of how many, in which length.
    fn settled(&self, _done: usize, _of: usize, _moves: u32) {}
}

/// Hears nothing.
impl Progress for () {}

/// What all threads of a search share besides the table.
pub struct Shared<'a> {
    stop: &'a AtomicBool,
    ended: AtomicBool,
    deadline: Option<Instant>,
    positions: AtomicU64,
    progress: &'a dyn Progress,
}

impl<'a> Shared<'a> {
    /// A search that begins now.
    pub(super) fn new(
        time: Option<Duration>,
        stop: &'a AtomicBool,
        progress: &'a dyn Progress,
    ) -> Shared<'a> {
        Shared {
            stop,
            ended: AtomicBool::new(false),
            deadline: time.map(|time| Instant::now() + time),
            positions: AtomicU64::new(0),
            progress,
        }
    }

    /// Tells that a first turn is settled: how many of how many, in which length.
    pub(super) fn settled(&self, done: usize, of: usize, moves: u32) {
        self.progress.settled(done, of, moves);
    }

    /// Positions that all threads have counted.
    pub(super) fn positions(&self) -> u64 {
        self.positions.load(Ordering::Relaxed)
    }
}

/// Counts positions and looks now and then whether to stop.
#[derive(Clone)]
pub struct Watch<'a> {
    shared: &'a Shared<'a>,
    count: u32,
    /// Counted before, and told to all.
    told: u64,
}

impl<'a> Watch<'a> {
    pub(super) fn new(shared: &'a Shared<'a>) -> Watch<'a> {
        Watch {
            shared,
            count: 0,
            told: 0,
        }
    }

    /// Positions counted so far.
    pub fn positions(&self) -> u64 {
        self.told + u64::from(self.count)
    }

    /// Counts one position.
    #[inline(always)]
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.count += 1;
        if self.count < LOOK_EVERY {
            return Ok(());
        }
        self.look()
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stop> {
        let counted = u64::from(std::mem::take(&mut self.count));
        self.told += counted;
        let total = self.shared.positions.fetch_add(counted, Ordering::Relaxed) + counted;
        self.shared.progress.positions(total);
        if self.shared.stop.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        let over = |deadline: Instant| Instant::now() >= deadline;
        if self.shared.ended.load(Ordering::Relaxed) || self.shared.deadline.is_some_and(over) {
            self.shared.ended.store(true, Ordering::Relaxed);
            return Err(Stop::Time);
        }
        Ok(())
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.shared
            .positions
            .fetch_add(u64::from(self.count), Ordering::Relaxed);
    }
}
