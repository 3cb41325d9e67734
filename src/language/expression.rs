//! Compiled expressions.

use crate::ExpressionError;
use crate::check;
use crate::code::{Code, Op};
use crate::environment::{Environment, Subject};
use crate::eval::{Evaluator, Facts};
use crate::parser::parse;
use crate::types::{Item, Type};
use crate::view::{PositionView, RuleInfo, View};
use diagnostics::Diagnostic;
use per_layout::per_layout;
use position::Layout;
use std::sync::Arc;

/// An expression, parsed, checked and compiled for one rule set on one board.
pub struct Expression {
    pub(crate) source: String,
    pub(crate) code: Code,
    pub(crate) result: Type,
    /// The rule set of the expression, then those of `under`.
    pub(crate) rules: Vec<RuleInfo>,
    /// The names of kinds, by their numbers.
    pub(crate) kinds: Vec<String>,
    /// What a user should know although it is not an error.
    pub(crate) warnings: Vec<String>,
    /// Returns whether evaluation has to stop, where the subject does not say so.
    pub(crate) stop: Option<Arc<Stop>>,
}

/// Returns whether evaluation has to stop. Called now and then, on any thread.
pub type Stop = dyn Fn() -> bool + Send + Sync;

impl std::fmt::Debug for Expression {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.source)
    }
}

/// The value of an expression.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// The value as text: lists separated by blanks, units as `Qd1`, turns in coordinate notation.
    pub text: String,
    /// The squares of a square, a unit, or of a list of these.
    pub squares: u128,
}

/// Evaluation was stopped by the caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

impl Expression {
    /// Compiles an expression of any type.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn compile(text: &str, environment: &Environment<'_>) -> Result<Self, ExpressionError> {
        check::compile(text, &parse(text)?, environment)
    }

    /// Compiles a condition. `what` names the text in messages, such as `--find`.
    ///
    /// # Errors
    /// The first thing that is wrong with it, with its place and an excerpt.
    pub fn condition(
        what: &str,
        text: &str,
        environment: &Environment<'_>,
    ) -> Result<Self, Diagnostic> {
        let expression = Expression::read(what, text, environment)?;
        match expression.result {
            Type::BOOL => Ok(expression),
            other => {
                let why = format!(
                    "a condition is wanted, true or false; this is {}",
                    article(other)
                );
                Err(ExpressionError::new(0..text.len(), why).message(what, text))
            }
        }
    }

    /// Compiles an expression of any type. `what` names the text in messages.
    ///
    /// # Errors
    /// The first thing that is wrong with it, with its place and an excerpt.
    pub fn read(what: &str, text: &str, environment: &Environment<'_>) -> Result<Self, Diagnostic> {
        Expression::compile(text, environment).map_err(|error| error.message(what, text))
    }

    /// Returns the expression with what stops its evaluation on subjects that have no `stop` of their own.
    pub fn with_stop(self, stop: Arc<Stop>) -> Expression {
        Expression {
            stop: Some(stop),
            ..self
        }
    }

    /// Returns the text of the expression.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the type of its value.
    pub fn result(&self) -> Type {
        self.result
    }

    /// Returns what a user should know although it is not an error, such as a kind that the rule set does not
    /// have.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns whether the expression reads the values of positions.
    pub fn reads_values(&self) -> bool {
        self.reads(&[Op::Value, Op::Plies])
    }

    /// Returns whether the expression reads `depth` or `out_degree`.
    pub fn reads_graph(&self) -> bool {
        self.reads(&[Op::Depth, Op::OutDegree])
    }

    /// Returns whether the expression reads FENs, and so the clocks, which do not belong to a position's
    /// identity.
    pub fn reads_clocks(&self) -> bool {
        self.reads(&[Op::Fen])
    }

    fn reads(&self, ops: &[Op]) -> bool {
        let mut reads = false;
        self.code
            .each_part(&mut |part| reads |= matches!(part, Code::Name(op, _) if ops.contains(op)));
        reads
    }

    /// Returns whether the expression, which is a condition about a turn, holds only for turns that
    /// checkmate: `mates` is one of the conditions that it joins.
    pub fn requires_mate(&self) -> bool {
        self.requires(Op::Mates)
    }

    /// Returns whether the expression, which is a condition about a turn, holds only for turns that give
    /// check.
    pub fn requires_check(&self) -> bool {
        self.requires(Op::Checks)
    }

    fn requires(&self, op: Op) -> bool {
        let is = |code: &Code| matches!(code, Code::Name(o, args) if *o == op && matches!(args[..], [Code::ThisTurn]));
        match &self.code {
            Code::And(parts) => parts.iter().any(is),
            code => is(code),
        }
    }

    /// Evaluates a condition.
    ///
    /// # Errors
    /// If the subject's `stop`, or that of the expression, interrupted it.
    pub fn holds<W: Layout>(&self, subject: &Subject<'_, W>) -> Result<bool, Interrupted> {
        debug_assert_eq!(self.result, Type::BOOL);
        self.number(subject).map(|number| number != 0)
    }

    /// Evaluates the expression by `work`.
    #[inline(always)]
    fn run<W: Layout, R>(
        &self,
        subject: &Subject<'_, W>,
        work: impl FnOnce(&Evaluator<'_>) -> R,
    ) -> Result<R, Interrupted> {
        let before = PositionView::of(subject);
        let after = subject.after.map(|after| before.with(after));
        let facts = Facts {
            depth: subject.depth,
            out_degree: subject.out_degree,
            mover: subject.mover,
            turn: subject.turn,
            after: after.as_ref().map(|after| after as &dyn View),
        };
        let own = self.stop.as_deref().map(|stop| stop as &dyn Fn() -> bool);
        let evaluator = Evaluator::new(self, &before, facts, subject.stop.or(own));
        let result = work(&evaluator);
        match evaluator.is_stopped() {
            true => Err(Interrupted),
            false => Ok(result),
        }
    }
}

#[per_layout]
impl Expression {
    /// Evaluates a condition or an integer expression.
    ///
    /// # Errors
    /// If the subject's `stop`, or that of the expression, interrupted it.
    pub fn number<W: Layout>(&self, subject: &Subject<'_, W>) -> Result<i64, Interrupted> {
        self.run(subject, |evaluator| evaluator.number())
    }

    /// Evaluates an expression of any type.
    ///
    /// # Errors
    /// If the subject's `stop`, or that of the expression, interrupted it.
    pub fn answer<W: Layout>(&self, subject: &Subject<'_, W>) -> Result<Answer, Interrupted> {
        self.run(subject, |evaluator| evaluator.answer())
    }
}

/// Returns a type with its article.
fn article(result: Type) -> String {
    let an = matches!(result, Type::One(Item::Int | Item::Outcome));
    format!("{} {result}", if an { "an" } else { "a" })
}
