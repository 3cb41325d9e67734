//! Lists of turns that are lent and given back, so that searches do not allocate one at every node.

use super::Turn;
use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

thread_local! {
    static SPARE: RefCell<Vec<Vec<Turn>>> = const { RefCell::new(Vec::new()) };
}

/// A lent list, empty at first. It goes back to its thread when it is dropped.
struct Lent(Vec<Turn>);

impl Lent {
    fn new() -> Lent {
        let spare = SPARE.with(|spare| spare.borrow_mut().pop());
        Lent(spare.unwrap_or_default())
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let mut turns = std::mem::take(&mut self.0);
        turns.clear();
        // A thread that is ending keeps nothing.
        let _ = SPARE.try_with(|spare| spare.borrow_mut().push(turns));
    }
}

impl Deref for Lent {
    type Target = Vec<Turn>;

    fn deref(&self) -> &Vec<Turn> {
        &self.0
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut Vec<Turn> {
        &mut self.0
    }
}

/// Lends an empty list of turns. Each thread keeps its lists for the next call, so that calls soon no
/// longer allocate.
#[inline]
pub fn with_turns<T>(work: impl FnOnce(&mut Vec<Turn>) -> T) -> T {
    work(&mut Lent::new())
}
