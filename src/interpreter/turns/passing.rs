//! En passant captures, and the vulnerable unit of a position with the squares that it has passed.

use super::gates::gated;
use super::request::Request;
use super::safety::Attempt;
use crate::bound_rules::BoundRules;
use board::{Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::{Action, Consumer, Flow, Step, Turn};

impl<S: Squares> BoundRules<S> {
    /// Returns the en passant squares, and the vulnerable unit that has passed them.
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
            // The vulnerable unit is the opponent's first unit beyond the square, in the opponent's forward
            // direction.
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

    /// Returns the next square on the file, to the north or to the south.
    pub(crate) fn ahead(&self, from: Square, north: bool) -> Option<Square> {
        self.next[if north { 2 } else { 6 }][from.index()]
    }

    /// Generates the en passant captures of one unit. `attack` are the squares that the unit attacks but
    /// cannot reach by a quiet move.
    pub(crate) fn passer_turns<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
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
