//! The argument of hooks that return attackers.

use board::{Color, Square, Squares};

/// An attack by a side on a square, with some squares occupied. These may differ from the position's, to learn which
/// units would attack if others were elsewhere.
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
