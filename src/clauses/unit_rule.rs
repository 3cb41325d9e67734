//! A condition about a unit, and perhaps about the unit that it would capture.
//!
//! If its expression depends only on the kinds and sides of both, it is evaluated once for each of them, and afterwards
//! looked up. The answers are those of the expression.

use crate::rule::{Rule, of_unit};
use board::{Color, Kind, Square, Squares};
use language::GivenValues;
use position::{Layout, Position};
use std::sync::Arc;

/// The kinds of one side of which something holds, one bit for each.
type Kinds = u64;

/// A compiled condition.
pub struct UnitRule<W: Layout> {
    rule: Arc<Rule<W>>,
    by_kind: Option<Arc<ByKind>>,
}

/// A condition by the kinds and sides of the unit and of its target.
struct ByKind {
    /// By the side of the unit, the kinds for which it holds without a target.
    alone: [Kinds; 2],
    /// By the side and the kind of the unit, then by the side of the target, the kinds of the target; empty if the
    /// condition knows no target.
    targets: [Vec<[Kinds; 2]>; 2],
}

impl<W: Layout> Clone for UnitRule<W> {
    fn clone(&self) -> Self {
        UnitRule {
            rule: Arc::clone(&self.rule),
            by_kind: self.by_kind.clone(),
        }
    }
}

impl<W: Layout> UnitRule<W> {
    /// Returns a condition about a unit. `looks_up` is whether it is looked up by kind if that is possible.
    pub fn about_unit(rule: Arc<Rule<W>>, looks_up: bool) -> UnitRule<W> {
        UnitRule::new(rule, false, looks_up)
    }

    /// Returns a condition about a unit and its target.
    pub fn about_target(rule: Arc<Rule<W>>, looks_up: bool) -> UnitRule<W> {
        UnitRule::new(rule, true, looks_up)
    }

    fn new(rule: Arc<Rule<W>>, has_target: bool, looks_up: bool) -> UnitRule<W> {
        let by_kind = match looks_up && rule.expression.depends_on_kinds_alone() {
            true => by_kind(&rule, has_target).map(Arc::new),
            false => None,
        };
        UnitRule { rule, by_kind }
    }

    /// Returns whether the condition holds of a unit and, in a condition about both, of its target.
    pub fn holds(&self, p: &Position<W>, unit: Square, target: Option<Square>) -> bool {
        if let (Some(by_kind), Some((color, kind))) = (&self.by_kind, p.unit(unit)) {
            let kinds = match target {
                None => by_kind.alone[color.index()] >> kind.index(),
                Some(target) => {
                    let row = by_kind.targets[color.index()][kind.index()];
                    p.unit(target)
                        .map_or(0, |(side, of)| row[side.index()] >> of.index())
                }
            };
            return kinds & 1 == 1;
        }
        evaluated(&self.rule, p, unit, target)
    }

    /// Returns the units of a side for which the condition, which knows no target, holds.
    pub fn units(&self, p: &Position<W>, side: Color) -> W::Set {
        if let Some(by_kind) = &self.by_kind {
            let mut left = by_kind.alone[side.index()];
            let mut units = W::Set::EMPTY;
            while left != 0 {
                units |= p.units(side, Kind::from_index(left.trailing_zeros() as usize));
                left &= left - 1;
            }
            return units;
        }
        let units = p.color(side).iter();
        units
            .filter(|&unit| evaluated(&self.rule, p, unit, None))
            .fold(W::Set::EMPTY, W::Set::with)
    }
}

/// Evaluates a condition.
fn evaluated<W: Layout>(
    rule: &Rule<W>,
    p: &Position<W>,
    unit: Square,
    target: Option<Square>,
) -> bool {
    let given = GivenValues {
        target,
        ..of_unit(p, unit)
    };
    rule.number_at(p, given) != 0
}

/// Evaluates a condition for all kinds and sides. Returns `None` on a board without two squares.
fn by_kind<W: Layout>(rule: &Rule<W>, has_target: bool) -> Option<ByKind> {
    let mut squares = rule.game.board().squares().iter();
    let (at, other) = (squares.next()?, squares.next()?);
    let kinds: Vec<Kind> = rule.game.men().kinds().collect();
    let count = kinds.iter().map(|kind| kind.index() + 1).max()?;
    let mut found = ByKind {
        alone: [0; 2],
        targets: [vec![[0; 2]; count], vec![[0; 2]; count]],
    };
    for color in Color::BOTH {
        for &kind in &kinds {
            let mut p = Position::<W>::empty();
            p.put(color, kind, at);
            let holds = evaluated(rule, &p, at, None);
            found.alone[color.index()] |= u64::from(holds) << kind.index();
            if !has_target {
                continue;
            }
            let row = &mut found.targets[color.index()][kind.index()];
            for side in Color::BOTH {
                for &of in &kinds {
                    let mut with = p;
                    with.put(side, of, other);
                    let holds = evaluated(rule, &with, at, Some(other));
                    row[side.index()] |= u64::from(holds) << of.index();
                }
            }
        }
    }
    Some(found)
}
