//! # Triple Check Chess
//!
//! A check must be worth something: the checking unit cannot be captured, or it is defended, or
//! the turn took nothing. A check that is all three wins at once.
//!
//! ## Against FIDE
//! | FIDE | Triple Check |
//! |---|---|
//! | any check is legal | it must be safe, supported or quiet |
//! | checkmate wins | so does a check that is safe, supported and quiet |
//! | stalemate is a draw | it loses if only forbidden checks are left |
//!
//! ## Rulings
//! * Of a turn that gives check: a checking unit is *safe* if no orthodox legal turn of the
//!   opponent captures it, *supported* if another unit of its side attacks its square; the turn is
//!   *quiet* if it captures nothing.
//! * Every checking unit must be safe or supported, or the turn quiet. For the win every checking
//!   unit must be safe and supported, and the turn quiet.
//! * Pinned units, the king and the other unit of a double check give support too. A pawn that
//!   checks by a double step is not safe where it can be taken en passant.
//! * The win is stored in the state as `over=triple-check` and comes before checkmate.
//! * Without a legal turn: in check it is checkmate; not in check, the side to move loses by
//!   **forced-check** if orthodox chess would allow it a turn; else stalemate, a draw.
//!
//! ## Example
//! After `b1c3 d7d5 e2e4 d5d4` the check `f1b5` wins: nothing takes the bishop, the knight defends
//! it, and it took nothing.

use crate::parts::over::{self, Over};
use crate::parts::{checks::Sift, orthodox};
use board::{Board, Square, Squares};
use position::{Layout, Position};
use rules::{AnyGame, Carried, Consumer, Facts, Flow, Hook, Outcome, Reason, Rules, Turn, fide};
use rules::{MATE, STALEMATE, VariantInfo};

/// The mover has given a check that is safe, supported and quiet.
pub const TRIPLE_CHECK: Reason = "triple-check";
/// Only forbidden checks are left.
pub const FORCED_CHECK: Reason = "forced-check";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "triple-check",
    name: "Triple Check Chess",
    inventor: "Tony Paletta",
    page: "The Chess Variant Pages, Modest Proposals: GOAL Variants, 2001",
    difference: "a check must be safe, supported or no capture; one that is all three wins",
    state: &[(over::KEY, "the mover has just won, by this reason")],
    reasons: &[
        (
            TRIPLE_CHECK,
            "the last turn gave a check that is safe, supported and no capture: its mover wins",
        ),
        MATE,
        (
            FORCED_CHECK,
            "the side to move, not in check, could only give forbidden checks: it loses",
        ),
        STALEMATE,
    ],
    diff: &[Hook::Safety, Hook::State, Hook::Settled, Hook::NoTurn],
    source: include_str!("triple_check.rs"),
    open: |variant, geometry| AnyGame::plain(TripleCheck, variant.clone(), geometry),
    ..VariantInfo::FIDE
};

static OVER: Over = Over(&[TRIPLE_CHECK]);

/// Triple Check Chess.
#[derive(Clone, Copy, Debug)]
pub struct TripleCheck;

/// Returns whether another unit of the side that has just moved attacks the square of one of its units.
fn supported<W: Layout>(b: &Board<W::Set>, after: &Position<W>, unit: Square) -> bool {
    fide::attacked(&TripleCheck, b, after, unit, !after.side)
}

/// Returns whether a turn may give the checks that hold after it.
fn allowed<W: Layout>(
    b: &Board<W::Set>,
    before: &Position<W>,
    turn: &Turn,
    after: &Position<W>,
) -> bool {
    fide::captured(before, turn).is_none()
        || orthodox::checkers(b, after)
            .iter()
            .all(|unit| supported(b, after, unit) || !orthodox::can_capture(b, after, unit))
}

/// Returns whether a turn wins by the checks that hold after it.
fn wins<W: Layout>(
    b: &Board<W::Set>,
    before: &Position<W>,
    turn: &Turn,
    after: &Position<W>,
) -> bool {
    let checkers = orthodox::checkers(b, after);
    !checkers.is_empty()
        && fide::captured(before, turn).is_none()
        && checkers
            .iter()
            .all(|unit| supported(b, after, unit) && !orthodox::can_capture(b, after, unit))
}

impl<W: Layout> Rules<W> for TripleCheck {
    const FACTS: Facts = Facts::SYMMETRIC;

    fn unfiltered<K: Consumer<W::Set> + ?Sized>(
        &self,
        b: &Board<W::Set>,
        p: &Position<W>,
        consumer: &mut K,
    ) -> Flow {
        let judge = |turn: &Turn| allowed(b, p, turn, &orthodox::moved(b, p, turn));
        orthodox::turns(b, p, &mut Sift::new(b, p, consumer, judge))
    }

    fn update_state(
        &self,
        b: &Board<W::Set>,
        before: &Position<W>,
        turn: &Turn,
        after: &mut Position<W>,
    ) {
        after.state = u64::from(wins(b, before, turn, after));
    }

    fn settled(&self, _: &Board<W::Set>, p: &Position<W>) -> Option<Outcome> {
        OVER.settled(p)
    }

    fn no_turn(&self, b: &Board<W::Set>, p: &Position<W>) -> Outcome {
        match fide::no_turn(self, b, p) {
            Outcome::Draw(_) if orthodox::has_turn(b, p) => Outcome::Win(!p.side, FORCED_CHECK),
            outcome => outcome,
        }
    }

    fn refusal(&self, b: &Board<W::Set>, p: &Position<W>, turn: &Turn) -> String {
        let after = orthodox::moved(b, p, turn);
        if orthodox::in_check(b, &after, p.side) || allowed(b, p, turn, &after) {
            return fide::refusal(self, b, p, turn);
        }
        "it gives check with a capture after which a checking unit is neither safe nor supported"
            .to_string()
    }

    fn carried(&self) -> &dyn Carried<W> {
        &OVER
    }
}
