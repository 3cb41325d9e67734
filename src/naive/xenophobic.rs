//! Xenophobic: an enemy unit on the middle of the first rank gives check.

use super::board::Pos;
use super::{Law, fide};

pub struct Xenophobic;

/// Returns the middle squares of a side's first rank.
fn middle(pos: &Pos, white: bool) -> Vec<usize> {
    let board = &pos.board;
    let first = board.files.saturating_sub(4) / 2;
    board
        .squares()
        .filter(|&square| {
            board.depth(square, white) == 0 && (first..first + 4).contains(&board.file(square))
        })
        .collect()
}

impl Law for Xenophobic {
    fn in_danger(&self, pos: &Pos, white: bool) -> bool {
        let intruder = middle(pos, white)
            .into_iter()
            .any(|square| pos.board.owns(!white, square));
        intruder || fide::in_danger(self, pos, white)
    }
}
