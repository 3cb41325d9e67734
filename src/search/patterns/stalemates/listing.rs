//! The listing of the placements of one position: each square that must be occupied, and each unit, is settled in all
//! possible ways.

use super::{Budget, Fate, Placement, Sides, Stalemates};
use crate::patterns::coverage::BARRED;
use crate::patterns::guards::{Guarding, Guards, Target};
use crate::patterns::narrowing::KING;
use board::{Color, Kind, Square, Squares};
use position::Layout;
use smallvec::SmallVec;

/// The maximum number of placements of one position.
const MAX_PLACEMENTS: usize = 1 << 14;
/// The maximum number of combinations examined for one position.
const MAX_COMBINATIONS: u32 = 200_000;

/// The squares of an unfinished placement, and what is left for the rest.
#[derive(Clone, Copy)]
struct Rest<S> {
    /// The squares of the units that are placed, with the king.
    filled: S,
    /// Other squares that must hold a unit of the king's side.
    needed: S,
    /// The squares of the stalemating side's units that are placed.
    barred: S,
    turns: u32,
    helps: u32,
    captures: u32,
}

/// The listing of the placements of one position.
pub struct Listing<'l, 'g, W: Layout> {
    tables: &'l Stalemates<'g, W>,
    side: &'l Guarding<'l, W>,
    sides: &'l Sides<W::Set>,
    budget: Budget,
    /// The maximum number of units that the stalemating side can pin.
    pins: u32,
    /// The numbers of the units of the king's side in the order in which they are placed: those that are hardest to
    /// wall in first.
    order: Vec<usize>,
    king: Square,
    attackers: SmallVec<[Target; 4]>,
    fates: SmallVec<[Fate; 16]>,
    /// The pinned units, with the squares between the king and the pinning unit.
    pinned: SmallVec<[(Square, W::Set); 4]>,
    combinations_left: u32,
    found: Vec<Placement<W::Set>>,
}

impl<'l, 'g, W: Layout> Listing<'l, 'g, W> {
    /// Returns an empty listing.
    pub fn new(
        tables: &'l Stalemates<'g, W>,
        side: &'l Guarding<'l, W>,
        sides: &'l Sides<W::Set>,
        budget: Budget,
    ) -> Self {
        let units = &sides.defenders[1..];
        let steps = |n: &usize| {
            let at = units[*n];
            tables.mobility.steps(side.p.kind_on(at), at).len()
        };
        let mut order: Vec<usize> = (0..units.len()).collect();
        order.sort_by_key(|n| std::cmp::Reverse(steps(n)));
        Listing {
            tables,
            side,
            sides,
            budget,
            pins: tables
                .mobility
                .pins(side.p, tables.stalemating_side, budget.0),
            order,
            king: Square(0),
            attackers: SmallVec::new(),
            fates: SmallVec::from_elem(Fate::Open, units.len()),
            pinned: SmallVec::new(),
            combinations_left: MAX_COMBINATIONS,
            found: Vec::new(),
        }
    }

    /// Returns all placements, or `None` if there are too many.
    pub fn list(mut self) -> Option<Vec<Placement<W::Set>>> {
        for king in self.tables.board.squares().iter() {
            self.list_on(king);
            if self.combinations_left == 0 {
                return None;
            }
        }
        Some(self.found)
    }

    /// Returns the minimum number of turns of a unit of the king's side to a square.
    fn distance_to(&self, unit: usize, to: Square) -> u32 {
        let from = self.sides.defenders[unit + 1];
        self.tables
            .castlings
            .distance_to(&self.tables.defenders, self.side.p, from, to)
    }

    /// Returns the numbers of the units of the king's side that are not placed yet.
    fn open(&self) -> impl Iterator<Item = usize> {
        let open = |n: &&usize| self.fates[**n] == Fate::Open;
        self.order.iter().filter(open).copied()
    }

    /// Lists the placements with the king on a square.
    fn list_on(&mut self, king: Square) {
        let (turns, helps) = self.budget;
        let target = Target {
            unit: KING,
            kind: Kind::King,
            to: king,
        };
        let from = self.sides.defenders[usize::from(KING)];
        let walk =
            self.tables
                .castlings
                .distance(&self.tables.defenders, self.side.p, from, target);
        let Some(left) = helps.checked_sub(walk) else {
            return;
        };
        self.king = king;
        let fill_costs = [0, 1, 2, 3, 4, 5, 6, 7].map(|bit| {
            let cell = self.side.coverage.cells(king, 1 << bit).lowest();
            let costs = (0..self.fates.len()).map(|unit| self.distance_to(unit, cell));
            costs.fold(u32::from(u8::MAX), u32::min) as u8
        });
        let mut guards = Guards::new(self.side, king, 0, fill_costs, left as usize);
        let mut combinations_left = self.combinations_left;
        guards.each(turns, &mut combinations_left, &mut |chosen, open| {
            self.place_around(chosen, self.side.coverage.cells(king, open), left);
            self.combinations_left > 0
        });
        self.combinations_left = self.combinations_left.min(combinations_left);
    }

    /// Lists the placements with these guards. `gap` are the neighbors of the king that they leave.
    fn place_around(&mut self, guards: &[(u16, Target)], gap: W::Set, helps: u32) {
        self.attackers = guards.iter().map(|(_, target)| *target).collect();
        let squares = self.attackers.iter().map(|target| target.to);
        let barred = squares.fold(W::Set::EMPTY, W::Set::with);
        let spent: u32 = self.attackers.iter().map(|&t| self.side.distance(t)).sum();
        if (gap & barred).is_empty() && spent <= self.budget.0 {
            self.place(Rest {
                filled: W::Set::of(self.king),
                needed: gap,
                barred,
                turns: self.budget.0 - spent,
                helps,
                captures: self.budget.0,
            });
        }
    }

    /// Places the next unit in all possible ways.
    fn place(&mut self, rest: Rest<W::Set>) {
        self.combinations_left = self.combinations_left.saturating_sub(1);
        if self.combinations_left == 0 || self.must_move(&rest) {
            return;
        }
        // The square for which there are the fewest units comes first.
        let (mut next, mut fewest, mut least) = (None, usize::MAX, 0);
        for cell in rest.needed.iter() {
            let (mut able, mut cost) = (0, u32::MAX);
            for unit in self.open() {
                let distance = self.distance_to(unit, cell);
                if distance <= rest.helps {
                    able += 1;
                    cost = cost.min(distance);
                }
            }
            if able == 0 {
                return;
            }
            least += cost;
            if able < fewest {
                (next, fewest) = (Some(cell), able);
            }
        }
        if least > rest.helps {
            return;
        }
        if let Some(cell) = next {
            for n in 0..self.order.len() {
                let unit = self.order[n];
                if self.fates[unit] == Fate::Open && self.distance_to(unit, cell) <= rest.helps {
                    self.put(unit, cell, rest);
                }
            }
            return;
        }
        let Some(unit) = self.open().next() else {
            return self.add(&rest);
        };
        if rest.captures > 0 {
            self.fates[unit] = Fate::Captured;
            self.place(Rest {
                captures: rest.captures - 1,
                ..rest
            });
            self.fates[unit] = Fate::Open;
        }
        let vacant = self.tables.board.squares() & !(rest.filled | rest.barred);
        for to in vacant.iter() {
            if self.distance_to(unit, to) <= rest.helps {
                self.put(unit, to, rest);
            }
        }
    }

    /// Returns true only if more units must move, or be captured or pinned, than can be.
    fn must_move(&self, rest: &Rest<W::Set>) -> bool {
        let home = |unit: usize| self.sides.defenders[unit + 1];
        let homes = self.open().map(home).fold(rest.filled, W::Set::with);
        // Castling moves a rook without a turn of its own.
        let castles = u32::from(self.side.p.may_castle(!self.tables.stalemating_side));
        let wild = self.open().filter(|&unit| {
            let at = home(unit);
            let steps = self.tables.mobility.steps(self.side.p.kind_on(at), at);
            (steps & !homes).len() > rest.helps + castles
        });
        wild.count() as u32 > rest.helps + castles + rest.captures + self.pins
    }

    /// Puts a unit of the king's side on a square, as each kind that it can have there, and leaves it without a turn
    /// in all possible ways.
    fn put(&mut self, unit: usize, to: Square, rest: Rest<W::Set>) {
        let from = self.sides.defenders[unit + 1];
        for kind in Kind::ALL {
            let target = Target { unit: 0, kind, to };
            let cost =
                self.tables
                    .castlings
                    .distance(&self.tables.defenders, self.side.p, from, target);
            if cost > rest.helps || kind == Kind::King {
                continue;
            }
            self.fates[unit] = Fate::On(kind, to);
            self.immobilize(
                kind,
                to,
                Rest {
                    filled: rest.filled.with(to),
                    needed: rest.needed.without(to),
                    helps: rest.helps - cost,
                    ..rest
                },
            );
        }
        self.fates[unit] = Fate::Open;
    }

    /// Leaves a unit that has been placed without a turn, in all possible ways.
    fn immobilize(&mut self, kind: Kind, at: Square, rest: Rest<W::Set>) {
        if kind == Kind::Pawn {
            let side = !self.tables.stalemating_side;
            let ahead = self.tables.board.pushed(W::Set::of(at), side);
            // The edge and a hole of the board block, too.
            if (ahead & !(rest.filled | rest.barred)).is_empty() {
                return self.place(rest);
            }
            if !(ahead & rest.needed).is_empty() {
                return self.place(rest);
            }
            self.place(Rest {
                needed: rest.needed | ahead,
                ..rest
            });
            self.attack_from(ahead, rest, |_, _| true, |this, rest, _| this.place(rest));
        } else {
            let steps = self.tables.mobility.steps(kind, at);
            if (steps & rest.barred).is_empty() {
                self.place(Rest {
                    needed: rest.needed | steps & !rest.filled,
                    ..rest
                });
            }
        }
        if self.pins > 0 {
            self.pin(kind, at, rest);
        }
    }

    /// Places a unit of the stalemating side that has no target yet on one of these squares, in all ways for which
    /// `suits` holds.
    fn attack_from(
        &mut self,
        squares: W::Set,
        rest: Rest<W::Set>,
        suits: impl Fn(Kind, Square) -> bool,
        work: impl Fn(&mut Self, Rest<W::Set>, Square),
    ) {
        let vacant = squares & !(rest.filled | rest.needed | rest.barred);
        for unit in 0..self.side.units.len() as u8 {
            if self.attackers.iter().any(|target| target.unit == unit) {
                continue;
            }
            for kind in Kind::ALL {
                for to in vacant.iter() {
                    let target = Target { unit, kind, to };
                    if !suits(kind, to) || self.side.coverage.view(kind, to, self.king) == BARRED {
                        continue;
                    }
                    let cost = self.side.distance(target);
                    if cost > rest.turns {
                        continue;
                    }
                    self.attackers.push(target);
                    let rest = Rest {
                        barred: rest.barred.with(to),
                        turns: rest.turns - cost,
                        ..rest
                    };
                    work(self, rest, to);
                    self.attackers.pop();
                }
            }
        }
    }

    /// Pins a unit in all possible ways.
    fn pin(&mut self, kind: Kind, at: Square, rest: Rest<W::Set>) {
        let (board, king) = (self.tables.board, self.king);
        let side = !self.tables.stalemating_side;
        let (moves, captures) = match kind {
            Kind::Pawn => (
                board.pushed(W::Set::of(at), side),
                board.pawn_captures(side, at),
            ),
            _ => {
                let steps = self.tables.mobility.steps(kind, at);
                (steps, steps)
            }
        };
        let pins = |slider: Kind, from: Square| {
            board.slides(slider).is_some()
                && board.slide(slider, from, W::Set::EMPTY).has(king)
                && board.between(from, king).has(at)
                && (moves & board.between(from, king)).is_empty()
                && !captures.has(from)
        };
        for n in 0..self.attackers.len() {
            let Target { kind, to, .. } = self.attackers[n];
            if pins(kind, to) {
                self.place_pinned(at, to, rest);
            }
        }
        let work = |this: &mut Self, rest, from| this.place_pinned(at, from, rest);
        self.attack_from(board.squares(), rest, pins, work);
    }

    /// Continues with a unit that is pinned by a unit on `from`.
    fn place_pinned(&mut self, at: Square, from: Square, rest: Rest<W::Set>) {
        let line = self.tables.board.between(from, self.king);
        self.pinned.push((at, line));
        self.place(rest);
        self.pinned.pop();
    }

    /// Adds the placement if it is possible.
    fn add(&mut self, rest: &Rest<W::Set>) {
        let occupied = rest.filled;
        let pinned = |(at, line): &(Square, W::Set)| {
            (*line & (occupied | rest.barred)).without(*at).is_empty()
        };
        if !self.pinned.iter().all(pinned)
            || rest.turns == 0 && !self.is_stalemate(occupied, rest.barred)
        {
            return;
        }
        let placement = Placement {
            king: self.king,
            attackers: self.attackers.clone(),
            fates: self.fates.clone(),
            occupied,
        };
        if self
            .tables
            .is_possible(self.side.p, &placement, self.sides, self.budget)
        {
            self.found.push(placement);
        }
        if self.found.len() > MAX_PLACEMENTS {
            self.combinations_left = 0;
        }
    }

    /// Returns false only if a king is attacked or the stalemated king has a flight, when the placed units of the other
    /// side need all its turns. `occupied` are the final squares of the king's side, and `barred` those of the placed
    /// units.
    fn is_stalemate(&self, occupied: W::Set, barred: W::Set) -> bool {
        let (p, board) = (self.side.p, self.tables.board);
        let color = self.tables.stalemating_side;
        if p.may_castle(color) {
            return true;
        }
        let attacks_of = |color: Color, kind: Kind, from: Square, blocked: W::Set| match kind {
            Kind::Pawn => board.pawn_captures(color, from),
            _ => board.reach(kind, from, blocked),
        };
        let attacks = |kind, from, blocked| attacks_of(color, kind, from, blocked);
        // A unit without a target may be on its square or have been captured.
        let others = self.side.units.iter().enumerate();
        let others = others.filter(|(n, _)| {
            let n = *n as u8;
            self.attackers.iter().all(|target| target.unit != n)
        });
        let stays = |(_, &at): (usize, &Square)| (p.kind_on(at), at);
        let mut guarded = W::Set::EMPTY;
        let lines = occupied.without(self.king);
        let mut blocked = occupied | barred;
        for (kind, at) in others.map(stays).filter(|(_, at)| !occupied.has(*at)) {
            guarded |= attacks(kind, at, lines);
            blocked = blocked.with(at);
        }
        for target in &self.attackers {
            guarded |= attacks(target.kind, target.to, lines);
            if attacks(target.kind, target.to, blocked).has(self.king) {
                return false;
            }
        }
        let targets = self.attackers.iter();
        let king = targets.clone().find(|target| target.unit == KING);
        let king = king.map_or(self.side.units[usize::from(KING)], |target| target.to);
        let in_check = self.fates.iter().any(|fate| match *fate {
            Fate::On(kind, at) => attacks_of(!color, kind, at, blocked).has(king),
            _ => false,
        });
        !in_check && (board.neighbors(self.king) & !occupied & !guarded).is_empty()
    }
}
