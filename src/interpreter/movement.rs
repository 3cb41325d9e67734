//! How a kind of one side moves, square by square.

use crate::builder::{BySquare, Special};
use board::Squares;

/// How a kind of one side moves.
#[derive(Clone, Debug)]
pub struct Moves<S> {
    /// By square, where leaps lead.
    pub quiet: BySquare<S>,
    /// By square, what leaps attack.
    pub attack: BySquare<S>,
    /// Tables of lines, each with what it is for.
    pub lines: Vec<(u16, u8)>,
    /// The other moves, each with what it is for.
    pub specials: Vec<(Special<S>, u8)>,
    /// Whether it attacks where it can go and the reverse.
    pub alike: bool,
    /// The steps of which all its moves consist, if they are few: see [`Way`].
    pub ways: Option<Vec<Way<S>>>,
    /// The squares that it may go to and attack.
    pub mobility: S,
    /// For each square, where a unit that has moved could go, whatever stands where: lines and hops to the
    /// edge. The long steps of pawns are left aside.
    pub always: BySquare<S>,
    /// For each square, where its first step alone can lead, in the same way.
    pub only_first: BySquare<S>,
    /// Squares from which it can go somewhere on an empty board, first steps aside.
    pub mobile: S,
}

/// A step of a kind, from wherever it can be made: by how many squares, and over which.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way<S> {
    /// To the square whose number is greater by this.
    pub by: i32,
    /// Squares that must be vacant: by how much their numbers are greater.
    pub over: Vec<i32>,
    /// What it is for: [`QUIET`], [`ATTACK`] or both.
    pub uses: u8,
    /// From where.
    pub from: S,
}

impl<S: Squares> Way<S> {
    /// Returns where the step leads these units, what stands there left aside.
    #[inline(always)]
    pub fn goals(&self, units: S, occupied: S) -> S {
        let mut from = units & self.from;
        for &over in &self.over {
            from &= !occupied.shift(-over);
        }
        from.shift(self.by)
    }
}
