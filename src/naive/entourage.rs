//! Entourage: the side that captures the king, or a piece next to it, wins.

use super::board::{Pos, Step};
use super::{Basics, Law, lost, wins};

pub struct Entourage;

const ENTOURAGE: &str = "entourage-captured";

impl Law for Entourage {
    fn basics(&self) -> Basics {
        Basics::CAPTURE_GAME
    }

    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("over", "")]
    }

    fn state_value(&self, _pos: &Pos, _key: &str, value: &str) -> bool {
        value == ENTOURAGE
    }

    fn note(&self, before: &Pos, steps: &[Step], after: &mut Pos) {
        after.unset("over");
        let kings = before.board.find(!before.white, 'K');
        for step in steps {
            let captured = step.captured.map(|unit| unit.to_ascii_uppercase());
            let in_entourage = matches!(captured, Some('Q' | 'R' | 'B' | 'N'))
                && kings
                    .iter()
                    .any(|&king| before.board.next_to(step.to, king));
            if in_entourage {
                after.set("over", ENTOURAGE);
            }
        }
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        let king = lost(pos, "king-captured", |white| {
            pos.board.count(white, 'K') == 0
        });
        let over = pos.get("over", "") == ENTOURAGE;
        king.or_else(|| over.then(|| wins(!pos.white, ENTOURAGE)))
    }
}
