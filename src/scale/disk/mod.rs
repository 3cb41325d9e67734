//! Exploring and solving with the states in sorted files on disk, while memory holds only a part.
//!
//! * [`Search::explore`]: breadth-first search with delayed duplicate detection (R. E. Korf, "Delayed
//!   duplicate detection", IJCAI 2003). The successors of a level are collected, sorted, written as
//!   runs and merged; those that are not among the states seen before are the next level. A turn can
//!   lead back to any level, so all of them are searched, in a few runs that are merged as
//!   they become many (P. O'Neil et al., "The log-structured merge-tree", 1996).
//! * [`Search::solve`]: the backward pass, distance by distance, over edges on disk, sorted by the
//!   state they lead to.
//! * [`Search::certify`]: re-checks every value against those of the successors, which the rules
//!   generate again.
//!
//! Files are read and written from the first byte to the last, or in blocks that are skipped, never
//! changed in place except for a scratch file that a restart creates again. Each level, and each distance,
//! is a checkpoint: a process that is killed loses only the work since the last one.

mod budget;
mod certify;
mod expand;
mod folder;
mod limits;
mod records;
mod run;
mod search;
mod solving;
mod spill;
#[cfg(test)]
mod tests;
mod values;

pub use budget::MIN_BYTES;
pub use certify::{Certificate, Fault};
pub use expand::Graph;
pub use folder::Question;
pub use limits::Limits;
pub use search::Search;
pub use solving::Counts;
pub use values::Lookup;

use ::values::MAX_DISTANCE_PLIES;
use diagnostics::InputError;
use std::fmt;
use std::io::ErrorKind;
use std::path::Path;

/// Why a search on disk did not come to its end. What was finished before is kept, and the same
/// search resumes from there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// The caller requested a stop.
    Interrupted,
    /// The search was stopped by a limit: there are no values.
    Incomplete,
    /// A distance outgrows [`MAX_DISTANCE_PLIES`].
    Distance,
    /// Wrong input, too little memory, or a file that cannot be read or written.
    Wrong(InputError),
}

impl From<InputError> for Stopped {
    fn from(error: InputError) -> Stopped {
        Stopped::Wrong(error)
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Interrupted => f.write_str("interrupted"),
            Stopped::Incomplete => f.write_str("the graph is not complete"),
            Stopped::Distance => write!(f, "a distance outgrows {MAX_DISTANCE_PLIES} plies"),
            Stopped::Wrong(error) => error.fmt(f),
        }
    }
}

/// Returns a file that cannot be written.
fn unwritable(path: &Path, error: std::io::Error) -> Stopped {
    let full = [
        ErrorKind::StorageFull,
        ErrorKind::QuotaExceeded,
        ErrorKind::FileTooLarge,
    ]
    .contains(&error.kind());
    let why = format!("`{}` cannot be written: {error}", path.display());
    let wrong = InputError::new("disk", why);
    Stopped::Wrong(match full {
        true => wrong.help("make room: the same command goes on from the last whole step"),
        false => wrong,
    })
}

/// Returns a file that cannot be read.
fn unreadable(path: &Path, error: std::io::Error) -> Stopped {
    match error.kind() {
        ErrorKind::UnexpectedEof => damaged(path, "it is too short"),
        _ => {
            let why = format!("`{}` cannot be read: {error}", path.display());
            Stopped::Wrong(InputError::new("disk", why))
        }
    }
}

/// Returns a file that holds something else than was written.
fn damaged(path: &Path, why: &str) -> Stopped {
    let why = format!("`{}` is damaged: {why}", path.display());
    Stopped::Wrong(InputError::new("disk", why).help("remove the folder: the search begins anew"))
}
