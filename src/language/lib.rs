//! Expressions over positions and turns: one small, typed language for queries, goals and claims.
//!
//! The syntax is a subset of CEL, the Common Expression Language. An [`Expression`] is parsed and checked
//! once, against an [`Environment`], and then evaluated on positions of any layout. Evaluation always
//! terminates and never fails; a caller can interrupt it. The crate relies on the rules for legal turns and
//! never searches.
//!
//! | file | responsibility |
//! |---|---|
//! | `tokens.rs`, `parser.rs`, `tree.rs` | text to tree, with exact spans |
//! | `names.rs` | the table of names: types, meaning, example |
//! | `types.rs`, `check/`, `literals.rs` | tree to code: types, overloads, values of literals |
//! | `code.rs`, `eval/` | the compiled form and its evaluation |
//! | `expand.rs`, `rule_text.rs` | definitions of rule texts, and what their clauses know |
//! | `symmetry.rs` | which symmetries an expression has |
//! | `view.rs` | what evaluation needs of a position, for each layout |
//! | `kinds.rs` | names of kinds |
//! | `error.rs` | errors with line, column and a caret |

mod check;
mod code;
mod environment;
mod error;
mod eval;
mod expand;
mod expression;
mod kinds;
mod literals;
mod names;
mod parser;
mod rule_text;
mod symmetry;
mod tokens;
mod tree;
mod turn_members;
mod types;
mod view;

pub use check::field_type;
pub use control::evaluation::Interrupted;
pub use environment::{About, Environment, Subject};
pub use error::ExpressionError;
pub use eval::OUTCOMES;
pub use expand::{Let, ParentKeys, each_text, expand, names};
pub use expression::{Answer, Expression};
pub use kinds::{KindName, kind_names};
pub use names::{Example, FORMS, NAMES, Name, Owner};
pub use parser::{MAX_BYTES, MAX_LEVELS, parse};
pub use rule_text::{Given, GivenValues, ListTurns, RuleText, Stage, Step};
pub use tree::{Node, Operator, Span, Tree, Word};
pub use types::{Item, Type};
pub use view::{Oracle, Valued};
