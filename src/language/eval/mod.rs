//! Evaluates the code of an expression on a position. Evaluation never searches and never fails.
//!
//! Lists are streams: each element is passed to its consumer, and no list is stored. A list of squares or of
//! units on the board is a set of squares. Positions after a turn are on the stack. Heap memory is used only
//! for strings that are composed (FENs, turns, fields of the state) and for lists of turns, which come from a
//! pool of the thread.

mod lists;
mod named;
mod print;
mod rule_texts;
mod squares;
mod units;
mod words;

pub use words::OUTCOMES;
pub(crate) use words::VALUES;

use crate::code::{Code, Op, missing};
use crate::expression::Expression;
use crate::rule_text::ListTurns;
use crate::tree::Operator;
use crate::turn_members::TurnRef;
use crate::types::Item;
use crate::view::{RuleInfo, View};
use board::{Color, Geometry, Kind, Square, Squares};
use lists::is_set;
use rules::{FieldType, Turn};
use std::borrow::Cow;
use std::cell::Cell;
use std::ops::ControlFlow;
use units::UnitRef;
use words::square_of;

type Flow = ControlFlow<()>;
const GO_ON: Flow = ControlFlow::Continue(());
const ENOUGH: Flow = ControlFlow::Break(());

/// The number of list elements between two checks of whether to stop.
const TICKS: u32 = 256;

/// The parts of a subject other than its position.
pub(crate) struct Facts<'e> {
    pub depth: u32,
    pub out_degree: u32,
    pub mover: Color,
    pub turn: Option<Turn>,
    /// The position after the turn, if the caller already has it.
    pub after: Option<&'e dyn View>,
    pub unit: Option<Square>,
    pub target: Option<Square>,
    pub owner: Color,
    pub number: i64,
    /// The step before the turn.
    pub previous: Option<TurnRef<'e>>,
    pub captures: Option<u128>,
    pub becomes: Option<Kind>,
    pub parent: Option<&'e dyn View>,
    pub first_steps: Option<ListTurns<'e>>,
}

/// An element of a list, or the value of a variable.
#[derive(Clone, Copy)]
pub(crate) enum Element<'v> {
    Scalar(i64),
    Text(&'v str),
    Unit(UnitRef<'v>),
    Turn(TurnRef<'v>),
    Position(&'v dyn View),
}

/// A variable in scope and the enclosing scopes, the innermost first.
#[derive(Clone, Copy)]
struct Frame<'f> {
    element: Element<'f>,
    outer: Option<&'f Frame<'f>>,
}

type Frames<'f> = Option<&'f Frame<'f>>;

/// The evaluation of one expression on one subject.
pub(crate) struct Evaluator<'e> {
    expression: &'e Expression,
    view: &'e dyn View,
    facts: Facts<'e>,
    stop: Option<&'e dyn Fn() -> bool>,
    ticks: Cell<u32>,
    stopped: Cell<bool>,
}

impl<'e> Evaluator<'e> {
    pub fn new(
        expression: &'e Expression,
        view: &'e dyn View,
        facts: Facts<'e>,
        stop: Option<&'e dyn Fn() -> bool>,
    ) -> Evaluator<'e> {
        Evaluator {
            expression,
            view,
            facts,
            stop,
            ticks: Cell::new(0),
            stopped: Cell::new(false),
        }
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.get()
    }

    /// Returns the value of a condition or an integer expression.
    pub fn number(&self) -> i64 {
        self.scalar(&self.expression.code, None)
    }

    /// Returns the turn that the expression is about.
    fn this_turn(&self) -> TurnRef<'e> {
        match self.facts.turn {
            Some(turn) => TurnRef {
                after: self.facts.after,
                captures: self.facts.captures,
                becomes: self.facts.becomes,
                ..TurnRef::new(self.view, turn)
            },
            None => TurnRef::missing(self.view),
        }
    }

    fn geometry(&self) -> Geometry {
        self.expression.rules[0].geometry
    }

    fn rules(&self, view: &dyn View) -> &'e RuleInfo {
        &self.expression.rules[view.rules_index()]
    }

    /// Counts a list element. Breaks if the caller requests a stop or the computation must stop.
    fn tick(&self) -> Flow {
        let ticks = self.ticks.get() + 1;
        self.ticks.set(ticks);
        if ticks.is_multiple_of(TICKS)
            && (self.stop.is_some_and(|stop| stop()) || control::evaluation::must_stop(TICKS))
        {
            self.stopped.set(true);
        }
        if self.stopped.get() { ENOUGH } else { GO_ON }
    }

    fn variable<'f>(&self, scope: Frames<'f>, hops: u32) -> Element<'f>
    where
        'e: 'f,
    {
        let mut frame = scope;
        for _ in 0..hops {
            frame = frame.and_then(|frame| frame.outer);
        }
        frame.map_or(Element::Position(self.view), |frame| frame.element)
    }

    /// Evaluates code of a scalar type. Only the most frequent forms are in this function, to keep its stack
    /// frame small.
    fn scalar(&self, code: &'e Code, scope: Frames<'_>) -> i64 {
        match code {
            Code::Scalar(n) => *n,
            Code::Count(side, kinds) => i64::from(self.view.count(*side, *kinds)),
            Code::SideToMove => self.view.side() as i64,
            Code::Not(a) => i64::from(self.scalar(a, scope) == 0),
            Code::And(parts) => i64::from(parts.iter().all(|part| self.scalar(part, scope) != 0)),
            Code::Or(parts) => i64::from(parts.iter().any(|part| self.scalar(part, scope) != 0)),
            Code::Compare(operator, parts) => {
                let (a, b) = (
                    self.operand(&parts[0], scope),
                    self.operand(&parts[1], scope),
                );
                i64::from(match operator {
                    Operator::Less => a < b,
                    Operator::AtMost => a <= b,
                    Operator::Greater => a > b,
                    _ => a >= b,
                })
            }
            Code::Equal(
                Item::Bool | Item::Int | Item::Side | Item::Kind | Item::Square | Item::Outcome,
                wanted,
                parts,
            ) => {
                let (a, b) = (
                    self.operand(&parts[0], scope),
                    self.operand(&parts[1], scope),
                );
                i64::from((a == b) == *wanted)
            }
            Code::Arithmetic(operator, parts) => {
                let (a, b) = (
                    self.operand(&parts[0], scope),
                    self.operand(&parts[1], scope),
                );
                calculate(*operator, a, b)
            }
            Code::Name(op, args) => match (*op, &args[..]) {
                (Op::Check, [Code::Here]) => i64::from(self.view.in_check(self.view.side())),
                (Op::Empty, &[Code::Here, Code::Scalar(square)]) => {
                    i64::from(is_empty(self.view, square_of(square)))
                }
                _ => self.named(*op, args, scope),
            },
            _ => self.other_scalar(code, scope),
        }
    }

    /// Evaluates an operand. Constants and simple counts need no further call.
    #[inline(always)]
    fn operand(&self, code: &'e Code, scope: Frames<'_>) -> i64 {
        match code {
            Code::Scalar(n) => *n,
            Code::Count(side, kinds) => i64::from(self.view.count(*side, *kinds)),
            Code::SideToMove => self.view.side() as i64,
            _ => self.scalar(code, scope),
        }
    }

    /// Evaluates the scalar forms that are not in [`scalar`](Self::scalar).
    #[inline(never)]
    fn other_scalar(&self, code: &'e Code, scope: Frames<'_>) -> i64 {
        match code {
            Code::Variable(hops) => match self.variable(scope, *hops) {
                Element::Scalar(n) => n,
                _ => 0,
            },
            Code::Negative(a) => self.scalar(a, scope).saturating_neg(),
            Code::Equal(item, wanted, parts) => self.equal(*item, *wanted, parts, scope),
            Code::EqualLists(item, wanted, parts) => {
                i64::from(self.equal_lists(*item, parts, scope) == *wanted)
            }
            Code::In(item, parts) => i64::from(self.contains(*item, parts, scope)),
            Code::Choice(parts) => self.scalar(self.chosen(parts, scope), scope),
            Code::State(position, key) => {
                self.at(position, scope, |view| view.state(key).parse().unwrap_or(0))
            }
            Code::Declared(position, field, kind, side) => {
                self.declared(position, *field, *kind, side.as_deref(), scope)
            }
            Code::Given(given) => self.given_number(*given),
            Code::Union(_, parts) => self.scalar(&parts[0], scope) | self.scalar(&parts[1], scope),
            Code::Size(list) => self.size(list, scope),
            Code::Length(text) => self.text(text, scope).chars().count() as i64,
            Code::Macro(form, _, parts) => self.quantified(*form, parts, scope),
            Code::Index(item, _) => {
                let mut value = match item {
                    Item::Square | Item::Kind | Item::Side => missing::SQUARE,
                    Item::Value => missing::VALUE,
                    _ => 0,
                };
                let _: Flow = self.nth(code, scope, &mut |element| {
                    if let Element::Scalar(n) = element {
                        value = n;
                    }
                    GO_ON
                });
                value
            }
            _ => 0,
        }
    }

    fn chosen(&self, parts: &'e [Code; 3], scope: Frames<'_>) -> &'e Code {
        let [condition, yes, no] = parts;
        if self.scalar(condition, scope) != 0 {
            yes
        } else {
            no
        }
    }

    fn equal(&self, item: Item, wanted: bool, parts: &'e [Code; 2], scope: Frames<'_>) -> i64 {
        let [a, b] = parts;
        let equal = match item {
            Item::Text => self.text(a, scope) == self.text(b, scope),
            Item::Unit | Item::Turn => {
                let mut equal = false;
                let _: Flow = self.element(item, a, scope, &mut |a| {
                    self.element(item, b, scope, &mut |b| {
                        equal = same(&a, &b);
                        GO_ON
                    })
                });
                equal
            }
            // Only values remain here; `scalar` compares the other types.
            _ => {
                let (a, b) = (self.scalar(a, scope), self.scalar(b, scope));
                if a == missing::VALUE || b == missing::VALUE {
                    // A missing value is neither equal nor unequal to any value.
                    return 0;
                }
                a == b
            }
        };
        i64::from(equal == wanted)
    }

    fn equal_lists(&self, item: Item, parts: &'e [Code; 2], scope: Frames<'_>) -> bool {
        let [a, b] = parts;
        let n = self.size(a, scope);
        if n != self.size(b, scope) {
            return false;
        }
        // Compare element by element. Lists that are not sets are enumerated again for each index.
        let (mut at, mut equal) = (0, true);
        let _: Flow = self.each(a, scope, &mut |x| {
            let _: Flow = self.element_at(b, at, scope, &mut |y| {
                equal = same(&x, &y);
                GO_ON
            });
            at += 1;
            if equal { GO_ON } else { ENOUGH }
        });
        debug_assert!(item != Item::Position, "positions are not compared");
        equal
    }

    fn contains(&self, item: Item, parts: &'e [Code; 2], scope: Frames<'_>) -> bool {
        let [value, list] = parts;
        let mut found = false;
        let _: Flow = self.element(item, value, scope, &mut |value| {
            if let (Element::Scalar(square), true) = (value, is_set(list)) {
                self.set(list, scope, &mut |_, set| {
                    found = square_of(square).is_some_and(|square| set.has(square));
                });
                return GO_ON;
            }
            self.each(list, scope, &mut |element| {
                found = same(&value, &element);
                if found { ENOUGH } else { GO_ON }
            })
        });
        found
    }

    /// Calls `visit` for the value of code of any type.
    fn element(
        &self,
        item: Item,
        code: &'e Code,
        scope: Frames<'_>,
        visit: &mut dyn FnMut(Element<'_>) -> Flow,
    ) -> Flow {
        match item {
            Item::Text | Item::Open(_) => visit(Element::Text(&self.text(code, scope))),
            Item::Unit | Item::Turn | Item::Position => self.object(code, scope, visit),
            _ => visit(Element::Scalar(self.scalar(code, scope))),
        }
    }

    /// Calls `visit` for a unit, a turn or a position.
    fn object(
        &self,
        code: &'e Code,
        scope: Frames<'_>,
        visit: &mut dyn FnMut(Element<'_>) -> Flow,
    ) -> Flow {
        match code {
            Code::Here => visit(Element::Position(self.view)),
            Code::ThisTurn => visit(Element::Turn(self.this_turn())),
            Code::Given(given) => visit(self.given(*given)),
            Code::Name(Op::Nearest, args) => self.nearest(args, scope, visit),
            Code::Variable(hops) => visit(self.variable(scope, *hops)),
            Code::Choice(parts) => self.object(self.chosen(parts, scope), scope, visit),
            Code::Index(..) => self.nth(code, scope, visit),
            Code::Name(Op::At, args) => {
                let square = square_of(self.scalar(&args[1], scope));
                self.at_flow(&args[0], scope, &mut |view| {
                    let unit = square.filter(|&square| view.unit(square).is_some());
                    visit(Element::Unit(match unit {
                        Some(square) => UnitRef::on(view, square),
                        None => UnitRef::missing(view),
                    }))
                })
            }
            _ => self.at_flow(code, scope, &mut |view| visit(Element::Position(view))),
        }
    }

    /// Returns a position that exists already, without computing one.
    fn direct<'f>(&self, code: &Code, scope: Frames<'f>) -> Option<&'f dyn View>
    where
        'e: 'f,
    {
        match code {
            Code::Here => Some(self.view),
            Code::Parent => self.facts.parent,
            Code::Variable(hops) => match self.variable(scope, *hops) {
                Element::Position(view) => Some(view),
                _ => None,
            },
            Code::Name(Op::Before, args) => match &args[0] {
                Code::ThisTurn => Some(self.view),
                Code::Variable(hops) => match self.variable(scope, *hops) {
                    Element::Turn(turn) => Some(turn.before),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// Calls `visit` for the position that code denotes.
    fn position(&self, code: &'e Code, scope: Frames<'_>, visit: &mut dyn FnMut(&dyn View)) {
        if let Some(view) = self.direct(code, scope) {
            return visit(view);
        }
        match code {
            Code::Name(Op::Pass | Op::Flip, args) => {
                self.position(&args[0], scope, &mut |view| view.passed(visit));
            }
            Code::Name(Op::Before, args) => {
                self.turn(&args[0], scope, |turn| visit(turn.before));
            }
            Code::Name(Op::After, args) => {
                self.turn(&args[0], scope, |turn| turn.visit_after(visit));
            }
            Code::Name(Op::Without, args) => {
                let square =
                    self.unit(&args[1], scope, |unit| unit.exists().then_some(unit.square));
                self.position(&args[0], scope, &mut |view| match square {
                    Some(square) if view.unit(square).is_some() => view.without(square, visit),
                    _ => visit(view),
                });
            }
            Code::Under(position, n) => {
                let rules = &self.expression.rules[*n];
                self.position(position, scope, &mut |view| view.under(rules, *n, visit));
            }
            Code::Choice(parts) => self.position(self.chosen(parts, scope), scope, visit),
            Code::Index(..) => {
                let _: Flow = self.nth(code, scope, &mut |element| {
                    if let Element::Position(view) = element {
                        visit(view);
                    }
                    GO_ON
                });
            }
            _ => {}
        }
    }

    /// Calls `work` with the position that code denotes and returns its result.
    fn at<R: Default>(
        &self,
        code: &'e Code,
        scope: Frames<'_>,
        work: impl FnOnce(&dyn View) -> R,
    ) -> R {
        if let Some(view) = self.direct(code, scope) {
            return work(view);
        }
        let (mut work, mut result) = (Some(work), None);
        self.position(code, scope, &mut |view| {
            result = work.take().map(|work| work(view));
        });
        result.unwrap_or_default()
    }

    fn at_flow(
        &self,
        code: &'e Code,
        scope: Frames<'_>,
        visit: &mut dyn FnMut(&dyn View) -> Flow,
    ) -> Flow {
        let mut flow = GO_ON;
        self.position(code, scope, &mut |view| flow = visit(view));
        flow
    }

    /// Calls `work` with the turn that code denotes and returns its result.
    fn turn<R: Default>(
        &self,
        code: &'e Code,
        scope: Frames<'_>,
        work: impl FnOnce(TurnRef<'_>) -> R,
    ) -> R {
        match code {
            Code::ThisTurn => return work(self.this_turn()),
            Code::Given(given) => {
                if let Element::Turn(turn) = self.given(*given) {
                    return work(turn);
                }
            }
            Code::Variable(hops) => {
                if let Element::Turn(turn) = self.variable(scope, *hops) {
                    return work(turn);
                }
            }
            _ => {}
        }
        let (mut work, mut result) = (Some(work), None);
        let _: Flow = self.object(code, scope, &mut |element| {
            if let Element::Turn(turn) = element {
                result = work.take().map(|work| work(turn));
            }
            GO_ON
        });
        result.unwrap_or_default()
    }

    /// Calls `work` with the unit that code denotes and returns its result.
    fn unit<R: Default>(
        &self,
        code: &'e Code,
        scope: Frames<'_>,
        work: impl FnOnce(UnitRef<'_>) -> R,
    ) -> R {
        if let Code::Variable(hops) = code
            && let Element::Unit(unit) = self.variable(scope, *hops)
        {
            return work(unit);
        }
        if let Code::Given(given) = code
            && let Element::Unit(unit) = self.given(*given)
        {
            return work(unit);
        }
        let (mut work, mut result) = (Some(work), None);
        let _: Flow = self.object(code, scope, &mut |element| {
            if let Element::Unit(unit) = element {
                result = work.take().map(|work| work(unit));
            }
            GO_ON
        });
        result.unwrap_or_default()
    }

    /// Evaluates code whose value is a string.
    fn text<'t>(&'t self, code: &'e Code, scope: Frames<'t>) -> Cow<'t, str> {
        match code {
            Code::Text(text) => Cow::Borrowed(text),
            Code::Variable(hops) => match self.variable(scope, *hops) {
                Element::Text(text) => Cow::Borrowed(text),
                _ => Cow::Borrowed(""),
            },
            Code::Choice(parts) => self.text(self.chosen(parts, scope), scope),
            Code::Declared(position, field, FieldType::Words(words), side) => {
                let n = self.declared(
                    position,
                    *field,
                    FieldType::Words(words),
                    side.as_deref(),
                    scope,
                );
                Cow::Borrowed(words.get(n as usize).copied().unwrap_or(""))
            }
            Code::Union(_, parts) => {
                let [a, b] = [0, 1].map(|n| self.text(&parts[n], scope));
                Cow::Owned(a.into_owned() + &b)
            }
            Code::State(position, key) => {
                Cow::Owned(self.at(position, scope, |view| view.state(key)))
            }
            Code::Name(Op::Reason, args) => self.at(&args[0], scope, |view| {
                Cow::Borrowed(view.outcome().reason().unwrap_or(""))
            }),
            Code::Name(Op::Fen, args) => Cow::Owned(self.at(&args[0], scope, |view| view.fen())),
            Code::Name(Op::TurnText, args) => {
                Cow::Owned(self.turn(&args[0], scope, |turn| turn_text(&turn)))
            }
            Code::Index(..) => {
                let mut text = String::new();
                let _: Flow = self.nth(code, scope, &mut |element| {
                    if let Element::Text(t) = element {
                        text = t.to_owned();
                    }
                    GO_ON
                });
                Cow::Owned(text)
            }
            _ => Cow::Borrowed(""),
        }
    }

    /// Returns the number of a kind among the kinds of the expression.
    fn kind_id(&self, view: &dyn View, kind: Option<Kind>) -> i64 {
        kind.map_or(missing::KIND, |kind| self.rules(view).ids[kind.index()])
    }
}

/// Returns whether a square is on the board and vacant.
fn is_empty(view: &dyn View, square: Option<Square>) -> bool {
    square.is_some_and(|square| !view.occupied().has(square))
}

/// Returns whether two elements of one type are equal.
fn same(a: &Element<'_>, b: &Element<'_>) -> bool {
    match (a, b) {
        (Element::Scalar(a), Element::Scalar(b)) => a == b,
        (Element::Text(a), Element::Text(b)) => a == b,
        (Element::Unit(a), Element::Unit(b)) => a.square == b.square && a.unit() == b.unit(),
        (Element::Turn(a), Element::Turn(b)) => a.turn == b.turn && a.step == b.step,
        _ => false,
    }
}

fn calculate(operator: Operator, a: i64, b: i64) -> i64 {
    match operator {
        Operator::Plus => a.saturating_add(b),
        Operator::Minus => a.saturating_sub(b),
        Operator::Times => a.saturating_mul(b),
        Operator::Over if b == 0 => 0,
        Operator::Over => a.saturating_div(b),
        _ => a.checked_rem(b).unwrap_or(0),
    }
}

fn turn_text(turn: &TurnRef<'_>) -> String {
    match (turn.turn, turn.step) {
        (None, _) => String::new(),
        (Some(whole), None) => turn.before.turn_text(&whole),
        (Some(whole), Some(n)) => turn.before.turn_text(&Turn::of(whole.steps[n])),
    }
}
