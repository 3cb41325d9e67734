//! Self-blocks: the numbers of turns in which the king's own units can occupy squares next to the king, and
//! in which the king can reach the square of the pattern.

use super::castling::{Castled, Castlings};
use super::reach::{Distances, Reach};
use board::{Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::Game;

/// Distances of one board and side.
pub struct SelfBlocks<W: Layout> {
    color: Color,
    distances: Distances,
    /// The squares from which units of each kind reach a square, by to-square and number of turns, from 0.
    sources: Vec<Vec<[W::Set; 6]>>,
    castlings: Castlings,
}

/// The king of a position, and the units that may block squares next to it.
#[derive(Clone)]
pub struct Blockers<S> {
    pub king: Square,
    /// The units that may block squares.
    pub units: S,
    /// The squares to which castling moves the king.
    pub castled: Castled,
    /// The squares to which castling moves rooks.
    pub aside: S,
}

impl<S: Squares> Blockers<S> {
    /// Returns these blockers without the units in `units`.
    pub fn without(&self, units: S) -> Blockers<S> {
        Blockers {
            units: self.units & !units,
            ..self.clone()
        }
    }
}

impl<W: Layout> SelfBlocks<W> {
    /// Returns tables for units of `color` and at most `max_turns` of their turns.
    pub fn new(game: &dyn Game<W>, color: Color, max_turns: usize) -> SelfBlocks<W> {
        let squares = game.board().geometry().len();
        let reach = Reach::new(game, color, max_turns, true);
        let distances = Distances::new(&reach);
        let mut sources = vec![vec![[W::Set::EMPTY; 6]; reach.max_turns() + 1]; squares];
        for kind in Kind::ALL {
            for from in game.board().squares().iter() {
                for to in game.board().squares().iter() {
                    let least = usize::from(distances.to(kind, from, to));
                    for there in sources[to.index()].iter_mut().skip(least) {
                        there[kind.index()] |= W::Set::of(from);
                    }
                }
            }
        }
        SelfBlocks {
            color,
            distances,
            sources,
            castlings: Castlings::new(game),
        }
    }

    /// Returns the king of a position and the units that may block squares, or `None` without a king.
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

    /// Returns the minimum number of turns that bring the king to a square.
    #[inline]
    pub fn walk(&self, blockers: &Blockers<W::Set>, to: Square) -> usize {
        let direct = self.distances.to(Kind::King, blockers.king, to);
        if blockers.castled.is_empty() {
            return direct.into();
        }
        blockers
            .castled
            .iter()
            .map(|&(at, cost)| {
                usize::from(self.distances.to(Kind::King, at, to)).saturating_add(cost)
            })
            .fold(direct.into(), usize::min)
    }

    /// Returns the squares that the king can reach within `turns` turns.
    #[inline]
    pub fn walks(&self, blockers: &Blockers<W::Set>, turns: usize) -> W::Set {
        let reached = |from: Square| {
            let there = &self.sources[from.index()];
            // King steps are symmetric, so the sources of a square are also the squares reached from it.
            there[turns.min(there.len() - 1)][Kind::King.index()]
        };
        let castled = blockers.castled.iter().map(|&(at, _)| reached(at));
        castled.fold(reached(blockers.king), |all, set| all | set)
    }

    /// Returns the maximum number of neighbors that can be blocked within `turns` turns if the units `near`
    /// already block some.
    #[inline]
    pub fn max_blocked(&self, blockers: &Blockers<W::Set>, near: W::Set, turns: usize) -> usize {
        // Castling is a turn of the king that may also block a square with the rook.
        let max_blocked = near.len() as usize + turns + usize::from(!blockers.castled.is_empty());
        max_blocked.min(blockers.units.len() as usize)
    }

    /// Returns the units that can reach a square within `turns`.
    #[inline(always)]
    fn units_able(
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

    /// Returns whether a rook that castles can reach a square within `turns` turns afterward.
    #[inline(always)]
    fn rook_can_arrive(&self, blockers: &Blockers<W::Set>, to: Square, turns: usize) -> bool {
        let there = &self.sources[to.index()];
        let there = there[turns.min(there.len() - 1)][Kind::Rook.index()];
        !(there & blockers.aside).is_empty()
    }

    /// Returns whether the units can occupy all of `gap` within `turns`.
    pub fn can_fill(
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
        // First test each square on its own, which is cheap.
        let mut left = turns;
        for to in missing.iter() {
            let able = |&n: &usize| {
                !self.units_able(p, blockers, to, n).is_empty()
                    || self.rook_can_arrive(blockers, to, n)
            };
            match (0..=left).find(able) {
                Some(n) => left -= n,
                None => return false,
            }
        }
        !gap.several() || self.can_assign(p, blockers, gap, W::Set::EMPTY, turns)
    }

    /// Returns whether the squares of `gap` can be assigned different units, without those in `taken`.
    fn can_assign(
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
            if self.rook_can_arrive(blockers, to, spent)
                && self.can_assign(p, blockers, rest, taken, turns - spent)
            {
                return true;
            }
            let able = self.units_able(p, blockers, to, spent) & !tried;
            for unit in able.iter() {
                if self.can_assign(p, blockers, rest, taken.with(unit), turns - spent) {
                    return true;
                }
            }
            tried |= able;
        }
        false
    }
}
