//! Linkage: a threat to complete a row of four with the king is met like a check.

use super::board::{Pos, Step};
use super::{Law, draw, wins};

pub struct Linkage {
    /// Whether a row of four that existed before a capture is not completed by it.
    pub free: bool,
}

/// Returns the unbroken row of occupied squares through a unit, in one direction and its opposite.
fn row(pos: &Pos, square: usize, files: i32, ranks: i32) -> Vec<usize> {
    let mut row = vec![square];
    for sign in [1, -1] {
        let mut here = square;
        while let Some(next) = pos.board.offset(here, sign * files, sign * ranks) {
            if pos.board.is_empty(next) {
                break;
            }
            row.push(next);
            here = next;
        }
    }
    row
}

impl Linkage {
    /// Returns whether an enemy step could complete a row of four with the side's king.
    fn linkage_attacked(&self, pos: &Pos, white: bool) -> bool {
        let kings = pos.board.find(white, 'K');
        self.steps(pos, !white).into_iter().any(|step| {
            let linked = self.apply(pos, &step);
            kings.iter().any(|&king| {
                [(1, 0), (0, 1), (1, 1), (1, -1)]
                    .into_iter()
                    .any(|(files, ranks)| {
                        let now = row(&linked, king, files, ranks);
                        let existed = row(pos, king, files, ranks) == now;
                        now.len() == 4 && now.contains(&step.to) && !(self.free && existed)
                    })
            })
        })
    }
}

impl Law for Linkage {
    fn mover_stands_badly(&self, pos: &Pos) -> bool {
        self.in_danger(pos, !pos.white) || self.linkage_attacked(pos, !pos.white)
    }

    fn legal(&self, before: &Pos, _steps: &[Step], after: &Pos) -> bool {
        !self.in_danger(after, before.white) && !self.linkage_attacked(after, before.white)
    }

    fn no_turn(&self, pos: &Pos) -> String {
        if self.in_danger(pos, pos.white) {
            wins(!pos.white, "checkmate")
        } else if self.linkage_attacked(pos, pos.white) {
            wins(!pos.white, "linkage-mate")
        } else {
            draw("stalemate")
        }
    }
}
