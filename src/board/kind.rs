//! The two sides, and the kinds of unit as numbers.

use serde::{Deserialize, Serialize};
use std::ops::Not;

/// A side. White is the side that moves first, whatever color the men have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first.
    White,
    /// The side that moves second.
    Black,
}

impl Color {
    /// Both sides, White first.
    pub const BOTH: [Color; 2] = [Color::White, Color::Black];

    /// Returns 0 for White and 1 for Black.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// Returns the side of the unit with this letter: White if the letter is in upper case.
    pub fn of_letter(letter: char) -> Color {
        match letter.is_ascii_uppercase() {
            true => Color::White,
            false => Color::Black,
        }
    }

    /// Returns a letter in the case of the side's units: upper case for White.
    pub fn letter_of_unit(self, letter: char) -> char {
        match self {
            Color::White => letter.to_ascii_uppercase(),
            Color::Black => letter.to_ascii_lowercase(),
        }
    }

    /// Returns `White` or `Black`.
    pub fn name(self) -> &'static str {
        match self {
            Color::White => "White",
            Color::Black => "Black",
        }
    }

    /// Returns the side's letter in the second field of a FEN.
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

/// A kind of unit, as a number. The first six kinds have the names of the standard set. A variant's
/// [`Men`](super::Men) define the movement and the letter of each kind. The layout of a position determines
/// whether the position can hold only the first six kinds or all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(u8);

#[allow(non_upper_case_globals)]
impl Kind {
    /// `P` in the standard set.
    pub const Pawn: Kind = Kind(0);
    /// `N` in the standard set.
    pub const Knight: Kind = Kind(1);
    /// `B` in the standard set.
    pub const Bishop: Kind = Kind(2);
    /// `R` in the standard set.
    pub const Rook: Kind = Kind(3);
    /// `Q` in the standard set.
    pub const Queen: Kind = Kind(4);
    /// `K` in the standard set.
    pub const King: Kind = Kind(5);
}

impl Kind {
    /// The kinds of the standard set, in the order of their indices.
    pub const ALL: [Kind; 6] = [
        Kind::Pawn,
        Kind::Knight,
        Kind::Bishop,
        Kind::Rook,
        Kind::Queen,
        Kind::King,
    ];

    /// The maximum number of kinds, including those of the standard set.
    pub const MAX: usize = 63;

    /// Returns the number of the kind: 0 (pawn) to 5 (king) in the standard set, and always below
    /// [`MAX`](Self::MAX).
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the kind with this number, which must be below [`MAX`](Self::MAX).
    #[inline(always)]
    pub const fn from_index(index: usize) -> Kind {
        Kind(index as u8)
    }

    /// Returns the first `count` kinds, by their numbers.
    pub fn first(
        count: usize,
    ) -> impl DoubleEndedIterator<Item = Kind> + ExactSizeIterator + Clone {
        (0..count).map(Kind::from_index)
    }
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const NAMES: [&str; 6] = ["Pawn", "Knight", "Bishop", "Rook", "Queen", "King"];
        match NAMES.get(self.index()) {
            Some(name) => f.write_str(name),
            None => write!(f, "Kind({})", self.0),
        }
    }
}
