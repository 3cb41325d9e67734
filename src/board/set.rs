//! Sets of squares as the bits of one word: 64 bits for up to 64 squares, otherwise 128.

use super::Square;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares. Implemented by `u64` and `u128`; bit `n` is square `n`.
pub trait Squares:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    /// The empty set.
    const EMPTY: Self;
    /// The maximum number of squares in a set.
    const CAPACITY: usize;

    /// Returns the set of one square.
    fn of(square: Square) -> Self;
    /// Returns the set of the `n` lowest squares; `n` is at most [`CAPACITY`](Self::CAPACITY).
    fn first_n(n: usize) -> Self;
    /// Returns whether a square is in the set.
    fn has(self, square: Square) -> bool;
    /// Returns the number of squares.
    fn len(self) -> u32;
    /// Returns whether the set is empty.
    fn is_empty(self) -> bool;
    /// Returns the square with the lowest number. The result for the empty set is meaningless.
    fn lowest(self) -> Square;
    /// Returns the set without its lowest square.
    fn without_lowest(self) -> Self;
    /// Returns the set of the highest square. Returns the set of square 0 for the empty set, as
    /// [`Line::seen`](super::Line::seen) requires.
    fn highest_or_zero(self) -> Self;
    /// Returns the set moved by `by` squares toward higher numbers, or toward lower numbers if `by` is
    /// negative. Squares that leave the word are dropped.
    fn shift(self, by: i32) -> Self;
    /// Returns the word rotated left by `by` bits.
    fn rotated(self, by: u32) -> Self;
    /// Returns the wrapping difference of the two words.
    fn minus(self, other: Self) -> Self;
    /// Returns the word, widened to 128 bits.
    fn bits(self) -> u128;
    /// Returns the set with the bits of a word. Bits beyond the capacity are dropped.
    fn from_bits(bits: u128) -> Self;

    /// Returns the squares in increasing order.
    #[inline]
    fn iter(self) -> SquaresIter<Self> {
        SquaresIter(self)
    }

    /// Returns whether there are two or more squares.
    #[inline]
    fn several(self) -> bool {
        !self.without_lowest().is_empty()
    }

    /// Returns the lowest square, if there is one.
    #[inline]
    fn first(self) -> Option<Square> {
        (!self.is_empty()).then(|| self.lowest())
    }

    /// Returns the set without one square.
    #[inline]
    fn without(self, square: Square) -> Self {
        self & !Self::of(square)
    }

    /// Returns the set with one more square.
    #[inline]
    fn with(self, square: Square) -> Self {
        self | Self::of(square)
    }
}

macro_rules! squares {
    ($word:ty, $bits:literal) => {
        impl Squares for $word {
            const EMPTY: Self = 0;
            const CAPACITY: usize = $bits;

            #[inline(always)]
            fn of(square: Square) -> Self {
                1 << (square.0 & ($bits - 1))
            }
            #[inline(always)]
            fn first_n(n: usize) -> Self {
                if n >= $bits { Self::MAX } else { (1 << n) - 1 }
            }
            #[inline(always)]
            fn has(self, square: Square) -> bool {
                self & Self::of(square) != 0
            }
            #[inline(always)]
            fn len(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn is_empty(self) -> bool {
                self == 0
            }
            #[inline(always)]
            fn lowest(self) -> Square {
                Square(self.trailing_zeros() as u8)
            }
            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline(always)]
            fn highest_or_zero(self) -> Self {
                (1 << ($bits - 1)) >> (self | 1).leading_zeros()
            }
            #[inline(always)]
            fn shift(self, by: i32) -> Self {
                if by >= 0 {
                    self.checked_shl(by as u32).unwrap_or(0)
                } else {
                    self.checked_shr(-by as u32).unwrap_or(0)
                }
            }
            #[inline(always)]
            fn rotated(self, by: u32) -> Self {
                self.rotate_left(by)
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn bits(self) -> u128 {
                self as u128
            }
            #[inline(always)]
            fn from_bits(bits: u128) -> Self {
                bits as Self
            }
        }
    };
}
squares!(u64, 64);
squares!(u128, 128);

/// An iterator over a set from its lowest square to its highest.
#[derive(Clone, Copy, Debug)]
pub struct SquaresIter<S>(S);

impl<S: Squares> Iterator for SquaresIter<S> {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0.is_empty() {
            return None;
        }
        let square = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.len() as usize;
        (n, Some(n))
    }
}

impl<S: Squares> ExactSizeIterator for SquaresIter<S> {}
