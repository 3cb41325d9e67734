//! Separation: king and queen are royal and may not step into one quadrant.

use super::board::{Board, Pos, Step};
use super::{Basics, Law, draw, fide, wins};

pub struct Separation;

/// Returns the quadrant of a square: whether it is in the right half, and whether it is in the upper half.
fn quadrant(board: &Board, square: usize) -> (bool, bool) {
    (
        board.file(square) >= board.files / 2,
        board.rank(square) >= board.ranks / 2,
    )
}

impl Separation {
    /// Returns whether a side's monarch of this kind is attacked.
    fn hit(&self, pos: &Pos, white: bool, kind: char) -> bool {
        pos.board
            .find(white, kind)
            .into_iter()
            .any(|square| self.attacked(pos, square, !white))
    }

    /// Returns whether a turn satisfies the rules on attacks on the monarchs.
    fn safe(&self, before: &Pos, steps: &[Step], after: &Pos) -> bool {
        let white = before.white;
        if self.hit(after, white, 'K') {
            return false;
        }
        let both_were_hit = self.hit(before, white, 'K') && self.hit(before, white, 'Q');
        let queen_moved = steps.iter().any(|step| step.is('Q'));
        !self.hit(after, white, 'Q') || (both_were_hit && !queen_moved)
    }

    /// Returns whether a monarch ends its step in the quadrant of the other monarch.
    fn joins(&self, steps: &[Step], after: &Pos) -> bool {
        steps.iter().any(|step| {
            let other = match step.unit.to_ascii_uppercase() {
                'K' => 'Q',
                'Q' => 'K',
                _ => return false,
            };
            let white = step.unit.is_ascii_uppercase();
            let board = &after.board;
            board
                .find(white, other)
                .into_iter()
                .any(|square| quadrant(board, square) == quadrant(board, step.to))
        })
    }
}

impl Law for Separation {
    fn basics(&self) -> Basics {
        Basics::MONARCHS
    }

    fn mover_stands_badly(&self, pos: &Pos) -> bool {
        self.hit(pos, !pos.white, 'K')
    }

    fn attacks(&self, pos: &Pos, from: usize, to: usize) -> bool {
        let white = pos.board.owns(true, from);
        match pos.board.kind(from) {
            Some('Q') => fide::attacks_as(pos, 'N', white, from, to),
            Some('N') => fide::attacks_as(pos, 'Q', white, from, to),
            _ => fide::attacks(self, pos, from, to),
        }
    }

    fn legal(&self, before: &Pos, steps: &[Step], after: &Pos) -> bool {
        self.safe(before, steps, after) && !self.joins(steps, after)
    }

    fn no_turn(&self, pos: &Pos) -> String {
        if self.in_danger(pos, pos.white) {
            return wins(!pos.white, "checkmate");
        }
        // No turn is legal, so a safe turn can have failed only by the rule on quadrants.
        let some_safe = fide::all_steps(self, pos).into_iter().any(|step| {
            let turn = fide::one_step(self, pos, step);
            self.safe(pos, &turn.steps, &turn.after)
        });
        if some_safe {
            wins(!pos.white, "same-quadrant")
        } else {
            draw("stalemate")
        }
    }
}
