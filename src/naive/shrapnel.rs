//! Shrapnel: a capture along a line removes the nearest units across it too.

use super::board::{EMPTY, Pos, Step};
use super::{Basics, Law, fide, lost};

pub struct Shrapnel;

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// Returns the square of the first unit in a direction. A hole ends the search.
fn nearest(pos: &Pos, from: usize, (files, ranks): (i32, i32)) -> Option<usize> {
    let mut square = from;
    loop {
        square = pos.board.offset(square, files, ranks)?;
        if !pos.board.is_empty(square) {
            return Some(square);
        }
    }
}

impl Law for Shrapnel {
    fn basics(&self) -> Basics {
        Basics {
            castling: false,
            ..Basics::CAPTURE_GAME
        }
    }

    fn apply(&self, pos: &Pos, step: &Step) -> Pos {
        let mut now = fide::apply(self, pos, step);
        if step.captured.is_none() {
            return now;
        }
        let directions: &[(i32, i32)] = if pos.board.diagonal(step.from, step.to) {
            &STRAIGHT
        } else if pos.board.straight(step.from, step.to) {
            &DIAGONAL
        } else {
            &[]
        };
        let removed: Vec<usize> = directions
            .iter()
            .filter_map(|&direction| nearest(&now, step.to, direction))
            .collect();
        for square in removed {
            now.board.cells[square] = EMPTY;
        }
        now
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        lost(pos, "annihilated", |white| {
            pos.board.units(white).next().is_none()
        })
    }
}
