//! # Decastellation Chess
//!
//! Orthodox moves without check. A side wins by capturing the enemy king or the last enemy rook.
//!
//! ## Against FIDE
//! | FIDE | Decastellation |
//! |---|---|
//! | check and checkmate | none: the king may be attacked and captured |
//! | castling out of, through or into check is illegal | attacks do not matter to castling |
//! | checkmate wins | capturing the king wins, and so does capturing the last rook |
//!
//! ## Rulings
//! * A promoted rook is a rook: it counts and has to be captured too.
//! * First the kings are checked, then the rooks, each time the side to move before the mover.
//! * No legal turn is a draw.
//!
//! ## Example
//! `4k2r/6P1/8/8/8/8/8/4K2R w K - 0 1`: after `g7h8r` Black has no rook and has lost, although the
//! king is still there.

use crate::parts::{capture, extinction};
use board::Kind;
use position::{BoardOf, Layout, Position};
use rules::VariantInfo;
use rules::{Facts, Outcome, Reason, Rules, Safety, reason};

/// A side has no rook left.
pub const ROOKS_CAPTURED: Reason = "rooks-captured";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "decastellation",
    name: "Decastellation Chess",
    difference: "no check; capture the king or all rooks to win",
    reasons: &[
        capture::KING_CAPTURED,
        (
            ROOKS_CAPTURED,
            "a side without a rook has lost; the side to move is checked first",
        ),
        capture::STALEMATE,
    ],
    ..crate::parts::goal_variant::<Decastellation>(include_str!("decastellation.rs"))
};

/// Decastellation Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Decastellation;

impl<W: Layout> Rules<W> for Decastellation {
    const FACTS: Facts = Facts {
        safety: Safety::NoRoyals,
        settled_by_material: true,
        ..Facts::SYMMETRIC.with_independent_steps()
    };

    fn settled(&self, _: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        extinction::lost(p, p.kind(Kind::King), reason::KING_CAPTURED)
            .or_else(|| extinction::lost(p, p.kind(Kind::Rook), ROOKS_CAPTURED))
    }
}
