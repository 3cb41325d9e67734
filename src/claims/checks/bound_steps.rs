//! Judges single steps by the shares of the units that they change. A unit's share is its contribution to a
//! measure (see `shares.rs`).

use super::bound_turns::{contradiction, name};
use super::shares::{Shares, measured};
use crate::single_steps::{Unit, units_of};
use board::{Color, Square, Squares};
use language::Expression;
use position::{Layout, Position};
use rules::{Action, Game, Turn};
use std::collections::BTreeSet;

/// The reason why a turn does not prove the measure.
pub enum Wrong {
    /// The turn contradicts the measure.
    Measure(String),
    /// The shares of the units do not describe the turn.
    Effect,
}

/// Judges turns by the shares of the units that they change.
pub struct StepJudge<'a, W: Layout> {
    /// The rules of the game.
    pub game: &'a dyn Game<W>,
    /// The measure.
    pub measure: &'a Expression,
    /// The shares of all units.
    pub shares: &'a Shares,
}

impl<W: Layout> StepJudge<'_, W> {
    /// Returns the measures of a position by the shares of its units.
    ///
    /// # Errors
    /// If a unit has no share, or the measures are not the sum of the shares.
    fn total(&self, p: &Position<W>) -> Result<[i64; 2], Wrong> {
        let total = self.shares.total(p).ok_or(Wrong::Effect)?;
        match measured(self.game, self.measure, p) {
            Ok(values) if values == total => Ok(total),
            _ => Err(Wrong::Effect),
        }
    }

    /// Examines a turn. Records the vacant squares to which a step takes a unit and thereby lowers a measure.
    ///
    /// # Errors
    /// If the turn does not prove the measure, with the reason.
    pub fn examine(
        &self,
        before: &Position<W>,
        turn: &Turn,
        after: &Position<W>,
        targets: &mut BTreeSet<(Unit, Square)>,
    ) -> Result<(), Wrong> {
        let old = self.total(before)?;
        let new = self.total(after)?;
        let castles = turn.steps().any(|step| step.action() == Action::Castle);
        let explained = units_of(after).all(|unit| {
            before.unit(unit.square()) == Some((unit.side(), unit.kind()))
                || castles
                || turn.steps().any(|step| step.to == unit.square())
        });
        if !explained || self.game.facts().binds {
            return Err(Wrong::Effect);
        }
        if let Some(why) = contradiction(before.side, old, new) {
            return Err(Wrong::Measure(why));
        }
        self.examine_steps(before, turn, change(old, new), targets)
    }

    /// Examines the steps of a turn, each including its capture. `whole` is what the turn adds to the measures.
    /// In a turn of several steps, the last must lower the mover's measure, and neither the last nor the others
    /// may raise one. The steps of two turns can then be combined in any way. Records the steps that lower a
    /// measure.
    fn examine_steps(
        &self,
        before: &Position<W>,
        turn: &Turn,
        whole: [i64; 2],
        targets: &mut BTreeSet<(Unit, Square)>,
    ) -> Result<(), Wrong> {
        let mut last = [0; 2];
        let mut moved: Option<(Square, Unit)> = None;
        for step in turn.steps() {
            if step.action() == Action::Castle {
                continue;
            }
            let placed = step.action() == Action::Place;
            // The second step may move the unit that the first step moved.
            let from = match moved.filter(|(to, _)| *to == step.from) {
                Some((_, unit)) => Some(unit),
                None => {
                    let unit = before.unit(step.from).filter(|_| !placed);
                    unit.map(|(side, kind)| Unit::new(side, kind, step.from))
                }
            };
            let side = from.map_or(before.side, Unit::side);
            let to = Unit::new(side, step.result(), step.to);
            // A capture on the target square belongs to the step. An own unit there has left with the first
            // step.
            let captured = before.unit(step.to).filter(|_| step.to != step.from);
            let captured = captured.filter(|(side, _)| *side != before.side);
            let captured = captured.map(|(side, kind)| Unit::new(side, kind, step.to));
            let share = |unit: Option<Unit>| unit.map_or(Some([0; 2]), |u| self.shares.of(u));
            let shares = (share(from), share(captured), share(Some(to)));
            let (Some(left), Some(taken), Some(new)) = shares else {
                return Err(Wrong::Effect);
            };
            let old = [left[0] + taken[0], left[1] + taken[1]];
            last = change(old, new);
            let falls = last.iter().any(|&by| by < 0);
            if let Some(from) = from.filter(|_| falls && !before.occupied().has(step.to)) {
                targets.insert((from, step.to));
            }
            moved = Some((step.to, to));
        }
        if turn.steps().count() < 2 {
            return Ok(());
        }
        let others = change(last, whole);
        for (part, which) in [(others, "first"), (last, "last")] {
            if let Some(side) = Color::BOTH.into_iter().find(|side| part[side.index()] > 0) {
                let side = name(side);
                let why = format!("raises the measure of {side} with its {which} step");
                return Err(Wrong::Measure(why));
            }
        }
        if last[before.side.index()] == 0 {
            let side = name(before.side);
            let why = format!("does not lower the measure of {side} with its last step");
            return Err(Wrong::Measure(why));
        }
        Ok(())
    }
}

/// Returns the difference between two pairs of measures.
fn change(old: [i64; 2], new: [i64; 2]) -> [i64; 2] {
    [new[0] - old[0], new[1] - old[1]]
}
