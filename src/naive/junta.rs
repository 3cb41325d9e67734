//! Junta: the side that captures two knights, or king and knight, wins.

use super::board::{Pos, Step};
use super::{Basics, Law, lost};

pub struct Junta;

/// Returns the captures of White and of Black in a state value.
fn taken(value: &str) -> (String, String) {
    let (white, black) = value.split_once('/').unwrap_or(("-", "-"));
    (white.to_string(), black.to_string())
}

impl Law for Junta {
    fn basics(&self) -> Basics {
        Basics {
            castling: false,
            promotions: "QRB",
            ..Basics::CAPTURE_GAME
        }
    }

    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("taken", "-/-")]
    }

    fn state_value(&self, pos: &Pos, _key: &str, value: &str) -> bool {
        let known = ["-", "N", "K", "NN", "KN"];
        let Some((white, black)) = value.split_once('/') else {
            return false;
        };
        known.contains(&white)
            && known.contains(&black)
            && !(white.len() == 2 && black.len() == 2)
            && !(white.contains('K') && pos.board.count(false, 'K') > 0)
            && !(black.contains('K') && pos.board.count(true, 'K') > 0)
    }

    fn note(&self, before: &Pos, steps: &[Step], after: &mut Pos) {
        let (mut white, mut black) = taken(&before.get("taken", "-/-"));
        let own = if before.white { &mut white } else { &mut black };
        for step in steps {
            match step.captured {
                Some('K' | 'k') => *own = format!("K{}", own.replace('-', "")),
                Some('N' | 'n') => *own = format!("{}N", own.replace('-', "")),
                _ => {}
            }
        }
        after.set("taken", &format!("{white}/{black}"));
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        let (white, black) = taken(&pos.get("taken", "-/-"));
        lost(pos, "junta-captured", |side| {
            if side {
                black.len() == 2
            } else {
                white.len() == 2
            }
        })
    }
}
