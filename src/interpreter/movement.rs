//! The movement of a kind of one side, square by square.

use crate::builder::{BySquare, Special};
use board::Squares;

/// The movement of a kind of one side.
#[derive(Clone, Debug)]
pub struct Moves<S> {
    /// By square, the targets of quiet leaps.
    pub quiet: BySquare<S>,
    /// By square, the squares that leaps attack.
    pub attack: BySquare<S>,
    /// The numbers of tables of lines, each with its uses (`QUIET`, `ATTACK` or both).
    pub lines: Vec<(u16, u8)>,
    /// The lame steps, hops and walks, each with its uses.
    pub specials: Vec<(Special<S>, u8)>,
    /// Whether all moves are both quiet moves and attacks.
    pub alike: bool,
    /// All moves as setwise steps, or `None` if the moves are not of this form or there are too many.
    pub ways: Option<Vec<Way<S>>>,
    /// The squares that units of the kind may enter and attack.
    pub mobility: S,
    /// By square, the squares that quiet steps can reach for some placement of other units, up to the edge.
    /// First steps and the long steps of pawns are not included.
    pub always: BySquare<S>,
    /// By square, the further squares that only a first step can reach for some placement of other units.
    pub only_first: BySquare<S>,
    /// The squares from which a unit can move for some placement of other units, without first steps.
    pub mobile: S,
}

/// A setwise step: a step of a kind with a fixed offset, for all squares from which it can be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way<S> {
    /// The number of the target minus the number of the origin.
    pub by: i32,
    /// The squares that must be vacant, as differences from the number of the origin.
    pub over: Vec<i32>,
    /// Its uses: `QUIET`, `ATTACK` or both.
    pub uses: u8,
    /// The squares from which the step can be made.
    pub from: S,
}

impl<S: Squares> Way<S> {
    /// Returns the targets of the step for these units. The targets may be occupied.
    #[inline(always)]
    pub fn goals(&self, units: S, occupied: S) -> S {
        let mut from = units & self.from;
        for &over in &self.over {
            from &= !occupied.shift(-over);
        }
        from.shift(self.by)
    }
}
