//! Contravention: one may put oneself in check, and the opponent has to end it.

use super::board::{Pos, Step};
use super::{CastlingTest, Law, fide};

pub struct Contravention;

/// Returns the letter of a side in the state.
fn side_letter(white: bool) -> char {
    if white { 'w' } else { 'b' }
}

impl Contravention {
    /// Returns whether the side may end its turn with its king attacked by its present attackers.
    fn checkers_allow(&self, pos: &Pos, white: bool) -> bool {
        fide::checkers(self, pos, white)
            .into_iter()
            .all(|from| matches!(pos.board.kind(from), Some('N' | 'B' | 'R' | 'Q')))
    }
}

impl Law for Contravention {
    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("into", "")]
    }

    fn state_value(&self, pos: &Pos, _key: &str, value: &str) -> bool {
        if !["w", "b", "wb"].contains(&value) {
            return false;
        }
        let mover_in = value.contains(side_letter(!pos.white));
        let to_move_in = value.contains(side_letter(pos.white));
        (!mover_in || self.in_danger(pos, !pos.white))
            && (!to_move_in || !self.in_danger(pos, pos.white))
    }

    fn mover_stands_badly(&self, pos: &Pos) -> bool {
        !self.checkers_allow(pos, !pos.white)
    }

    fn castling_test(&self) -> CastlingTest {
        CastlingTest::Path
    }

    fn legal(&self, before: &Pos, steps: &[Step], after: &Pos) -> bool {
        let own = before.white;
        let own_after = self.in_danger(after, own);
        if own_after {
            let was_in_check = self.in_danger(before, own);
            let went_in_before = before.get("into", "").contains(side_letter(own));
            let king_again = steps[0].is('K') && went_in_before;
            if was_in_check || !self.checkers_allow(after, own) || king_again {
                return false;
            }
        }
        !(self.in_danger(before, !own) && self.in_danger(after, !own))
    }

    fn note(&self, before: &Pos, steps: &[Step], after: &mut Pos) {
        let old = before.get("into", "");
        let into: String = [true, false]
            .into_iter()
            .filter(|&white| {
                if white == before.white {
                    steps[0].is('K') && self.in_danger(after, white)
                } else {
                    old.contains(side_letter(white))
                }
            })
            .map(side_letter)
            .collect();
        after.unset("into");
        if !into.is_empty() {
            after.set("into", &into);
        }
    }

    fn no_turn(&self, pos: &Pos) -> String {
        let gives_check = self.in_danger(pos, !pos.white);
        let reason = if gives_check {
            "check-not-removed"
        } else {
            "stalemate"
        };
        fide::loses_without_turn(self, pos, reason)
    }
}
