//! King and queen: both royal, or the queen alone.

use board::{Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::{Reason, reason};

/// Both are royal; a FEN may do without the queen.
pub const BOTH: &[(Kind, u32, u32)] = &[(Kind::King, 1, 1), (Kind::Queen, 0, 1)];

/// The queen alone is royal; kings are ordinary units, of any number.
pub const QUEEN: &[(Kind, u32, u32)] = &[(Kind::Queen, 1, 1)];

/// What pawns become where no further monarch may arise.
pub const LESSER: &[Kind] = &[Kind::Rook, Kind::Bishop, Kind::Knight];

/// What pawns become where the king is ordinary and the queen royal.
pub const LESSER_AND_KING: &[Kind] = &[Kind::King, Kind::Rook, Kind::Bishop, Kind::Knight];

/// Checkmate where king and queen are royal.
pub const MATE_OF_EITHER: (Reason, &str) = (
    reason::CHECKMATE,
    "the side to move has its king or its queen attacked and no legal turn: it loses",
);

/// Checkmate where the queen is royal.
pub const MATE_OF_QUEEN: (Reason, &str) = (
    reason::CHECKMATE,
    "the side to move has its queen attacked and no legal turn: it loses",
);

/// Returns the king and queen of a side.
#[inline(always)]
pub fn monarchs<W: Layout>(p: &Position<W>, color: Color) -> W::Set {
    (p.kind(Kind::King) | p.kind(Kind::Queen)) & p.color(color)
}

/// Returns the queen of a side that has exactly one.
#[inline(always)]
pub fn queen<W: Layout>(p: &Position<W>, color: Color) -> Option<Square> {
    p.units(color, Kind::Queen).first()
}
