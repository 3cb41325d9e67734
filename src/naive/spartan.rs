//! Spartan: White starts without three units and wins when the moves are over.

use super::board::Pos;
use super::fen::number;
use super::{Law, Options, fide, wins};

pub struct Spartan {
    moves: u64,
}

pub fn law(options: &Options) -> Result<Box<dyn Law>, String> {
    let mut moves = 60;
    for (name, value) in options {
        if name != "moves" {
            return Err(format!("unknown option {name}"));
        }
        moves = number("moves", value)?;
        if !(1..=9999).contains(&moves) {
            return Err(format!("moves: {moves} is not between 1 and 9999"));
        }
    }
    Ok(Box::new(Spartan { moves }))
}

impl Law for Spartan {
    fn start(&self) -> String {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/3QKBNR w Kkq - 0 1".to_string()
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        if fide::is_checkmate(self, pos) {
            Some(wins(!pos.white, "checkmate"))
        } else if pos.fullmove > self.moves {
            Some(wins(true, "time"))
        } else {
            None
        }
    }

    fn no_turn(&self, _pos: &Pos) -> String {
        wins(true, "stalemate")
    }
}
