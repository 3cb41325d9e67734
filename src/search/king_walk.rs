//! King walks: tests that show, without playing a turn of the mating side, that the defender's king escapes
//! mate.
//!
//! Preconditions: those of [`MateBound`], and units other than pawns never change their kind. The king steps
//! to a square that is not attacked and has more open neighbors than the following turns can guard. If the
//! mating side has two turns left, the king takes a second step of this kind after the first of them.
//!
//! A turn changes what one unit guards and which lines are open. The squares that all other units guard, and
//! can come to guard, are computed once for all turns of a unit, so each turn takes only a few table reads.
//! As in [`MateBound`], units are assumed not to block lines of the mating side, except in the position
//! itself. So the tests are one-sided: if they fail, the king may still escape.
//!
//! The last turn must check the king. If no unit guards the king's square even with all lines open, then a
//! unit that moves in the meantime gives the check: it makes the last turn itself, or the last turn opens its
//! line. Such turns guard fewer squares than any others.

use crate::patterns::mate_bound::MateBound;
use board::{Kind, Square, Squares};
use position::{Layout, Position};
use rules::{Action, Turn};
use smallvec::SmallVec;

/// The maximum number of steps of a walk.
const MAX_STEPS: usize = 2;

/// A unit of the mating side, and what the other units do when this unit, the mover, makes a turn.
struct Unit<S> {
    kind: Kind,
    from: Square,
    /// The squares that the unit guards if units do not block lines.
    guards: S,
    /// The squares that the unit attacks with the defender's king off the board.
    attacks: S,
    /// Squares that no other unit attacks after a turn of this unit.
    free: S,
    /// Squares that no other unit guards.
    open: S,
    /// The king's squares for which the gains of the other units are computed.
    gains_computed: S,
}

/// The maximum number of additional neighbors of a king that some units can come to guard, first with one turn,
/// then with two turns.
#[derive(Clone, Copy, Default)]
struct Gains {
    any: [u8; 2],
    /// The maximum if one of the units that move checks the king after the last turn.
    checking: [u8; 2],
}

/// The gain of one unit in the upper 8 bits and the number of the unit in the lower 24. One word, because words
/// are compared faster than pairs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct UnitGain(u32);

impl UnitGain {
    const NONE: UnitGain = UnitGain(u32::MAX >> 8);

    #[inline(always)]
    fn gain(self) -> u8 {
        (self.0 >> 24) as u8
    }

    #[inline(always)]
    fn is_of(self, unit: usize) -> bool {
        self.0 << 8 == (unit as u32) << 8
    }

    #[inline(always)]
    fn same_unit(self, other: UnitGain) -> bool {
        (self.0 ^ other.0) << 8 == 0
    }
}

/// The three largest gains of units, largest first.
#[derive(Clone, Copy)]
struct Largest(UnitGain, UnitGain, UnitGain);

impl Largest {
    const NONE: Largest = Largest(UnitGain::NONE, UnitGain::NONE, UnitGain::NONE);

    #[inline(always)]
    fn add(&mut self, gain: u8, unit: usize) {
        let new = UnitGain(u32::from(gain) << 24 | unit as u32);
        let second = self.0.min(new);
        let third = self.1.min(second);
        *self = Largest(self.0.max(new), self.1.max(second), self.2.max(third));
    }

    /// Returns the two largest gains of units other than `mover`.
    #[inline(always)]
    fn without(&self, mover: usize) -> (UnitGain, UnitGain) {
        if self.0.is_of(mover) {
            (self.1, self.2)
        } else if self.1.is_of(mover) {
            (self.0, self.2)
        } else {
            (self.0, self.1)
        }
    }
}

/// The walks of the defender's king from one position.
pub(crate) struct KingWalks<'b, 'g, W: Layout> {
    bound: &'b MateBound<'g, W>,
    /// Turns of the mating side that the king must survive after the next one; the number of steps of a walk.
    steps: usize,
    /// 1 if the mating side may castle, which counts as a turn of the king and a free turn of the rook; else
    /// 0.
    free_turns: usize,
    units: SmallVec<[Unit<W::Set>; 16]>,
    /// The squares of `units`.
    own: W::Set,
    /// The squares that `units` attack with the defender's king off the board.
    attacked: W::Set,
    /// The defender's units without the king. They are assumed not to move.
    others: W::Set,
    /// The king's neighbors that do not hold units of the defender.
    near: W::Set,
    /// The number of the mover, the unit whose turns are tested.
    mover: usize,
    /// The unit because of which a square was last found to be no refuge. Its turns are tested first.
    last_obstacle: usize,
    /// The last refuge found. It is tested first.
    last_refuge: Square,
    /// The gains of all units but one, by the number of that unit and the king's square.
    gains: Vec<Gains>,
}

/// The mover after a turn.
struct Moved<S> {
    kind: Kind,
    to: Square,
    /// The squares that the mover guards after the turn.
    guards: S,
}

impl<'b, 'g, W: Layout> KingWalks<'b, 'g, W> {
    /// Returns walks without a position. Returns `None` if units may change their kind, because each unit
    /// could then guard nearly everything.
    pub fn new(bound: &'b MateBound<'g, W>) -> Option<Self> {
        bound.is_fixed().then(|| KingWalks {
            bound,
            steps: 0,
            free_turns: 0,
            units: SmallVec::new(),
            own: W::Set::EMPTY,
            attacked: W::Set::EMPTY,
            others: W::Set::EMPTY,
            near: W::Set::EMPTY,
            mover: 0,
            last_obstacle: 0,
            last_refuge: Square(0),
            gains: Vec::new(),
        })
    }

    /// Begins walks of `steps` steps in a position with the mating side to move. Returns false if walks
    /// cannot be analyzed here; [`survives`](Self::survives) must not be called then.
    pub fn begin(&mut self, p: &Position<W>, steps: usize) -> bool {
        let Some(king) = self.place(p, steps) else {
            return false;
        };
        self.near = self.bound.ring(king) & !self.others;
        true
    }

    /// Returns true only if the king survives a turn of the mating side and the turns that follow. False
    /// proves nothing.
    pub fn survives(&mut self, turn: &Turn) -> bool {
        let step = turn.first();
        if !matches!(step.action(), Action::Go | Action::DoubleStep) {
            return false;
        }
        if self
            .units
            .get(self.mover)
            .is_none_or(|unit| unit.from != step.from)
        {
            let Some(mover) = self.units.iter().position(|unit| unit.from == step.from) else {
                return false;
            };
            self.mover = mover;
        }
        self.survives_move(step.result(), step.to)
    }

    /// Returns a neighbor of the defender's king where the king survives every turn of the mating side and
    /// the turn after it. The defender is to move. `None` proves nothing.
    pub fn refuge(&mut self, p: &Position<W>) -> Option<Square> {
        let king = self.place(p, 1)?;
        // The targets of the units are all turns only if turns follow from the movements of the men alone.
        if !self.bound.is_plain() || self.free_turns > 0 || self.units.is_empty() {
            return None;
        }
        let steps = self.bound.ring(king) & !self.others & !self.own & !self.attacked;
        let last = steps & W::Set::of(self.last_refuge);
        let refuge = last.iter().chain((steps & !last).iter()).find(|&at| {
            self.near = self.bound.ring(at) & !self.others;
            let units = self.units.len();
            let first = self.last_obstacle.min(units - 1);
            let others = (0..units).rev().filter(|&mover| mover != first);
            let obstacle = std::iter::once(first)
                .chain(others)
                .find(|&mover| !self.survives_unit(mover));
            self.last_obstacle = obstacle.unwrap_or(self.last_obstacle);
            obstacle.is_none()
        });
        self.last_refuge = refuge.unwrap_or(self.last_refuge);
        refuge
    }

    /// Reads a position with the defender to move, for calls of [`room`](Self::room). Returns the king's square
    /// if there is a king.
    pub fn survey(&mut self, p: &Position<W>) -> Option<Square> {
        self.place(p, 1)
    }

    /// Returns the number of squares that a king on `king` can reach within three steps if no other unit
    /// moves. Used only to order answers.
    pub fn room(&self, king: Square) -> u32 {
        let free = !self.others & !self.attacked;
        let step = |from: W::Set| {
            let ring = |set, at| set | self.bound.ring(at);
            from.iter().fold(W::Set::EMPTY, ring) & free
        };
        let once = self.bound.ring(king) & free;
        let twice = once | step(once);
        (twice | step(twice & !once)).len()
    }

    /// Reads the units of a position. Returns the square of the defender's king if walks of `steps` steps can
    /// be analyzed.
    fn place(&mut self, p: &Position<W>, steps: usize) -> Option<Square> {
        let bound = self.bound;
        let side = bound.mating_side();
        self.steps = steps;
        self.free_turns = usize::from(bound.castled(p, side).next().is_some());
        let theirs = p.color(!side);
        let king = (p.kind(Kind::King) & theirs).first()?;
        if steps + self.free_turns > MAX_STEPS {
            return None;
        }
        self.own = p.color(side);
        self.others = theirs.without(king);
        self.units.clear();
        let blocked = p.occupied().without(king);
        let [mut guarded, mut guarded_twice] = [W::Set::EMPTY; 2];
        let [mut attacked, mut attacked_twice] = [W::Set::EMPTY; 2];
        for kind in Kind::ALL {
            for from in (p.kind(kind) & self.own).iter() {
                let guards = bound.guards(kind, from);
                let attacks = bound.attacks(kind, from, blocked);
                guarded_twice |= guarded & guards;
                guarded |= guards;
                attacked_twice |= attacked & attacks;
                attacked |= attacks;
                self.units.push(Unit {
                    kind,
                    from,
                    guards,
                    attacks,
                    free: W::Set::EMPTY,
                    open: W::Set::EMPTY,
                    gains_computed: W::Set::EMPTY,
                });
            }
        }
        self.attacked = attacked;
        for mover in 0..self.units.len() {
            let unit = &self.units[mover];
            let mut attacked_by_others = attacked_twice | attacked & !unit.attacks;
            if attacked.has(unit.from) {
                // Lines may become longer when the mover leaves them.
                for other in self
                    .units
                    .iter()
                    .filter(|other| other.attacks.has(unit.from))
                {
                    attacked_by_others |= other.guards;
                }
            }
            let open = !(guarded_twice | guarded & !unit.guards);
            let unit = &mut self.units[mover];
            unit.free = !attacked_by_others;
            unit.open = open;
        }
        let gains = self.units.len() * bound.squares();
        if self.gains.len() < gains {
            self.gains.resize(gains, Gains::default());
        }
        Some(king)
    }

    /// Returns whether the king survives every turn of a unit and the turns that follow.
    fn survives_unit(&mut self, mover: usize) -> bool {
        self.mover = mover;
        let kind = self.units[mover].kind;
        let targets = self.targets(mover);
        targets.is_some_and(|targets| targets.iter().all(|to| self.survives_move(kind, to)))
    }

    /// Returns all squares to which a turn can lead a unit, castling aside, or `None` if a turn may promote
    /// the unit.
    fn targets(&self, unit: usize) -> Option<W::Set> {
        let unit = &self.units[unit];
        match unit.kind {
            Kind::Pawn => self.bound.pawn_targets(unit.from),
            _ => Some(unit.attacks & !self.own),
        }
    }

    /// Returns whether the king survives a turn that puts the mover on `to`, and the turns that follow.
    fn survives_move(&mut self, kind: Kind, to: Square) -> bool {
        let moved = Moved {
            kind,
            to,
            guards: self.bound.guards(kind, to),
        };
        let unit = &self.units[self.mover];
        let open = unit.open & !moved.guards & !self.others;
        let first = self.near & unit.free & !moved.guards;
        if self.steps == 1 {
            return first.iter().any(|at| self.escapes(&moved, open, at));
        }
        // Squares for the second step for which `escapes` is computed, and those where the king escapes.
        let (mut decided, mut safe) = (W::Set::EMPTY, W::Set::EMPTY);
        first.iter().any(|at| {
            let own_gain = self.gains_of(&moved, at).any[0];
            let gain = u32::from(self.gains_of_others(at).any[0].max(own_gain));
            let second = self.bound.ring(at) & open;
            loop {
                let found = (second & safe).len();
                let undecided = second & !decided;
                if found > gain || found + undecided.len() <= gain {
                    return found > gain;
                }
                let next = undecided.lowest();
                decided = decided.with(next);
                if self.escapes(&moved, open, next) {
                    safe = safe.with(next);
                }
            }
        })
    }

    /// Returns whether the king on `at`, after the last step of its walk, cannot be mated by the turns that
    /// follow. `open` are the squares that no unit guards after the turn of the mover.
    #[inline(always)]
    fn escapes(&mut self, moved: &Moved<W::Set>, open: W::Set, at: Square) -> bool {
        let neighbors = self.bound.ring(at) & open;
        neighbors.len() > self.last_gain(moved, open.has(at), at)
    }

    /// Returns the maximum number of additional neighbors of a king on `at` that the mating side guards in a
    /// mate after the last step of a walk. `is_open` is whether no unit guards `at` after the turn of the mover.
    #[inline(always)]
    fn last_gain(&mut self, moved: &Moved<W::Set>, is_open: bool, at: Square) -> u32 {
        let mover = self.gains_of(moved, at);
        let others = self.gains_of_others(at);
        let two_turns = self.steps + self.free_turns > 1;
        u32::from(match (is_open, two_turns) {
            (true, false) => others.checking[0].max(mover.checking[0]),
            (true, true) => (others.checking[1].max(mover.checking[1]))
                .max(others.any[0] + mover.checking[0])
                .max(others.checking[0] + mover.any[0]),
            (false, false) => others.any[0].max(mover.any[0]),
            (false, true) => (others.any[1].max(mover.any[1])).max(others.any[0] + mover.any[0]),
        })
    }

    /// Returns the gains of the mover at a king's square.
    #[inline(always)]
    fn gains_of(&self, moved: &Moved<W::Set>, king: Square) -> Gains {
        let castles = self.free_turns > 0;
        let covers = self.bound.covers(moved.kind, moved.to, king, castles);
        Gains {
            any: [covers.any[1], covers.any[2]],
            checking: [covers.checking[1], covers.checking[2]],
        }
    }

    /// Returns the gains of all units but the mover at a king's square.
    #[inline(always)]
    fn gains_of_others(&mut self, king: Square) -> Gains {
        if !self.units[self.mover].gains_computed.has(king) {
            self.compute_gains(king);
        }
        self.gains[self.mover * self.bound.squares() + king.index()]
    }

    /// Computes, for each unit, the gains of all other units at a king's square.
    fn compute_gains(&mut self, king: Square) {
        let castles = self.free_turns > 0;
        let two_turns = self.steps + self.free_turns > 1;
        let (mut any, mut checking) = (Largest::NONE, Largest::NONE);
        let (mut any_twice, mut checking_twice) = (Largest::NONE, Largest::NONE);
        for (n, unit) in self.units.iter().enumerate() {
            let covers = self.bound.covers(unit.kind, unit.from, king, castles);
            any.add(covers.any[1], n);
            checking.add(covers.checking[1], n);
            if two_turns {
                any_twice.add(covers.any[2], n);
                checking_twice.add(covers.checking[2], n);
            }
        }
        let squares = self.bound.squares();
        for (n, unit) in self.units.iter_mut().enumerate() {
            let (any, next_any) = any.without(n);
            let (checking, next_checking) = checking.without(n);
            let mut gains = Gains {
                any: [any.gain(), 0],
                checking: [checking.gain(), 0],
            };
            if two_turns {
                // The two turns are made by one unit, or by two.
                let pair = |check: UnitGain| match (check.gain(), check.same_unit(any)) {
                    (0, _) => 0,
                    (gain, true) => gain + next_any.gain(),
                    (gain, false) => gain + any.gain(),
                };
                gains.any[1] = (any_twice.without(n).0.gain()).max(any.gain() + next_any.gain());
                gains.checking[1] = (checking_twice.without(n).0.gain())
                    .max(pair(checking))
                    .max(pair(next_checking));
            }
            unit.gains_computed = unit.gains_computed.with(king);
            self.gains[n * squares + king.index()] = gains;
        }
    }
}

#[cfg(test)]
mod tests;
