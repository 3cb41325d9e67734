//! Every possible single step: each kind, side, square, capture and promotion, as turns in positions with as
//! few units as possible.
//!
//! The rule set itself generates the steps, on a board on which the moving unit is alone or meets one enemy
//! unit. Kings that the step does not need are left out. Castling, en passant captures and drops from the hand
//! are separate steps with the units that they need. In rule sets whose turns consist of the steps of two units,
//! a second unit takes part.
//!
//! The units are those of the start position and those into which steps can turn them, on all squares that
//! steps can reach, for both sides and in every variant state on which steps depend. What the start position
//! brings with it belongs to the steps: its castling rights, its hands, and en passant captures that it allows.
//! Legality is not required. Every legal turn consists of generated steps, because the rule set promises
//! [`IndependentSteps`]. Without the promise, there is no generator: further units could lead to other steps.

use board::{Color, Kind, Square, Squares};
use control::parallel;
use position::{Layout, Position, Rights, STATE_WORDS, StateWords};
use rules::{Action, Game, IndependentSteps, Step, Turn, with_turns};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The number of steps between two checks whether to stop.
const STEPS_PER_CHECK: u32 = 256;
/// The number of units of a kind, no three of them on one line, of which one at least does not stand in the way
/// of a step. A unit in the way is on the line of the step, where there are two at most, or would itself go to
/// the target.
const APART: usize = 4;

/// A unit on a square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unit {
    /// The side, as [`Color::index`].
    side: u8,
    /// The kind, as [`Kind::index`].
    kind: u8,
    /// The square, as its index.
    square: u8,
}

impl Unit {
    /// Returns a unit on a square.
    pub fn new(side: Color, kind: Kind, square: Square) -> Unit {
        Unit {
            side: side.index() as u8,
            kind: kind.index() as u8,
            square: square.0,
        }
    }

    /// Returns the side.
    pub fn side(self) -> Color {
        Color::BOTH[usize::from(self.side)]
    }

    /// Returns the kind.
    pub fn kind(self) -> Kind {
        Kind::from_index(usize::from(self.kind))
    }

    /// Returns the square.
    pub fn square(self) -> Square {
        Square(self.square)
    }

    fn is_on<W: Layout>(self, p: &Position<W>) -> bool {
        p.unit(self.square()) == Some((self.side(), self.kind()))
    }
}

/// Returns the units on the board.
pub fn units_of<W: Layout>(p: &Position<W>) -> impl Iterator<Item = Unit> + '_ {
    let squares = p.occupied().iter();
    squares.filter_map(|square| {
        p.unit(square)
            .map(|(side, kind)| Unit::new(side, kind, square))
    })
}

/// A callback that receives a step: the position before the turn, the turn, and the position after the turn.
pub type StepVisitor<'v, W> = dyn FnMut(&Position<W>, &Turn, &Position<W>) -> ControlFlow<()> + 'v;

/// The generator of all single steps.
pub struct SingleSteps<'g, W: Layout> {
    game: &'g dyn Game<W>,
    start: Position<W>,
    units: Vec<Unit>,
    /// The variant states from which units are dropped from the hand: that of the start position, and those
    /// after steps, which show what a capture brings into a hand.
    states: BTreeSet<StateWords>,
    /// The promise of the rule set.
    promise: IndependentSteps,
    /// Returns whether the caller wants the generator to stop.
    stop: &'g (dyn Fn() -> bool + Sync),
}

/// The steps that are generated.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    /// All steps.
    All,
    /// Steps in which one of these units takes part, except captures in turns of two units.
    Fresh(&'a BTreeSet<Unit>),
    /// Steps in which a further unit moves in the same turn.
    Assisted,
}

impl Wanted<'_> {
    /// Returns whether any steps of a unit are wanted.
    fn is_of(self, unit: Unit) -> bool {
        match self {
            Wanted::Fresh(fresh) => fresh.contains(&unit),
            Wanted::All | Wanted::Assisted => true,
        }
    }
}

impl<'g, W: Layout> SingleSteps<'g, W> {
    /// Returns the generator for the units of a start position and all units that can result from them, or `None`
    /// if the rule set does not promise independent steps. Once `stop` returns true, the generator is incomplete
    /// and the caller must discard it.
    pub fn new(
        game: &'g dyn Game<W>,
        start: &Position<W>,
        stop: &'g (dyn Fn() -> bool + Sync),
    ) -> Option<SingleSteps<'g, W>> {
        let mut steps = SingleSteps {
            game,
            start: *start,
            units: units_of(start).collect(),
            states: BTreeSet::from([start.state_words()]),
            promise: game.independent_steps()?,
            stop,
        };
        steps.units.sort_unstable();
        steps.close();
        Some(steps)
    }

    /// Returns the units that can be on the board, in order.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Returns the number of parts into which the steps are divided, so several threads can share them.
    pub fn parts(&self) -> usize {
        self.units.len() + 1
    }

    /// Calls `visit` for every step, until `visit` breaks.
    pub fn each(&self, visit: &mut StepVisitor<'_, W>) -> ControlFlow<()> {
        (0..self.parts()).try_for_each(|part| self.each_of_part(part, visit))
    }

    /// Calls `visit` for every step of one part, until `visit` breaks.
    pub fn each_of_part(&self, part: usize, visit: &mut StepVisitor<'_, W>) -> ControlFlow<()> {
        match self.units.get(part) {
            Some(&unit) => self.of_unit(unit, Wanted::All, visit),
            None => {
                self.castlings(visit)?;
                self.passing_at_start(visit)?;
                self.drops(visit)
            }
        }
    }

    /// Adds the units that result from steps of the known units, until no new unit is found.
    fn close(&mut self) {
        let mut fresh: BTreeSet<Unit> = self.units.iter().copied().collect();
        loop {
            let last = fresh.is_empty();
            // A unit found later may assist the steps of a unit found earlier. Once no new unit is found, all
            // assisted steps are generated again.
            if last && !self.promise.two_units {
                return;
            }
            let wanted = match last {
                true => Wanted::Assisted,
                false => Wanted::Fresh(&fresh),
            };
            let parts: Vec<usize> = (0..self.parts()).collect();
            let found = parallel::map_all(&parts, |&part| self.made(part, wanted));
            let mut units: BTreeSet<Unit> = self.units.iter().copied().collect();
            let known_states = self.states.len();
            fresh.clear();
            for (made, reached) in found {
                fresh.extend(made.into_iter().filter(|unit| units.insert(*unit)));
                self.states.extend(reached);
            }
            if (self.stop)() {
                return;
            }
            self.units = units.into_iter().collect();
            if last && fresh.is_empty() && self.states.len() == known_states {
                return;
            }
        }
    }

    /// Returns the units and the variant states that result from the steps of one part.
    fn made(&self, part: usize, wanted: Wanted<'_>) -> (BTreeSet<Unit>, BTreeSet<StateWords>) {
        let (mut units, mut states) = (BTreeSet::new(), BTreeSet::new());
        let mut visited = 0u32;
        let mut visit = |_: &Position<W>, turn: &Turn, after: &Position<W>| {
            visited += 1;
            if visited % STEPS_PER_CHECK == 1 && (self.stop)() {
                return ControlFlow::Break(());
            }
            units.extend(units_of(after));
            // A drop only takes from a hand.
            if turn.first().action() != Action::Place {
                states.insert(after.state_words());
            }
            ControlFlow::Continue(())
        };
        let _: ControlFlow<()> = match self.units.get(part) {
            Some(&unit) => self.of_unit(unit, wanted, &mut visit),
            None => self.each_of_part(part, &mut visit),
        };
        (units, states)
    }

    /// Returns the empty boards with a side to move, in every variant state on which steps depend.
    fn bare(&self, side: Color) -> impl Iterator<Item = Position<W>> {
        self.promise.states.iter().map(move |&state| {
            let mut p = Position::<W>::empty();
            p.side = side;
            let mut words = [0; STATE_WORDS];
            words[0] = state;
            p.set_state_words(&words);
            p
        })
    }

    /// Calls `visit` for each pseudo-legal turn that moves a unit, if `wanted` accepts the turn and `leads`
    /// accepts the position after the turn.
    fn turns(
        &self,
        p: &Position<W>,
        wanted: &dyn Fn(&Turn) -> bool,
        leads: &dyn Fn(&Position<W>) -> bool,
        visit: &mut StepVisitor<'_, W>,
    ) -> ControlFlow<()> {
        with_turns(|turns| {
            self.game.pseudo_turns(p, turns);
            turns.iter().try_for_each(|turn| {
                if turn.first().action() == Action::Place || !wanted(turn) {
                    return ControlFlow::Continue(());
                }
                let after = self.game.play(p, turn);
                match leads(&after) {
                    true => visit(p, turn, &after),
                    false => ControlFlow::Continue(()),
                }
            })
        })
    }

    /// Calls `visit` for the wanted steps of a unit.
    fn of_unit(
        &self,
        unit: Unit,
        wanted: Wanted<'_>,
        visit: &mut StepVisitor<'_, W>,
    ) -> ControlFlow<()> {
        for bare in self.bare(unit.side()) {
            let alone = with(&bare, unit);
            if !matches!(wanted, Wanted::Assisted) {
                self.unassisted(&alone, unit, wanted, visit)?;
            }
            if !wanted.is_of(unit) {
                continue;
            }
            if self.promise.two_units {
                let pairs = self.with_helpers(&alone, unit, visit)?;
                // These captures rarely lead to new units, so they are generated only after everything else.
                if !matches!(wanted, Wanted::Fresh(_)) {
                    self.captures_with_helpers(&pairs, unit, visit)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Generates the steps of a unit that is alone or meets one enemy unit.
    fn unassisted(
        &self,
        alone: &Position<W>,
        unit: Unit,
        wanted: Wanted<'_>,
        visit: &mut StepVisitor<'_, W>,
    ) -> ControlFlow<()> {
        let lone: FxHashSet<Turn> = with_turns(|turns| {
            self.game.pseudo_turns(alone, turns);
            turns.iter().copied().collect()
        });
        if wanted.is_of(unit) {
            self.turns(alone, &|_| true, &|_| true, visit)?;
        }
        let enemies = self.units.iter().filter(|other| other.side != unit.side);
        for &enemy in enemies.filter(|enemy| enemy.square != unit.square) {
            if wanted.is_of(unit) || wanted.is_of(enemy) {
                self.with_enemy(alone, enemy, &lone, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Generates the steps that depend on one enemy unit: captures, steps that exist only because of the
    /// enemy unit, and en passant captures of the moving unit.
    fn with_enemy(
        &self,
        alone: &Position<W>,
        enemy: Unit,
        lone: &FxHashSet<Turn>,
        visit: &mut StepVisitor<'_, W>,
    ) -> ControlFlow<()> {
        let p = with(alone, enemy);
        with_turns(|turns| {
            self.game.pseudo_turns(&p, turns);
            turns.iter().try_for_each(|turn| {
                if turn.first().action() == Action::Place {
                    return ControlFlow::Continue(());
                }
                let after = self.game.play(&p, turn);
                if !enemy.is_on(&after) || !lone.contains(turn) {
                    visit(&p, turn, &after)?;
                }
                match after.en_passant() {
                    Some(_) => self.turns(&after, &passes, &|_| true, visit),
                    None => ControlFlow::Continue(()),
                }
            })
        })
    }

    /// Generates the en passant captures of the start position that do not follow a double step of the known
    /// units, in that position.
    fn passing_at_start(&self, visit: &mut StepVisitor<'_, W>) -> ControlFlow<()> {
        let side = self.start.side;
        let follows_double_step = |capture: &Turn| {
            let mut same = |before: &Position<W>, turn: &Turn, _: &Position<W>| match before.side
                == side
                && turn == capture
            {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            };
            let pawn = Unit::new(side, capture.first().kind(), capture.first().from);
            let others = |unit: &&Unit| unit.side() != side && unit.square != pawn.square;
            self.units.iter().filter(others).any(|&unit| {
                let mut boards = self.bare(!side).map(|bare| with(&bare, unit));
                boards.any(|alone| {
                    let none = FxHashSet::default();
                    self.with_enemy(&alone, pawn, &none, &mut same).is_break()
                })
            })
        };
        let is_new = |turn: &Turn| passes(turn) && !follows_double_step(turn);
        match self.start.en_passant() {
            Some(_) => self.turns(&self.start, &is_new, &|_| true, visit),
            None => ControlFlow::Continue(()),
        }
    }

    /// Returns the sides and kinds of all units.
    fn kinds(&self) -> BTreeSet<(u8, u8)> {
        self.units
            .iter()
            .map(|unit| (unit.side, unit.kind))
            .collect()
    }

    /// Returns units that may take part in the turn of another unit, each with whether it belongs to a sample: for
    /// each side and kind those on the first, middle and last square. The others are [`APART`] units of the kind
    /// that no line connects, or all if there are fewer.
    fn helpers(&self, unit: Unit) -> Vec<(Unit, bool)> {
        let geometry = self.game.board().geometry();
        let place = |unit: Unit| {
            let square = unit.square();
            [geometry.file(square), geometry.rank(square)].map(i32::from)
        };
        let on_line = |a: Unit, b: Unit, c: Unit| {
            let [[ax, ay], [bx, by], [cx, cy]] = [a, b, c].map(place);
            (bx - ax) * (cy - ay) == (by - ay) * (cx - ax)
        };
        let all = |(side, kind): (u8, u8)| {
            let of_kind = self.units.iter().copied();
            let of_kind: Vec<Unit> = of_kind
                .filter(|u| (u.side, u.kind) == (side, kind) && u.square != unit.square)
                .collect();
            let last = of_kind.len().saturating_sub(1);
            let sample = BTreeSet::from([0, of_kind.len() / 2, last]);
            let mut apart: Vec<Unit> = Vec::new();
            for &next in of_kind.first().into_iter().chain(of_kind.iter().rev()) {
                let pairs = || (0..apart.len()).flat_map(|n| (0..n).map(move |m| (m, n)));
                if !apart.contains(&next)
                    && apart.len() < APART
                    && !pairs().any(|(m, n)| on_line(apart[m], apart[n], next))
                {
                    apart.push(next);
                }
            }
            let is_needed = |unit: &Unit| apart.len() < APART || apart.contains(unit);
            let sampled: Vec<Unit> = sample
                .iter()
                .filter_map(|&n| of_kind.get(n).copied())
                .collect();
            let others = of_kind.into_iter().filter(is_needed);
            let others: Vec<Unit> = others.filter(|unit| !sampled.contains(unit)).collect();
            let marked = |units: Vec<Unit>, mark| units.into_iter().map(move |unit| (unit, mark));
            marked(sampled, true)
                .chain(marked(others, false))
                .collect::<Vec<_>>()
        };
        let mut helpers: Vec<(Unit, bool)> = self.kinds().into_iter().flat_map(all).collect();
        helpers.sort_by_key(|(_, is_sampled)| !is_sampled);
        helpers
    }

    /// Generates the steps of turns in which a second unit takes part, without enemy units. Returns the positions
    /// with such a second unit, from which captures are generated: first the two of the sample whose second units
    /// are furthest apart. A captured unit that is in the way of the one is not in the way of the other.
    fn with_helpers(
        &self,
        alone: &Position<W>,
        unit: Unit,
        visit: &mut StepVisitor<'_, W>,
    ) -> ControlFlow<(), Vec<Position<W>>> {
        let mut found: Vec<(Unit, bool)> = Vec::new();
        let mut seen: FxHashSet<Step> = FxHashSet::default();
        let moves = |turn: &Turn| turn.steps().any(|step| step.from == unit.square());
        for (helper, is_sampled) in self.helpers(unit) {
            let mut takes_part = false;
            let p = with(alone, helper);
            self.turns(&p, &moves, &|_| true, &mut |before, turn, after| {
                takes_part = true;
                let own = turn.steps().filter(|step| step.from == unit.square());
                // Other helpers matter only for steps that those of the sample prevent.
                let news = own.filter(|step| seen.insert(*step)).count();
                match is_sampled || news > 0 {
                    true => visit(before, turn, after),
                    false => ControlFlow::Continue(()),
                }
            })?;
            if takes_part {
                found.push((helper, is_sampled));
            }
        }
        let sampled = || found.iter().filter(|(_, is_sampled)| *is_sampled);
        let square = |(helper, _): &&(Unit, bool)| helper.square;
        // Of several units on a square, the first one.
        let ends = [
            sampled().min_by_key(square),
            sampled().rev().max_by_key(square),
        ];
        let ends: Vec<Unit> = ends
            .into_iter()
            .flatten()
            .map(|(helper, _)| *helper)
            .collect();
        found.retain(|(helper, _)| !ends.contains(helper));
        let others = found.into_iter().map(|(helper, _)| helper);
        let all = ends.into_iter().chain(others);
        ControlFlow::Continue(all.map(|helper| with(alone, helper)).collect())
    }

    /// Generates the captures of a unit in turns in which a second unit takes part. The captured units do not
    /// depend on the kind of the second unit. After the first two positions, the others are used only for captures
    /// that those prevent.
    fn captures_with_helpers(
        &self,
        pairs: &[Position<W>],
        unit: Unit,
        visit: &mut StepVisitor<'_, W>,
    ) -> ControlFlow<()> {
        let mut known: FxHashSet<Unit> = FxHashSet::default();
        for (n, p) in pairs.iter().enumerate() {
            let enemies = self.units.iter().filter(|enemy| enemy.side != unit.side);
            for &enemy in enemies.filter(|enemy| !p.occupied().has(enemy.square())) {
                if (n < 2 || !known.contains(&enemy)) && self.may_capture(p, unit, enemy) {
                    let moves = |turn: &Turn| turn.steps().any(|s| s.from == unit.square());
                    let captured = |after: &Position<W>| !enemy.is_on(after);
                    let mut found = |before: &Position<W>, turn: &Turn, after: &Position<W>| {
                        known.insert(enemy);
                        visit(before, turn, after)
                    };
                    self.turns(&with(p, enemy), &moves, &captured, &mut found)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns false only if a unit certainly cannot capture an enemy unit, because it neither attacks the
    /// enemy unit nor is within two files and ranks of it.
    fn may_capture(&self, p: &Position<W>, unit: Unit, enemy: Unit) -> bool {
        let geometry = self.game.board().geometry();
        let near = |a: u8, b: u8| a.abs_diff(b) <= 2;
        let (from, to) = (unit.square(), enemy.square());
        near(geometry.file(from), geometry.file(to)) && near(geometry.rank(from), geometry.rank(to))
            || self
                .game
                .attackers(&with(p, enemy), to, unit.side())
                .has(from)
    }

    /// Generates each castling of the start position with its king and rook alone. In rule sets whose turns
    /// consist of two steps, each is also generated with one further unit.
    fn castlings(&self, visit: &mut StepVisitor<'_, W>) -> ControlFlow<()> {
        let castles = |turn: &Turn| turn.steps().any(|s| s.action() == Action::Castle);
        for side in Color::BOTH {
            for higher in [false, true] {
                let right = Rights::bit(side, higher);
                let homes = self.game.castling_homes(side, higher);
                let Some((king, rook)) = homes.filter(|_| self.start.rights.has(right)) else {
                    continue;
                };
                let castlers = units_of(&self.start)
                    .filter(|u| u.side() == side && [king, rook].contains(&u.square()));
                let castlers: Vec<Unit> = castlers.collect();
                for bare in self.bare(side) {
                    let mut p = castlers.iter().fold(bare, |p, &unit| with(&p, unit));
                    p.rights = right;
                    self.turns(&p, &castles, &|_| true, visit)?;
                    let two_units = self.promise.two_units;
                    let Some(&castler) = castlers.first().filter(|_| two_units) else {
                        continue;
                    };
                    for (helper, _) in self.helpers(castler) {
                        if !p.occupied().has(helper.square()) {
                            self.turns(&with(&p, helper), &castles, &|_| true, visit)?;
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Generates the drops from the hand on the empty board.
    fn drops(&self, visit: &mut StepVisitor<'_, W>) -> ControlFlow<()> {
        let mut seen: BTreeSet<(Color, Turn)> = BTreeSet::new();
        for side in Color::BOTH {
            for state in &self.states {
                let mut p = Position::<W>::empty();
                p.side = side;
                p.set_state_words(state);
                with_turns(|turns| {
                    self.game.pseudo_turns(&p, turns);
                    turns.iter().try_for_each(|turn| {
                        if turn.first().action() != Action::Place || !seen.insert((side, *turn)) {
                            return ControlFlow::Continue(());
                        }
                        visit(&p, turn, &self.game.play(&p, turn))
                    })
                })?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Returns whether a turn captures en passant.
fn passes(turn: &Turn) -> bool {
    turn.steps().any(|step| step.action() == Action::EnPassant)
}

/// Returns a position with one more unit on a vacant square.
fn with<W: Layout>(p: &Position<W>, unit: Unit) -> Position<W> {
    let mut p = *p;
    p.put(unit.side(), unit.kind(), unit.square());
    p
}
