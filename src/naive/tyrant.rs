//! Tyrant: only king and queen capture, and are put back when captured.

use super::board::{Kind, Pos, Step, Turn};
use super::{Basics, Law, fide, lost};

pub struct Tyrant;

impl Law for Tyrant {
    fn basics(&self) -> Basics {
        Basics {
            castling: false,
            promotions: "RBN",
            ..Basics::CAPTURE_GAME
        }
    }

    fn has_en_passant(&self, _pos: &Pos) -> bool {
        false
    }

    fn attacks(&self, pos: &Pos, from: usize, to: usize) -> bool {
        matches!(pos.board.kind(from), Some('K' | 'Q')) && fide::attacks(self, pos, from, to)
    }

    fn reach(&self, pos: &Pos, from: usize, to: usize) -> Option<Kind> {
        // Units that do not capture still step to vacant squares as in FIDE.
        if pos.board.is_empty(to) && pos.board.kind(from) != Some('P') {
            return fide::attacks(self, pos, from, to).then_some(Kind::Plain);
        }
        fide::reach(self, pos, from, to)
    }

    fn turns(&self, pos: &Pos) -> Vec<Turn> {
        let mut list = Vec::new();
        for step in self.steps(pos, pos.white) {
            let now = self.apply(pos, &step);
            let monarch = step
                .captured
                .filter(|unit| "KQ".contains(unit.to_ascii_uppercase()));
            let Some(monarch) = monarch else {
                list.push(self.finish(pos, &[step], now));
                continue;
            };
            for to in pos.board.squares() {
                if now.board.is_empty(to) && !self.attacked(&now, to, pos.white) {
                    let exile = Step::drop(monarch, to);
                    let then = self.apply(&now, &exile);
                    list.push(self.finish(pos, &[step.clone(), exile], then));
                }
            }
        }
        list
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        lost(pos, "annihilated", |white| {
            pos.board
                .units(white)
                .all(|square| matches!(pos.board.kind(square), Some('K' | 'Q')))
        })
    }
}
