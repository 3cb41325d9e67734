//! Chess problems: positions with a stipulation, and the search for all of their solutions.
//!
//! * The question: [`Problem`] is a position with a [`Stipulation`] in the grammar of chess problems; a
//!   [`Judge`] decides whether a turn reaches its [`Goal`].
//! * The limits: [`Limits`] and [`control::Control`] for the search, [`Deadline`] for writing the solution.
//! * The result: [`Solution`] with its keys and the [`tree`] of their play, or with lines as [`Branches`];
//!   [`text`] prints it.
//! * The search: `solver`, which [`Problem::solve`] calls.
//! * The verification: [`check`] verifies lines and trees by the rules alone, without the search.

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
pub mod walk;

pub use branches::{Branches, Made};
pub use deadline::Deadline;
pub use position::Layout;
pub use search::{Ending, Goal, Judge, Limits, MAX_MOVES, Play, passed};
pub use solution::{Key, Solution};
pub use solver::lines::FirstTurnReceiver;
pub use statement::Problem;
pub use stipulation::Stipulation;
