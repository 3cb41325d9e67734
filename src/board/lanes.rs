//! The same set of eight boards, side by side.

use super::Squares;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// How many boards stand side by side.
pub const LANES: usize = 8;

/// A set for each of eight boards. Whatever is done is done for all alike, which compilers turn
/// into operations on wide registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lanes<S>(pub [S; LANES]);

impl<S: Squares> Lanes<S> {
    /// Nothing on any board.
    pub const EMPTY: Lanes<S> = Lanes([S::EMPTY; LANES]);

    /// The same set on each board.
    #[inline(always)]
    pub fn all(set: S) -> Lanes<S> {
        Lanes([set; LANES])
    }

    /// How many squares each set has.
    #[inline(always)]
    pub fn len(self) -> [u32; LANES] {
        let mut len = [0; LANES];
        for (len, set) in len.iter_mut().zip(self.0) {
            *len = set.len();
        }
        len
    }

    /// The words turned by so many bits, modulo their width, towards higher numbers.
    #[inline(always)]
    pub(super) fn turned(self, by: u64) -> Lanes<S> {
        self.each(|set| set.turned(by as u32))
    }

    #[inline(always)]
    fn each(mut self, of: impl Fn(S) -> S) -> Lanes<S> {
        for lane in 0..LANES {
            self.0[lane] = of(self.0[lane]);
        }
        self
    }

    #[inline(always)]
    fn zip(mut self, other: Lanes<S>, of: impl Fn(S, S) -> S) -> Lanes<S> {
        for lane in 0..LANES {
            self.0[lane] = of(self.0[lane], other.0[lane]);
        }
        self
    }
}

impl<S: Squares> BitAnd for Lanes<S> {
    type Output = Lanes<S>;

    #[inline(always)]
    fn bitand(self, other: Lanes<S>) -> Lanes<S> {
        self.zip(other, |a, b| a & b)
    }
}

impl<S: Squares> BitOr for Lanes<S> {
    type Output = Lanes<S>;

    #[inline(always)]
    fn bitor(self, other: Lanes<S>) -> Lanes<S> {
        self.zip(other, |a, b| a | b)
    }
}

impl<S: Squares> BitOrAssign for Lanes<S> {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Lanes<S>) {
        *self = *self | other;
    }
}

impl<S: Squares> Not for Lanes<S> {
    type Output = Lanes<S>;

    #[inline(always)]
    fn not(self) -> Lanes<S> {
        self.each(|set| !set)
    }
}
