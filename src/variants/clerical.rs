//! # Clerical Chess
//!
//! The bishops are what counts: a side that captures both of the opponent's wins. Kings are ordinary
//! units. A player's last bishop loses its stride when it is threatened.
//!
//! ## Against FIDE
//! | FIDE | Clerical |
//! |---|---|
//! | check and checkmate | none: the king may be attacked and captured |
//! | castling | none |
//! | promotion to Q, R, B, N | to Q, R, N, K |
//! | a bishop moves any distance | the last one, while attacked, only one square |
//! | checkmate wins | capturing the last bishop wins |
//!
//! ## Rulings
//! * A last bishop is the only one its owner has. If it is attacked when its owner's turn begins, it goes
//!   one square diagonally, capturing or not.
//! * An enemy bishop attacks with its full range there, even if it is a last one itself. So two
//!   last bishops that face each other at a distance cannot capture each other.
//! * A side may have any number of kings.
//! * A side without a bishop has lost; the side to move is checked first.
//! * No legal turn is a draw.
//!
//! ## Example
//! `7b/8/8/8/8/8/8/B7 w - - 0 1`: both last bishops attack each other along the long diagonal.
//! `a1b2` is the only turn, `a1h8` is none.

use crate::parts::{capture, extinction};
use board::{Color, Kind, Square, Squares};
use position::{BoardOf, Layout, Position};
use rules::VariantInfo;
use rules::{Facts, Outcome, Reason, Rules, Safety, fide};

/// A side has no bishop left.
pub const BISHOPS_CAPTURED: Reason = "bishops-captured";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "clerical",
    name: "Clerical Chess",
    difference: "capture both bishops to win; a last bishop under attack moves one square",
    reasons: &[
        (
            BISHOPS_CAPTURED,
            "a side without a bishop has lost; the side to move is checked first",
        ),
        capture::STALEMATE,
    ],
    start: |_| fide::START_NO_CASTLING.to_string(),
    ..crate::parts::goal_variant::<Clerical>(include_str!("clerical.rs"))
};

/// Clerical Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clerical;

impl<W: Layout> Rules<W> for Clerical {
    const FACTS: Facts = Facts {
        safety: Safety::NoRoyals,
        settled_by_material: true,
        castling: None,
        promotions: &[Kind::Queen, Kind::Rook, Kind::Knight, Kind::King],
        ..Facts::SYMMETRIC
    };

    fn reach(&self, b: &BoardOf<W>, p: &Position<W>, kind: Kind, from: Square) -> W::Set {
        let reach = b.reach(kind, from, p.occupied());
        if kind == Kind::Bishop
            && p.units(p.side, Kind::Bishop) == W::Set::of(from)
            && fide::attacked(self, b, p, from, !p.side)
        {
            return reach & b.leap(Kind::King, from);
        }
        reach
    }

    fn settled(&self, _: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        extinction::lost(p, p.kind(Kind::Bishop), BISHOPS_CAPTURED)
    }

    fn unit_bounds(&self, _: Color) -> &[(Kind, u32, u32)] {
        &[]
    }
}
