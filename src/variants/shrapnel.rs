//! # Shrapnel Chess
//!
//! Captures burst: a capture along a diagonal also removes the nearest units along rank and file,
//! one along rank or file those along the diagonals. The side that removes the last enemy unit wins.
//!
//! ## Against FIDE
//! | FIDE | Shrapnel |
//! |---|---|
//! | check and checkmate | none: the king is a unit like any other |
//! | castling | none |
//! | a capture removes one unit | by a diagonal step also the nearest in the four directions along rank and file; by a step along rank or file the nearest in the four diagonal directions; by a knight no other |
//! | checkmate wins | removing all enemy units wins |
//!
//! ## Rulings
//! * Units of either side are removed; the capturing unit stays.
//! * The nearest units are found on the board after the capture: the captured unit is gone, also
//!   one taken en passant, the capturing unit is on its target, promoted if it promotes. All
//!   go at the same time.
//! * A hole stops shrapnel.
//! * A pawn that promotes to a knight has captured as a pawn, diagonally.
//! * A side without any unit has lost; the side to move is checked first.
//! * No legal turn is a draw.
//!
//! ## Example
//! `3n4/8/8/r2p2P1/8/1B6/3K4/7k w - - 0 1`: `b3d5` takes the pawn diagonally, and the rook, the
//! knight, White's own pawn and White's own king are the nearest units to the left, above, to the
//! right and below: all four go.

use crate::parts::{capture, extinction};
use board::Kind;
use position::{BoardOf, Layout, Position};
use rules::VariantInfo;
use rules::{Facts, Outcome, Rules, Safety, Turn, fide, reason};

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "shrapnel",
    name: "Shrapnel Chess",
    difference: "no check; captures also remove the nearest units across; remove all to win",
    reasons: &[
        (
            reason::ANNIHILATED,
            "a side without any unit has lost; the side to move is checked first",
        ),
        capture::STALEMATE,
    ],
    start: |_| fide::START_NO_CASTLING.to_string(),
    ..crate::parts::goal_variant::<Shrapnel>(include_str!("shrapnel.rs"))
};

/// Shrapnel Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shrapnel;

impl<W: Layout> Rules<W> for Shrapnel {
    const FACTS: Facts = Facts {
        safety: Safety::NoRoyals,
        settled_by_material: true,
        castling: None,
        ..Facts::SYMMETRIC
    };

    fn update_state(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        let step = turn.first();
        if step.kind() == Kind::Knight || capture::victim(p, step).is_none() {
            return;
        }
        let geometry = b.geometry();
        let straight = geometry.file(step.from) == geometry.file(step.to)
            || geometry.rank(step.from) == geometry.rank(step.to);
        let occupied = after.occupied();
        let seen = if straight {
            b.slide_diagonal(Kind::Queen, step.to, occupied)
        } else {
            b.slide_orthogonal(Kind::Queen, step.to, occupied)
        };
        after.clear_all(seen & occupied);
    }

    fn settled(&self, _: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        extinction::lost(p, p.occupied(), reason::ANNIHILATED)
    }
}
