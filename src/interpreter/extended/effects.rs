//! The effects of a step, in their order: captures, the moved unit, promotion, kind and side, removals and conversions,
//! rebirth, hands, rights, and the en passant squares.

use super::Extended;
use super::steps::takes_off;
use crate::effect::{Moved, Passed};
use crate::extension::{Aspects, Captured, KindChoices, OntoOwn, Place, Play, Rebirth, exchanges};
use crate::kinds::Memory;
use board::{Color, Kind, Square, Squares};
use position::{Layout, Position, Rights};
use rules::{Action, Placements, Step, Turn};
use smallvec::SmallVec;

/// The maximum number of squares that the mover chooses in a step. A step that would leave more to choose is illegal:
/// a turn of two steps has one byte for each square.
const MAX_CHOSEN: usize = 4;
/// The maximum number of ways to choose them, by the numbers of squares that were vacant at each choice.
const MAX_WAYS: usize = 4096;

/// A choice that the mover makes in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    /// The kind of the moved unit.
    Kind(Kind),
    /// The square on which a captured unit is put.
    Square(Square),
}

/// The choices of a step: those of a turn that is played, or all combinations, one after another.
pub(super) struct Choices {
    /// The chosen ones, each with the number of its option.
    made: SmallVec<[(usize, Choice); 4]>,
    /// The number of options at each choice.
    options: SmallVec<[usize; 4]>,
    /// The number of choices made in this run.
    at: usize,
    /// The number of ways to choose the squares of this run.
    ways: usize,
    /// For a turn that is played: its squares, one byte each.
    given: Option<u64>,
}

impl Choices {
    /// Returns the first combination of all.
    pub(super) fn all() -> Choices {
        Choices {
            made: SmallVec::new(),
            options: SmallVec::new(),
            at: 0,
            ways: 1,
            given: None,
        }
    }

    /// Returns the choices of a turn that is played.
    fn of(picks: u64) -> Choices {
        Choices {
            given: Some(picks),
            ..Choices::all()
        }
    }

    /// Moves to the next combination. Returns false after the last.
    pub(super) fn next(&mut self) -> bool {
        self.at = 0;
        self.ways = 1;
        while let Some((option, _)) = self.made.pop() {
            let options = self.options.pop().unwrap_or(0);
            if option + 1 < options {
                // The choice itself is made again in the next run.
                self.made.push((option + 1, Choice::Kind(Kind::Pawn)));
                self.options.push(options);
                return true;
            }
        }
        false
    }

    /// Returns the option that this combination has at its next choice.
    fn choose(&mut self, options: usize, choice: impl Fn(usize) -> Choice) -> Choice {
        let n = self.made.get(self.at).map_or(0, |(n, _)| *n);
        let chosen = choice(n);
        match self.made.get_mut(self.at) {
            // A choice of this combination that was made before.
            Some(made) => *made = (n, chosen),
            None => {
                self.made.push((n, chosen));
                self.options.push(options);
            }
        }
        self.at += 1;
        chosen
    }

    /// Returns the squares that were chosen in this run.
    fn squares(&self) -> impl Iterator<Item = Square> {
        self.made[..self.at]
            .iter()
            .filter_map(|(_, choice)| match choice {
                Choice::Square(square) => Some(*square),
                Choice::Kind(_) => None,
            })
    }

    /// Returns the chosen squares, one byte each, the first in the lowest.
    fn picks(&self) -> u64 {
        let squares = self.squares().enumerate();
        squares.fold(0, |picks, (n, square)| {
            picks | (u64::from(square.0) + 1) << (8 * n)
        })
    }
}

/// A step with its effects.
pub(super) struct Made<W: Layout> {
    /// The step with the chosen kind and squares.
    pub turn: Turn,
    pub after: Position<W>,
    /// The captured units, in the position before.
    pub captures: W::Set,
    /// The squares that the mover has chosen for units that were put on the board again.
    pub picks: u64,
    /// The units that were put on chosen squares.
    pub reborn: Placements,
    /// The kind, side and square of the moved unit.
    pub becomes: Kind,
    pub owner: Color,
    pub at: Square,
    /// Whether the halfmove clock starts again.
    pub resets: bool,
}

impl<W: Layout> Made<W> {
    /// Returns the step as a play.
    pub fn play<'a>(&'a self, before: &'a Position<W>, place: Place<'a, W>) -> Play<'a, W> {
        Play {
            before,
            turn: self.turn,
            after: &self.after,
            captures: self.captures,
            becomes: self.becomes,
            owner: self.owner,
            at: self.at,
            place,
        }
    }
}

impl<W: Layout> Made<W> {
    /// Returns the step as a play before its promotion.
    fn unpromoted<'a>(&'a self, before: &'a Position<W>, place: Place<'a, W>) -> Play<'a, W> {
        let step = self.turn.first();
        Play {
            turn: Turn::of(Step::new(step.action(), step.kind(), step.from, step.to)),
            becomes: step.kind(),
            ..self.play(before, place)
        }
    }

    /// Returns the square before the step of the unit that is on a square after it; `None` if the step has put the
    /// unit on the board.
    pub fn stood(&self, before: &Position<W>, square: Square) -> Option<Square> {
        let step = self.turn.first();
        let moves = matches!(step.action(), Action::Go | Action::Push | Action::EnPassant);
        if moves && square == self.at {
            return Some(step.from);
        }
        if square == step.from && exchanges(before, &self.turn, self.captures) {
            return Some(step.to);
        }
        let has_left = moves && square == step.from || self.captures.has(square);
        (!has_left).then_some(square)
    }
}

impl<W: Layout> Extended<W> {
    /// Carries out a step of a turn that is played. `picks` are the squares that the mover has chosen; returns the
    /// number of those that the step uses.
    pub(super) fn replay(
        &self,
        p: &Position<W>,
        step: Step,
        place: Place<'_, W>,
        picks: u64,
    ) -> (Option<Made<W>>, usize) {
        let mut choices = Choices::of(picks);
        let made = self.make(p, step, place, &mut choices);
        (made, choices.squares().count())
    }

    /// Carries out a step. Returns `None` if the clauses make it impossible. The opponent is to move afterwards.
    pub(super) fn make(
        &self,
        p: &Position<W>,
        step: Step,
        place: Place<'_, W>,
        choices: &mut Choices,
    ) -> Option<Made<W>> {
        let pushes = step.action() == Action::Push;
        let us = if pushes { !p.side } else { p.side };
        // The units of a pushing mover move as if their owner were to move.
        let mut before = *p;
        before.side = us;
        let step = if pushes { as_go(step) } else { step };
        let turn = Turn::of(step);
        let mut made = Made {
            turn,
            after: before,
            captures: W::Set::EMPTY,
            picks: 0,
            reborn: Placements::new(),
            becomes: step.result(),
            owner: us,
            at: self.target(&before, step),
            resets: false,
        };
        made.after.side = !p.side;
        let moved = self.move_units(p, &before, step, place, &mut made)?;
        made.after.side = us;
        self.base().finish(&before, &turn, &moved, &mut made.after);
        made.resets = moved.resets;
        made.after.side = !p.side;
        self.change_unit(p, place, choices, &mut made)?;
        self.go_on(p, place, &mut made)?;
        self.remove_and_convert(p, place, &mut made)?;
        self.put_again(p, place, choices, &mut made)?;
        let is_as_it_was = made.owner == us && made.becomes == step.kind();
        if !pushes && made.at == step.to && is_as_it_was {
            self.offer(&moved.passed, step.to, &mut made.after);
        }
        if pushes {
            made.turn = Turn::of(as_push(made.turn.first()));
        }
        made.picks = choices.picks();
        Some(made)
    }

    fn chooses_kind(&self) -> bool {
        self.has.any(Aspects::TURNS_INTO) && self.clauses.chooses_kind()
    }

    /// Returns the square of the moved unit if nothing changes it.
    fn target(&self, p: &Position<W>, step: Step) -> Square {
        if step.action() != Action::Castle {
            return step.to;
        }
        let mut wings = self.base().wings[p.side.index()].iter().flatten();
        wings
            .find(|wing| wing.castles(step.from, step.to))
            .map_or(step.to, |wing| wing.king_to)
    }

    /// Moves the units, and takes the captured ones off the board. `p` is the position with the mover to move, `before`
    /// with the owner of the moved unit to move.
    fn move_units(
        &self,
        p: &Position<W>,
        before: &Position<W>,
        step: Step,
        place: Place<'_, W>,
        made: &mut Made<W>,
    ) -> Option<Moved> {
        let us = before.side;
        let base = self.base();
        if takes_off(step) {
            made.captures = W::Set::of(step.from);
            self.take(before, &mut made.after, step.from);
            return Some(Moved {
                captured: true,
                resets: true,
                ..Moved::default()
            });
        }
        let (from, to) = (step.from, step.to);
        let moves = matches!(step.action(), Action::Go | Action::EnPassant);
        if !moves {
            let mut moved = base.move_units(before, &made.turn, &mut made.after);
            if step.action() == Action::Place {
                moved.resets = false;
                // The mover may have chosen another kind.
                made.after.take(us, step.kind(), to);
                made.after.put(us, step.result(), to);
            }
            return Some(moved);
        }
        let onto = self.captures_of(p, before, step, place, made);
        let royals = self.royal_units(p, Color::White) | self.royal_units(p, Color::Black);
        if !(made.captures & royals).is_empty() {
            return None;
        }
        if self.has.any(Aspects::LANDS) {
            made.at = self.clauses.landing(&made.unpromoted(p, place))?;
        }
        for square in made.captures.iter() {
            self.take(before, &mut made.after, square);
        }
        let (kind, becomes) = (step.kind(), made.becomes);
        made.after.take(us, kind, from);
        if onto == OntoOwn::Swaps {
            let other = before.kind_on(to);
            made.after.take(us, other, to);
            made.after.put(us, other, from);
        }
        if made.after.occupied().has(made.at) {
            return None;
        }
        made.after.put(us, becomes, made.at);
        let mut marks = base.marks[from.index()];
        if onto == OntoOwn::Swaps {
            marks |= base.marks[to.index()];
        }
        made.after.rights = made.after.rights.without(Rights(marks));
        let captured = !made.captures.is_empty();
        let passed = match self.has_own_movement(p, from, place) {
            true if self.is_long_step(before, from, to) || !base.is_pawn(kind) => {
                base.passing(before, us, kind, from, to, step.becomes())
            }
            _ => Passed::new(),
        };
        Some(Moved {
            captured,
            passed,
            resets: captured
                || base.is_pawn(kind)
                || step.becomes().is_some() && !self.chooses_kind(),
            wins: false,
        })
    }

    /// Finds the units that a step on the board captures. Returns what a step onto an own unit does.
    fn captures_of(
        &self,
        p: &Position<W>,
        before: &Position<W>,
        step: Step,
        place: Place<'_, W>,
        made: &mut Made<W>,
    ) -> OntoOwn {
        let (us, from, to) = (before.side, step.from, step.to);
        let own = before.color(us).has(to) && to != from;
        let onto = match own && self.has.any(Aspects::ONTO_OWN) {
            true => self.clauses.onto_own(p, from, to),
            false => OntoOwn::No,
        };
        made.captures = match step.action() {
            Action::EnPassant => self
                .base()
                .passed(before)
                .map_or(W::Set::EMPTY, |(_, unit)| W::Set::of(unit)),
            _ if own => match onto {
                OntoOwn::Captures => W::Set::of(to),
                _ => W::Set::EMPTY,
            },
            _ => W::Set::of(to) & before.color(!us),
        };
        if self.has.any(Aspects::TAKES) {
            let taken = self.clauses.taken(&made.unpromoted(p, place));
            made.captures = taken & before.occupied() & !W::Set::of(from);
        }
        onto
    }

    /// Returns where the unit of a step on the board lands; `None` for a missing square. `p` is the position with the mover
    /// to move, `before` with the owner of the unit to move.
    pub(super) fn landing_of(
        &self,
        p: &Position<W>,
        before: &Position<W>,
        step: Step,
        place: Place<'_, W>,
    ) -> Option<Square> {
        let mut made = Made {
            turn: Turn::of(step),
            after: *before,
            captures: W::Set::EMPTY,
            picks: 0,
            reborn: Placements::new(),
            becomes: step.result(),
            owner: before.side,
            at: step.to,
            resets: false,
        };
        self.captures_of(p, before, step, place, &mut made);
        self.clauses.landing(&made.unpromoted(p, place))
    }

    /// Takes a unit off the board, with the rights of its square.
    fn take(&self, before: &Position<W>, after: &mut Position<W>, square: Square) {
        if let Some((color, kind)) = before.unit(square) {
            after.take(color, kind, square);
            self.end_rights(after, square);
        }
    }

    fn end_rights(&self, after: &mut Position<W>, square: Square) {
        let marks = self.base().marks[square.index()];
        after.rights = after.rights.without(Rights(marks));
    }

    /// Changes the kind and the side of the moved unit.
    fn change_unit(
        &self,
        p: &Position<W>,
        place: Place<'_, W>,
        choices: &mut Choices,
        made: &mut Made<W>,
    ) -> Option<()> {
        if takes_off(made.turn.first()) {
            return Some(());
        }
        let (kind, owner) = (made.becomes, made.owner);
        if self.has.any(Aspects::TURNS_INTO) {
            self.change_kind(p, place, choices, made)?;
            // Later effects see the unit as it has become.
            made.after.take(owner, kind, made.at);
            made.after.put(owner, made.becomes, made.at);
        }
        if self.has.any(Aspects::JOINS) {
            made.owner = self.clauses.side_after(&made.play(p, place));
        }
        if owner != made.owner {
            let first = made.turn.first();
            let moves = first.action() != Action::Place;
            if moves && self.royal_units(p, owner).has(first.from) {
                return None;
            }
            made.after.take(owner, made.becomes, made.at);
            made.after.put(made.owner, made.becomes, made.at);
        }
        if (kind, owner) != (made.becomes, made.owner) {
            self.end_rights(&mut made.after, made.at);
        }
        Some(())
    }

    /// Moves the unit on after its changes. Returns `None` if another unit is on its square.
    fn go_on(&self, p: &Position<W>, place: Place<'_, W>, made: &mut Made<W>) -> Option<()> {
        let step = made.turn.first();
        let moves = matches!(step.action(), Action::Go | Action::EnPassant);
        if !self.has.any(Aspects::ENDS_ON) || !moves {
            return Some(());
        }
        let Some(end) = self.clauses.last_square(&made.play(p, place)) else {
            return Some(());
        };
        made.after.take(made.owner, made.becomes, made.at);
        if made.after.occupied().has(end) {
            return None;
        }
        made.after.put(made.owner, made.becomes, end);
        made.at = end;
        Some(())
    }

    /// Returns the possible kinds of the moved unit. Promoted pawns keep the record of their promotion, and so do units
    /// that keep their kind.
    fn kinds_after(&self, p: &Position<W>, place: Place<'_, W>, made: &Made<W>) -> KindChoices {
        let forms = &self.base().law.kinds;
        let memory = forms.memory(made.becomes);
        let mut kinds = KindChoices::new();
        for kind in self.clauses.kinds_after(&made.play(p, place)) {
            let kind = match forms.piece(kind) {
                Some(piece)
                    if forms.piece(made.becomes) == Some(piece) || memory == Memory::Pawn =>
                {
                    forms.form(piece, memory)
                }
                _ => kind,
            };
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    }

    fn change_kind(
        &self,
        p: &Position<W>,
        place: Place<'_, W>,
        choices: &mut Choices,
        made: &mut Made<W>,
    ) -> Option<()> {
        let step = made.turn.first();
        if !self.chooses_kind() {
            made.becomes = *self.kinds_after(p, place, made).first()?;
            return Some(());
        }
        if choices.given.is_some() {
            // The step has the chosen kind already.
            return Some(());
        }
        let kinds = self.kinds_after(p, place, made);
        if kinds.is_empty() {
            return None;
        }
        let Choice::Kind(kind) = choices.choose(kinds.len(), |n| Choice::Kind(kinds[n])) else {
            return None;
        };
        made.becomes = kind;
        let plain = Step::new(step.action(), step.kind(), step.from, step.to);
        made.turn = Turn::of(match kind == step.kind() {
            true => plain,
            false => plain.becoming(kind),
        });
        Some(())
    }

    /// Takes further units off the board, and changes the sides of units, all at once.
    fn remove_and_convert(
        &self,
        p: &Position<W>,
        place: Place<'_, W>,
        made: &mut Made<W>,
    ) -> Option<()> {
        if !self.has.any(Aspects::REMOVES | Aspects::CONVERTS) {
            return Some(());
        }
        let play = made.play(p, place);
        let occupied = made.after.occupied();
        let removed = match self.has.any(Aspects::REMOVES) {
            true => self.clauses.removed(&play) & occupied,
            false => W::Set::EMPTY,
        };
        let converted = match self.has.any(Aspects::CONVERTS) {
            true => self.clauses.converted(&play) & occupied & !removed,
            false => W::Set::EMPTY,
        };
        let after = made.after;
        let royals =
            self.royal_units(&after, Color::White) | self.royal_units(&after, Color::Black);
        if !((removed | converted) & royals).is_empty() {
            return None;
        }
        for square in (removed | converted).iter() {
            let Some((color, kind)) = after.unit(square) else {
                continue;
            };
            made.after.take(color, kind, square);
            if converted.has(square) {
                made.after.put(!color, kind, square);
            }
            self.end_rights(&mut made.after, square);
        }
        if converted.has(made.at) {
            made.owner = !made.owner;
        }
        Some(())
    }

    /// Puts captured units on the board again, or into a hand.
    fn put_again(
        &self,
        p: &Position<W>,
        place: Place<'_, W>,
        choices: &mut Choices,
        made: &mut Made<W>,
    ) -> Option<()> {
        let to_hand = self.base().law.definition.drops.captures_to_hand;
        if !self.has.any(Aspects::REBIRTH | Aspects::HAND) && !to_hand {
            return Some(());
        }
        for square in made.captures.iter() {
            let Some((side, kind)) = p.unit(square) else {
                continue;
            };
            let unit = Captured { square, side, kind };
            if self.has.any(Aspects::REBIRTH) && self.is_reborn(p, place, unit, choices, made)? {
                continue;
            }
            if self.has.any(Aspects::HAND) {
                let hand = self.clauses.hand(&made.play(p, place), unit);
                let base = self.base();
                let piece = |changed: Option<Kind>| match changed {
                    Some(kind) => base.law.kinds.piece(kind),
                    None => base.hand_piece(kind, side),
                };
                if let Some((side, changed)) = hand
                    && let Some(piece) = piece(changed)
                {
                    base.change_hand(&mut made.after, side, piece, true);
                }
            } else {
                self.base().to_hand(&mut made.after, kind, side);
            }
        }
        Some(())
    }

    /// Puts a captured unit on the board again. Returns whether it is there, or `None` if there is no square to choose.
    fn is_reborn(
        &self,
        p: &Position<W>,
        place: Place<'_, W>,
        unit: Captured,
        choices: &mut Choices,
        made: &mut Made<W>,
    ) -> Option<bool> {
        let vacant = self.base().squares & !made.after.occupied();
        let rebirth = self.clauses.rebirth(&made.play(p, place), unit);
        let is_chosen = matches!(rebirth, Rebirth::OneOf(_));
        let square = match rebirth {
            Rebirth::No => return Some(false),
            Rebirth::On(square) if vacant.has(square) => square,
            Rebirth::On(_) => return Some(false),
            Rebirth::OneOf(squares) => chosen(choices, squares & vacant)?,
        };
        let (side, kind) = self.clauses.reborn(&made.play(p, place), unit);
        if is_chosen {
            made.reborn.push((kind, square));
        }
        made.after.put(side, kind, square);
        if self.has.any(Aspects::REBIRTH_RIGHTS) {
            self.base().dropped_rights(&mut made.after, side, square);
        }
        Some(true)
    }

    /// Records as en passant squares the passed squares on which a unit of the side to move could capture.
    fn offer(&self, passed: &[Square], unit: Square, after: &mut Position<W>) {
        let open: Passed = passed
            .iter()
            .copied()
            .filter(|&square| self.enters(after, square, unit))
            .collect();
        self.base().note_passed(after, &open, unit);
    }
}

/// Returns the chosen square of a set, or `None` if the set is empty or does not contain the square that the turn
/// names, or if the mover has chosen as many squares as a step may have.
fn chosen<S: Squares>(choices: &mut Choices, squares: S) -> Option<Square> {
    let earlier = choices.squares().count();
    if earlier == MAX_CHOSEN {
        return None;
    }
    let square = match choices.given {
        Some(picks) => {
            let byte = picks >> (8 * earlier) & 0xff;
            let square = Square((byte as u8).checked_sub(1)?);
            squares.has(square).then_some(square)?
        }
        None => {
            let n = choices.made.get(choices.at).map_or(0, |(n, _)| *n);
            squares.iter().nth(n)?
        }
    };
    let options = squares.len() as usize;
    choices.ways *= options;
    if choices.ways > MAX_WAYS {
        return None;
    }
    match choices.choose(options, |_| Choice::Square(square)) {
        Choice::Square(square) => Some(square),
        Choice::Kind(_) => None,
    }
}

/// Returns a step of the opponent's unit as one of its owner.
fn as_go(step: Step) -> Step {
    with_action(step, Action::Go)
}

fn as_push(step: Step) -> Step {
    with_action(step, Action::Push)
}

fn with_action(step: Step, action: Action) -> Step {
    let new = Step::new(action, step.kind(), step.from, step.to);
    step.becomes().map_or(new, |kind| new.becoming(kind))
}
