//! The compiled form of an expression: a tree of typed operations.

use crate::rule_text::Given;
use crate::tree::{Operator, Span};
use crate::types::Item;
use board::Color;
use rules::{FieldType, Reason};

/// The operation of a name. The first argument of a member is the value before the period.
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
    Home,
    Nearest,
    Offset,
    SquareAt,
    Neighbors,
    Row,
    Without,
    MovementOf,
    SquareFile,
    SquareRank,
    Sum,
    Min,
    Max,
}

impl Op {
    /// Returns whether the operation decides whether a game is over.
    pub fn decides_ends(self) -> bool {
        matches!(
            self,
            Op::Outcome
                | Op::Reason
                | Op::Won
                | Op::WonBy
                | Op::Drawn
                | Op::IsOver
                | Op::Mates
                | Op::Ends
        )
    }
}

/// The result of a macro, given the values of its body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Macro {
    /// Whether all values are true.
    All,
    /// Whether at least one value is true.
    Exists,
    /// Whether exactly one value is true.
    ExistsOne,
    /// The elements whose value is true.
    Filter,
    /// The list of the values.
    Map,
}

/// Code. All values except strings, units, turns and positions are integers: `true` is 1, a side is 0 or 1, a
/// kind is its number among the kinds of the [`Expression`](crate::Expression), a square is its index. See
/// [`missing`] for missing values.
#[derive(Clone, Debug)]
pub enum Code {
    /// A constant integer.
    Scalar(i64),
    /// An option of a rule text that is a flag: 0 or 1, also a condition.
    Flag(i64),
    /// A constant string.
    Text(Box<str>),
    /// A reason of the rule set, as `won` compares it.
    Reason(Reason),
    /// A string in quotation marks whose type is still open. Occurs only during type checking.
    Literal(Box<str>, u32, Span),
    /// A list of values of a type.
    List(Item, Vec<Code>),
    /// The position that the expression is about.
    Here,
    /// The turn that the expression is about.
    ThisTurn,
    /// A variable, by the number of variables bound after it: 0 is the innermost.
    Variable(u32),
    /// Logical negation.
    Not(Box<Code>),
    /// Arithmetic negation.
    Negative(Box<Code>),
    /// An arithmetic operation.
    Arithmetic(Operator, Box<[Code; 2]>),
    /// A comparison of two integers by size.
    Compare(Operator, Box<[Code; 2]>),
    /// A comparison of two values of this type. The flag is true for `==` and false for `!=`.
    Equal(Item, bool, Box<[Code; 2]>),
    /// A comparison of two lists with elements of this type. The flag is true for `==` and false for `!=`.
    EqualLists(Item, bool, Box<[Code; 2]>),
    /// Whether a list contains a value of this type.
    In(Item, Box<[Code; 2]>),
    /// Whether all operands hold.
    And(Vec<Code>),
    /// Whether at least one operand holds.
    Or(Vec<Code>),
    /// The second operand if the first holds, otherwise the third.
    Choice(Box<[Code; 3]>),
    /// A name with its arguments.
    Name(Op, Vec<Code>),
    /// The number of units in the position that the expression is about, of one side or both. The kinds are
    /// given as a set with one bit for each [`Kind::index`](board::Kind::index); `None` means all kinds.
    Count(Option<Color>, Option<u64>),
    /// The side to move in the position that the expression is about.
    SideToMove,
    /// A position with the same units under another rule set, which is given by its number.
    Under(Box<Code>, usize),
    /// A field of the variant state, as an integer or a string.
    State(Box<Code>, &'static str),
    /// A field that the rule text declares, by its number and type, of a side if each has its own.
    Declared(Box<Code>, usize, FieldType, Option<Box<Code>>),
    /// A value that the subject gives.
    Given(Given),
    /// The position that the expression is about, under the rules of the parent.
    Parent,
    /// The union of two movements, or two texts one after the other.
    Union(Item, Box<[Code; 2]>),
    /// The elements of two lists. Elements other than numbers and texts occur once.
    Concat(Item, Box<[Code; 2]>),
    /// The number of elements of a list.
    Size(Box<Code>),
    /// The number of characters of a string.
    Length(Box<Code>),
    /// An element of a list with elements of this type.
    Index(Item, Box<[Code; 2]>),
    /// A macro over a list, with the type of its body.
    Macro(Macro, Item, Box<[Code; 2]>),
}

/// The integers that represent missing values.
pub mod missing {
    /// The square of a missing unit.
    pub const SQUARE: i64 = -1;
    /// The kind of a missing unit.
    pub const KIND: i64 = -1;
    /// The side of a missing unit.
    pub const SIDE: i64 = -1;
    /// The value of a position that has none. It is equal to nothing, not even to itself.
    pub const VALUE: i64 = i64::MIN;
}

impl Code {
    /// Calls `visit` for this code and for all of its parts.
    pub fn each_part<'c>(&'c self, visit: &mut dyn FnMut(&'c Code)) {
        visit(self);
        match self {
            Code::Scalar(_)
            | Code::Flag(_)
            | Code::Text(_)
            | Code::Reason(_)
            | Code::Literal(..)
            | Code::Here
            | Code::ThisTurn
            | Code::Count(..)
            | Code::SideToMove
            | Code::Given(_)
            | Code::Parent
            | Code::Variable(_) => {}
            Code::Declared(position, _, _, side) => {
                position.each_part(visit);
                if let Some(side) = side {
                    side.each_part(visit);
                }
            }
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
            | Code::Union(_, parts)
            | Code::Concat(_, parts)
            | Code::Macro(_, _, parts) => parts.iter().for_each(|part| part.each_part(visit)),
            Code::Choice(parts) => parts.iter().for_each(|part| part.each_part(visit)),
            Code::List(_, parts) | Code::And(parts) | Code::Or(parts) | Code::Name(_, parts) => {
                parts.iter().for_each(|part| part.each_part(visit));
            }
        }
    }

    /// Returns whether the elements of this list derive from the elements of a list of turns.
    pub fn lists_turns(&self) -> bool {
        match self {
            Code::Name(Op::Turns | Op::Pseudo, _) | Code::Given(Given::FirstSteps) => true,
            Code::Concat(_, parts) => parts.iter().any(Code::lists_turns),
            Code::Macro(_, _, parts) => parts[0].lists_turns(),
            Code::Choice(parts) => parts[1].lists_turns() || parts[2].lists_turns(),
            _ => false,
        }
    }
}
