//! Clerical: the side that captures both bishops wins; a last bishop under attack moves one square.

use super::board::{Kind, Pos};
use super::{Basics, Law, fide, lost};

pub struct Clerical;

impl Law for Clerical {
    fn basics(&self) -> Basics {
        Basics {
            castling: false,
            // Pawns can become kings, so any number of kings is allowed.
            royal_counts: &[],
            promotions: "RNQK",
            ..Basics::CAPTURE_GAME
        }
    }

    /// Returns the step from one square to another. A last bishop under attack is restricted in its steps,
    /// but not in its attacks.
    fn reach(&self, pos: &Pos, from: usize, to: usize) -> Option<Kind> {
        let white = pos.board.owns(true, from);
        let last_bishop = pos.board.kind(from) == Some('B') && pos.board.count(white, 'B') == 1;
        if last_bishop && !pos.board.next_to(from, to) && self.attacked(pos, from, !white) {
            return None;
        }
        fide::reach(self, pos, from, to)
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        lost(pos, "bishops-captured", |white| {
            pos.board.count(white, 'B') == 0
        })
    }
}
