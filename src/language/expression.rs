//! Compiled expressions: compile once, evaluate on many positions.

use crate::ExpressionError;
use crate::check;
use crate::code::{Code, Op};
use crate::environment::{Environment, Subject};
use crate::eval::{Evaluator, Facts};
use crate::parser::parse;
use crate::rule_text::Given;
use crate::symmetry::symmetries;
use crate::tree::Tree;
use crate::turn_members::TurnRef;
use crate::types::{Item, Type};
use crate::view::{PositionView, RuleInfo, View};
use board::{Kind, Squares};
use control::evaluation::{Interrupted, must_stop};
use diagnostics::Diagnostic;
use per_layout::per_layout;
use position::Layout;
use rules::Symmetries;

/// An expression, parsed, checked and compiled for one rule set on one board.
pub struct Expression {
    pub(crate) source: String,
    pub(crate) code: Code,
    pub(crate) result: Type,
    /// The rule set of the expression, followed by those that `under` opens.
    pub(crate) rules: Vec<RuleInfo>,
    /// The names of kinds, in the order of their numbers.
    pub(crate) kinds: Vec<String>,
    /// Warnings for the user.
    pub(crate) warnings: Vec<String>,
    /// Whether the expression is a clause of a rule text.
    pub(crate) is_clause: bool,
    /// How deeply lists of turns are nested, with those of the clauses of the rules that it uses.
    pub(crate) nested_lists: u32,
}

impl std::fmt::Debug for Expression {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.source)
    }
}

/// The value of an expression.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// The value as text: the elements of lists separated by blanks, units as `Qd1`, turns in coordinate
    /// notation.
    pub text: String,
    /// The squares of the value, if it is a square, a unit, or a list of squares or units.
    pub squares: u128,
}

impl Expression {
    /// Compiles an expression of any type.
    ///
    /// # Errors
    /// The first error in the expression.
    pub fn compile(text: &str, environment: &Environment<'_>) -> Result<Self, ExpressionError> {
        check::compile(text, &parse(text)?, environment)
    }

    /// Compiles a tree whose value must have one of these types. `source` is the text that the spans of the tree are about.
    ///
    /// # Errors
    /// The first error in the expression.
    pub fn compile_tree(
        source: &str,
        tree: &Tree,
        environment: &Environment<'_>,
        wanted: &[Type],
    ) -> Result<Self, ExpressionError> {
        check::compile_as(source, tree, environment, wanted)
    }

    /// Compiles a condition. `what` names the text in messages, such as `--find`.
    ///
    /// # Errors
    /// The first error in the expression, with its place and an excerpt.
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
    /// The first error in the expression, with its place and an excerpt.
    pub fn read(what: &str, text: &str, environment: &Environment<'_>) -> Result<Self, Diagnostic> {
        Expression::compile(text, environment).map_err(|error| error.message(what, text))
    }

    /// Returns the text of the expression.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the type of the expression's value.
    pub fn result(&self) -> Type {
        self.result
    }

    /// Returns the symmetries under which the value is the same, or is carried along with the position and the turn.
    /// The rules of `parent` are taken to have every symmetry.
    pub fn symmetries(&self) -> Symmetries {
        symmetries(&self.code, self.result)
    }

    /// Returns whether the value depends only on the kinds and sides of the unit and of the target that the subject
    /// gives, and on whether there is a target. False means only that this was not found.
    pub fn depends_on_kinds_alone(&self) -> bool {
        let mut alone = true;
        self.code.each_part(&mut |part| {
            alone &= match part {
                Code::Scalar(_)
                | Code::Flag(_)
                | Code::Text(_)
                | Code::List(..)
                | Code::Not(_)
                | Code::Negative(_)
                | Code::Arithmetic(..)
                | Code::Compare(..)
                | Code::Equal(..)
                | Code::In(..)
                | Code::And(_)
                | Code::Or(_)
                | Code::Choice(_)
                | Code::Given(Given::Unit | Given::Target | Given::Owner | Given::Foe) => true,
                Code::Name(op, _) => matches!(
                    op,
                    Op::White
                        | Op::Black
                        | Op::Other
                        | Op::UnitKind
                        | Op::UnitSide
                        | Op::UnitExists
                ),
                _ => false,
            };
        });
        alone
    }

    /// Returns whether a list of units has the moved unit among its elements by its name, as `unit` or `at(from)`. False
    /// means only that this was not found.
    pub fn lists_moved_unit(&self) -> bool {
        fn is_moved(code: &Code) -> bool {
            match code {
                Code::Given(Given::Unit) => true,
                Code::Choice(parts) => parts[1..].iter().any(is_moved),
                Code::Name(Op::At, args) => {
                    matches!(args.last(), Some(Code::Name(Op::From, turn)) if matches!(turn[..], [Code::ThisTurn]))
                }
                _ => false,
            }
        }
        fn lists(code: &Code) -> bool {
            match code {
                Code::List(_, parts) => parts.iter().any(is_moved),
                Code::Concat(_, parts) => parts.iter().any(lists),
                Code::Choice(parts) => parts[1..].iter().any(lists),
                _ => false,
            }
        }
        lists(&self.code)
    }

    /// Returns how deeply lists of turns are nested, with those of the clauses of the rules that it uses.
    pub fn nested_lists(&self) -> u32 {
        self.nested_lists
    }

    /// Returns warnings for the user, for example about a kind that the rule set does not have.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns the value of a constant number.
    pub fn constant(&self) -> Option<i64> {
        match self.code {
            Code::Scalar(n) => Some(n),
            _ => None,
        }
    }

    /// Returns the constant texts that the value can be.
    pub fn result_texts(&self) -> Vec<&str> {
        fn add<'c>(code: &'c Code, texts: &mut Vec<&'c str>) {
            match code {
                Code::Text(text) => texts.push(text),
                Code::Choice(parts) => parts[1..].iter().for_each(|part| add(part, texts)),
                _ => {}
            }
        }
        let mut texts = Vec::new();
        add(&self.code, &mut texts);
        texts
    }

    /// Returns whether the expression uses the values of positions.
    pub fn reads_values(&self) -> bool {
        self.reads(&[Op::Value, Op::Plies])
    }

    /// Returns whether the expression uses `depth` or `out_degree`.
    pub fn reads_graph(&self) -> bool {
        self.reads(&[Op::Depth, Op::OutDegree])
    }

    /// Returns whether the expression depends on clocks that are not part of a position's identity: it uses FENs, or asks
    /// rules that read clocks.
    pub fn reads_clocks(&self) -> bool {
        let [own, asked @ ..] = &self.rules[..] else {
            return false;
        };
        let depends = |rules: &RuleInfo| (0..2).any(|n| rules.counters[n] && !own.counters[n]);
        self.reads(&[Op::Fen]) || asked.iter().any(depends)
    }

    /// Returns whether the expression may depend on the distance of a value.
    pub fn reads_distances(&self) -> bool {
        self.reads(&[Op::Plies])
    }

    /// Returns true only if positions that a symmetry of the rule set and its board, apart from a swap of the sides, maps to
    /// each other have the same value of this expression.
    pub fn is_symmetric(&self) -> bool {
        let is_same = matches!(
            self.result,
            Type::One(
                Item::Bool | Item::Int | Item::Side | Item::Kind | Item::Value | Item::Outcome
            )
        );
        let found = self.symmetries();
        is_same && found.files && found.ranks && found.diagonals
    }

    fn reads(&self, ops: &[Op]) -> bool {
        let mut reads = false;
        self.code
            .each_part(&mut |part| reads |= matches!(part, Code::Name(op, _) if ops.contains(op)));
        reads
    }

    /// Returns whether the expression, a condition about a turn, can hold only for turns that checkmate: it
    /// is a conjunction that contains `mates`. May return false for other expressions with this property.
    pub fn requires_mate(&self) -> bool {
        self.requires(Op::Mates)
    }

    /// Returns whether the expression, a condition about a turn, can hold only for turns that give check. May
    /// return false although that is the case.
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
    /// If the `stop` of the subject interrupted the evaluation, or the computation must stop.
    pub fn holds<W: Layout>(&self, subject: &Subject<'_, W>) -> Result<bool, Interrupted> {
        debug_assert_eq!(self.result, Type::BOOL);
        self.number(subject).map(|number| number != 0)
    }

    /// Evaluates the expression on a subject with `work`.
    #[inline(always)]
    fn run<W: Layout, R>(
        &self,
        subject: &Subject<'_, W>,
        work: impl FnOnce(&Evaluator<'_>) -> R,
    ) -> Result<R, Interrupted> {
        if self.is_clause && must_stop(1) {
            return Err(Interrupted);
        }
        let before = PositionView::of(subject);
        let after = subject.after.map(|after| before.with(after));
        let given = &subject.given;
        let previous = given.previous.map(|step| {
            let views = [step.before, step.after].map(|position| before.with(position));
            (views, step)
        });
        let parent = given.parent.map(|game| before.under_parent(game));
        let facts = Facts {
            depth: subject.depth,
            out_degree: subject.out_degree,
            mover: subject.mover,
            turn: subject.turn,
            after: after.as_ref().map(|after| after as &dyn View),
            unit: given.unit,
            target: given.target,
            owner: given.owner,
            number: given.number,
            previous: previous.as_ref().map(|([before, after], step)| TurnRef {
                after: Some(after),
                captures: Some(step.captures.bits()),
                becomes: Some(step.becomes),
                ..TurnRef::new(before, step.turn)
            }),
            captures: given.captures.map(|captures| captures.bits()),
            becomes: given.becomes,
            parent: parent.as_ref().map(|parent| parent as &dyn View),
            first_steps: given.first_steps,
        };
        let evaluator = Evaluator::new(self, &before, facts, subject.stop);
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
    /// If the `stop` of the subject interrupted the evaluation, or the computation must stop.
    pub fn number<W: Layout>(&self, subject: &Subject<'_, W>) -> Result<i64, Interrupted> {
        self.run(subject, |evaluator| evaluator.number())
    }

    /// Evaluates a list of squares or units as a set of squares.
    ///
    /// # Errors
    /// If the `stop` of the subject interrupted the evaluation, or the computation must stop.
    pub fn squares<W: Layout>(&self, subject: &Subject<'_, W>) -> Result<u128, Interrupted> {
        self.run(subject, |evaluator| evaluator.squares())
    }

    /// Evaluates a list of units as two sets of squares: units of the subject's position, and units of the position
    /// after the turn.
    ///
    /// # Errors
    /// If the `stop` of the subject interrupted the evaluation, or the computation must stop.
    pub fn units<W: Layout>(&self, subject: &Subject<'_, W>) -> Result<[u128; 2], Interrupted> {
        self.run(subject, |evaluator| evaluator.units_by_position())
    }

    /// Evaluates a kind or a list of kinds. Kinds that the rule set lacks are left out.
    ///
    /// # Errors
    /// If the `stop` of the subject interrupted the evaluation, or the computation must stop.
    pub fn kinds<W: Layout>(&self, subject: &Subject<'_, W>) -> Result<Vec<Kind>, Interrupted> {
        self.run(subject, |evaluator| evaluator.kinds())
    }

    /// Evaluates a text.
    ///
    /// # Errors
    /// If the `stop` of the subject interrupted the evaluation, or the computation must stop.
    pub fn words<W: Layout>(&self, subject: &Subject<'_, W>) -> Result<String, Interrupted> {
        self.run(subject, |evaluator| evaluator.words())
    }

    /// Evaluates an expression of any type.
    ///
    /// # Errors
    /// If the `stop` of the subject interrupted the evaluation, or the computation must stop.
    pub fn answer<W: Layout>(&self, subject: &Subject<'_, W>) -> Result<Answer, Interrupted> {
        self.run(subject, |evaluator| evaluator.answer())
    }
}

/// Returns the name of a type with an indefinite article.
fn article(result: Type) -> String {
    let an = matches!(result, Type::One(Item::Int | Item::Outcome));
    format!("{} {result}", if an { "an" } else { "a" })
}
