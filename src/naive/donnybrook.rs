//! Donnybrook: the side that captures king and queen wins; captured rooks, knights, bishops re-enter.

use super::board::{Pos, Step, Turn, letter};
use super::{Basics, Law, fide, lost, monarchs};

pub struct Donnybrook;

/// Returns whether a captured unit of this kind comes back to its owner.
fn comes_back(pos: &Pos, kind: char, owner: bool) -> bool {
    match kind {
        'R' => true,
        'N' => pos.board.count(owner, 'K') > 0,
        'B' => pos.board.count(owner, 'Q') > 0,
        _ => false,
    }
}

impl Law for Donnybrook {
    fn basics(&self) -> Basics {
        Basics::MONARCHS_CAPTURED
    }

    /// Returns whether en passant is possible. It is not if a unit has to re-enter first.
    fn has_en_passant(&self, pos: &Pos) -> bool {
        pos.get("return", "").is_empty()
    }

    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("return", "")]
    }

    fn state_value(&self, pos: &Pos, _key: &str, value: &str) -> bool {
        ["R", "N", "B"]
            .into_iter()
            .zip(['R', 'N', 'B'])
            .any(|(name, kind)| name == value && comes_back(pos, kind, pos.white))
    }

    fn attacks(&self, pos: &Pos, from: usize, to: usize) -> bool {
        match pos.board.kind(from) {
            Some('Q') => pos.board.next_to(from, to),
            _ => fide::attacks(self, pos, from, to),
        }
    }

    fn note(&self, before: &Pos, steps: &[Step], after: &mut Pos) {
        after.unset("return");
        for step in steps {
            if let Some(unit) = step.captured {
                let kind = unit.to_ascii_uppercase();
                if comes_back(after, kind, !before.white) {
                    after.set("return", &kind.to_string());
                }
            }
        }
    }

    fn turns(&self, pos: &Pos) -> Vec<Turn> {
        let Some(kind) = pos.get("return", "").chars().next() else {
            return fide::turns(self, pos);
        };
        let unit = letter(pos.white, kind);
        let mut turns = Vec::new();
        for square in pos.board.squares() {
            if !pos.board.is_empty(square) {
                continue;
            }
            let entry = Step::drop(unit, square);
            let entered = self.apply(pos, &entry);
            for step in self.steps(&entered, pos.white) {
                if step.from != square {
                    let now = self.apply(&entered, &step);
                    turns.push(self.finish(pos, &[entry.clone(), step], now));
                }
            }
        }
        turns
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        lost(pos, "monarchs-captured", |white| {
            monarchs(pos, white).is_empty()
        })
    }
}
