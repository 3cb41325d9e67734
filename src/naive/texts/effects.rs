//! Stage 4: the effects of a step, in the order of the page: the captured units leave; the moved unit goes to
//! `landsOn`; promotion, `turnsInto`, `joins`; `endsOn`; `removes` and `converts`; `rebirth`; `toHand`; rights.

use super::game::{Game, Names};
use super::movement::{Number, Placed};
use super::names::man;
use super::position::Pos;
use super::turn::Turn;
use super::value::{Kind, Outcome, Value};
use crate::defined::definition::among;
use crate::defined::state::{Cell, Position, Unit};
use std::rc::Rc;

/// A step that is being carried out.
#[derive(Clone)]
struct Work {
    turn: Turn,
    /// The board at this point.
    base: Position,
    /// The kind whose letter is written after the squares.
    letter: Option<usize>,
    /// The chosen squares of rebirth, as written.
    chosen: String,
    /// The number of ways to choose them, by the vacant squares at each choice.
    ways: usize,
    /// The square of the moved unit, once it has moved.
    landed: Option<usize>,
}

impl Work {
    /// Returns the step as clauses see it, with the board at this point.
    fn seen(&self) -> Rc<Turn> {
        let mut turn = self.turn.clone();
        let mut base = self.base.clone();
        base.side = 1 - turn.mover;
        turn.after = turn.after.with(base);
        Rc::new(turn)
    }

    /// Returns whether the moved unit is on the square where it was before.
    fn stays(&self) -> bool {
        self.turn.from.is_some() && self.turn.from == self.landed
    }

    /// Removes the unit on a square, with its castling rights.
    fn clear(&mut self, square: usize) {
        self.base.cells[square] = Cell::Vacant;
        lose_rights(&mut self.base, square);
    }
}

/// Removes the castling rights of the king or rook on a square.
fn lose_rights(base: &mut Position, square: usize) {
    for side in 0..2 {
        for wing in 0..2 {
            let rook = base.rooks[side][wing];
            if rook == Some(square) || rook.is_some() && base.castler[side] == Some(square) {
                base.rooks[side][wing] = None;
            }
        }
    }
}

impl Game {
    /// Returns the names of clauses about turns and steps.
    pub fn turn_names(&self, turn: &Turn) -> Names {
        let moved = turn.first().moved();
        let owner = moved.map_or(turn.mover, |(_, unit)| unit.side);
        vec![
            ("mover", Value::Side(Some(turn.mover))),
            ("unit", man(self, &turn.before, moved)),
            ("owner", Value::Side(Some(owner))),
            ("foe", Value::Side(Some(1 - owner))),
        ]
    }

    /// Returns the steps that a draft becomes by its effects: one for each choice of the mover, none if the
    /// step is impossible.
    pub fn carried_out(&self, draft: Turn, number: Number) -> Outcome<Vec<Rc<Turn>>> {
        let mut work = Work {
            base: Position::clone(&draft.before.base),
            turn: draft,
            letter: None,
            chosen: String::new(),
            ways: 1,
            landed: None,
        };
        let moves = work.turn.castling.is_none() && !work.turn.drops && !work.turn.takes_off;
        if moves {
            self.takes(&mut work, number)?;
        }
        for &unit in &work.turn.captures {
            if self.is_royal(&work.turn.before, unit)? {
                return Ok(Vec::new());
            }
        }
        for (square, _) in work.turn.captures.clone() {
            work.clear(square);
        }
        let landing = match moves {
            true => self.lands(&mut work, number)?,
            false => Some(enter(&mut work)),
        };
        work.landed = landing;
        let Some(landing) = landing else {
            return Ok(Vec::new());
        };
        let works = match work.turn.takes_off {
            true => vec![work],
            false => self.changes(work, landing, number)?,
        };
        let mut steps = Vec::new();
        for mut work in works {
            if !self.removes_and_converts(&mut work, number)? {
                continue;
            }
            for mut work in self.rebirths(work, number)? {
                self.forgets_lost_castlers(&mut work);
                steps.push(self.finished(work));
            }
        }
        Ok(steps)
    }

    /// Returns the names of a clause about a step that is being carried out.
    fn effect_names(&self, work: &Work, number: Number) -> Names {
        let mut names = self.turn_names(&work.turn);
        names.extend(number.names(self, &work.turn.before));
        names
    }

    /// `takes`: replaces the captured units.
    fn takes(&self, work: &mut Work, number: Number) -> Outcome<()> {
        let game = self.open();
        let Some(clause) = self.clause("takes") else {
            return Ok(());
        };
        let seen = work.seen();
        let before = &work.turn.before;
        let names = game.effect_names(work, number);
        let value = game.ask(&clause, before, Some(&seen), names)?;
        let mut captures: Vec<Placed> = Vec::new();
        for value in value.items()? {
            if let Some(unit) = value.man()?.unit
                && before.base.cells[unit.0] == Cell::Unit(unit.1)
                && Some(unit.0) != work.turn.from
                && !captures.contains(&unit)
            {
                captures.push(unit);
            }
        }
        captures.sort_by_key(|unit| unit.0);
        work.turn.captures = captures;
        Ok(())
    }

    /// `landsOn`: moves the unit, and returns where it is then, or `None` if it cannot be there.
    fn lands(&self, work: &mut Work, number: Number) -> Outcome<Option<usize>> {
        let game = self.open();
        let (from, to) = (work.turn.from.unwrap_or(work.turn.to), work.turn.to);
        let mut landing = Some(to);
        work.clear(from);
        if work.turn.swaps {
            let other = work.base.cells[to];
            work.clear(to);
            work.base.cells[from] = other;
        }
        if let Some(clause) = self.clause("landsOn") {
            let seen = work.seen();
            let names = game.effect_names(work, number);
            let value = game.ask(&clause, &work.turn.before, Some(&seen), names)?;
            landing = value.square(&self.rules.law)?;
        }
        let landing = landing.filter(|&square| work.base.vacant(square));
        if landing != Some(to) {
            work.turn.passed.clear();
        }
        if let Some(square) = landing {
            work.base.cells[square] = Cell::Unit(work.turn.unit);
        }
        Ok(landing)
    }

    /// Promotion, `turnsInto` and `joins`.
    fn changes(&self, work: Work, landing: usize, number: Number) -> Outcome<Vec<Work>> {
        let mut works = Vec::new();
        for promoted in self.promotions(&work, landing) {
            let mut work = work.clone();
            if let Some(kind) = promoted {
                work.letter = Some(kind);
                work.turn.promotes = true;
                work.turn.becomes = kind;
                let unit = self.rules.law.remember(Unit {
                    kind,
                    promoted: true,
                    was: None,
                    ..work.turn.unit
                });
                work.base.cells[landing] = Cell::Unit(unit);
            }
            for mut work in self.turns_into(work, landing, number)? {
                if self.joins(&mut work, landing, number)?
                    && self.goes_on(&mut work, landing, number)?
                {
                    works.push(work);
                }
            }
        }
        Ok(works)
    }

    /// Returns the kinds that the unit may promote to on this square; `None` stands for no promotion.
    fn promotions(&self, work: &Work, landing: usize) -> Vec<Option<usize>> {
        let law = &self.rules.law;
        let unit = work.turn.unit;
        let captures = !work.turn.captures.is_empty() || !law.promotion_on_capture;
        let moves = work.turn.castling.is_none() && !work.turn.drops;
        if !moves
            || !among(&law.pawns[unit.side], unit.kind)
            || !law.inside(&law.promotion_region[unit.side], landing)
            || !captures
        {
            return vec![None];
        }
        let mut before = Position::clone(&work.turn.before.base);
        before.side = unit.side;
        let mut kinds: Vec<Option<usize>> =
            law.promotion_kinds(&before).into_iter().map(Some).collect();
        if !law.must_promote_pawn {
            kinds.push(None);
        }
        kinds
    }

    fn turns_into(&self, work: Work, landing: usize, number: Number) -> Outcome<Vec<Work>> {
        let game = self.open();
        let mut works = vec![work];
        for clause in self.clauses("turnsInto") {
            let mut next = Vec::new();
            for work in works {
                let seen = work.seen();
                let mut names = game.effect_names(&work, number);
                names.push(("becomes", Value::Kind(Kind::Known(work.turn.becomes))));
                let value = game.ask(&clause, &work.turn.before, Some(&seen), names)?;
                let (kinds, chosen) = value.alternatives();
                for kind in kinds {
                    let Kind::Known(kind) = kind.kind(&self.rules.law)? else {
                        continue;
                    };
                    let mut work = work.clone();
                    work.turn.becomes = kind;
                    if chosen {
                        work.letter = Some(kind).filter(|&kind| kind != work.turn.unit.kind);
                        work.turn.promotes = work.letter.is_some();
                    }
                    if let Some(unit) = work.base.unit(landing)
                        && unit.kind != kind
                    {
                        let unit = self.rules.law.changed(unit, kind);
                        work.base.cells[landing] = Cell::Unit(unit);
                    }
                    next.push(work);
                }
            }
            works = next;
        }
        Ok(works)
    }

    /// `joins`: returns whether the unit may change its side so.
    fn joins(&self, work: &mut Work, landing: usize, number: Number) -> Outcome<bool> {
        let game = self.open();
        let old = work.turn.unit.side;
        let mut side = old;
        for clause in self.clauses("joins") {
            let seen = work.seen();
            let mut names = vec![
                ("owner", Value::Side(Some(side))),
                ("foe", Value::Side(Some(1 - side))),
                ("becomes", Value::Kind(Kind::Known(work.turn.becomes))),
            ];
            names.extend(game.effect_names(work, number));
            let value = game.ask(&clause, &work.turn.before, Some(&seen), names)?;
            side = value.side()?.unwrap_or(side);
            if let Some(unit) = work.base.unit(landing) {
                work.base.cells[landing] = Cell::Unit(Unit { side, ..unit });
            }
        }
        if side == old {
            return Ok(true);
        }
        let unit = (work.turn.from.unwrap_or(landing), work.turn.unit);
        Ok(!self.is_royal(&work.turn.before, unit)?)
    }

    /// `endsOn`: moves the unit on, unless the square is missing, and returns whether it can be there.
    fn goes_on(&self, work: &mut Work, landing: usize, number: Number) -> Outcome<bool> {
        let game = self.open();
        let moves = work.turn.castling.is_none() && !work.turn.drops && !work.turn.takes_off;
        let Some(clause) = self.clause("endsOn").filter(|_| moves) else {
            return Ok(true);
        };
        let seen = work.seen();
        let unit = work.base.cells[landing];
        let mut names = Vec::new();
        if let Cell::Unit(unit) = unit {
            names.push(("owner", Value::Side(Some(unit.side))));
            names.push(("foe", Value::Side(Some(1 - unit.side))));
        }
        names.push(("becomes", Value::Kind(Kind::Known(work.turn.becomes))));
        names.extend(game.effect_names(work, number));
        let value = game.ask(&clause, &work.turn.before, Some(&seen), names)?;
        let Some(end) = value.square(&self.rules.law)? else {
            return Ok(true);
        };
        work.base.cells[landing] = Cell::Vacant;
        if !work.base.vacant(end) {
            return Ok(false);
        }
        if end != landing {
            work.turn.passed.clear();
        }
        work.base.cells[end] = unit;
        work.landed = Some(end);
        Ok(true)
    }

    /// `removes` and `converts`, carried out together. Returns whether no royal unit is among the units.
    fn removes_and_converts(&self, work: &mut Work, number: Number) -> Outcome<bool> {
        let removed = self.listed("removes", work, number)?;
        let converted = self.listed("converts", work, number)?;
        if removed.is_empty() && converted.is_empty() {
            return Ok(true);
        }
        let after = work.turn.after.with(work.base.clone());
        for &unit in removed.iter().chain(&converted) {
            if self.is_royal(&after, unit)? {
                return Ok(false);
            }
        }
        for &(square, unit) in &converted {
            lose_rights(&mut work.base, square);
            let side = 1 - unit.side;
            work.base.cells[square] = Cell::Unit(Unit { side, ..unit });
        }
        for &(square, _) in &removed {
            work.clear(square);
        }
        Ok(true)
    }

    /// Returns the units that the clauses with this key list and that are on the board at this point.
    fn listed(&self, key: &str, work: &Work, number: Number) -> Outcome<Vec<Placed>> {
        let game = self.open();
        let mut units: Vec<Placed> = Vec::new();
        for clause in self.clauses(key) {
            let seen = work.seen();
            let names = game.effect_names(work, number);
            let value = game.ask(&clause, &work.turn.before, Some(&seen), names)?;
            for value in value.items()? {
                let man = value.man()?;
                // A unit of the position before that was captured or has moved does not stand there, even if another
                // is like it.
                let turn = &work.turn;
                let has_left = |unit: &Placed| {
                    let moved = turn.from == Some(unit.0) && !work.stays();
                    Rc::ptr_eq(&man.place.pos.base, &turn.before.base)
                        && (turn.captures.contains(unit)
                            || moved
                            || turn.swaps && turn.to == unit.0)
                };
                if let Some(unit) = man.unit
                    && work.base.cells[unit.0] == Cell::Unit(unit.1)
                    && !has_left(&unit)
                    && !units.contains(&unit)
                {
                    units.push(unit);
                }
            }
        }
        Ok(units)
    }

    /// `rebirth`, in the order of the captured units' squares, then `toHand`.
    fn rebirths(&self, work: Work, number: Number) -> Outcome<Vec<Work>> {
        let mut captures = work.turn.captures.clone();
        captures.sort_by_key(|unit| unit.0);
        let mut works = vec![(work, Vec::new())];
        for captured in captures {
            let mut next = Vec::new();
            for (work, gone) in works {
                self.rebirth(work, gone, captured, number, &mut next)?;
            }
            works = next;
        }
        let mut all = Vec::new();
        for (mut work, gone) in works {
            for captured in gone {
                self.to_hand(&mut work, captured, number)?;
            }
            all.push(work);
        }
        Ok(all)
    }

    /// Returns the names of a clause about a captured unit.
    fn captured_names(&self, work: &Work, captured: Placed, number: Number) -> Names {
        let mut names = self.unit_names(&work.turn.before, captured);
        names.push(("mover", Value::Side(Some(work.turn.mover))));
        names.extend(number.names(self, &work.turn.before));
        names
    }

    /// Adds the ways in which one captured unit is put on the board again, or that it is gone.
    fn rebirth(
        &self,
        work: Work,
        gone: Vec<Placed>,
        captured: Placed,
        number: Number,
        next: &mut Vec<(Work, Vec<Placed>)>,
    ) -> Outcome<()> {
        let game = self.open();
        let law = &self.rules.law;
        let conditions = self.clauses("rebirthIf");
        let group = |layer: usize| self.rules.layers[layer].group;
        for clause in self.clauses("rebirth") {
            let seen = work.seen();
            let names = || game.captured_names(&work, captured, number);
            let condition = conditions
                .iter()
                .find(|other| group(other.0) == group(clause.0));
            if let Some(condition) = condition
                && !game
                    .ask(condition, &work.turn.before, Some(&seen), names())?
                    .bool()?
            {
                continue;
            }
            let value = game.ask(&clause, &work.turn.before, Some(&seen), names())?;
            let (values, chosen) = value.alternatives();
            let mut squares = Vec::new();
            for value in values {
                let square = value.square(law)?;
                squares.extend(square.filter(|square| !squares.contains(square)));
            }
            if !chosen && squares.is_empty() {
                continue;
            }
            let vacant = |square: &&usize| work.base.vacant(**square);
            let ways = match chosen {
                true => work.ways * squares.iter().filter(vacant).count(),
                false => work.ways,
            };
            // A step that leaves a fifth square to choose, or too many ways, is illegal.
            if ways > 4096 || chosen && work.chosen.matches('@').count() == 4 {
                return Ok(());
            }
            let reborn = self.reborn(&work, captured, number, group(clause.0))?;
            for &square in squares.iter().filter(vacant) {
                let mut work = work.clone();
                work.ways = ways;
                work.base.cells[square] = Cell::Unit(reborn);
                self.grant_rights(&mut work, square, reborn);
                if chosen {
                    let letter = law.kinds[reborn.kind].letter.unwrap_or('?');
                    work.chosen += &format!("+{letter}@{}", law.name(square));
                }
                next.push((work, gone.clone()));
            }
            if !chosen && squares.iter().filter(vacant).count() == 0 {
                let gone = [gone, vec![captured]].concat();
                next.push((work, gone));
            }
            return Ok(());
        }
        let gone = [gone, vec![captured]].concat();
        next.push((work, gone));
        Ok(())
    }

    /// `rebirthSide` and `rebirthKind`, of the sections that say where: returns the unit as it is put on the board.
    fn reborn(&self, work: &Work, captured: Placed, number: Number, group: usize) -> Outcome<Unit> {
        let game = self.open();
        let seen = work.seen();
        let ask = |key: &str| {
            let mut clauses = self.clauses(key).into_iter();
            match clauses.find(|clause| self.rules.layers[clause.0].group == group) {
                None => Ok(None),
                Some(clause) => {
                    let names = game.captured_names(work, captured, number);
                    let value = game.ask(&clause, &work.turn.before, Some(&seen), names);
                    value.map(Some)
                }
            }
        };
        let mut unit = captured.1;
        if let Some(side) = ask("rebirthSide")? {
            unit.side = side.side()?.unwrap_or(unit.side);
        }
        if let Some(kind) = ask("rebirthKind")?
            && let Kind::Known(kind) = kind.kind(&self.rules.law)?
        {
            unit.kind = kind;
        }
        Ok(unit)
    }

    /// `rebirthRights`: a king or rook on its home square may castle again if the other is at home.
    fn grant_rights(&self, work: &mut Work, square: usize, unit: Unit) {
        let law = &self.rules.law;
        let side = unit.side;
        let rank = law.castling_rank_of(side);
        if !self.is_set("rebirthRights") || !law.castling {
            return;
        }
        let king = law.square(law.castling_king_file, rank);
        let is_king = |square: usize| {
            law.castling_king[side].is_some_and(|king| work.base.holds(square, side, king))
        };
        if king.is_none_or(|king| !is_king(king)) {
            return;
        }
        for (wing, file) in [(0, 0), (1, law.files - 1)] {
            let corner = law.square(file, rank);
            let rook = corner.filter(|&corner| {
                work.base.is_of(corner, side)
                    && work
                        .base
                        .unit(corner)
                        .is_some_and(|unit| law.castles_as_rook(unit))
            });
            if rook.is_some() && (rook == Some(square) || king == Some(square)) {
                work.base.castler[side] = king;
                work.base.rooks[side][wing] = rook;
            }
        }
    }

    /// `toHand` and `handKind`. Without the clause, the definition's captures go to the hand of the captor.
    fn to_hand(&self, work: &mut Work, captured: Placed, number: Number) -> Outcome<()> {
        let law = &self.rules.law;
        let game = self.open();
        let unit = captured.1;
        let seen = work.seen();
        let names = || game.captured_names(work, captured, number);
        let mut kind = match law.main_pawn[unit.side] {
            Some(pawn) if unit.promoted && law.reverts() => pawn,
            _ => unit.kind,
        };
        let side = match self.clause("toHand") {
            None => law.captures_to_hand.then_some(1 - unit.side),
            Some(clause) => game
                .ask(&clause, &work.turn.before, Some(&seen), names())?
                .side()?,
        };
        if let Some(clause) = self.clause("handKind") {
            let value = game.ask(&clause, &work.turn.before, Some(&seen), names())?;
            if let Kind::Known(known) = value.kind(law)? {
                kind = known;
            }
        }
        if let Some(side) = side {
            work.base.hand[side][kind] += 1;
        }
        Ok(())
    }

    /// Clears rights whose king or rook is not what and where it was.
    fn forgets_lost_castlers(&self, work: &mut Work) {
        let granted = self.is_set("rebirthRights");
        let before = &work.turn.before.base;
        for side in 0..2 {
            for wing in 0..2 {
                let same = |square: Option<usize>| match square {
                    None => false,
                    Some(square) => {
                        let unit = work.base.unit(square);
                        unit.is_some_and(|unit| unit.side == side)
                            && (granted || unit == before.unit(square))
                    }
                };
                if !same(work.base.rooks[side][wing]) || !same(work.base.castler[side]) {
                    work.base.rooks[side][wing] = None;
                }
            }
        }
    }

    /// Returns the step with its text, its captures and the position after it.
    fn finished(&self, work: Work) -> Rc<Turn> {
        let law = &self.rules.law;
        let mut turn = work.turn.clone();
        turn.landed = work.landed;
        let mut base = work.base;
        let letter = |kind: usize| law.kinds[kind].letter.unwrap_or('?');
        let to = law.name(turn.to);
        let squares = match turn.from {
            Some(from) => format!("{}{to}", law.name(from)),
            None if turn.takes_off => format!("x@{to}"),
            None => format!("{}@{to}", letter(turn.unit.kind)),
        };
        let promotion = work.letter.map(|kind| letter(kind).to_ascii_lowercase());
        turn.text = squares + &promotion.map(String::from).unwrap_or_default() + &work.chosen;
        base.side = 1 - turn.mover;
        base.passed = turn.passed.clone();
        base.castled = None;
        turn.after = Pos {
            base: Rc::new(base),
            states: Rc::clone(&turn.before.states),
        };
        Rc::new(turn)
    }
}

/// Puts the units of castling or of a drop where they go, and returns the square of the moved unit. Of a unit
/// that is taken off, nothing is left to do.
fn enter(work: &mut Work) -> usize {
    let turn = work.turn.clone();
    if turn.drops {
        if work.base.hand[turn.mover][turn.unit.kind] > 0 {
            work.base.hand[turn.mover][turn.unit.kind] -= 1;
        }
        work.base.cells[turn.to] = Cell::Unit(turn.unit);
    } else if let (Some((rook, rook_to)), Some(from)) = (turn.castling, turn.from) {
        let other = work.base.cells[rook];
        work.clear(from);
        work.clear(rook);
        work.base.cells[turn.to] = Cell::Unit(turn.unit);
        work.base.cells[rook_to] = other;
    }
    turn.to
}
