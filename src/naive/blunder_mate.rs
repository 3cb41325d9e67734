//! Blunder-Mate: one also wins if another turn of the opponent would have allowed a mate in one.

use super::board::{Pos, Turn};
use super::fide::{self, Fide};
use super::{Law, wins};

pub struct BlunderMate;

impl Law for BlunderMate {
    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("blunder", "")]
    }

    fn state_value(&self, _pos: &Pos, _key: &str, value: &str) -> bool {
        value == "1"
    }

    /// Returns the legal turns. They are marked only after all turns are known, because the mark of a turn
    /// depends on the other turns.
    fn turns(&self, pos: &Pos) -> Vec<Turn> {
        let mut turns = fide::turns(&Fide, pos);
        let blunders: Vec<bool> = turns
            .iter()
            .map(|t| fide::can_checkmate(&t.after))
            .collect();
        for (i, turn) in turns.iter_mut().enumerate() {
            let another = blunders.iter().enumerate().any(|(j, &b)| b && j != i);
            turn.after.unset("blunder");
            if another {
                turn.after.set("blunder", "1");
            }
        }
        turns
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        if fide::is_checkmate(&Fide, pos) {
            Some(wins(!pos.white, "checkmate"))
        } else if pos.get("blunder", "") == "1" {
            Some(wins(pos.white, "blunder-mate"))
        } else {
            None
        }
    }
}
