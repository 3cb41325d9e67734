//! Loss by extinction: a side without units of certain kinds has lost the game.

use board::Squares;
use position::{Layout, Position};
use rules::{Outcome, Reason};

/// Returns the outcome if a side has no unit on `squares`: that side has lost. The side to move is checked
/// first, then the side that has just moved.
#[inline(always)]
pub fn lost<W: Layout>(p: &Position<W>, squares: W::Set, reason: Reason) -> Option<Outcome> {
    [p.side, !p.side]
        .into_iter()
        .find(|&side| (p.color(side) & squares).is_empty())
        .map(|loser| Outcome::Win(!loser, reason))
}
