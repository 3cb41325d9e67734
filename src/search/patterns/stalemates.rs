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

mod listing;

use super::castling::Castlings;
use super::coverage::Coverage;
use super::guards::{Guarding, Target};
use super::mobility::Mobility;
use super::narrowing::{CAPTURED, KING, Narrowing, Units, follow};
use super::reach::{Distances, Reach};
use board::{Board, Color, Kind, Square, Squares};
use listing::Listing;
use position::{Layout, Position};
use rules::Game;
use smallvec::SmallVec;

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
        if helped > helps || to_capture.len() > turns {
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
