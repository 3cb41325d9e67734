//! Steps of units on the board. They are generated one unit at a time, or, for consumers that only count
//! turns, for all units of a kind together.

use super::gates::entering;
use super::request::{Choices, Request, Want};
use super::safety::Attempt;
use crate::analysis::Analysis;
use crate::bound_rules::{BoundRules, Role};
use crate::builder::{ATTACK, QUIET};
use crate::movement::Moves;
use board::{Kind, Square, Squares};
use position::Layout;
use rules::{Consumer, Flow};

/// A kind of the mover whose steps are generated.
pub(crate) struct Mover<'a, S> {
    pub kind: Kind,
    pub role: Role,
    pub moves: &'a Moves<S>,
    /// The units that the kind may capture.
    pub prey: S,
}

impl<S: Squares> BoundRules<S> {
    /// Returns the data that all units of a kind share.
    #[inline(always)]
    pub(crate) fn mover(&self, analysis: &Analysis<'_, S>, kind: Kind) -> Mover<'_, S> {
        let mut prey = analysis.prey;
        if self.mutually_immune >> kind.index() & 1 != 0
            && let Some(piece) = self.law.kinds.piece(kind)
        {
            for form in self.law.kinds.forms(piece) {
                prey &= !analysis.units.kinds[form.index()];
            }
        }
        Mover {
            kind,
            role: self.roles[analysis.us.index()][kind.index()],
            moves: self.moves.of(analysis.us, kind),
            prey,
        }
    }

    /// Returns the squares from which units of a kind cannot step together with the others, because their
    /// turns depend on their squares or must be tested.
    #[inline(always)]
    pub(super) fn apart<W: Layout<Set = S>>(
        &self,
        request: &Request<'_, W>,
        mover: &Mover<'_, S>,
    ) -> S {
        let (p, analysis) = (request.position, request.analysis);
        if analysis.watch.unsure {
            return !S::EMPTY;
        }
        let mut apart =
            analysis.kings | analysis.royals | analysis.watch.pinned | analysis.watch.from_zone;
        if mover.role.takes_passers
            && let Some(square) = p.en_passant()
        {
            apart |= match self.law.passer {
                true => !S::EMPTY,
                false => self.passers[analysis.us.index()][square.index()],
            };
        }
        if mover.role.pawn && self.has_pseudo() {
            let zone = self.zone[analysis.us.index()];
            for way in mover.moves.ways.iter().flatten() {
                apart |= zone.shift(-way.by);
            }
        }
        apart
    }

    /// Generates the turns of units of a kind that step together, for consumers that only count turns. Only
    /// the target square decides whether such a step is legal.
    #[inline(always)]
    pub(super) fn together<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        request: &Request<'_, W>,
        mover: &Mover<'_, S>,
        units: S,
        consumer: &mut K,
    ) -> Flow {
        let (p, analysis, want) = (request.position, request.analysis, request.want);
        if units.is_empty() {
            return Flow::Continue(());
        }
        let d = &self.law.definition;
        let zone = self.zone[analysis.us.index()];
        for way in mover.moves.ways.iter().flatten() {
            let goals = way.goals(units, analysis.occupied);
            let mut targets = S::EMPTY;
            if way.uses & QUIET != 0 && want != Want::Captures {
                targets |= goals & !analysis.occupied;
            }
            if way.uses & ATTACK != 0 {
                targets |= goals & mover.prey;
            }
            if analysis.guarded {
                let mut safe = targets & analysis.watch.mask & !analysis.asked;
                for to in (targets & analysis.asked).iter() {
                    let from = rules::before(to, way.by);
                    let attempt = Attempt::step(mover.kind, from, to, analysis.enemy);
                    if self.leaves_royals_safe(p, analysis, attempt) {
                        safe = safe.with(to);
                    }
                }
                targets = safe;
            }
            if targets.is_empty() {
                continue;
            }
            let from = targets.lowest();
            let mut plain = targets;
            if mover.role.pawn {
                let promoting = targets & zone;
                if !promoting.is_empty() {
                    let choices = self.choices(p, analysis.us);
                    consumer.unit_becoming(mover.kind, from, promoting, &choices)?;
                    if d.promotion.mandatory_for_pawns {
                        plain &= !promoting;
                    }
                }
            }
            if d.checks.immobility_illegal {
                plain &= mover.moves.mobile;
            }
            consumer.unit(mover.kind, from, plain)?;
        }
        Flow::Continue(())
    }

    /// Generates the turns of one unit except castling.
    #[inline]
    pub(super) fn unit<W: Layout<Set = S>, K: Consumer<S> + ?Sized>(
        &self,
        request: &Request<'_, W>,
        mover: &Mover<'_, S>,
        from: Square,
        consumer: &mut K,
    ) -> Flow {
        let (p, analysis) = (request.position, request.analysis);
        let (want, legal, gates, held) = (request.want, request.legal, request.gates, request.held);
        let d = &self.law.definition;
        let kind = mover.kind;
        let (quiet, attack) = self.moves.reach_of(mover.moves, from, analysis.occupied);
        let captures = attack & mover.prey;
        let all = match want {
            Want::Captures => captures,
            _ => captures | quiet & !analysis.occupied,
        };
        let targets = match legal {
            true => self.safe_targets(p, analysis, kind, from, all),
            false => all,
        };
        let gate = gates.has(from);
        if mover.role.plain && !gate {
            consumer.unit(kind, from, targets)?;
        } else {
            // The safety of royal units may depend on the kind that the unit becomes, so it is tested later.
            let changing = if self.has_pseudo() { all } else { targets };
            let entering = if gate {
                entering(held, from)
            } else {
                Choices::new()
            };
            let targets = (targets, changing);
            self.unit_turns(request, mover, from, targets, &entering, consumer)?;
        }
        if mover.role.takes_passers && p.en_passant().is_some() {
            let entering = if gate {
                entering(held, from)
            } else {
                Choices::new()
            };
            let attack = attack & !quiet;
            self.passer_turns(request, (kind, from), attack, &entering, consumer)?;
        }
        if d.promotion.sittuyin && self.law.kinds.piece(kind) == d.pawns.pawn {
            self.sittuyin_turns(request, (kind, from), consumer)?;
        }
        Flow::Continue(())
    }
}
