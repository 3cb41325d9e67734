//! French Revolution: a step of a piece, then a step of a pawn.

use super::board::{Kind, Pos, Step, Turn, ahead};
use super::{Basics, Law, Options, draw, fide, wins};

/// French Revolution with its options.
#[derive(Default)]
pub struct FrenchRevolution {
    weak_loss: bool,
    no_promotion: bool,
    ten_rows: bool,
    avalanche: bool,
}

pub fn law(options: &Options) -> Result<Box<dyn Law>, String> {
    let mut law = FrenchRevolution::default();
    for (name, value) in options {
        match name.as_str() {
            "weak-loss" => law.weak_loss = true,
            "no-promotion" => law.no_promotion = true,
            "ten-rows" => law.ten_rows = true,
            "avalanche" => law.avalanche = true,
            _ => return Err(format!("unknown option {name}")),
        }
        if !value.is_empty() {
            return Err(format!("option {name} has no value"));
        }
    }
    Ok(Box::new(law))
}

impl FrenchRevolution {
    /// Returns the pawn steps that are allowed as a step of a turn.
    fn pawn_steps(&self, pos: &Pos) -> Vec<Step> {
        let mut list = if self.avalanche {
            self.pushes(pos)
        } else {
            self.steps(pos, pos.white)
        };
        list.retain(|step| step.is('P') && self.safe(pos, step));
        list
    }

    /// Returns the steps of enemy pawns, straight ahead in their own direction.
    fn pushes(&self, pos: &Pos) -> Vec<Step> {
        let owner = !pos.white;
        let mut list = Vec::new();
        for from in pos.board.find(owner, 'P') {
            let Some(to) = pos.board.offset(from, 0, ahead(owner)) else {
                continue;
            };
            if !pos.board.is_empty(to) {
                continue;
            }
            let step = fide::step(pos, Kind::Plain, from, to);
            if pos.board.depth(to, owner) + 1 == pos.board.ranks && !self.no_promotion {
                list.extend(fide::promoted(&step, &self.promotions(pos, owner)));
            } else {
                list.push(step);
            }
        }
        list
    }

    /// Returns the steps with which a turn may begin.
    fn first_steps(&self, pos: &Pos) -> Vec<Step> {
        if is_first_turn(pos) {
            return self.pawn_steps(pos);
        }
        let mut list = fide::all_steps(self, pos);
        list.retain(|step| !step.is('P') && self.safe(pos, step));
        list
    }

    /// Returns whether the king of the side to move is not attacked after the step.
    fn safe(&self, pos: &Pos, step: &Step) -> bool {
        !self.in_danger(&self.apply(pos, step), pos.white)
    }
}

/// Returns whether White has still to make its first turn, which is a single pawn step.
fn is_first_turn(pos: &Pos) -> bool {
    pos.get("first", "") == "1"
}

/// Returns whether pawns on the square may not be captured: it is on the middle rank, or on one of the two
/// middle ranks.
fn is_protected(pos: &Pos, square: usize) -> bool {
    let rank = pos.board.rank(square);
    rank == pos.board.ranks / 2 || rank == (pos.board.ranks - 1) / 2
}

impl Law for FrenchRevolution {
    fn basics(&self) -> Basics {
        Basics {
            double_step: false,
            ..Basics::FIDE
        }
    }

    fn start(&self) -> String {
        let board = if self.ten_rows {
            "rnbqkbnr/8/8/8/PPPPPPPP/pppppppp/8/8/8/RNBQKBNR"
        } else {
            "rnbqkbnr/8/8/PPPPPPPP/pppppppp/8/8/RNBQKBNR"
        };
        format!("{board} w KQkq - 0 1 first=1")
    }

    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("first", "")]
    }

    fn state_value(&self, pos: &Pos, _key: &str, value: &str) -> bool {
        value == "1" && pos.white
    }

    fn pawn_may_stand(&self, pos: &Pos, square: usize, white: bool) -> bool {
        let depth = pos.board.depth(square, white);
        self.no_promotion || (depth != 0 && depth + 1 != pos.board.ranks)
    }

    fn reach(&self, pos: &Pos, from: usize, to: usize) -> Option<Kind> {
        if pos.board.kind(to) == Some('P') && is_protected(pos, to) {
            return None;
        }
        fide::reach(self, pos, from, to)
    }

    fn steps(&self, pos: &Pos, white: bool) -> Vec<Step> {
        if self.no_promotion {
            fide::steps_without_promotion(self, pos, white)
        } else {
            fide::steps(self, pos, white)
        }
    }

    fn note(&self, _before: &Pos, _steps: &[Step], after: &mut Pos) {
        after.unset("first");
    }

    fn turns(&self, pos: &Pos) -> Vec<Turn> {
        let mut list = Vec::new();
        for first in self.first_steps(pos) {
            let middle = self.apply(pos, &first);
            if is_first_turn(pos) {
                list.push(self.finish(pos, &[first], middle));
                continue;
            }
            for second in self.pawn_steps(&middle) {
                let now = self.apply(&middle, &second);
                list.push(self.finish(pos, &[first.clone(), second], now));
            }
        }
        list
    }

    fn no_turn(&self, pos: &Pos) -> String {
        if self.in_danger(pos, pos.white) && self.first_steps(pos).is_empty() {
            wins(!pos.white, "checkmate")
        } else if self.weak_loss {
            let winner = if pos.white { "black" } else { "white" };
            format!("{winner}-wins-weakly no-turn")
        } else {
            draw("no-turn")
        }
    }
}
