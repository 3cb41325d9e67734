//! Self-blocks: how soon the king's own units can occupy squares next to the king, and the king the square
//! where the pattern has it.

use super::castling::{Castled, Castlings};
use super::reach::Reach;
use board::{Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::Game;

/// Distances of one board and side.
pub struct SelfBlocks<W: Layout> {
    color: Color,
    squares: usize,
    /// By kind, from-square, to-square.
    distances: Vec<u8>,
    /// From where units of each kind get to a square, by to-square and turns from 0.
    sources: Vec<Vec<[W::Set; 6]>>,
    castlings: Castlings,
}

/// The king of a position, and the units that may block squares next to it.
#[derive(Clone)]
pub struct Blockers<S> {
    pub king: Square,
    /// The units that may block squares.
    pub units: S,
    /// Where castling takes the king.
    pub castled: Castled,
    /// Where it takes rooks.
    aside: S,
}

impl<S: Squares> Blockers<S> {
    /// The same, some units left out.
    pub fn without(&self, units: S) -> Blockers<S> {
        Blockers {
            units: self.units & !units,
            ..self.clone()
        }
    }
}

impl<W: Layout> SelfBlocks<W> {
    /// Tables for units of `color` and at most `most` of their turns.
    pub fn new(game: &dyn Game<W>, color: Color, most: usize) -> SelfBlocks<W> {
        let squares = game.board().geometry().len();
        let reach = Reach::new(game, color, most);
        let distances = reach.distances();
        let mut sources = vec![vec![[W::Set::EMPTY; 6]; reach.most() + 1]; squares];
        for kind in Kind::ALL {
            for from in game.board().squares().iter() {
                let row = (kind.index() * squares + from.index()) * squares;
                for to in game.board().squares().iter() {
                    let least = usize::from(distances[row + to.index()]);
                    for there in sources[to.index()].iter_mut().skip(least) {
                        there[kind.index()] |= W::Set::of(from);
                    }
                }
            }
        }
        SelfBlocks {
            color,
            squares,
            distances,
            sources,
            castlings: Castlings::new(game),
        }
    }

    /// Returns the king of a position and the units that may block squares; `None` without a king.
    pub fn blockers(&self, p: &Position<W>) -> Option<Blockers<W::Set>> {
        let own = p.color(self.color);
        let king = (p.kind(Kind::King) & own).first()?;
        let castled = self.castlings.of(p.rights, Kind::King, king);
        let mut aside = W::Set::EMPTY;
        if !castled.is_empty() {
            for rook in (p.kind(Kind::Rook) & own).iter() {
                let castled = self.castlings.of(p.rights, Kind::Rook, rook);
                aside = castled.iter().fold(aside, |set, (to, _)| set.with(*to));
            }
        }
        Some(Blockers {
            king,
            units: own.without(king),
            castled,
            aside,
        })
    }

    fn distance(&self, kind: Kind, from: Square, to: Square) -> u8 {
        self.distances[(kind.index() * self.squares + from.index()) * self.squares + to.index()]
    }

    /// Returns the least number of turns that bring the king to a square.
    #[inline]
    pub fn walk(&self, blockers: &Blockers<W::Set>, to: Square) -> usize {
        let direct = self.distance(Kind::King, blockers.king, to);
        if blockers.castled.is_empty() {
            return direct.into();
        }
        blockers
            .castled
            .iter()
            .map(|&(at, cost)| usize::from(self.distance(Kind::King, at, to)).saturating_add(cost))
            .fold(direct.into(), usize::min)
    }

    /// Returns where the king can be within `turns`.
    #[inline]
    pub fn walks(&self, blockers: &Blockers<W::Set>, turns: usize) -> W::Set {
        let reached = |from: Square| {
            let there = &self.sources[from.index()];
            // Steps of kings lead back, too.
            there[turns.min(there.len() - 1)][Kind::King.index()]
        };
        let castled = blockers.castled.iter().map(|&(at, _)| reached(at));
        castled.fold(reached(blockers.king), |all, set| all | set)
    }

    /// Returns how many squares can be blocked within `turns` where `near` units are already.
    #[inline]
    pub fn most(&self, blockers: &Blockers<W::Set>, near: W::Set, turns: usize) -> usize {
        // Castling blocks a square with the king's turn.
        let most = near.len() as usize + turns + usize::from(!blockers.castled.is_empty());
        most.min(blockers.units.len() as usize)
    }

    /// Returns the units that can reach a square within `turns`.
    #[inline(always)]
    fn able(
        &self,
        p: &Position<W>,
        blockers: &Blockers<W::Set>,
        to: Square,
        turns: usize,
    ) -> W::Set {
        let there = &self.sources[to.index()];
        let there = &there[turns.min(there.len() - 1)];
        let mut all = W::Set::EMPTY;
        for kind in Kind::ALL {
            all |= there[kind.index()] & p.kind(kind);
        }
        all & blockers.units
    }

    /// Returns whether a castling rook can arrive there.
    #[inline(always)]
    fn castled(&self, blockers: &Blockers<W::Set>, to: Square, turns: usize) -> bool {
        let there = &self.sources[to.index()];
        let there = there[turns.min(there.len() - 1)][Kind::Rook.index()];
        !(there & blockers.aside).is_empty()
    }

    /// Returns whether the units can occupy all of `gap` within `turns`.
    pub fn fill(
        &self,
        p: &Position<W>,
        blockers: &Blockers<W::Set>,
        gap: W::Set,
        turns: usize,
    ) -> bool {
        let missing = gap & !blockers.units;
        if missing.len() as usize > turns + blockers.aside.len() as usize {
            return false;
        }
        // First each square on its own.
        let mut left = turns;
        for to in missing.iter() {
            let able = |&n: &usize| {
                !self.able(p, blockers, to, n).is_empty() || self.castled(blockers, to, n)
            };
            match (0..=left).find(able) {
                Some(n) => left -= n,
                None => return false,
            }
        }
        !gap.several() || self.seat(p, blockers, gap, W::Set::EMPTY, turns)
    }

    /// Returns whether each square of `gap` can have a unit of its own, none of those taken.
    fn seat(
        &self,
        p: &Position<W>,
        blockers: &Blockers<W::Set>,
        gap: W::Set,
        taken: W::Set,
        turns: usize,
    ) -> bool {
        let Some(to) = gap.first() else {
            return true;
        };
        let mut tried = taken;
        for spent in 0..=turns {
            let rest = gap.without_lowest();
            if self.castled(blockers, to, spent)
                && self.seat(p, blockers, rest, taken, turns - spent)
            {
                return true;
            }
            let able = self.able(p, blockers, to, spent) & !tried;
            for unit in able.iter() {
                if self.seat(p, blockers, rest, taken.with(unit), turns - spent) {
                    return true;
                }
            }
            tried |= able;
        }
        false
    }
}
