//! The argument of hooks that ask for attackers.

use board::{Color, Square, Squares};

/// An attack by a side on a square, with some squares occupied. These may differ from those of the position, for
/// questions about a position with other units on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attack<S> {
    /// The attacked square.
    pub target: Square,
    /// The side that attacks.
    pub by: Color,
    /// The squares that block sliders.
    pub occupied: S,
}

impl<S: Squares> Attack<S> {
    /// Returns the attack by a side on a square, with these squares occupied.
    #[inline(always)]
    pub fn on(target: Square, by: Color, occupied: S) -> Attack<S> {
        Attack {
            target,
            by,
            occupied,
        }
    }
}
