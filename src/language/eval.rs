//! Evaluation: the code of an expression, run on a position.
//!
//! Lists are streams: each element is passed to whatever consumes it, and no list is stored. A list of
//! squares or of units on the board is a set of squares. Positions that a turn leads to live on the stack.
//! Only texts that are put together (FENs, turns, fields of the state) and lists of turns, which come from a
//! pool of the thread, take memory from the heap.

use crate::code::{Code, Macro, Op, missing};
use crate::expression::{Answer, Expression};
use crate::tree::Operator;
use crate::turn_members::TurnRef;
use crate::types::{Item, Type};
use crate::view::{RuleInfo, Valued, View};
use board::{Color, Geometry, Kind, Square, Squares};
use rules::{Action, Outcome, Turn, with_turns};
use std::borrow::Cow;
use std::cell::Cell;
use std::ops::ControlFlow;

type Flow = ControlFlow<()>;
const GO_ON: Flow = ControlFlow::Continue(());
const ENOUGH: Flow = ControlFlow::Break(());

/// Elements of lists between two calls of the caller's `stop`.
const TICKS: u32 = 256;

/// What is known of a subject besides its position.
pub(crate) struct Facts {
    pub depth: u32,
    pub out_degree: u32,
    pub mover: Color,
    pub turn: Option<Turn>,
}

/// A unit, on the board, bound, or missing.
#[derive(Clone, Copy)]
pub(crate) struct UnitRef<'v> {
    view: &'v dyn View,
    /// Its square; beyond the board for the missing unit.
    square: Square,
    /// Its side and kind, if they are not those of the unit on the square.
    bound: Option<(Color, Kind)>,
}

/// The square of the missing unit.
const NOWHERE: Square = Square(u8::MAX);

impl<'v> UnitRef<'v> {
    fn on(view: &'v dyn View, square: Square) -> UnitRef<'v> {
        UnitRef {
            view,
            square,
            bound: None,
        }
    }

    fn missing(view: &'v dyn View) -> UnitRef<'v> {
        UnitRef::on(view, NOWHERE)
    }

    fn exists(&self) -> bool {
        self.square != NOWHERE
    }

    fn unit(&self) -> Option<(Color, Kind)> {
        match (self.bound, self.exists()) {
            (Some(unit), _) => Some(unit),
            (None, true) => self.view.unit(self.square),
            (None, false) => None,
        }
    }
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

/// The variables in scope, the innermost first.
#[derive(Clone, Copy)]
struct Frame<'f> {
    element: Element<'f>,
    outer: Option<&'f Frame<'f>>,
}

type Scope<'f> = Option<&'f Frame<'f>>;

/// Evaluates one expression on one subject.
pub(crate) struct Evaluator<'e> {
    expression: &'e Expression,
    view: &'e dyn View,
    turn: TurnRef<'e>,
    facts: &'e Facts,
    stop: Option<&'e dyn Fn() -> bool>,
    ticks: Cell<u32>,
    stopped: Cell<bool>,
}

impl<'e> Evaluator<'e> {
    pub fn new(
        expression: &'e Expression,
        view: &'e dyn View,
        after: Option<&'e dyn View>,
        facts: &'e Facts,
        stop: Option<&'e dyn Fn() -> bool>,
    ) -> Evaluator<'e> {
        let turn = match facts.turn {
            Some(turn) => TurnRef {
                after,
                ..TurnRef::new(view, turn)
            },
            None => TurnRef::missing(view),
        };
        Evaluator {
            expression,
            view,
            turn,
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

    /// Returns the value of an expression of any type.
    pub fn answer(&self) -> Answer {
        let mut answer = Answer::default();
        let code = &self.expression.code;
        match self.expression.result {
            Type::One(item) => {
                let _: Flow = self.element(item, code, None, &mut |element| {
                    self.print(item, element, &mut answer);
                    GO_ON
                });
            }
            Type::List(item) => {
                let mut first = true;
                let _: Flow = self.each(code, None, &mut |element| {
                    if !std::mem::replace(&mut first, false) {
                        answer.text.push(' ');
                    }
                    self.print(item, element, &mut answer);
                    GO_ON
                });
            }
        }
        answer
    }

    /// Appends an element to an answer.
    fn print(&self, item: Item, element: Element<'_>, answer: &mut Answer) {
        let geometry = self.geometry();
        let square_name = |square: Square| geometry.name(square);
        match element {
            Element::Text(text) => answer.text += text,
            Element::Scalar(n) => {
                if item == Item::Square && n >= 0 {
                    answer.squares |= u128::of(Square(n as u8));
                }
                answer.text += &self.scalar_text(item, n);
            }
            Element::Unit(unit) => {
                if let Some((color, kind)) = unit.unit() {
                    answer.squares |= u128::of(unit.square);
                    let men = &self.rules(unit.view).men;
                    answer.text += &men.name(color, kind);
                    answer.text += &square_name(unit.square);
                }
            }
            Element::Turn(turn) => answer.text += &turn_text(&turn),
            Element::Position(view) => answer.text += &view.fen(),
        }
    }

    fn scalar_text(&self, item: Item, n: i64) -> Cow<'e, str> {
        match item {
            Item::Bool => Cow::Borrowed(if n != 0 { "true" } else { "false" }),
            Item::Side => Cow::Borrowed(side_of(n).map_or("", side_name)),
            Item::Kind => {
                let name = usize::try_from(n)
                    .ok()
                    .and_then(|n| self.expression.kinds.get(n));
                Cow::Borrowed(name.map_or("", String::as_str))
            }
            Item::Square => match square_of(n) {
                Some(square) => Cow::Owned(self.geometry().name(square)),
                None => Cow::Borrowed(""),
            },
            Item::Outcome => Cow::Borrowed(outcome_name(n)),
            Item::Value => Cow::Borrowed(value_name(n)),
            _ => Cow::Owned(n.to_string()),
        }
    }

    fn geometry(&self) -> Geometry {
        self.expression.rules[0].geometry
    }

    fn rules(&self, view: &dyn View) -> &'e RuleInfo {
        &self.expression.rules[view.rules_index()]
    }

    /// Counts an element of a list; breaks if the caller wants to stop.
    fn tick(&self) -> Flow {
        let ticks = self.ticks.get() + 1;
        self.ticks.set(ticks);
        if ticks.is_multiple_of(TICKS) && self.stop.is_some_and(|stop| stop()) {
            self.stopped.set(true);
        }
        if self.stopped.get() { ENOUGH } else { GO_ON }
    }

    fn variable<'f>(&self, scope: Scope<'f>, hops: u32) -> Element<'f>
    where
        'e: 'f,
    {
        let mut frame = scope;
        for _ in 0..hops {
            frame = frame.and_then(|frame| frame.outer);
        }
        frame.map_or(Element::Position(self.view), |frame| frame.element)
    }

    /// Evaluates code of a scalar type.
    fn scalar(&self, code: &'e Code, scope: Scope<'_>) -> i64 {
        match code {
            Code::Scalar(n) => *n,
            Code::Variable(hops) => match self.variable(scope, *hops) {
                Element::Scalar(n) => n,
                _ => 0,
            },
            Code::Not(a) => i64::from(self.scalar(a, scope) == 0),
            Code::Negative(a) => self.scalar(a, scope).saturating_neg(),
            Code::Arithmetic(operator, parts) => {
                let [a, b] = [&parts[0], &parts[1]].map(|part| self.scalar(part, scope));
                calculate(*operator, a, b)
            }
            Code::Compare(operator, parts) => {
                let [a, b] = [&parts[0], &parts[1]].map(|part| self.scalar(part, scope));
                i64::from(match operator {
                    Operator::Less => a < b,
                    Operator::AtMost => a <= b,
                    Operator::Greater => a > b,
                    _ => a >= b,
                })
            }
            Code::Equal(item, wanted, parts) => self.equal(*item, *wanted, parts, scope),
            Code::EqualLists(item, wanted, parts) => {
                i64::from(self.equal_lists(*item, parts, scope) == *wanted)
            }
            Code::In(item, parts) => i64::from(self.contains(*item, parts, scope)),
            Code::And(parts) => i64::from(parts.iter().all(|part| self.scalar(part, scope) != 0)),
            Code::Or(parts) => i64::from(parts.iter().any(|part| self.scalar(part, scope) != 0)),
            Code::Choice(parts) => self.scalar(self.chosen(parts, scope), scope),
            Code::Name(op, args) => self.named(*op, args, scope),
            Code::State(position, key) => {
                self.at(position, scope, |view| view.state(key).parse().unwrap_or(0))
            }
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

    fn chosen(&self, parts: &'e [Code; 3], scope: Scope<'_>) -> &'e Code {
        let [condition, yes, no] = parts;
        if self.scalar(condition, scope) != 0 {
            yes
        } else {
            no
        }
    }

    fn equal(&self, item: Item, wanted: bool, parts: &'e [Code; 2], scope: Scope<'_>) -> i64 {
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
            _ => {
                let (a, b) = (self.scalar(a, scope), self.scalar(b, scope));
                if item == Item::Value && (a == missing::VALUE || b == missing::VALUE) {
                    // A missing value is neither equal nor unequal to any.
                    return 0;
                }
                a == b
            }
        };
        i64::from(equal == wanted)
    }

    fn equal_lists(&self, item: Item, parts: &'e [Code; 2], scope: Scope<'_>) -> bool {
        let [a, b] = parts;
        let n = self.size(a, scope);
        if n != self.size(b, scope) {
            return false;
        }
        // Element by element; lists that are not sets are read again for each.
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

    fn contains(&self, item: Item, parts: &'e [Code; 2], scope: Scope<'_>) -> bool {
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

    /// Calls `visit` with the value of code of any type.
    fn element(
        &self,
        item: Item,
        code: &'e Code,
        scope: Scope<'_>,
        visit: &mut dyn FnMut(Element<'_>) -> Flow,
    ) -> Flow {
        match item {
            Item::Text | Item::Open(_) => visit(Element::Text(&self.text(code, scope))),
            Item::Unit | Item::Turn | Item::Position => self.object(code, scope, visit),
            _ => visit(Element::Scalar(self.scalar(code, scope))),
        }
    }

    /// Calls `visit` with a unit, a turn or a position.
    fn object(
        &self,
        code: &'e Code,
        scope: Scope<'_>,
        visit: &mut dyn FnMut(Element<'_>) -> Flow,
    ) -> Flow {
        match code {
            Code::Here => visit(Element::Position(self.view)),
            Code::ThisTurn => visit(Element::Turn(self.turn)),
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

    /// Returns a position that is at hand.
    fn direct<'f>(&self, code: &Code, scope: Scope<'f>) -> Option<&'f dyn View>
    where
        'e: 'f,
    {
        match code {
            Code::Here => Some(self.view),
            Code::Variable(hops) => match self.variable(scope, *hops) {
                Element::Position(view) => Some(view),
                _ => None,
            },
            Code::Name(Op::Before, args) => match &args[0] {
                Code::ThisTurn => Some(self.turn.before),
                Code::Variable(hops) => match self.variable(scope, *hops) {
                    Element::Turn(turn) => Some(turn.before),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// Calls `visit` with a position.
    fn position(&self, code: &'e Code, scope: Scope<'_>, visit: &mut dyn FnMut(&dyn View)) {
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

    /// Returns what `work` makes of a position.
    fn at<R: Default>(
        &self,
        code: &'e Code,
        scope: Scope<'_>,
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
        scope: Scope<'_>,
        visit: &mut dyn FnMut(&dyn View) -> Flow,
    ) -> Flow {
        let mut flow = GO_ON;
        self.position(code, scope, &mut |view| flow = visit(view));
        flow
    }

    /// Returns what `work` makes of a turn.
    fn turn<R: Default>(
        &self,
        code: &'e Code,
        scope: Scope<'_>,
        work: impl FnOnce(TurnRef<'_>) -> R,
    ) -> R {
        match code {
            Code::ThisTurn => return work(self.turn),
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

    /// Returns what `work` makes of a unit.
    fn unit<R: Default>(
        &self,
        code: &'e Code,
        scope: Scope<'_>,
        work: impl FnOnce(UnitRef<'_>) -> R,
    ) -> R {
        if let Code::Variable(hops) = code
            && let Element::Unit(unit) = self.variable(scope, *hops)
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

    /// Evaluates code of the type text.
    fn text<'t>(&'t self, code: &'e Code, scope: Scope<'t>) -> Cow<'t, str> {
        match code {
            Code::Text(text) => Cow::Borrowed(text),
            Code::Variable(hops) => match self.variable(scope, *hops) {
                Element::Text(text) => Cow::Borrowed(text),
                _ => Cow::Borrowed(""),
            },
            Code::Choice(parts) => self.text(self.chosen(parts, scope), scope),
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

    /// Calls `visit` with each element of a list.
    fn each(
        &self,
        code: &'e Code,
        scope: Scope<'_>,
        visit: &mut dyn FnMut(Element<'_>) -> Flow,
    ) -> Flow {
        if is_set(code) {
            let units = is_units(code);
            let mut flow = GO_ON;
            self.set(code, scope, &mut |view, set| {
                flow = set.iter().try_for_each(|square| {
                    self.tick()?;
                    visit(element_on(units, view, square))
                });
            });
            return flow;
        }
        match code {
            Code::List(item, parts) => parts.iter().try_for_each(|part| {
                self.tick()?;
                self.element(*item, part, scope, visit)
            }),
            Code::Choice(parts) => self.each(self.chosen(parts, scope), scope, visit),
            Code::Name(op @ (Op::Turns | Op::Pseudo), args) => {
                self.at_flow(&args[0], scope, &mut |view| {
                    with_turns(|turns| {
                        match op {
                            Op::Turns => view.turns(turns),
                            _ => view.pseudo_turns(turns),
                        }
                        turns.iter().try_for_each(|turn| {
                            self.tick()?;
                            visit(Element::Turn(TurnRef::new(view, *turn)))
                        })
                    })
                })
            }
            Code::Name(Op::Steps, args) => {
                self.turn(&args[0], scope, |turn| {
                    FlowOrDefault((0..turn.len()).try_for_each(|n| {
                        let step = turn.step.unwrap_or(n);
                        visit(Element::Turn(TurnRef {
                            step: Some(step),
                            ..turn
                        }))
                    }))
                })
                .0
            }
            Code::Name(Op::Bound, args) => {
                let side = side_of(self.scalar(&args[1], scope));
                self.at_flow(&args[0], scope, &mut |view| {
                    let mut flow = GO_ON;
                    view.each_bound(&mut |bound| {
                        if flow.is_continue() && Some(bound.color) == side {
                            flow = visit(Element::Unit(UnitRef {
                                view,
                                square: bound.square,
                                bound: Some((bound.color, bound.kind)),
                            }));
                        }
                    });
                    flow
                })
            }
            Code::Macro(form, item, parts) => {
                let [list, body] = &**parts;
                self.each(list, scope, &mut |element| {
                    let frame = Frame {
                        element,
                        outer: scope,
                    };
                    match form {
                        Macro::Map => self.element(*item, body, Some(&frame), visit),
                        _ if self.scalar(body, Some(&frame)) != 0 => visit(element),
                        _ => GO_ON,
                    }
                })
            }
            _ => GO_ON,
        }
    }

    /// Calls `visit` with an element of a list, or with what is missing if there is none.
    fn nth(
        &self,
        code: &'e Code,
        scope: Scope<'_>,
        visit: &mut dyn FnMut(Element<'_>) -> Flow,
    ) -> Flow {
        let Code::Index(item, parts) = code else {
            return GO_ON;
        };
        let [list, index] = &**parts;
        let index = self.scalar(index, scope);
        let mut found = false;
        let flow = self.element_at(list, index, scope, &mut |element| {
            found = true;
            visit(element)
        });
        if found {
            return flow;
        }
        match item {
            Item::Unit => visit(Element::Unit(UnitRef::missing(self.view))),
            Item::Turn => visit(Element::Turn(TurnRef::missing(self.view))),
            Item::Position => visit(Element::Position(self.view)),
            _ => GO_ON,
        }
    }

    fn element_at(
        &self,
        list: &'e Code,
        index: i64,
        scope: Scope<'_>,
        visit: &mut dyn FnMut(Element<'_>) -> Flow,
    ) -> Flow {
        let mut left = index;
        let mut flow = GO_ON;
        let _: Flow = self.each(list, scope, &mut |element| {
            if left == 0 {
                flow = visit(element);
                return ENOUGH;
            }
            left -= 1;
            GO_ON
        });
        flow
    }

    /// Returns the number of elements of a list.
    fn size(&self, list: &'e Code, scope: Scope<'_>) -> i64 {
        if is_set(list) {
            let mut size = 0;
            self.set(list, scope, &mut |_, set| size = i64::from(set.len()));
            return size;
        }
        match list {
            Code::List(_, parts) => parts.len() as i64,
            Code::Name(Op::Turns, args) => {
                self.at(&args[0], scope, |view| view.count_turns() as i64)
            }
            Code::Macro(Macro::Map, _, parts) => self.size(&parts[0], scope),
            _ => {
                let mut size = 0;
                let _: Flow = self.each(list, scope, &mut |_| {
                    size += 1;
                    GO_ON
                });
                size
            }
        }
    }

    /// Calls `visit` with a list that is a set, and with the position that its units belong to.
    fn set(&self, code: &'e Code, scope: Scope<'_>, visit: &mut dyn FnMut(&dyn View, u128)) {
        let (op, args) = match code {
            Code::Name(op, args) => (*op, args),
            Code::Macro(_, _, parts) => {
                let [list, body] = &**parts;
                let units = is_units(list);
                return self.set(list, scope, &mut |view, set| {
                    let mut kept = 0;
                    for square in set.iter() {
                        if self.tick().is_break() {
                            break;
                        }
                        let frame = Frame {
                            element: element_on(units, view, square),
                            outer: scope,
                        };
                        if self.scalar(body, Some(&frame)) != 0 {
                            kept |= u128::of(square);
                        }
                    }
                    visit(view, kept);
                });
            }
            _ => return,
        };
        match op {
            Op::Captures => self.turn(&args[0], scope, |turn| visit(turn.before, turn.captures())),
            Op::Moves => self.unit(&args[0], scope, |unit| visit(unit.view, moves(&unit))),
            Op::Reach => {
                let reach = self.unit(&args[1], scope, |unit| match unit.unit() {
                    Some((color, kind)) => self.rules(unit.view).reach(color, kind, unit.square),
                    None => 0,
                });
                self.position(&args[0], scope, &mut |view| visit(view, reach));
            }
            Op::Squares => {
                self.position(&args[0], scope, &mut |view| {
                    visit(view, self.rules(view).squares());
                });
            }
            Op::Between => {
                let [a, b] = [1, 2].map(|n| square_of(self.scalar(&args[n], scope)));
                let squares = a.zip(b).map_or(0, |(a, b)| between(self.geometry(), a, b));
                self.position(&args[0], scope, &mut |view| visit(view, squares));
            }
            Op::Attackers => {
                let square = square_of(self.scalar(&args[1], scope));
                let side = side_of(self.scalar(&args[2], scope));
                self.position(&args[0], scope, &mut |view| {
                    let attackers = square.zip(side).map_or(0, |(s, c)| view.attackers(s, c));
                    visit(view, attackers);
                });
            }
            _ => {
                let (side, kind) = self.side_and_kind(op, args, scope);
                self.position(&args[0], scope, &mut |view| {
                    visit(view, self.units(view, side, kind));
                });
            }
        }
    }

    /// Returns the arguments of `units` and `count`: the side and the kind, each if it is given.
    fn side_and_kind(
        &self,
        op: Op,
        args: &'e [Code],
        scope: Scope<'_>,
    ) -> (Option<i64>, Option<i64>) {
        match op {
            Op::UnitsOfSide | Op::CountOfSide => (Some(self.scalar(&args[1], scope)), None),
            Op::UnitsOfKind | Op::CountOfKind => (None, Some(self.scalar(&args[1], scope))),
            Op::UnitsOf | Op::CountOf => (
                Some(self.scalar(&args[1], scope)),
                Some(self.scalar(&args[2], scope)),
            ),
            _ => (None, None),
        }
    }

    fn units(&self, view: &dyn View, side: Option<i64>, kind: Option<i64>) -> u128 {
        let of_side = match side.map(side_of) {
            None => view.color(Color::White) | view.color(Color::Black),
            Some(Some(color)) => view.color(color),
            Some(None) => return 0,
        };
        match kind {
            None => of_side,
            Some(kind) => of_side & self.units_of_kind(view, kind),
        }
    }

    fn units_of_kind(&self, view: &dyn View, kind: i64) -> u128 {
        let masks = &self.rules(view).masks;
        let mut kinds = usize::try_from(kind)
            .ok()
            .and_then(|n| masks.get(n))
            .copied()
            .unwrap_or(0);
        let mut units = 0;
        while kinds != 0 {
            units |= view.kind(Kind::from_index(kinds.trailing_zeros() as usize));
            kinds &= kinds - 1;
        }
        units
    }

    /// Returns the number of a kind's name.
    fn kind_id(&self, view: &dyn View, kind: Option<Kind>) -> i64 {
        kind.map_or(missing::KIND, |kind| self.rules(view).ids[kind.index()])
    }

    /// Evaluates `all`, `exists` or `exists_one`.
    fn quantified(&self, form: Macro, parts: &'e [Code; 2], scope: Scope<'_>) -> i64 {
        let [list, body] = parts;
        let mut held = 0;
        let mut failed = false;
        let _: Flow = self.each(list, scope, &mut |element| {
            let frame = Frame {
                element,
                outer: scope,
            };
            let holds = self.scalar(body, Some(&frame)) != 0;
            held += i64::from(holds);
            failed |= !holds;
            let decided = match form {
                Macro::All => failed,
                Macro::Exists => held > 0,
                _ => held > 1,
            };
            if decided { ENOUGH } else { GO_ON }
        });
        i64::from(match form {
            Macro::All => !failed,
            Macro::Exists => held > 0,
            _ => held == 1,
        })
    }

    fn fold(&self, list: &'e Code, scope: Scope<'_>, combine: fn(i64, i64) -> i64) -> i64 {
        let mut result = None;
        let _: Flow = self.each(list, scope, &mut |element| {
            if let Element::Scalar(n) = element {
                result = Some(result.map_or(n, |result| combine(result, n)));
            }
            GO_ON
        });
        result.unwrap_or(0)
    }

    /// Evaluates a name of a scalar type.
    fn named(&self, op: Op, args: &'e [Code], scope: Scope<'_>) -> i64 {
        let at = |work: &dyn Fn(&dyn View) -> i64| self.at(&args[0], scope, work);
        let side = |n: usize| side_of(self.scalar(&args[n], scope));
        let square = |n: usize| square_of(self.scalar(&args[n], scope));
        match op {
            Op::Side => self.at(&args[0], scope, |view| view.side() as i64),
            Op::White => Color::White as i64,
            Op::Black => Color::Black as i64,
            Op::Other => match self.scalar(&args[0], scope) {
                n @ 0..=1 => 1 - n,
                n => n,
            },
            Op::Mover => self.facts.mover as i64,
            Op::Files => i64::from(self.geometry().files()),
            Op::Ranks => i64::from(self.geometry().ranks()),
            Op::Count | Op::CountOfSide | Op::CountOfKind | Op::CountOf => {
                let (side, kind) = self.side_and_kind(op, args, scope);
                self.at(&args[0], scope, |view| {
                    i64::from(self.units(view, side, kind).len())
                })
            }
            Op::Empty => {
                let square = square(1);
                at(&|view| i64::from(square.is_some_and(|s| view.unit(s).is_none())))
            }
            Op::OnBoardText => {
                let text = self.text(&args[1], scope);
                i64::from(self.geometry().named(&text).is_some())
            }
            Op::OnBoard => i64::from(square(1).is_some()),
            Op::Attacked => {
                let target = square(1).zip(side(2));
                at(&|view| i64::from(target.is_some_and(|(s, c)| view.attackers(s, c) != 0)))
            }
            Op::Check => self.at(&args[0], scope, |view| {
                i64::from(view.in_check(view.side()))
            }),
            Op::CheckOf => {
                let side = side(1);
                at(&|view| i64::from(side.is_some_and(|side| view.in_check(side))))
            }
            Op::Walk => {
                let (kind, side) = (self.scalar(&args[1], scope), side(2));
                let squares = square(3).zip(square(4));
                at(&|view| self.walk(view, kind, side, squares))
            }
            Op::Distance => {
                let squares = square(1).zip(square(2));
                squares.map_or(-1, |(a, b)| distance(self.geometry(), a, b))
            }
            Op::Aligned => {
                let squares = square(1).zip(square(2));
                i64::from(squares.is_some_and(|(a, b)| aligned(self.geometry(), a, b)))
            }
            Op::Light => {
                let geometry = self.geometry();
                let light = |s| (geometry.file(s) + geometry.rank(s)) % 2 == 1;
                i64::from(square(1).is_some_and(light))
            }
            Op::Hand => {
                let (side, kind) = (side(1), self.scalar(&args[2], scope));
                at(&|view| self.hand(view, side, kind))
            }
            Op::Outcome => at(&|view| outcome_number(view.outcome())),
            Op::Won => {
                let side = side(1);
                at(&|view| {
                    i64::from(matches!(view.outcome(), Outcome::Win(c, _) if Some(c) == side))
                })
            }
            Op::WonBy => {
                let side = side(1);
                let Code::Reason(reason) = args[2] else {
                    return 0;
                };
                at(&|view| match view.outcome() {
                    Outcome::Win(c, r) => i64::from(Some(c) == side && r == reason),
                    _ => 0,
                })
            }
            Op::Drawn => at(&|view| i64::from(matches!(view.outcome(), Outcome::Draw(_)))),
            Op::IsOver => at(&|view| i64::from(!view.outcome().is_ongoing())),
            Op::Value => at(&|view| {
                let worth = |valued: Valued| i64::from(valued.worth);
                view.value().map_or(missing::VALUE, worth)
            }),
            Op::Plies => at(&|view| view.value().map_or(-1, |valued| i64::from(valued.plies))),
            Op::Depth => i64::from(self.facts.depth),
            Op::OutDegree => i64::from(self.facts.out_degree),
            Op::Sum => self.fold(&args[0], scope, i64::saturating_add),
            Op::Min => self.fold(&args[0], scope, i64::min),
            Op::Max => self.fold(&args[0], scope, i64::max),
            Op::SquareFile | Op::SquareRank => {
                let geometry = self.geometry();
                square_of(self.scalar(&args[0], scope)).map_or(0, |square| {
                    i64::from(
                        1 + match op {
                            Op::SquareFile => geometry.file(square),
                            _ => geometry.rank(square),
                        },
                    )
                })
            }
            Op::UnitKind
            | Op::UnitSide
            | Op::UnitSquare
            | Op::UnitFile
            | Op::UnitRank
            | Op::UnitRow
            | Op::Royal
            | Op::Promoted
            | Op::UnitExists => self.unit(&args[0], scope, |unit| self.of_unit(op, &unit)),
            _ => self.turn(&args[0], scope, |turn| self.of_turn(op, &turn)),
        }
    }

    fn walk(
        &self,
        view: &dyn View,
        kind: i64,
        side: Option<Color>,
        squares: Option<(Square, Square)>,
    ) -> i64 {
        let rules = self.rules(view);
        let mask = usize::try_from(kind).ok().and_then(|n| rules.masks.get(n));
        let kind = mask
            .filter(|mask| **mask != 0)
            .map(|mask| mask.trailing_zeros());
        let (Some(kind), Some(side), Some((from, to))) = (kind, side, squares) else {
            return -1;
        };
        let kind = Kind::from_index(kind as usize);
        rules.walk(side, kind, from, to).map_or(-1, i64::from)
    }

    fn hand(&self, view: &dyn View, side: Option<Color>, kind: i64) -> i64 {
        let rules = self.rules(view);
        let name = usize::try_from(kind)
            .ok()
            .and_then(|n| self.expression.kinds.get(n));
        let known = rules.names.iter().find(|known| Some(&known.name) == name);
        match (side, known) {
            (Some(side), Some(known)) => view.hand(side, known.letter),
            _ => 0,
        }
    }

    fn of_unit(&self, op: Op, unit: &UnitRef<'_>) -> i64 {
        let geometry = self.geometry();
        match op {
            Op::UnitExists => i64::from(unit.exists()),
            Op::UnitKind => self.kind_id(unit.view, unit.unit().map(|(_, kind)| kind)),
            Op::UnitSide => unit.unit().map_or(missing::SIDE, |(color, _)| color as i64),
            _ if !unit.exists() => match op {
                Op::UnitSquare => missing::SQUARE,
                _ => 0,
            },
            Op::UnitSquare => i64::from(unit.square.0),
            Op::UnitFile => i64::from(geometry.file(unit.square)) + 1,
            Op::UnitRank => i64::from(geometry.rank(unit.square)) + 1,
            Op::UnitRow => {
                let rank = geometry.rank(unit.square);
                unit.unit().map_or(0, |(color, _)| {
                    i64::from(match color {
                        Color::White => rank + 1,
                        Color::Black => geometry.ranks() - rank,
                    })
                })
            }
            Op::Royal => unit.unit().map_or(0, |(color, _)| {
                let royal = unit.bound.is_none() && unit.view.royals(color).has(unit.square);
                i64::from(royal)
            }),
            _ => unit.unit().map_or(0, |(color, kind)| {
                i64::from(self.rules(unit.view).men.name(color, kind).len() > 1)
            }),
        }
    }

    fn of_turn(&self, op: Op, turn: &TurnRef<'_>) -> i64 {
        let geometry = self.geometry();
        let square = |square: Option<Square>| square.map_or(missing::SQUARE, |s| i64::from(s.0));
        match op {
            Op::TurnKind => self.kind_id(turn.before, turn.kind()),
            Op::Becomes => self.kind_id(turn.before, turn.becomes()),
            Op::From => square(turn.from()),
            Op::To => square(turn.to()),
            Op::Promotes => i64::from(turn.promotes()),
            Op::Castles => i64::from(turn.has(Action::Castle)),
            Op::Drops => i64::from(turn.has(Action::Place)),
            Op::EnPassant => i64::from(turn.has(Action::EnPassant)),
            Op::Length2 => turn.from().zip(turn.to()).map_or(0, |(from, to)| {
                let (dx, dy) = offsets(geometry, from, to);
                dx * dx + dy * dy
            }),
            Op::Checks => i64::from(turn.checks()),
            Op::Mates => i64::from(turn.mates()),
            Op::Ends => i64::from(!turn.outcome().is_ongoing()),
            Op::TurnExists => i64::from(turn.turn.is_some()),
            _ => 0,
        }
    }
}

/// A flow with a default, for work on a turn that may be missing.
struct FlowOrDefault(Flow);

impl Default for FlowOrDefault {
    fn default() -> FlowOrDefault {
        FlowOrDefault(GO_ON)
    }
}

/// Returns whether the elements of a list are always a set of squares, in the order of squares.
fn is_set(code: &Code) -> bool {
    match code {
        Code::Name(op, _) => {
            is_unit_set(*op) || matches!(op, Op::Squares | Op::Reach | Op::Between | Op::Moves)
        }
        Code::Macro(Macro::Filter, _, parts) => is_set(&parts[0]),
        _ => false,
    }
}

fn is_unit_set(op: Op) -> bool {
    matches!(
        op,
        Op::Units | Op::UnitsOfSide | Op::UnitsOfKind | Op::UnitsOf | Op::Attackers | Op::Captures
    )
}

/// Returns whether a set is one of units.
fn is_units(code: &Code) -> bool {
    match code {
        Code::Name(op, _) => is_unit_set(*op),
        Code::Macro(_, _, parts) => is_units(&parts[0]),
        _ => false,
    }
}

fn element_on(units: bool, view: &dyn View, square: Square) -> Element<'_> {
    match units {
        true => Element::Unit(UnitRef::on(view, square)),
        false => Element::Scalar(i64::from(square.0)),
    }
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

/// Returns the squares to which a legal turn takes a unit.
fn moves(unit: &UnitRef<'_>) -> u128 {
    let view = unit.view;
    let moves = |unit: &UnitRef<'_>| {
        with_turns(|turns| {
            unit.view.turns(turns);
            turns
                .iter()
                .map(|turn| TurnRef::new(unit.view, *turn))
                .filter(|turn| turn.from() == Some(unit.square))
                .filter_map(|turn| turn.to())
                .fold(0, |set, square| set | u128::of(square))
        })
    };
    match unit.unit() {
        Some((color, _)) if unit.bound.is_none() && color == view.side() => moves(unit),
        _ => 0,
    }
}

fn square_of(n: i64) -> Option<Square> {
    u8::try_from(n).ok().map(Square)
}

fn side_of(n: i64) -> Option<Color> {
    match n {
        0 => Some(Color::White),
        1 => Some(Color::Black),
        _ => None,
    }
}

/// Returns the name of a side as expressions write it.
pub(crate) fn side_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The outcomes as expressions write them, by their numbers.
pub(crate) const OUTCOMES: [&str; 6] = [
    "ongoing",
    "white-wins",
    "black-wins",
    "draw",
    "white-wins-weakly",
    "black-wins-weakly",
];

fn outcome_number(outcome: Outcome) -> i64 {
    match outcome {
        Outcome::Ongoing => 0,
        Outcome::Win(color, _) => 1 + color as i64,
        Outcome::Draw(_) => 3,
        Outcome::WeakWin(color, _) => 4 + color as i64,
    }
}

fn outcome_name(n: i64) -> &'static str {
    usize::try_from(n)
        .ok()
        .and_then(|n| OUTCOMES.get(n))
        .copied()
        .unwrap_or("")
}

/// The values as expressions write them.
pub(crate) const VALUES: [(&str, i64); 5] = [
    ("win", 2),
    ("weak-win", 1),
    ("draw", 0),
    ("weak-loss", -1),
    ("loss", -2),
];

fn value_name(n: i64) -> &'static str {
    let named = VALUES.iter().find(|(_, value)| *value == n);
    named.map_or("", |(name, _)| name)
}

/// Returns how many files and ranks apart two squares are. On a cylinder, the shorter way around counts.
fn offsets(geometry: Geometry, a: Square, b: Square) -> (i64, i64) {
    let dx = i64::from(geometry.file(a)).abs_diff(i64::from(geometry.file(b))) as i64;
    let dy = i64::from(geometry.rank(a)).abs_diff(i64::from(geometry.rank(b))) as i64;
    let around = i64::from(geometry.files()) - dx;
    (if geometry.wraps() { dx.min(around) } else { dx }, dy)
}

fn distance(geometry: Geometry, a: Square, b: Square) -> i64 {
    let (dx, dy) = offsets(geometry, a, b);
    dx.max(dy)
}

fn aligned(geometry: Geometry, a: Square, b: Square) -> bool {
    let (dx, dy) = offsets(geometry, a, b);
    let files = i64::from(geometry.files());
    dx == 0 || dy == 0 || dx == dy || geometry.wraps() && files - dx == dy
}

/// Returns the squares strictly between two squares on a common rank, file or diagonal, holes not included;
/// on a cylinder those of the shorter way, if one is shorter.
fn between(geometry: Geometry, a: Square, b: Square) -> u128 {
    if a == b || !aligned(geometry, a, b) {
        return 0;
    }
    let files = i32::from(geometry.files());
    let dy = i32::from(geometry.rank(b)) - i32::from(geometry.rank(a));
    let direct = i32::from(geometry.file(b)) - i32::from(geometry.file(a));
    let mut ways = vec![direct];
    if geometry.wraps() {
        ways.push(if direct > 0 {
            direct - files
        } else {
            direct + files
        });
        ways.sort_by_key(|dx| dx.abs());
    }
    let straight = |dx: &&i32| **dx == 0 || dy == 0 || dx.abs() == dy.abs();
    let Some(&dx) = ways.iter().find(straight) else {
        return 0;
    };
    let steps = dx.abs().max(dy.abs());
    (1..steps).fold(0, |set, n| {
        let file = (i32::from(geometry.file(a)) + n * dx.signum()).rem_euclid(files);
        let rank = i32::from(geometry.rank(a)) + n * dy.signum();
        let square = geometry.square(file as u8, rank as u8);
        match geometry.exists(square) {
            true => set | u128::of(square),
            false => set,
        }
    })
}
