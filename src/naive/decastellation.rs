//! Decastellation: the side that captures the king or all rooks wins.

use super::board::Pos;
use super::{Basics, Law, lost};

pub struct Decastellation;

impl Law for Decastellation {
    fn basics(&self) -> Basics {
        Basics::CAPTURE_GAME
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        let without = |kind: char| move |white: bool| pos.board.count(white, kind) == 0;
        lost(pos, "king-captured", without('K'))
            .or_else(|| lost(pos, "rooks-captured", without('R')))
    }
}
