//! How soon the king's own units can fill squares next to him, and he himself be where he ends.

use super::castles::Castles;
use super::ways::Ways;
use crate::board::{Color, Kind, Square, Squares};
use crate::position::{Layout, Position};
use crate::rules::Game;
use smallvec::SmallVec;

/// Turns to each square; none that lead there in time.
const NEVER: u8 = u8::MAX;

/// Distances of one board and side.
pub struct Fillers {
    color: Color,
    squares: usize,
    /// By kind, from-square, to-square.
    distances: Vec<u8>,
    /// The neighbor of each square in each direction; the square itself where there is none.
    neighbors: Vec<[u8; 8]>,
}

/// The units of a position that may fill squares, and the king.
pub struct Crew {
    pub king: Square,
    /// Where the king is after one turn of castling.
    castled: SmallVec<[Square; 2]>,
    /// Rows of the table of distances; several for a rook that castling may take along.
    units: SmallVec<[SmallVec<[usize; 2]>; 16]>,
}

impl Fillers {
    /// Tables for units of `color` and at most `most` of their turns.
    pub fn new<W: Layout>(game: &dyn Game<W>, color: Color, most: usize) -> Fillers {
        let board = game.board();
        let squares = board.geometry().len();
        Fillers {
            color,
            squares,
            distances: Ways::new(game, color, most).distances(),
            neighbors: (0..squares as u8)
                .map(|at| {
                    [0, 1, 2, 3, 4, 5, 6, 7]
                        .map(|direction| board.neighbor(Square(at), direction).map_or(at, |s| s.0))
                })
                .collect(),
        }
    }

    fn row(&self, kind: Kind, from: Square) -> usize {
        (kind.index() * self.squares + from.index()) * self.squares
    }

    /// Who may fill squares in this position; `None` without a king.
    pub fn crew<W: Layout>(&self, p: &Position<W>, castles: &Castles) -> Option<Crew> {
        let own = p.color(self.color);
        let king = (p.kind(Kind::King) & own).first()?;
        let castled = castles.of(p.rights, Kind::King, king);
        let mut units = SmallVec::new();
        for from in own.without(king).iter() {
            let kind = p.kind_on(from);
            let mut rows = SmallVec::new();
            rows.push(self.row(kind, from));
            if kind == Kind::Rook {
                let castled = castles.of(p.rights, kind, from);
                rows.extend(castled.iter().map(|(to, _)| self.row(kind, *to)));
            }
            units.push(rows);
        }
        Some(Crew {
            king,
            castled: castled.iter().map(|(to, _)| *to).collect(),
            units,
        })
    }

    /// The least number of turns that bring the king to a square.
    pub fn walk(&self, crew: &Crew, to: Square) -> usize {
        let direct = self.distances[self.row(Kind::King, crew.king) + to.index()];
        crew.castled
            .iter()
            .map(|&at| self.distances[self.row(Kind::King, at) + to.index()].saturating_add(1))
            .fold(direct, u8::min)
            .into()
    }

    /// Squares of the board's rectangle.
    pub fn squares(&self) -> usize {
        self.squares
    }

    /// The neighbors of `king` by direction that units of his side hold.
    pub fn near<W: Layout>(&self, p: &Position<W>, king: Square) -> u8 {
        let own = p.color(self.color) & !p.kind(Kind::King);
        let neighbors = &self.neighbors[king.index()];
        (0..8)
            .filter(|&n| neighbors[n] != king.0 && own.has(Square(neighbors[n])))
            .fold(0, |near, n| near | 1 << n)
    }

    /// The most squares that units can fill within `turns`, `near` being held already.
    pub fn most(&self, crew: &Crew, near: u8, turns: usize) -> usize {
        // Castling fills a square with the king's turn.
        let most = near.count_ones() as usize + turns + usize::from(!crew.castled.is_empty());
        most.min(crew.units.len())
    }

    /// Whether units can fill all of `gap` (neighbors of `king` by direction) within `turns`.
    pub fn fill(&self, crew: &Crew, king: Square, gap: u8, turns: usize) -> bool {
        if gap.count_ones() as usize > crew.units.len() {
            return false;
        }
        let mut costs: SmallVec<[SmallVec<[u8; 16]>; 8]> = SmallVec::new();
        let mut least = 0;
        for direction in 0..8 {
            if gap >> direction & 1 == 1 {
                let to = usize::from(self.neighbors[king.index()][direction]);
                let row: SmallVec<[u8; 16]> = crew
                    .units
                    .iter()
                    .map(|rows| {
                        let costs = rows.iter().map(|row| self.distances[row + to]);
                        costs.min().unwrap_or(NEVER)
                    })
                    .collect();
                least += usize::from(row.iter().copied().min().unwrap_or(NEVER));
                if least > turns {
                    return false;
                }
                costs.push(row);
            }
        }
        assign(&costs, 0, turns)
    }
}

/// Whether each row can have a column of its own, the costs together at most `most`.
fn assign(rows: &[SmallVec<[u8; 16]>], taken: u128, most: usize) -> bool {
    let Some((row, rest)) = rows.split_first() else {
        return true;
    };
    row.iter().enumerate().any(|(n, &cost)| {
        taken >> n & 1 == 0
            && usize::from(cost) <= most
            && cost != NEVER
            && assign(rest, taken | 1 << n, most - usize::from(cost))
    })
}
