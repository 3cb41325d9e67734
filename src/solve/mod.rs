//! Values: what can be forced, or reached together, in how many moves.
//!
//! * [`stipulation`]: what is asked, in the field's grammar.
//! * [`goal`]: when a turn reaches the goal.
//! * [`Problem`]: a position with a stipulation; [`Problem::solve`] finds all of its solutions.
//! * [`table`]: results of positions already searched, under exact keys, in bounded memory.

mod battle;
pub mod goal;
mod hope;
mod line;
mod problem;
pub mod stipulation;
pub mod table;
pub mod text;
pub mod tree;

pub use goal::Judge;
pub use line::passed;
pub use problem::{Key, Limits, Line, Problem, Progress, Solution, Stop};
pub use stipulation::{Ending, Goal, Play, Stipulation};
