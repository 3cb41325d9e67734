//! Squares and units of the board.

use super::start;
use crate::{Effort, Evidence, Finding};
use board::{Color, Squares};

pub(super) fn squares(_: &Effort) -> Finding {
    let start = start();
    let board = start.game.board();
    let geometry = board.geometry();
    let mut evidence = Evidence::new(&["rank", "squares", "missing_on_edge", "missing_inside"]);
    let (mut edge, mut inside) = (0, 0);
    for rank in 0..geometry.ranks() {
        let (mut on_edge, mut in_row) = (0, 0);
        for file in 0..geometry.files() {
            if !geometry.exists(geometry.square(file, rank)) {
                let outer = |at: u8, most: u8| at == 0 || at + 1 == most;
                if outer(file, geometry.files()) || outer(rank, geometry.ranks()) {
                    on_edge += 1;
                } else {
                    in_row += 1;
                }
            }
        }
        let there = board.rank_set(rank).len();
        evidence.row([u32::from(rank) + 1, there, on_edge, in_row]);
        edge += on_edge;
        inside += in_row;
    }
    let n = board.squares().len();
    Finding::exhaustive(
        n == 40 && edge == 24 && inside == 0 && geometry.size() == "8x8",
        format!(
            "{n} squares of {}; {edge} squares of its edge are missing, {inside} others",
            geometry.size()
        ),
        evidence,
    )
}

pub(super) fn density(_: &Effort) -> Finding {
    let start = start();
    let squares = start.game.board().squares().len();
    let mut evidence = Evidence::new(&["side", "units", "squares"]);
    for color in Color::BOTH {
        let units = start.position.color(color).len();
        evidence.row([
            color.letter().to_string(),
            units.to_string(),
            squares.to_string(),
        ]);
    }
    let units = start.position.occupied().len();
    Finding::exhaustive(
        units * 100 == squares * 70,
        format!(
            "{units} units on {squares} squares, {:.1} %",
            f64::from(units * 100) / f64::from(squares)
        ),
        evidence,
    )
}
