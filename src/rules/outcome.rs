//! Outcomes: whether a game continues, and if not, which side has won and why it ended.

use board::Color;
use std::fmt;

/// Why a game ended, in the words of the rule book: `checkmate`, `marriage` ...
pub type Reason = &'static str;

/// Reasons that several rule sets share.
pub mod reason {
    use super::Reason;
    /// The side to move is in check and has no legal turn.
    pub const CHECKMATE: Reason = "checkmate";
    /// The side to move has no legal turn.
    pub const STALEMATE: Reason = "stalemate";
    /// The side to move has no legal turn, where that is neither mate nor stalemate.
    pub const NO_TURN: Reason = "no-turn";
    /// A king was captured or bound.
    pub const KING_CAPTURED: Reason = "king-captured";
    /// A side has lost both king and queen.
    pub const MONARCHS_CAPTURED: Reason = "monarchs-captured";
    /// A side has lost all units that count.
    pub const ANNIHILATED: Reason = "annihilated";
}

/// The outcome of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Outcome {
    /// The game continues.
    Ongoing,
    /// One side has won.
    Win(Color, Reason),
    /// One side has won weakly: it gets two thirds, the other one third.
    WeakWin(Color, Reason),
    /// Neither side has won.
    Draw(Reason),
}

impl Outcome {
    /// Returns whether the game continues.
    #[inline]
    pub fn is_ongoing(self) -> bool {
        self == Outcome::Ongoing
    }

    /// Returns why the game ended; `None` while it continues.
    pub fn reason(self) -> Option<Reason> {
        match self {
            Outcome::Ongoing => None,
            Outcome::Win(_, r) | Outcome::WeakWin(_, r) | Outcome::Draw(r) => Some(r),
        }
    }

    /// Returns what the outcome is worth to a side: 2 win, 1 weak win, 0 draw, -1 weak loss, -2 loss. An
    /// ongoing game has no worth and counts as a draw.
    pub fn worth(self, to: Color) -> i8 {
        let sign = |winner: Color| if winner == to { 1 } else { -1 };
        match self {
            Outcome::Win(winner, _) => 2 * sign(winner),
            Outcome::WeakWin(winner, _) => sign(winner),
            Outcome::Ongoing | Outcome::Draw(_) => 0,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |color: &Color| match color {
            Color::White => "white",
            Color::Black => "black",
        };
        match self {
            Outcome::Ongoing => f.write_str("ongoing"),
            Outcome::Win(color, reason) => write!(f, "{}-wins {reason}", name(color)),
            Outcome::WeakWin(color, reason) => write!(f, "{}-wins-weakly {reason}", name(color)),
            Outcome::Draw(reason) => write!(f, "draw {reason}"),
        }
    }
}
