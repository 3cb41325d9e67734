//! Stage 1: `movement`, `targets`, `quiet` and `attacks`, then `activeIf`, then `captureIf`.

use super::eval::{Context, eval, movement};
use super::game::{Game, Names};
use super::names::man;
use super::position::{Pos, States};
use super::rules::Code;
use super::state::default;
use super::turn::Turn;
use super::value::{Kind, Outcome, Value, kind};
use crate::defined::betza::Atom;
use crate::defined::definition::PAWN;
use crate::defined::state::{Cell, Position, Unit};
use std::rc::Rc;

/// A unit with its square.
pub type Placed = (usize, Unit);

/// How a unit steps, besides how it captures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Quiet,
    Capture,
}

/// The number of a step in its turn, and the step before it.
#[derive(Clone, Copy)]
pub struct Number<'t> {
    pub n: i64,
    pub previous: Option<&'t Rc<Turn>>,
}

impl Number<'_> {
    /// The first step, or one of which it is only asked whether it attacks.
    pub const FIRST: Number<'static> = Number {
        n: 1,
        previous: None,
    };

    /// Returns the names `n` and `previous`.
    pub fn names(&self, game: &Game, pos: &Pos) -> Names {
        let previous = match self.previous {
            Some(step) => Value::Turn(Rc::clone(step)),
            None => man(game, pos, None),
        };
        vec![("n", Value::Int(self.n)), ("previous", previous)]
    }
}

/// The rule for the movement of a unit.
enum Rule {
    /// The movement of its kind.
    Kind,
    Atoms(Vec<Atom>),
    Squares(Vec<usize>),
}

impl Game {
    /// Returns the names of a clause about a unit.
    pub fn unit_names(&self, pos: &Pos, unit: Placed) -> Names {
        vec![
            ("unit", man(self, pos, Some(unit))),
            ("owner", Value::Side(Some(unit.1.side))),
            ("foe", Value::Side(Some(1 - unit.1.side))),
        ]
    }

    /// Returns the clause that says how a unit of this kind moves, and whether it is a list of squares. Lists for one way
    /// come first, then lists for both, then the movement of the kind, then that of all kinds, wherever they are written.
    fn movement_clause(&self, of: usize, way: Way) -> Option<((usize, Code), bool)> {
        let law = &self.rules.law;
        let part = match way {
            Way::Quiet => "quiet.",
            Way::Capture => "attacks.",
        };
        let of_kind = |prefix: &str| {
            let mut layers = self.layers().filter_map(|(at, layer)| {
                let keys = layer.clauses.iter();
                let mut named = keys.filter(|(key, _)| {
                    let name = key.strip_prefix(prefix);
                    name.is_some_and(|name| kind(law, name) == Kind::Known(of))
                });
                named.next_back().map(|(_, code)| (at, code.clone()))
            });
            layers.next_back()
        };
        let of_all = || {
            let layers = self.layers();
            let mut clauses = layers.filter_map(|(at, layer)| {
                let code = layer.clauses.get("movement.*");
                code.map(|code| (at, code.clone()))
            });
            clauses.next_back()
        };
        let list = of_kind(part).or_else(|| of_kind("targets."));
        let movement = || of_kind("movement.").or_else(of_all);
        list.map(|clause| (clause, true))
            .or_else(|| movement().map(|clause| (clause, false)))
    }

    fn rule(&self, pos: &Pos, unit: Placed, way: Way, number: Number) -> Outcome<Rule> {
        let Some((clause, squares)) = self.movement_clause(unit.1.kind, way) else {
            return Ok(Rule::Kind);
        };
        // Attacks are those of the parent.
        let parent = self.parent(clause.0).open();
        let mut names = parent.unit_names(pos, unit);
        names.extend(number.names(self, pos));
        let context = Context {
            game: parent,
            scope: self.active,
            layer: clause.0,
            pos: pos.clone(),
            turn: None,
            names,
            movement: !squares,
        };
        let value = eval(&context, &mut Vec::new(), &clause.1.expr)?;
        if squares {
            let mut to = Vec::new();
            for square in value.items()? {
                let there = square.square(&self.rules.law)?;
                to.extend(there.filter(|&square| pos.base.cells[square] != Cell::Hole));
            }
            return Ok(Rule::Squares(to));
        }
        Ok(Rule::Atoms(movement(&value)?))
    }

    /// Returns the squares that a unit reaches by its movement, whether or not they are occupied.
    pub fn reached(
        &self,
        pos: &Pos,
        unit: Placed,
        way: Way,
        number: Number,
    ) -> Outcome<Vec<usize>> {
        let law = &self.rules.law;
        let (from, Unit { side, kind, .. }) = unit;
        let mut squares = match self.rule(pos, unit, way, number)? {
            Rule::Kind => match way {
                Way::Quiet => law.quiets(&pos.base, side, kind, from),
                Way::Capture => law.attacks(&pos.base, side, kind, from),
            },
            Rule::Squares(squares) => squares,
            Rule::Atoms(atoms) => {
                let initial = law.inside(&law.double_region[side], from);
                let counts = |atom: &&Atom| match way {
                    Way::Quiet => atom.quiet && (initial || !atom.initial),
                    Way::Capture => atom.capture && !atom.initial,
                };
                let atoms = atoms.iter().filter(counts);
                let walks = atoms.flat_map(|atom| law.walk(&pos.base, side, kind, from, atom));
                walks.filter(|&to| law.may_stand(side, kind, to)).collect()
            }
        };
        squares.retain(|&to| to != from);
        squares.sort_unstable();
        squares.dedup();
        Ok(squares)
    }

    /// Returns whether a unit is a pawn with a pawn's movement, be it with further steps.
    pub fn is_pawn(&self, pos: &Pos, unit: Placed, number: Number) -> Outcome<bool> {
        if unit.1.kind != PAWN {
            return Ok(false);
        }
        let attacks = self.rule(pos, unit, Way::Capture, number)?;
        let pawn = &self.rules.law.kinds[PAWN].atoms;
        Ok(match (self.rule(pos, unit, Way::Quiet, number)?, attacks) {
            (Rule::Squares(_), _) | (_, Rule::Squares(_)) => false,
            (Rule::Kind, _) => true,
            (Rule::Atoms(atoms), _) => pawn.iter().all(|atom| atoms.contains(atom)),
        })
    }

    /// `activeIf`: returns whether a unit moves and attacks at all.
    pub fn is_active(&self, pos: &Pos, unit: Placed) -> Outcome<bool> {
        if self.moves_only {
            return Ok(true);
        }
        let game = self.movement_alone();
        for clause in self.clauses("activeIf") {
            let names = game.unit_names(pos, unit);
            if !game.ask(&clause, pos, None, names)?.bool()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `captureIf`: returns whether a unit may capture another, or the missing unit on an empty square.
    pub fn may_capture(&self, pos: &Pos, unit: Placed, target: Option<Placed>) -> Outcome<bool> {
        if self.moves_only {
            return Ok(true);
        }
        let game = self.movement_alone();
        for clause in self.clauses("captureIf") {
            let mut names = game.unit_names(pos, unit);
            names.push(("target", man(&game, pos, target)));
            if !game.ask(&clause, pos, None, names)?.bool()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the squares of a side's units that attack a square.
    pub fn attackers(&self, pos: &Pos, square: usize, side: usize) -> Outcome<Vec<usize>> {
        let mut found = Vec::new();
        for unit in units_of(&pos.base, side) {
            if self.attacks(pos, unit, square)? {
                found.push(unit.0);
            }
        }
        Ok(found)
    }

    fn attacks(&self, pos: &Pos, unit: Placed, square: usize) -> Outcome<bool> {
        let target = pos.base.unit(square).map(|unit| (square, unit));
        let reached = self.reached(pos, unit, Way::Capture, Number::FIRST)?;
        Ok(reached.contains(&square)
            && self.is_active(pos, unit)?
            && self.may_capture(pos, unit, target)?)
    }

    pub fn attacked(&self, pos: &Pos, square: usize, side: usize) -> Outcome<bool> {
        for unit in units_of(&pos.base, side) {
            if self.attacks(pos, unit, square)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the squares to which a unit could step on an otherwise empty board, with its owner to move, empty hands, no
    /// castling rights, and the counters and states as they are at first.
    pub fn reach_on_empty(&self, pos: &Pos, square: usize, unit: Unit) -> Outcome<Vec<usize>> {
        let mut base = Position::clone(&pos.base);
        for cell in &mut base.cells {
            if *cell != Cell::Hole {
                *cell = Cell::Vacant;
            }
        }
        base.cells[square] = Cell::Unit(unit);
        base.side = unit.side;
        base.hand = base.hand.map(|hand| vec![0; hand.len()]);
        base.castler = [None; 2];
        base.rooks = [[None; 2]; 2];
        base.passed = Vec::new();
        (base.clock, base.number) = (0, 1);
        let states = self.rules.states.iter().map(default);
        let pos = Pos {
            base: base.into(),
            states: States::known(states.collect()),
        };
        if !self.is_active(&pos, (square, unit))? {
            return Ok(Vec::new());
        }
        let mut squares = self.reached(&pos, (square, unit), Way::Quiet, Number::FIRST)?;
        squares.extend(self.double_steps(&pos, (square, unit), Number::FIRST)?);
        Ok(squares)
    }
}

/// Returns the units of a side in the order of squares.
pub fn units_of(base: &Position, side: usize) -> Vec<Placed> {
    let all = (0..base.cells.len()).filter_map(|square| Some((square, base.unit(square)?)));
    all.filter(|(_, unit)| unit.side == side).collect()
}
