//! Turns in coordinate notation. Prints turns, finds legal turns by their texts, and accepts the common
//! variations in which people write turns.

use super::{san, turn_diagnostics};
use board::{Color, Kind};
use diagnostics::{Diagnostic, whole_number};
use per_layout::per_layout;
use position::{Layout, Position};
use rules::{Action, Game, Step, Turn, with_turns};

/// Returns the text of a turn: its steps in the order in which they are carried out, joined by `+`. In
/// definitions, a unit that enters by gating is written as in Fairy-Stockfish.
#[per_layout]
pub fn print<W: Layout>(game: &dyn Game<W>, p: &Position<W>, turn: &Turn) -> String {
    let mut text = String::with_capacity(8);
    append(game, p, turn, &mut text);
    text
}

/// Appends the text that [`print()`] returns.
#[per_layout]
pub fn append<W: Layout>(game: &dyn Game<W>, p: &Position<W>, turn: &Turn, text: &mut String) {
    match gated(game, p, turn) {
        Some(gated) => text.push_str(&gated),
        None => append_steps(game, p, turn, text),
    }
}

/// Appends the steps of a turn, in the order in which they are carried out, joined by `+`.
fn append_steps<W: Layout>(game: &dyn Game<W>, p: &Position<W>, turn: &Turn, text: &mut String) {
    let geometry = game.board().geometry();
    let men = game.men();
    let start = text.len();
    let place = |kind, square, text: &mut String| {
        text.push_str(&men.name(Color::White, kind));
        text.push('@');
        geometry.push_name(square, text);
    };
    for (n, step) in turn.steps().enumerate() {
        if text.len() > start {
            text.push('+');
        }
        if step.action() == Action::Place {
            place(step.kind(), step.to, text);
            if let Some(kind) = step.becomes() {
                text.push(becoming(game, step.kind(), kind));
            }
        } else {
            move_text(game, step, text);
        }
        for (kind, square) in game.shown_placements(p, turn, n) {
            text.push('+');
            place(kind, square, text);
        }
    }
}

/// Appends a step of a unit on the board.
fn move_text<W: Layout>(game: &dyn Game<W>, step: Step, text: &mut String) {
    let geometry = game.board().geometry();
    // In rule texts, a unit is taken off the board.
    let is_off = step.action() == Action::Mirror && step.from == step.to;
    match is_off && game.carried().fields().is_some() {
        true => text.push_str("x@"),
        false => geometry.push_name(step.from, text),
    }
    geometry.push_name(step.to, text);
    if let Some(kind) = step.becomes() {
        text.push(becoming(game, step.kind(), kind));
    }
}

/// Returns the steps of a turn, joined by `+`.
fn joined<W: Layout>(game: &dyn Game<W>, p: &Position<W>, turn: &Turn) -> String {
    let mut text = String::new();
    append_steps(game, p, turn, &mut text);
    text
}

/// Returns the sign of a promotion: the letter of the new kind, or in definitions `+` for a promotion as in
/// shogi and `-` for a demotion.
fn becoming<W: Layout>(game: &dyn Game<W>, from: Kind, kind: Kind) -> char {
    let men = game.men();
    let (was, is) = (men.name(Color::Black, from), men.name(Color::Black, kind));
    let raised = || {
        let name = format!("+{was}");
        game.carried()
            .fields()
            .and_then(|carried| carried.kind_named(&name))
            == Some(kind)
    };
    if is.starts_with('+') || raised() {
        '+'
    } else if was.strip_prefix('+').is_some_and(|was| *was == *is) {
        '-'
    } else {
        men.letter(Color::Black, kind)
    }
}

/// Returns the text of a gating turn of a definition, as Fairy-Stockfish writes it. The letter of the
/// entering unit follows the squares. If the unit enters on the rook's square after castling, the squares are
/// those of the rook and the king. Returns `None` for other turns.
fn gated<W: Layout>(game: &dyn Game<W>, p: &Position<W>, turn: &Turn) -> Option<String> {
    // Only where units gate; in rule texts, a drop can be the second step.
    game.carried().fields()?.gates(p)?;
    let [first, gate] = turn.steps;
    if gate.action() != Action::Place || first.action() == Action::Place {
        return None;
    }
    let geometry = game.board().geometry();
    let letter = game.men().name(Color::Black, gate.kind());
    // If the step could also promote to the kind that enters, this text would mean both turns.
    let promotes = |turn: &Turn| {
        let [other, second] = turn.steps;
        let same = second.is_none() && (other.from, other.to) == (first.from, first.to);
        let becomes = other.becomes().filter(|_| same);
        becomes.is_some_and(|kind| *letter == *becoming(game, other.kind(), kind).to_string())
    };
    if first.becomes().is_none()
        && with_turns(|turns| {
            game.turns(p, turns);
            turns.iter().any(promotes)
        })
    {
        return None;
    }
    let alone = print(game, p, &Turn::of(first));
    let squares = if gate.to == first.from {
        alone
    } else {
        geometry.name(gate.to) + &geometry.name(first.from)
    };
    Some(squares + &letter)
}

/// Returns the legal turns with their texts, in byte order.
#[per_layout]
pub fn sorted<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> Vec<(String, Turn)> {
    with_turns(|turns| {
        game.turns(p, turns);
        let mut texts: Vec<(String, Turn)> =
            turns.iter().map(|t| (print(game, p, t), *t)).collect();
        texts.sort_unstable();
        texts
    })
}

/// Sorts turns by their texts, in byte order.
#[per_layout]
pub fn sort<W: Layout>(game: &dyn Game<W>, p: &Position<W>, turns: &mut [Turn]) {
    // Nearly all texts have at most eight bytes. These are compared as numbers, and need no memory of their own.
    let mut text = String::new();
    let mut keys = Vec::with_capacity(turns.len());
    for turn in turns.iter() {
        text.clear();
        append(game, p, turn, &mut text);
        let mut key = [0; 8];
        match key.get_mut(..text.len()) {
            Some(start) => start.copy_from_slice(text.as_bytes()),
            None => return turns.sort_by_cached_key(|turn| print(game, p, turn)),
        }
        keys.push((u64::from_be_bytes(key), *turn));
    }
    keys.sort_by_key(|(key, _)| *key);
    for (to, (_, turn)) in turns.iter_mut().zip(keys) {
        *to = turn;
    }
}

/// Returns the legal turn with this text. `number` is the number of the turn in the user's input, from 1.
///
/// # Errors
/// If no legal turn has this text. The error contains the reason and a similar turn.
#[per_layout]
pub fn find<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    text: &str,
    number: usize,
) -> Result<Turn, Diagnostic> {
    let legal = sorted(game, p);
    if let Some((_, turn)) = legal.iter().find(|(t, _)| t == text) {
        return Ok(*turn);
    }
    let what = format!("turn {number} (`{text}`)");
    let settled = game.outcome(p);
    if !settled.is_ongoing() {
        return Err(Diagnostic::new(
            what,
            format!("the game is over before it: {settled}"),
        ));
    }
    let pseudo = with_turns(|turns| {
        game.pseudo_turns(p, turns);
        let exact = turns.iter().find(|t| print(game, p, t) == text).copied();
        exact.or_else(|| {
            let texts = turns.iter().map(|turn| (String::new(), *turn));
            let texts: Vec<(String, Turn)> = texts.collect();
            san::matching(game, p, &texts, text).first().copied()
        })
    });
    let near = diagnostics::nearest(text, legal.iter().map(|(t, _)| t.as_str()));
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`fairyproof turns` lists the legal turns".to_string(),
    };
    let why = match pseudo {
        Some(turn) => format!("illegal: {}", game.refusal(p, &turn)),
        None => turn_diagnostics::why(game, p, text, &legal),
    };
    Err(Diagnostic::new(what, why).help(help))
}

/// Returns the texts of the turns in a line of play. Turns are separated by blanks or commas. Move numbers
/// (`1.`, `1...`, `1.e4`, `1`) and results are left out.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    const NO_TURNS: [&str; 7] = ["1-0", "0-1", "1/2-1/2", "*", "ep", "ep.", "e.p."];
    text.split(|c: char| c.is_whitespace() || c == ',')
        .map(|word| {
            // Remove a number in front of a turn only if a dot follows the number.
            let behind = word.trim_start_matches(|c: char| c.is_ascii_digit());
            match behind.trim_start_matches(['.', '\u{2026}']) {
                turn if turn.len() < behind.len() || whole_number(word) => turn,
                _ => word,
            }
        })
        .filter(|word| !word.is_empty() && !NO_TURNS.contains(word))
}

/// Returns the legal turn that a text means. Accepts the texts of [`find`] and forms such as `e2-e4`,
/// `e7xd8=Q+`, `Ng1-f3`, `Nf3` and `0-0`. `number` is the number of the turn in the user's input, from 1.
///
/// # Errors
/// As for [`find`], and if the text fits several legal turns.
pub fn read<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    text: &str,
    number: usize,
) -> Result<Turn, Diagnostic> {
    match matching(game, p, text).as_slice() {
        [turn] => Ok(*turn),
        [] => find(game, p, text, number),
        several => {
            let texts: Vec<String> = several.iter().map(|turn| print(game, p, turn)).collect();
            let what = format!("turn {number} (`{text}`)");
            Err(Diagnostic::new(what, "several legal turns fit it").help(texts.join(", ")))
        }
    }
}

/// Returns the legal turns that a text may mean, in the byte order of their coordinate notation. If a turn
/// has exactly this text, returns only that turn. Steps of a turn can be separated by `/`, as in `Be6/Bd7`. A
/// unit that enters by gating can be joined by `+`, as in `e1e2+H@e1`.
#[per_layout]
pub fn matching<W: Layout>(game: &dyn Game<W>, p: &Position<W>, text: &str) -> Vec<Turn> {
    let legal = sorted(game, p);
    if let Some((_, turn)) = legal.iter().find(|(t, _)| t == text) {
        return vec![*turn];
    }
    if game.carried().fields().is_some()
        && let Some((_, turn)) = legal.iter().find(|(_, t)| joined(game, p, t) == text)
    {
        return vec![*turn];
    }
    // Compare the texts without signs between squares. A sign at the end is kept at first, because `+` and
    // `-` can mean a promotion. Only if no turn fits is the sign read as a check mark.
    let plain = |text: &str| -> String {
        let last = text.len().saturating_sub(1);
        let between = |at: usize, c: char| matches!(c, '-' | 'x' | ':') && at < last;
        text.char_indices()
            .filter(|&(at, c)| !between(at, c) && !matches!(c, '=' | '(' | ')'))
            .map(|(_, c)| c)
            .collect()
    };
    let meaning = |text: &str| -> Vec<Turn> {
        let wanted = plain(text);
        let fits = |(t, _): &&(String, Turn)| plain(t).eq_ignore_ascii_case(&wanted);
        legal.iter().filter(fits).map(|(_, turn)| *turn).collect()
    };
    let mut meant = meaning(text.trim_end_matches(['!', '?']));
    if meant.is_empty() {
        meant = meaning(text.trim_end_matches(['+', '#', '!', '?']));
    }
    if meant.is_empty() {
        // Fairy-Stockfish writes some promotions with the letter of the new kind, which are written with `+`
        // here.
        let letter = |turn: &Turn| {
            let [step, second] = turn.steps;
            let kind = step.becomes().filter(|_| second.is_none())?;
            Some(game.men().letter(Color::Black, kind))
        };
        let fits = |(t, turn): &&(String, Turn)| {
            let lettered = t.strip_suffix('+').zip(letter(turn));
            lettered.is_some_and(|(squares, letter)| format!("{squares}{letter}") == plain(text))
        };
        meant = legal.iter().filter(fits).map(|(_, turn)| *turn).collect();
    }
    if meant.is_empty() {
        meant = san::matching(game, p, &legal, text);
    }
    meant
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Setup, with_setup};
    use rules::Variant;

    fn means(id: &str, fen: Option<&str>, text: &str) -> Result<String, Diagnostic> {
        let variant = variants::all().iter().find(|info| info.id == id);
        let variant = Variant::from(*variant.expect("a variant"));
        with_setup!(Setup::read(&variant, fen).expect("a FEN"), start => {
            let (game, p) = (start.game.as_ref(), &start.position);
            read(game, p, text, 1).map(|turn| print(game, p, &turn))
        })
    }

    #[test]
    fn turns_are_read_as_people_write_them() {
        let fen = Some("r3k2r/1P4P1/8/2pP4/8/2N5/8/R3K1NR w KQkq c6 0 1");
        for (turn, texts) in [
            ("g1e2", &["g1e2", "g1-e2", "Ng1-e2", "Nge2", "Nge2!?"][..]),
            ("d5c6", &["d5c6", "d5xc6", "d5:c6", "dxc6", "dc6"]),
            (
                "b7a8q",
                &["b7a8q", "b7a8Q", "b7xa8=Q+", "bxa8=Q", "bxa8Q", "bxa8(Q)"],
            ),
            ("g7g8n", &["g7-g8=N", "g8=N", "g8N"]),
            ("e1c1", &["O-O-O", "0-0-0", "o-o-o", "e1-c1", "Ke1-c1"]),
            ("a1a8", &["Rxa8+", "Ra1xa8", "a1xa8"]),
            ("d5d6", &["d6", "d5-d6", "d5d6"]),
        ] {
            for text in texts {
                assert_eq!(means("fide", fen, text).as_deref(), Ok(turn), "{text}");
            }
        }
        for text in [
            "Ne2", "b8", "Nxe2", "c6", "Ng1xe2", "d5-c6-", "e1c2", "-", "x", "",
        ] {
            assert!(means("fide", fen, text).is_err(), "{text}");
        }
        let several = means("fide", fen, "Ne2").expect_err("two knights");
        assert_eq!(several.help.as_deref(), Some("c3e2, g1e2"));
        // In a turn of several steps, each step can have a sign.
        let fen = Some("k2/3/PPP/ppp/3/2K w - - 0 1 first=1");
        let joined = means("french-revolution", fen, "c1-c2+a4xb3").ok();
        assert_eq!(joined, means("french-revolution", fen, "c1c2+a4b3").ok());
    }

    #[test]
    fn lines_are_read_with_numbers_and_results() {
        for text in [
            "e4 e5 Nf3",
            "1. e4 e5 2. Nf3",
            "1.e4 e5 2.Nf3 *",
            "1 e4 e5 2 Nf3 1-0",
            "e4, e5, Nf3",
            " 1. e4 1... e5\n2.Nf3  1/2-1/2",
        ] {
            assert_eq!(
                words(text).collect::<Vec<_>>(),
                ["e4", "e5", "Nf3"],
                "{text}"
            );
        }
        assert_eq!(
            words("4.0-0 0-0-0 +Pa1").collect::<Vec<_>>(),
            ["0-0", "0-0-0", "+Pa1"]
        );
    }
}
