//! Clerical: the side that captures both bishops wins; a last bishop under attack moves one square.

use super::board::{Kind, Pos};
use super::{Law, fide, lost};

pub struct Clerical;

impl Law for Clerical {
    fn capture_game(&self) -> bool {
        true
    }

    fn has_castling(&self) -> bool {
        false
    }

    /// Pawns become kings: any number may be there.
    fn royal_counts(&self) -> Vec<(char, usize, usize)> {
        Vec::new()
    }

    fn promotions(&self, _pos: &Pos, _white: bool) -> Vec<char> {
        vec!['R', 'N', 'Q', 'K']
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
