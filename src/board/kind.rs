//! The two sides and the six kinds of unit.

use serde::{Deserialize, Serialize};
use std::ops::Not;

/// A side. White is the first player, whatever the color of his men.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Color {
    /// The first player.
    White,
    /// The second player.
    Black,
}

impl Color {
    /// Both sides, the first player first.
    pub const BOTH: [Color; 2] = [Color::White, Color::Black];

    /// 0 for White, 1 for Black.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// The letter of FEN's second field.
    pub fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }
}

impl Not for Color {
    type Output = Color;
    #[inline]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// A kind of unit. The names are those of the standard set; a variant says with
/// [`Men`](super::Men) how each moves and which letter it is written with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// `P` in the standard set.
    Pawn,
    /// `N` in the standard set.
    Knight,
    /// `B` in the standard set.
    Bishop,
    /// `R` in the standard set.
    Rook,
    /// `Q` in the standard set.
    Queen,
    /// `K` in the standard set.
    King,
}

impl Kind {
    /// All kinds, in the order of their indices.
    pub const ALL: [Kind; 6] = [
        Kind::Pawn,
        Kind::Knight,
        Kind::Bishop,
        Kind::Rook,
        Kind::Queen,
        Kind::King,
    ];

    /// 0 (pawn) to 5 (king).
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// The kind with this index, which must be below six.
    #[inline]
    pub fn from_index(index: usize) -> Kind {
        Kind::ALL[index]
    }
}
