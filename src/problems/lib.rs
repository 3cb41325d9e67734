//! Problems: a position with a stipulation, and all of its solutions.
//!
//! * The question: [`Stipulation`] in the field's grammar, [`Judge`] of the [`Goal`], [`Problem`].
//! * When to stop: [`Limits`] and [`control::Control`]; and while the solution is written, [`Deadline`].
//! * What was found: [`Solution`] with its keys, [`Branches`] of lines or a [`tree`]; as [`text`].
//! * How it is searched: `solver`, which [`Problem::solve`] begins.
//! * [`check`]: lines and trees checked by the rules alone.

pub(crate) mod branches;
pub mod check;
pub(crate) mod deadline;
mod solution;
mod solver;
mod statement;
mod stipulation;
pub mod text;
pub mod tree;
mod verdict;

pub use branches::{Branches, Made};
pub use deadline::Deadline;
pub use position::Layout;
pub use search::{Ending, Goal, Judge, Limits, MAX_MOVES, Play, passed};
pub use solution::{Key, Solution};
pub use statement::Problem;
pub use stipulation::Stipulation;
