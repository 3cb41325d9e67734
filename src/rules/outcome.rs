//! Outcomes: whether a game continues or has ended, the winner, and the reason.

use board::Color;
use std::fmt;

/// The reason why a game ended, as a word of the rule book, such as `checkmate` or `marriage`.
pub type Reason = &'static str;

/// Reasons that several rule sets share.
pub mod reason {
    use super::Reason;
    /// The side to move is in check and has no legal turn.
    pub const CHECKMATE: Reason = "checkmate";
    /// The side to move has no legal turn.
    pub const STALEMATE: Reason = "stalemate";
    /// The side to move has no legal turn, in variants where this is neither checkmate nor stalemate.
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
    /// One side has won weakly: it scores two thirds, and its opponent one third.
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

    /// Returns the reason why the game ended, or `None` while it continues.
    pub fn reason(self) -> Option<Reason> {
        match self {
            Outcome::Ongoing => None,
            Outcome::Win(_, r) | Outcome::WeakWin(_, r) | Outcome::Draw(r) => Some(r),
        }
    }

    /// Returns the worth of the outcome to a side: 2 for a win, 1 for a weak win, 0 for a draw, -1 for a weak
    /// loss, -2 for a loss. An ongoing game counts as a draw.
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
