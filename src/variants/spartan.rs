//! # Spartan Chess
//!
//! White starts without the rook, knight and bishop of the queen's side and holds out: Black must
//! checkmate within sixty moves.
//!
//! ## Against FIDE
//! | FIDE | Spartan |
//! |---|---|
//! | standard array | White has no units on a1, b1, c1 |
//! | a game may go on | White wins when move 61 would begin |
//! | stalemate is a draw | White wins, whichever side is stalemated |
//!
//! ## Options
//! `moves=N`: Black has N moves (1 to 9999, 60 unless said).
//!
//! ## Rulings
//! * The move number of the FEN counts, and belongs to a position's identity if it is not
//!   beyond N. A number above N: White wins by **time**.
//! * Checkmate comes before time, so a mate on Black's last move still counts; time before
//!   stalemate.
//! * White may win by checkmate as well.
//! * A match of two games, each player Black once, is judged by [`match_result`]: mated as Black loses to not
//!   mated; both mated, the side that lasted more moves wins; neither mated as Black, the side that mated
//!   White in fewer moves wins, a game without mate counting N + 1 moves; equal numbers draw.
//!
//! ## Example
//! `7k/8/8/8/8/8/8/K7 b - - 0 60`: after any turn of Black move 61 would begin: White wins by
//! **time**.

use board::Color;
use position::{BoardOf, Layout, Position};
use rules::{AnyGame, Carried, Facts, Outcome, Reason, Rules, Symmetries, Turn, fide, reason};
use rules::{MATE, OptionPurpose, VariantInfo, VariantOption};

/// Black has used up the allowed number of moves.
pub const TIME: Reason = "time";

/// Number of moves that Black has, unless the option gives another number.
pub const MOVES: u32 = 60;

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "spartan",
    name: "Spartan Chess",
    difference: "White lacks three units; Black must checkmate within sixty moves",
    options: &[VariantOption {
        name: "moves",
        range: Some((1, 9999)),
        purpose: OptionPurpose::Play,
        help: "how many moves Black has (60 unless said)",
    }],
    reasons: &[
        MATE,
        (TIME, "Black has used up its moves: White wins"),
        (
            reason::STALEMATE,
            "the side to move has no legal turn and is not in check: White wins",
        ),
    ],
    source: include_str!("spartan.rs"),
    start: |_| "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/3QKBNR w Kkq - 0 1".to_string(),
    open: |variant, geometry| {
        let moves = variant.number("moves").unwrap_or(MOVES);
        AnyGame::plain(Spartan { moves }, variant.clone(), geometry)
    },
    ..crate::parts::GOAL_VARIANT
};

/// Spartan Chess. The state is the number of completed moves, up to the number that Black has.
#[derive(Clone, Copy, Debug)]
pub struct Spartan {
    /// Number of moves that Black has.
    pub moves: u32,
}

impl<W: Layout> Rules<W> for Spartan {
    const FACTS: Facts = Facts {
        // The sides have different goals.
        symmetries: Symmetries {
            colors: false,
            ..Symmetries::ALL
        },
        ..Facts::DEFAULT.with_independent_steps()
    };

    fn update_state(&self, _: &BoardOf<W>, p: &Position<W>, _: &Turn, after: &mut Position<W>) {
        if p.side == Color::Black && p.state < u64::from(self.moves) {
            after.state = p.state + 1;
        }
    }

    fn settled(&self, b: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        let late = p.state >= u64::from(self.moves) && !fide::is_checkmate(self, b, p);
        late.then_some(Outcome::Win(Color::White, TIME))
    }

    fn no_turn(&self, b: &BoardOf<W>, p: &Position<W>) -> Outcome {
        match fide::no_turn(self, b, p) {
            Outcome::Draw(reason) => Outcome::Win(Color::White, reason),
            outcome => outcome,
        }
    }

    fn carried(&self) -> &dyn Carried<W> {
        self
    }
}

impl<W: Layout> Carried<W> for Spartan {
    fn state_bits(&self) -> u32 {
        u32::BITS - self.moves.leading_zeros()
    }

    fn number(&self, p: &Position<W>) -> u32 {
        p.fullmove.max(p.state as u32 + 1)
    }

    fn set_number(&self, p: &mut Position<W>, number: u32) {
        p.fullmove = number;
        p.state = u64::from(number.saturating_sub(1).min(self.moves));
    }
}

/// The ending of a game of Spartan Chess, for [`match_result`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// Black checkmated on this move.
    WhiteMated(u32),
    /// White checkmated on this move.
    BlackMated(u32),
    /// No checkmate: time, stalemate, a perpetual check or anything else.
    Unmated,
}

impl Ending {
    /// Returns the ending of a game, given its outcome and the move number of its last position. Returns
    /// `None` for an ongoing game.
    pub fn of(outcome: Outcome, fullmove: u32) -> Option<Ending> {
        match outcome {
            Outcome::Ongoing => None,
            // After Black's turn, the position has the number of the next move.
            Outcome::Win(Color::Black, reason::CHECKMATE) => {
                Some(Ending::WhiteMated(fullmove.saturating_sub(1)))
            }
            Outcome::Win(Color::White, reason::CHECKMATE) => Some(Ending::BlackMated(fullmove)),
            _ => Some(Ending::Unmated),
        }
    }
}

/// The winner of a match of two games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MatchResult {
    /// The player who had Black in the first game.
    FirstBlack,
    /// The player who had Black in the second game.
    SecondBlack,
    /// Neither player.
    Draw,
}

/// Returns the result of a match of two games with `moves` moves each, in which the players changed sides.
/// Only each player's game as Black counts:
///
/// * A player who was checkmated loses to a player who was not.
/// * If both were checkmated, the player who lasted more moves wins.
/// * If neither was, the player who checkmated in fewer moves wins. A game without checkmate counts as
///   `moves + 1`.
pub fn match_result(moves: u32, first: Ending, second: Ending) -> MatchResult {
    // A greater rank is better. Being mated as Black ranks below everything else.
    let rank = |game| match game {
        Ending::BlackMated(lasted) => (false, i64::from(lasted)),
        Ending::WhiteMated(took) => (true, -i64::from(took.min(moves + 1))),
        Ending::Unmated => (true, -i64::from(moves) - 1),
    };
    match rank(first).cmp(&rank(second)) {
        std::cmp::Ordering::Greater => MatchResult::FirstBlack,
        std::cmp::Ordering::Less => MatchResult::SecondBlack,
        std::cmp::Ordering::Equal => MatchResult::Draw,
    }
}
