//! # Dowager Chess
//!
//! The queen is the royal unit, and she borrows her step from her own men: she goes as the
//! highest of king, rook, bishop, knight and pawn that her side still has.
//!
//! ## Against FIDE
//! | FIDE | Dowager |
//! |---|---|
//! | the king is royal | the queen is; kings may be taken, left attacked, and more than one |
//! | queen slides in eight directions | as the highest of K, R, B, N, P that its owner has on the board; with none of them not at all |
//! | sliders pass attacked squares | the queen, as rook or bishop, may not pass over one |
//! | promotion to Q, R, B, N | to K, R, B, N |
//! | castling | none |
//! | stalemate is a draw | it loses |
//!
//! ## Rulings
//! * For the squares passed (strictly between the queen's square and her target) the queen is
//!   lifted off the board, so that a slider that attacks her attacks the squares beyond her too.
//!   The enemy queen attacks with her full power for that test.
//! * A queen attacks with the power with which she steps, the rule about squares passed aside.
//! * As a pawn she goes one square ahead without capturing or one diagonally ahead capturing; no
//!   double step, no promotion, no en passant either way.
//!
//! ## Example
//! `1q1r3k/8/8/8/8/8/7R/Q7 w - - 0 1`: White's highest is the rook, so the queen steps as one. The
//! rook on d8 attacks d1, where she may neither stop nor pass; the enemy queen, who is a king in
//! power, attacks a7. So she has a2 to a6, b1 and c1.

use crate::parts::{monarchs, pinned};
use board::{Color, Kind, Men, Movement, Square, Squares};
use position::{BoardOf, Layout, Position};
use rules::VariantInfo;
use rules::{Attack, Facts, KnownSafe, Outcome, Rules, Safety, fide, reason};

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "dowager",
    name: "Dowager Chess",
    difference: "the queen is royal and steps as the highest of K, R, B, N, P that its owner has",
    reasons: &[
        monarchs::MATE_OF_QUEEN,
        (
            reason::STALEMATE,
            "the side to move has no legal turn and its queen is not attacked: it loses",
        ),
    ],
    start: |_| fide::START_NO_CASTLING.to_string(),
    ..crate::parts::goal_variant::<Dowager>(include_str!("dowager.rs"))
};

static MEN: Men = Men::FIDE.with(Kind::Queen, Movement::Special);

/// Dowager Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dowager;

/// Returns the kind as which the queen of a side moves, if any.
#[inline(always)]
fn power<W: Layout>(p: &Position<W>, color: Color) -> Option<Kind> {
    [
        Kind::King,
        Kind::Rook,
        Kind::Bishop,
        Kind::Knight,
        Kind::Pawn,
    ]
    .into_iter()
    .find(|&kind| !p.units(color, kind).is_empty())
}

/// Returns the queen of the attacking side, if it carries out an attack.
#[inline(always)]
fn attacking_queen<W: Layout>(b: &BoardOf<W>, p: &Position<W>, attack: Attack<W::Set>) -> W::Set {
    let Attack {
        target,
        by,
        occupied,
    } = attack;
    let queen = p.units(by, Kind::Queen);
    match power(p, by) {
        Some(Kind::Pawn) => queen & b.pawn_captures(!by, target),
        Some(kind) => queen & b.reach(kind, target, occupied),
        None => W::Set::EMPTY,
    }
}

impl<W: Layout> Rules<W> for Dowager {
    const FACTS: Facts = Facts {
        safety: Safety::Trial,
        men: &MEN,
        castling: None,
        promotions: monarchs::LESSER_AND_KING,
        ..Facts::SYMMETRIC
    };

    fn royals(&self, p: &Position<W>, color: Color) -> W::Set {
        p.units(color, Kind::Queen)
    }

    fn attackers(&self, b: &BoardOf<W>, p: &Position<W>, attack: Attack<W::Set>) -> W::Set {
        fide::attackers(&MEN, b, p, attack) | attacking_queen(b, p, attack)
    }

    // While the queen is not attacked, steps of units that are not pinned are safe.
    fn known_safe(&self, b: &BoardOf<W>, p: &Position<W>) -> KnownSafe<W::Set> {
        let (us, them) = (p.side, !p.side);
        let theirs = p.color(them);
        let Some(royal) = monarchs::queen(p, us) else {
            return KnownSafe::NONE;
        };
        if fide::attacked(self, b, p, royal, them) {
            return KnownSafe::NONE;
        }
        let attack = Attack::on(royal, them, theirs);
        let mut snipers = attack.sliders(&MEN, b, p);
        if let Some(Kind::Rook | Kind::Bishop) = power(p, them) {
            snipers |= attacking_queen(b, p, attack);
        }
        let pinned = pinned::blockers(b, p, royal, snipers);
        let mut sure = KnownSafe {
            movers: p.color(us).without(royal) & !pinned,
            targets: b.squares(),
        };
        // Capturing the last unit of its highest kind changes the movement of the enemy queen.
        if let Some(kind) = power(p, them) {
            let highest = p.units(them, kind);
            if !highest.several() {
                sure.targets &= !highest;
            }
        }
        sure
    }

    fn reach(&self, b: &BoardOf<W>, p: &Position<W>, kind: Kind, from: Square) -> W::Set {
        let occupied = p.occupied();
        if kind != Kind::Queen {
            return fide::reach(&MEN, b, kind, from, occupied);
        }
        let us = if p.color(Color::White).has(from) {
            Color::White
        } else {
            Color::Black
        };
        match power(p, us) {
            None => W::Set::EMPTY,
            Some(Kind::Pawn) => {
                b.pushed(W::Set::of(from), us) & !occupied
                    | b.pawn_captures(us, from) & p.color(!us)
            }
            Some(kind @ (Kind::Rook | Kind::Bishop)) => {
                let lifted = occupied.without(from);
                let first = usize::from(kind == Kind::Bishop);
                let mut targets = W::Set::EMPTY;
                for direction in (first..8).step_by(2) {
                    for to in b.ray(from, direction) {
                        targets = targets.with(to);
                        if occupied.has(to)
                            || !self.attackers(b, p, Attack::on(to, !us, lifted)).is_empty()
                        {
                            break;
                        }
                    }
                }
                targets
            }
            Some(kind) => b.reach(kind, from, occupied),
        }
    }

    fn no_turn(&self, b: &BoardOf<W>, p: &Position<W>) -> Outcome {
        let attacked = fide::in_check(self, b, p, p.side);
        let reason = if attacked {
            reason::CHECKMATE
        } else {
            reason::STALEMATE
        };
        Outcome::Win(!p.side, reason)
    }

    fn unit_bounds(&self, _: Color) -> &[(Kind, u32, u32)] {
        monarchs::QUEEN
    }
}
