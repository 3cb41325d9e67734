//! Values: what can be forced, or reached together, in how many moves. Three trades:
//!
//! * [`problem`]: the solutions of a position with a stipulation.
//! * [`graph`]: the values of all states of a game's whole graph, and what certifies them.
//! * [`table`]: endgame tables, the values of all positions of a material, and what certifies them.
//!
//! Below them stand [`Value`], what a position is worth and how far that is, and [`oracle`], values
//! that are known already.

pub mod graph;
mod layout;
pub mod oracle;
pub mod parallel;
pub mod problem;
pub mod table;
mod value;

pub use layout::Layout;
pub use problem::{
    Branches, Ending, Goal, Judge, Key, Limits, Made, Patience, Play, Problem, Progress, Solution,
    Stipulation, Stop, passed,
};
pub use value::{MAX_DISTANCE_PLIES, Value};
