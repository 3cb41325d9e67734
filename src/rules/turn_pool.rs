//! A per-thread pool of turn lists. Searches borrow a list at each node instead of allocating one.

use super::Turn;
use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

thread_local! {
    static POOL: RefCell<Vec<Vec<Turn>>> = const { RefCell::new(Vec::new()) };
}

/// A list from the pool, empty at first. Dropping it returns it to the pool of the current thread.
struct PooledTurns(Vec<Turn>);

impl PooledTurns {
    fn new() -> PooledTurns {
        let turns = POOL.with(|pool| pool.borrow_mut().pop());
        PooledTurns(turns.unwrap_or_default())
    }
}

impl Drop for PooledTurns {
    fn drop(&mut self) {
        let mut turns = std::mem::take(&mut self.0);
        turns.clear();
        // The pool of a thread that is ending is gone; the list is then freed.
        let _ = POOL.try_with(|pool| pool.borrow_mut().push(turns));
    }
}

impl Deref for PooledTurns {
    type Target = Vec<Turn>;

    fn deref(&self) -> &Vec<Turn> {
        &self.0
    }
}

impl DerefMut for PooledTurns {
    fn deref_mut(&mut self) -> &mut Vec<Turn> {
        &mut self.0
    }
}

/// Calls `work` with an empty list of turns. The list is reused by later calls of the same thread, so most
/// calls do not allocate.
#[inline]
pub fn with_turns<T>(work: impl FnOnce(&mut Vec<Turn>) -> T) -> T {
    work(&mut PooledTurns::new())
}
