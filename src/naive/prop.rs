//! Prop: a step needs another unit that could make it too, and goes forward if any can.

use super::board::{Pos, Step, Turn};
use super::{Basics, Law, draw, fide, wins};

pub struct Prop;

impl Law for Prop {
    fn basics(&self) -> Basics {
        Basics::CAPTURE_GAME
    }

    fn resets_clock(&self, _before: &Pos, steps: &[Step], _after: &Pos) -> bool {
        steps.iter().any(|step| step.captured.is_some())
    }

    fn turns(&self, pos: &Pos) -> Vec<Turn> {
        let supports = self.steps(pos, pos.white);
        let allowed: Vec<Step> = fide::all_steps(self, pos)
            .into_iter()
            .filter(|step| {
                supports
                    .iter()
                    .any(|other| other.from != step.from && other.to == step.to)
            })
            .collect();
        let forward = |step: &Step| {
            pos.board.depth(step.to, pos.white) > pos.board.depth(step.from, pos.white)
        };
        let must_go_forward = allowed.iter().any(forward);
        allowed
            .into_iter()
            .filter(|step| !must_go_forward || forward(step))
            .map(|step| fide::one_step(self, pos, step))
            .collect()
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        (pos.halfmove >= 50).then(|| draw("fifty-half-moves"))
    }

    fn no_turn(&self, pos: &Pos) -> String {
        wins(!pos.white, "no-turn")
    }
}
