//! Promotion. On its target, a unit keeps its kind, becomes one of several kinds as pawns do, or becomes the
//! one kind that its own kind determines, as in shogi.

use super::gates::gated;
use super::request::{Choices, Request};
use super::safety::Attempt;
use super::units::Mover;
use crate::bound_rules::BoundRules;
use board::{Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::{Consumer, Flow, Step, Turn};

impl<S: Squares> BoundRules<S> {
    /// Generates the turns of one unit. On `staying`, the unit may keep its kind or promote as in shogi. On
    /// `targets` in the zone, a pawn may become one of several kinds.
    #[inline]
    pub(crate) fn unit_turns<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        request: &Request<'_, W>,
        mover: &Mover<'_, S>,
        from: Square,
        (staying, targets): (S, S),
        entering: &[Kind],
        consumer: &mut K,
    ) -> Flow {
        let (p, analysis) = (request.position, request.analysis);
        let d = &self.law.definition;
        let kind = mover.kind;
        let mut choices = Choices::new();
        let promoting = match mover.role.pawn {
            true => targets & self.zone[analysis.us.index()],
            false => S::EMPTY,
        };
        if !promoting.is_empty() {
            choices = self.choices(p, analysis.us);
        }
        let mut plain = staying;
        if d.promotion.mandatory_for_pawns {
            plain &= !promoting;
        }
        let turned = self.turned_over(request, mover, from, staying, &mut plain);
        if d.checks.immobility_illegal {
            plain &= mover.moves.mobile;
        }
        consumer.unit(kind, from, plain)?;
        if !entering.is_empty() {
            if consumer.examines_turns() {
                for to in plain.iter() {
                    gated(Step::go(kind, from, to), from, entering, consumer)?;
                }
            } else {
                // The consumer only counts turns: one for each unit that may enter.
                consumer.unit_becoming(kind, from, plain, entering)?;
            }
        }
        if !promoting.is_empty() {
            self.chosen_promotions(
                request,
                kind,
                (from, promoting),
                &choices,
                entering,
                consumer,
            )?;
        }
        for (becomes, targets) in turned {
            let Some(becomes) = becomes else { continue };
            // If the pawn can also choose this kind, the turn has been generated already.
            let targets = match choices.contains(&becomes) {
                true => targets & !promoting,
                false => targets,
            };
            if targets.is_empty() {
                continue;
            }
            consumer.unit_becoming(kind, from, targets, &[becomes])?;
            // If a unit promotes as in shogi, others may enter on its square only if it is a pawn.
            if !entering.is_empty() && self.is_pawn(kind) {
                for to in targets.iter() {
                    let step = Step::go(kind, from, to).becoming(becomes);
                    gated(step, from, entering, consumer)?;
                }
            }
        }
        Flow::Continue(())
    }

    /// Returns the kinds to which a unit promotes as in shogi and is demoted, each with its targets. Removes
    /// from `plain` the targets on which the unit must change. Units that become royal by such a change are
    /// not checked for safety before the next turn.
    #[inline(always)]
    fn turned_over<W: Layout<Set = S>>(
        &self,
        request: &Request<'_, W>,
        mover: &Mover<'_, S>,
        from: Square,
        staying: S,
        plain: &mut S,
    ) -> [(Option<Kind>, S); 2] {
        let (promotion, role) = (&self.law.definition.promotion, mover.role);
        let mut raised = S::EMPTY;
        let mut lowered = S::EMPTY;
        if role.promoted.is_some() || role.demoted.is_some() {
            let (occupied, us) = (request.analysis.occupied, request.analysis.us);
            let zone = self.zone[us.index()];
            let by_capture = match promotion.by_capture_only {
                true => occupied,
                false => !S::EMPTY,
            };
            if self.is_pawn(mover.kind) {
                if !promotion.sittuyin {
                    raised = staying & zone & by_capture;
                }
            } else {
                let here = if zone.has(from) { !S::EMPTY } else { zone };
                let room = role
                    .promoted
                    .is_some_and(|to| self.has_room(request.position, us, to));
                if room {
                    raised = staying & by_capture & here;
                }
                if role.demoted.is_some() {
                    lowered = staying & by_capture & here;
                }
                if promotion.mandatory_for_pieces && (room || role.demoted.is_some()) {
                    let may_stay = match promotion.by_capture_only {
                        true => !occupied,
                        false => S::EMPTY,
                    };
                    let outside = if zone.has(from) { S::EMPTY } else { !zone };
                    *plain &= outside | may_stay;
                }
            }
        }
        [(role.promoted, raised), (role.demoted, lowered)]
    }

    /// Generates the turns of a pawn that becomes one of several kinds.
    #[inline(always)]
    fn chosen_promotions<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        request: &Request<'_, W>,
        kind: Kind,
        (from, targets): (Square, S),
        choices: &Choices,
        entering: &[Kind],
        consumer: &mut K,
    ) -> Flow {
        let analysis = request.analysis;
        // The new unit may be royal or make other units royal.
        let needs_trial = request.legal && self.has_pseudo();
        if entering.is_empty() && !needs_trial {
            return consumer.unit_becoming(kind, from, targets, choices);
        }
        for to in targets.iter() {
            for &choice in choices {
                let step = Step::go(kind, from, to).becoming(choice);
                let attempt = Attempt {
                    becomes: Some(choice),
                    ..Attempt::step(kind, from, to, analysis.enemy)
                };
                if needs_trial && !self.leaves_royals_safe(request.position, analysis, attempt) {
                    continue;
                }
                consumer.turn(Turn::of(step))?;
                gated(step, from, entering, consumer)?;
            }
        }
        Flow::Continue(())
    }

    /// Returns whether the promotion limit of a kind allows one more unit.
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
