//! Drafts: the values of a section while its keys are applied, before a definition is built from them.
//!
//! Kinds are slots (the format's names), not letters, so a child can give a piece another letter. Regions are
//! sets of squares of the largest board. A child with another board inherits them carried over to that board.

use crate::carry::{Size, carry_plane};
use crate::keys::{TABLE, Take, Target};
use crate::resolver::{FIDE_TEXT, ROOTS};
use crate::slots::{self, KING, PAWN, ROOK, SLOTS};
use crate::written::Written;
use crate::{Definition, Layer, Movement, Sides};
use std::collections::BTreeMap;

/// The name of the row of mobility regions.
pub const MOBILITY: &str = "mobilityRegion";
/// The name of the row of holes.
pub const HOLES: &str = "holes";

/// The maximum number of files, and of ranks, of a region.
pub const MAX_SIDE: usize = 16;

/// A set of squares of the largest board: bit `file` of row `rank`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Plane(pub [u16; MAX_SIDE]);

impl Plane {
    /// Every square.
    pub const ALL: Plane = Plane([u16::MAX; MAX_SIDE]);
    /// No square.
    pub const NONE: Plane = Plane([0; MAX_SIDE]);

    /// Returns the squares of one rank, counted from 0.
    pub const fn rank(rank: usize) -> Plane {
        let mut plane = Plane::NONE;
        plane.0[rank] = u16::MAX;
        plane
    }

    /// Returns the squares of one file, counted from 0.
    pub fn file(file: usize) -> Plane {
        Plane([1 << file; MAX_SIDE])
    }

    /// Returns the set of one square.
    pub fn square(file: usize, rank: usize) -> Plane {
        let mut plane = Plane::NONE;
        plane.0[rank] = 1 << file;
        plane
    }

    /// Returns the union of two sets.
    pub fn or(mut self, other: Plane) -> Plane {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a |= b;
        }
        self
    }
}

/// A list of kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KindList {
    /// The kinds: bit `s` for slot `s`, bit 63 for `*`.
    pub bits: u64,
    /// The last kind of the list, or `Any` for a list without kinds. In a list of pawns, it is the main pawn.
    pub last: OnePiece,
}

impl KindList {
    const STAR_BIT: u64 = 1 << 63;

    /// `*` alone.
    pub const STAR: KindList = KindList {
        bits: KindList::STAR_BIT,
        last: OnePiece::Any,
    };

    /// Returns the list of these slots.
    pub const fn of(slots: &[usize]) -> KindList {
        let mut list = KindList {
            bits: 0,
            last: OnePiece::Any,
        };
        let mut i = 0;
        while i < slots.len() {
            list = list.with(slots[i]);
            i += 1;
        }
        list
    }

    /// Returns the list with one more slot at its end.
    pub const fn with(self, slot: usize) -> KindList {
        KindList {
            bits: self.bits | 1 << slot,
            last: OnePiece::Slot(slot),
        }
    }

    /// Returns the list with `*`.
    pub const fn with_star(self) -> KindList {
        KindList {
            bits: self.bits | KindList::STAR_BIT,
            last: self.last,
        }
    }

    /// Returns whether the list names the slot itself, not only `*`.
    pub fn has(self, slot: usize) -> bool {
        self.bits >> slot & 1 == 1
    }

    /// Returns whether `*` is in the list.
    pub fn has_star(self) -> bool {
        self.bits & KindList::STAR_BIT != 0
    }
}

/// The value of a key that takes one piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnePiece {
    /// `*` or `-`.
    Any,
    /// A letter.
    Slot(usize),
}

/// The key of a stored value: the name of its row, and the index of its side.
type RowSide = (&'static str, usize);

/// The key of a region: the name of its row, the index of its side, and for a mobility region the slot of its
/// piece (otherwise 0).
pub type CarriedPlace = (&'static str, usize, usize);

/// A region inherited from a parent whose board has another size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CarriedPlane {
    /// The squares on the board of the parent.
    pub old: Plane,
    /// The board of the parent.
    pub old_size: Size,
    /// Whether the squares could be carried over. If not, they are inherited unchanged.
    pub is_carried: bool,
}

/// The values of a section before a definition is built from them.
#[derive(Clone, PartialEq, Debug)]
pub struct Draft {
    /// Number of files of the board.
    pub max_file: u8,
    /// Number of ranks of the board.
    pub max_rank: u8,
    /// Squares that the board lacks, apart from those of the start FEN.
    pub holes: Plane,
    /// Whether the first file touches the last.
    pub cylinder: bool,
    /// Whether pawns may advance two squares at all.
    pub double_step: bool,
    /// Letters in upper case, by slot.
    pub letters: [Option<u8>; SLOTS],
    /// Second letters, by slot.
    pub synonyms: [Option<u8>; SLOTS],
    /// Movements of custom pieces and of the king, by slot.
    pub written: Vec<Movement>,
    /// Squares to which units may move, by slot and side. An empty set means all squares.
    pub mobility: Vec<Sides<Plane>>,
    /// The promotion limits, by slot.
    pub limits: [u8; SLOTS],
    /// The promoted forms, by slot.
    pub promoted: [Option<usize>; SLOTS],
    /// Fields that depend neither on the board nor on the pieces. The others are blank.
    pub rules: Definition,
    /// The clauses of the section and its ancestors, the oldest first.
    pub chain: Vec<Layer>,
    /// The clauses of the conditions that are applied, in their order.
    pub conditions: Vec<Layer>,
    /// The regions that the board's new size has changed, or that could not be carried over to it.
    pub carried: BTreeMap<CarriedPlace, CarriedPlane>,
    squares: BTreeMap<RowSide, Plane>,
    kinds: BTreeMap<RowSide, KindList>,
    pieces: BTreeMap<RowSide, OnePiece>,
}

/// Returns whether a region is that of orthodox promotion or of the orthodox double step on a board of this
/// size.
fn is_orthodox(row: &str, side: usize, plane: Plane, size: Size) -> bool {
    let from_own_side = match row {
        "promotionRegion" => size.ranks.saturating_sub(1),
        "doubleStepRegion" => 1,
        _ => return false,
    };
    let rank = match side {
        0 => Some(from_own_side),
        _ => (size.ranks - 1).checked_sub(from_own_side),
    };
    let on_board = |plane: Plane| -> Vec<u128> {
        let mask = (1 << size.files) - 1;
        (0..size.ranks)
            .map(|rank| plane.0[rank] as u128 & mask)
            .collect()
    };
    rank.is_some_and(|rank| on_board(plane) == on_board(Plane::rank(rank)))
}

impl Draft {
    /// Returns the draft of `fide-text`: orthodox chess with the boards of the compiled rule set.
    pub fn fide_text() -> Draft {
        let mut draft = Draft::chess();
        draft.rules.has_fide_boards = true;
        draft.rules.written = Written::root(FIDE_TEXT);
        draft
    }

    /// Returns the draft of a section without a parent: orthodox chess without pieces and without kinds that
    /// pawns may become.
    pub fn empty() -> Draft {
        let mut draft = Draft {
            max_file: 8,
            max_rank: 8,
            holes: Plane::NONE,
            cylinder: false,
            double_step: true,
            letters: [None; SLOTS],
            synonyms: [None; SLOTS],
            written: vec![Movement::default(); SLOTS],
            mobility: vec![[Plane::NONE; 2]; SLOTS],
            limits: [0; SLOTS],
            promoted: [None; SLOTS],
            carried: BTreeMap::new(),
            rules: Definition::default(),
            chain: Vec::new(),
            conditions: Vec::new(),
            squares: BTreeMap::new(),
            kinds: BTreeMap::new(),
            pieces: BTreeMap::new(),
        };
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        draft.rules.start_fen = start.into();
        for key in TABLE {
            for &side in key.indices() {
                let (place, rules) = ((key.name, side), &mut draft.rules);
                match &key.take {
                    Take::Bool(Target::Field(v, field)) => *field(rules, side) = *v,
                    Take::Count(Target::Field(v, field))
                    | Take::Rank(Target::Field(v, field))
                    | Take::File(Target::Field(v, field)) => *field(rules, side) = *v,
                    Take::Moves(Target::Field(v, field)) => *field(rules, side) = *v,
                    Take::Value(Target::Field(v, field)) => *field(rules, side) = *v,
                    Take::ValueOrNone(Target::Field(v, field)) => *field(rules, side) = *v,
                    Take::Rights(Target::Field(v, field)) => *field(rules, side) = *v,
                    Take::Word(_, set, _) => set(rules, 0),
                    Take::Squares(Target::Field(v, _)) => {
                        draft.squares.insert(place, v[side]);
                    }
                    Take::Pieces(Target::Field(v, _)) => {
                        draft.kinds.insert(place, *v);
                    }
                    Take::Piece(Target::Field(v, _)) => {
                        draft.pieces.insert(place, *v);
                    }
                    _ => {}
                }
            }
        }
        draft
    }

    /// Returns the draft of orthodox chess, the root of most families of variants.
    pub fn chess() -> Draft {
        let mut chess = Draft::empty();
        chess.rules.written = Written::root(ROOTS[0]);
        for (slot, letter) in [
            (PAWN, b'P'),
            (1, b'N'),
            (2, b'B'),
            (ROOK, b'R'),
            (4, b'Q'),
            (KING, b'K'),
        ] {
            chess.add_piece(slot, letter);
        }
        chess.written[KING] =
            Movement::parse(slots::movement(KING)).expect("the king's movement reads");
        for side in 0..2 {
            *chess.kinds_mut("promotionPieceTypes", side) = KindList::of(&[1, 2, ROOK, 4]);
        }
        chess
    }

    /// Returns the squares of a row of the table.
    pub fn squares(&self, row: &'static str, side: usize) -> Plane {
        self.squares[&(row, side)]
    }

    /// Sets the squares of a row with sides.
    pub fn set_squares(&mut self, row: &'static str, squares: Sides<Plane>) {
        for (side, plane) in squares.into_iter().enumerate() {
            self.set_squares_of(row, side, plane);
        }
    }

    /// Sets the squares of a row for one side.
    pub fn set_squares_of(&mut self, row: &'static str, side: usize, squares: Plane) {
        self.squares.insert((row, side), squares);
        self.carried.remove(&(row, side, 0));
    }

    /// Sets the squares to which one side's units of a piece may move.
    pub fn set_mobility(&mut self, slot: usize, side: usize, squares: Plane) {
        self.mobility[slot][side] = squares;
        self.carried.remove(&(MOBILITY, side, slot));
    }

    /// Returns the numbers of files and ranks.
    pub fn size(&self) -> Size {
        Size {
            files: self.max_file.into(),
            ranks: self.max_rank.into(),
        }
    }

    /// Carries all regions over from a board of another size to the board of the draft.
    pub fn carry_from(&mut self, old_size: Size) {
        let (size, is_cylinder) = (self.size(), self.cylinder);
        let mut carried = std::mem::take(&mut self.carried);
        let mut carry = |place: CarriedPlace, plane: &mut Plane| {
            let old = *plane;
            let new = carry_plane(old, old_size, size, is_cylinder);
            *plane = new.unwrap_or(old);
            if new != Some(old) {
                let is_carried = new.is_some();
                let entry = CarriedPlane {
                    old,
                    old_size,
                    is_carried,
                };
                carried.insert(place, entry);
            }
        };
        for (&(row, side), plane) in &mut self.squares {
            // Pawns of a board with too few ranks have no double step, and on a single rank no promotion.
            let is_lost = || carry_plane(*plane, old_size, size, is_cylinder).is_none();
            if is_orthodox(row, side, *plane, old_size) && is_lost() {
                *plane = Plane::NONE;
                continue;
            }
            carry((row, side, 0), plane);
        }
        for (slot, sides) in self.mobility.iter_mut().enumerate() {
            for (side, plane) in sides.iter_mut().enumerate() {
                carry((MOBILITY, side, slot), plane);
            }
        }
        carry((HOLES, 0, 0), &mut self.holes);
        self.carried = carried;
    }

    /// Returns the kinds of a row.
    pub fn kinds(&self, row: &'static str, side: usize) -> KindList {
        self.kinds[&(row, side)]
    }

    /// Returns mutable access to the kinds of a row.
    pub fn kinds_mut(&mut self, row: &'static str, side: usize) -> &mut KindList {
        self.kinds.entry((row, side)).or_insert(KindList::of(&[]))
    }

    /// Returns the piece of a row.
    pub fn piece(&self, row: &'static str, side: usize) -> OnePiece {
        self.pieces[&(row, side)]
    }

    /// Sets the piece of a row.
    pub fn set_piece(&mut self, row: &'static str, side: usize, piece: OnePiece) {
        self.pieces.insert((row, side), piece);
    }

    /// Gives a slot a letter (upper case). The piece that had the letter before is removed from the variant.
    /// As in Fairy-Stockfish, this also applies to the slot itself, which pawns then can no longer become.
    pub fn add_piece(&mut self, slot: usize, letter: u8) {
        if let Some(old) = self.letters.iter().position(|&l| l == Some(letter)) {
            self.remove_piece(old);
        }
        self.letters[slot] = Some(letter);
        self.synonyms[slot] = None;
    }

    /// Removes a piece from the variant.
    pub fn remove_piece(&mut self, slot: usize) {
        self.letters[slot] = None;
        self.synonyms[slot] = None;
        for side in 0..2 {
            self.kinds_mut("promotionPieceTypes", side).bits &= !(1 << slot);
        }
    }

    /// Returns the slot with a letter, in either case.
    pub fn slot_of(&self, letter: char) -> Option<usize> {
        let upper = letter.to_ascii_uppercase();
        let has = |l: &Option<u8>| l.is_some_and(|l| l as char == upper);
        self.letters.iter().position(has)
    }
}
