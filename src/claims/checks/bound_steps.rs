//! Judges single steps by the shares of the units that they change. A unit's share is its contribution to a
//! measure (see `shares.rs`).

use super::bound_turns::{contradiction, name};
use super::shares::Shares;
use crate::single_steps::{Unit, units_of};
use board::{Color, Square, Squares};
use position::{Layout, Position};
use rules::{Action, Game, Turn};
use std::collections::BTreeSet;

/// The reason why a turn does not prove the measure.
pub enum Wrong {
    /// The turn contradicts the measure.
    Measure(String),
    /// The turn puts units on squares to which none of its steps leads.
    Effect,
}

/// Judges turns by the shares of the units that they change.
pub struct StepJudge<'a, W: Layout> {
    /// The rules of the game.
    pub game: &'a dyn Game<W>,
    /// The shares of all units.
    pub shares: &'a Shares,
}

impl<W: Layout> StepJudge<'_, W> {
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
        let old = self.shares.total(before).ok_or(Wrong::Effect)?;
        let new = self.shares.total(after).ok_or(Wrong::Effect)?;
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
        self.examine_steps(before, turn, castles, targets)
    }

    /// Examines the steps of a turn, each including its capture. In a turn of several steps, no step may
    /// raise a measure, and at least one must lower the mover's measure. Records the steps that lower a
    /// measure.
    fn examine_steps(
        &self,
        before: &Position<W>,
        turn: &Turn,
        castles: bool,
        targets: &mut BTreeSet<(Unit, Square)>,
    ) -> Result<(), Wrong> {
        let mover = before.side.index();
        let several = turn.steps().count() > 1;
        let mut lowers = false;
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
            // A capture on the target square belongs to the step.
            let captured = before.unit(step.to).filter(|_| step.to != step.from);
            let captured = captured.map(|(side, kind)| Unit::new(side, kind, step.to));
            let share = |unit: Option<Unit>| unit.map_or(Some([0; 2]), |u| self.shares.of(u));
            let shares = (share(from), share(captured), share(Some(to)));
            let (Some(left), Some(taken), Some(new)) = shares else {
                return Err(Wrong::Effect);
            };
            let old = [left[0] + taken[0], left[1] + taken[1]];
            lowers |= new[mover] < old[mover];
            let raised = Color::BOTH
                .into_iter()
                .find(|s| new[s.index()] > old[s.index()]);
            if let Some(side) = raised.filter(|_| several) {
                let why = format!(
                    "raises the measure of {} with its step to {}",
                    name(side),
                    self.game.board().geometry().name(step.to)
                );
                return Err(Wrong::Measure(why));
            }
            let falls = (0..2).any(|side| new[side] < old[side]);
            if let Some(from) = from.filter(|_| falls && !before.occupied().has(step.to)) {
                targets.insert((from, step.to));
            }
            moved = Some((step.to, to));
        }
        if several && !castles && !lowers {
            let why = format!(
                "does not lower the measure of {} with any step",
                name(before.side)
            );
            return Err(Wrong::Measure(why));
        }
        Ok(())
    }
}
