//! Values: what can be forced, or reached together, in how many moves.
//!
//! * [`stipulation`]: what is asked, in the field's grammar.
//! * [`goal`]: when a turn reaches the goal.
//! * [`Problem`]: a position with a stipulation; [`Problem::solve`] finds all of its solutions.
//! * [`Branches`]: all lines of help and series play.
//! * [`memo`]: results of positions already searched, under exact keys, in bounded memory.
//! * [`oracle`]: values that are known already, such as those of tables.
//! * [`graph`]: values of all states of a game's whole graph, and what certifies them.
//! * [`check`]: lines checked by the rules alone; trees are checked in [`tree`].
//! * [`table`]: endgame tables, values of all positions of a material, and what certifies them.

mod battle;
mod branch;
pub mod check;
pub mod goal;
pub mod graph;
mod hope;
mod layout;
mod line;
pub mod memo;
pub mod oracle;
mod picture;
mod problem;
mod rounds;
pub mod stipulation;
pub mod table;
pub mod text;
pub mod tree;
mod value;

pub use branch::{Branches, Made};
pub use goal::Judge;
pub use layout::Layout;
pub use line::passed;
pub use problem::{Key, Limits, Problem, Progress, Solution, Stop};
pub use stipulation::{Ending, Goal, Play, Stipulation};
pub use value::{MAX_DISTANCE_PLIES, Value};
