//! Marks of threads at work, which keep the threads of a search on different lines.
//!
//! A thread marks the positions on its line, and other threads see higher numbers there (T. Kaneko 2010:
//! virtual proof and disproof numbers).

use std::sync::atomic::{AtomicU8, Ordering};

/// Threads at work, counted by hash. Proof numbers are raised there to spread the threads out; results do not
/// depend on it.
pub struct ThreadMarks(Box<[AtomicU8]>);

const BUSY_SLOTS: usize = 1 << 16;

impl ThreadMarks {
    pub fn new() -> ThreadMarks {
        ThreadMarks((0..BUSY_SLOTS).map(|_| AtomicU8::new(0)).collect())
    }

    /// Returns the number of threads that have marked a position.
    pub fn count(&self, hash: u64) -> u32 {
        u32::from(self.at(hash).load(Ordering::Relaxed))
    }

    fn at(&self, hash: u64) -> &AtomicU8 {
        &self.0[hash as usize % BUSY_SLOTS]
    }
}

/// The mark of one thread on a position, which is removed when dropped. A thread sets it only when it
/// continues to a child. Most positions are left at once, and frequent changes of marks are costly for the
/// processors' caches.
pub struct Mark<'b> {
    slot: Option<&'b AtomicU8>,
    is_set: bool,
}

impl<'b> Mark<'b> {
    /// Returns a mark that is not set yet.
    pub fn new(busy: Option<&'b ThreadMarks>, hash: u64) -> Mark<'b> {
        Mark {
            slot: busy.map(|busy| busy.at(hash)),
            is_set: false,
        }
    }

    /// Sets the mark.
    pub fn set(&mut self) {
        if let Some(slot) = self.slot.filter(|_| !self.is_set) {
            slot.fetch_add(1, Ordering::Relaxed);
            self.is_set = true;
        }
    }
}

impl Drop for Mark<'_> {
    fn drop(&mut self) {
        if let Some(slot) = self.slot.filter(|_| self.is_set) {
            slot.fetch_sub(1, Ordering::Relaxed);
        }
    }
}
