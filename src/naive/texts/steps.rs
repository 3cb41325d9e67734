//! The steps of a position, before their effects: steps of units, castling, drops, and units taken off.

use super::game::Game;
use super::movement::{Number, Placed, Way, units_of};
use super::position::Pos;
use super::turn::Turn;
use super::value::{Kind, Outcome, Value};
use crate::defined::definition::PAWN;
use crate::defined::state::{Cell, Position, Unit};
use crate::defined::turns::Deed;
use std::rc::Rc;

impl Game {
    /// Returns the turn of one step that a unit makes, before its effects.
    pub fn draft(&self, pos: &Pos, unit: Placed, to: usize) -> Turn {
        Turn {
            text: String::new(),
            unit: unit.1,
            from: Some(unit.0),
            to,
            landed: None,
            becomes: unit.1.kind,
            captures: Vec::new(),
            promotes: false,
            castling: None,
            drops: false,
            takes_off: false,
            swaps: false,
            en_passant: false,
            passed: Vec::new(),
            steps: Vec::new(),
            mover: pos.base.side,
            before: pos.clone(),
            after: pos.clone(),
            game: self.open(),
        }
    }

    /// `stepSide`: returns the side whose units make a step.
    fn step_side(&self, pos: &Pos, number: Number) -> Outcome<usize> {
        let Some(clause) = self.clause("stepSide") else {
            return Ok(pos.base.side);
        };
        let game = self.open();
        let names = number.names(&game, pos);
        let side = game.ask(&clause, pos, None, names)?.side()?;
        side.ok_or_else(|| "stepSide: the missing side".to_string())
    }

    /// Returns the steps, with their effects, that `stepIf` allows.
    pub fn steps(&self, pos: &Pos, number: Number) -> Outcome<Vec<Rc<Turn>>> {
        let side = self.step_side(pos, number)?;
        let mut drafts = Vec::new();
        for unit in units_of(&pos.base, side) {
            if self.is_active(pos, unit)? {
                self.unit_steps(pos, unit, number, &mut drafts)?;
            }
        }
        if side == pos.base.side {
            self.castlings(pos, &mut drafts)?;
        }
        self.drops(pos, number, &mut drafts)?;
        self.taken_off(pos, number, &mut drafts)?;
        let mut steps: Vec<Rc<Turn>> = Vec::new();
        for draft in drafts.clone() {
            let plain = |other: &Turn| other.castling.is_none() && !other.drops;
            let same = |other: &Turn| (other.from, other.to) == (draft.from, draft.to);
            let twin = drafts.iter().any(|other| plain(other) && same(other));
            let rook = draft.castling.filter(|_| twin).map(|(rook, _)| rook);
            for step in self.carried_out(draft, number)? {
                // If a step of the king has the same text, castling is written as the capture of the rook.
                let step = match rook {
                    Some(rook) => {
                        let mut step = Turn::clone(&step);
                        let from = step.from.unwrap_or(rook);
                        let law = &self.rules.law;
                        step.text = format!("{}{}", law.name(from), law.name(rook));
                        Rc::new(step)
                    }
                    None => step,
                };
                let known = steps.iter().any(|known| known.text == step.text);
                if !known && self.step_is_allowed(&step, number)? {
                    steps.push(step);
                }
            }
        }
        Ok(steps)
    }

    /// `stepIf`.
    fn step_is_allowed(&self, step: &Rc<Turn>, number: Number) -> Outcome<bool> {
        let game = self.open();
        for clause in self.clauses("stepIf") {
            let mut names = number.names(&game, &step.before);
            names.extend(game.turn_names(step));
            if !game.ask(&clause, &step.before, Some(step), names)?.bool()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds the steps of a unit, except castling.
    fn unit_steps(
        &self,
        pos: &Pos,
        unit: Placed,
        number: Number,
        drafts: &mut Vec<Turn>,
    ) -> Outcome<()> {
        let base = &pos.base;
        let (_, Unit { side, .. }) = unit;
        let quiet = self.reached(pos, unit, Way::Quiet, number)?;
        // A double step is one, even if the pawn could go there by another movement as well.
        let double = self.double_steps(pos, unit, number)?;
        for &to in quiet
            .iter()
            .filter(|&&to| base.vacant(to) && !double.contains(&to))
        {
            drafts.push(self.draft(pos, unit, to));
        }
        for &to in &double {
            let mut step = self.draft(pos, unit, to);
            step.passed = self.passed(unit, to);
            drafts.push(step);
        }
        for to in self.reached(pos, unit, Way::Capture, number)? {
            let Some(target) = base.unit(to).filter(|target| target.side != side) else {
                continue;
            };
            if self.may_capture(pos, unit, Some((to, target)))? {
                let mut step = self.draft(pos, unit, to);
                step.captures = vec![(to, target)];
                drafts.push(step);
            }
        }
        for (to, victim) in self.en_passant(pos, unit, number)? {
            let mut step = self.draft(pos, unit, to);
            step.captures = vec![victim];
            step.en_passant = true;
            drafts.push(step);
        }
        self.steps_onto_own(pos, unit, number, drafts)
    }

    /// `ontoOwn`: adds captures of own units, by the squares that the unit attacks, and exchanges with own
    /// units, by the squares to which it steps without capture.
    fn steps_onto_own(
        &self,
        pos: &Pos,
        unit: Placed,
        number: Number,
        drafts: &mut Vec<Turn>,
    ) -> Outcome<()> {
        let Some(clause) = self.clause("ontoOwn") else {
            return Ok(());
        };
        let game = self.open();
        for (way, word) in [(Way::Capture, "captures"), (Way::Quiet, "swaps")] {
            for to in self.reached(pos, unit, way, number)? {
                let own = |target: &Unit| target.side == unit.1.side;
                let Some(target) = pos.base.unit(to).filter(own) else {
                    continue;
                };
                let target = (to, target);
                let mut names = game.unit_names(pos, unit);
                names.push(("target", super::names::man(&game, pos, Some(target))));
                let Value::Text(said) = game.ask(&clause, pos, None, names)? else {
                    return Err("ontoOwn is not a text".to_string());
                };
                if said != word {
                    continue;
                }
                let mut step = self.draft(pos, unit, to);
                if word == "captures" {
                    if !self.may_capture(pos, unit, Some(target))? {
                        continue;
                    }
                    step.captures = vec![target];
                } else {
                    step.swaps = true;
                }
                drafts.push(step);
            }
        }
        Ok(())
    }

    /// Returns the targets of double and triple steps of a pawn with a pawn's movement.
    pub fn double_steps(&self, pos: &Pos, unit: Placed, number: Number) -> Outcome<Vec<usize>> {
        let law = &self.rules.law;
        let (from, Unit { side, .. }) = unit;
        if !self.is_pawn(pos, unit, number)? {
            return Ok(Vec::new());
        }
        let mut targets = Vec::new();
        let mut at = from;
        for length in 1..=3 {
            let next = law.step(side, at, 1, 0);
            let free = |to: &usize| pos.base.vacant(*to) && law.may_stand(side, PAWN, *to);
            let Some(to) = next.filter(free) else {
                break;
            };
            let region = match length {
                2 => &law.double_region,
                _ => &law.triple_region,
            };
            if length > 1 && law.inside(&region[side], from) {
                targets.push(to);
            }
            at = to;
        }
        Ok(targets)
    }

    /// Returns the squares that a double or triple step passes.
    fn passed(&self, unit: Placed, to: usize) -> Vec<usize> {
        let law = &self.rules.law;
        let mut squares = Vec::new();
        let mut at = unit.0;
        while let Some(next) = law.step(unit.1.side, at, 1, 0).filter(|&next| next != to) {
            squares.push(next);
            at = next;
        }
        squares.retain(|&square| law.may_be_passed(1 - unit.1.side, square));
        squares
    }

    /// Returns the captures en passant of a pawn with a pawn's movement: the target, and the captured pawn. A
    /// square that the pawn reaches without capture is not among them.
    pub fn en_passant(
        &self,
        pos: &Pos,
        unit: Placed,
        number: Number,
    ) -> Outcome<Vec<(usize, Placed)>> {
        let law = &self.rules.law;
        let base = &pos.base;
        let (from, Unit { side, .. }) = unit;
        let mut found = Vec::new();
        if base.passed.is_empty() || side != base.side || !self.is_pawn(pos, unit, number)? {
            return Ok(found);
        }
        for to in law.pawn_captures(side, from) {
            if !base.passed.contains(&to) || !base.vacant(to) {
                continue;
            }
            let Some(victim) = self.victim(base, to) else {
                continue;
            };
            let quiet = self.reached(pos, unit, Way::Quiet, number)?;
            if !quiet.contains(&to) && self.may_capture(pos, unit, Some(victim))? {
                found.push((to, victim));
            }
        }
        Ok(found)
    }

    /// Returns the pawn that is captured on a square that it has passed: the first unit beyond the square.
    fn victim(&self, base: &Position, passed: usize) -> Option<Placed> {
        let law = &self.rules.law;
        let enemy = 1 - base.side;
        let mut at = passed;
        loop {
            at = law.step(enemy, at, 1, 0)?;
            if let Some(unit) = base.unit(at) {
                let pawn = unit.side == enemy && unit.kind == PAWN;
                return pawn.then_some((at, unit));
            }
        }
    }

    /// Adds castling, without regard to attacks.
    fn castlings(&self, pos: &Pos, drafts: &mut Vec<Turn>) -> Outcome<()> {
        let law = &self.rules.law;
        let mut castlings = Vec::new();
        if law.castling {
            law.castlings(&pos.base, &mut castlings);
        }
        for castling in castlings {
            let Deed::Castle { rook, rook_to } = castling.deed else {
                continue;
            };
            let (Some(king), Some(other)) = (pos.base.unit(castling.from), pos.base.unit(rook))
            else {
                continue;
            };
            let king = (castling.from, king);
            if self.is_active(pos, king)? && self.is_active(pos, (rook, other))? {
                let mut step = self.draft(pos, king, castling.to);
                step.castling = Some((rook, rook_to));
                drafts.push(step);
            }
        }
        Ok(())
    }

    /// `drops` and `dropIf`: adds the drops.
    fn drops(&self, pos: &Pos, number: Number, drafts: &mut Vec<Turn>) -> Outcome<()> {
        let law = &self.rules.law;
        let base = &pos.base;
        let side = base.side;
        let vacant = || (0..base.cells.len()).filter(|&to| base.vacant(to));
        let held = |kind: usize| base.hand[side][kind] > 0;
        let mut kinds = Vec::new();
        let clause = self.clause("drops");
        if let Some(clause) = &clause {
            let game = self.open();
            let names = number.names(&game, pos);
            for value in game.ask(clause, pos, None, names)?.items()? {
                match value.kind(law)? {
                    Kind::Known(kind) if !law.drops || held(kind) => kinds.push(kind),
                    _ => {}
                }
            }
        } else if self.rules.fairy_drops {
            kinds.extend((0..law.kinds.len()).filter(|&kind| held(kind)));
        }
        for kind in kinds {
            for to in vacant() {
                let unit = Unit {
                    side,
                    kind,
                    promoted: false,
                    was: None,
                };
                if clause.is_none() && !law.may_drop(base, kind, to) {
                    continue;
                }
                let mut step = self.draft(pos, (to, unit), to);
                step.from = None;
                step.drops = true;
                let mut after = Position::clone(base);
                after.cells[to] = Cell::Unit(unit);
                after.side = 1 - side;
                step.after = pos.with(after);
                if self.drop_is_allowed(pos, step.clone(), number)? {
                    drafts.push(step);
                }
            }
        }
        Ok(())
    }

    fn drop_is_allowed(&self, pos: &Pos, step: Turn, number: Number) -> Outcome<bool> {
        let game = self.open();
        let step = Rc::new(step);
        for clause in self.clauses("dropIf") {
            let mut names = number.names(&game, pos);
            names.extend(game.turn_names(&step));
            if !game.ask(&clause, pos, Some(&step), names)?.bool()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `takeOff`: adds the steps that take a unit off the board.
    fn taken_off(&self, pos: &Pos, number: Number, drafts: &mut Vec<Turn>) -> Outcome<()> {
        let Some(clause) = self.clause("takeOff") else {
            return Ok(());
        };
        let game = self.open();
        let names = number.names(&game, pos);
        for value in game.ask(&clause, pos, None, names)?.items()? {
            let Some(unit) = value.man()?.unit else {
                continue;
            };
            let there = pos.base.cells[unit.0] == Cell::Unit(unit.1);
            if there && !self.is_royal(pos, unit)? {
                let mut step = self.draft(pos, unit, unit.0);
                step.from = None;
                step.takes_off = true;
                step.captures = vec![unit];
                drafts.push(step);
            }
        }
        Ok(())
    }
}
