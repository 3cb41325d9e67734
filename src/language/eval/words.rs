//! The numbers that represent sides, outcomes and values, and the words for them in expressions.

use board::{Color, Square};
use rules::Outcome;

pub(super) fn square_of(n: i64) -> Option<Square> {
    u8::try_from(n).ok().map(Square)
}

pub(super) fn side_of(n: i64) -> Option<Color> {
    match n {
        0 => Some(Color::White),
        1 => Some(Color::Black),
        _ => None,
    }
}

/// Returns the name of a side in expressions.
pub(crate) fn side_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The outcomes as expressions write them, in the order of their numbers.
pub const OUTCOMES: [&str; 6] = [
    "ongoing",
    "white-wins",
    "black-wins",
    "draw",
    "white-wins-weakly",
    "black-wins-weakly",
];

pub(super) fn outcome_number(outcome: Outcome) -> i64 {
    match outcome {
        Outcome::Ongoing => 0,
        Outcome::Win(color, _) => 1 + color as i64,
        Outcome::Draw(_) => 3,
        Outcome::WeakWin(color, _) => 4 + color as i64,
    }
}

pub(super) fn outcome_name(n: i64) -> &'static str {
    usize::try_from(n)
        .ok()
        .and_then(|n| OUTCOMES.get(n))
        .copied()
        .unwrap_or("")
}

/// The values as expressions write them, with their numbers.
pub(crate) const VALUES: [(&str, i64); 5] = [
    ("win", 2),
    ("weak-win", 1),
    ("draw", 0),
    ("weak-loss", -1),
    ("loss", -2),
];

pub(super) fn value_name(n: i64) -> &'static str {
    let named = VALUES.iter().find(|(_, value)| *value == n);
    named.map_or("", |(name, _)| name)
}
