//! The request that all parts of the turn generator take.

use crate::analysis::Analysis;
use board::Kind;
use position::{Layout, Position};
use smallvec::SmallVec;

/// The turns to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Want {
    /// All turns.
    All,
    /// Captures only.
    Captures,
    /// Drops only.
    Drops,
}

/// Kinds to choose from, for a promotion or for a unit that enters from hand.
pub(crate) type Choices = SmallVec<[Kind; 8]>;

/// Kinds in hand that may enter when an unmoved unit leaves, each with its allowed squares.
pub(crate) type Held<S> = SmallVec<[(Kind, S); 4]>;

/// A position, and the turns of the position to generate.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a, W: Layout> {
    pub position: &'a Position<W>,
    pub analysis: &'a Analysis<'a, W::Set>,
    pub want: Want,
    /// Whether to generate only legal turns instead of all pseudo-legal turns.
    pub legal: bool,
    /// The open gates of the side to move.
    pub gates: W::Set,
    /// The kinds in hand that may enter on gates.
    pub held: &'a Held<W::Set>,
}
