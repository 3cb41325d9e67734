//! Final positions of stalemates, for a search that begins at the end.
//!
//! Consider the final position of a line. Some units of the stalemating side, of which none can be left out, view
//! together as many neighbors of the king as all its units; see [`guards`](super::guards). Each other neighbor holds
//! a unit of the king's side. Each unit of the king's side that is not captured has no turn:
//!
//! * A pawn is blocked by a unit in front of it, or it is pinned.
//! * A piece is *walled in*, which means that each square of its shortest steps holds a unit of its own side, or it
//!   is pinned.
//! * A pinned unit is the only unit between the king and a slider of the other side. It does not move along this
//!   line, so the slider cannot be captured.
//!
//! A [`Placement`] is the king's square, the final squares of all units of its side, and those of the units of the
//! other side that guard, block a pawn or pin. The listing settles one square or unit after the other: each square
//! that must be occupied takes one of the units, and each unit then requires the squares that wall it in. So every
//! final position has a placement in the list. A position is pruned if none of them can be reached: the distances of
//! all units that are placed must fit in the numbers of turns, and the stalemating side captures the others, at most
//! one in each turn.
//!
//! If the stalemating side has one turn left, and it is known which unit makes it, then it captures on its target. If
//! the placed units need all turns of their side, the other units of the side remain where they are, or have been
//! captured. Then each neighbor of the king that is not occupied is guarded on the line as it is, and no placed unit
//! attacks the king.

use super::castling::Castlings;
use super::coverage::{BARRED, Coverage};
use super::guards::{Guarding, Guards, Target};
use super::mobility::Mobility;
use super::narrowing::{CAPTURED, KING, Narrowing, Units, follow};
use super::reach::{Distances, Reach};
use board::{Board, Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::Game;
use smallvec::SmallVec;

/// The maximum number of placements of one position.
const MAX_PLACEMENTS: usize = 1 << 14;
/// The maximum number of combinations examined for one position.
const MAX_COMBINATIONS: u32 = 200_000;

/// What becomes of a unit of the king's side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Not decided yet, during the listing.
    Open,
    Captured,
    On(Kind, Square),
}

/// The final squares of the units that take part in a stalemate.
struct Placement<S> {
    king: Square,
    /// The units of the stalemating side that guard, block or pin.
    attackers: SmallVec<[Target; 4]>,
    /// The units of the king's side, by number. The king, number 0, is left out.
    fates: SmallVec<[Fate; 16]>,
    /// The final squares of the king's side.
    occupied: S,
}

/// The units of both sides at one position of the line.
struct Sides<S> {
    attackers: Units,
    defenders: Units,
    /// The sets of the squares of `attackers` and `defenders`.
    sets: [S; 2],
}

/// Turns of the stalemating side and of its opponent.
type Budget = (u32, u32);

/// The placements of a position and of those that follow.
pub struct Stalemates<'g, W: Layout> {
    board: &'g Board<W::Set>,
    stalemating_side: Color,
    castlings: Castlings,
    attackers: Distances,
    defenders: Distances,
    mobility: Mobility<W::Set>,
    /// The squares on which a pawn of the stalemating side captures en passant.
    en_passant: W::Set,
    /// Whether the placements have been listed, or found to be too many.
    begun: bool,
    kept: Narrowing<Placement<W::Set>, Sides<W::Set>>,
}

impl<'g, W: Layout> Stalemates<'g, W> {
    /// Returns placements without a position, for at most this number of turns of each side.
    pub fn new(game: &'g dyn Game<W>, stalemating_side: Color, (turns, helps): Budget) -> Self {
        let board = game.board();
        let distances =
            |color, turns: u32| Distances::new(&Reach::new(game, color, turns as usize, true));
        Stalemates {
            board,
            stalemating_side,
            castlings: Castlings::new(game),
            attackers: distances(stalemating_side, turns),
            defenders: distances(!stalemating_side, helps),
            mobility: Mobility::new(board),
            en_passant: board.rank_of(!stalemating_side, 2),
            begun: false,
            kept: Narrowing::default(),
        }
    }

    /// Lists the placements of the position with which all lines begin, on the first call. Returns whether there are
    /// any, or `None` if they are not listed because there are too many.
    pub fn begin(
        &mut self,
        p: &Position<W>,
        coverage: &Coverage<W>,
        budget: Budget,
    ) -> Option<bool> {
        if std::mem::replace(&mut self.begun, true) {
            return self.len().map(|len| len > 0);
        }
        let sides = self.sides(p)?;
        let side = Guarding {
            p,
            board: self.board,
            coverage,
            castlings: &self.castlings,
            distances: &self.attackers,
            units: &sides.attackers,
            turns: budget.0,
        };
        let found = Listing::new(self, &side, &sides, budget).list()?;
        self.kept.begin(found, sides);
        self.len().map(|len| len > 0)
    }

    /// Returns the number of placements at the last position entered, or `None` if they are not listed.
    pub fn len(&self) -> Option<usize> {
        self.kept.len()
    }

    /// Enters the position after a turn. Returns false, and enters nothing, if no placement is possible. If `last` is
    /// set, no position after this one may be entered.
    pub fn enter(&mut self, p: &Position<W>, budget: Budget, last: bool) -> bool {
        let Some(before) = self.kept.last() else {
            return false;
        };
        let sets = self.sets(p);
        let (mut attackers, mut defenders) = (before.attackers.clone(), before.defenders.clone());
        follow(&mut attackers, before.sets[0], sets[0], p.kind(Kind::King));
        follow(&mut defenders, before.sets[1], sets[1], p.kind(Kind::King));
        let sides = Sides {
            attackers,
            defenders,
            sets,
        };
        // Taken out, because the test of a placement reads the tables next to it.
        let mut kept = std::mem::take(&mut self.kept);
        let entered = kept.enter(sides, last, |placement, sides| {
            self.is_possible(p, placement, sides, budget)
        });
        self.kept = kept;
        entered
    }

    /// Returns to the position before the last turn.
    pub fn leave(&mut self) {
        self.kept.leave();
    }

    /// Returns the squares of the stalemating side and of its opponent.
    fn sets(&self, p: &Position<W>) -> [W::Set; 2] {
        [self.stalemating_side, !self.stalemating_side].map(|color| p.color(color))
    }

    /// Returns the units of both sides, or `None` unless each has one king.
    fn sides(&self, p: &Position<W>) -> Option<Sides<W::Set>> {
        let sets = self.sets(p);
        let mut units = sets.map(|set| {
            let kings = p.kind(Kind::King) & set;
            let one = !kings.is_empty() && !kings.several();
            one.then(|| kings.iter().chain((set & !kings).iter()).collect::<Units>())
        });
        Some(Sides {
            attackers: units[0].take()?,
            defenders: units[1].take()?,
            sets,
        })
    }

    /// Returns false only if no line from here ends in this placement.
    fn is_possible(
        &self,
        p: &Position<W>,
        placement: &Placement<W::Set>,
        sides: &Sides<W::Set>,
        (turns, helps): Budget,
    ) -> bool {
        let (mut spent, mut mover) = (0, None);
        for target in &placement.attackers {
            let from = sides.attackers[usize::from(target.unit)];
            if from == CAPTURED {
                return false;
            }
            let cost = self.castlings.distance(&self.attackers, p, from, *target);
            spent += cost;
            if spent > turns {
                return false;
            }
            if cost > 0 {
                mover = Some((from, target.to));
            }
        }
        let king = Target {
            unit: KING,
            kind: Kind::King,
            to: placement.king,
        };
        let from = sides.defenders[usize::from(KING)];
        let mut helped = self.castlings.distance(&self.defenders, p, from, king);
        let mut to_capture = W::Set::EMPTY;
        for (&fate, &from) in placement.fates.iter().zip(&sides.defenders[1..]) {
            match fate {
                Fate::On(kind, to) if from != CAPTURED => {
                    let target = Target { unit: 0, kind, to };
                    helped += self.castlings.distance(&self.defenders, p, from, target);
                }
                Fate::On(..) => return false,
                _ if from != CAPTURED => to_capture = to_capture.with(from),
                _ => {}
            }
            if helped > helps {
                return false;
            }
        }
        if to_capture.len() > turns {
            return false;
        }
        match mover {
            Some((from, to)) if turns == 1 && !p.may_castle(self.stalemating_side) => {
                self.last_turn_fits(p, placement, (from, to), to_capture, helps - helped)
            }
            _ => true,
        }
    }

    /// Returns whether the last turn of the stalemating side can lead from `from` to `to`, and capture the only unit in
    /// `to_capture`, if there is one. The other side has `left` turns to bring that unit to its square.
    fn last_turn_fits(
        &self,
        p: &Position<W>,
        placement: &Placement<W::Set>,
        (from, to): (Square, Square),
        to_capture: W::Set,
        left: u32,
    ) -> bool {
        let kind = p.kind_on(from);
        let leaps = kind != Kind::Pawn && self.board.leaps(kind);
        if !leaps && !(self.board.between(from, to) & placement.occupied).is_empty() {
            return false;
        }
        if kind == Kind::Pawn {
            let captures = self
                .board
                .pawn_captures(self.stalemating_side, from)
                .has(to);
            if captures && self.en_passant.has(to) {
                return !to_capture.is_empty();
            }
            if captures == to_capture.is_empty() {
                return false;
            }
        }
        to_capture
            .iter()
            .all(|victim| self.castlings.distance_to(&self.defenders, p, victim, to) <= left)
    }
}

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
struct Listing<'l, 'g, W: Layout> {
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
    fn new(
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
    fn list(mut self) -> Option<Vec<Placement<W::Set>>> {
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
    /// side need all its turns. `occupied` are the final squares of the king's side, and `barred` those of the placed units.
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
