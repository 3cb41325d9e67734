//! # Society Chess
//!
//! Pieces do not take pieces: of capturer and captured one must be a pawn.
//!
//! ## Against FIDE
//! | FIDE | Society |
//! |---|---|
//! | every unit may capture every other | only pawns capture pieces, only pawns are captured by pieces |
//! | stalemate is a draw | it loses if only forbidden captures are left |
//!
//! ## Rulings
//! * Attacks are orthodox: a piece gives check, guards squares against the king and stops castling
//!   over them, although it may capture no piece there.
//! * A king may not capture a piece that checks it; so a check by a piece is met by going away,
//!   by something put between, or by a pawn's capture.
//! * Without a legal turn: in check it is checkmate, also if a forbidden capture would help; not
//!   in check, the side to move loses by **forced-capture** if orthodox chess would let it
//!   capture a piece with a piece; else stalemate, a draw.
//!
//! ## Example
//! `7k/6q1/5Q2/8/8/8/8/K7 w - - 0 1`: neither queen may take the other.

use crate::parts::orthodox;
use board::Kind;
use position::{BoardOf, Layout, Position};
use rules::{Facts, Outcome, Reason, Rules, fide};
use rules::{MATE, STALEMATE, VariantInfo};

/// Only captures of pieces by pieces are left.
pub const FORCED_CAPTURE: Reason = "forced-capture";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "society",
    name: "Society Chess",
    difference: "captures only by pawns or of pawns; being left with other captures only loses",
    reasons: &[
        MATE,
        (
            FORCED_CAPTURE,
            "the side to move could only capture a piece with a piece: it loses",
        ),
        STALEMATE,
    ],
    ..crate::parts::goal_variant::<Society>(include_str!("society.rs"))
};

/// Society Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Society;

impl<W: Layout> Rules<W> for Society {
    const FACTS: Facts = Facts::SYMMETRIC.with_independent_steps();

    fn capturable(&self, _: &BoardOf<W>, p: &Position<W>, by: Kind) -> W::Set {
        match by {
            Kind::Pawn => p.color(!p.side) & !p.kind(Kind::King),
            _ => p.units(!p.side, Kind::Pawn),
        }
    }

    fn no_turn(&self, b: &BoardOf<W>, p: &Position<W>) -> Outcome {
        match fide::no_turn(self, b, p) {
            Outcome::Draw(_) if orthodox::has_turn(b, p) => Outcome::Win(!p.side, FORCED_CAPTURE),
            outcome => outcome,
        }
    }
}
