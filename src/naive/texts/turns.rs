//! Stage 3: turns of one or two steps, own safety, `legalIf` and `prefer`; then the states.

use super::game::Game;
use super::movement::{Number, Way, units_of};
use super::position::{Pos, States};
use super::state::Item;
use super::turn::Turn;
use super::value::{Outcome, Value};
use crate::defined::definition::{KING, PAWN};
use crate::defined::state::Unit;
use crate::defined::state::{Cell, Position};
use std::rc::Rc;

/// Whether a second step follows the first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Second {
    No,
    May,
    Must,
}

impl Game {
    /// `stepCount` and `continues`: returns whether a second step follows.
    fn second(&self, step: &Rc<Turn>) -> Outcome<Second> {
        let game = self.open();
        let before = &step.before;
        if let Some(clause) = self.clause("continues") {
            let mut names = Number::FIRST.names(&game, before);
            names.extend(game.turn_names(step));
            return match game.ask(&clause, before, Some(step), names)? {
                Value::Text(text) if text == "no" => Ok(Second::No),
                Value::Text(text) if text == "may" => Ok(Second::May),
                Value::Text(text) if text == "must" => Ok(Second::Must),
                _ => Err("continues: neither 'no' nor 'may' nor 'must'".to_string()),
            };
        }
        if let Some(clause) = self.clause("stepCount") {
            let names = Number::FIRST.names(&game, before);
            return match game.ask(&clause, before, None, names)?.int()? {
                1 => Ok(Second::No),
                2 => Ok(Second::Must),
                count => Err(format!("stepCount: {count} steps")),
            };
        }
        Ok(Second::No)
    }

    /// Returns the pseudo-legal turns with their effects.
    pub fn pseudo(&self, pos: &Pos) -> Outcome<Vec<Rc<Turn>>> {
        let mut turns: Vec<Rc<Turn>> = Vec::new();
        for first in self.steps(pos, Number::FIRST)? {
            let second = self.second(&first)?;
            if second != Second::Must {
                turns.push(self.close(pos, vec![Rc::clone(&first)])?);
            }
            if second == Second::No {
                continue;
            }
            let mut base = Position::clone(&first.after.base);
            base.side = pos.base.side;
            base.passed.clear();
            let between = first.after.with(base);
            let number = Number {
                n: 2,
                previous: Some(&first),
            };
            for last in self.steps(&between, number)? {
                turns.push(self.close(pos, vec![Rc::clone(&first), last])?);
            }
        }
        if let Some(pass) = self.pass(pos)?
            && (!self.passes_if_stuck(pos) || !self.any_safe(&turns)?)
        {
            turns.push(pass);
        }
        Ok(turns)
    }

    fn passes_if_stuck(&self, pos: &Pos) -> bool {
        self.rules.law.pass_on_stalemate[pos.base.side]
    }

    fn any_safe(&self, turns: &[Rc<Turn>]) -> Outcome<bool> {
        for turn in turns {
            if self.is_safe(turn)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the pass of a side that may pass and is not in check.
    fn pass(&self, pos: &Pos) -> Outcome<Option<Rc<Turn>>> {
        let law = &self.rules.law;
        let side = pos.base.side;
        let own = units_of(&pos.base, side);
        let king = own.iter().find(|unit| unit.1.kind == KING);
        let may = law.pass[side] || law.pass_on_stalemate[side];
        let Some(&unit) = king.or(own.first()).filter(|_| may) else {
            return Ok(None);
        };
        if self.in_check(pos, side)? {
            return Ok(None);
        }
        let mut step = self.draft(pos, unit, unit.0);
        let square = law.name(unit.0);
        step.text = format!("{square}{square}");
        let mut base = Position::clone(&pos.base);
        base.side = 1 - side;
        base.passed.clear();
        step.after = pos.with(base);
        self.close(pos, vec![Rc::new(step)]).map(Some)
    }

    /// Returns the turn of some steps, with the position after it.
    fn close(&self, pos: &Pos, steps: Vec<Rc<Turn>>) -> Outcome<Rc<Turn>> {
        let (first, last) = (&steps[0], &steps[steps.len() - 1]);
        let any = |test: fn(&Turn) -> bool| steps.iter().any(|step| test(step));
        let mover = pos.base.side;
        let mut base = Position::clone(&last.after.base);
        let resets = any(|step| {
            let steps_there = !step.drops && !step.takes_off && !step.passes();
            step.unit.kind == PAWN && steps_there || !step.captures.is_empty()
        });
        base.clock = if resets { 0 } else { pos.base.clock + 1 };
        base.number = pos.base.number + mover as u32;
        base.passes = if first.passes() {
            pos.base.passes + 1
        } else {
            0
        };
        base.castled = first.castling.map(|(rook, _)| {
            let from = first.from.unwrap_or(rook);
            (mover, usize::from(from < rook))
        });
        let after = last.after.with(base);
        let mut base = Position::clone(&self.with_en_passant(&after)?.base);
        let same = last.from.is_some() && last.from == first.landed;
        let texts: Vec<&str> = steps.iter().map(|step| step.text.as_str()).collect();
        let law = &self.rules.law;
        if law.check_counting && self.in_check(&after, 1 - mover)? {
            base.checks[mover] = base.checks[mover].saturating_sub(1);
        }
        let mut turn = Turn {
            text: texts.join("+"),
            to: last.to,
            becomes: if same { last.becomes } else { first.becomes },
            captures: captures_of(&steps),
            promotes: any(|step| step.promotes),
            castling: steps.iter().find_map(|step| step.castling),
            drops: any(|step| step.drops),
            en_passant: any(|step| step.en_passant),
            before: pos.clone(),
            after: pos.with(base),
            game: self.open(),
            ..Turn::clone(first)
        };
        turn.steps = steps;
        // The states after the turn are decided when they are read: by the turn with the states before it.
        if !self.rules.states.is_empty() {
            let with_old = Rc::new(turn.clone());
            turn.after.states = States::after(&self.lenient(), with_old);
        }
        Ok(Rc::new(turn))
    }

    /// Returns the position without passed squares on which no pawn can capture.
    pub fn with_en_passant(&self, pos: &Pos) -> Outcome<Pos> {
        if pos.base.passed.is_empty() {
            return Ok(pos.clone());
        }
        let mut kept = Vec::new();
        for unit in units_of(&pos.base, pos.base.side) {
            if self.is_active(pos, unit)? {
                let captures = self.en_passant(pos, unit, Number::FIRST)?;
                kept.extend(captures.into_iter().map(|(to, _)| to));
            }
        }
        let mut base = Position::clone(&pos.base);
        base.passed.retain(|square| kept.contains(square));
        Ok(pos.with(base))
    }

    /// `state.NAME`: returns the values of a state after a turn.
    pub fn next_state(&self, turn: &Rc<Turn>, state: usize) -> Outcome<Vec<Item>> {
        let declared = &self.rules.states[state];
        let Some(clause) = self.clause(&format!("state.{}", declared.name)) else {
            return turn.before.states.get(state);
        };
        let sides: &[usize] = if declared.each {
            &[0, 1]
        } else {
            &[turn.mover]
        };
        let mut values = Vec::new();
        for &side in sides {
            let mut names = vec![
                ("owner", Value::Side(Some(side))),
                ("foe", Value::Side(Some(1 - side))),
            ];
            names.extend(self.turn_names(turn));
            let value = self.ask(&clause, &turn.before, Some(turn), names)?;
            let held = declared.sort.hold(&self.rules.law, &value);
            let held = held.map_err(|why| format!("state.{}: {why}", declared.name))?;
            // The text is wrong if the value is the same in every position.
            if let (Item::Int(held), Value::Int(value)) = (&held, &value)
                && held != value
                && self.rules.is_constant(clause.0, &clause.1)
            {
                return Err(format!("state.{}: {value} is out of range", declared.name));
            }
            values.push(held);
        }
        Ok(values)
    }

    /// Returns whether a turn leaves its mover safe, and castles only where no attack is.
    fn is_safe(&self, turn: &Rc<Turn>) -> Outcome<bool> {
        for step in &turn.steps {
            if step.castling.is_some() && !self.castles_safely(step)? {
                return Ok(false);
            }
        }
        if self.rules.law.check_counting || self.rules.law.checking {
            // A check is allowed.
        } else if self.in_check(&turn.after, 1 - turn.mover)? {
            return Ok(false);
        }
        if self.is_set("ownCheck") {
            return Ok(true);
        }
        if self.word("stepSafety") == Some("each") {
            for step in &turn.steps {
                if self.in_check(&step.after, turn.mover)? {
                    return Ok(false);
                }
            }
        }
        Ok(!self.in_check(&turn.after, turn.mover)?)
    }

    /// Returns whether a royal king castles out of no check and over no attacked square.
    fn castles_safely(&self, step: &Rc<Turn>) -> Outcome<bool> {
        let pos = &step.before;
        let side = step.mover;
        let Some(from) = step.from else {
            return Ok(true);
        };
        if !self.is_royal(pos, (from, step.unit))? {
            return Ok(true);
        }
        if self.in_check(pos, side)? {
            return Ok(false);
        }
        // The last square is tested with the turn.
        for square in from.min(step.to)..=from.max(step.to) {
            if square == from || square == step.to {
                continue;
            }
            let king = (square, step.unit);
            let mut base = Position::clone(&pos.base);
            base.cells[square] = Cell::Unit(step.unit);
            let there = pos.with(base);
            for unit in units_of(&pos.base, 1 - side) {
                let reached = self.reached(pos, unit, Way::Capture, Number::FIRST)?;
                if reached.contains(&square)
                    && self.is_active(pos, unit)?
                    && self.may_capture(&there, unit, Some(king))?
                {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Returns the turns of a position: none if the game is over there, except in clauses of these rules.
    pub fn turns(&self, pos: &Pos) -> Outcome<Vec<Rc<Turn>>> {
        let turns = self.permitted(pos)?;
        match self.closes && self.outcome_if(pos, turns.is_empty())?.is_some() {
            true => Ok(Vec::new()),
            false => Ok(turns),
        }
    }

    /// Returns the legal turns, whether or not the game is over.
    pub fn permitted(&self, pos: &Pos) -> Outcome<Vec<Rc<Turn>>> {
        let mut turns = Vec::new();
        let is_pass = |turn: &Rc<Turn>| turn.passes();
        let mut all = self.pseudo(pos)?;
        all.retain(|turn| !is_pass(turn));
        all.extend(self.pass(pos)?);
        for turn in all {
            if self.is_safe(&turn)? && (self.lenient || self.is_legal(&turn)?) {
                turns.push(turn);
            }
        }
        let captures = |turn: &Rc<Turn>| !turn.captures.is_empty();
        if self.rules.law.must_capture && turns.iter().any(captures) {
            turns.retain(captures);
        }
        if self.passes_if_stuck(pos) && !turns.iter().all(is_pass) {
            turns.retain(|turn| !is_pass(turn));
        }
        match self.lenient {
            true => Ok(turns),
            false => self.preferred(turns),
        }
    }

    /// `legalIf`.
    fn is_legal(&self, turn: &Rc<Turn>) -> Outcome<bool> {
        let game = self.lenient();
        for clause in self.clauses("legalIf") {
            let names = game.turn_names(turn);
            if !game.ask(&clause, &turn.before, Some(turn), names)?.bool()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `prefer`: returns the turns with the greatest value, by one clause after the other.
    fn preferred(&self, mut turns: Vec<Rc<Turn>>) -> Outcome<Vec<Rc<Turn>>> {
        let game = self.lenient();
        for clause in self.clauses("prefer") {
            let mut valued = Vec::new();
            for turn in turns {
                let names = game.turn_names(&turn);
                let value = match game.ask(&clause, &turn.before, Some(&turn), names)? {
                    Value::Bool(bool) => i64::from(bool),
                    other => other.int()?,
                };
                valued.push((value, turn));
            }
            let most = valued.iter().map(|(value, _)| *value).max();
            valued.retain(|(value, _)| Some(*value) == most);
            turns = valued.into_iter().map(|(_, turn)| turn).collect();
        }
        Ok(turns)
    }

    /// Returns the first steps that the rules allow, of turns that need a second one.
    pub fn first_steps(&self, pos: &Pos) -> Outcome<Vec<Rc<Turn>>> {
        let mut steps = Vec::new();
        let each = self.word("stepSafety") == Some("each") && !self.is_set("ownCheck");
        for step in self.steps(pos, Number::FIRST)? {
            let castles = step.castling.is_none() || self.castles_safely(&step)?;
            let safe = !each || !self.in_check(&step.after, pos.base.side)?;
            if castles && safe && self.second(&step)? == Second::Must {
                steps.push(step);
            }
        }
        Ok(steps)
    }
}

/// Returns the units that some steps capture, as and where they stood before the turn.
fn captures_of(steps: &[Rc<Turn>]) -> Vec<(usize, Unit)> {
    let mut captures = steps[0].captures.clone();
    for step in &steps[1..] {
        let stood = |unit: &(usize, Unit)| steps[0].stood(unit.0);
        let more = step.captures.iter().filter_map(stood);
        let more: Vec<(usize, Unit)> = more.filter(|unit| !captures.contains(unit)).collect();
        captures.extend(more);
    }
    captures.sort_by_key(|unit| unit.0);
    captures
}
