//! Pseudo-legal steps: by movement, promotion, castling, drops, and by the clauses `drops` and `takeOff`.

use super::Extended;
use crate::analysis::Notes;
use crate::extension::{Aspects, OntoOwn, Place, Target};
use crate::turns::{Held, Request, Want};
use board::{Color, Kind, Square, Squares};
use definition::PieceType;
use position::{Layout, Position, Rights};
use rules::{Action, Attack, Flow, Step, Turn, list};

impl<W: Layout> Extended<W> {
    /// Appends the steps that the mover can make, as turns of one step. `p.side` is the mover.
    pub(super) fn steps(&self, p: &Position<W>, place: Place<'_, W>, out: &mut Vec<Turn>) {
        let side = match self.has.any(Aspects::STEP_SIDE) {
            true => self.clauses.step_side(p, place),
            false => p.side,
        };
        if side == p.side {
            self.unit_steps(p, p, place, out);
            self.castlings(p, out);
        } else {
            self.steps_of_opponent(p, place, out);
        }
        self.drops(p, place, out);
        if self.has.any(Aspects::TAKE_OFF) {
            let royals = self.royal_units(p, Color::White) | self.royal_units(p, Color::Black);
            let units = self.clauses.taken_off(p, place) & p.occupied() & !royals;
            out.extend(
                units
                    .iter()
                    .map(|at| Turn::of(taking_off(p.kind_on(at), at))),
            );
        }
    }

    /// Appends the steps of the opponent's units, which the mover makes.
    fn steps_of_opponent(&self, p: &Position<W>, place: Place<'_, W>, out: &mut Vec<Turn>) {
        let mut theirs = *p;
        theirs.side = !p.side;
        theirs.set_en_passant(None);
        let begin = out.len();
        self.unit_steps(p, &theirs, place, out);
        for turn in &mut out[begin..] {
            let step = turn.first();
            let pushed = Step::new(Action::Push, step.kind(), step.from, step.to);
            *turn = Turn::of(step.becomes().map_or(pushed, |kind| pushed.becoming(kind)));
        }
    }

    /// Appends the steps of units on the board, except castlings. `p` is the position with the mover to move, which clauses
    /// read, `before` with the owner of the units to move.
    fn unit_steps(
        &self,
        p: &Position<W>,
        before: &Position<W>,
        place: Place<'_, W>,
        out: &mut Vec<Turn>,
    ) {
        let base = self.base();
        let us = before.side;
        let mut notes = Notes::new();
        let analysis = base.analysis(before, &mut notes);
        let request = Request {
            position: before,
            analysis: &analysis,
            want: Want::All,
            legal: false,
            gates: W::Set::EMPTY,
            held: &Held::new(),
        };
        let kings = base.kings(before, !us);
        // `takes` may leave a royal unit on the target out; those that it captures are refused with the effects.
        let royals = match self.has.any(Aspects::TAKES) {
            true => W::Set::EMPTY,
            false => self.royal_units(p, !us),
        };
        for from in p.color(us).iter() {
            if !self.is_active(p, from) {
                continue;
            }
            let mover = base.mover(&analysis, p.kind_on(from));
            let (quiet, attacks) = self.reach(p, from, p.occupied(), place);
            let prey = (mover.prey | kings) & !royals;
            let captures = self.capturable(p, from, attacks & prey);
            let onto = self.onto_own_units(p, us, from, (quiet, attacks));
            let targets = quiet & !p.occupied() | captures | onto;
            if self.has.any(Aspects::LANDS) && mover.role.pawn {
                self.landing_steps(p, before, place, (mover.kind, from), targets, out);
            } else {
                let targets = (targets, targets);
                let _: Flow = base.unit_turns(&request, &mover, from, targets, &[], &mut list(out));
            }
            if mover.role.takes_passers
                && before.en_passant().is_some()
                && self.has_own_movement(p, from, place)
                && self.may_capture_passer(p, from)
            {
                let squares = attacks & !quiet;
                let _: Flow =
                    base.passer_turns(&request, (mover.kind, from), squares, &[], &mut list(out));
            }
        }
    }

    /// Appends the steps of a pawn that promotes where it lands, not where it steps to.
    fn landing_steps(
        &self,
        p: &Position<W>,
        before: &Position<W>,
        place: Place<'_, W>,
        (kind, from): (Kind, Square),
        targets: W::Set,
        out: &mut Vec<Turn>,
    ) {
        let (base, us) = (self.base(), before.side);
        for to in targets.iter() {
            let step = Step::go(kind, from, to);
            let landing = self.landing_of(p, before, step, place);
            let promotes = landing.is_some_and(|at| base.zone[us.index()].has(at));
            if promotes {
                let choices = base.choices(before, us);
                out.extend(
                    choices
                        .iter()
                        .map(|&choice| Turn::of(step.becoming(choice))),
                );
            }
            if !promotes || !base.law.definition.promotion.mandatory_for_pawns {
                out.push(Turn::of(step));
            }
        }
    }

    /// Returns the targets that a unit may capture.
    fn capturable(&self, p: &Position<W>, unit: Square, targets: W::Set) -> W::Set {
        if !self.has.any(Aspects::CAPTURE) {
            return targets;
        }
        let targets = targets
            .iter()
            .filter(|&target| self.may_capture(p, unit, target));
        targets.fold(W::Set::EMPTY, W::Set::with)
    }

    /// Returns whether a unit may capture the unit that has just passed a square.
    pub(super) fn may_capture_passer(&self, p: &Position<W>, unit: Square) -> bool {
        let passer = self.base().passed(p).map(|(_, passer)| passer);
        let may = |passer| self.clauses.may_capture(p, unit, Target::Unit(passer));
        passer.is_some_and(|passer| !self.has.any(Aspects::CAPTURE) || may(passer))
    }

    /// Returns the squares of own units onto which a unit may step. Own units are captured by attacks, and exchange
    /// squares by quiet steps.
    fn onto_own_units(
        &self,
        p: &Position<W>,
        us: Color,
        from: Square,
        (quiet, attacks): (W::Set, W::Set),
    ) -> W::Set {
        if !self.has.any(Aspects::ONTO_OWN) {
            return W::Set::EMPTY;
        }
        let (royals, takes) = (self.royal_units(p, us), self.has.any(Aspects::TAKES));
        let own = p.color(us).without(from);
        let may = |to: &Square| match self.clauses.onto_own(p, from, *to) {
            OntoOwn::No => false,
            OntoOwn::Captures => {
                attacks.has(*to) && (takes || !royals.has(*to)) && self.may_capture(p, from, *to)
            }
            OntoOwn::Swaps => quiet.has(*to) && !self.is_long_step(p, from, *to),
        };
        ((quiet | attacks) & own)
            .iter()
            .filter(may)
            .fold(W::Set::EMPTY, W::Set::with)
    }

    /// Returns whether a step is one of a pawn over two or three squares ahead, which goes to vacant squares only.
    pub(super) fn is_long_step(&self, p: &Position<W>, from: Square, to: Square) -> bool {
        let Some((color, kind)) = p.unit(from).filter(|(_, kind)| self.base().is_pawn(*kind))
        else {
            return false;
        };
        let geometry = self.base().geometry;
        let ranks = geometry.rank(from).abs_diff(geometry.rank(to));
        let (quiet, _) = self.base().moves.reach(color, kind, from, p.occupied());
        geometry.file(from) == geometry.file(to) && ranks > 1 && quiet.has(to)
    }

    /// Appends the castlings.
    fn castlings(&self, p: &Position<W>, out: &mut Vec<Turn>) {
        let base = self.base();
        if !p.may_castle(p.side) {
            return;
        }
        for kingside in [true, false] {
            let Some(wing) = &base.wings[p.side.index()][usize::from(kingside)] else {
                continue;
            };
            if !p.rights.has(Rights::bit(p.side, kingside))
                || !(wing.vacant & p.occupied()).is_empty()
                || !self.is_active(p, wing.king)
                || !self.is_active(p, wing.rook)
                || !self.may_pass(p, wing.king, wing.passed.iter().copied())
            {
                continue;
            }
            let kind = p.kind_on(wing.king);
            let (steps, _) = self.reach(p, wing.king, p.occupied(), Place::FIRST);
            let to = if steps.has(wing.king_to) {
                wing.rook
            } else {
                wing.king_to
            };
            out.push(Turn::of(Step::new(Action::Castle, kind, wing.king, to)));
        }
    }

    /// Returns whether a castling king may leave its square and pass others. If it is not royal, attacks do not matter.
    /// The safety of its last square is tested after the castling.
    fn may_pass(
        &self,
        p: &Position<W>,
        king: Square,
        mut passed: impl Iterator<Item = Square>,
    ) -> bool {
        let us = p.side;
        if self.is_checked(p, us) {
            return false;
        }
        if !self.royal_units(p, us).has(king) {
            return true;
        }
        if self.in_check(p, us) {
            return false;
        }
        let kind = p.kind_on(king);
        let is_safe = |square: Square| {
            if !self.has.any(Aspects::CAPTURE) {
                return !self.attacked(p, square, !us);
            }
            // The king shields as before it moves, and is what is attacked.
            let mut there = *p;
            there.put(us, kind, square);
            self.attackers(&there, Attack::on(square, !us, p.occupied()))
                .is_empty()
        };
        // The first is the king's target.
        passed.next();
        passed.all(is_safe)
    }

    /// Appends the drops.
    fn drops(&self, p: &Position<W>, place: Place<'_, W>, out: &mut Vec<Turn>) {
        let base = self.base();
        let begin = out.len();
        let d = &base.law.definition;
        let by_clause = self.has.any(Aspects::DROPS);
        if !by_clause && d.drops.enabled && base.law.state.hand[p.side.index()].holds(p) {
            for n in 0..d.pieces.len() {
                let piece = PieceType(n as u8);
                if base.in_hand(p, p.side, piece) > 0 {
                    let kind = base.law.kinds.plain(piece);
                    let squares = base.drop_squares(p, p.side, piece) & !p.occupied();
                    out.extend(squares.iter().map(|to| Turn::of(Step::place(kind, to))));
                }
            }
        }
        if by_clause {
            let kinds = self.clauses.dropped(p, place);
            for (n, &kind) in kinds.iter().enumerate() {
                let is_repeated = kinds[..n].contains(&kind);
                if is_repeated || d.has_hands() && !self.is_in_hand(p, kind) {
                    continue;
                }
                let vacant = base.squares & !p.occupied();
                out.extend(vacant.iter().map(|to| Turn::of(Step::place(kind, to))));
            }
        }
        if self.has.any(Aspects::DROP_IF) {
            let mut kept = out.split_off(begin);
            kept.retain(|turn| {
                let step = turn.first();
                self.clauses.may_drop(p, step.kind(), step.to, place)
            });
            out.append(&mut kept);
        }
    }

    fn is_in_hand(&self, p: &Position<W>, kind: Kind) -> bool {
        let piece = self.base().law.kinds.piece(kind);
        piece.is_some_and(|piece| self.base().in_hand(p, p.side, piece) > 0)
    }

    /// Returns whether a unit of the side to move could capture en passant on a square.
    pub(super) fn enters(&self, p: &Position<W>, square: Square, passer: Square) -> bool {
        let base = self.base();
        if !self.has.any(Aspects::OF_ATTACKS) {
            return base.enters(p, square);
        }
        let us = p.side;
        let may = |unit: Square| {
            let kind = p.kind_on(unit);
            let (quiet, attacks) = self.reach(p, unit, p.occupied(), Place::FIRST);
            base.roles[us.index()][kind.index()].takes_passers
                && self.is_active(p, unit)
                && self.has_own_movement(p, unit, Place::FIRST)
                && attacks.has(square)
                && !quiet.has(square)
                && (!self.has.any(Aspects::CAPTURE)
                    || self.clauses.may_capture(p, unit, Target::Unit(passer)))
        };
        !p.occupied().has(square) && p.color(us).iter().any(may)
    }

    /// Returns whether a unit of the opponent can have passed an en passant square of a FEN, so that a unit of the side
    /// to move could capture it there.
    pub(super) fn is_open(&self, p: &Position<W>, square: Square, passer: Square) -> bool {
        self.base()
            .can_have_passed(p, square, passer, self.refills())
            && self.enters(p, square, passer)
    }

    /// Returns whether a turn can put units on squares that one of its steps has left.
    pub(super) fn refills(&self) -> bool {
        let may = Aspects::OF_SECOND_STEPS | Aspects::REBIRTH;
        self.has.any(may) || self.base().law.definition.gating.enabled
    }
}

/// Returns the step that takes a unit off the board.
fn taking_off(kind: Kind, at: Square) -> Step {
    Step::new(Action::Mirror, kind, at, at)
}

/// Returns whether a step takes a unit off the board.
pub(super) fn takes_off(step: Step) -> bool {
    step.action() == Action::Mirror && step.from == step.to
}
