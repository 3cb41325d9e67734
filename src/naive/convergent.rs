//! Convergent: short-stepping pieces, and an enemy on a royal square gives check.

use super::board::{Board, Kind, Pos, Step, ahead};
use super::{Basics, Law, fide};

pub struct Convergent;

/// Returns the existing squares of a rank from left to right.
fn row(board: &Board, rank: usize) -> Vec<usize> {
    board
        .squares()
        .filter(|&square| board.rank(square) == rank && !board.is_hole(square))
        .collect()
}

/// Returns the royal squares of a side: the one or two middle squares of its first rank.
fn royal_squares(board: &Board, white: bool) -> Vec<usize> {
    let row = row(board, if white { 0 } else { board.ranks - 1 });
    if row.is_empty() {
        return Vec::new();
    }
    vec![row[(row.len() - 1) / 2], row[row.len() / 2]]
}

/// Returns whether the square is the first or the last square of the second rank or of the last rank but one.
fn is_corner(board: &Board, square: usize) -> bool {
    let rank = board.rank(square);
    let row = row(board, rank);
    (rank == 1 || rank + 2 == board.ranks)
        && (row.first() == Some(&square) || row.last() == Some(&square))
}

fn kings_touch(board: &Board) -> bool {
    let black = board.find(false, 'K');
    board
        .find(true, 'K')
        .into_iter()
        .any(|a| black.iter().any(|&b| board.next_to(a, b)))
}

impl Law for Convergent {
    fn basics(&self) -> Basics {
        Basics {
            castling: false,
            double_step: false,
            ..Basics::FIDE
        }
    }

    fn start(&self) -> String {
        "***qk***/*rnbbnr*/*pppppp*/*6*/*6*/*PPPPPP*/*RNBBNR*/***QK*** w - - 0 1".to_string()
    }

    fn pawn_may_stand(&self, _pos: &Pos, _square: usize, _white: bool) -> bool {
        true
    }

    fn mover_stands_badly(&self, pos: &Pos) -> bool {
        self.in_danger(pos, !pos.white) || kings_touch(&pos.board)
    }

    fn attacks(&self, pos: &Pos, from: usize, to: usize) -> bool {
        match pos.board.kind(from) {
            Some('B' | 'R') => pos.board.gap(from, to).1 <= 3 && fide::attacks(self, pos, from, to),
            Some('Q') => [(0, 1), (1, 1), (0, 2), (2, 2)].contains(&pos.board.gap(from, to)),
            _ => fide::attacks(self, pos, from, to),
        }
    }

    fn reach(&self, pos: &Pos, from: usize, to: usize) -> Option<Kind> {
        let board = &pos.board;
        if board.kind(from) != Some('P') {
            return fide::reach(self, pos, from, to);
        }
        let (files, ranks) = board.delta(from, to);
        let one_ahead = ranks == ahead(board.owns(true, from));
        let diagonally = one_ahead && files.abs() == 1;
        let straight = one_ahead && files == 0 && board.is_empty(to);
        let sideways =
            ranks == 0 && files.abs() == 1 && board.is_empty(to) && is_corner(board, from);
        (diagonally || straight || sideways).then_some(Kind::Plain)
    }

    fn steps(&self, pos: &Pos, white: bool) -> Vec<Step> {
        fide::steps_without_promotion(self, pos, white)
    }

    fn in_danger(&self, pos: &Pos, white: bool) -> bool {
        // A king gives check only as an intruder.
        let attacked = fide::checkers(self, pos, white)
            .into_iter()
            .any(|square| pos.board.kind(square) != Some('K'));
        let intruded = royal_squares(&pos.board, white)
            .into_iter()
            .any(|square| pos.board.owns(!white, square));
        attacked || intruded
    }

    fn legal(&self, before: &Pos, _steps: &[Step], after: &Pos) -> bool {
        !self.in_danger(after, before.white) && !kings_touch(&after.board)
    }

    fn no_turn(&self, pos: &Pos) -> String {
        fide::loses_without_turn(self, pos, "stalemate")
    }
}
