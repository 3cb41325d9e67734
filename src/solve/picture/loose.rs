//! Units that keep a side from being stalemated unless they are captured or pinned.

use crate::board::{Board, Color, Kind, Movement, Square, Squares};
use crate::position::{Layout, Position};
use crate::rules::fide::PIECES;

/// Tables of one board.
pub struct Loose {
    /// For each kind, the least number of units that can take all steps from one of them.
    walls: [u32; 6],
    sliders: [bool; 6],
    files: u8,
    ranks: u8,
}

impl Loose {
    /// Tables for the men of this board.
    pub fn new<S: Squares>(board: &Board<S>) -> Loose {
        let mut walls = [0; 6];
        for kind in PIECES {
            walls[kind.index()] = board
                .squares()
                .iter()
                .map(|from| match board.men().movements[kind.index()] {
                    Movement::Special => 0,
                    // Each line needs a unit on its first square.
                    Movement::Slider(_) => board.reach(kind, from, board.squares()).len(),
                    Movement::Leaper(_) => board.leap(kind, from).len(),
                })
                .min()
                .unwrap_or(0);
        }
        Loose {
            walls,
            sliders: Kind::ALL.map(|kind| board.slides(kind).is_some()),
            files: board.geometry().files(),
            ranks: board.geometry().ranks(),
        }
    }

    /// Those of `units`, all of a side but its king, that their own side cannot wall in.
    pub fn units<W: Layout>(&self, p: &Position<W>, units: W::Set) -> W::Set {
        // The king may be one of the others.
        let others = units.len();
        PIECES
            .into_iter()
            .filter(|kind| self.walls[kind.index()] > others)
            .fold(W::Set::EMPTY, |set, kind| set | p.kind(kind))
            & units
    }

    /// The most units that `color` may pin in the end, `turns` of its turns from now: one with
    /// each unit that slides, or may by then.
    pub fn pins<W: Layout>(&self, p: &Position<W>, color: Color, turns: u32) -> u32 {
        let own = p.color(color);
        let sliders = PIECES
            .into_iter()
            .filter(|kind| self.sliders[kind.index()])
            .map(|kind| (p.kind(kind) & own).len())
            .sum::<u32>();
        let promoting = (p.kind(Kind::Pawn) & own)
            .iter()
            .filter(|&from| self.left(color, from) <= turns)
            .count();
        sliders + promoting as u32
    }

    /// The least number of turns in which a pawn can promote.
    fn left(&self, color: Color, from: Square) -> u32 {
        let rank = from.0 / self.files;
        let (gone, left) = match color {
            Color::White => (rank, self.ranks - 1 - rank),
            Color::Black => (self.ranks - 1 - rank, rank),
        };
        u32::from(left) - u32::from(gone == 1 && left > 1)
    }
}
