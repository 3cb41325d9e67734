//! Kingmaker: pawns make kings of the opponent, who loses when only the king can move.

use super::board::{Pos, Step, letter};
use super::{Basics, Law, fide, wins};

pub struct Kingmaker;

impl Law for Kingmaker {
    fn basics(&self) -> Basics {
        Basics {
            castling: false,
            royal_counts: &[('K', 0, 1)],
            ..Basics::FIDE
        }
    }

    fn start(&self) -> String {
        "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1".to_string()
    }

    fn promotions(&self, pos: &Pos, white: bool) -> Vec<char> {
        if pos.board.count(!white, 'K') == 0 {
            vec!['K']
        } else {
            vec!['Q', 'R', 'B', 'N']
        }
    }

    /// Returns the pseudo-legal steps of a side. A pawn that promotes to a king becomes a king of the
    /// opponent.
    fn steps(&self, pos: &Pos, white: bool) -> Vec<Step> {
        let mut steps = fide::steps(self, pos, white);
        for step in &mut steps {
            if step.promotion == Some(letter(white, 'K')) {
                step.promotion = Some(letter(!white, 'K'));
            }
        }
        steps
    }

    fn legal(&self, before: &Pos, steps: &[Step], after: &Pos) -> bool {
        let makes_king = steps[0].promotion == Some(letter(!before.white, 'K'));
        if makes_king && self.in_danger(after, !before.white) {
            return false;
        }
        !self.in_danger(after, before.white)
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        let turns = self.turns(pos);
        let forced = !turns.is_empty() && turns.iter().all(|turn| turn.steps[0].is('K'));
        forced.then(|| wins(!pos.white, "king-forced"))
    }

    fn no_turn(&self, pos: &Pos) -> String {
        fide::loses_without_turn(self, pos, "no-turn")
    }
}
