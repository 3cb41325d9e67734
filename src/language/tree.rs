//! The syntax tree of an expression.

use std::ops::Range;

/// A range of bytes of the source text.
pub type Span = Range<usize>;

/// A name as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// The text of the name.
    pub text: String,
    /// The place of the name in the source text.
    pub span: Span,
}

/// A binary operator other than `&&` and `||`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `in`
    In,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    Over,
    /// `%`
    Modulo,
}

impl Operator {
    /// Returns the sign of the operator.
    pub fn sign(self) -> &'static str {
        match self {
            Operator::Equal => "==",
            Operator::Unequal => "!=",
            Operator::Less => "<",
            Operator::AtMost => "<=",
            Operator::Greater => ">",
            Operator::AtLeast => ">=",
            Operator::In => "in",
            Operator::Plus => "+",
            Operator::Minus => "-",
            Operator::Times => "*",
            Operator::Over => "/",
            Operator::Modulo => "%",
        }
    }
}

/// A part of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    /// The form of this part, with its operands.
    pub node: Node,
    /// The place in the source text.
    pub span: Span,
    /// The nesting depth of the tree, at most [`MAX_LEVELS`](crate::MAX_LEVELS).
    pub levels: usize,
}

/// The forms of a part of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// An integer.
    Int(i64),
    /// `true` or `false`.
    Bool(bool),
    /// A string in quotation marks.
    Text(String),
    /// `[a, b]`
    List(Vec<Tree>),
    /// A bare name.
    Name(String),
    /// `a.name`
    Member(Box<Tree>, Word),
    /// `f(x)` or `a.f(x)`, including macros.
    Call {
        /// The value before the period, if there is one.
        target: Option<Box<Tree>>,
        /// The name.
        name: Word,
        /// The arguments.
        args: Vec<Tree>,
    },
    /// `a[i]`
    Index(Box<[Tree; 2]>),
    /// `!a`
    Not(Box<Tree>),
    /// `-a`
    Negative(Box<Tree>),
    /// A binary operation such as `a + b`.
    Binary(Operator, Box<[Tree; 2]>),
    /// `a && b && c`
    And(Vec<Tree>),
    /// `a || b || c`
    Or(Vec<Tree>),
    /// `c ? a : b`
    Choice(Box<[Tree; 3]>),
}
