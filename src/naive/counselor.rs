//! Counselor: the side whose queen is checkmated wins, and a side that can checkmate the queen must.

use super::board::{Pos, Turn};
use super::{Basics, Law, fide, wins};

pub struct Counselor;

impl Counselor {
    fn queen_attacked(&self, pos: &Pos, white: bool) -> bool {
        pos.board
            .find(white, 'Q')
            .into_iter()
            .any(|queen| self.attacked(pos, queen, !white))
    }
}

impl Law for Counselor {
    fn basics(&self) -> Basics {
        Basics::MONARCHS
    }

    fn attacks(&self, pos: &Pos, from: usize, to: usize) -> bool {
        let far = pos.board.kind(from) == Some('Q') && pos.board.gap(from, to).1 > 2;
        !far && fide::attacks(self, pos, from, to)
    }

    /// Returns the legal turns. If some of them checkmate the enemy queen, only these are legal. The replies
    /// of the queen's side are determined without this rule.
    fn turns(&self, pos: &Pos) -> Vec<Turn> {
        let turns = fide::turns(self, pos);
        let mates_queen = |turn: &Turn| {
            self.queen_attacked(&turn.after, !pos.white)
                && fide::turns(self, &turn.after).is_empty()
        };
        let forced: Vec<Turn> = turns.iter().filter(|t| mates_queen(t)).cloned().collect();
        if forced.is_empty() { turns } else { forced }
    }

    fn no_turn(&self, pos: &Pos) -> String {
        if self.queen_attacked(pos, pos.white) {
            wins(pos.white, "queen-checkmated")
        } else {
            fide::no_turn(self, pos)
        }
    }
}
