//! Results as rows, and exporters for them. Rows are plain structs whose field names include units. The crate
//! formats and writes results of other crates; it never solves positions or prints to a terminal on its own.

pub mod atlas;
pub mod clauses;
pub mod columns;
pub mod compare;
mod condensation;
pub mod design;
pub mod endgames;
pub mod endings;
pub mod explored;
mod files;
mod graph;
pub mod ledger;
pub mod page;
pub mod puzzles;
pub mod reduced;
pub mod sensitivity;
pub mod small_boards;
pub mod solved;
pub mod starts;
pub mod table;
pub mod variants;

pub use condensation::CondensationFile;
pub use files::{Target, is_stdout, make_folder, resolved, write_whole};
pub use graph::{GraphFile, GraphFormat, write_depths};
