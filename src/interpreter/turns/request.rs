//! A request to the turn generator, which all of its parts take.

use crate::analysis::Analysis;
use board::Kind;
use position::{Layout, Position};
use smallvec::SmallVec;

/// The turns that are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Want {
    /// All turns.
    All,
    /// Captures only.
    Captures,
    /// Drops only.
    Drops,
}

/// The kinds to choose from: for a promotion, or to enter from hand.
pub(super) type Choices = SmallVec<[Kind; 8]>;

/// Units in hand that may enter on squares that others leave, with those squares.
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
