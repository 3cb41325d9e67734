//! Every possible single step: each kind, side, square, capture and promotion, as turns in positions with as
//! few units as possible.
//!
//! The rule set itself generates the steps, on a board on which the moving unit is alone or meets one enemy
//! unit. Kings that the step does not need are left out. Castling, en passant captures, steps over a screen
//! and drops from the hand are separate steps with the units that they need. In rule sets whose turns consist
//! of the steps of two units, a second unit takes part.
//!
//! The units are those of the start position and those into which steps can turn them, on all squares that
//! steps can reach, for both sides and in every variant state on which steps depend. Legality is not required.
//! Every legal turn consists of generated steps if the rule set promises [`rules::IndependentSteps`]. The steps
//! of other rule sets are not complete: hands, gates, screens and further units can lead to others.

use board::{Color, Kind, Square, Squares};
use control::{Random, parallel};
use position::{Layout, Position, Rights, STATE_WORDS, StateWords};
use rules::{Action, Game, IndependentSteps, Turn, with_turns};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

/// The number of random games that are searched for turns of two units.
const GAMES: u64 = 12;
/// The maximum length of a random game, in plies.
const GAME_PLIES: u32 = 40;
/// The seed of the random games.
const SEED: u64 = 1;
/// The number of steps between two checks whether to stop.
const STEPS_PER_CHECK: u32 = 256;
/// The maximum number of variant states that are tried for drops from the hand.
const MAX_STATES: usize = 512;

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
    /// The variant states from which units are dropped from the hand.
    states: Vec<StateWords>,
    /// The promise of the rule set, without which the steps are not complete.
    independent: Option<IndependentSteps>,
    /// Returns whether the caller wants the generator to stop.
    stop: &'g (dyn Fn() -> bool + Sync),
    /// Sides and kinds that need a screen for some captures.
    hoppers: BTreeSet<(u8, u8)>,
    /// Whether turns consist of the steps of two units.
    two_units: bool,
    /// Cache of captures over a screen. Each entry is expensive, since all screens on all squares are tried.
    screened: Mutex<FxHashMap<Screened, Vec<(Square, Square)>>>,
}

/// The steps that are generated.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    /// All steps.
    All,
    /// Steps in which one of these units takes part, except captures in turns of two units.
    Fresh(&'a BTreeSet<Unit>),
    /// Steps in which a further unit takes part: a screen, or a unit that moves in the same turn.
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

/// A key of the cache: a capturing unit, the variant state, and the kind of the screen.
type Screened = (Unit, StateWords, Kind);

impl<'g, W: Layout> SingleSteps<'g, W> {
    /// Returns the generator for the units of a start position and all units that can result from them. Once
    /// `stop` returns true, the generator is incomplete and the caller must discard it.
    pub fn new(
        game: &'g dyn Game<W>,
        start: &Position<W>,
        stop: &'g (dyn Fn() -> bool + Sync),
    ) -> SingleSteps<'g, W> {
        let independent = game.independent_steps();
        let mut steps = SingleSteps {
            game,
            start: *start,
            units: units_of(start).collect(),
            states: vec![start.state_words()],
            independent,
            stop,
            hoppers: BTreeSet::new(),
            two_units: false,
            screened: Mutex::default(),
        };
        let bound = start.bound_units();
        steps
            .units
            .extend(bound.map(|unit| Unit::new(unit.color, unit.kind, unit.square)));
        steps.units.sort_unstable();
        steps.units.dedup();
        steps.two_units = match independent {
            Some(promise) => promise.two_units,
            None => steps.has_turns_of_two_units(),
        };
        steps.close();
        steps
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
                self.drops(visit)
            }
        }
    }

    /// Returns whether a turn in random games consists of the steps of two different units on the board.
    fn has_turns_of_two_units(&self) -> bool {
        let of_two = |turn: &Turn| {
            let [first, second] = turn.steps;
            let placed = [first, second]
                .iter()
                .any(|step| step.action() == Action::Place);
            !second.is_none() && !placed && second.from != first.to
        };
        (0..GAMES).any(|number| {
            let mut random = Random::numbered(SEED, number);
            let mut p = self.start;
            (0..GAME_PLIES).any(|_| {
                with_turns(|turns| {
                    self.game.turns(&p, turns);
                    if turns.is_empty() {
                        return false;
                    }
                    turns.sort_unstable();
                    let turn = turns[random.scaled_below(turns.len())];
                    p = self.game.play(&p, &turn);
                    turns.iter().any(of_two)
                })
            })
        })
    }

    /// Adds the units that result from steps of the known units, until no new unit is found.
    fn close(&mut self) {
        let mut fresh: BTreeSet<Unit> = self.units.iter().copied().collect();
        let mut kinds = BTreeSet::new();
        loop {
            let known = std::mem::replace(&mut kinds, self.kinds());
            if known != kinds {
                self.hoppers = self.find_hoppers();
            }
            let last = fresh.is_empty();
            // A unit found later may assist the steps of a unit found earlier. Once no new unit is found, all
            // assisted steps are generated again.
            if last && self.hoppers.is_empty() && !self.two_units {
                return;
            }
            let wanted = match last {
                true => Wanted::Assisted,
                false => Wanted::Fresh(&fresh),
            };
            let parts: Vec<usize> = (0..self.parts()).collect();
            let found = parallel::map_all(&parts, |&part| self.made(part, wanted));
            let mut units: BTreeSet<Unit> = self.units.iter().copied().collect();
            let mut states: BTreeSet<StateWords> = self.states.iter().copied().collect();
            fresh.clear();
            for (made, reached) in found {
                fresh.extend(made.into_iter().filter(|unit| units.insert(*unit)));
                for state in reached {
                    if states.len() < MAX_STATES {
                        states.insert(state);
                    }
                }
            }
            if (self.stop)() {
                return;
            }
            let stable = last && fresh.is_empty() && states.len() == self.states.len();
            self.units = units.into_iter().collect();
            self.states = states.into_iter().collect();
            if stable {
                return;
            }
        }
    }

    /// Returns the units and the variant states that result from the steps of one part.
    fn made(&self, part: usize, wanted: Wanted<'_>) -> (BTreeSet<Unit>, BTreeSet<StateWords>) {
        let (mut units, mut states) = (BTreeSet::new(), BTreeSet::new());
        let mut visited = 0u32;
        let mut visit = |_: &Position<W>, _: &Turn, after: &Position<W>| {
            visited += 1;
            if visited % STEPS_PER_CHECK == 1 && (self.stop)() {
                return ControlFlow::Break(());
            }
            units.extend(units_of(after));
            let bound = after.bound_units();
            units.extend(bound.map(|unit| Unit::new(unit.color, unit.kind, unit.square)));
            if states.len() < MAX_STATES {
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

    /// Returns the empty boards with a side to move, in every variant state on which steps depend. If the rule
    /// set does not name these states, they are the default and that of the start position.
    fn bare(&self, side: Color) -> impl Iterator<Item = Position<W>> {
        let states: Vec<StateWords> = match self.independent {
            Some(promise) => {
                let words = |state: &u64| {
                    let mut words = [0; STATE_WORDS];
                    words[0] = *state;
                    words
                };
                promise.states.iter().map(words).collect()
            }
            None => {
                let own = self.start.side == side && !self.start.has_default_state();
                let own = own.then(|| self.start.state_words());
                [Some([0; STATE_WORDS]), own]
                    .into_iter()
                    .flatten()
                    .collect()
            }
        };
        states.into_iter().map(move |state| {
            let mut p = Position::<W>::empty();
            p.side = side;
            p.set_state_words(&state);
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
            if self.hoppers.contains(&(unit.side, unit.kind)) {
                self.over_screens(&alone, unit, visit)?;
            }
            if self.two_units {
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
        let carried = self.game.carried().fields();
        let passing = |turn: &Turn| turn.steps().any(|s| s.action() == Action::EnPassant);
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
                let passed = after.en_passant().is_some()
                    || carried.is_some_and(|carried| !carried.passed(&after).is_empty());
                match passed {
                    true => self.turns(&after, &passing, &|_| true, visit),
                    false => ControlFlow::Continue(()),
                }
            })
        })
    }

    /// Returns a kind of the opponent that serves as a screen, if possible one that is not royal.
    fn screen(&self, side: u8) -> Option<Kind> {
        let royal = |unit: &Unit| {
            let p = with(&Position::empty(), *unit);
            self.game.royals(&p, unit.side()).has(unit.square())
        };
        let enemies = || self.units.iter().filter(|unit| unit.side != side);
        let plain = enemies().find(|unit| !royal(unit));
        plain.or_else(|| enemies().next()).map(|unit| unit.kind())
    }

    /// Returns the squares on which a unit captures only over a screen, each with a square for the screen.
    fn screened(&self, alone: &Position<W>, unit: Unit) -> Vec<(Square, Square)> {
        let Some(kind) = self.screen(unit.side) else {
            return Vec::new();
        };
        let known = || self.screened.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (unit, alone.state_words(), kind);
        if let Some(found) = known().get(&key) {
            return found.clone();
        }
        let found = self.captures_over(kind, alone, unit);
        known().insert(key, found.clone());
        found
    }

    /// Searches for captures over a screen of this kind, with the screen on any square.
    fn captures_over(&self, kind: Kind, alone: &Position<W>, unit: Unit) -> Vec<(Square, Square)> {
        let enemy = |square| Unit::new(!unit.side(), kind, square);
        let captures = |p: &Position<W>, target: Square| {
            let enemy = enemy(target);
            if !self.may_capture(p, unit, enemy) {
                return false;
            }
            let p = with(p, enemy);
            with_turns(|turns| {
                self.game.pseudo_turns(&p, turns);
                turns.iter().any(|turn| {
                    turn.first().to == target && !enemy.is_on(&self.game.play(&p, turn))
                })
            })
        };
        let squares = self.game.board().squares().without(unit.square());
        let mut found = Vec::new();
        for target in squares.iter() {
            if captures(alone, target) {
                continue;
            }
            let screens = squares.without(target).iter();
            let mut screens = screens.filter(|&s| captures(&with(alone, enemy(s)), target));
            found.extend(screens.next().map(|screen| (target, screen)));
        }
        found
    }

    /// Returns the sides and kinds of all units.
    fn kinds(&self) -> BTreeSet<(u8, u8)> {
        self.units
            .iter()
            .map(|unit| (unit.side, unit.kind))
            .collect()
    }

    /// Returns the sides and kinds that capture over a screen. Each is tested on the square from which it has
    /// the most steps.
    fn find_hoppers(&self) -> BTreeSet<(u8, u8)> {
        let hops = |&(side, kind): &(u8, u8)| {
            let units = self
                .units
                .iter()
                .filter(|u| (u.side, u.kind) == (side, kind));
            let alone = |unit: &Unit| {
                let mut bare = Position::<W>::empty();
                bare.side = unit.side();
                with(&bare, *unit)
            };
            let best = units.max_by_key(|unit| {
                with_turns(|turns| {
                    self.game.pseudo_turns(&alone(unit), turns);
                    turns.len()
                })
            });
            best.is_some_and(|unit| !self.screened(&alone(unit), *unit).is_empty())
        };
        self.kinds().into_iter().filter(hops).collect()
    }

    fn over_screens(
        &self,
        alone: &Position<W>,
        unit: Unit,
        visit: &mut StepVisitor<'_, W>,
    ) -> ControlFlow<()> {
        let Some(kind) = self.screen(unit.side) else {
            return ControlFlow::Continue(());
        };
        for (target, screen) in self.screened(alone, unit) {
            let p = with(alone, Unit::new(!unit.side(), kind, screen));
            let enemies = self.units.iter().filter(|e| e.side != unit.side);
            for &enemy in enemies.filter(|enemy| enemy.square() == target) {
                let captured = |after: &Position<W>| !enemy.is_on(after);
                self.turns(&with(&p, enemy), &|_| true, &captured, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns, for each side and kind, up to three units that may take part in the turn of another unit: on
    /// the first, middle and last square on which such a unit can be.
    fn helpers(&self, unit: Unit) -> Vec<[Option<Unit>; 3]> {
        let all = |&(side, kind): &(u8, u8)| {
            let of_kind = self.units.iter().copied();
            let of_kind: Vec<Unit> = of_kind
                .filter(|u| (u.side, u.kind) == (side, kind) && u.square != unit.square)
                .collect();
            let (middle, last) = (of_kind.len() / 2, of_kind.len().saturating_sub(1));
            let at = |n: usize| of_kind.get(n).copied();
            let middle = at(middle).filter(|_| middle > 0);
            [
                at(0),
                middle,
                at(last).filter(|last| at(0) != Some(*last) && middle != Some(*last)),
            ]
        };
        self.kinds().iter().map(all).collect()
    }

    /// Generates the steps of turns in which a second unit takes part, without enemy units. Returns at most
    /// two positions with such a second unit, far apart, from which captures are generated: a captured unit
    /// that is in the way of the one is not in the way of the other.
    fn with_helpers(
        &self,
        alone: &Position<W>,
        unit: Unit,
        visit: &mut StepVisitor<'_, W>,
    ) -> ControlFlow<(), Vec<Position<W>>> {
        let mut found: [Option<(Square, Position<W>)>; 2] = [None; 2];
        for helper in self.helpers(unit).into_iter().flatten().flatten() {
            let p = with(alone, helper);
            let moves = |turn: &Turn| turn.steps().any(|s| s.from == unit.square());
            let mut takes_part = false;
            self.turns(&p, &moves, &|_| true, &mut |before, turn, after| {
                takes_part = true;
                visit(before, turn, after)
            })?;
            if takes_part {
                let here = (helper.square(), p);
                let [lowest, highest] = &mut found;
                if lowest.is_none_or(|(square, _)| here.0 < square) {
                    *lowest = Some(here);
                }
                if highest.is_none_or(|(square, _)| here.0 > square) {
                    *highest = Some(here);
                }
            }
        }
        let pairs = found.into_iter().flatten().map(|(_, p)| p);
        ControlFlow::Continue(pairs.collect())
    }

    /// Generates the captures of a unit in turns in which a second unit takes part. The captured units do not
    /// depend on the kind of the second unit.
    fn captures_with_helpers(
        &self,
        pairs: &[Position<W>],
        unit: Unit,
        visit: &mut StepVisitor<'_, W>,
    ) -> ControlFlow<()> {
        for p in pairs {
            let enemies = self.units.iter().filter(|enemy| enemy.side != unit.side);
            for &enemy in enemies.filter(|enemy| !p.occupied().has(enemy.square())) {
                if self.may_capture(p, unit, enemy) {
                    let moves = |turn: &Turn| turn.steps().any(|s| s.from == unit.square());
                    let captured = |after: &Position<W>| !enemy.is_on(after);
                    self.turns(&with(p, enemy), &moves, &captured, visit)?;
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
                    let Some(&castler) = castlers.first().filter(|_| self.two_units) else {
                        continue;
                    };
                    for helper in self.helpers(castler).into_iter().flatten().flatten() {
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

/// Returns a position with one more unit on a vacant square.
fn with<W: Layout>(p: &Position<W>, unit: Unit) -> Position<W> {
    let mut p = *p;
    p.put(unit.side(), unit.kind(), unit.square());
    p
}
