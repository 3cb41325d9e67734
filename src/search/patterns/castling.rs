//! Castling as the patterns see it: the squares to which it may take kings and rooks.

use board::{Color, Kind, Square};
use position::{Layout, Rights};
use rules::Game;
use smallvec::SmallVec;

/// Squares on which a unit may be in addition to those that its own steps reach, and after how many turns: the
/// king's turn takes the rook along for nothing.
pub type Castled = SmallVec<[(Square, usize); 2]>;

/// All castlings of a board.
pub struct Castlings(Vec<(Rights, Kind, Square, (Square, usize))>);

impl Castlings {
    /// Returns the castlings of this game.
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

    /// Returns where castling may take the unit on its home square.
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
