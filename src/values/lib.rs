//! Solved games: the value of every state of a completely explored graph.
//!
//! * [`retro`]: retrograde analysis, for graphs and endgame tables. [`external`]: the same in a folder.
//! * [`solve`]: finds the values of any graph, given those of its terminal states.
//! * [`solve_game`]: finds the values of a game's graph, whose terminal states the rules value.
//! * [`certify`] and [`certify_game`]: re-check every state with none of the solver's code. [`RightValue`] is
//!   what the value of a position must be, for every certifier.
//! * [`census`]: the number of states with each value.
//! * [`SolvedStates`]: a solved state space, whatever stores it; [`best_line`]: best play from one of its states.
//!
//! Values are those of the endgame tables ([`Value`]): the result for the side to move, and the plies to the
//! end of the game, which the winner minimizes and the loser maximizes. A draw has no distance, whether the
//! game ends drawn or continues forever. Every edge changes the side to move, so a win for one side is a loss
//! for the other.

mod census;
pub(crate) mod certify;
pub mod external;
mod graph_oracle;
pub(crate) mod line;
pub mod oracle;
pub mod retro;
mod solved_states;
mod unsolved;
mod value;
pub(crate) mod values;

pub use census::{Census, census};
pub use certify::{Certificate, MAX_FAULTS, RightValue, certify, certify_game};
pub use graph_oracle::GraphOracle;
pub use line::{BestLine, LineEnd, best_line};
pub use position::Layout;
pub use retro::PASSES;
pub use solved_states::{GraphStates, SolvedStates};
pub use unsolved::Unsolved;
pub use value::{MAX_DISTANCE_PLIES, Packed, Value};
pub use values::{Values, bytes_needed, solve, solve_game};
