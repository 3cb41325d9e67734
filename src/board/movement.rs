//! The men of a variant as data: the movement (leaps or slides) and the letter of each kind.

use super::{Color, DIRECTIONS, KNIGHT_LEAPS, Kind};

/// Leaps as (files, ranks) offsets. Each direction is listed.
pub type Leaps = &'static [(i32, i32)];

/// Returns the leaps of `a` squares along one axis and `b` along the other, in all eight directions.
const fn eight_leaps(a: i32, b: i32) -> [(i32, i32); 8] {
    [
        (a, b),
        (b, a),
        (b, -a),
        (a, -b),
        (-a, -b),
        (-b, -a),
        (-b, a),
        (-a, b),
    ]
}

/// The lines along which a unit slides, and its range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slides {
    /// Along ranks and files.
    pub orthogonal: bool,
    /// Along diagonals.
    pub diagonal: bool,
    /// The maximum number of squares. 15 is enough for every board.
    pub range: u8,
}

/// The movement of a piece (a unit that is not a pawn). A piece leaps or slides, never both; the rules rely
/// on this to find pins and blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Movement {
    /// A piece that jumps to the offsets, over any units between.
    Leaper(Leaps),
    /// A piece that moves along lines up to the first unit.
    Slider(Slides),
    /// A movement in the variant's own code, for pawns and for units whose movement changes.
    Special,
}

impl Movement {
    /// The king's step.
    pub const KING: Movement = Movement::Leaper(&DIRECTIONS);
    /// The knight's leap.
    pub const KNIGHT: Movement = Movement::Leaper(&KNIGHT_LEAPS);
    /// The camel's leap.
    pub const CAMEL: Movement = Movement::Leaper(&eight_leaps(1, 3));
    /// One square diagonally.
    pub const FERZ: Movement = Movement::Leaper(&[(1, 1), (-1, 1), (-1, -1), (1, -1)]);
    /// Returns the movement of a bishop of up to `range` squares.
    pub const fn bishop(range: u8) -> Movement {
        Movement::Slider(Slides {
            orthogonal: false,
            diagonal: true,
            range,
        })
    }
    /// Returns the movement of a rook of up to `range` squares.
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

/// The written form of a kind of unit: a letter, or a letter with a sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name([u8; 2]);

impl Name {
    /// Returns a name of two ASCII characters. A name of one character has a blank as the second.
    pub(crate) fn new(signs: [u8; 2]) -> Name {
        Name(signs)
    }
}

impl std::ops::Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        let len = if self.0[1] == b' ' { 1 } else { 2 };
        // Every name consists of ASCII characters, so the result is never `?`.
        std::str::from_utf8(&self.0[..len]).unwrap_or("?")
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self)
    }
}

/// The names of the kinds beyond the first six: a letter and a blank, or a letter and a sign for promoted
/// units (`Q~`, `+P`).
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FurtherNames {
    names: [[u8; 2]; Kind::MAX - 6],
    count: u8,
}

impl FurtherNames {
    /// The empty list, for variants without further kinds.
    pub const NONE: FurtherNames = FurtherNames {
        names: [[b' '; 2]; Kind::MAX - 6],
        count: 0,
    };

    /// Appends the name of the next kind.
    ///
    /// # Panics
    /// If there are [`Kind::MAX`] kinds already.
    pub fn push(&mut self, name: [u8; 2]) {
        self.names[self.len()] = name;
        self.count += 1;
    }

    /// Returns the names in the order of the kinds.
    pub fn all(&self) -> &[[u8; 2]] {
        &self.names[..self.len()]
    }

    /// Returns the number of kinds beyond the first six.
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Returns whether there are no kinds beyond the first six.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl std::fmt::Debug for FurtherNames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.all().fmt(f)
    }
}

/// The men of a variant: a movement and a letter for each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Men {
    /// The movement of each kind, by [`Kind::index`].
    pub movements: [Movement; 6],
    /// The upper-case letter of each kind; a blank for a kind that the variant does not have.
    pub letters: [u8; 6],
    /// The names of the kinds beyond the first six.
    pub more: FurtherNames,
    /// Whether the files are divided into two halves, between which no step or attack is possible.
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
        more: FurtherNames::NONE,
        halves: false,
    };

    /// Returns the men with another movement for one kind.
    pub const fn with(mut self, kind: Kind, movement: Movement) -> Men {
        self.movements[kind.index()] = movement;
        self
    }

    /// Returns the number of kinds, including any of the first six that the variant does not have.
    pub fn count(&self) -> usize {
        self.letters.len() + self.more.len()
    }

    /// Returns the kinds that the variant has, in the order of their numbers.
    pub fn kinds(&self) -> impl DoubleEndedIterator<Item = Kind> + Clone + '_ {
        Kind::first(self.count()).filter(|kind| self.signs(*kind)[0] != b' ')
    }

    /// Returns all kinds in the order of material signatures: the king, the kinds beyond the first six, then
    /// queen to pawn.
    pub fn strongest(&self) -> impl Iterator<Item = Kind> + Clone + use<> {
        let beyond = (6..self.count()).rev().map(Kind::from_index);
        std::iter::once(Kind::King)
            .chain(beyond)
            .chain(Kind::first(5).rev())
    }

    fn signs(&self, kind: Kind) -> [u8; 2] {
        match self.letters.get(kind.index()) {
            Some(&letter) => [letter, b' '],
            None => self.more.all()[kind.index() - self.letters.len()],
        }
    }

    /// Returns the name of a unit, in upper case for White.
    pub fn name(&self, color: Color, kind: Kind) -> Name {
        let signs = self.signs(kind);
        Name(match color {
            Color::White => signs,
            Color::Black => signs.map(|sign| sign.to_ascii_lowercase()),
        })
    }

    /// Returns the kind with this name in upper case.
    pub fn named(&self, name: &str) -> Option<Kind> {
        let upper = |sign: &u8| !sign.is_ascii_lowercase();
        let signs: [u8; 2] = match name.as_bytes() {
            [letter] => [*letter, b' '],
            [first, second] => [*first, *second],
            _ => return None,
        };
        (signs[0] != b' ' && signs.iter().all(upper))
            .then(|| self.kinds().find(|&kind| self.signs(kind) == signs))
            .flatten()
    }

    /// Returns the letter of a unit, in upper case for White.
    pub fn letter(&self, color: Color, kind: Kind) -> char {
        color.letter_of_unit(self.signs(kind)[0] as char)
    }

    /// Returns the kind with this upper-case letter.
    pub fn kind(&self, letter: char) -> Option<Kind> {
        Kind::ALL
            .into_iter()
            .find(|k| self.letters[k.index()] as char == letter && letter.is_ascii_uppercase())
    }
}
