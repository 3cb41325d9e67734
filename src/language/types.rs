//! The types of expressions.

use std::fmt;

/// The type of a single value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// `true`, `false`.
    Bool,
    /// A 64-bit integer.
    Int,
    /// A string.
    Text,
    /// A side; written as a string or a name.
    Side,
    /// A kind of unit; written as a string.
    Kind,
    /// A square; written as a string.
    Square,
    /// An outcome; written as a string.
    Outcome,
    /// A value under best play; written as a string.
    Value,
    /// A unit, on the board or bound by the variant state.
    Unit,
    /// A turn, or a step of one.
    Turn,
    /// A position.
    Position,
    /// A movement in Betza notation; written as a string.
    Movement,
    /// A string in quotation marks whose type is still open, by the index of its type variable. Occurs only
    /// during type checking.
    Open(u32),
}

/// The type of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// A single value.
    One(Item),
    /// A list.
    List(Item),
}

impl Type {
    /// The type of conditions.
    pub const BOOL: Type = Type::One(Item::Bool);
    /// The type of integers.
    pub const INT: Type = Type::One(Item::Int);

    /// Returns the type of a single value, or of the elements of a list.
    pub fn item(self) -> Item {
        match self {
            Type::One(item) | Type::List(item) => item,
        }
    }
}

impl Item {
    /// Returns whether values of this type are written as strings.
    pub fn is_textual(self) -> bool {
        use Item::{Kind, Movement, Open, Outcome, Side, Square, Text, Value};
        matches!(
            self,
            Text | Side | Kind | Square | Outcome | Value | Movement | Open(_)
        )
    }

    /// Returns the name of the type.
    pub fn name(self) -> &'static str {
        match self {
            Item::Bool => "bool",
            Item::Int => "int",
            Item::Text | Item::Open(_) => "string",
            Item::Side => "side",
            Item::Kind => "kind",
            Item::Square => "square",
            Item::Outcome => "outcome",
            Item::Value => "value",
            Item::Unit => "unit",
            Item::Turn => "turn",
            Item::Position => "position",
            Item::Movement => "movement",
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::One(item) => f.write_str(item.name()),
            Type::List(item) => write!(f, "list of {}", item.name()),
        }
    }
}
