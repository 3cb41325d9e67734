//! The keys of the format, as a table. A row of [`TABLE`] describes one key, or the two or three keys of one
//! rule with sides.
//!
//! A row contains the name of the key, the type and meaning of its value, and its limits. Reading
//! (`apply.rs`), building (`assemble.rs`), checking (`check.rs`), printing (`print.rs`), pages (`page.rs`)
//! and `rules keys` all use the table. A new key therefore needs a row, a field of [`Definition`], and code
//! in the interpreter that plays it.

mod ideas;
mod limits;
mod list;
mod search;
mod table;

pub use limits::Refusal;
pub(crate) use limits::{Limit, LimitKind};
pub use list::{KeyInfo, key_infos};
pub(crate) use list::{Name, names};
pub use search::{Match, Matches, search};
pub(crate) use search::{is_known, words};
pub(crate) use table::TABLE;

use crate::draft::{Draft, KindList, OnePiece, Plane};
use crate::{CastlingRights, Definition, PieceSet, PieceType, Region, Value};

/// The maximum value of a count.
pub const MAX_COUNT: u32 = 255;
/// The maximum number of moves in a rule on earlier positions.
pub const MAX_MOVES: u32 = 100_000;
/// The maximum length of a start FEN, in bytes.
pub const MAX_FEN: usize = 1_000;

/// An accessor to the field of a definition that a key sets, for the side with this index. Keys without sides
/// ignore the index.
pub(crate) type Field<T> = fn(&mut Definition, usize) -> &mut T;

/// The destination of a key's value. `T` is the type of the value as read, `F` that of the definition's
/// field.
pub(crate) enum Target<T, F = T> {
    /// A field of the definition, with the default: the value in orthodox chess without pieces.
    Field(T, Field<F>),
    /// Other keys, each for these sides. The name is an old one, or a name for several keys.
    Keys(&'static [(&'static str, &'static [usize])]),
    /// The draft. The value describes the board, or several fields depend on it.
    Draft(fn(&mut Draft, T)),
}

/// The type of a key's value, with its destination.
pub(crate) enum Take {
    /// `true`, `false`.
    Bool(Target<bool>),
    /// A number up to [`MAX_COUNT`].
    Count(Target<u8>),
    /// A number of moves, up to [`MAX_MOVES`].
    Moves(Target<u32>),
    /// A rank, written from 1 and stored from 0.
    Rank(Target<u8>),
    /// A file, written as a letter or a number and stored from 0.
    File(Target<u8>),
    /// `win`, `loss`, `draw`.
    Value(Target<Value>),
    /// `win`, `loss`, `draw`, `none`.
    ValueOrNone(Target<Option<Value>>),
    /// One word of a list. The functions set and return the index of the word. The first word is the default.
    Word(
        &'static [&'static str],
        fn(&mut Definition, usize),
        fn(&Definition) -> usize,
    ),
    /// Letters of castling rights.
    Rights(Target<CastlingRights>),
    /// One letter of a piece, `*` or `-`.
    Piece(Target<OnePiece, Option<PieceType>>),
    /// Letters of pieces, `*`, `-`.
    Pieces(Target<KindList, PieceSet>),
    /// Squares, files and ranks, by side for rows with sides.
    Squares(Target<[Plane; 2], Region>),
    /// The start position.
    Fen,
    /// Letters with numbers, `q:1 r:2`.
    Limits,
    /// Letters with letters, `p:g s:-`.
    Mapping,
    /// Letters with second letters, `n:h`.
    Synonyms,
    /// The letter of a piece, with a movement for custom pieces and the king. One name for each slot.
    Letter,
    /// Squares to which one side's units of one piece may move. Two names for each slot.
    Mobility,
    /// A value for displays and evaluations of other programs. It is never read.
    Cosmetic,
}

impl Take {
    /// Returns whether the meaning of a value depends on the board and the pieces of the parent.
    pub fn needs_parent(&self) -> bool {
        match self {
            Take::Piece(_)
            | Take::Pieces(_)
            | Take::Squares(_)
            | Take::Mobility
            | Take::Rights(_)
            | Take::Fen
            | Take::Limits
            | Take::Mapping
            | Take::Synonyms => true,
            Take::Bool(_)
            | Take::Count(_)
            | Take::Moves(_)
            | Take::Rank(_)
            | Take::File(_)
            | Take::Value(_)
            | Take::ValueOrNone(_)
            | Take::Word(..)
            | Take::Letter
            | Take::Cosmetic => false,
        }
    }

    /// Returns an example of a value of the type.
    pub fn example(&self) -> &'static str {
        match self {
            Take::Bool(_) => "true",
            Take::Count(_) => "3",
            Take::Moves(_) => "50",
            Take::Rank(_) => "6",
            Take::File(_) => "f",
            Take::Piece(_) => "k",
            Take::Pieces(_) => "qr",
            Take::Squares(_) => "d4 e4 *8",
            Take::Mobility => "d1 e1 f1 d2 e2 f2",
            Take::Value(_) | Take::ValueOrNone(_) => "loss",
            Take::Word(words, ..) => words[1],
            Take::Rights(_) => "KQkq",
            Take::Fen => "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
            Take::Limits => "q:1",
            Take::Mapping => "p:q",
            Take::Synonyms => "n:h",
            Take::Letter => "x",
            Take::Cosmetic => "-",
        }
    }

    /// Returns a description of the type for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Take::Bool(_) => "`true` or `false`",
            Take::Count(_) => "a number from 0 to 255",
            Take::Moves(_) => "a number of moves",
            Take::Rank(_) => "a rank from 1 to 16",
            Take::File(_) => "a file, as a letter from a to p or a number from 1 to 16",
            Take::Piece(_) => "the letter of a piece, or `*`",
            Take::Pieces(_) => "letters of pieces, or `*`",
            Take::Squares(_) | Take::Mobility => "squares, files and ranks such as `d4 *8 a*`",
            Take::Value(_) => "`win`, `loss` or `draw`",
            Take::ValueOrNone(_) => "`win`, `loss`, `draw` or `none`",
            Take::Word(..) => "one of some words",
            Take::Rights(_) => "castling rights such as `KQkq`",
            Take::Fen => "a FEN",
            Take::Limits => "letters with numbers such as `q:1 r:2`",
            Take::Mapping => "letters with letters such as `p:g r:d`",
            Take::Synonyms => "letters with second letters such as `n:h`",
            Take::Letter => "a letter, or `-` for none",
            Take::Cosmetic => "any text",
        }
    }

    /// Returns whether the value can be printed from the definition without a function of the row.
    fn has_field(&self) -> bool {
        match self {
            Take::Bool(target) => matches!(target, Target::Field(..)),
            Take::Count(target) | Take::Rank(target) | Take::File(target) => {
                matches!(target, Target::Field(..))
            }
            Take::Moves(target) => matches!(target, Target::Field(..)),
            Take::Value(target) => matches!(target, Target::Field(..)),
            Take::ValueOrNone(target) => matches!(target, Target::Field(..)),
            Take::Rights(target) => matches!(target, Target::Field(..)),
            Take::Piece(target) => matches!(target, Target::Field(..)),
            Take::Pieces(target) => matches!(target, Target::Field(..)),
            Take::Squares(target) => matches!(target, Target::Field(..)),
            Take::Word(..) | Take::Fen | Take::Mobility => true,
            Take::Limits | Take::Mapping | Take::Synonyms | Take::Letter | Take::Cosmetic => false,
        }
    }
}

/// The keys of a row: one, or several with names of sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sides {
    /// One key: the rule does not distinguish the sides.
    None,
    /// Two keys: the name followed by `White` and by `Black`.
    Each,
    /// Three keys: the name alone for both sides, then the two keys of [`Sides::Each`].
    BothAndEach,
}

/// The sentence on a key on a variant's page, if the value differs from orthodox chess. `{}` is replaced by
/// the value, or in [`Words::Names`] and [`Words::SideNames`] by the names of the pieces with these letters.
#[derive(Clone, Copy)]
pub(crate) enum Words {
    /// No sentence: another key, or the list of goals, describes the rule.
    Elsewhere,
    /// A sentence.
    Says(&'static str),
    /// A sentence with the names of pieces.
    Names(&'static str),
    /// The sentences for `true` and for `false`.
    YesNo(&'static str, &'static str),
    /// A function of the definition and the value. It returns `None` if the page needs no sentence.
    Of(fn(&Definition, &str) -> Option<String>),
    /// A sentence on both sides, with `{white}` and `{black}`. The second sentence, if any, is used if both
    /// regions are empty.
    SideSquares(&'static str, Option<&'static str>),
    /// Three sentences. The first is used if both sides have the same pieces, the second if both have this
    /// value, and the third, with `{side}`, if the sides differ.
    SideNames(
        &'static str,
        Option<(&'static str, &'static str)>,
        &'static str,
    ),
    /// The sentence if the sides have the same value, and the sentence for one side, with `{side}`.
    SideFlags(&'static str, &'static str),
    /// A sentence for each side and piece, with `{side}` and `{piece}`.
    SidePiece(&'static str),
}

/// The way in which a value that depends on the board is carried over to a smaller board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Carry {
    /// By type: squares by their meaning (`carry.rs`), other values unchanged.
    ByType,
    /// A rank, counted from the own side.
    OwnSide,
    /// The first rank of a zone of ranks. If the zone is a half of the board, it stays a half.
    From,
    /// A file, counted from the first one.
    Left,
    /// A file, counted from the last one.
    Right,
    /// A file, counted from the nearer edge.
    Nearer,
}

/// A row of the table.
pub(crate) struct Key {
    /// The name, without `White` and `Black`.
    pub name: &'static str,
    /// The sides that the rule distinguishes.
    pub sides: Sides,
    /// The meaning of its value. `{side}` and `{side's}` are replaced by the side.
    pub meaning: &'static str,
    /// The type of its value, with the destination.
    pub take: Take,
    /// A function that prints the value for the side with this index. Needed if the value does not depend on
    /// exactly one field.
    pub print: Option<fn(&Definition, usize) -> String>,
    /// For an old name, the key to write instead.
    pub instead: Option<&'static str>,
    /// The rule of FIDE's laws that the key replaces.
    pub fide: &'static str,
    /// The sentence on a variant's page.
    pub words: Words,
    /// Returns whether the value has no effect in this definition, or the effect that it has in orthodox
    /// chess. The variant's page does not then mention the key.
    pub is_idle: Option<fn(&Definition) -> bool>,
    /// Whether the rule depends on earlier positions. Such a rule is read but not played.
    pub is_of_past: bool,
    /// The way in which its value is carried over to a smaller board.
    pub carry: Carry,
    /// Combinations with other keys that are errors, doubtful, or not played.
    pub limits: &'static [Limit],
}

impl Key {
    /// Returns a row without sides.
    const fn new(name: &'static str, meaning: &'static str, take: Take) -> Key {
        Key {
            name,
            sides: Sides::None,
            meaning,
            take,
            print: None,
            instead: None,
            fide: "no such rule",
            words: Words::Elsewhere,
            is_idle: None,
            is_of_past: false,
            carry: Carry::ByType,
            limits: &[],
        }
    }

    /// Returns a row for a name that the format keeps for old files.
    const fn old(name: &'static str, take: Take, instead: &'static str) -> Key {
        let mut key = Key::new(name, "old name, kept for old files", take);
        key.instead = Some(instead);
        key
    }

    const fn each(mut self) -> Key {
        self.sides = Sides::Each;
        self
    }

    const fn both_and_each(mut self) -> Key {
        self.sides = Sides::BothAndEach;
        self
    }

    const fn print(mut self, print: fn(&Definition, usize) -> String) -> Key {
        self.print = Some(print);
        self
    }

    const fn fide(mut self, fide: &'static str) -> Key {
        self.fide = fide;
        self
    }

    const fn words(mut self, words: Words) -> Key {
        self.words = words;
        self
    }

    const fn says(self, sentence: &'static str) -> Key {
        self.words(Words::Says(sentence))
    }

    const fn idle(mut self, is_idle: fn(&Definition) -> bool) -> Key {
        self.is_idle = Some(is_idle);
        self
    }

    const fn carried(mut self, carry: Carry) -> Key {
        self.carry = carry;
        self
    }

    const fn of_past(mut self) -> Key {
        self.is_of_past = true;
        self
    }

    const fn limits(mut self, limits: &'static [Limit]) -> Key {
        self.limits = limits;
        self
    }

    /// Returns the indices of the sides for which the row has a key of its own. A row without sides has index
    /// 0 only.
    pub fn indices(&self) -> &'static [usize] {
        match self.sides {
            Sides::None => &[0],
            Sides::Each | Sides::BothAndEach => &[0, 1],
        }
    }

    /// Returns whether printed definitions contain the key.
    pub fn is_printed(&self) -> bool {
        self.print.is_some() || self.take.has_field()
    }
}
