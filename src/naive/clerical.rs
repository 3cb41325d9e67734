//! Clerical: the side that captures both bishops wins; a last bishop under attack moves one square.

use super::board::{Kind, Pos};
use super::{Basics, Law, fide, lost};

pub struct Clerical;

impl Law for Clerical {
    fn basics(&self) -> Basics {
        Basics {
            castling: false,
            // Pawns become kings: any number may be there.
            royal_counts: &[],
            promotions: "RNQK",
            ..Basics::CAPTURE_GAME
        }
    }

    /// Returns the unit that reaches a square. The restriction of a last bishop limits its steps, not its attacks.
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
