//! Turns of single variants: the promotions of Sittuyin, and the first leaps of Cambodian chess.

use super::request::{Request, Want};
use super::safety::Attempt;
use crate::bound_rules::BoundRules;
use board::{Color, Kind, Square, Squares};
use position::Layout;
use rules::{Consumer, Flow, Step, Turn};

impl<S: Squares> BoundRules<S> {
    /// Generates the promotions of Sittuyin, in place or to a vacant square that the new unit attacks.
    pub(super) fn sittuyin_turns<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        request: &Request<'_, W>,
        (kind, from): (Kind, Square),
        consumer: &mut K,
    ) -> Flow {
        let (p, analysis) = (request.position, request.analysis);
        let (want, legal) = (request.want, request.legal);
        let us = analysis.us;
        // Pawns of all forms count.
        let piece = self.law.kinds.piece(kind);
        let several = piece.is_some_and(|pawn| self.units(p, us, pawn).several());
        if want == Want::Captures || several && !self.zone[us.index()].has(from) {
            return Flow::Continue(());
        }
        for choice in self.choices(p, us) {
            let (_, attack) = self.moves.reach(us, choice, from, analysis.occupied);
            let lifted = analysis.occupied.without(from);
            for to in (attack & !analysis.occupied).with(from).iter() {
                let (_, then) = self.moves.reach(us, choice, to, lifted);
                let attempt = Attempt {
                    kind,
                    from: Some(from),
                    to,
                    captured: S::EMPTY,
                    becomes: Some(choice),
                };
                if !(then & analysis.enemy).is_empty()
                    || legal && !self.leaves_royals_safe(p, analysis, attempt)
                {
                    continue;
                }
                consumer.turn(Turn::of(Step::go(kind, from, to).becoming(choice)))?;
            }
        }
        Flow::Continue(())
    }

    /// Generates the first leaps of Cambodian chess.
    pub(super) fn first_leaps<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        request: &Request<'_, W>,
        consumer: &mut K,
    ) -> Flow {
        let (p, analysis) = (request.position, request.analysis);
        let (legal, gates) = (request.legal, request.gates);
        let ahead: i32 = if analysis.us == Color::White { 1 } else { -1 };
        let ferses = match self.law.named("fers") {
            Some(fers) => self.units(p, analysis.us, fers),
            None => S::EMPTY,
        };
        let kings = if analysis.watch.in_check {
            S::EMPTY
        } else {
            analysis.kings
        };
        for from in ((kings | ferses) & gates).iter() {
            let kind = p.kind_on(from);
            let goals: &[(i32, i32)] = if analysis.kings.has(from) {
                &[(-2, 1), (2, 1)]
            } else {
                &[(0, 2)]
            };
            let mut targets = S::EMPTY;
            for &(dx, dy) in goals {
                if let Some(to) = self.geometry.step(from, dx, dy * ahead) {
                    targets = targets.with(to);
                }
            }
            // A move to a square that the unit also reaches otherwise has been generated already.
            let (quiet, _) = self.moves.reach(analysis.us, kind, from, analysis.occupied);
            targets &= !(analysis.occupied | quiet);
            if legal {
                targets = self.safe_targets(p, analysis, kind, from, targets);
            }
            consumer.unit(kind, from, targets)?;
        }
        Flow::Continue(())
    }
}
