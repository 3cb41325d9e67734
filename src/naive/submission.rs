//! Submission: checkmating is illegal; a check whose only answer is a plain king step wins.

use super::board::{Pos, Step, Turn};
use super::fide::{self, Fide};
use super::{Law, wins};

pub struct Submission;

/// Returns the FIDE-legal turns that do not checkmate the opponent.
fn replies(pos: &Pos) -> Vec<Turn> {
    fide::turns(&Fide, pos)
        .into_iter()
        .filter(|turn| !fide::is_checkmate(&Fide, &turn.after))
        .collect()
}

impl Law for Submission {
    fn legal(&self, before: &Pos, _steps: &[Step], after: &Pos) -> bool {
        !self.in_danger(after, before.white)
            && (!self.in_danger(after, !before.white) || !replies(after).is_empty())
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        if !self.in_danger(pos, pos.white) {
            return None;
        }
        let replies = replies(pos);
        if replies.len() != 1 {
            return None;
        }
        let step = &replies[0].steps[0];
        (step.is('K') && step.captured.is_none()).then(|| wins(!pos.white, "submission"))
    }
}
