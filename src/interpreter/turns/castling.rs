//! Castling turns. Checks that the path is vacant and that royal units stay safe.

use super::gates::{entering, gated};
use super::request::Request;
use crate::analysis::Analysis;
use crate::bound_rules::BoundRules;
use board::{Square, Squares};
use position::{Layout, Position, Rights};
use rules::{Action, Consumer, Flow, Step, Turn};

impl<S: Squares> BoundRules<S> {
    /// Generates castlings.
    pub(super) fn castlings<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        request: &Request<'_, W>,
        consumer: &mut K,
    ) -> Flow {
        let (p, analysis) = (request.position, request.analysis);
        let (legal, gates, held) = (request.legal, request.gates, request.held);
        let us = analysis.us;
        if !p.may_castle(us) {
            return Flow::Continue(());
        }
        for kingside in [true, false] {
            let Some(wing) = &self.wings[us.index()][usize::from(kingside)] else {
                continue;
            };
            if !p.rights.has(Rights::bit(us, kingside))
                || !(wing.vacant & analysis.occupied).is_empty()
                || legal && !self.castles(p, analysis, kingside)
            {
                continue;
            }
            let kind = p.kind_on(wing.king);
            let (steps, _) = self.moves.reach(us, kind, wing.king, analysis.occupied);
            let to = if steps.has(wing.king_to) {
                wing.rook
            } else {
                wing.king_to
            };
            let step = Step::new(Action::Castle, kind, wing.king, to);
            consumer.turn(Turn::of(step))?;
            for gate in [wing.king, wing.rook] {
                if gates.has(gate) && gate != wing.king_to && gate != wing.rook_to {
                    gated(step, gate, &entering(held, gate), consumer)?;
                }
            }
        }
        Flow::Continue(())
    }

    /// Returns whether a castling whose path is vacant leaves royal units safe.
    fn castles<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        analysis: &Analysis<'_, S>,
        kingside: bool,
    ) -> bool {
        let us = analysis.us;
        let Some(wing) = &self.wings[us.index()][usize::from(kingside)] else {
            return false;
        };
        let attacked = |square: Square, occupied: S, royal: bool| {
            self.exposes(analysis, square, analysis.enemy, occupied, royal)
        };
        let lifted = analysis.occupied.without(wing.king).without(wing.rook);
        let after = lifted.with(wing.king_to).with(wing.rook_to);
        if analysis.kings.has(wing.king) {
            // On the squares that it passes, the king shields as before it moves. On its target, the rook has
            // left its square.
            if analysis.watch.in_check
                || wing
                    .passed
                    .iter()
                    .any(|&square| attacked(square, analysis.occupied, true))
                || attacked(wing.king_to, analysis.occupied.without(wing.rook), false)
            {
                return false;
            }
        } else if !analysis.kings.is_empty() {
            // A unit other than the king castles, so the king must not be left attacked.
            if analysis.watch.in_check
                || analysis
                    .kings
                    .iter()
                    .any(|king| attacked(king, after, true))
            {
                return false;
            }
        }
        // The partner must not be royal: royal units other than the castling unit must remain on their
        // squares.
        let castled = |set: S| match set.has(wing.king) {
            true => set.without(wing.king).with(wing.king_to),
            false => set,
        };
        if analysis.duple
            && castled(self.candidates(p, us)).iter().all(|royal| {
                !self.touched(royal, analysis.their_royals) && attacked(royal, after, false)
            })
        {
            return false;
        }
        let mut royals = analysis.royals;
        if royals.is_empty() {
            return true;
        }
        let travels = royals.has(wing.king);
        royals = castled(royals);
        if !(royals & !after).is_empty() {
            return false;
        }
        if travels {
            let way = [wing.king].into_iter().chain(wing.passed.iter().copied());
            let lifted = analysis.occupied.without(wing.king);
            for square in way.filter(|&square| square != wing.king_to) {
                if !self.touched(square, analysis.their_royals) && attacked(square, lifted, false) {
                    return false;
                }
            }
        }
        royals.iter().all(|royal| {
            self.touched(royal, analysis.their_royals) || !attacked(royal, after, false)
        })
    }
}
