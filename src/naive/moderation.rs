//! Moderation: each side may give three checks; after them only a checkmate.

use super::Law;
use super::board::{Pos, Step};
use super::fide::{self, Fide};

pub struct Moderation {
    /// Whether a fourth check mates if the opponent has no turn that Moderation allows.
    pub own: bool,
}

/// Maximum number of cross-checks in a row that are examined with the option.
const CROSS_CHECKS: u32 = 8;

/// Returns whether the side to move has a turn that Moderation allows. If `plies` is 0, every legal turn of
/// FIDE counts as allowed.
fn has_turn(pos: &Pos, plies: u32) -> bool {
    let turns = fide::turns(&Fide, pos);
    if checks_given(pos, pos.white) < 3 || plies == 0 {
        return !turns.is_empty();
    }
    turns.iter().any(|turn| {
        let after = &turn.after;
        !fide::in_danger(&Fide, after, after.white) || !has_turn(after, plies - 1)
    })
}

fn has_turn_of_fide(pos: &Pos) -> bool {
    !fide::turns(&Fide, pos).is_empty()
}

/// Returns the number of checks that a side has given so far.
fn checks_given(pos: &Pos, white: bool) -> usize {
    let text = pos.get("checks", "0,0");
    let place = if white { 0 } else { 2 };
    text[place..place + 1].parse().expect("a digit")
}

impl Law for Moderation {
    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("checks", "0,0")]
    }

    fn state_value(&self, _pos: &Pos, _key: &str, value: &str) -> bool {
        let parts: Vec<&str> = value.split(',').collect();
        parts.len() == 2 && parts.iter().all(|part| ["0", "1", "2", "3"].contains(part))
    }

    fn legal(&self, before: &Pos, _steps: &[Step], after: &Pos) -> bool {
        if self.in_danger(after, before.white) {
            return false;
        }
        let gives_check = self.in_danger(after, !before.white);
        !gives_check
            || checks_given(before, before.white) < 3
            || !match self.own {
                true => has_turn(after, CROSS_CHECKS),
                false => has_turn_of_fide(after),
            }
    }

    fn note(&self, before: &Pos, _steps: &[Step], after: &mut Pos) {
        let mut white = checks_given(before, true);
        let mut black = checks_given(before, false);
        if self.in_danger(after, !before.white) {
            let own = if before.white { &mut white } else { &mut black };
            *own = (*own + 1).min(3);
        }
        after.set("checks", &format!("{white},{black}"));
    }
}
