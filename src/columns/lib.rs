//! Answers as columns: Arrow record batches of the states and edges of game graphs, of the positions and
//! statistics of endgame tables, and of perft counts.
//!
//! Relies on `explore`, `values` and `tables` for the answers, on `report` for the names of columns, and on
//! Arrow for the format. With the feature `parquet`, batches are written as Parquet files. Never searches: a
//! batch holds what was found before.
//!
//! A column has the same name, unit and range as in CSV. Words that repeat (`side`, `value`, `outcome`) are
//! dictionaries. A key is `uint64` if keys of the graph or table fit in 64 bits, otherwise a binary of fixed
//! size with the words of the key in little-endian order.

mod counts;
mod endings;
mod graphs;
mod keys;
#[cfg(feature = "parquet")]
mod parquet_file;
mod stored;
mod turn_lists;
mod words;

pub use arrow_array::RecordBatch;
pub use arrow_schema::{ArrowError, SchemaRef};
pub use counts::{CountRow, counts, depths, divide, plies, statistics, texts};
pub use endings::{TablePositions, probed};
pub use graphs::{Edges, GraphView, States};
#[cfg(feature = "parquet")]
pub use parquet_file::write_parquet;
pub use stored::StoredStates;
pub use turn_lists::TurnLists;

/// The number of rows of a batch in a stream. Large enough that the cost of a batch does not matter, small
/// enough that a batch with FENs fits in a few megabytes.
pub const BATCH_ROWS: usize = 1 << 16;
