//! A turn as expressions see it: the unit that it moves, the unit's squares, and the turn's effects.

use crate::view::View;
use board::{Kind, Square};
use rules::{Action, Outcome, Step, Turn, reason};

/// A turn from a position, one step of a turn, or the missing turn.
#[derive(Clone, Copy)]
pub(crate) struct TurnRef<'v> {
    /// The position before the turn.
    pub before: &'v dyn View,
    /// The position after the turn, if the caller already has it.
    pub after: Option<&'v dyn View>,
    /// The whole turn; `None` for the missing turn.
    pub turn: Option<Turn>,
    /// The index of the step, or `None` for the whole turn.
    pub step: Option<usize>,
    /// The squares of the captured units, if they are known.
    pub captures: Option<u128>,
    /// The kind of the moved unit after the turn, if it is known.
    pub becomes: Option<Kind>,
}

impl<'v> TurnRef<'v> {
    /// Returns a turn of a position.
    pub fn new(before: &'v dyn View, turn: Turn) -> TurnRef<'v> {
        TurnRef {
            before,
            after: None,
            turn: Some(turn),
            step: None,
            captures: None,
            becomes: None,
        }
    }

    /// Returns the missing turn of a position.
    pub fn missing(before: &'v dyn View) -> TurnRef<'v> {
        TurnRef {
            turn: None,
            ..TurnRef::new(before, Turn::of(Step::NONE))
        }
    }

    /// Returns the steps in order: all steps of the turn, or the one step.
    pub fn steps(&self) -> impl Iterator<Item = Step> + use<> {
        let steps = self.turn.map_or([Step::NONE; 2], |turn| turn.steps);
        let only = self.step;
        (0..2)
            .filter(move |n| only.is_none_or(|only| only == *n))
            .map(move |n| steps[n])
            .filter(|step| !step.is_none())
    }

    /// Returns the number of steps.
    pub fn len(&self) -> usize {
        self.steps().count()
    }

    /// Returns the first step, and the last step of the same unit.
    fn path(&self) -> Option<(Step, Step)> {
        let mut steps = self.steps();
        let first = steps.next()?;
        let last = steps
            .filter(|step| step.action() != Action::Place && step.from == first.to)
            .last()
            .unwrap_or(first);
        Some((first, last))
    }

    /// Returns the kind of the moved unit before the turn.
    pub fn kind(&self) -> Option<Kind> {
        self.path().map(|(first, _)| first.kind())
    }

    /// Returns the kind of the moved unit after the turn.
    pub fn becomes(&self) -> Option<Kind> {
        if self.becomes.is_some() {
            return self.becomes;
        }
        let shown = || self.path().map(|(_, last)| last.result());
        let whole = self.turn.filter(|_| self.step.is_none());
        whole
            .and_then(|turn| self.before.kind_after(&turn))
            .or_else(shown)
    }

    /// Returns the square from which the unit moved; `None` for a dropped unit.
    pub fn from(&self) -> Option<Square> {
        let (first, _) = self.path()?;
        (first.action() != Action::Place).then_some(first.from)
    }

    /// Returns the square on which the moved unit ends.
    pub fn to(&self) -> Option<Square> {
        self.path().map(|(_, last)| last.to)
    }

    /// Returns whether the turn takes a unit off the board, in a rule text.
    pub fn takes_off(&self) -> bool {
        self.steps()
            .next()
            .is_some_and(|step| step.action() == Action::Mirror && step.from == step.to)
    }

    /// Returns the target of the last step.
    pub fn last_target(&self) -> Option<Square> {
        self.steps().last().map(|step| step.to)
    }

    /// Returns whether any step has this action.
    pub fn has(&self, action: Action) -> bool {
        self.steps().any(|step| step.action() == action)
    }

    /// Returns whether any step promotes its unit.
    pub fn promotes(&self) -> bool {
        self.steps().any(|step| step.becomes().is_some())
    }

    /// Returns the squares of the captured units.
    pub fn captures(&self) -> u128 {
        let Some(turn) = self.turn else {
            return 0;
        };
        let all = self.captures.unwrap_or_else(|| self.before.captures(&turn));
        match self.step {
            None => all,
            Some(_) if turn.steps().count() == 1 => all,
            // In rule sets without clauses, the first step captures the unit on its target. All other captures of the
            // turn belong to its last step.
            Some(n) => {
                let own = self.before.captures_of_first_step(&turn);
                let first = own.unwrap_or(1 << turn.steps[0].to.0) & all;
                if n == 0 { first } else { all & !first }
            }
        }
    }

    /// Calls `visit` for the position after the turn. The missing turn changes nothing.
    pub fn visit_after(&self, visit: &mut dyn FnMut(&dyn View)) {
        match (self.after, &self.turn) {
            (Some(after), _) => visit(after),
            (None, Some(turn)) => self.before.after(turn, visit),
            (None, None) => visit(self.before),
        }
    }

    /// Returns whether the turn leaves the opponent in check.
    pub fn checks(&self) -> bool {
        let mut checks = false;
        self.visit_after(&mut |after| checks = after.in_check(after.side()));
        checks && self.turn.is_some()
    }

    /// Returns the outcome after the turn. After the missing turn, the game is ongoing.
    pub fn outcome(&self) -> Outcome {
        let mut outcome = Outcome::Ongoing;
        if self.turn.is_some() {
            self.visit_after(&mut |after| outcome = after.outcome());
        }
        outcome
    }

    /// Returns whether the turn wins by checkmate.
    pub fn mates(&self) -> bool {
        self.outcome() == Outcome::Win(self.before.side(), reason::CHECKMATE)
    }
}
