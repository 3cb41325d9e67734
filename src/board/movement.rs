//! How the men of a variant move, as data: leaps and slides for each kind, and their letters.

use super::{Color, Kind};

/// Leaps as (files, ranks) offsets, written out for every direction.
pub type Leaps = &'static [(i8, i8)];

/// Which lines a unit slides along, and how far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slides {
    /// Along ranks and files.
    pub orthogonal: bool,
    /// Along diagonals.
    pub diagonal: bool,
    /// How many squares at most (15 is as far as any board goes).
    pub range: u8,
}

/// How a kind of unit moves when it is no pawn. A unit leaps or slides, never both: the pin and
/// block logic of the rules rests on that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Movement {
    /// Goes to the offsets, whatever stands between.
    Leaper(Leaps),
    /// Goes along lines up to the first unit.
    Slider(Slides),
    /// The variant's own code says how (pawns, and units whose power changes).
    Special,
}

impl Movement {
    /// The king's step.
    pub const KING: Movement = Movement::Leaper(&[
        (1, 0),
        (1, 1),
        (0, 1),
        (-1, 1),
        (-1, 0),
        (-1, -1),
        (0, -1),
        (1, -1),
    ]);
    /// The knight's leap.
    pub const KNIGHT: Movement = Movement::Leaper(&[
        (1, 2),
        (2, 1),
        (2, -1),
        (1, -2),
        (-1, -2),
        (-2, -1),
        (-2, 1),
        (-1, 2),
    ]);
    /// One square diagonally.
    pub const FERZ: Movement = Movement::Leaper(&[(1, 1), (-1, 1), (-1, -1), (1, -1)]);
    /// The bishop, up to `range` squares.
    pub const fn bishop(range: u8) -> Movement {
        Movement::Slider(Slides {
            orthogonal: false,
            diagonal: true,
            range,
        })
    }
    /// The rook, up to `range` squares.
    pub const fn rook(range: u8) -> Movement {
        Movement::Slider(Slides {
            orthogonal: true,
            diagonal: false,
            range,
        })
    }
    /// The queen.
    pub const QUEEN: Movement = Movement::Slider(Slides {
        orthogonal: true,
        diagonal: true,
        range: 15,
    });
}

/// The men of a variant: a movement and a letter for each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Men {
    /// How each kind moves, by [`Kind::index`].
    pub movements: [Movement; 6],
    /// Upper-case letter of each kind; a blank for a kind that the variant does not have.
    pub letters: [u8; 6],
    /// Whether no step, attack or slide crosses the middle between the files.
    pub halves: bool,
}

impl Men {
    /// The orthodox men.
    pub const FIDE: Men = Men {
        movements: [
            Movement::Special,
            Movement::KNIGHT,
            Movement::bishop(15),
            Movement::rook(15),
            Movement::QUEEN,
            Movement::KING,
        ],
        letters: *b"PNBRQK",
        halves: false,
    };

    /// These men with another movement for one kind.
    pub const fn with(mut self, kind: Kind, movement: Movement) -> Men {
        self.movements[kind.index()] = movement;
        self
    }

    /// The letter of a unit: upper case for White.
    pub fn letter(&self, color: Color, kind: Kind) -> char {
        let letter = self.letters[kind.index()] as char;
        match color {
            Color::White => letter,
            Color::Black => letter.to_ascii_lowercase(),
        }
    }

    /// The kind written with this upper-case letter.
    pub fn kind(&self, letter: char) -> Option<Kind> {
        Kind::ALL
            .into_iter()
            .find(|k| self.letters[k.index()] as char == letter && letter.is_ascii_uppercase())
    }
}
