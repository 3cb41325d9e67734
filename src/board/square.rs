//! Squares: each is a number, counted rank by rank.

use std::fmt;

/// A square, as the number `rank * files + file`, counted from White's left corner.
/// [`Geometry::name`](super::Geometry::name) returns the square's name, which depends on the board.
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
