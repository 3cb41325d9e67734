//! The search code that problems and proofs share: goals, transposition tables, leaf tests, and the AND/OR
//! search of direct, self and reflex play.
//!
//! * [`Goal`]: what a side is to reach. [`Judge`] decides whether a turn reaches it.
//! * [`AndOrSearch`]: depth-first search over "can the attacker reach the goal within `n` of its turns".
//! * [`DirectSearch`]: the AND/OR search for one length at a time, in shares of positions. [`LeafTest`]: a
//!   test for wins in two turns.
//! * [`TranspositionTable`], [`LeafTable`]: search results by exact key, in bounded memory.
//! * [`MateBound`], [`Patterns`]: tests that prune positions from which mate or stalemate is impossible, even
//!   with help.
//!
//! This crate never prints, never decides how long to search, and never builds solutions or certificates.

mod and_or;
mod direct;
mod goal;
mod judge;
mod king_walk;
mod limits;
mod null_move;
mod patterns;
mod play;
mod transpositions;

pub use and_or::{AndOrSearch, turn_number};
pub use direct::{DirectSearch, LeafTest, ProofPosition, Refuter, Share};
pub use goal::{Condition, Goal};
pub use judge::Judge;
pub use limits::{Limits, REPORT_EVERY, Shared, Watch, memory_bytes};
pub use null_move::passed;
pub use patterns::Patterns;
pub use patterns::mate_bound::MateBound;
pub use play::{Ending, MAX_MOVES, Play};
pub use position::Layout;
pub use transpositions::{Keyed, LeafTable, MoveBounds, TranspositionTable};
