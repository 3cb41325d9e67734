//! The syntax tree of an expression.

use std::ops::Range;

/// A range of bytes of the source text.
pub type Span = Range<usize>;

/// A name as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// The name.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// An operator between two values, `&&` and `||` excepted.
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
    /// Returns the operator as it is written.
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
    /// What it is.
    pub node: Node,
    /// Its place in the source text.
    pub span: Span,
    /// The number of levels of the tree, at most [`MAX_LEVELS`](crate::MAX_LEVELS).
    pub levels: usize,
}

/// The forms of a part of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// An integer.
    Int(i64),
    /// `true` or `false`.
    Bool(bool),
    /// A text in quotation marks.
    Text(String),
    /// `[a, b]`
    List(Vec<Tree>),
    /// A bare name.
    Name(String),
    /// `a.name`
    Member(Box<Tree>, Word),
    /// `f(x)` or `a.f(x)`; macros, too.
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
    /// `a + b` and the like.
    Binary(Operator, Box<[Tree; 2]>),
    /// `a && b && c`
    And(Vec<Tree>),
    /// `a || b || c`
    Or(Vec<Tree>),
    /// `c ? a : b`
    Choice(Box<[Tree; 3]>),
}
