//! Castling: where the way is vacant, and where it leaves the royal units safe.

use super::gates::{entering, gated};
use super::request::Request;
use crate::made::Made;
use crate::scene::Scene;
use board::{Square, Squares};
use position::{Layout, Position, Rights};
use rules::{Action, Consumer, Flow, Step, Turn};

impl<S: Squares> Made<S> {
    /// Castlings.
    pub(super) fn castlings<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        request: &Request<'_, W>,
        consumer: &mut K,
    ) -> Flow {
        let Request {
            position: p,
            scene,
            legal,
            gates,
            held,
            ..
        } = *request;
        let us = scene.us;
        if !p.may_castle(us) {
            return Flow::Continue(());
        }
        for kingside in [true, false] {
            let Some(wing) = &self.wings[us.index()][usize::from(kingside)] else {
                continue;
            };
            if !p.rights.has(Rights::bit(us, kingside))
                || !(wing.vacant & scene.occupied).is_empty()
                || legal && !self.castles(p, scene, kingside)
            {
                continue;
            }
            let kind = p.kind_on(wing.king);
            let (steps, _) = self.moves.reach(us, kind, wing.king, scene.occupied);
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

    /// Whether a castling whose way is vacant leaves royal units safe.
    fn castles<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        scene: &Scene<'_, S>,
        kingside: bool,
    ) -> bool {
        let us = scene.us;
        let Some(wing) = &self.wings[us.index()][usize::from(kingside)] else {
            return false;
        };
        let attacked = |square: Square, occupied: S, royal: bool| {
            self.exposes(scene, square, scene.enemy, occupied, royal)
        };
        let lifted = scene.occupied.without(wing.king).without(wing.rook);
        let after = lifted.with(wing.king_to).with(wing.rook_to);
        if scene.kings.has(wing.king) {
            // The king shields squares behind him before he moves; the rook is gone from its square after.
            if scene.watch.in_check
                || wing
                    .passed
                    .iter()
                    .any(|&square| attacked(square, scene.occupied, true))
                || attacked(wing.king_to, scene.occupied.without(wing.rook), false)
            {
                return false;
            }
        } else if !scene.kings.is_empty() {
            // Another unit castles: the king must not come to be attacked.
            if scene.watch.in_check || scene.kings.iter().any(|king| attacked(king, after, true)) {
                return false;
            }
        }
        // A royal partner does not castle: what is royal has to stand where it stood, the castling unit
        // itself aside.
        let castled = |set: S| match set.has(wing.king) {
            true => set.without(wing.king).with(wing.king_to),
            false => set,
        };
        if scene.duple
            && castled(self.candidates(p, us)).iter().all(|royal| {
                !self.touched(royal, scene.their_royals) && attacked(royal, after, false)
            })
        {
            return false;
        }
        let mut royals = scene.royals;
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
            let lifted = scene.occupied.without(wing.king);
            for square in way.filter(|&square| square != wing.king_to) {
                if !self.touched(square, scene.their_royals) && attacked(square, lifted, false) {
                    return false;
                }
            }
        }
        royals
            .iter()
            .all(|royal| self.touched(royal, scene.their_royals) || !attacked(royal, after, false))
    }
}
