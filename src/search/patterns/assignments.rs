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
use super::coverage::{Coverage, MARK};
use super::guards::{Guarding, Guards, Target};
use super::narrowing::{CAPTURED, KING, Narrowing, Units, follow};
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

/// The units of the mating side at one position of the line.
struct Attackers<S> {
    squares: Units,
    /// The set of `squares`.
    own: S,
}

/// Turns of the mating side and of its opponent.
type Budget = (u32, u32);

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
    kept: Narrowing<Assignment<W::Set>, Attackers<W::Set>>,
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
            kept: Narrowing::default(),
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
            side: Guarding {
                p,
                board: self.board,
                coverage,
                castlings: &self.castlings,
                distances: &self.attackers,
                units: &squares,
                turns: budget.0,
            },
            self_blocks,
            defense: &defense,
            budget,
            king: Square(0),
            found: Vec::new(),
        };
        let walks = self_blocks.walks(&defense.king, budget.1 as usize) & self.board.squares();
        let mut combinations_left = MAX_COMBINATIONS;
        for king in walks.iter() {
            listing.list_on(king, &mut combinations_left);
            if combinations_left == 0 {
                return None;
            }
        }
        let found = listing.found;
        self.kept.begin(found, Attackers { squares, own });
        self.len().map(|len| len > 0)
    }

    /// Returns the number of assignments at the last position entered, or `None` if they are not listed.
    pub fn len(&self) -> Option<usize> {
        self.kept.len()
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
        let Some(before) = self.kept.last() else {
            return false;
        };
        let own = p.color(self.mating_side);
        let mut squares = before.squares.clone();
        follow(&mut squares, before.own, own, p.kind(Kind::King));
        // Taken out, because the test of an assignment reads the tables next to it.
        let mut kept = std::mem::take(&mut self.kept);
        let possible = |assignment: &Assignment<_>, level: &Attackers<_>| {
            self.is_possible(p, assignment, &level.squares, &defense, self_blocks, budget)
        };
        let entered = kept.enter(Attackers { squares, own }, last, possible);
        self.kept = kept;
        entered
    }

    /// Returns to the position before the last turn.
    pub fn leave(&mut self) {
        self.kept.leave();
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
            let mut cost = self.castlings.distance(&self.attackers, p, from, *target);
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
        let kinds = Kind::ALL
            .into_iter()
            .filter(|kind| !avoided[kind.index()].has(cell));
        let kinds = kinds.fold(0, |set, kind| set | 1 << kind.index());
        let mut least = u8::MAX;
        for (cost, &(kind, from)) in row.iter_mut().zip(&self.defense.units) {
            *cost = if ends {
                self.distances.to_kinds(kind, from, kinds, cell)
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
    side: Guarding<'l, W>,
    self_blocks: &'l SelfBlocks<W>,
    defense: &'l Defense<W::Set>,
    budget: Budget,
    /// The king's final square.
    king: Square,
    found: Vec<Assignment<W::Set>>,
}

impl<W: Layout> Listing<'_, '_, W> {
    /// Lists the assignments with the king on a square. `combinations_left` becomes 0 if there are too many.
    fn list_on(&mut self, king: Square, combinations_left: &mut u32) {
        let (turns, helps) = self.budget;
        let walk = self.self_blocks.walk(&self.defense.king, king);
        let Some(left) = (helps as usize).checked_sub(walk) else {
            return;
        };
        self.king = king;
        let fill_costs = [0, 1, 2, 3, 4, 5, 6, 7].map(|bit| {
            let cell = self.side.coverage.cells(king, 1 << bit).lowest();
            let distances = &self.assignments.blockers;
            let units = self.defense.units.iter();
            let costs = units.map(|&(kind, from)| distances.to(kind, from, cell));
            costs.fold(u8::MAX, u8::min)
        });
        let mut guards = Guards::new(&self.side, king, MARK, fill_costs, left);
        let mut full = false;
        guards.each(turns, combinations_left, &mut |chosen, open| {
            full = !self.add(chosen, open);
            !full
        });
        if full {
            *combinations_left = 0;
        }
    }

    /// Adds the assignment of the chosen units, which do not guard the neighbors `open`, if it is possible. Returns
    /// false if there are too many assignments.
    fn add(&mut self, chosen: &[(u16, Target)], open: u8) -> bool {
        let (king, assignments) = (self.king, self.assignments);
        let squares = chosen.iter().map(|(_, target)| target.to);
        let occupied = squares.fold(W::Set::EMPTY, W::Set::with);
        let gap = self.side.coverage.cells(king, open);
        if !(gap & occupied).is_empty() {
            return true;
        }
        let Some(final_squares) = self.final_squares(chosen, gap, occupied) else {
            return true;
        };
        let assignment = Assignment {
            king,
            targets: chosen.iter().map(|(_, target)| *target).collect(),
            gap,
            occupied,
            final_squares,
        };
        if !assignments.is_possible(
            self.side.p,
            &assignment,
            self.side.units,
            self.defense,
            self.self_blocks,
            self.budget,
        ) {
            return true;
        }
        self.found.push(assignment);
        self.found.len() <= MAX_ASSIGNMENTS
    }

    /// Returns what the king's side must leave alone, or `None` if no chosen unit gives check. `occupied` are the
    /// squares of the chosen units.
    fn final_squares(
        &self,
        chosen: &[(u16, Target)],
        gap: W::Set,
        occupied: W::Set,
    ) -> Option<FinalSquares<W::Set>> {
        let assignments = self.assignments;
        let board = assignments.board;
        let marked = || chosen.iter().filter(|(view, _)| view & MARK > 0);
        let line = |target: &Target| assignments.line(target.kind, target.to, self.king);
        let mut checkers = (chosen.iter().enumerate())
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
        if let Some(king) = self.final_king(chosen) {
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
    fn final_king(&self, chosen: &[(u16, Target)]) -> Option<Square> {
        let targets = chosen.iter().map(|(_, target)| target);
        if let Some(king) = targets.clone().find(|target| target.unit == KING) {
            return Some(king.to);
        }
        let at = self.side.units[usize::from(KING)];
        let spent: u32 = targets.map(|target| self.side.distance(*target)).sum();
        (spent == self.budget.0 && !self.side.p.may_castle(self.assignments.mating_side))
            .then_some(at)
    }
}
