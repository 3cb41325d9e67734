//! Exploring and solving beyond one machine's memory: the same search as [`explore::explore()`], with
//! the same answer to the last byte, for graphs that the memory of one process does not hold.
//!
//! * [`workers`]: the states are shared out among threads, processes and machines.
//! * [`disk`]: the states are in sorted files, and new ones are found by merging.
//!
//! Each is a [`Frontier`](explore::Frontier) of the one search in `explore`, and so answers with the same
//! [`Summary`](explore::Summary); if values were requested, also with a [`SolvedSummary`]. Both know a game only
//! through an [`Expander`](explore::Expander): keys, and the keys that turns lead to. So nothing here is compiled
//! again for each layout of positions.

pub mod disk;
mod packed;
mod predecessor;
mod summary;
pub mod workers;

pub use summary::{Farthest, SolvedSummary, Ties};
