//! Dowager: the queen is royal and steps as the highest other unit of her side.

use super::board::{EMPTY, Kind, Pos, ahead};
use super::{Basics, Law, fide};

pub struct Dowager;

/// Returns the kind as which a side's queen steps: the highest kind among the side's other units.
fn queen_power(pos: &Pos, white: bool) -> Option<char> {
    ['K', 'R', 'B', 'N', 'P']
        .into_iter()
        .find(|&kind| pos.board.count(white, kind) > 0)
}

impl Law for Dowager {
    fn basics(&self) -> Basics {
        Basics {
            castling: false,
            royal_counts: &[('Q', 1, 1)],
            promotions: "KRBN",
            ..Basics::FIDE
        }
    }

    fn attacks(&self, pos: &Pos, from: usize, to: usize) -> bool {
        if pos.board.kind(from) != Some('Q') {
            return fide::attacks(self, pos, from, to);
        }
        let white = pos.board.owns(true, from);
        queen_power(pos, white).is_some_and(|kind| fide::attacks_as(pos, kind, white, from, to))
    }

    fn reach(&self, pos: &Pos, from: usize, to: usize) -> Option<Kind> {
        let board = &pos.board;
        if board.kind(from) != Some('Q') {
            return fide::reach(self, pos, from, to);
        }
        let white = board.owns(true, from);
        let power = queen_power(pos, white)?;
        if power == 'P' && board.is_empty(to) {
            return (board.delta(from, to) == (0, ahead(white))).then_some(Kind::Plain);
        }
        if !self.attacks(pos, from, to) {
            return None;
        }
        if power == 'R' || power == 'B' {
            let mut lifted = pos.clone();
            lifted.board.cells[from] = EMPTY;
            let mut passed = board.between(from, to).into_iter();
            if passed.any(|square| self.attacked(&lifted, square, !white)) {
                return None;
            }
        }
        Some(Kind::Plain)
    }

    fn no_turn(&self, pos: &Pos) -> String {
        fide::loses_without_turn(self, pos, "stalemate")
    }
}
