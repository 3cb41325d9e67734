//! # Series Helpmate Chess
//!
//! The aim is to be in danger: a side that the opponent, to move, could checkmate with
//! one turn, or with two turns in a row, has won. Who checkmates has lost.
//!
//! ## Against FIDE
//! | FIDE | Series Helpmate |
//! |---|---|
//! | checkmate wins | it loses |
//! | | the side to move loses if it has a checkmate in one, or in two turns in a row |
//!
//! ## Rulings
//! * S has the move, O is the opponent. S checkmated: S wins. Else S could checkmate O with one
//!   legal turn, or with two in a row: O wins. Else S has no legal turn: a draw.
//! * Of two turns in a row the first gives no check, each is an orthodox legal turn, and what the
//!   first might have offered to take en passant is gone.
//! * The checkmate is only shown, never played; O need not see it coming.
//!
//! ## Example
//! After `f2f3 e7e5` White to move could not mate with two turns in a row; after `f2f3 e7e5 g2g4`
//! Black to move could mate by `d8h4`: White has won by **series-mate**.

use crate::parts::{mating, orthodox};
use position::{BoardOf, Layout, Position};
use rules::{Facts, Outcome, Reason, Rules};
use rules::{STALEMATE, VariantInfo};

/// The side to move is checkmated and wins.
pub const GAVE_CHECKMATE: Reason = "gave-checkmate";
/// The side to move can checkmate with one turn, or with two turns in a row, and loses.
pub const SERIES_MATE: Reason = "series-mate";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "series-helpmate",
    name: "Series Helpmate Chess",
    difference: "one wins when the opponent could checkmate with one turn or two in a row; checkmating loses",
    reasons: &[
        (
            GAVE_CHECKMATE,
            "the side to move is in check and has no legal turn: it wins",
        ),
        (
            SERIES_MATE,
            "the side to move could checkmate with one turn or with two in a row: it loses",
        ),
        STALEMATE,
    ],
    ..crate::parts::goal_variant::<SeriesHelpmate>(include_str!("series_helpmate.rs"))
};

/// Series Helpmate Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct SeriesHelpmate;

impl<W: Layout> Rules<W> for SeriesHelpmate {
    const FACTS: Facts = Facts::SYMMETRIC.with_independent_steps();

    // A checkmated side has no turn and so cannot mate. Its win is decided later, in `no_turn`.
    fn settled(&self, b: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        mating::in_series(b, p).then_some(Outcome::Win(!p.side, SERIES_MATE))
    }

    fn no_turn(&self, b: &BoardOf<W>, p: &Position<W>) -> Outcome {
        if orthodox::in_check(b, p, p.side) {
            Outcome::Win(p.side, GAVE_CHECKMATE)
        } else {
            Outcome::Draw(rules::reason::STALEMATE)
        }
    }
}
