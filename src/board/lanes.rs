//! Square sets of eight boards in parallel lanes, so that one operation works on all eight.

use super::Squares;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// The number of boards in parallel.
pub const LANES: usize = 8;

/// One set for each of eight boards. Every operation works on all lanes alike, so that compilers use vector
/// registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lanes<S>(pub [S; LANES]);

impl<S: Squares> Lanes<S> {
    /// The empty set on each board.
    pub const EMPTY: Lanes<S> = Lanes([S::EMPTY; LANES]);

    /// Returns lanes with the same set on each board.
    #[inline(always)]
    pub fn all(set: S) -> Lanes<S> {
        Lanes([set; LANES])
    }

    /// Returns the number of squares in each set.
    #[inline(always)]
    pub fn len(self) -> [u32; LANES] {
        let mut len = [0; LANES];
        for (len, set) in len.iter_mut().zip(self.0) {
            *len = set.len();
        }
        len
    }

    /// Returns the words rotated left by `by` bits.
    #[inline(always)]
    pub(super) fn rotated(self, by: u64) -> Lanes<S> {
        self.each(|set| set.rotated(by as u32))
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
