//! # Kingmaker Chess
//!
//! Neither side has a king at the start. A pawn that reaches the last rank makes one for the opponent, and then
//! that king is driven: a player who can only move the king has lost.
//!
//! ## Against FIDE
//! | FIDE | Kingmaker |
//! |---|---|
//! | each side has a king | neither has one at the start |
//! | promotion to Q, R, B, N | while the opponent has no king, to a king of the opponent |
//! | castling | none |
//! | stalemate is a draw | no legal turn loses, and so does having none but king steps |
//!
//! ## Rulings
//! * While the opponent has no king, a pawn on its last rank becomes the opponent's king there (written with
//!   `k`: `e7e8k`), also by capturing. None of the mover's units may attack it then, and the
//!   mover's own king, if any, may not be left attacked, not by the new king either. Otherwise
//!   the pawn may not go there at all. Once the opponent has a king, pawns promote as in orthodox
//!   chess.
//! * Kings are royal.
//! * Outcomes, all lost for the side to move: no legal turn, `checkmate` if its king is attacked,
//!   else `no-turn`; legal turns, but all of them king steps, `king-forced`.
//!
//! ## Example
//! `8/P7/8/8/8/8/7p/6R1 w - - 0 1`: `a7a8k` makes a black king on a8, as the rook on g1 does not
//! attack it. With the rook on h8 the pawn could not move.

use board::{Color, Kind, Squares};
use position::{BoardOf, Layout, Position};
use rules::VariantInfo;
use rules::{
    Any, Consumer, Facts, Flow, KnownSafe, Outcome, Reason, Rules, Sink, Turn, fide, reason,
};

/// The side to move has legal turns, but only with its king.
pub const KING_FORCED: Reason = "king-forced";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "kingmaker",
    name: "Kingmaker Chess",
    difference: "no kings at first; a pawn promotes to a king of the opponent, who loses when only it can move",
    reasons: &[
        (
            reason::CHECKMATE,
            "the side to move has no legal turn and its king is attacked: it loses",
        ),
        (
            reason::NO_TURN,
            "the side to move has no legal turn and no attacked king: it loses",
        ),
        (
            KING_FORCED,
            "the side to move has no legal turn but king steps: it loses",
        ),
    ],
    start: |_| "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1".to_string(),
    ..crate::parts::goal_variant::<Kingmaker>(include_str!("kingmaker.rs"))
};

/// Kingmaker Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kingmaker;

/// Returns whether a turn promotes a pawn to a king of the opponent.
#[inline(always)]
fn crowns(turn: &Turn) -> bool {
    turn.first().becomes() == Some(Kind::King)
}

/// Gives the king to which the mover has just promoted a pawn to the opponent, who is now to move.
#[inline(always)]
fn hand_over<W: Layout>(after: &mut Position<W>, turn: &Turn) {
    let square = turn.first().to;
    after.take(!after.side, Kind::King, square);
    after.put(after.side, Kind::King, square);
}

impl Kingmaker {
    /// Returns the legal turns of some units.
    #[inline(always)]
    fn turns_of<W: Layout, K: Consumer<W::Set> + ?Sized>(
        &self,
        b: &BoardOf<W>,
        p: &Position<W>,
        movers: W::Set,
        consumer: &mut K,
    ) -> Flow {
        let (us, them) = (p.side, !p.side);
        let reaching = b.last_rank(us);
        let near = b.pushed(reaching, them) & p.units(us, Kind::Pawn)
            | b.pushed_aside(reaching, them)
                .into_iter()
                .fold(W::Set::EMPTY, |set, (_, squares)| set | squares)
                & p.units(us, Kind::Pawn);
        if near.is_empty() || !p.units(them, Kind::King).is_empty() {
            return fide::unfiltered_by_pins(self, b, p, movers, consumer);
        }
        let mut tried = fide::Tried {
            known_safe: KnownSafe {
                movers: b.squares(),
                targets: !reaching,
            },
            judge: |turn: &Turn| self.is_safe(b, p, turn, &fide::moved(self, b, p, turn)),
            consumer,
        };
        fide::unfiltered_by_pins(self, b, p, movers, &mut tried)
    }
}

impl<W: Layout> Rules<W> for Kingmaker {
    const FACTS: Facts = Facts {
        castling: None,
        ..Facts::SYMMETRIC
    };

    fn promotions(&self, p: &Position<W>) -> &[Kind] {
        if p.units(!p.side, Kind::King).is_empty() {
            &[Kind::King]
        } else {
            &[Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight]
        }
    }

    fn is_safe(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &Position<W>) -> bool {
        let mut after = *after;
        if crowns(turn) {
            hand_over(&mut after, turn);
            if fide::attacked(self, b, &after, turn.first().to, p.side) {
                return false;
            }
        }
        !fide::in_check(self, b, &after, p.side)
    }

    fn unfiltered<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        self.turns_of(b, p, b.squares(), c)
    }

    fn update_state(&self, _: &BoardOf<W>, _: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        if crowns(turn) {
            hand_over(after, turn);
        }
    }

    fn settled(&self, b: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        let king = p.units(p.side, Kind::King);
        if king.is_empty() {
            return None;
        }
        let some = |movers| {
            let mut any = Any::default();
            let _: Flow = self.turns_of(b, p, movers, &mut any);
            any.0
        };
        (!some(!king) && some(king)).then_some(Outcome::Win(!p.side, KING_FORCED))
    }

    fn no_turn(&self, b: &BoardOf<W>, p: &Position<W>) -> Outcome {
        let reason = if fide::in_check(self, b, p, p.side) {
            reason::CHECKMATE
        } else {
            reason::NO_TURN
        };
        Outcome::Win(!p.side, reason)
    }

    fn unit_bounds(&self, _: Color) -> &[(Kind, u32, u32)] {
        &[(Kind::King, 0, 1)]
    }

    fn refusal(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> String {
        if !crowns(turn) {
            return fide::refusal(self, b, p, turn);
        }
        let mut after = fide::moved(self, b, p, turn);
        hand_over(&mut after, turn);
        if fide::attacked(self, b, &after, turn.first().to, p.side) {
            "the new king would be attacked".to_string()
        } else {
            "it leaves the own king attacked".to_string()
        }
    }
}
