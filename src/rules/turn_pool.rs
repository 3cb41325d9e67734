//! Lists of turns that are lent and given back, so that searches do not allocate one at every node.

use super::Turn;
use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

thread_local! {
    static POOL: RefCell<Vec<Vec<Turn>>> = const { RefCell::new(Vec::new()) };
}

/// A lent list, empty at first. It goes back to its thread when it is dropped.
struct PooledTurns(Vec<Turn>);

impl PooledTurns {
    fn new() -> PooledTurns {
        let spare = POOL.with(|spare| spare.borrow_mut().pop());
        PooledTurns(spare.unwrap_or_default())
    }
}

impl Drop for PooledTurns {
    fn drop(&mut self) {
        let mut turns = std::mem::take(&mut self.0);
        turns.clear();
        // A thread that is ending keeps nothing.
        let _ = POOL.try_with(|spare| spare.borrow_mut().push(turns));
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

/// Lends an empty list of turns. Each thread keeps its lists for the next call, so that calls soon no
/// longer allocate.
#[inline]
pub fn with_turns<T>(work: impl FnOnce(&mut Vec<Turn>) -> T) -> T {
    work(&mut PooledTurns::new())
}
