//! Ultimate: a pawn's check is mate, and so are some of knights, bishops and rooks.

use super::board::{Pos, Step};
use super::{Law, fide, wins};

pub struct Ultimate;

impl Law for Ultimate {
    fn settled(&self, pos: &Pos) -> Option<String> {
        let board = &pos.board;
        let turns = self.turns(pos);
        if turns.is_empty() {
            return None;
        }
        let steps: Vec<&Step> = turns.iter().map(|turn| &turn.steps[0]).collect();
        let lonely = |step: &Step| {
            !board
                .units(pos.white)
                .any(|unit| unit != step.from && board.next_to(unit, step.to))
        };
        let mated = fide::checkers(self, pos, pos.white)
            .into_iter()
            .any(|unit| match board.kind(unit) {
                Some('P') => true,
                Some('N') => steps.len() == 1,
                Some('B') => steps.iter().all(|step| step.is('K') && step.to != unit),
                Some('R') => steps.iter().all(|step| step.is('K') && lonely(step)),
                _ => false,
            });
        mated.then(|| wins(!pos.white, "ultimate-mate"))
    }
}
