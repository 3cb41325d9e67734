//! Expressions that are sums over units. Each unit contributes a share that depends on that unit alone.
//!
//! The form of the expression decides. `sum(units(...).map(u, e))` and `count(...)` are sums over units if
//! `e` depends only on `u` and the board. Sums, differences and constant multiples of such expressions are
//! sums over units as well. Shares are computed by evaluation: the share of a unit is the value of the
//! expression with that unit alone on the board, minus its value on the empty board.
//!
//! The arithmetic of expressions saturates, and a saturated sum is not a sum over units. Expressions in which
//! a number could exceed 64 bits are therefore not accepted ([`never_saturates`]).

use crate::single_steps::{Unit, units_of};
use board::Color;
use language::{Expression, Interrupted, Node, Operator, Subject, Tree};
use position::{Layout, Position};
use rules::Game;
use rustc_hash::FxHashMap;

/// The dependencies of the value of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// The board, the side `mover` and the variables of macros.
    Fixed,
    /// The units, each independently of the others.
    Sum,
    /// Anything else, such as the relation between units.
    Other,
}

/// Names that do not depend on the position.
const FIXED_NAMES: [&str; 6] = ["mover", "white", "black", "squares", "files", "ranks"];
/// Functions that depend only on their arguments and the board.
const FIXED_FUNCTIONS: [&str; 13] = [
    "other", "distance", "aligned", "between", "light", "on_board", "walk", "reach", "size", "sum",
    "min", "max", "in",
];
/// Members of units and squares that depend only on that unit or square.
const FIXED_MEMBERS: [&str; 8] = [
    "kind", "side", "square", "file", "rank", "row", "promoted", "exists",
];
/// Macros, which bind a variable.
const MACROS: [&str; 5] = ["all", "exists", "exists_one", "filter", "map"];

/// Returns whether the form of an expression shows that it is a sum over units.
pub fn is_sum_over_units(tree: &Tree) -> bool {
    form(tree, &mut Vec::new()) != Form::Other
}

/// Returns whether no number in an expression can exceed 64 bits, on any board. `text` is the source of the
/// tree.
pub fn never_saturates(tree: &Tree, text: &str) -> bool {
    // No board has more squares, so no list of units or squares is longer and no name of a unit, a square or
    // the board has a greater value. Other lists and texts are written in the expression.
    let longest = 256 + text.len() as i128;
    Magnitude {
        longest,
        scope: Vec::new(),
    }
    .of(tree)
    .is_some()
}

/// Computes upper bounds on the absolute values of an expression and all its parts.
struct Magnitude<'t> {
    /// The maximum number of elements of a list, and the greatest absolute value of a name.
    longest: i128,
    /// The variables in scope, each with the bound on its absolute value.
    scope: Vec<(&'t str, i128)>,
}

impl<'t> Magnitude<'t> {
    /// Returns a bound on the absolute value of a part, or of its elements if the part is a list. Returns
    /// `None` if a number in the part may exceed 64 bits.
    fn of(&mut self, tree: &'t Tree) -> Option<i128> {
        let bound = match &tree.node {
            Node::Int(n) => i128::from(*n).abs(),
            Node::Bool(_) | Node::Text(_) => self.longest,
            Node::Name(name) => {
                let known = self.scope.iter().rev().find(|(known, _)| known == name);
                known.map_or(self.longest, |(_, bound)| *bound)
            }
            Node::Member(target, _) => self.of(target).map(|_| self.longest)?,
            Node::Not(part) | Node::Negative(part) => self.of(part)?,
            Node::List(parts) | Node::And(parts) | Node::Or(parts) => self.greatest(parts)?,
            Node::Index(parts) => self.greatest(&parts[..])?,
            Node::Choice(parts) => self.greatest(&parts[..])?,
            Node::Binary(operator, parts) => {
                let (a, b) = (self.of(&parts[0])?, self.of(&parts[1])?);
                match operator {
                    Operator::Plus | Operator::Minus => a + b,
                    Operator::Times => a.checked_mul(b)?,
                    _ => a.max(b),
                }
            }
            Node::Call { target, name, args } => self.call(target.as_deref(), &name.text, args)?,
        };
        (bound <= i128::from(i64::MAX)).then_some(bound)
    }

    fn greatest(&mut self, parts: &'t [Tree]) -> Option<i128> {
        let longest = self.longest;
        parts
            .iter()
            .try_fold(longest, |most, part| Some(most.max(self.of(part)?)))
    }

    fn call(&mut self, target: Option<&'t Tree>, name: &str, args: &'t [Tree]) -> Option<i128> {
        let list = match target {
            Some(list) => self.of(list)?,
            None => self.longest,
        };
        if let ([variable, body], true) = (args, target.is_some() && MACROS.contains(&name)) {
            let Node::Name(variable) = &variable.node else {
                return None;
            };
            self.scope.push((variable, list));
            let body = self.of(body);
            self.scope.pop();
            return Some(list.max(body?));
        }
        let most = self.greatest(args)?.max(list);
        match name {
            "sum" => most.checked_mul(self.longest),
            _ => Some(most),
        }
    }
}

/// Returns the form of a sum or difference of two parts.
fn added(a: Form, b: Form) -> Form {
    match (a, b) {
        (Form::Other, _) | (_, Form::Other) => Form::Other,
        (Form::Fixed, Form::Fixed) => Form::Fixed,
        _ => Form::Sum,
    }
}

/// Returns `Fixed` if all parts are fixed, otherwise `Other`.
fn fixed<'t>(parts: impl IntoIterator<Item = &'t Tree>, scope: &mut Vec<String>) -> Form {
    let all = parts
        .into_iter()
        .all(|part| form(part, scope) == Form::Fixed);
    if all { Form::Fixed } else { Form::Other }
}

fn form(tree: &Tree, scope: &mut Vec<String>) -> Form {
    match &tree.node {
        Node::Int(_) | Node::Bool(_) | Node::Text(_) => Form::Fixed,
        Node::Name(name) if scope.contains(name) || FIXED_NAMES.contains(&name.as_str()) => {
            Form::Fixed
        }
        Node::Name(_) => Form::Other,
        Node::List(parts) | Node::And(parts) | Node::Or(parts) => fixed(parts, scope),
        Node::Index(parts) => fixed(parts.iter(), scope),
        Node::Not(part) => fixed([&**part], scope),
        Node::Negative(part) => form(part, scope),
        Node::Member(target, name) if FIXED_MEMBERS.contains(&name.text.as_str()) => {
            fixed([&**target], scope)
        }
        Node::Member(..) => Form::Other,
        Node::Binary(operator, parts) => {
            let [a, b] = [&parts[0], &parts[1]].map(|part| form(part, scope));
            match operator {
                Operator::Plus | Operator::Minus => added(a, b),
                Operator::Times if a == Form::Fixed || b == Form::Fixed => added(a, b),
                _ if a == Form::Fixed && b == Form::Fixed => Form::Fixed,
                _ => Form::Other,
            }
        }
        Node::Choice(parts) => match form(&parts[0], scope) {
            Form::Fixed => added(form(&parts[1], scope), form(&parts[2], scope)),
            _ => Form::Other,
        },
        Node::Call { target, name, args } => call(target.as_deref(), &name.text, args, scope),
    }
}

fn call(target: Option<&Tree>, name: &str, args: &[Tree], scope: &mut Vec<String>) -> Form {
    match (target, args) {
        (None, [list]) if name == "sum" && maps_units(list, scope) => Form::Sum,
        (None, [list]) if name == "size" && lists_units(list, scope) => Form::Sum,
        (Some(list), []) if name == "size" && lists_units(list, scope) => Form::Sum,
        (None, args) if name == "count" && fixed(args, scope) == Form::Fixed => Form::Sum,
        (Some(list), [variable, body]) if MACROS.contains(&name) => match form(list, scope) {
            Form::Fixed if binds(variable, body, scope) => Form::Fixed,
            _ => Form::Other,
        },
        (target, args) if FIXED_FUNCTIONS.contains(&name) => {
            fixed(target.into_iter().chain(args), scope)
        }
        _ => Form::Other,
    }
}

/// Returns whether the body of a macro depends only on the macro's variable and on fixed names.
fn binds(variable: &Tree, body: &Tree, scope: &mut Vec<String>) -> bool {
    let Node::Name(variable) = &variable.node else {
        return false;
    };
    scope.push(variable.clone());
    let is_fixed = form(body, scope) == Form::Fixed;
    scope.pop();
    is_fixed
}

/// Returns whether a list contains the units that satisfy a condition on each unit alone.
fn lists_units(tree: &Tree, scope: &mut Vec<String>) -> bool {
    match &tree.node {
        Node::Name(name) => name == "units" && !scope.contains(name),
        Node::Call {
            target: None,
            name,
            args,
        } => name.text == "units" && fixed(args, scope) == Form::Fixed,
        Node::Call {
            target: Some(list),
            name,
            args,
        } => match args.as_slice() {
            [variable, body] => {
                name.text == "filter" && lists_units(list, scope) && binds(variable, body, scope)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Returns whether a list maps each unit to a value that depends on that unit alone.
fn maps_units(tree: &Tree, scope: &mut Vec<String>) -> bool {
    let Node::Call {
        target: Some(list),
        name,
        args,
    } = &tree.node
    else {
        return false;
    };
    match args.as_slice() {
        [variable, body] if name.text == "map" => {
            lists_units(list, scope) && binds(variable, body, scope)
        }
        [variable, body] if name.text == "filter" => {
            maps_units(list, scope) && binds(variable, body, scope)
        }
        _ => false,
    }
}

/// The shares of units in the measures of both sides, indexed by [`Color::index`] of the side whose turns the
/// measure counts.
pub struct Shares {
    base: [i64; 2],
    shares: FxHashMap<Unit, [i64; 2]>,
}

impl Shares {
    /// Measures the shares of these units.
    ///
    /// # Errors
    /// If the evaluation was interrupted.
    pub fn new<W: Layout>(
        game: &dyn Game<W>,
        measure: &Expression,
        units: &[Unit],
    ) -> Result<Shares, Interrupted> {
        let empty = Position::empty();
        let base = measured(game, measure, &empty)?;
        let mut shares = FxHashMap::default();
        for &unit in units {
            let mut alone = empty;
            alone.put(unit.side(), unit.kind(), unit.square());
            let [white, black] = measured(game, measure, &alone)?;
            // A unit without a share makes every total unknown.
            let share = |value: i64, base: i64| value.checked_sub(base);
            if let (Some(white), Some(black)) = (share(white, base[0]), share(black, base[1])) {
                shares.insert(unit, [white, black]);
            }
        }
        Ok(Shares { base, shares })
    }

    /// Returns the share of a unit, or `None` for a unit that was not measured.
    pub fn of(&self, unit: Unit) -> Option<[i64; 2]> {
        self.shares.get(&unit).copied()
    }

    /// Returns the sums of the shares of a position's units. Returns `None` if a unit was not measured, or a sum
    /// exceeds 64 bits.
    pub fn total<W: Layout>(&self, p: &Position<W>) -> Option<[i64; 2]> {
        units_of(p).try_fold(self.base, |sum, unit| {
            let share = self.of(unit)?;
            Some([sum[0].checked_add(share[0])?, sum[1].checked_add(share[1])?])
        })
    }

    /// Returns the first unit with a negative share, or `Some(None)` if a side's measure of the empty board
    /// is negative.
    pub fn negative(&self, units: &[Unit]) -> Option<Option<Unit>> {
        if self.base.iter().any(|&base| base < 0) {
            return Some(None);
        }
        let mut units = units.iter().copied();
        units
            .find(|&unit| {
                self.of(unit)
                    .is_some_and(|share| share.iter().any(|&s| s < 0))
            })
            .map(Some)
    }
}

/// Evaluates the measure of both sides in a position.
///
/// # Errors
/// If the evaluation was interrupted.
pub fn measured<W: Layout>(
    game: &dyn Game<W>,
    measure: &Expression,
    p: &Position<W>,
) -> Result<[i64; 2], Interrupted> {
    let of = |mover: Color| {
        measure.number(&Subject {
            mover,
            ..Subject::new(game, p)
        })
    };
    Ok([of(Color::White)?, of(Color::Black)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_that_may_exceed_64_bits_are_not_sums_over_units() {
        let never_saturates = |text: &str| {
            let tree = language::parse(text).expect(text);
            super::never_saturates(&tree, text)
        };
        for text in [
            "sum(units(mover, 'pawn').map(u, 8 - u.row))",
            "1000000 * count(white)",
            "4000000000000000000 - 4000000000000000000",
            "sum([1, 2].map(x, x * x))",
        ] {
            assert!(never_saturates(text), "{text}");
        }
        for text in [
            "9223372036854775807 + 1",
            "sum(units.map(u, 5000000000000000000)) - sum(units.map(u, 5000000000000000000))",
            "4000000000 * 4000000000 * count()",
            "sum([4000000000].map(x, x * x))",
            "count() > 9223372036854775807 + count() ? 1 : 0",
            "-(0 - 9223372036854775807 - 9)",
        ] {
            assert!(!never_saturates(text), "{text}");
        }
    }

    #[test]
    fn sums_over_units_differ_from_other_expressions() {
        for text in [
            "sum(units(mover, 'pawn').map(u, 8 - u.row))",
            "sum(units(other(mover), 'pawn').map(u, ranks - u.row))",
            "sum(units.filter(u, u.side == mover && u.kind != 'king').map(u, u.kind == 'pawn' ? 9 : 1))",
            "2 * count(mover, 'pawn') + size(units(white)) - 3",
            "mover == white ? count(white) : 5",
            "units.filter(u, squares.exists(s, s == u.square && light(s))).size()",
            "sum(units.map(u, walk(u.kind, u.side, u.square, 'a8')))",
            "7",
        ] {
            let tree = language::parse(text).expect(text);
            assert!(is_sum_over_units(&tree), "{text}");
        }
        for text in [
            "size(turns)",
            "count(white) * count(black)",
            "sum(units.map(u, size(u.moves)))",
            "sum(units.map(u, u.row * count(white)))",
            "max(units.map(u, u.row))",
            "count() / 2",
            "check ? 1 : 0",
            "sum(units(side).map(u, 1))",
            "hand(mover, 'pawn') + count(mover)",
            "size(units.filter(u, attacked(u.square, white)))",
        ] {
            let tree = language::parse(text).expect(text);
            assert!(!is_sum_over_units(&tree), "{text}");
        }
    }
}
