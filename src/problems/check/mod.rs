//! Checks what is said to be a solution by the rules alone: nothing of the search takes part.

mod lines;
mod tree;

pub use lines::{Checker, lines};
pub use tree::tree;

pub(crate) use lines::lines_generic;
pub(crate) use tree::{patiently, tree_generic};
