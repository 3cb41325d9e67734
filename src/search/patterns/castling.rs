//! Castling in patterns: the squares to which castling may move kings and rooks.

use super::guards::Target;
use super::reach::Distances;
use board::{Color, Kind, Square};
use position::{Layout, Position, Rights};
use rules::Game;
use smallvec::SmallVec;

/// Squares that a unit may reach by castling, with the number of its own turns. The king's turn moves the
/// rook for free.
pub type Castled = SmallVec<[(Square, usize); 2]>;

/// A unit that castling moves.
struct Castle {
    color: Color,
    right: Rights,
    kind: Kind,
    home: Square,
    to: (Square, usize),
}

/// All castlings of a board.
pub struct Castlings(Vec<Castle>);

impl Castlings {
    /// Returns the castlings of a game, which need not be possible in its present position.
    pub fn new<W: Layout>(game: &dyn Game<W>) -> Castlings {
        let mut all = Vec::new();
        for color in Color::BOTH {
            for higher in [false, true] {
                if let Some((king, rook)) = game.castling_homes(color, higher) {
                    let right = Rights::bit(color, higher);
                    let (to, passed) = if higher {
                        (king.0 + 2, king.0 + 1)
                    } else {
                        (king.0 - 2, king.0 - 1)
                    };
                    let unit = |kind, home, to| Castle {
                        color,
                        right,
                        kind,
                        home,
                        to,
                    };
                    all.push(unit(Kind::King, king, (Square(to), 1)));
                    all.push(unit(Kind::Rook, rook, (Square(passed), 0)));
                }
            }
        }
        Castlings(all)
    }

    /// Returns the squares to which castling can still move a side's king. All rights count as present if `rights` is
    /// `None`.
    pub fn kings(&self, rights: Option<Rights>, color: Color) -> impl Iterator<Item = Square> {
        let kings = self.0.iter().filter(|castle| castle.kind == Kind::King);
        kings
            .filter(move |castle| {
                castle.color == color && rights.is_none_or(|rights| rights.has(castle.right))
            })
            .map(|castle| castle.to.0)
    }

    /// Returns the squares to which castling may move the unit on `from`; an empty list unless `from` is its
    /// home square.
    pub fn of(&self, rights: Rights, kind: Kind, from: Square) -> Castled {
        if rights.0 == 0 {
            return Castled::new();
        }
        self.0
            .iter()
            .filter(|castle| rights.has(castle.right) && castle.kind == kind && castle.home == from)
            .map(|castle| castle.to)
            .collect()
    }

    /// Returns the minimum number of turns of the unit on `from` to its target, castling included. At least
    /// [`u8::MAX`] if the unit cannot reach the target.
    pub fn distance<W: Layout>(
        &self,
        distances: &Distances,
        p: &Position<W>,
        from: Square,
        target: Target,
    ) -> u32 {
        let kind = p.kind_on(from);
        self.least(p.rights, kind, from, |from| {
            distances.to_kind(kind, from, target.kind, target.to)
        })
    }

    /// Like [`distance`](Self::distance), to a square on which the unit may have any kind.
    pub fn distance_to<W: Layout>(
        &self,
        distances: &Distances,
        p: &Position<W>,
        from: Square,
        to: Square,
    ) -> u32 {
        let kind = p.kind_on(from);
        self.least(p.rights, kind, from, |from| distances.to(kind, from, to))
    }

    /// Returns the least distance of a unit from its square and those to which castling may move it.
    fn least(
        &self,
        rights: Rights,
        kind: Kind,
        from: Square,
        distance: impl Fn(Square) -> u8,
    ) -> u32 {
        let castled = self.of(rights, kind, from);
        castled
            .iter()
            .map(|&(from, cost)| cost as u32 + u32::from(distance(from)))
            .fold(u32::from(distance(from)), u32::min)
    }
}
