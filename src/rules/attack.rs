//! The argument of hooks that return attackers: target, side and occupied squares.

use board::{Color, Square, Squares};

/// An attack by a side on a square, with some squares occupied. The occupied squares may differ from those of
/// the position, to find the units that would attack if others were elsewhere.
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
    /// Returns the attack by the side `by` on a square, with these squares occupied.
    #[inline(always)]
    pub fn on(target: Square, by: Color, occupied: S) -> Attack<S> {
        Attack {
            target,
            by,
            occupied,
        }
    }
}
