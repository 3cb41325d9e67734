//! Captures in passing: the squares that a unit has just passed, and the units that may capture it there.

use super::gates::gated;
use super::request::Request;
use super::safety::Attempt;
use crate::bound_rules::BoundRules;
use board::{Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::{Action, Consumer, Flow, Step, Turn};

impl<S: Squares> BoundRules<S> {
    /// Returns the squares that may be entered in passing, and the unit that has passed them.
    pub(crate) fn passed<W: Layout<Set = S>>(&self, p: &Position<W>) -> Option<(S, Square)> {
        let square = p.en_passant()?;
        let map = &self.law.state;
        let mut squares = S::of(square);
        let noted = map.passer.get(p);
        let unit = if noted > 0 {
            let unit = Square((noted - 1) as u8);
            squares |= self.passed_near(p, square, unit);
            unit
        } else {
            // The first unit of the opponent beyond the square, in the direction in which it advances.
            let north = p.side == Color::Black;
            let enemy = p.color(!p.side);
            let mut at = square;
            loop {
                at = self.ahead(at, north)?;
                if enemy.has(at) {
                    break at;
                }
            }
        };
        Some((squares, unit))
    }

    /// Returns the next square on the file: to the north or to the south.
    pub(crate) fn ahead(&self, from: Square, north: bool) -> Option<Square> {
        self.next[if north { 2 } else { 6 }][from.index()]
    }

    /// Generates captures in passing by one unit; `attack` are the squares that it attacks and cannot go to quietly.
    pub(super) fn passer_turns<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        request: &Request<'_, W>,
        (kind, from): (Kind, Square),
        attack: S,
        entering: &[Kind],
        consumer: &mut K,
    ) -> Flow {
        let (p, analysis, legal) = (request.position, request.analysis, request.legal);
        let Some((squares, unit)) = self.passed(p) else {
            return Flow::Continue(());
        };
        for to in (squares & attack & !analysis.occupied).iter() {
            let attempt = Attempt {
                kind,
                from: Some(from),
                to,
                captured: S::of(unit),
                becomes: None,
            };
            if legal && !self.leaves_royals_safe(p, analysis, attempt) {
                continue;
            }
            let step = Step::new(Action::EnPassant, kind, from, to);
            consumer.turn(Turn::of(step))?;
            gated(step, from, entering, consumer)?;
        }
        Flow::Continue(())
    }
}
