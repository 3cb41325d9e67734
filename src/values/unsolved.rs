//! Why a graph has no values.

use crate::retro::Unsettled;
use crate::value::MAX_DISTANCE_PLIES;
use control::{Shortage, Stopped};
use thiserror::Error;

/// Why a graph was not solved, or not certified.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Unsolved {
    /// It was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The search that made the graph was stopped: states without turns may not be terminal.
    #[error("the graph is not complete")]
    Incomplete,
    /// A distance exceeds [`MAX_DISTANCE_PLIES`].
    #[error("a distance exceeds {MAX_DISTANCE_PLIES} plies")]
    Distance,
    /// The graph, its states and values need more memory than allowed.
    #[error("memory: solving {0}")]
    Memory(Shortage),
}

impl From<Unsettled> for Unsolved {
    fn from(why: Unsettled) -> Unsolved {
        match why {
            Unsettled::Stopped(stopped) => Unsolved::Stopped(stopped),
            Unsettled::Distance => Unsolved::Distance,
        }
    }
}

impl Unsolved {
    /// Returns whether a stop was requested.
    pub fn is_interrupted(&self) -> bool {
        *self == Unsolved::Stopped(Stopped::Interrupted)
    }
}
