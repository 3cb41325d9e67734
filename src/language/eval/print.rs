//! Writes values as text, in the format of the command `eval`.

use super::words::{outcome_name, side_name, side_of, square_of, value_name};
use super::{Element, Evaluator, Flow, GO_ON, turn_text};
use crate::expression::Answer;
use crate::types::{Item, Type};
use board::{Square, Squares};
use std::borrow::Cow;

impl<'e> Evaluator<'e> {
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
    pub(super) fn print(&self, item: Item, element: Element<'_>, answer: &mut Answer) {
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

    pub(super) fn scalar_text(&self, item: Item, n: i64) -> Cow<'e, str> {
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
}
