//! Twilight: the side that captures the last pawn, minor or major unit wins; so does stalemate.

use super::board::{Pos, Step};
use super::{Law, fide, over};

pub struct Twilight;

/// The classes of units with the reason for winning by capturing the last of them.
const CLASSES: [(&str, &str); 3] = [
    ("P", "pawns-eliminated"),
    ("NB", "minors-eliminated"),
    ("QR", "majors-eliminated"),
];

/// Returns whether the side has no unit of these kinds.
fn lacks(pos: &Pos, white: bool, kinds: &str) -> bool {
    kinds
        .chars()
        .all(|kind| pos.board.find(white, kind).is_empty())
}

impl Law for Twilight {
    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("over", "")]
    }

    fn state_value(&self, pos: &Pos, _key: &str, value: &str) -> bool {
        CLASSES
            .iter()
            .any(|&(kinds, reason)| reason == value && lacks(pos, pos.white, kinds))
    }

    fn note(&self, _before: &Pos, steps: &[Step], after: &mut Pos) {
        after.unset("over");
        for unit in steps.iter().filter_map(|step| step.captured) {
            for (kinds, reason) in CLASSES {
                if kinds.contains(unit.to_ascii_uppercase()) && lacks(after, after.white, kinds) {
                    after.set("over", reason);
                }
            }
        }
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        over(pos)
    }

    fn no_turn(&self, pos: &Pos) -> String {
        fide::loses_without_turn(self, pos, "stalemate")
    }
}
