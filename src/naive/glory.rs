//! Glory: a pawn on its last rank but one that is not captured at once wins.

use super::board::Pos;
use super::{Basics, Law, draw, fide, wins};

pub struct Glory;

/// Returns whether the side has a pawn one step before its last rank.
fn has_glory(pos: &Pos, white: bool) -> bool {
    pos.board
        .find(white, 'P')
        .into_iter()
        .any(|pawn| pos.board.depth(pawn, white) + 2 == pos.board.ranks)
}

impl Law for Glory {
    fn basics(&self) -> Basics {
        Basics {
            double_step: false,
            ..Basics::FIDE
        }
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        if fide::is_checkmate(self, pos) {
            Some(wins(!pos.white, "checkmate"))
        } else if has_glory(pos, pos.white) {
            Some(wins(pos.white, "glory"))
        } else {
            None
        }
    }

    fn no_turn(&self, pos: &Pos) -> String {
        if has_glory(pos, !pos.white) {
            wins(!pos.white, "glory")
        } else {
            draw("stalemate")
        }
    }
}
