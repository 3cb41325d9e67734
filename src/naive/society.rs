//! Society: a capture needs a pawn on one side or the other.

use super::board::{Kind, Pos};
use super::fide::{self, Fide};
use super::{Law, draw, wins};

pub struct Society;

impl Law for Society {
    fn reach(&self, pos: &Pos, from: usize, to: usize) -> Option<Kind> {
        let board = &pos.board;
        let captures = !board.is_empty(to);
        if captures && board.kind(from) != Some('P') && board.kind(to) != Some('P') {
            return None;
        }
        fide::reach(self, pos, from, to)
    }

    fn no_turn(&self, pos: &Pos) -> String {
        if self.in_danger(pos, pos.white) {
            wins(!pos.white, "checkmate")
        } else if !fide::turns(&Fide, pos).is_empty() {
            wins(!pos.white, "forced-capture")
        } else {
            draw("stalemate")
        }
    }
}
