//! Which turns a text in short algebraic notation fits.

use board::{Kind, Squares};
use position::{Layout, Position};
use rules::{Action, Game, Turn};

/// Those of the legal turns that a text in short notation may mean.
pub fn fitting<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    legal: &[(String, Turn)],
    text: &str,
) -> Vec<Turn> {
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    let legal = legal.iter().map(|(_, turn)| *turn);
    legal.filter(|turn| fits(game, p, turn, bare)).collect()
}

/// Returns a text without what the unit becomes, and that: behind `=`, in brackets, or alone behind a digit.
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

fn fits<W: Layout>(game: &dyn Game<W>, p: &Position<W>, turn: &Turn, text: &str) -> bool {
    let step = turn.first();
    if !turn.steps[1].is_none() {
        return false;
    }
    let geometry = game.board().geometry();
    if step.action() == Action::Castle {
        let short = step.to > step.from;
        return match text.to_ascii_uppercase().as_str() {
            "O-O" | "0-0" => short,
            "O-O-O" | "0-0-0" => !short,
            // The king's own step, as some write it: `Ke1-g1`.
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
        // The long notation with a dash names the whole square.
        (None, Some(origin)) => (origin, !captures && origin == from),
        // A pawn's capture may go without the sign, any other one not.
        (None, None) => (body, !captures || step.kind() == Kind::Pawn),
    };
    let (file, rank) = from.split_at(1);
    fitting
        && (origin == from
            || origin == file
            || origin == rank && step.kind() != Kind::Pawn
            || origin.is_empty() && !(step.kind() == Kind::Pawn && captures))
}
