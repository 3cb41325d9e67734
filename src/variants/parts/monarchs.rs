//! Variants whose king and queen are both royal, and variants whose queen alone is royal.

use board::{Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::{Reason, reason};

/// The allowed numbers of monarchs if both are royal. A FEN may lack the queen.
pub const BOTH: &[(Kind, u32, u32)] = &[(Kind::King, 1, 1), (Kind::Queen, 0, 1)];

/// The allowed number of queens if only the queen is royal. The number of kings is not limited.
pub const QUEEN: &[(Kind, u32, u32)] = &[(Kind::Queen, 1, 1)];

/// The promotions of pawns if no further king or queen may arise.
pub const LESSER: &[Kind] = &[Kind::Rook, Kind::Bishop, Kind::Knight];

/// The promotions of pawns if the queen is royal and the king is an ordinary unit.
pub const LESSER_AND_KING: &[Kind] = &[Kind::King, Kind::Rook, Kind::Bishop, Kind::Knight];

/// The meaning of checkmate if king and queen are royal.
pub const MATE_OF_EITHER: (Reason, &str) = (
    reason::CHECKMATE,
    "the side to move has its king or its queen attacked and no legal turn: it loses",
);

/// The meaning of checkmate if the queen is royal.
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
