//! Squares, the board, the position, steps and turns.

use std::collections::BTreeMap;

/// An empty square.
pub const EMPTY: char = '.';
/// A square that does not exist.
pub const HOLE: char = '*';

/// A rectangle of squares: a1, b1, ..., a2, b2, ...
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    pub files: usize,
    pub ranks: usize,
    /// `EMPTY`, `HOLE` or the letter of a unit.
    pub cells: Vec<char>,
}

impl Board {
    /// Returns the numbers of all squares of the rectangle, holes included.
    pub fn squares(&self) -> std::ops::Range<usize> {
        0..self.cells.len()
    }

    pub fn file(&self, square: usize) -> usize {
        square % self.files
    }

    pub fn rank(&self, square: usize) -> usize {
        square / self.files
    }

    /// Returns the rank of a square as the side counts ranks: 0 for its first rank, `ranks - 1` for its last.
    pub fn depth(&self, square: usize, white: bool) -> usize {
        if white {
            self.rank(square)
        } else {
            self.ranks - 1 - self.rank(square)
        }
    }

    /// Returns the square with these coordinates, or `None` if it is outside the rectangle or a hole.
    pub fn at(&self, file: i32, rank: i32) -> Option<usize> {
        if file < 0 || rank < 0 || file >= self.files as i32 || rank >= self.ranks as i32 {
            return None;
        }
        let square = rank as usize * self.files + file as usize;
        (self.cells[square] != HOLE).then_some(square)
    }

    /// Returns the square `files` to the right and `ranks` up, if it exists.
    pub fn offset(&self, from: usize, files: i32, ranks: i32) -> Option<usize> {
        self.at(
            self.file(from) as i32 + files,
            self.rank(from) as i32 + ranks,
        )
    }

    /// Returns the name of a square, such as `e4`.
    pub fn name(&self, square: usize) -> String {
        let file = (b'a' + self.file(square) as u8) as char;
        format!("{file}{}", self.rank(square) + 1)
    }

    /// Returns the square with this name, or `None` if it is outside the rectangle. It may be a hole.
    pub fn named(&self, name: &str) -> Option<usize> {
        self.squares().find(|&square| self.name(square) == name)
    }

    pub fn is_empty(&self, square: usize) -> bool {
        self.cells[square] == EMPTY
    }

    pub fn is_hole(&self, square: usize) -> bool {
        self.cells[square] == HOLE
    }

    /// Returns the letter of the unit on the square.
    pub fn unit(&self, square: usize) -> Option<char> {
        let cell = self.cells[square];
        (cell != EMPTY && cell != HOLE).then_some(cell)
    }

    /// Returns the kind of the unit on the square, in upper case.
    pub fn kind(&self, square: usize) -> Option<char> {
        self.unit(square).map(|unit| unit.to_ascii_uppercase())
    }

    /// Returns the side of the unit on the square, true for White.
    pub fn side(&self, square: usize) -> Option<bool> {
        self.unit(square).map(|unit| unit.is_ascii_uppercase())
    }

    /// Returns whether the side has a unit on the square.
    pub fn owns(&self, white: bool, square: usize) -> bool {
        self.side(square) == Some(white)
    }

    /// Returns the squares of all units of a side.
    pub fn units(&self, white: bool) -> impl Iterator<Item = usize> {
        self.squares().filter(move |&s| self.owns(white, s))
    }

    /// Returns the squares of the units of one kind (upper case) of a side.
    pub fn find(&self, white: bool, kind: char) -> Vec<usize> {
        let letter = letter(white, kind);
        self.squares()
            .filter(|&s| self.cells[s] == letter)
            .collect()
    }

    /// Returns the number of a side's units of one kind (upper case).
    pub fn count(&self, white: bool, kind: char) -> usize {
        self.find(white, kind).len()
    }

    /// Returns the number of files to the right and of ranks up from one square to another.
    pub fn delta(&self, from: usize, to: usize) -> (i32, i32) {
        (
            self.file(to) as i32 - self.file(from) as i32,
            self.rank(to) as i32 - self.rank(from) as i32,
        )
    }

    /// Like `delta`, but without signs and with the smaller number first: (1, 2) is a knight's leap.
    pub fn gap(&self, from: usize, to: usize) -> (i32, i32) {
        let (files, ranks) = self.delta(from, to);
        let (files, ranks) = (files.abs(), ranks.abs());
        (files.min(ranks), files.max(ranks))
    }

    /// Returns whether the squares differ and are on one rank or file.
    pub fn straight(&self, from: usize, to: usize) -> bool {
        let (small, great) = self.gap(from, to);
        small == 0 && great > 0
    }

    /// Returns whether the squares differ and are on one diagonal.
    pub fn diagonal(&self, from: usize, to: usize) -> bool {
        let (small, great) = self.gap(from, to);
        small == great && great > 0
    }

    /// Returns whether the squares differ and are neighbors in one of the 8 directions.
    pub fn next_to(&self, from: usize, to: usize) -> bool {
        self.gap(from, to).1 == 1
    }

    /// Returns the squares strictly between two squares on one rank, file or diagonal, including holes.
    pub fn between(&self, from: usize, to: usize) -> Vec<usize> {
        self.each_between(from, to).collect()
    }

    fn each_between(&self, from: usize, to: usize) -> impl Iterator<Item = usize> {
        let (files, ranks) = self.delta(from, to);
        let (file, rank) = (self.file(from) as i32, self.rank(from) as i32);
        let width = self.files;
        (1..files.abs().max(ranks.abs())).map(move |i| {
            let (file, rank) = (file + i * files.signum(), rank + i * ranks.signum());
            rank as usize * width + file as usize
        })
    }

    /// Returns whether all squares strictly between two squares exist and are empty.
    pub fn open(&self, from: usize, to: usize) -> bool {
        self.each_between(from, to).all(|s| self.is_empty(s))
    }
}

/// Returns the letter of a unit: upper case for White.
pub fn letter(white: bool, kind: char) -> char {
    if white {
        kind.to_ascii_uppercase()
    } else {
        kind.to_ascii_lowercase()
    }
}

/// Returns the forward direction of a side, in ranks up.
pub fn ahead(white: bool) -> i32 {
    if white { 1 } else { -1 }
}

/// A position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pos {
    pub board: Board,
    /// The side to move, true for White.
    pub white: bool,
    /// The letters of the castling rights.
    pub castling: Vec<char>,
    /// The square that a pawn has just passed with a double step.
    pub ep: Option<usize>,
    pub halfmove: u64,
    pub fullmove: u64,
    /// The variant state: the values of the state field by their keys.
    pub state: BTreeMap<String, String>,
}

impl Pos {
    /// Returns the value of a state key, or the default if the key is not set.
    pub fn get(&self, key: &str, default: &str) -> String {
        self.state
            .get(key)
            .cloned()
            .unwrap_or_else(|| default.to_string())
    }

    pub fn set(&mut self, key: &str, value: &str) {
        self.state.insert(key.to_string(), value.to_string());
    }

    pub fn unset(&mut self, key: &str) {
        self.state.remove(key);
    }
}

/// The kinds of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A step from one square to another that captures the unit there, if any.
    Plain,
    /// A pawn's double step.
    Double,
    /// An en passant capture.
    EnPassant,
    /// The king's step of castling.
    Castle,
    /// A drop on `to` (`from` is the same square).
    Drop,
}

/// One step of a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    pub kind: Kind,
    /// The letter of the unit that steps (before promotion) or is dropped.
    pub unit: char,
    pub from: usize,
    pub to: usize,
    /// The letter of the captured unit, including en passant captures.
    pub captured: Option<char>,
    /// The letter of the unit after promotion, in the case of its owner.
    pub promotion: Option<char>,
}

impl Step {
    /// Returns the step that drops a unit.
    pub fn drop(unit: char, to: usize) -> Step {
        Step {
            kind: Kind::Drop,
            unit,
            from: to,
            to,
            captured: None,
            promotion: None,
        }
    }

    /// Returns whether the unit that steps is of this kind (upper case).
    pub fn is(&self, kind: char) -> bool {
        self.unit.to_ascii_uppercase() == kind
    }
}

/// A turn with all its steps, and the position after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    pub steps: Vec<Step>,
    pub after: Pos,
}

/// A way to castle. All its squares are on the owner's first rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// The letter in the FEN.
    pub letter: char,
    pub white: bool,
    pub king: usize,
    pub rook: usize,
    pub king_to: usize,
    pub rook_to: usize,
}
