//! Society: a capture needs a pawn on one side or the other.

use super::board::{Kind, Pos};
use super::fide;
use super::{Law, forced};

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
        forced(self, pos, "forced-capture")
    }
}
