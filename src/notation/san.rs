//! Turns in the short algebraic notation of EPD and PGN, read only.

use crate::{short, turns};
use diagnostics::InputError;
use per_layout::per_layout;
use position::{Layout, Position};
use rules::{Game, Turn, with_turns};

/// Returns the legal turn that a text such as `Nbd7`, `exd6`, `e8=Q+` or `O-O` means; coordinate notation is
/// understood, too. Turns of several steps have no short notation.
///
/// # Errors
/// If no legal turn fits, or more than one.
#[per_layout]
pub fn find<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    text: &str,
) -> Result<Turn, InputError> {
    let wrong = |why: &str| InputError::new(format!("turn `{text}`"), why);
    let exact = with_turns(|list| {
        game.turns(p, list);
        let mut turns = list.iter().copied();
        turns.find(|turn| turns::print(game, p, turn) == text)
    });
    let fitting = match exact {
        Some(turn) => vec![turn],
        None => short::fitting(game, p, &turns::sorted(game, p), text),
    };
    match fitting.as_slice() {
        [turn] => Ok(*turn),
        [] => Err(wrong("no legal turn fits it").help("such as `Nf3`, `exd6`, `e8=Q`, `O-O`")),
        several => {
            let texts: Vec<String> = several.iter().map(|t| turns::print(game, p, t)).collect();
            Err(wrong("several legal turns fit it").help(texts.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Setup;
    use crate::with_setup;

    fn read(fen: &str, text: &str) -> Result<String, InputError> {
        let variant = variants::parse("fide").expect("the base");
        with_setup!(Setup::read(&variant, Some(fen)).expect("a FEN"), start => {
            let game = start.game.as_ref();
            find(game, &start.position, text).map(|t| turns::print(game, &start.position, &t))
        })
    }

    #[test]
    fn short_notation_means_one_turn() {
        let fen = "r3k2r/1P4P1/8/2pP4/8/2N5/8/R3K1NR w KQkq c6 0 1";
        for (text, turn) in [
            ("Nge2", "g1e2"),
            ("Nce2!", "c3e2"),
            ("dxc6", "d5c6"),
            ("bxa8=Q+", "b7a8q"),
            ("g8=N", "g7g8n"),
            ("O-O-O", "e1c1"),
            ("Rxa8+", "a1a8"),
            ("d6", "d5d6"),
            ("e1f2", "e1f2"),
        ] {
            assert_eq!(read(fen, text).ok().as_deref(), Some(turn), "{text}");
        }
        for text in [
            "Ne2", "O-O", "c6", "dxe6", "b8", "Nxe2", "Qd4", "", "ä", "=",
        ] {
            assert!(read(fen, text).is_err(), "{text}");
        }
    }
}
