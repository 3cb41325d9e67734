//! Problems: a position with a stipulation, and all of its solutions.
//!
//! * The question: [`Stipulation`] in the field's grammar, [`Judge`] of the goal, [`Problem`].
//! * When to stop: [`Limits`] and [`control::Control`]; and while the solution is written, [`Deadline`].
//! * What was found: [`Solution`] with its keys, [`Branches`] of lines or a [`tree`]; as [`text`].
//! * How it is searched: `search`, which [`Problem::solve`] begins.
//! * [`check`]: lines and trees checked by the rules alone.

pub(crate) mod branches;
pub mod check;
pub(crate) mod deadline;
mod goal;
mod limits;
pub(crate) mod null_move;
mod search;
mod solution;
mod statement;
mod stipulation;
pub mod text;
pub mod tree;

pub use branches::{Branches, Made};
pub use deadline::Deadline;
pub use goal::Judge;
pub use limits::Limits;
pub use null_move::passed;
pub use position::Layout;
pub use search::direct::{DirectSearch, LeafTest, ProofPosition, Share};
pub use solution::{Key, Solution};
pub use statement::Problem;
pub use stipulation::{Ending, Goal, MAX_MOVES, Play, Stipulation};
