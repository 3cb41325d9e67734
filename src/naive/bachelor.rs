//! Bachelor: a king next to a queen of its own side has won.

use super::board::{Pos, Step, Way};
use super::{Basics, Law, fide, wins};

pub struct Bachelor;

/// The kinds that may change on their last rank, and what they may become.
const CHANGING: [char; 4] = ['Q', 'R', 'B', 'N'];

impl Law for Bachelor {
    fn basics(&self) -> Basics {
        Basics {
            double_step: false,
            ..Basics::FIDE
        }
    }

    fn start(&self) -> String {
        "rnnkbbr/ppppppp/7/7/PPPPPPP/RNNKBBR w AGag - 0 1".to_string()
    }

    fn castling_letters(&self) -> &'static str {
        "AGag"
    }

    fn steps(&self, pos: &Pos, white: bool) -> Vec<Step> {
        let mut list = Vec::new();
        for step in fide::steps(self, pos, white) {
            // `fide::steps` promotes only pawns.
            let on_last_rank = pos.board.depth(step.to, white) + 1 == pos.board.ranks;
            if on_last_rank && CHANGING.iter().any(|&kind| step.is(kind)) {
                let others: Vec<char> = CHANGING.into_iter().filter(|&k| !step.is(k)).collect();
                list.extend(fide::promoted(&step, &others));
            }
            list.push(step);
        }
        list
    }

    fn castling_ways(&self, pos: &Pos) -> Vec<Way> {
        if pos.board.files != 7 {
            return Vec::new();
        }
        fide::ways(pos, 3, [('A', 0, 1, 2), ('G', 6, 5, 4)])
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        let mover = !pos.white;
        let queens = pos.board.find(mover, 'Q');
        let married = pos
            .board
            .find(mover, 'K')
            .into_iter()
            .any(|king| queens.iter().any(|&queen| pos.board.next_to(king, queen)));
        married.then(|| wins(mover, "marriage"))
    }
}
