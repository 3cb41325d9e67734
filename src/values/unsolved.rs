//! The errors of solving and certifying graphs.

use crate::retro::Unsettled;
use crate::value::MAX_DISTANCE_PLIES;
use control::{Shortage, Stopped};
use thiserror::Error;

/// The reason why a graph was not solved, or not certified.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Unsolved {
    /// The computation was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The search that built the graph was stopped, so states without turns may not be terminal.
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
