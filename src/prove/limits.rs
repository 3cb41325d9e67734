//! What a search may take, why it stops, and what receives its progress.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The most plies that a proof may take.
pub const MAX_PLIES: u16 = 1000;

/// Bounds of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time, if bounded.
    pub time: Option<Duration>,
    /// Positions, if bounded. On one thread the answer then depends on nothing but input and limits.
    pub positions: Option<u64>,
    /// Bytes of the table.
    pub memory_bytes: usize,
    /// Threads, 1 at least.
    pub threads: usize,
    /// The most plies to the end, if bounded.
    pub plies: Option<u16>,
    /// Whether a proof is looked for length by length, so that the first one found is shortest.
    pub shortest: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            time: None,
            positions: None,
            memory_bytes: 512 << 20,
            threads: 1,
            plies: None,
            shortest: false,
        }
    }
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The caller requested it.
    Interrupted,
    /// Its time was over.
    Time,
    /// It had examined as many positions as allowed.
    Positions,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stop::Interrupted => "interrupted",
            Stop::Time => "the time is over",
            Stop::Positions => "as many positions as allowed",
        })
    }
}

/// How far a search is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Positions made so far.
    pub positions: u64,
    /// Plies within which a proof is looked for now; none for one of whatever length.
    pub plies: Option<u16>,
    /// Whether only turns that force are tried now: checks, and threats to reach the goal at once.
    pub forcing: bool,
    /// Proof number of the root: how much is missing for a proof.
    pub proof_number: u32,
    /// Disproof number of the root.
    pub disproof_number: u32,
    /// Plies within which a proof does not exist.
    pub none_within_plies: u16,
    /// Turns that look best for both sides, in coordinate notation.
    pub line: Vec<String>,
    /// Bytes of the table.
    pub table_bytes: usize,
}

/// Receives progress, from the thread that started the search.
pub trait Observer {
    /// How far the search is.
    fn report(&self, _report: &Report) {}
}

/// Ignores progress.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Observer for Silent {}

/// Why a part of a search returned without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pause {
    /// The whole search is to stop.
    Stop(Stop),
    /// Its share of positions is used up, or another thread has the answer.
    Share,
}

/// Counts positions for all threads.
pub struct Shared<'a> {
    stop: &'a AtomicBool,
    deadline: Option<Instant>,
    most: u64,
    positions: AtomicU64,
    /// Positions at which the current share ends.
    share_end: AtomicU64,
    /// Set when one thread has the answer to the current share.
    pub answered: AtomicBool,
}

/// The number of positions that a thread counts before it reports them.
const LOOK_EVERY: u32 = 2048;

impl<'a> Shared<'a> {
    pub fn new(limits: &Limits, before: u64, stop: &'a AtomicBool) -> Shared<'a> {
        Shared {
            stop,
            deadline: limits.time.map(|time| Instant::now() + time),
            most: limits
                .positions
                .map_or(u64::MAX, |most| before.saturating_add(most)),
            positions: AtomicU64::new(before),
            share_end: AtomicU64::new(u64::MAX),
            answered: AtomicBool::new(false),
        }
    }

    /// Positions counted so far.
    pub fn positions(&self) -> u64 {
        self.positions.load(Ordering::Relaxed)
    }

    /// Begins a share of `positions`.
    pub fn share(&self, positions: u64) {
        self.answered.store(false, Ordering::Relaxed);
        let end = self.positions().saturating_add(positions);
        self.share_end.store(end, Ordering::Relaxed);
    }

    /// Why the whole search is to stop, if it is.
    pub fn stopped(&self) -> Option<Stop> {
        if self.stop.load(Ordering::Relaxed) {
            return Some(Stop::Interrupted);
        }
        if self.deadline.is_some_and(|at| Instant::now() >= at) {
            return Some(Stop::Time);
        }
        (self.positions() >= self.most).then_some(Stop::Positions)
    }
}

/// One thread's count.
pub struct Counter<'s, 'a> {
    shared: &'s Shared<'a>,
    count: u32,
}

impl<'s, 'a> Counter<'s, 'a> {
    pub fn new(shared: &'s Shared<'a>) -> Counter<'s, 'a> {
        Counter { shared, count: 0 }
    }

    /// Counts positions; an error if the search is to pause.
    #[inline(always)]
    pub fn tick(&mut self, positions: u32) -> Result<(), Pause> {
        self.count += positions;
        if self.count < LOOK_EVERY {
            return Ok(());
        }
        self.look()
    }

    #[cold]
    fn look(&mut self) -> Result<(), Pause> {
        let count = u64::from(std::mem::take(&mut self.count));
        let total = self.shared.positions.fetch_add(count, Ordering::Relaxed) + count;
        if let Some(stop) = self.shared.stopped() {
            return Err(Pause::Stop(stop));
        }
        let over = total >= self.shared.share_end.load(Ordering::Relaxed);
        if over || self.shared.answered.load(Ordering::Relaxed) {
            return Err(Pause::Share);
        }
        Ok(())
    }
}

impl Drop for Counter<'_, '_> {
    fn drop(&mut self) {
        let count = u64::from(self.count);
        self.shared.positions.fetch_add(count, Ordering::Relaxed);
    }
}
