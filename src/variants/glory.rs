//! # Glory Chess
//!
//! A pawn need not promote to win: it is enough that it is one rank before its goal and is
//! not taken at once. Pawns go one square at a time.
//!
//! ## Against FIDE
//! | FIDE | Glory |
//! |---|---|
//! | double step, en passant | neither |
//! | a pawn promotes on its last rank | its owner has won when to move with a pawn on the last rank but one |
//! | stalemate is a draw | it loses for the side that faces such an enemy pawn |
//!
//! ## Rulings
//! * The answer to a pawn on its last rank but one is its capture, or checkmate; whatever else is
//!   played, the pawn's owner has won at the next turn. So no pawn ever promotes.
//! * Tested in this order: the side to move is checkmated; it has a pawn on its last rank but one
//!   and wins; it has no legal turn while an enemy pawn is on its second rank, and loses; it
//!   has no legal turn, a draw.
//!
//! ## Example
//! `7k/8/P7/8/8/8/8/K7 w - - 0 1`: `a6a7` wins. Black plays any turn, such as `h8g8`, and the
//! pawn is still there: **glory**.

use board::{Color, Kind, Squares};
use position::{BoardOf, Layout, Position};
use rules::{Facts, Outcome, Reason, Rules, fide};
use rules::{MATE, STALEMATE, VariantInfo};

/// A pawn on its last rank but one has not been captured.
pub const GLORY: Reason = "glory";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "glory",
    name: "Glory Chess",
    difference: "a pawn on its last rank but one that is not taken at once wins; single pawn steps only",
    reasons: &[
        MATE,
        (
            GLORY,
            "the side to move has a pawn on its last rank but one: it wins; or it has no legal turn against such an enemy pawn: it loses",
        ),
        STALEMATE,
    ],
    ..crate::parts::goal_variant::<Glory>(include_str!("glory.rs"))
};

/// Glory Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Glory;

/// Returns whether a side has a pawn on its last rank but one.
fn glorious<W: Layout>(b: &BoardOf<W>, p: &Position<W>, color: Color) -> bool {
    b.geometry().ranks() > 1 && !(p.units(color, Kind::Pawn) & b.rank_of(!color, 1)).is_empty()
}

impl<W: Layout> Rules<W> for Glory {
    const FACTS: Facts = Facts {
        double_step: false,
        ..Facts::SYMMETRIC.with_independent_steps()
    };

    fn settled(&self, b: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        let wins = glorious(b, p, p.side) && !fide::is_checkmate(self, b, p);
        wins.then_some(Outcome::Win(p.side, GLORY))
    }

    fn no_turn(&self, b: &BoardOf<W>, p: &Position<W>) -> Outcome {
        match fide::no_turn(self, b, p) {
            Outcome::Draw(_) if glorious(b, p, !p.side) => Outcome::Win(!p.side, GLORY),
            outcome => outcome,
        }
    }
}
