//! Turns of one or two steps: which are pseudo-legal, which are legal, and the positions after them.

use super::Extended;
use super::effects::{Choices, Made};
use crate::extension::{Aspects, Continues, Place, Play};
use board::{Color, Squares};
use position::{Layout, Position};
use rules::{Action, Carried, Placements, Turn, list};
use smallvec::SmallVec;

/// A turn with the position after it, before the state is updated.
pub(super) struct Played<W: Layout> {
    pub turn: Turn,
    pub after: Position<W>,
    first: Made<W>,
    second: Option<Made<W>>,
}

impl<W: Layout> Played<W> {
    /// Returns the turn as a play. Its captures are those of both steps, and its moved unit is that of the first.
    pub fn play<'a>(&'a self, before: &'a Position<W>) -> Play<'a, W> {
        let first = &self.first;
        let second = self.second.as_ref();
        let goes_on = |second: &&Made<W>| {
            let step = second.turn.first();
            step.action() != Action::Place && step.from == first.at
        };
        let last = second.filter(goes_on).unwrap_or(first);
        Play {
            before,
            turn: self.turn,
            after: &self.after,
            captures: self.captures(before),
            becomes: last.becomes,
            owner: last.owner,
            at: last.at,
            place: Place::FIRST,
        }
    }

    /// Returns the captured units, in the position before the turn.
    pub fn captures(&self, before: &Position<W>) -> W::Set {
        let first = self.first.captures;
        let Some(second) = &self.second else {
            return first;
        };
        let stood = second.captures.iter().filter_map(|square| {
            self.first
                .stood(before, square)
                .filter(|&square| before.occupied().has(square))
        });
        stood.fold(first, W::Set::with)
    }
}

impl<W: Layout> Extended<W> {
    /// Appends the turns that obey the rules of movement. They may leave the mover in check.
    pub(super) fn pseudo_turns(&self, p: &Position<W>, out: &mut Vec<Turn>) {
        if self.is_of_whole_turns() {
            let _: rules::Flow = self.base().pseudo_turns(p, &mut list(out));
            return;
        }
        let repeats = self.may_repeat();
        self.each_turn(p, false, &mut |played| {
            if !repeats || !out.contains(&played.turn) {
                out.push(played.turn);
            }
            true
        });
    }

    /// Appends the legal turns of a position that is not settled.
    pub(super) fn legal_turns(&self, p: &Position<W>, out: &mut Vec<Turn>) {
        self.safe_turns(p, out);
        self.keep_preferred(p, out);
    }

    /// Returns whether different steps can become one turn: a pawn may promote to several kinds before the mover chooses
    /// another.
    fn may_repeat(&self) -> bool {
        self.has.any(Aspects::TURNS_INTO) && self.clauses.chooses_kind()
    }

    /// Appends the turns that are legal but for preferences.
    fn safe_turns(&self, p: &Position<W>, out: &mut Vec<Turn>) {
        if self.is_of_whole_turns() {
            if self.has.any(Aspects::LEGAL) {
                let permits = |turn: &Turn| {
                    self.with_play(p, turn, |play| self.clauses.is_legal(play)) == Some(true)
                };
                self.base().permitted_turns(p, &permits, out);
            } else {
                let _: rules::Flow = self.base().legal_turns(p, &mut list(out));
            }
            return;
        }
        let repeats = self.may_repeat();
        self.each_turn(p, true, &mut |played| {
            if self.is_legal(p, played) && (!repeats || !out.contains(&played.turn)) {
                out.push(played.turn);
            }
            true
        });
    }

    /// Returns whether a turn leaves the mover safe and is permitted by `legalIf`.
    fn is_legal(&self, p: &Position<W>, played: &Played<W>) -> bool {
        (self.has.any(Aspects::OWN_CHECK) || !self.in_check(&played.after, p.side))
            && (!self.has.any(Aspects::LEGAL) || self.clauses.is_legal(&played.play(p)))
    }

    /// Removes the turns of which others are preferred.
    fn keep_preferred(&self, p: &Position<W>, turns: &mut Vec<Turn>) {
        if !self.has.any(Aspects::PREFER) || turns.len() < 2 {
            return;
        }
        let preference = |turn: &Turn| {
            self.with_play(p, turn, |play| self.clauses.preference(play))
                .unwrap_or_default()
        };
        let preferences: Vec<SmallVec<[i64; 4]>> = turns.iter().map(preference).collect();
        let best = preferences.iter().max().cloned().unwrap_or_default();
        let mut of_turns = preferences.iter();
        turns.retain(|_| of_turns.next() == Some(&best));
    }

    /// Calls `work` with a turn as a play. Returns `None` for a turn that cannot be played.
    pub(super) fn with_play<R>(
        &self,
        p: &Position<W>,
        turn: &Turn,
        work: impl FnOnce(&Play<'_, W>) -> R,
    ) -> Option<R> {
        if self.is_of_whole_turns() {
            let mut after = *p;
            self.base().carry_out(p, turn, &mut after);
            let first = turn.first();
            self.update_state(p, turn, &mut after);
            return Some(work(&Play {
                before: p,
                turn: *turn,
                after: &after,
                captures: self.plain_captures(p, turn),
                becomes: first.result(),
                owner: p.side,
                at: first.to,
                place: Place::FIRST,
            }));
        }
        self.replay_turn(p, turn)
            .map(|played| work(&played.play(p)))
    }

    /// Returns the units that a turn captures by the rules of the definition.
    fn plain_captures(&self, p: &Position<W>, turn: &Turn) -> W::Set {
        let mut after = *p;
        let base = self.base();
        base.carry_out(p, turn, &mut after);
        let first = turn.first();
        let mut lost = p.color(!p.side) & !after.color(!p.side);
        // A blast destroys own units too. Others have moved.
        if base.law.definition.captures.blast && first.action() != Action::Castle {
            lost |= p.color(p.side).without(first.from) & !after.color(p.side);
            if !after.color(p.side).has(first.to) && first.action() != Action::Place {
                lost = lost.with(first.from);
            }
        }
        lost
    }

    /// Carries out a turn. Returns `None` if it cannot be played.
    pub(super) fn replay_turn(&self, p: &Position<W>, turn: &Turn) -> Option<Played<W>> {
        let (first, used) = self.replay(p, turn.steps[0], Place::FIRST, turn.picks);
        let first = first?;
        if turn.steps[1].is_none() {
            return Some(self.played(p, *turn, first, None));
        }
        let between = self.between(p, &first);
        let previous = first.play(p, Place::FIRST);
        let place = Place {
            n: 2,
            previous: Some(&previous),
        };
        let picks = turn.picks.checked_shr(8 * used as u32).unwrap_or(0);
        let (second, _) = self.replay(&between, turn.steps[1], place, picks);
        let second = second?;
        Some(self.played(p, *turn, first, Some(second)))
    }

    /// Returns the units that a step of a turn puts on squares that the mover has chosen.
    pub(super) fn reborn_by_step(&self, p: &Position<W>, turn: &Turn, step: usize) -> Placements {
        let Some(played) = self.replay_turn(p, turn) else {
            return Placements::new();
        };
        match (step, played.second) {
            (0, _) => played.first.reborn,
            (_, Some(second)) => second.reborn,
            (_, None) => Placements::new(),
        }
    }

    /// Returns the position after a first step, with the mover to move again. The counters change with the turn.
    fn between(&self, p: &Position<W>, first: &Made<W>) -> Position<W> {
        let mut between = first.after;
        between.side = p.side;
        (between.halfmove, between.fullmove) = (p.halfmove, p.fullmove);
        self.clear_passed(&mut between);
        between
    }

    fn clear_passed(&self, p: &mut Position<W>) {
        p.set_en_passant(None);
        let map = &self.base().law.state;
        map.passer.set(p, 0);
        map.passed_near.set(p, 0);
    }

    /// Returns a turn of these steps, with clocks and state after it.
    fn played(
        &self,
        p: &Position<W>,
        turn: Turn,
        first: Made<W>,
        second: Option<Made<W>>,
    ) -> Played<W> {
        let last = second.as_ref().unwrap_or(&first);
        let mut after = last.after;
        if let Some(second) = &second {
            let resets = first.resets || second.resets;
            after.halfmove = if resets { 0 } else { p.halfmove + 1 };
        }
        // The side whose unit steps is not always the one that moves.
        after.fullmove = p.fullmove + u32::from(p.side == Color::Black);
        let mut played = Played {
            turn,
            after,
            first,
            second,
        };
        self.update_clocks(p, &mut played.after);
        if self.has.any(Aspects::STATE) {
            let mut updated = played.after;
            self.clauses.update_state(&played.play(p), &mut updated);
            played.after = updated;
        }
        played
    }

    /// Updates the state after a turn of a definition whose clauses concern whole turns only.
    pub(super) fn update_state(&self, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        // With clauses, drops do not restart the halfmove clock.
        if turn.first().action() == Action::Place {
            after.halfmove = p.halfmove + 1;
        }
        self.update_clocks(p, after);
        if !self.has.any(Aspects::STATE) {
            return;
        }
        let before_update = *after;
        let first = turn.first();
        let play = Play {
            before: p,
            turn: *turn,
            after: &before_update,
            captures: self.plain_captures(p, turn),
            becomes: first.result(),
            owner: p.side,
            at: first.to,
            place: Place::FIRST,
        };
        self.clauses.update_state(&play, after);
    }

    /// Stores the clocks that clauses read.
    fn update_clocks(&self, p: &Position<W>, after: &mut Position<W>) {
        let [halfmove, fullmove] = self.base().law.state.clocks;
        let carried: &dyn Carried<W> = self.base();
        if halfmove.most() > 0 {
            let clock = match after.halfmove {
                0 => 0,
                _ => carried.clock(p).saturating_add(1),
            };
            carried.set_clock(after, clock);
        }
        if fullmove.most() > 0 {
            let number = carried.number(p) + u32::from(p.side == Color::Black);
            carried.set_number(after, number);
        }
    }

    /// Calls `visit` for each turn, until it returns false. If `safe` is set, leaves out turns whose first step leaves
    /// the mover in check where each step must be safe.
    pub(super) fn each_turn(
        &self,
        p: &Position<W>,
        safe: bool,
        visit: &mut dyn FnMut(&Played<W>) -> bool,
    ) {
        self.each_step(p, Place::FIRST, safe, |first| {
            self.turns_of(p, first, safe, visit)
        });
    }

    /// Calls `visit` for each permitted step with its effects, once for each choice of the mover, until it returns false.
    fn each_step(
        &self,
        p: &Position<W>,
        place: Place<'_, W>,
        safe: bool,
        mut visit: impl FnMut(Made<W>) -> bool,
    ) {
        let mut steps = Vec::new();
        self.steps(p, place, &mut steps);
        for step in steps {
            let mut choices = Choices::all();
            loop {
                let made = self.make(p, step.first(), place, &mut choices);
                if let Some(made) = made.filter(|made| self.may_step(p, made, place, safe))
                    && !visit(made)
                {
                    return;
                }
                if !choices.next() {
                    break;
                }
            }
        }
    }

    /// Returns whether a step is permitted.
    fn may_step(&self, p: &Position<W>, made: &Made<W>, place: Place<'_, W>, safe: bool) -> bool {
        let is_safe = || {
            !self.has.any(Aspects::EACH_STEP_SAFE)
                || self.has.any(Aspects::OWN_CHECK)
                || !self.in_check(&made.after, p.side)
        };
        (!self.has.any(Aspects::STEP_IF) || self.clauses.may_step(&made.play(p, place)))
            && (!safe || is_safe())
    }

    /// Returns whether a second step follows a first.
    pub(super) fn continues(&self, p: &Position<W>, first: &Made<W>) -> Continues {
        if self.has.any(Aspects::CONTINUES) {
            return self.clauses.continues(&first.play(p, Place::FIRST));
        }
        match self.has.any(Aspects::STEPS) && self.clauses.steps(p) > 1 {
            true => Continues::Must,
            false => Continues::No,
        }
    }

    /// Calls `visit` for the turns with a first step. Returns false if `visit` did.
    fn turns_of(
        &self,
        p: &Position<W>,
        first: Made<W>,
        safe: bool,
        visit: &mut dyn FnMut(&Played<W>) -> bool,
    ) -> bool {
        let continues = self.continues(p, &first);
        let turn_of = |first: &Made<W>| Turn {
            picks: first.picks,
            ..first.turn
        };
        if continues == Continues::No {
            let turn = turn_of(&first);
            return visit(&self.played(p, turn, first, None));
        }
        let mut turns = Vec::new();
        if continues == Continues::May {
            turns.push((turn_of(&first), None));
        }
        self.second_steps(p, &first, safe, &mut turns);
        for (turn, second) in turns {
            let (first, _) = self.replay(p, first.turn.first(), Place::FIRST, first.picks);
            let Some(first) = first else { continue };
            if !visit(&self.played(p, turn, first, second)) {
                return false;
            }
        }
        true
    }

    /// Appends the turns that go on after a first step.
    fn second_steps(
        &self,
        p: &Position<W>,
        first: &Made<W>,
        safe: bool,
        turns: &mut Vec<(Turn, Option<Made<W>>)>,
    ) {
        let between = self.between(p, first);
        let previous = first.play(p, Place::FIRST);
        let place = Place {
            n: 2,
            previous: Some(&previous),
        };
        let used = first.picks.checked_ilog2().map_or(0, |bit| bit / 8 + 1);
        self.each_step(&between, place, safe, |second| {
            let picks = first.picks | second.picks << (8 * used);
            let turn = Turn {
                picks,
                ..Turn::two(first.turn.first(), second.turn.first())
            };
            turns.push((turn, Some(second)));
            true
        });
    }

    /// Calls `visit` for the first steps of turns that need a second one.
    pub(super) fn first_steps(&self, p: &Position<W>, visit: &mut dyn FnMut(&Turn)) {
        self.each_step(p, Place::FIRST, true, |first| {
            if self.continues(p, &first) == Continues::Must {
                visit(&first.turn);
            }
            true
        });
    }
}
