//! Tests of turns: whether a turn leaves the mover's royal units safe, gives a forbidden check, or prevents
//! bishops from being distributed over both colors of squares.

use crate::analysis::Analysis;
use crate::bound_rules::BoundRules;
use board::{Kind, Square, Squares};
use definition::PieceType;
use position::{Layout, Position};
use rules::{Action, Attack, Step, Turn};

/// A step or drop whose safety is examined.
#[derive(Clone, Copy)]
pub(super) struct Attempt<S> {
    /// The kind that moves or is dropped.
    pub kind: Kind,
    /// Its origin, or `None` for a drop.
    pub from: Option<Square>,
    pub to: Square,
    /// The squares of the captured units, without those that a blast destroys.
    pub captured: S,
    /// The kind to which it promotes.
    pub becomes: Option<Kind>,
}

impl<S: Squares> Attempt<S> {
    /// Returns a step that captures the enemy unit on its target, if there is one.
    #[inline(always)]
    pub(super) fn step(kind: Kind, from: Square, to: Square, enemy: S) -> Attempt<S> {
        Attempt {
            kind,
            from: Some(from),
            to,
            captured: S::of(to) & enemy,
            becomes: None,
        }
    }
}

impl<S: Squares> BoundRules<S> {
    /// Returns the targets that leave no royal unit attacked.
    #[inline(always)]
    pub(crate) fn safe_targets<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        analysis: &Analysis<'_, S>,
        kind: Kind,
        from: Square,
        targets: S,
    ) -> S {
        if !analysis.guarded || targets.is_empty() {
            return targets;
        }
        let royal = (analysis.kings | analysis.royals).has(from);
        let mut asks = targets;
        let mut safe = S::EMPTY;
        if royal && analysis.lone {
            asks &= analysis.asked;
            let lifted = analysis.occupied.without(from);
            safe = (targets & !asks)
                .iter()
                .filter(|&to| {
                    !self.exposes(
                        analysis,
                        to,
                        analysis.enemy.without(to),
                        lifted.with(to),
                        true,
                    )
                })
                .fold(S::EMPTY, S::with);
        } else if !royal && !analysis.watch.unsure && !analysis.watch.from_zone.has(from) {
            asks &= analysis.asked;
            safe = targets & !asks & analysis.watch.safe_targets(from);
        }
        for to in asks.iter() {
            let attempt = Attempt::step(kind, from, to, analysis.enemy);
            if self.leaves_royals_safe(p, analysis, attempt) {
                safe = safe.with(to);
            }
        }
        safe
    }

    /// Returns whether a step or drop leaves the mover's royal units safe.
    pub(super) fn leaves_royals_safe<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        analysis: &Analysis<'_, S>,
        attempt: Attempt<S>,
    ) -> bool {
        let Attempt {
            kind,
            from,
            to,
            captured,
            becomes,
        } = attempt;
        let d = &self.law.definition;
        let us = analysis.us;
        let mut occupied = analysis.occupied & !captured;
        if let Some(from) = from {
            occupied = occupied.without(from);
        }
        occupied = occupied.with(to);
        if d.captures.blast && !captured.is_empty() {
            occupied &= !self.blast(p, to, from);
        }
        let theirs = analysis.enemy & occupied & !S::of(to);
        let attacked =
            |square: Square, royal: bool| self.exposes(analysis, square, theirs, occupied, royal);
        let moved = |royals: S| match from {
            Some(from) if royals.has(from) => royals.without(from).with(to),
            _ => royals,
        };
        if self.has_pseudo() {
            // The royal units must still be on the board and not attacked. A dropped or promoted unit is
            // royal too, unless the side then has too many units of its kind.
            let piece = self.law.kinds.piece(becomes.unwrap_or(kind));
            // A new unit can be royal only if its kind is named. `*` does not make it royal.
            let is_candidate = |piece: PieceType| self.pseudo.has(piece);
            let mut royals = moved(analysis.royals);
            if from.is_none() && piece.is_some_and(is_candidate) {
                royals = royals.with(to);
            }
            if becomes.is_some()
                && let Some(piece) = piece.filter(|&piece| self.pseudo.has(piece))
            {
                let units = self.units(p, us, piece);
                royals = match units.len() > u32::from(d.extinction.count) {
                    true => royals & !units,
                    false => royals.with(to),
                };
            }
            if !(royals & !occupied).is_empty() {
                return false;
            }
            let destroyed = !(analysis.their_royals & !occupied).is_empty();
            let open = |royal: Square| {
                !self.touched(royal, analysis.their_royals) && attacked(royal, false)
            };
            if !destroyed && royals.iter().any(open) {
                return false;
            }
            if d.extinction.duple_check {
                let mut candidates = moved(self.candidates(p, us));
                if becomes.is_some() && piece.is_some_and(is_candidate) {
                    candidates = candidates.with(to);
                }
                if !candidates.is_empty() && candidates.iter().all(open) {
                    return false;
                }
            }
        }
        let mut kings = moved(analysis.kings);
        if from.is_none() && d.checks.king.is_some() && self.law.kinds.piece(kind) == d.checks.king
        {
            kings = kings.with(to);
        }
        if kings.is_empty() {
            return true;
        }
        if d.checks.makpong
            && analysis.watch.in_check
            && from.is_some_and(|from| analysis.kings.has(from))
        {
            let checkers = analysis.kings.iter().fold(S::EMPTY, |all, king| {
                let attack = Attack::on(king, !us, analysis.occupied);
                all | self.attackers(p, attack, analysis.enemy, false)
            });
            if checkers != S::of(to) {
                return false;
            }
        }
        if !(kings & !occupied).is_empty() {
            return false;
        }
        !kings.iter().any(|king| attacked(king, true))
    }

    /// Returns the units that the blast of a capture on a square destroys, on that square and around it.
    /// `from` is the origin of the captor.
    pub(crate) fn blast<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        to: Square,
        from: Option<Square>,
    ) -> S {
        let pawns = match self.law.definition.pawns.pawn {
            Some(pawn) => self
                .law
                .kinds
                .forms(pawn)
                .iter()
                .fold(S::EMPTY, |all, &kind| all | p.kind(kind)),
            None => S::EMPTY,
        };
        let immune = self.units_of_kinds(p, self.immune);
        let around = self.moves.ring[to.index()] & p.occupied() & !pawns & !immune;
        match from {
            Some(from) => {
                let spared = immune.has(from);
                let around = around.without(from);
                if spared { around } else { around.with(to) }
            }
            None => around,
        }
    }

    /// Returns whether a turn gives no forbidden check and lets bishops be distributed over both colors of
    /// squares.
    pub(crate) fn gives_no_forbidden_check<W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        turn: &Turn,
    ) -> bool {
        let d = &self.law.definition;
        let step = turn.first();
        let drop = step.action() == Action::Place;
        // The Sittuyin rule concerns units that promote as pawns do, not those that promote as in shogi.
        let role = self.roles[p.side.index()][step.kind().index()];
        let becomes = step.becomes();
        let is_pawn = self.law.kinds.piece(step.kind()) == d.pawns.pawn;
        let as_in_shogi = !is_pawn && [role.promoted, role.demoted].contains(&becomes);
        let promotes = becomes.is_some() && !as_in_shogi;
        if !d.checks.allowed || drop && !d.drops.checks || d.promotion.sittuyin && promotes {
            let mut after = *p;
            self.carry_out(p, turn, &mut after);
            if self.king_attacked(&after, !p.side) {
                return false;
            }
        }
        !(drop && d.drops.opposite_bishops) || self.leaves_colors(p, step)
    }

    /// Returns whether a drop lets the side's bishops be distributed over both colors of squares.
    fn leaves_colors<W: Layout<Set = S>>(&self, p: &Position<W>, step: Step) -> bool {
        let Some(bishop) = self.law.named("bishop") else {
            return true;
        };
        let us = p.side;
        let bishops = self.units(p, us, bishop);
        let all = bishops.len() + self.in_hand(p, us, bishop) as u32;
        if self.law.kinds.piece(step.kind()) == Some(bishop) {
            let color = if self.dark.has(step.to) {
                self.dark
            } else {
                !self.dark
            };
            return (bishops & color).len() < all.div_ceil(2);
        }
        let left = self.drop_squares(p, us, bishop) & !p.occupied() & !S::of(step.to);
        let room = |color: S| ((bishops | left) & color).len() >= all / 2;
        room(self.dark) && room(!self.dark)
    }
}
