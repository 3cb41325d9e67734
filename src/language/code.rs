//! The compiled form of an expression.

use crate::tree::{Operator, Span};
use crate::types::Item;
use board::Color;
use rules::Reason;

/// What a name does. The first argument of a member is the value before the period.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Side,
    White,
    Black,
    Other,
    Mover,
    Squares,
    Files,
    Ranks,
    Units,
    UnitsOfSide,
    UnitsOfKind,
    UnitsOf,
    Bound,
    Count,
    CountOfSide,
    CountOfKind,
    CountOf,
    At,
    Empty,
    OnBoardText,
    OnBoard,
    Attacked,
    Attackers,
    Check,
    CheckOf,
    Turns,
    Pseudo,
    Pass,
    Under,
    Reach,
    Walk,
    Distance,
    Aligned,
    Between,
    Light,
    Hand,
    CastlingRights,
    ChecksLeft,
    Outcome,
    Reason,
    Won,
    WonBy,
    Drawn,
    IsOver,
    Fen,
    Value,
    Plies,
    Flip,
    Depth,
    OutDegree,
    TurnText,
    TurnKind,
    Becomes,
    From,
    To,
    Captures,
    Promotes,
    Castles,
    Drops,
    EnPassant,
    Steps,
    Length2,
    Before,
    After,
    Checks,
    Mates,
    Ends,
    TurnExists,
    UnitKind,
    UnitSide,
    UnitSquare,
    UnitFile,
    UnitRank,
    UnitRow,
    Royal,
    Promoted,
    Moves,
    UnitExists,
    SquareFile,
    SquareRank,
    Sum,
    Min,
    Max,
}

/// What a macro does with the values of its body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Macro {
    /// Whether all are true.
    All,
    /// Whether some is true.
    Exists,
    /// Whether exactly one is true.
    ExistsOne,
    /// The elements for which it is true.
    Filter,
    /// The values.
    Map,
}

/// Code. Values of all types but texts, units, turns and positions are integers: `true` is 1, a side is 0
/// or 1, a kind is a number of [`Kinds`](crate::expression), a square is its number; see [`missing`].
#[derive(Clone, Debug)]
pub enum Code {
    /// A value.
    Scalar(i64),
    /// A text.
    Text(Box<str>),
    /// A reason of the rule set, as `won` compares it.
    Reason(Reason),
    /// A text in quotation marks whose type is not decided yet; only while types are checked.
    Literal(Box<str>, u32, Span),
    /// A list of values of a type.
    List(Item, Vec<Code>),
    /// The position that the expression is about.
    Here,
    /// The turn that the expression is about.
    ThisTurn,
    /// A variable: how many variables were bound after it.
    Variable(u32),
    /// Not.
    Not(Box<Code>),
    /// The sign reversed.
    Negative(Box<Code>),
    /// A calculation.
    Arithmetic(Operator, Box<[Code; 2]>),
    /// A comparison of integers by size.
    Compare(Operator, Box<[Code; 2]>),
    /// A comparison of two values of this type, and whether they are to be equal.
    Equal(Item, bool, Box<[Code; 2]>),
    /// A comparison of two lists of this type, and whether they are to be equal.
    EqualLists(Item, bool, Box<[Code; 2]>),
    /// Whether a value of this type is in a list.
    In(Item, Box<[Code; 2]>),
    /// Whether all hold.
    And(Vec<Code>),
    /// Whether one holds.
    Or(Vec<Code>),
    /// The second if the first holds, otherwise the third.
    Choice(Box<[Code; 3]>),
    /// A name with its arguments.
    Name(Op, Vec<Code>),
    /// The number of units in the position that the expression is about: of a side or both, and of a set of
    /// kinds, a bit each by [`Kind::index`](board::Kind::index), or all.
    Count(Option<Color>, Option<u64>),
    /// The side to move in the position that the expression is about.
    SideToMove,
    /// The same units under another rule set: the position, the number of the rule set.
    Under(Box<Code>, usize),
    /// A field of the state, as an integer or a text.
    State(Box<Code>, &'static str),
    /// The number of elements.
    Size(Box<Code>),
    /// The number of characters of a text.
    Length(Box<Code>),
    /// An element of a list of this type.
    Index(Item, Box<[Code; 2]>),
    /// A macro over a list, with the type of its body.
    Macro(Macro, Item, Box<[Code; 2]>),
}

/// The values that represent something missing.
pub mod missing {
    /// The square of a missing unit.
    pub const SQUARE: i64 = -1;
    /// The kind of a missing unit.
    pub const KIND: i64 = -1;
    /// The side of a missing unit.
    pub const SIDE: i64 = -1;
    /// The value of a position that has none. It is not equal to itself.
    pub const VALUE: i64 = i64::MIN;
}

impl Code {
    /// Calls `visit` for this code and all its parts.
    pub fn each_part<'c>(&'c self, visit: &mut dyn FnMut(&'c Code)) {
        visit(self);
        match self {
            Code::Scalar(_)
            | Code::Text(_)
            | Code::Reason(_)
            | Code::Literal(..)
            | Code::Here
            | Code::ThisTurn
            | Code::Count(..)
            | Code::SideToMove
            | Code::Variable(_) => {}
            Code::Not(a)
            | Code::Negative(a)
            | Code::Under(a, _)
            | Code::State(a, _)
            | Code::Size(a)
            | Code::Length(a) => a.each_part(visit),
            Code::Arithmetic(_, parts)
            | Code::Compare(_, parts)
            | Code::Equal(_, _, parts)
            | Code::EqualLists(_, _, parts)
            | Code::In(_, parts)
            | Code::Index(_, parts)
            | Code::Macro(_, _, parts) => parts.iter().for_each(|part| part.each_part(visit)),
            Code::Choice(parts) => parts.iter().for_each(|part| part.each_part(visit)),
            Code::List(_, parts) | Code::And(parts) | Code::Or(parts) | Code::Name(_, parts) => {
                parts.iter().for_each(|part| part.each_part(visit));
            }
        }
    }

    /// Returns whether the elements of this list are made from the elements of a list of turns.
    pub fn lists_turns(&self) -> bool {
        match self {
            Code::Name(Op::Turns | Op::Pseudo, _) => true,
            Code::Macro(_, _, parts) => parts[0].lists_turns(),
            Code::Choice(parts) => parts[1].lists_turns() || parts[2].lists_turns(),
            _ => false,
        }
    }
}
