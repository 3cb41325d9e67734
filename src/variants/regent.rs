//! # Regent Chess
//!
//! The queen is the royal unit and the king an ordinary one. A queen that is attacked loses the
//! power by which she is attacked, so she can never take the unit that checks her.
//!
//! ## Against FIDE
//! | FIDE | Regent |
//! |---|---|
//! | the king is royal | the queen is; kings may be taken, left attacked, and more than one |
//! | queen: all eight directions | attacked along a diagonal not along diagonals, along rank or file not along those, by a knight not at all |
//! | kings may not touch | queens may not face each other in an open line |
//! | promotion to Q, R, B, N | to K, R, B, N |
//! | castling | none |
//!
//! ## Rulings
//! * Attacks by pawns and by diagonal neighbors count as diagonal, those by a king beside her in
//!   rank or file as along these.
//! * What limits the queen's steps does not limit her attack: she attacks in all eight directions.
//!   Queens that face each other therefore attack each other, and a turn that lets them is
//!   illegal for the one reason as for the other.
//! * Mate of the queen loses; without attack it is stalemate, a draw.
//!
//! ## Example
//! `1q2r2k/8/8/8/8/8/8/4Q2K w - - 0 1`: the queen is attacked along the e-file, so she may neither
//! capture on e8 nor stay in the first rank. On b4 and g3 she would face the enemy queen; `e1a5`,
//! `e1c3`, `e1d2`, `e1f2` and `e1h4` are left, and no other unit can help.

use crate::parts::monarchs;
use board::{Color, Kind, Men, Square, Squares};
use position::{BoardOf, Layout, Position};
use rules::{Attack, Facts, Rules, Safety, fide};
use rules::{STALEMATE, VariantInfo};

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "regent",
    name: "Regent Chess",
    difference: "the queen is royal, and attacked she loses the power by which she is attacked",
    reasons: &[monarchs::MATE_OF_QUEEN, STALEMATE],
    start: |_| fide::START_NO_CASTLING.to_string(),
    ..crate::parts::goal_variant::<Regent>(include_str!("regent.rs"))
};

/// Regent Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Regent;

impl<W: Layout> Rules<W> for Regent {
    const FACTS: Facts = Facts {
        safety: Safety::Lines,
        castling: None,
        promotions: monarchs::LESSER_AND_KING,
        ..Facts::SYMMETRIC.with_independent_steps()
    };

    fn royals(&self, p: &Position<W>, color: Color) -> W::Set {
        p.units(color, Kind::Queen)
    }

    #[inline(always)]
    fn reach(&self, b: &BoardOf<W>, p: &Position<W>, kind: Kind, from: Square) -> W::Set {
        let all = fide::reach(&Men::FIDE, b, kind, from, p.occupied());
        if kind != Kind::Queen {
            return all;
        }
        let enemy = if p.color(Color::White).has(from) {
            Color::Black
        } else {
            Color::White
        };
        let threats = self.attackers(b, p, Attack::on(from, enemy, p.occupied()));
        if threats.is_empty() {
            return all;
        }
        if !(threats & p.kind(Kind::Knight)).is_empty() {
            return W::Set::EMPTY;
        }
        let straight = b.slide_orthogonal(kind, from, W::Set::EMPTY);
        let diagonal = b.slide_diagonal(kind, from, W::Set::EMPTY);
        let mut left = all;
        if !(threats & straight).is_empty() {
            left &= !straight;
        }
        if !(threats & diagonal).is_empty() {
            left &= !diagonal;
        }
        left
    }

    fn unit_bounds(&self, _: Color) -> &[(Kind, u32, u32)] {
        monarchs::QUEEN
    }
}
