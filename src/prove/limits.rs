//! The limits of a search, its progress, and the conditions that stop its threads.

use control::{Control, Counted, Progress, Stopped, counted};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Maximum number of plies of a proof.
pub const MAX_PLIES: u16 = 1000;

/// Bytes of the tables if memory is not limited.
const DEFAULT_MEMORY_BYTES: u64 = 512 << 20;

/// The limits of a search, in addition to those of [`Control`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Maximum number of positions. On one thread, the answer then depends only on the input and the limits.
    pub positions: Option<u64>,
    /// Maximum number of plies to the end.
    pub plies: Option<u16>,
    /// Whether to search length by length, so that the first proof found is a shortest one.
    pub shortest: bool,
    /// Whether to search for shorter proofs after a proof, until no shorter one exists.
    pub improve: bool,
}

/// Returns the bytes of the tables of a search.
pub fn memory_bytes(control: &Control<'_>) -> usize {
    usize::try_from(control.memory_bytes_or(DEFAULT_MEMORY_BYTES)).unwrap_or(usize::MAX)
}

/// The progress of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Positions generated so far.
    pub positions: u64,
    /// Plies within which a proof is being searched for, or `None` for a proof of any length.
    pub plies: Option<u16>,
    /// Whether only forcing turns are being tried: checks, and threats to reach the goal at once.
    pub forcing: bool,
    /// Proof number of the root: 0 if the goal is proven.
    pub proof_number: u32,
    /// Disproof number of the root: 0 if the goal is disproven.
    pub disproof_number: u32,
    /// Plies within which no proof exists.
    pub none_within_plies: u16,
    /// The turns that look best for both sides, in coordinate notation.
    pub line: Vec<String>,
    /// Bytes of all tables.
    pub table_bytes: usize,
}

impl Report {
    /// Returns the length of the proofs that are being searched for, in words such as `within 9 plies`.
    pub fn scope(&self) -> String {
        let length = match self.plies {
            Some(plies) => format!("within {}", counted(plies, "ply", "plies")),
            None => "of any length".to_string(),
        };
        match self.forcing {
            true => length + " by turns that force",
            false => length,
        }
    }

    /// Sends the report to the observer of a control.
    pub(crate) fn send(&self, control: &Control<'_>) {
        control.report(&Progress {
            phase: "proving",
            done: self.positions,
            total: None,
            unit: "positions",
            detail: format_args!(
                "{}: proof {} disproof {}; none within {}; {} MB; {}",
                self.scope(),
                self.proof_number,
                self.disproof_number,
                self.none_within_plies,
                self.table_bytes >> 20,
                self.line.join(" ")
            ),
        });
    }
}

/// The reason why a part of a search returned without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pause {
    /// The whole search must stop.
    Stop(Stopped),
    /// The share of positions is used up, or another thread has the answer.
    Share,
}

/// The number of positions that all threads have counted, and the limits on it.
pub struct Shared<'a> {
    control: Control<'a>,
    max_positions: u64,
    positions: AtomicU64,
    /// Number of positions at which the current share ends.
    share_end: AtomicU64,
    /// Set when one thread has the answer to the current share.
    pub answered: AtomicBool,
}

/// Positions that a thread counts before it adds them to the shared count and checks the limits.
const LOOK_EVERY: u32 = 2048;

impl<'a> Shared<'a> {
    /// Returns a count that starts from `before` positions.
    pub fn new(limits: &Limits, before: u64, control: Control<'a>) -> Shared<'a> {
        Shared {
            control,
            max_positions: limits
                .positions
                .map_or(u64::MAX, |most| before.saturating_add(most)),
            positions: AtomicU64::new(before),
            share_end: AtomicU64::new(u64::MAX),
            answered: AtomicBool::new(false),
        }
    }

    /// Returns the number of positions counted so far.
    pub fn positions(&self) -> u64 {
        self.positions.load(Ordering::Relaxed)
    }

    /// Counts positions of another search.
    pub fn add(&self, positions: u64) {
        self.positions.fetch_add(positions, Ordering::Relaxed);
    }

    /// Returns the number of positions that are still allowed.
    pub fn positions_left(&self) -> u64 {
        self.max_positions.saturating_sub(self.positions())
    }

    /// Begins a share of `positions` positions.
    pub fn share(&self, positions: u64) {
        self.answered.store(false, Ordering::Relaxed);
        let end = self.positions().saturating_add(positions);
        self.share_end.store(end, Ordering::Relaxed);
    }

    /// Checks that the whole search may continue.
    ///
    /// # Errors
    /// If `control` stops the search, or the limit on positions is reached.
    pub fn check(&self) -> Result<(), Stopped> {
        self.control.check()?;
        match self.positions() >= self.max_positions {
            true => Err(Stopped::Count(Counted::Positions)),
            false => Ok(()),
        }
    }
}

/// The positions that one thread counts.
pub struct Counter<'s, 'a> {
    shared: &'s Shared<'a>,
    count: u32,
}

impl<'s, 'a> Counter<'s, 'a> {
    pub fn new(shared: &'s Shared<'a>) -> Counter<'s, 'a> {
        Counter { shared, count: 0 }
    }

    /// Counts positions. Returns an error if the search must pause.
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
        self.shared.check().map_err(Pause::Stop)?;
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
