//! What the generator is asked for, in one value, so that all its parts take the same question.

use crate::analysis::Analysis;
use board::Kind;
use position::{Layout, Position};
use smallvec::SmallVec;

/// Which turns are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Want {
    /// All.
    All,
    /// Captures.
    Captures,
    /// Units from hand put on the board.
    Drops,
}

/// Kinds to choose from: for a promotion, or to enter from hand.
pub(super) type Choices = SmallVec<[Kind; 8]>;

/// Units in hand that may enter on squares that others leave, with the squares where they may.
pub(super) type Held<S> = SmallVec<[(Kind, S); 4]>;

/// A position whose turns are wanted, and which of them.
#[derive(Clone, Copy)]
pub(super) struct Request<'a, W: Layout> {
    pub position: &'a Position<W>,
    pub analysis: &'a Analysis<'a, W::Set>,
    pub want: Want,
    /// Whether only legal turns are wanted, and not all pseudo-legal ones.
    pub legal: bool,
    /// The squares on which a unit from hand may enter when the unit there leaves.
    pub gates: W::Set,
    /// The units that may enter.
    pub held: &'a Held<W::Set>,
}
