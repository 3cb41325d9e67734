//! What a hand-checked position shows: its canonical FEN, outcome and legal turns, and whether a FEN
//! is refused.

#![allow(dead_code)]

use fairyproof::notation::{Setup, fen, turns};
use fairyproof::sets;
use fairyproof::with_setup;

/// A position of a variant: canonical FEN, outcome, legal turns.
pub struct Seen {
    pub fen: String,
    pub outcome: String,
    pub turns: Vec<String>,
}

impl Seen {
    /// Whether a turn is legal.
    pub fn can(&self, turn: &str) -> bool {
        self.turns.iter().any(|t| t == turn)
    }
}

/// A position; `start` is the array at the start.
pub fn read(variant: &str, text: &str) -> Setup {
    let variant = sets::parse(variant).expect("a variant");
    let text = (text != "start").then_some(text);
    Setup::read(&variant, text).unwrap_or_else(|e| panic!("{text:?}: {e}"))
}

/// Whether a FEN is refused.
pub fn refused(variant: &str, text: &str) -> bool {
    Setup::read(&sets::parse(variant).expect("a variant"), Some(text)).is_err()
}

/// The position after legal turns, parted by blanks.
pub fn after(variant: &str, text: &str, line: &str) -> Seen {
    with_setup!(read(variant, text), start => {
        let game = start.game.as_ref();
        let mut p = start.position;
        for (i, turn) in line.split_whitespace().enumerate() {
            let turn = turns::find(game, &p, turn, i + 1).unwrap_or_else(|e| panic!("{e}"));
            p = game.play(&p, &turn);
        }
        Seen {
            fen: fen::print(game, &p),
            outcome: game.outcome(&p).to_string(),
            turns: turns::sorted(game, &p).into_iter().map(|(text, _)| text).collect(),
        }
    })
}

/// A position as it is.
pub fn at(variant: &str, text: &str) -> Seen {
    after(variant, text, "")
}

/// Asserts the outcome after these turns.
#[track_caller]
pub fn ends(variant: &str, text: &str, line: &str, outcome: &str) {
    assert_eq!(after(variant, text, line).outcome, outcome, "{text} {line}");
}
