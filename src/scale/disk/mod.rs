//! Exploring and solving with the states in sorted files on disk, while memory holds only a part.
//!
//! * [`Search::explore`]: breadth-first search with delayed duplicate detection (R. E. Korf, "Delayed
//!   duplicate detection", IJCAI 2003). The successors of a level are collected, sorted, written as runs and
//!   merged. Those that are not among the states seen before form the next level. A turn can lead back to any
//!   level, so all levels are searched. The levels are in a few runs, which are merged when there are many
//!   (P. O'Neil et al., "The log-structured merge-tree", 1996).
//! * [`Search::solve`]: the backward pass, distance by distance, over edges on disk ([`external`](::values::external)).
//! * [`Search::certify`]: re-checks every value against those of the successors, which the rules
//!   generate again.
//! * [`Search::find`], [`Search::count`]: questions about the states.
//!
//! Files are read and written sequentially, or in blocks that can be skipped. No file is changed in place, except
//! for the pages of the backward pass, which change through journals. Each level, and each distance, is a
//! checkpoint: a process that is killed loses only the work since the last one.

mod budget;
mod certify;
mod chunk;
mod expand;
mod folder;
mod limits;
mod lookup;
mod questions;
mod records;
mod run;
mod search;
mod spill;
mod states;
#[cfg(test)]
mod tests;
mod values;

pub use ::values::Certificate;
pub use budget::MIN_BYTES;
pub use folder::Question;
pub use limits::Limits;
pub use lookup::Lookup;
pub use questions::{GROUPS_SHARE, Witness};
pub use search::Search;
pub use states::Block;

pub use crate::summary::Counts;

use ::values::MAX_DISTANCE_PLIES;
use control::Stopped;
use control::files::{FileError, FileErrorKind};
use diagnostics::Diagnostic;
use std::path::Path;
use thiserror::Error;

/// The reason why a search on disk ended early. Everything finished before is kept, and the same search
/// resumes from there.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Failed {
    /// The search was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The search was stopped by a limit, so there are no values.
    #[error("the graph is not complete")]
    Incomplete,
    /// A distance exceeds [`MAX_DISTANCE_PLIES`].
    #[error("a distance exceeds {MAX_DISTANCE_PLIES} plies")]
    Distance,
    /// A file cannot be read or written, or is damaged.
    #[error("disk: {0}")]
    File(#[from] FileError),
    /// Wrong input, or too little memory.
    #[error(transparent)]
    Wrong(#[from] Diagnostic),
}

/// Returns the error for a file of a search that cannot be written.
fn unwritable(path: &Path, error: std::io::Error) -> Failed {
    FileError::unwritable(path, &error).into()
}

/// Returns the error for a file of a search that cannot be read. A file that ends early is damaged.
fn unreadable(path: &Path, error: std::io::Error) -> Failed {
    with_help(FileError::unreadable(path, &error))
}

/// Returns the error for a damaged file of a search.
fn damaged(path: &Path, why: &str) -> Failed {
    with_help(FileError::damaged(path, why))
}

fn with_help(error: FileError) -> Failed {
    match error.kind {
        FileErrorKind::Damaged => error
            .help("remove the folder: the search begins again")
            .into(),
        _ => error.into(),
    }
}
