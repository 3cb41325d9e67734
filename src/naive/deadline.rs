//! Deadline: a check is met by a king step or by two steps of one other unit.

use super::board::{Pos, Turn};
use super::{Law, fide};

pub struct Deadline;

impl Law for Deadline {
    fn turns(&self, pos: &Pos) -> Vec<Turn> {
        let own = pos.white;
        if !self.in_danger(pos, own) {
            return fide::turns(self, pos);
        }
        let mut turns = Vec::new();
        for first in self.steps(pos, own) {
            if first.is('K') {
                let turn = fide::one_step(self, pos, first);
                if self.legal(pos, &turn.steps, &turn.after) {
                    turns.push(turn);
                }
                continue;
            }
            let halfway = self.apply(pos, &first);
            if !self.in_danger(&halfway, own) || self.in_danger(&halfway, !own) {
                continue;
            }
            for second in self.steps(&halfway, own) {
                if second.from != first.to {
                    continue;
                }
                let now = self.apply(&halfway, &second);
                let turn = self.finish(pos, &[first.clone(), second], now);
                if self.legal(pos, &turn.steps, &turn.after) {
                    turns.push(turn);
                }
            }
        }
        turns
    }
}
