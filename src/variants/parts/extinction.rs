//! A side that has lost all units that count has lost the game.

use board::Squares;
use position::{Layout, Position};
use rules::{Outcome, Reason};

/// Returns the loss of the side without a unit on `squares`. The side to move is checked first, then the
/// mover.
#[inline(always)]
pub fn lost<W: Layout>(p: &Position<W>, squares: W::Set, reason: Reason) -> Option<Outcome> {
    [p.side, !p.side]
        .into_iter()
        .find(|&side| (p.color(side) & squares).is_empty())
        .map(|loser| Outcome::Win(!loser, reason))
}
