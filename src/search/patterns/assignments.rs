//! Assignments: the final squares of the units that take part in a mate, for a search that begins at the end.
//!
//! Consider the final position of a line. A unit's *view* is computed on an open board, as in [`coverage`]. Let
//! `M` be the units of the mating side whose view includes the king's square. Let `S` be `M` and other units of
//! that side, none of which can be left out, that view together as many neighbors of the king as all its units.
//! An [`Assignment`] is the king's square and the final square and kind of each unit of `S`. All assignments that
//! fit in the number of turns are listed, so every line ends in one of them. Its final position then has these
//! properties:
//!
//! * Each unit of `S`, and the king, has made at least as many turns as it needs on a board with nothing else.
//! * Each neighbor of the king that `S` does not view holds a unit of the king's side, because nothing else can
//!   take it from the king. These squares are the *gap*. The units on it are different units, and each has made
//!   the turns that it needs. Its pawns cannot have captured if all units of the mating side are in `S`.
//! * A unit outside of `S` neither gives check nor pins. If only one unit of `M` is on an open line, it is the
//!   checker. Then its line is vacant, and no unit can capture the checker or move onto its line, except perhaps
//!   units pinned on the line of another unit of `M`.
//! * The last turn gives the check. If nothing can be between the checker and the king, the checker made it.
//! * The mating side's king is not attacked. Its square is known if it is in `S`, or if `S` needs all turns.
//!
//! From this follow numbers of turns that both sides need at least: the sum of the distances of `S`; the king's
//! walk; the least cost at which units can be assigned to the gap; and one turn for each other unit that has to
//! go, unless the mating side captures it. If the mating side has one turn left, it is known which unit makes it,
//! which lines it needs, and where it captures. An assignment that is impossible in a position is impossible in
//! all positions that follow, so the search only filters the list at each turn.
//!
//! Castling moves a rook without a turn of its own. So a rook that may castle is also taken to be on the square
//! beyond its king, and one unit may leave its square for nothing.
//!
//! The idea of searching help play from the final positions is that of Popeye's option `Intelligent`
//! (<https://github.com/thomas-maeder/popeye>), which solves once for each final position. Here, one search
//! serves all of them, and the units on the gap are assigned again at each position.
//!
//! [`coverage`]: super::coverage

use super::castling::Castlings;
use super::coverage::{BARRED, Coverage, MARK, RING};
use super::reach::{Distances, Reach};
use super::self_blocks::{Blockers, SelfBlocks};
use board::{Board, Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::Game;
use smallvec::SmallVec;

/// The maximum number of assignments of one position.
const MAX_ASSIGNMENTS: usize = 1 << 15;
/// The maximum number of combinations examined for one position.
const MAX_COMBINATIONS: u32 = 400_000;
/// The maximum number of units of the king's side.
const MAX_BLOCKERS: usize = 32;
/// The square of a unit that was captured.
const CAPTURED: Square = Square(u8::MAX);
/// The number of the mating side's king among the units.
const KING: u8 = 0;

/// A unit with its final square and kind.
#[derive(Clone, Copy)]
struct Target {
    unit: u8,
    kind: Kind,
    to: Square,
}

/// The units of the mating side that take part in a mate.
struct Assignment<S> {
    king: Square,
    targets: SmallVec<[Target; 4]>,
    /// The neighbors of the king that hold units of its side.
    gap: S,
    /// The squares of `targets`.
    occupied: S,
    final_squares: FinalSquares<S>,
}

/// What the king's side must leave alone in the final position.
struct FinalSquares<S> {
    /// The squares on which the king's side has no unit of a kind, by kind.
    avoided: [S; 6],
    /// Squares that no unit of the king's side attacks: those of the only unit that can give check and of the
    /// mating side's king, if they are known.
    unattacked: S,
    /// The number of the only target that can give check, with the squares between it and the king.
    checker: Option<(usize, S)>,
}

/// The assignments that are possible at one position of the line.
struct Level<S> {
    /// The start in `entries`.
    start: usize,
    /// The squares of the mating side's units.
    squares: Units,
    /// The set of `squares`.
    own: S,
}

/// The squares of the mating side's units, by number.
type Units = SmallVec<[Square; 16]>;

/// Turns of the mating side and of its opponent.
type Budget = (u32, u32);

/// A possible final square of a unit, and what the unit guards there.
struct Choice {
    view: u16,
    cost: u8,
    target: Target,
}

/// The assignments of a position and of those that follow.
pub struct Assignments<'g, W: Layout> {
    board: &'g Board<W::Set>,
    mating_side: Color,
    castlings: Castlings,
    /// The distances of the mating side's units.
    attackers: Distances,
    /// The distances of the other side's units.
    blockers: Distances,
    /// Like `blockers`, if pawns cannot capture.
    blockers_without_captures: Distances,
    /// The squares from which a unit of the king's side attacks a square whatever is on the board, by kind and
    /// square.
    strikes: [Vec<W::Set>; 6],
    /// The squares on which a pawn of the mating side captures en passant.
    en_passant: W::Set,
    /// Whether the assignments have been listed, or found to be too many.
    begun: bool,
    list: Vec<Assignment<W::Set>>,
    /// The numbers of the assignments that are possible, by level.
    entries: Vec<u32>,
    levels: Vec<Level<W::Set>>,
}

/// The units of the king's side in a position.
struct Defense<S> {
    king: Blockers<S>,
    /// The units without the king, by kind.
    kinds: [S; 6],
    /// The same units. A rook that may castle is also listed on the square to which castling moves it.
    units: SmallVec<[(Kind, Square); 16]>,
    /// The number of units of the mating side.
    enemies: usize,
}

impl<'g, W: Layout> Assignments<'g, W> {
    /// Returns assignments without a position, for at most this number of turns of each side.
    pub fn new(game: &'g dyn Game<W>, mating_side: Color, (turns, helps): Budget) -> Self {
        let board = game.board();
        let other = !mating_side;
        let strikes = Kind::ALL.map(|kind| {
            let mut strikes = vec![W::Set::EMPTY; board.geometry().len()];
            for from in board.squares().iter() {
                let struck = match kind {
                    Kind::Pawn => board.pawn_captures(other, from),
                    _ => board.reach(kind, from, board.squares()),
                };
                for to in struck.iter() {
                    strikes[to.index()] |= W::Set::of(from);
                }
            }
            strikes
        });
        let distances = |color, turns: u32, captures| {
            Distances::new::<W>(&Reach::new(game, color, turns as usize, captures))
        };
        Assignments {
            board,
            mating_side,
            castlings: Castlings::new(game),
            attackers: distances(mating_side, turns, true),
            blockers: distances(other, helps, true),
            blockers_without_captures: distances(other, helps, false),
            strikes,
            en_passant: board.rank_of(other, 2),
            begun: false,
            list: Vec::new(),
            entries: Vec::new(),
            levels: Vec::new(),
        }
    }

    /// Lists the assignments of the position with which all lines begin, on the first call. Returns whether there
    /// are any, or `None` if they are not listed because there are too many.
    pub fn begin(
        &mut self,
        p: &Position<W>,
        coverage: &Coverage<W>,
        self_blocks: &SelfBlocks<W>,
        budget: Budget,
    ) -> Option<bool> {
        if std::mem::replace(&mut self.begun, true) {
            return self.len().map(|len| len > 0);
        }
        let own = p.color(self.mating_side);
        let kings = p.kind(Kind::King) & own;
        let defense = self.defense(p, self_blocks)?;
        if kings.is_empty() || kings.several() {
            return None;
        }
        let squares: Units = kings.iter().chain((own & !kings).iter()).collect();
        let mut listing = Listing {
            assignments: self,
            p,
            coverage,
            self_blocks,
            defense: &defense,
            squares: &squares,
            budget,
            king: Square(0),
            ring: 0,
            left: 0,
            fill_costs: [0; 8],
            choices: Vec::new(),
            views_within: Vec::new(),
            chosen: SmallVec::new(),
            found: Vec::new(),
            combinations_left: MAX_COMBINATIONS,
        };
        let walks = self_blocks.walks(&defense.king, budget.1 as usize) & self.board.squares();
        walks.iter().for_each(|king| listing.list_on(king));
        if listing.combinations_left == 0 {
            return None;
        }
        self.list = listing.found;
        self.entries.extend(0..self.list.len() as u32);
        self.levels.push(Level {
            start: 0,
            squares,
            own,
        });
        self.len().map(|len| len > 0)
    }

    /// Returns the number of assignments at the last position entered, or `None` if they are not listed.
    pub fn len(&self) -> Option<usize> {
        let level = self.levels.last()?;
        Some(self.entries.len() - level.start)
    }

    /// Enters the position after a turn. Returns false, and enters nothing, if no assignment is possible. If
    /// `last` is set, no position after this one may be entered.
    pub fn enter(
        &mut self,
        p: &Position<W>,
        self_blocks: &SelfBlocks<W>,
        budget: Budget,
        last: bool,
    ) -> bool {
        let Some(defense) = self.defense(p, self_blocks) else {
            return false;
        };
        let before = &self.levels[self.levels.len() - 1];
        let own = p.color(self.mating_side);
        let mut squares = before.squares.clone();
        if own != before.own {
            let kings = p.kind(Kind::King);
            let (gone, new) = (before.own & !own, own & !before.own);
            for (unit, at) in squares.iter_mut().enumerate() {
                if *at != CAPTURED && gone.has(*at) {
                    // In castling, two units move; one of them is the king.
                    let there = if unit == usize::from(KING) {
                        new & kings
                    } else {
                        new & !kings
                    };
                    *at = there.first().unwrap_or(CAPTURED);
                }
            }
        }
        let (start, end) = (before.start, self.entries.len());
        for n in start..end {
            let entry = self.entries[n];
            let assignment = &self.list[entry as usize];
            if self.is_possible(p, assignment, &squares, &defense, self_blocks, budget) {
                self.entries.push(entry);
                if last {
                    break;
                }
            }
        }
        if self.entries.len() == end {
            return false;
        }
        self.levels.push(Level {
            start: end,
            squares,
            own,
        });
        true
    }

    /// Returns to the position before the last turn.
    pub fn leave(&mut self) {
        if let Some(level) = self.levels.pop() {
            self.entries.truncate(level.start);
        }
    }

    /// Returns the units of the king's side, or `None` if they cannot be assigned.
    fn defense(&self, p: &Position<W>, self_blocks: &SelfBlocks<W>) -> Option<Defense<W::Set>> {
        let king = self_blocks.blockers(p)?;
        let mut units = SmallVec::new();
        let kinds = Kind::ALL.map(|kind| p.kind(kind) & king.units);
        for kind in Kind::ALL {
            units.extend(kinds[kind.index()].iter().map(|at| (kind, at)));
        }
        units.extend(king.aside.iter().map(|at| (Kind::Rook, at)));
        (units.len() <= MAX_BLOCKERS).then(|| Defense {
            king,
            kinds,
            units,
            enemies: p.color(self.mating_side).len() as usize,
        })
    }

    /// Returns the minimum number of turns of a unit on `from` to its target.
    fn distance(&self, p: &Position<W>, from: Square, target: Target) -> u32 {
        let kind = p.kind_on(from);
        let castled = self.castlings.of(p.rights, kind, from);
        std::iter::once((from, 0))
            .chain(castled)
            .map(|(from, cost)| {
                cost as u32 + u32::from(self.attackers.to_kind(kind, from, target.kind, target.to))
            })
            .fold(u32::MAX, u32::min)
    }

    /// Returns the minimum number of turns of a unit that already stands where it will give the only check, or
    /// `None` if it cannot give check there. `line` are the squares between it and the king.
    ///
    /// The last turn gives the check. If it does not open the line, the unit makes it: the unit leaves the square
    /// and returns, or castling takes a rook away. A pawn cannot return.
    fn turns_to_give_check(
        &self,
        p: &Position<W>,
        at: Square,
        line: W::Set,
        turns: u32,
    ) -> Option<u32> {
        let side = self.mating_side;
        if line.is_empty() {
            let returns = 2 - u32::from(p.may_castle(side));
            return (p.kind_on(at) != Kind::Pawn).then_some(returns);
        }
        let own = p.color(side);
        // An en passant capture removes two units from a line.
        let may_open = turns > 1
            || p.may_castle(side)
            || !(line & own).is_empty()
            || !(p.kind(Kind::Pawn) & own & self.board.rank_of(side, 4)).is_empty();
        may_open.then_some(0)
    }

    /// Returns the squares that a unit passes over on its way to an attacked square.
    fn line(&self, kind: Kind, from: Square, to: Square) -> W::Set {
        if kind != Kind::Pawn && self.board.leaps(kind) {
            return W::Set::EMPTY;
        }
        self.board.between(from, to)
    }

    /// Returns false only if no line from here ends in this assignment.
    fn is_possible(
        &self,
        p: &Position<W>,
        assignment: &Assignment<W::Set>,
        squares: &Units,
        defense: &Defense<W::Set>,
        self_blocks: &SelfBlocks<W>,
        (turns, helps): Budget,
    ) -> bool {
        let walk = self_blocks.walk(&defense.king, assignment.king);
        let Some(left) = (helps as usize).checked_sub(walk) else {
            return false;
        };
        let mut spent = 0;
        let mut mover = None;
        for (n, target) in assignment.targets.iter().enumerate() {
            let from = squares[usize::from(target.unit)];
            if from == CAPTURED {
                return false;
            }
            let mut cost = self.distance(p, from, *target);
            // A pawn that promotes and returns to its square needs turns in any case.
            if from == target.to
                && p.kind_on(from) == target.kind
                && let Some((checker, line)) = assignment.final_squares.checker
                && checker == n
            {
                let Some(more) = self.turns_to_give_check(p, from, line, turns) else {
                    return false;
                };
                cost = cost.max(more);
            }
            spent += cost;
            if spent > turns {
                return false;
            }
            if cost > 0 {
                mover = Some((from, target.to));
            }
        }
        let mut leaving = W::Set::EMPTY;
        let avoided = &assignment.final_squares.avoided;
        for (units, avoided) in defense.kinds.iter().zip(avoided) {
            leaving |= *units & *avoided;
        }
        let mut captured = None;
        let mut captures = turns;
        if let Some((from, to)) = mover
            && turns == 1
            && !p.may_castle(self.mating_side)
        {
            // The only turn is known, and so is the square where it captures.
            captures = 0;
            let is_pawn = p.kind_on(from) == Kind::Pawn;
            let units = defense.king.units;
            leaving |= units & self.line(p.kind_on(from), from, to);
            if is_pawn && self.board.pawn_captures(self.mating_side, from).has(to) {
                if self.en_passant.has(to) {
                    captures = 1;
                } else {
                    captured = Some(to);
                }
            }
            let pushed = is_pawn && !self.board.pawn_captures(self.mating_side, from).has(to);
            leaving = if pushed {
                leaving | units & W::Set::of(to)
            } else {
                leaving.without(to)
            };
        }
        // Castling moves a rook without a turn of its own.
        captures += u32::from(!defense.king.aside.is_empty());
        let leaving_units = leaving.len();
        if leaving_units <= captures {
            self.can_fill(assignment, captured, defense, W::Set::EMPTY, left)
        } else {
            let left = (left + captures as usize).checked_sub(leaving_units as usize);
            left.is_some_and(|left| self.can_fill(assignment, captured, defense, leaving, left))
        }
    }

    /// Returns whether units of the king's side can occupy the gap, and the square where the last turn captures,
    /// in `left` turns. The first turn of a unit in `leaving` is not counted.
    fn can_fill(
        &self,
        assignment: &Assignment<W::Set>,
        captured: Option<Square>,
        defense: &Defense<W::Set>,
        leaving: W::Set,
        left: usize,
    ) -> bool {
        let pieces = assignment
            .targets
            .iter()
            .filter(|target| target.unit != KING);
        let alone = pieces.count() + 1 == defense.enemies;
        let mut filling: Filling<W> = Filling {
            board: self.board,
            distances: if alone {
                &self.blockers_without_captures
            } else {
                &self.blockers
            },
            assignment,
            defense,
            leaving,
            alone,
            rows: SmallVec::new(),
            used: SmallVec::new(),
        };
        let mut least = 0;
        let gap = assignment.gap.iter().map(|cell| (cell, true));
        for (cell, ends) in gap.chain(captured.map(|cell| (cell, false))) {
            least += usize::from(filling.add_row(cell, ends));
            if least > left {
                return false;
            }
        }
        filling.is_possible(0, left)
    }
}

/// The assignment of units of the king's side to squares that they must occupy.
struct Filling<'f, W: Layout> {
    board: &'f Board<W::Set>,
    distances: &'f Distances,
    assignment: &'f Assignment<W::Set>,
    defense: &'f Defense<W::Set>,
    /// Units whose first turn is not counted.
    leaving: W::Set,
    /// Whether the mating side has no units that are not assigned.
    alone: bool,
    /// The squares, with the cost of each unit.
    rows: SmallVec<[(Square, [u8; MAX_BLOCKERS]); 8]>,
    /// The units assigned to the first rows.
    used: SmallVec<[usize; 8]>,
}

impl<W: Layout> Filling<'_, W> {
    /// Adds a square. `ends` is whether its unit is there in the final position. Returns the least cost.
    fn add_row(&mut self, cell: Square, ends: bool) -> u8 {
        let mut row = [u8::MAX; MAX_BLOCKERS];
        let avoided = &self.assignment.final_squares.avoided;
        let kinds = || {
            Kind::ALL
                .into_iter()
                .filter(|kind| !avoided[kind.index()].has(cell))
        };
        let mut least = u8::MAX;
        for (cost, &(kind, from)) in row.iter_mut().zip(&self.defense.units) {
            *cost = if ends {
                let costs =
                    kinds().map(|becomes| self.distances.to_kind(kind, from, becomes, cell));
                costs.fold(u8::MAX, u8::min)
            } else {
                self.distances.to(kind, from, cell)
            };
            *cost = self.counted(*cost, from);
            least = least.min(*cost);
        }
        self.rows.push((cell, row));
        least
    }

    /// Returns the turns that are counted for a unit that makes `turns`.
    fn counted(&self, turns: u8, from: Square) -> u8 {
        if self.leaving.has(from) && turns < u8::MAX {
            turns.saturating_sub(1)
        } else {
            turns
        }
    }

    /// Returns whether units can be assigned to the rows from number `n` on, with `left` turns.
    fn is_possible(&mut self, n: usize, left: usize) -> bool {
        if n == self.rows.len() {
            return self.can_shield(left);
        }
        for unit in 0..self.defense.units.len() {
            let cost = usize::from(self.rows[n].1[unit]);
            if cost > left || self.used.contains(&unit) {
                continue;
            }
            self.used.push(unit);
            let possible = self.is_possible(n + 1, left - cost);
            self.used.pop();
            if possible {
                return true;
            }
        }
        false
    }

    /// Returns whether each assigned slider whose line to a square that must not be attacked is open can be
    /// shut off by a unit that is not assigned.
    fn can_shield(&self, left: usize) -> bool {
        let unattacked = self.assignment.final_squares.unattacked;
        if !self.alone || unattacked.is_empty() {
            return true;
        }
        let king = self.assignment.king;
        let occupied = (self.assignment.gap | self.assignment.occupied | unattacked).with(king);
        let units = &self.defense.units;
        self.rows.iter().zip(&self.used).all(|(&(cell, _), &unit)| {
            let (kind, _) = units[unit];
            if kind == Kind::Pawn || !self.assignment.gap.has(cell) {
                return true;
            }
            let attacked = self.board.slide(kind, cell, occupied) & unattacked;
            attacked.iter().all(|at| {
                let between = self.board.between(cell, at);
                let others = units
                    .iter()
                    .enumerate()
                    .filter(|(n, _)| !self.used.contains(n));
                let mut costs = others.flat_map(|(_, &(kind, from))| {
                    let to = move |at| self.counted(self.distances.to(kind, from, at), from);
                    between.iter().map(to)
                });
                costs.any(|cost| usize::from(cost) <= left)
            })
        })
    }
}

/// The listing of the assignments of one position.
struct Listing<'l, 'g, W: Layout> {
    assignments: &'l Assignments<'g, W>,
    p: &'l Position<W>,
    coverage: &'l Coverage<W>,
    self_blocks: &'l SelfBlocks<W>,
    defense: &'l Defense<W::Set>,
    squares: &'l Units,
    budget: Budget,
    /// The king's final square, and the bits of its neighbors.
    king: Square,
    ring: u16,
    /// The turns that the king leaves to its side.
    left: usize,
    /// The minimum number of turns in which a unit occupies a neighbor, by bit.
    fill_costs: [u8; 8],
    /// The choices of each unit, the units with the most choices last.
    choices: Vec<Vec<Choice>>,
    /// What the units from a number on can guard within a number of turns: by number, then by turns.
    views_within: Vec<Vec<u16>>,
    chosen: SmallVec<[(u16, Target); 8]>,
    found: Vec<Assignment<W::Set>>,
    combinations_left: u32,
}

impl<W: Layout> Listing<'_, '_, W> {
    /// Lists the assignments with the king on a square.
    fn list_on(&mut self, king: Square) {
        let (turns, helps) = self.budget;
        let walk = self.self_blocks.walk(&self.defense.king, king);
        let Some(left) = (helps as usize).checked_sub(walk) else {
            return;
        };
        (self.king, self.left) = (king, left);
        self.ring = self.coverage.ring(king);
        for (bit, cost) in self.fill_costs.iter_mut().enumerate() {
            let cells = self.coverage.cells(king, 1 << bit);
            let distances = &self.assignments.blockers;
            let units = self.defense.units.iter();
            let costs = units.map(|&(kind, from)| distances.to(kind, from, cells.lowest()));
            *cost = costs.fold(u8::MAX, u8::min);
        }
        let squares = self.squares;
        self.choices = (0..squares.len() as u8)
            .map(|unit| self.choices_of(unit))
            .filter(|choices| !choices.is_empty())
            .collect();
        self.choices.sort_by_key(Vec::len);
        self.views_within = vec![vec![0; turns as usize + 1]; self.choices.len() + 1];
        for n in (0..self.choices.len()).rev() {
            for within in 0..=turns as usize {
                let able = self.choices[n]
                    .iter()
                    .filter(|choice| usize::from(choice.cost) <= within);
                let views = able.fold(self.views_within[n + 1][within], |all, choice| {
                    all | choice.view
                });
                self.views_within[n][within] = views;
            }
        }
        self.explore(0, 0, turns as usize);
    }

    /// Returns the final squares from which a unit guards something, by cost.
    fn choices_of(&self, unit: u8) -> Vec<Choice> {
        let from = self.squares[usize::from(unit)];
        let mut choices = Vec::new();
        for becomes in Kind::ALL {
            for to in self.assignments.board.squares().iter() {
                let view = self.coverage.view(becomes, to, self.king);
                if view == BARRED || view & (RING | MARK) == 0 {
                    continue;
                }
                let target = Target {
                    unit,
                    kind: becomes,
                    to,
                };
                let cost = self.assignments.distance(self.p, from, target);
                if cost <= self.budget.0 {
                    choices.push(Choice {
                        view,
                        cost: cost as u8,
                        target,
                    });
                }
            }
        }
        choices
    }

    /// Explores the choices of the units from number `n` on. `view` is what the units before guard, and `left`
    /// are the turns that they leave.
    fn explore(&mut self, n: usize, view: u16, left: usize) {
        self.combinations_left = self.combinations_left.saturating_sub(1);
        if self.combinations_left == 0 {
            return;
        }
        let possible = view | self.views_within[n][left];
        if possible & MARK == 0 || !self.can_leave(self.ring & !possible) {
            return;
        }
        if n == self.choices.len() {
            self.add(view);
            return;
        }
        self.explore(n + 1, view, left);
        for choice in 0..self.choices[n].len() {
            let &Choice {
                view: more,
                cost,
                target,
            } = &self.choices[n][choice];
            let cost = usize::from(cost);
            // A unit that adds nothing is not in the smallest choice of units.
            if cost > left || more & !view & RING == 0 && more & MARK == 0 {
                continue;
            }
            self.chosen.push((more, target));
            self.explore(n + 1, view | more, left - cost);
            self.chosen.pop();
        }
    }

    /// Returns whether each neighbor of a set can be occupied, taken on its own.
    fn can_leave(&self, open: u16) -> bool {
        let costs = self.fill_costs.iter().enumerate();
        let costs = costs.filter(|(bit, _)| open >> bit & 1 == 1);
        costs.map(|(_, &cost)| usize::from(cost)).sum::<usize>() <= self.left
    }

    /// Adds the assignment of the chosen units if it is possible.
    fn add(&mut self, view: u16) {
        let union = |set: &[(u16, Target)]| set.iter().fold(0, |all, (view, _)| all | view);
        for n in 0..self.chosen.len() {
            let others = union(&self.chosen[..n]) | union(&self.chosen[n + 1..]);
            if self.chosen[n].0 & MARK == 0 && self.chosen[n].0 & !others & RING == 0 {
                return;
            }
        }
        let (king, assignments) = (self.king, self.assignments);
        let mut occupied = W::Set::EMPTY;
        for (_, target) in &self.chosen {
            if occupied.has(target.to) {
                return;
            }
            occupied = occupied.with(target.to);
        }
        let gap = self.coverage.cells(king, (self.ring & !view) as u8);
        if !(gap & occupied).is_empty() {
            return;
        }
        let Some(final_squares) = self.final_squares(gap, occupied) else {
            return;
        };
        let assignment = Assignment {
            king,
            targets: self.chosen.iter().map(|(_, target)| *target).collect(),
            gap,
            occupied,
            final_squares,
        };
        if !assignments.is_possible(
            self.p,
            &assignment,
            self.squares,
            self.defense,
            self.self_blocks,
            self.budget,
        ) {
            return;
        }
        if self.found.len() >= MAX_ASSIGNMENTS {
            self.combinations_left = 0;
            return;
        }
        self.found.push(assignment);
    }

    /// Returns what the king's side must leave alone, or `None` if no chosen unit gives check. `occupied` are the
    /// squares of the chosen units.
    fn final_squares(&self, gap: W::Set, occupied: W::Set) -> Option<FinalSquares<W::Set>> {
        let assignments = self.assignments;
        let board = assignments.board;
        let marked = || self.chosen.iter().filter(|(view, _)| view & MARK > 0);
        let line = |target: &Target| assignments.line(target.kind, target.to, self.king);
        let mut checkers = (self.chosen.iter().enumerate())
            .filter(|(_, (view, target))| {
                view & MARK > 0 && (line(target) & (gap | occupied)).is_empty()
            })
            .map(|(n, (_, target))| (n, target));
        let (number, checker) = checkers.next()?;
        let mut only = None;
        let mut avoided = [W::Set::EMPTY; 6];
        let mut unattacked = W::Set::EMPTY;
        if checkers.next().is_none() {
            let others = marked().filter(|(_, target)| target.to != checker.to);
            let pinned = others.fold(W::Set::EMPTY, |set, (_, target)| set | line(target));
            let between = line(checker);
            only = Some((number, between));
            if marked().count() == 1 {
                unattacked = unattacked.with(checker.to);
            }
            for kind in Kind::ALL {
                let strikes = &assignments.strikes[kind.index()];
                let mut from = strikes[checker.to.index()];
                if kind == Kind::Pawn {
                    from |= board.pushed(between, assignments.mating_side);
                } else {
                    from = between
                        .iter()
                        .fold(from, |all, at| all | strikes[at.index()]);
                }
                if kind != Kind::King {
                    avoided[kind.index()] = from & !pinned | between;
                }
            }
        }
        if let Some(king) = self.final_king() {
            unattacked = unattacked.with(king);
            for kind in Kind::ALL {
                avoided[kind.index()] |= assignments.strikes[kind.index()][king.index()];
            }
        }
        Some(FinalSquares {
            avoided,
            unattacked,
            checker: only,
        })
    }

    /// Returns the final square of the mating side's king if it is known.
    fn final_king(&self) -> Option<Square> {
        let targets = self.chosen.iter().map(|(_, target)| target);
        if let Some(king) = targets.clone().find(|target| target.unit == KING) {
            return Some(king.to);
        }
        let at = self.squares[usize::from(KING)];
        let spent: u32 = targets
            .map(|target| {
                let from = self.squares[usize::from(target.unit)];
                self.assignments.distance(self.p, from, *target)
            })
            .sum();
        (spent == self.budget.0 && !self.p.may_castle(self.assignments.mating_side)).then_some(at)
    }
}
