//! Regent: the queen is royal; attacked, she loses the power by which she is attacked.

use super::board::{Board, Kind, Pos, Step};
use super::{Basics, Law, fide};

pub struct Regent;

/// Returns whether two queens of different sides are on one open rank, file or diagonal.
fn queens_face(board: &Board) -> bool {
    board.find(true, 'Q').into_iter().any(|one| {
        board.find(false, 'Q').into_iter().any(|other| {
            (board.straight(one, other) || board.diagonal(one, other)) && board.open(one, other)
        })
    })
}

impl Law for Regent {
    fn basics(&self) -> Basics {
        Basics {
            castling: false,
            royal_counts: &[('Q', 1, 1)],
            promotions: "RNBK",
            ..Basics::FIDE
        }
    }

    fn mover_stands_badly(&self, pos: &Pos) -> bool {
        self.in_danger(pos, !pos.white) || queens_face(&pos.board)
    }

    fn reach(&self, pos: &Pos, from: usize, to: usize) -> Option<Kind> {
        let board = &pos.board;
        if board.kind(from) == Some('Q') {
            let white = board.owns(true, from);
            for enemy in board.units(!white) {
                if !self.attacks(pos, enemy, from) {
                    continue;
                }
                // The queen cannot move along the kind of line along which it is attacked. Attacked by a
                // knight, it cannot move.
                let taken_away = if board.diagonal(enemy, from) {
                    board.diagonal(from, to)
                } else if board.straight(enemy, from) {
                    board.straight(from, to)
                } else {
                    true
                };
                if taken_away {
                    return None;
                }
            }
        }
        fide::reach(self, pos, from, to)
    }

    fn legal(&self, before: &Pos, _steps: &[Step], after: &Pos) -> bool {
        !self.in_danger(after, before.white) && !queens_face(&after.board)
    }
}
