//! Reads and prints turns in the short algebraic notation of EPD and PGN.
//!
//! Besides the notation of orthodox chess, reads drops (`N@f3`, `@e6` or `P@e6` for a pawn), steps with which a
//! unit in hand enters (`Nc6/H`, `O-O/Ee1` with the square that it enters), and passes (`--`, `pass`, `0000`).

use crate::turns;
use board::{Kind, Squares};
use diagnostics::Diagnostic;
use per_layout::per_layout;
use position::{Layout, Position};
use rules::{Action, Game, Step, Turn, reason, with_turns};

/// Returns the legal turn that a text such as `Nbd7`, `exd6`, `e8=Q+` or `O-O` means. Coordinate notation is
/// accepted too. Several steps of one turn are separated by `/`.
///
/// # Errors
/// If no legal turn fits, or more than one.
#[per_layout]
pub fn find<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    text: &str,
) -> Result<Turn, Diagnostic> {
    let wrong = |why: &str| Diagnostic::new(format!("turn `{text}`"), why);
    let exact = with_turns(|list| {
        game.turns(p, list);
        let mut turns = list.iter().copied();
        turns.find(|turn| turns::print(game, p, turn) == text)
    });
    let fitting = match exact {
        Some(turn) => vec![turn],
        None => matching(game, p, &turns::sorted(game, p), text),
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

/// Returns the legal turns that match a text in short algebraic notation.
pub(crate) fn matching<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    legal: &[(String, Turn)],
    text: &str,
) -> Vec<Turn> {
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    let legal = legal.iter().map(|(_, turn)| *turn);
    legal.filter(|turn| fits(game, p, turn, bare)).collect()
}

/// Returns the shortest text in this notation that means the turn and no other one, with `+` if it gives check and `#`
/// if it gives check and ends the game, whatever the outcome. A turn without such a text is returned in coordinate
/// notation.
#[per_layout]
pub fn print<W: Layout>(game: &dyn Game<W>, p: &Position<W>, turn: &Turn) -> String {
    let after = game.play(p, turn);
    let outcome = game.outcome(&after);
    let checks = game.in_check(&after, after.side) || outcome.reason() == Some(reason::CHECKMATE);
    let mark = match (checks, outcome.is_ongoing()) {
        (true, true) => "+",
        (true, false) => "#",
        (false, _) => "",
    };
    let is_unique = |text: &String| turns::matching(game, p, text).as_slice() == [*turn];
    let texts = candidates(game, p, turn).into_iter();
    let found = texts.map(|text| text + mark).find(is_unique);
    found.unwrap_or_else(|| turns::print(game, p, turn))
}

/// Returns texts that may mean a turn, the shortest first.
fn candidates<W: Layout>(game: &dyn Game<W>, p: &Position<W>, turn: &Turn) -> Vec<String> {
    let geometry = game.board().geometry();
    let [step, second] = turn.steps;
    if is_pass(turn) {
        return vec![PASSES[0].to_string()];
    }
    let name = |kind: Kind| game.men().name(board::Color::White, kind).to_string();
    let entry = match second.action() {
        Action::None => String::new(),
        Action::Place if step.action() == Action::Castle => {
            format!("/{}{}", name(second.kind()), geometry.name(second.to))
        }
        Action::Place if step.action() != Action::Place && second.to == step.from => {
            format!("/{}", name(second.kind()))
        }
        _ => return Vec::new(),
    };
    let to = geometry.name(step.to);
    let is_pawn = step.kind() == Kind::Pawn;
    let letter = if is_pawn {
        String::new()
    } else {
        name(step.kind())
    };
    let becomes = step
        .becomes()
        .map_or(String::new(), |kind| format!("={}", name(kind)));
    let heads: Vec<String> = match step.action() {
        Action::Castle if step.to > step.from => vec!["O-O".to_string()],
        Action::Castle => vec!["O-O-O".to_string()],
        Action::Place => vec![format!("{letter}@{to}")],
        Action::Go | Action::DoubleStep | Action::EnPassant => {
            let captures = p.color(!p.side).has(step.to) || step.action() == Action::EnPassant;
            let sign = if captures { "x" } else { "" };
            let from = geometry.name(step.from);
            let (file, rank) = from.split_at(1);
            let origins = ["", file, rank, &from];
            let skipped = usize::from(is_pawn && captures);
            let origins = origins.into_iter().skip(skipped);
            origins
                .map(|origin| format!("{letter}{origin}{sign}{to}"))
                .collect()
        }
        _ => Vec::new(),
    };
    heads
        .into_iter()
        .map(|head| head + &becomes + &entry)
        .collect()
}

/// Splits off the promotion: after `=`, in parentheses, or a letter directly after a digit.
fn split_becomes(text: &str) -> (&str, Option<&str>) {
    if let Some((body, becomes)) = text.split_once('=') {
        return (body, Some(becomes));
    }
    if let Some((body, becomes)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        return (body, Some(becomes));
    }
    match text.char_indices().next_back() {
        Some((at, last))
            if last.is_ascii_uppercase() && text[..at].ends_with(|c: char| c.is_ascii_digit()) =>
        {
            (&text[..at], Some(&text[at..]))
        }
        _ => (text, None),
    }
}

/// Texts of a turn that only passes: of PGN, of people, and of the UCI protocol.
const PASSES: [&str; 3] = ["--", "pass", "0000"];

/// Returns whether a turn passes: the unit that carries it out remains on its square unchanged.
fn is_pass(turn: &Turn) -> bool {
    let [step, second] = turn.steps;
    second.is_none()
        && step.action() == Action::Go
        && step.from == step.to
        && step.becomes().is_none()
}

fn fits<W: Layout>(game: &dyn Game<W>, p: &Position<W>, turn: &Turn, text: &str) -> bool {
    if PASSES.iter().any(|pass| text.eq_ignore_ascii_case(pass)) {
        return is_pass(turn);
    }
    if fits_gating(game, p, turn, text) {
        return true;
    }
    if !turn.steps[1].is_none() {
        let mut parts = text.split('/');
        let each = |step| {
            parts
                .next()
                .is_some_and(|part| fits_step(game, p, step, part, true))
        };
        return turn.steps().all(each) && parts.next().is_none();
    }
    fits_step(game, p, turn.first(), text, false)
}

/// Returns whether a text means a step followed by the entry of a unit on the square that the step leaves:
/// `Nc6/H`. After castling, the text names the square: `O-O/Eh1`.
fn fits_gating<W: Layout>(game: &dyn Game<W>, p: &Position<W>, turn: &Turn, text: &str) -> bool {
    let [step, entry] = turn.steps;
    if entry.action() != Action::Place || step.action() == Action::Place {
        return false;
    }
    let Some((body, unit)) = text.split_once('/') else {
        return false;
    };
    let name = game.men().name(board::Color::White, entry.kind());
    unit.strip_prefix(&*name).is_some_and(|square| {
        let named = square.is_empty() && step.action() != Action::Castle && entry.to == step.from;
        named || square == game.board().geometry().name(entry.to)
    }) && fits_step(game, p, step, body, false)
}

/// Returns whether a text means a drop: `N@f3`, for a pawn also `@f3`.
fn fits_drop<W: Layout>(game: &dyn Game<W>, step: Step, text: &str) -> bool {
    let Some((unit, square)) = text.split_once('@') else {
        return false;
    };
    let name = game.men().name(board::Color::White, step.kind());
    let square_name = game.board().geometry().name(step.to);
    let is_unit = *name == *unit || unit.is_empty() && step.kind() == Kind::Pawn;
    is_unit && step.becomes().is_none() && square == square_name
}

/// Returns whether a text means this step. If `several` is set, the step is one of several steps of a turn.
fn fits_step<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    step: Step,
    text: &str,
    several: bool,
) -> bool {
    let geometry = game.board().geometry();
    if step.action() == Action::Place {
        return fits_drop(game, step, text);
    }
    if step.action() == Action::Castle {
        let short = step.to > step.from;
        return match text.to_ascii_uppercase().as_str() {
            "O-O" | "0-0" => short,
            "O-O-O" | "0-0-0" => !short,
            // Some programs write castling as the step of the king: `Ke1-g1`.
            _ => {
                let steps = geometry.name(step.from) + "-" + &geometry.name(step.to);
                let letter = game.men().letter(board::Color::White, step.kind());
                text.strip_prefix(letter) == Some(&steps)
            }
        };
    }
    let letter = |kind: Kind| game.men().letter(board::Color::White, kind);
    let (body, becomes) = split_becomes(text);
    if becomes
        != step
            .becomes()
            .map(|kind| letter(kind).to_string())
            .as_deref()
    {
        return false;
    }
    let body = match (body.strip_prefix(letter(step.kind())), step.kind()) {
        (Some(rest), kind) if kind != Kind::Pawn => rest,
        (_, Kind::Pawn) => body,
        _ => return false,
    };
    let Some(body) = body.strip_suffix(geometry.name(step.to).as_str()) else {
        return false;
    };
    let captures = p.color(!p.side).has(step.to) || step.action() == Action::EnPassant;
    let from = geometry.name(step.from);
    let (origin, fitting) = match (body.strip_suffix(['x', ':']), body.strip_suffix('-')) {
        (Some(origin), _) => (origin, captures),
        // Long notation with a dash names the full origin square.
        (None, Some(origin)) => (origin, !captures && origin == from),
        // Captures may omit the sign only for pawns, and if the turn has several steps.
        (None, None) => (body, !captures || step.kind() == Kind::Pawn || several),
    };
    let (file, rank) = from.split_at(1);
    fitting
        && (origin == from
            || origin == file
            || origin == rank && step.kind() != Kind::Pawn
            || origin.is_empty() && (several || !(step.kind() == Kind::Pawn && captures)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Setup;
    use crate::with_setup;
    use rules::Variant;

    fn read(fen: &str, text: &str) -> Result<String, Diagnostic> {
        let variant = Variant::from(&variants::fide::INFO);
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
