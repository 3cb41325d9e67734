//! # Counselor Chess
//!
//! King and queen are both royal, and their mates mean opposite things: a side that mates the king wins,
//! a side that mates the queen loses. So a player wins by letting the own queen be mated, and a side that can
//! mate the enemy queen has to.
//!
//! ## Against FIDE
//! | FIDE | Counselor |
//! |---|---|
//! | queen slides any distance | one or two squares in a line, not leaping |
//! | the king is royal | king and queen are: a turn leaves neither attacked |
//! | any legal turn may be chosen | if some turns mate the enemy queen, only those are legal |
//! | checkmate loses | mate of the queen wins for its owner, mate of the king alone loses |
//! | promotion to Q, R, B, N | to R, B, N |
//! | castling | none |
//!
//! ## Rulings
//! * A turn mates the queen if it leaves the opponent with the queen attacked and without a legal
//!   turn; the king may be attacked too. Legal turns are counted here without the duty to mate: the opponent
//!   is not spared by having had to mate in turn.
//! * King and queen both attacked and no turn that meets both checks: the side to move wins.
//! * A position may lack a queen; then only the king's mate remains.
//!
//! ## Example
//! `q7/pp6/8/8/8/k7/8/4K1R1 w - - 0 1`: the one legal turn is `g1g8`, which mates the queen on a8:
//! Black has won. Without the pawn on b7 the queen could step aside, and White would be free.

use crate::parts::giving::{Giving, Sieve};
use crate::parts::monarchs;
use board::{Color, Kind, Men, Movement, Slides, Square};
use position::{BoardOf, Layout, Position};
use rules::{
    Any, Each, Facts, Flow, Outcome, Reason, Rules, Safety, Turn, TurnBuffer, fide, reason,
};
use rules::{STALEMATE, VariantInfo};

/// The queen of the side to move is mated, and so that side has won.
pub const QUEEN_CHECKMATED: Reason = "queen-checkmated";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "counselor",
    name: "Counselor Chess",
    difference: "queens go two squares and are royal too; the side whose queen is mated wins; a queen that can be mated must be",
    reasons: &[
        (
            QUEEN_CHECKMATED,
            "the side to move has its queen attacked and no legal turn: it wins",
        ),
        (
            reason::CHECKMATE,
            "the side to move has its king attacked, its queen not, and no legal turn: it loses",
        ),
        STALEMATE,
    ],
    start: |_| fide::START_NO_CASTLING.to_string(),
    ..crate::parts::goal_variant::<Counselor>(include_str!("counselor.rs"))
};

static MEN: Men = Men::FIDE.with(
    Kind::Queen,
    Movement::Slider(Slides {
        orthogonal: true,
        diagonal: true,
        range: 2,
    }),
);

/// Counselor Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counselor;

/// Returns whether a turn mates the enemy queen: she is attacked, and her side has no turn. The duty to mate
/// the queen is not considered.
fn mates_queen<W: Layout>(b: &BoardOf<W>, p: &Position<W>, queen: Square, turn: &Turn) -> bool {
    let after = fide::moved(&Counselor, b, p, turn);
    if !fide::attacked(&Counselor, b, &after, queen, p.side) {
        return false;
    }
    let mut any = Any::default();
    let _: Flow = fide::unfiltered_by_lines(&Counselor, b, &after, &mut any);
    !any.0
}

impl<W: Layout> Rules<W> for Counselor {
    const FACTS: Facts = Facts {
        safety: Safety::Lines,
        filters: true,
        men: &MEN,
        castling: None,
        promotions: monarchs::LESSER,
        ..Facts::SYMMETRIC.with_independent_steps()
    };

    fn royals(&self, p: &Position<W>, color: Color) -> W::Set {
        monarchs::monarchs(p, color)
    }

    fn filter(&self, b: &BoardOf<W>, p: &Position<W>, turns: &mut TurnBuffer<W::Set>) {
        let Some(queen) = monarchs::queen(p, !p.side) else {
            return;
        };
        let mut mates = TurnBuffer::default();
        let mut sieve = Sieve {
            giving: Giving::new(self, b, p, queen),
            consumer: &mut Each(|turn: Turn| {
                if mates_queen(b, p, queen, &turn) {
                    mates.turns.push(turn);
                }
                Flow::Continue(())
            }),
        };
        let _ = turns.replay(&mut sieve);
        if !mates.turns.is_empty() {
            *turns = mates;
        }
    }

    fn no_turn(&self, b: &BoardOf<W>, p: &Position<W>) -> Outcome {
        let us = p.side;
        match monarchs::queen(p, us) {
            Some(queen) if fide::attacked(self, b, p, queen, !us) => {
                Outcome::Win(us, QUEEN_CHECKMATED)
            }
            _ => fide::no_turn(self, b, p),
        }
    }

    fn refusal(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> String {
        if !fide::in_check(self, b, &fide::moved(self, b, p, turn), p.side) {
            "another turn mates the enemy queen, and then one must".to_string()
        } else {
            fide::refusal(self, b, p, turn)
        }
    }

    fn unit_bounds(&self, _: Color) -> &[(Kind, u32, u32)] {
        monarchs::BOTH
    }
}
