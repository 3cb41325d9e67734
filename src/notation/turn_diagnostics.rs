//! Explains why a text is not a turn that any unit could make.

use board::Squares;
use position::{Layout, Position};
use rules::{Game, Turn};

/// Maximum number of squares that a message lists.
const NAMED: usize = 8;

/// Returns the reason why a text is not a turn. The text must be neither a legal nor a pseudo-legal turn.
/// `legal` contains the legal turns with their texts.
pub fn why<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    text: &str,
    legal: &[(String, Turn)],
) -> String {
    let (step, rest) = match text.split_once('+') {
        Some((step, rest)) => (step, Some(rest)),
        None => (text, None),
    };
    let steps = |text: &str| {
        text.split_once('+')
            .map_or(text.len(), |(step, _)| step.len())
    };
    let mut begun = legal
        .iter()
        .map(|(turn, _)| turn.as_str())
        .filter(|turn| &turn[..steps(turn)] == step)
        .peekable();
    if let Some(&one) = begun.peek() {
        return match rest {
            None => format!("the turn has to go on, as in `{one}`"),
            Some(rest) if begun.any(|turn| turn.len() > step.len()) => {
                format!("`{step}` cannot go on with `{rest}` here")
            }
            Some(_) => format!("nothing can follow `{step}` here"),
        };
    }
    match step.split_once('@') {
        Some((letter, square)) => placement(game, letter, square, legal),
        None => short(game, step).unwrap_or_else(|| movement(game, p, step, legal)),
    }
}

/// Returns the reason for a turn in short algebraic notation, such as `Nf3`, `exd5` or `e8=Q`. Returns `None`
/// for a text of another form.
fn short<W: Layout>(game: &dyn Game<W>, step: &str) -> Option<String> {
    let body = step.trim_end_matches(['#', '!', '?']);
    let body = body.split_once('=').map_or(body, |(body, _)| body);
    let (letter, rest) = match body.strip_prefix(|c: char| c.is_ascii_uppercase()) {
        Some(rest) => (Some(&body[..1]), rest),
        None => (None, body),
    };
    let (origin, square) = rest.split_at(rest.rfind(|c: char| c.is_ascii_lowercase())?);
    let is_rank = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let captures = origin.ends_with('x');
    let origin = origin.trim_end_matches('x');
    let is_file = origin.len() == 1 && origin.bytes().all(|b| b.is_ascii_lowercase());
    // A step without an origin square is in short notation.
    let is_short = origin.is_empty() || is_file && (captures || letter.is_some());
    if !is_rank(&square[1..]) || !(is_short || letter.is_some() && is_rank(origin)) {
        return None;
    }
    if game.board().geometry().named(square).is_none() {
        return Some(format!("there is no square `{square}`"));
    }
    let unit = letter.map_or("pawn".to_owned(), |letter| format!("`{letter}`"));
    let from = match (origin, is_file) {
        ("", _) => String::new(),
        (file, true) => format!(" on file {file}"),
        (rank, false) => format!(" on rank {rank}"),
    };
    let verb = if captures { "capture on" } else { "go to" };
    Some(format!("no {unit}{from} can {verb} {square}"))
}

/// Returns the reason for a turn that begins with a drop.
fn placement<W: Layout>(
    game: &dyn Game<W>,
    letter: &str,
    square: &str,
    legal: &[(String, Turn)],
) -> String {
    if game.board().geometry().named(square).is_none() {
        return format!("there is no square `{square}`");
    }
    let start = format!("{letter}@");
    let mut squares: Vec<&str> = legal
        .iter()
        .filter_map(|(turn, _)| turn.strip_prefix(&start))
        .map(|turn| turn.split('+').next().unwrap_or(turn))
        .collect();
    squares.dedup();
    let more = squares.len().saturating_sub(NAMED);
    squares.truncate(NAMED);
    match (squares.is_empty(), more) {
        (true, _) => format!("no `{letter}` can be placed here"),
        (false, 0) => format!("`{letter}` can be placed on {} alone", squares.join(" ")),
        (false, more) => format!(
            "`{letter}` can be placed on {} and {more} more squares, not on {square}",
            squares.join(" ")
        ),
    }
}

/// Returns the reason for a turn that begins with a step from one square to another.
fn movement<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    step: &str,
    legal: &[(String, Turn)],
) -> String {
    let geometry = game.board().geometry();
    let shape = "a step is written as in `e2e4`, `e7e8q` or `N@e4`, several joined by `+`";
    // The name of the second square begins at the second letter.
    let Some(middle) = step
        .char_indices()
        .skip(1)
        .find(|(_, c)| c.is_ascii_lowercase())
    else {
        return shape.to_string();
    };
    let (from, rest) = step.split_at(middle.0);
    let digits = rest[1..].find(|c: char| !c.is_ascii_digit());
    let (to, becomes) = rest.split_at(digits.map_or(rest.len(), |at| at + 1));
    if !step.is_ascii() || to.len() < 2 || from.len() < 2 || becomes.len() > 1 {
        return shape.to_string();
    }
    for square in [from, to] {
        if geometry.named(square).is_none() {
            return format!("there is no square `{square}`");
        }
    }
    let Some(unit) = geometry.named(from) else {
        return shape.to_string();
    };
    if !p.occupied().has(unit) {
        return format!("{from} is vacant");
    }
    if p.color(!p.side).has(unit) {
        return format!("the unit on {from} is not the mover's");
    }
    let plain = format!("{from}{to}");
    let changes = |turn: &str| {
        let rest = turn.strip_prefix(&plain)?;
        rest.starts_with(|c: char| c.is_ascii_lowercase())
            .then_some(())
    };
    match legal.iter().find(|(turn, _)| changes(turn).is_some()) {
        Some((one, _)) if becomes.is_empty() => {
            format!("the unit has to become another there, as in `{one}`")
        }
        Some(_) => format!("the unit cannot become `{becomes}` there"),
        None => format!("the unit on {from} cannot go to {to}"),
    }
}
