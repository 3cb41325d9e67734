//! Checks stored solutions by the rules alone.
//!
//! [`lines()`] checks help and series play, [`tree()`] checks direct, self and reflex play. Both rely on
//! the rules and on the [`Judge`](crate::Judge) of the goal, and never search. Therefore they verify
//! the stored play, but not that it is complete.

mod lines;
mod tree;

pub use lines::{Checker, LineText, lines};
pub use tree::{Verified, tree};

pub(crate) use tree::tree_until;
