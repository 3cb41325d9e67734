//! Series-Helpmate: one wins if the opponent, to move, has a mate in one or in two turns in a row.

use super::board::Pos;
use super::fide::{self, Fide};
use super::{Law, wins};

pub struct SeriesHelpmate;

/// Returns whether two FIDE-legal turns in a row checkmate. The first of them must not give check.
fn mates_in_two(pos: &Pos) -> bool {
    fide::turns(&Fide, pos).into_iter().any(|turn| {
        if Fide.in_danger(&turn.after, !pos.white) {
            return false;
        }
        let mut again = turn.after;
        again.white = pos.white;
        again.ep = None;
        fide::can_checkmate(&again)
    })
}

impl Law for SeriesHelpmate {
    fn settled(&self, pos: &Pos) -> Option<String> {
        if fide::is_checkmate(&Fide, pos) {
            Some(wins(pos.white, "gave-checkmate"))
        } else if fide::can_checkmate(pos) || mates_in_two(pos) {
            Some(wins(!pos.white, "series-mate"))
        } else {
            None
        }
    }
}
