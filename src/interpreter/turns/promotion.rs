//! Promotion: on its target, a unit stays what it is, becomes a kind of its choice, or what its kind always
//! turns into.

use super::gates::gated;
use super::request::{Choices, Request};
use super::safety::Attempt;
use super::units::Mover;
use crate::bound_rules::BoundRules;
use board::{Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::{Consumer, Flow, Step, Turn};

impl<S: Squares> BoundRules<S> {
    /// Generates the turns of one unit: to `staying` unchanged, and to `targets` becoming another.
    #[inline]
    pub(super) fn unit_turns<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        request: &Request<'_, W>,
        mover: &Mover<'_, S>,
        from: Square,
        (staying, targets): (S, S),
        entering: &[Kind],
        consumer: &mut K,
    ) -> Flow {
        let Request {
            position: p,
            analysis,
            legal,
            ..
        } = *request;
        let d = &self.law.definition;
        let (kind, role) = (mover.kind, mover.role);
        let gate = !entering.is_empty();
        let zone = self.zone[analysis.us.index()];
        let mut plain = staying;
        let mut promoting = S::EMPTY;
        if role.pawn {
            promoting = targets & zone;
            if d.promotion.mandatory_for_pawns {
                plain &= !promoting;
            }
        }
        // A unit that turns over by its kind alone makes no unit royal before the next turn.
        let mut raised = S::EMPTY;
        let mut lowered = S::EMPTY;
        if role.promoted.is_some() || role.demoted.is_some() {
            let is_pawn = d.pawns.pawn.is_some() && self.law.kinds.piece(kind) == d.pawns.pawn;
            let by_capture = match d.promotion.by_capture_only {
                true => analysis.occupied,
                false => !S::EMPTY,
            };
            if is_pawn {
                if !d.promotion.sittuyin {
                    raised = staying & zone & by_capture;
                }
            } else {
                let here = if zone.has(from) { !S::EMPTY } else { zone };
                let room = role
                    .promoted
                    .is_some_and(|to| self.has_room(p, analysis.us, to));
                if room {
                    raised = staying & by_capture & here;
                }
                if role.demoted.is_some() {
                    lowered = staying & by_capture & here;
                }
                if d.promotion.mandatory_for_pieces && (room || role.demoted.is_some()) {
                    let may_stay = match d.promotion.by_capture_only {
                        true => !analysis.occupied,
                        false => S::EMPTY,
                    };
                    let outside = if zone.has(from) { S::EMPTY } else { !zone };
                    plain &= outside | may_stay;
                }
            }
        }
        let choices = match promoting.is_empty() {
            true => Choices::new(),
            false => self.choices(p, analysis.us),
        };
        // A turn to a kind that can also be chosen would be listed twice.
        if role
            .promoted
            .is_some_and(|becomes| choices.contains(&becomes))
        {
            raised &= !promoting;
        }
        if role
            .demoted
            .is_some_and(|becomes| choices.contains(&becomes))
        {
            lowered &= !promoting;
        }
        if d.checks.immobility_illegal {
            plain &= mover.moves.mobile;
        }
        consumer.unit(kind, from, plain)?;
        if gate && !consumer.looks() {
            // One turn for each unit that may enter.
            consumer.unit_becoming(kind, from, plain, entering)?;
        } else if gate {
            for to in plain.iter() {
                gated(Step::go(kind, from, to), from, entering, consumer)?;
            }
        }
        if !promoting.is_empty() {
            // The new unit may be royal, or make others royal.
            let royal = self.has_pseudo();
            if gate || royal && legal {
                for to in promoting.iter() {
                    for &choice in &choices {
                        let step = Step::go(kind, from, to).becoming(choice);
                        let attempt = Attempt {
                            kind,
                            from: Some(from),
                            to,
                            captured: S::of(to) & analysis.enemy,
                            becomes: Some(choice),
                        };
                        if legal && royal && !self.leaves_royals_safe(p, analysis, attempt) {
                            continue;
                        }
                        consumer.turn(Turn::of(step))?;
                        gated(step, from, entering, consumer)?;
                    }
                }
            } else {
                consumer.unit_becoming(kind, from, promoting, &choices)?;
            }
        }
        for (becomes, targets) in [(role.promoted, raised), (role.demoted, lowered)] {
            let Some(becomes) = becomes.filter(|_| !targets.is_empty()) else {
                continue;
            };
            consumer.unit_becoming(kind, from, targets, &[becomes])?;
            // Of units that turn over, only pawns let others enter on their square.
            if gate && d.pawns.pawn.is_some() && self.law.kinds.piece(kind) == d.pawns.pawn {
                for to in targets.iter() {
                    let step = Step::go(kind, from, to).becoming(becomes);
                    gated(step, from, entering, consumer)?;
                }
            }
        }
        Flow::Continue(())
    }

    /// Returns whether a side may have one more of a kind on the board by promotion.
    pub(super) fn has_room<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        color: Color,
        kind: Kind,
    ) -> bool {
        let Some(piece) = self.law.kinds.piece(kind) else {
            return false;
        };
        match self.law.definition.promotion.limits.get(piece.index()) {
            None | Some(0) => true,
            Some(&limit) => self.units(p, color, piece).len() < u32::from(limit),
        }
    }

    /// Returns the kinds that pawns may become in this position.
    pub(crate) fn choices<W: Layout<Set = S>>(&self, p: &Position<W>, color: Color) -> Choices {
        let all = &self.law.choices[color.index()];
        all.iter()
            .copied()
            .filter(|&kind| self.has_room(p, color, kind))
            .collect()
    }
}
