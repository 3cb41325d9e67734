//! How soon the king's own units can fill squares next to him, and he himself be where he ends.

use super::castles::{Castled, Castles};
use super::ways::Ways;
use crate::board::{Color, Kind, Square, Squares};
use crate::position::{Layout, Position};
use crate::rules::Game;
use smallvec::SmallVec;

/// More turns than there are.
const NEVER: u8 = u8::MAX;

/// Distances of one board and side.
pub struct Fillers<W: Layout> {
    color: Color,
    squares: usize,
    /// By kind, from-square, to-square.
    distances: Vec<u8>,
    /// From where units of each kind get to a square, by to-square and turns from 0.
    sources: Vec<Vec<[W::Set; 6]>>,
    castles: Castles,
}

/// The king of a position, and who may fill squares.
#[derive(Clone)]
pub struct Crew<S> {
    pub king: Square,
    /// The units that may fill squares.
    pub units: S,
    /// Where castling takes the king.
    pub castled: Castled,
}

impl<W: Layout> Fillers<W> {
    /// Tables for units of `color` and at most `most` of their turns.
    pub fn new(game: &dyn Game<W>, color: Color, most: usize) -> Fillers<W> {
        let squares = game.board().geometry().len();
        let ways = Ways::new(game, color, most);
        let distances = ways.distances();
        let mut sources = vec![vec![[W::Set::EMPTY; 6]; ways.most() + 1]; squares];
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
        Fillers {
            color,
            squares,
            distances,
            sources,
            castles: Castles::new(game),
        }
    }

    /// The king, and who may fill squares, in a position; `None` without a king.
    pub fn crew(&self, p: &Position<W>) -> Option<Crew<W::Set>> {
        let own = p.color(self.color);
        let king = (p.kind(Kind::King) & own).first()?;
        Some(Crew {
            king,
            units: own.without(king),
            castled: self.castles.of(p.rights, Kind::King, king),
        })
    }

    fn distance(&self, kind: Kind, from: Square, to: Square) -> u8 {
        self.distances[(kind.index() * self.squares + from.index()) * self.squares + to.index()]
    }

    /// The least number of turns that bring the king to a square.
    #[inline]
    pub fn walk(&self, crew: &Crew<W::Set>, to: Square) -> usize {
        let direct = self.distance(Kind::King, crew.king, to);
        if crew.castled.is_empty() {
            return direct.into();
        }
        crew.castled
            .iter()
            .map(|&(at, cost)| usize::from(self.distance(Kind::King, at, to)).saturating_add(cost))
            .fold(direct.into(), usize::min)
    }

    /// Where the king can be within `turns`.
    #[inline]
    pub fn walks(&self, crew: &Crew<W::Set>, turns: usize) -> W::Set {
        let reached = |from: Square| {
            let there = &self.sources[from.index()];
            // Steps of kings lead back, too.
            there[turns.min(there.len() - 1)][Kind::King.index()]
        };
        let castled = crew.castled.iter().map(|&(at, _)| reached(at));
        castled.fold(reached(crew.king), |all, set| all | set)
    }

    /// How many squares can be filled within `turns` where `near` units stand already.
    #[inline]
    pub fn most(&self, crew: &Crew<W::Set>, near: W::Set, turns: usize) -> usize {
        // Castling fills a square with the king's turn.
        let most = near.len() as usize + turns + usize::from(!crew.castled.is_empty());
        most.min(crew.units.len() as usize)
    }

    /// Whether the units can stand on all of `gap` within `turns`.
    pub fn fill(&self, p: &Position<W>, crew: &Crew<W::Set>, gap: W::Set, turns: usize) -> bool {
        let missing = gap & !crew.units;
        if missing.is_empty() {
            return true;
        }
        if crew.castled.is_empty() {
            let mut left = turns;
            for to in missing.iter() {
                let sources = &self.sources[to.index()];
                let reached = |there: &[W::Set; 6]| {
                    Kind::ALL
                        .iter()
                        .any(|&k| !(there[k.index()] & p.kind(k) & crew.units).is_empty())
                };
                let within = &sources[1..sources.len().min(left + 1)];
                match within.iter().position(reached) {
                    Some(n) => left -= n + 1,
                    None => return false,
                }
            }
            if !gap.several() {
                return true;
            }
        }
        let rows: SmallVec<[SmallVec<[u8; 16]>; 8]> = gap
            .iter()
            .map(|to| {
                crew.units
                    .iter()
                    .map(|from| self.cost(p, crew, from, to))
                    .collect()
            })
            .collect();
        assign(&rows, 0, turns)
    }

    /// Turns that bring the unit to a square.
    fn cost(&self, p: &Position<W>, crew: &Crew<W::Set>, from: Square, to: Square) -> u8 {
        let kind = p.kind_on(from);
        let mut least = self.distance(kind, from, to);
        if kind == Kind::Rook && !crew.castled.is_empty() {
            for (at, cost) in self.castles.of(p.rights, kind, from) {
                least = least.min(self.distance(kind, at, to).saturating_add(cost as u8));
            }
        }
        least
    }
}

/// Whether each row can have a column of its own, the costs together at most `most`.
fn assign(rows: &[SmallVec<[u8; 16]>], taken: u128, most: usize) -> bool {
    let Some((row, rest)) = rows.split_first() else {
        return true;
    };
    row.iter().enumerate().any(|(n, &cost)| {
        taken >> n & 1 == 0
            && cost != NEVER
            && usize::from(cost) <= most
            && assign(rest, taken | 1 << n, most - usize::from(cost))
    })
}
