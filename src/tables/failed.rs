//! The errors that end a build or a certification early.

use control::files::FileError;
use control::{Shortage, Stopped};
use diagnostics::Diagnostic;
use thiserror::Error;
use values::MAX_DISTANCE_PLIES;

/// The reason why a build or a certification ended early.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Failed {
    /// A stop was requested, or a time limit was reached. Everything finished before is kept.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A group of classes needs more memory than allowed. Work on it has not begun.
    #[error("memory: `{name}` with {indices} indices {shortage}")]
    Memory {
        /// The first class of the group.
        name: String,
        /// The number of indices of the group.
        indices: u64,
        /// The bytes needed and allowed.
        shortage: Shortage,
    },
    /// More positions must be examined than the limit allows.
    #[error(
        "positions: `{name}` and what it is built with have at least {needed}, {left} are left"
    )]
    Positions {
        /// A class that the build needs.
        name: String,
        /// The minimum number of positions that must be examined.
        needed: u64,
        /// The number of positions that may still be examined.
        left: u64,
    },
    /// A distance exceeds [`MAX_DISTANCE_PLIES`].
    #[error("table: a distance exceeds {MAX_DISTANCE_PLIES} plies")]
    Distance,
    /// A file cannot be read or written, or is damaged.
    #[error("disk: {0}")]
    File(#[from] FileError),
    /// The input is wrong.
    #[error(transparent)]
    Wrong(#[from] Diagnostic),
}

impl Failed {
    /// Returns whether a stop was requested.
    pub fn is_interrupted(&self) -> bool {
        *self == Failed::Stopped(Stopped::Interrupted)
    }
}
