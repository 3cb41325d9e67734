//! The movement of a kind of one side, square by square.

use crate::builder::{BySquare, Special};
use board::Squares;

/// The movement of a kind of one side.
#[derive(Clone, Debug)]
pub struct Moves<S> {
    /// By square, the targets of leaps.
    pub quiet: BySquare<S>,
    /// By square, the squares that leaps attack.
    pub attack: BySquare<S>,
    /// Tables of lines, each with its purpose ([`QUIET`], [`ATTACK`] or both).
    pub lines: Vec<(u16, u8)>,
    /// The other moves, each with its purpose.
    pub specials: Vec<(Special<S>, u8)>,
    /// Whether it attacks exactly the squares that it can go to.
    pub alike: bool,
    /// The steps of which all its moves consist, if they are few: see [`Way`].
    pub ways: Option<Vec<Way<S>>>,
    /// The squares that it may go to and attack.
    pub mobility: S,
    /// For each square, the squares to which a unit that has moved could go with any units around it: lines
    /// and hops to the edge. The long steps of pawns are left out.
    pub always: BySquare<S>,
    /// For each square, the squares to which only its first step could go, in the same way.
    pub only_first: BySquare<S>,
    /// Squares from which it can go somewhere on an empty board, first steps aside.
    pub mobile: S,
}

/// A step of a kind, from all squares where it can be made: its offset, and the squares that it passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way<S> {
    /// The difference between the numbers of target and origin.
    pub by: i32,
    /// The squares that must be vacant, as differences from the number of the origin.
    pub over: Vec<i32>,
    /// Its purpose: [`QUIET`], [`ATTACK`] or both.
    pub uses: u8,
    /// The squares of origin.
    pub from: S,
}

impl<S: Squares> Way<S> {
    /// Returns the targets of the step for these units, regardless of what is there.
    #[inline(always)]
    pub fn goals(&self, units: S, occupied: S) -> S {
        let mut from = units & self.from;
        for &over in &self.over {
            from &= !occupied.shift(-over);
        }
        from.shift(self.by)
    }
}
