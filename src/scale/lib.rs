//! Exploring and solving graphs that do not fit in the memory of one process. The search is that of
//! [`explore::explore()`], and its results are equal to the last byte.
//!
//! * [`workers`]: the states are divided among threads, processes and machines.
//! * [`disk`]: the states are in sorted files, and new states are found by merging.
//!
//! Each module is a [`Frontier`](explore::Frontier) of the one search in `explore`, so it returns the same
//! [`Summary`](explore::Summary). Values are found on disk alone, as a [`SolvedSummary`]. Both modules access a
//! game only through an [`Expander`](explore::Expander), which takes keys and returns the keys that turns lead
//! to. So nothing here is compiled again for each layout of positions.

pub mod disk;
mod predecessor;
mod summary;
pub mod workers;

pub use summary::{Farthest, SolvedSummary, Ties};
