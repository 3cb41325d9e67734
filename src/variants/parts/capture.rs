//! Games without royal units ([`Safety::NoRoyals`](rules::Safety::NoRoyals)). Kings may be attacked and
//! captured, and castling needs only rights and empty squares.

use board::{Kind, Squares};
use position::{Layout, Position};
use rules::{Action, Reason, Step, reason};

/// The meaning of stalemate in a game without check.
pub const STALEMATE: (Reason, &str) = (
    reason::STALEMATE,
    "the side to move has no legal turn: a draw",
);

/// The meaning of losing the king.
pub const KING_CAPTURED: (Reason, &str) = (
    reason::KING_CAPTURED,
    "a side without a king has lost; the side to move is checked first",
);

/// The meaning of losing both king and queen.
pub const MONARCHS_CAPTURED: (Reason, &str) = (
    reason::MONARCHS_CAPTURED,
    "a side with neither king nor queen has lost; the side to move is checked first",
);

/// Returns the kind of unit that a step of the side to move captures, or `None` if it does not capture.
#[inline(always)]
pub fn victim<W: Layout>(before: &Position<W>, step: Step) -> Option<Kind> {
    match step.action() {
        Action::Go if before.color(!before.side).has(step.to) => Some(before.kind_on(step.to)),
        Action::EnPassant => Some(Kind::Pawn),
        _ => None,
    }
}
