//! Evaluates what only rule texts have, and the results that clauses need.

use super::squares::stepped;
use super::units::UnitRef;
use super::words::{side_of, square_of};
use super::{Element, Evaluator, Flow, Frames, GO_ON};
use crate::code::{Code, missing};
use crate::rule_text::Given;
use crate::turn_members::TurnRef;
use crate::view::View;
use board::{Kind, Square, Squares};
use rules::FieldType;

impl<'e> Evaluator<'e> {
    /// Returns a number or a side that the subject gives.
    pub(super) fn given_number(&self, given: Given) -> i64 {
        match given {
            Given::Owner => self.facts.owner as i64,
            Given::Foe => !self.facts.owner as i64,
            Given::Number => self.facts.number,
            Given::Halfmove => self.view.clocks().0,
            Given::Fullmove => self.view.clocks().1,
            Given::Unit | Given::Target | Given::Previous | Given::FirstSteps => 0,
        }
    }

    /// Returns a unit or a turn that the subject gives.
    pub(super) fn given(&self, given: Given) -> Element<'e> {
        let unit = |square: Option<Square>| {
            Element::Unit(match square {
                Some(square) => UnitRef::on(self.view, square),
                None => UnitRef::missing(self.view),
            })
        };
        match given {
            Given::Unit => unit(self.facts.unit),
            Given::Target => unit(self.facts.target),
            Given::Previous => Element::Turn(
                self.facts
                    .previous
                    .unwrap_or_else(|| TurnRef::missing(self.view)),
            ),
            _ => Element::Scalar(self.given_number(given)),
        }
    }

    /// Returns the value of a declared field as the language has it.
    pub(super) fn declared(
        &self,
        position: &'e Code,
        field: usize,
        kind: FieldType,
        side: Option<&'e Code>,
        scope: Frames<'_>,
    ) -> i64 {
        let side = side.map_or(Some(board::Color::White), |side| {
            side_of(self.scalar(side, scope))
        });
        let none = match kind {
            FieldType::Kind => missing::KIND,
            FieldType::Side => missing::SIDE,
            FieldType::Square => missing::SQUARE,
            _ => 0,
        };
        let Some(side) = side else {
            return none;
        };
        self.at(position, scope, |view| {
            let value = view.declared(field, side);
            match kind {
                FieldType::Kind => {
                    let kind = usize::try_from(value).ok().map(Kind::from_index);
                    self.kind_id(view, kind)
                }
                _ => value,
            }
        })
    }

    /// Calls `visit` for each element of a declared set.
    pub(super) fn each_declared(
        &self,
        (position, field, kind, side): (&'e Code, usize, FieldType, Option<&'e Code>),
        scope: Frames<'_>,
        visit: &mut dyn FnMut(Element<'_>) -> Flow,
    ) -> Flow {
        let set = self.declared(position, field, kind, side, scope) as u64;
        let ids = &self.expression.rules[0].ids;
        (0..64)
            .filter(|n| set >> n & 1 == 1)
            .try_for_each(|n| match kind {
                FieldType::Kinds => visit(Element::Scalar(
                    ids.get(n).copied().unwrap_or(missing::KIND),
                )),
                _ => visit(Element::Scalar(n as i64)),
            })
    }

    /// Calls `visit` for the first unit in a direction.
    pub(super) fn nearest(
        &self,
        args: &'e [Code],
        scope: Frames<'_>,
        visit: &mut dyn FnMut(Element<'_>) -> Flow,
    ) -> Flow {
        let from = square_of(self.scalar(&args[1], scope));
        let by = [2, 3].map(|n| self.scalar(&args[n], scope));
        self.at_flow(&args[0], scope, &mut |view| {
            let unit = from.and_then(|from| self.first_from(view, from, by));
            visit(Element::Unit(match unit {
                Some(square) => UnitRef::on(view, square),
                None => UnitRef::missing(view),
            }))
        })
    }

    /// Returns the square of the first unit from a square in a direction.
    fn first_from(&self, view: &dyn View, from: Square, by: [i64; 2]) -> Option<Square> {
        let mut at = from;
        for _ in 0..self.geometry().len() {
            at = stepped(self.geometry(), at, by)?;
            if at == from {
                return None;
            }
            if view.occupied().has(at) {
                return Some(at);
            }
        }
        None
    }

    /// Returns the unbroken row of units through a square, in a direction and its opposite.
    pub(super) fn row(&self, view: &dyn View, from: Square, by: [i64; 2]) -> u128 {
        let mut row = 0;
        if !view.occupied().has(from) {
            return row;
        }
        row |= u128::of(from);
        for by in [by, by.map(i64::saturating_neg)] {
            let mut at = from;
            while let Some(next) = stepped(self.geometry(), at, by) {
                if !view.occupied().has(next) || row.has(next) {
                    break;
                }
                row |= u128::of(next);
                at = next;
            }
        }
        row
    }

    /// Returns a list of squares or units as a set of squares.
    pub fn squares(&self) -> u128 {
        let mut squares = 0;
        let _: Flow = self.each(&self.expression.code, None, &mut |element| {
            squares |= match element {
                Element::Scalar(n) => square_of(n).map_or(0, u128::of),
                Element::Unit(unit) if unit.exists() => u128::of(unit.square),
                _ => 0,
            };
            GO_ON
        });
        squares
    }

    /// Returns a list of units as two sets of squares: units of the subject's position, and units of others.
    pub fn units_by_position(&self) -> [u128; 2] {
        let mut units = [0; 2];
        let _: Flow = self.each(&self.expression.code, None, &mut |element| {
            if let Element::Unit(unit) = element
                && unit.exists()
            {
                let is_own = std::ptr::addr_eq(unit.view, self.view);
                units[usize::from(!is_own)] |= u128::of(unit.square);
            }
            GO_ON
        });
        units
    }

    /// Returns a kind or a list of kinds.
    pub fn kinds(&self) -> Vec<Kind> {
        let mut kinds = Vec::new();
        let mut add = |id: i64| {
            let masks = &self.expression.rules[0].masks;
            let mask = usize::try_from(id)
                .ok()
                .and_then(|id| masks.get(id))
                .copied()
                .unwrap_or(0);
            if mask != 0 {
                let kind = Kind::from_index(mask.trailing_zeros() as usize);
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
        };
        match self.expression.result {
            crate::types::Type::One(_) => add(self.number()),
            crate::types::Type::List(_) => {
                let _: Flow = self.each(&self.expression.code, None, &mut |element| {
                    if let Element::Scalar(id) = element {
                        add(id);
                    }
                    GO_ON
                });
            }
        }
        kinds
    }

    /// Returns a text.
    pub fn words(&self) -> String {
        self.text(&self.expression.code, None).into_owned()
    }
}
