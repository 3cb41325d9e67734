//! Concurrent: units keep the color of their square, and one may be mirrored before the step.

use super::board::{Kind, Pos, Turn};
use super::{Basics, Law, fide, monarchs};

pub struct Concurrent;

/// Returns whether a knight's path leads from one square to another: three vacant squares along a rank or
/// file, then one square at a right angle.
fn long_knight(pos: &Pos, from: usize, to: usize) -> bool {
    if pos.board.gap(from, to) != (1, 3) {
        return false;
    }
    let (files, ranks) = pos.board.delta(from, to);
    (1..=3).all(|i| {
        let square = if files.abs() == 3 {
            pos.board.offset(from, i * files.signum(), 0)
        } else {
            pos.board.offset(from, 0, i * ranks.signum())
        };
        square.is_some_and(|square| pos.board.is_empty(square))
    })
}

impl Law for Concurrent {
    fn basics(&self) -> Basics {
        Basics {
            double_step: false,
            ..Basics::MONARCHS
        }
    }

    fn attacks(&self, pos: &Pos, from: usize, to: usize) -> bool {
        let board = &pos.board;
        let one_diagonally = board.gap(from, to) == (1, 1);
        match board.kind(from) {
            Some('K' | 'Q') => one_diagonally,
            Some('R') => {
                let even = board.gap(from, to).1 % 2 == 0;
                one_diagonally || (board.straight(from, to) && even && board.open(from, to))
            }
            Some('N') => long_knight(pos, from, to),
            _ => fide::attacks(self, pos, from, to),
        }
    }

    /// Returns the step from one square to another. All units, including pawns, capture as they step.
    fn reach(&self, pos: &Pos, from: usize, to: usize) -> Option<Kind> {
        self.attacks(pos, from, to).then_some(Kind::Plain)
    }

    fn turns(&self, pos: &Pos) -> Vec<Turn> {
        let mut turns = fide::turns(self, pos);
        for from in pos.board.units(pos.white) {
            let (file, rank) = (pos.board.file(from), pos.board.rank(from));
            let to = rank * pos.board.files + (pos.board.files - 1 - file);
            if matches!(pos.board.kind(from), Some('K' | 'Q')) || !pos.board.is_empty(to) {
                continue;
            }
            let mirror = fide::step(pos, Kind::Plain, from, to);
            let mirrored = self.apply(pos, &mirror);
            let checks = monarchs(&mirrored, !pos.white)
                .into_iter()
                .any(|monarch| self.attacks(&mirrored, to, monarch));
            if checks {
                continue;
            }
            for step in self.steps(&mirrored, pos.white) {
                let now = self.apply(&mirrored, &step);
                let turn = self.finish(pos, &[mirror.clone(), step], now);
                if self.legal(pos, &turn.steps, &turn.after) {
                    turns.push(turn);
                }
            }
        }
        turns
    }
}
