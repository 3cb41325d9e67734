//! Castling in patterns: the squares to which castling may move kings and rooks.

use board::{Color, Kind, Square};
use position::{Layout, Rights};
use rules::Game;
use smallvec::SmallVec;

/// Squares that a unit may reach by castling, with the number of its own turns. The king's turn moves the
/// rook for free.
pub type Castled = SmallVec<[(Square, usize); 2]>;

/// All castlings of a board.
pub struct Castlings(Vec<(Rights, Kind, Square, (Square, usize))>);

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
                    all.push((right, Kind::King, king, (Square(to), 1)));
                    all.push((right, Kind::Rook, rook, (Square(passed), 0)));
                }
            }
        }
        Castlings(all)
    }

    /// Returns the squares to which castling may move the unit on `from`; an empty list unless `from` is its
    /// home square.
    pub fn of(&self, rights: Rights, kind: Kind, from: Square) -> Castled {
        if rights.0 == 0 {
            return Castled::new();
        }
        self.0
            .iter()
            .filter(|(right, k, home, _)| rights.has(*right) && *k == kind && *home == from)
            .map(|(.., to)| *to)
            .collect()
    }
}
