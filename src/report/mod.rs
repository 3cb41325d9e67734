//! Results as files: plain rows and the formats they are written in.

mod files;
mod graph;
pub mod ledger;

pub use files::write_whole;
pub use graph::{write_depths, write_dot, write_graphml};
