//! A square of a board, as its number rank by rank.

use std::fmt;

/// A square: `rank * files + file`, counted from White's left corner. Its name depends on the board, so
/// [`Geometry`](super::Geometry) gives it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(pub u8);

impl Square {
    /// Returns the number as an index into tables.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}
