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
//! * The page's "cannot be captured by a legal move" is read as orthodox legality. The option `safe=own` reads it as
//!   legality in Triple Check itself: a capture that gives check must be a check that may be given.
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
use board::{Square, Squares};
use position::{BoardOf, Layout, Position};
use rules::fide::Fide;
use rules::{AnyGame, Carried, Facts, Flow, Outcome, Reason, Rules, Sink, Turn, fide};
use rules::{MATE, OptionPurpose, STALEMATE, VariantInfo, VariantOption};

/// The mover has given a check that is safe, supported and quiet.
pub const TRIPLE_CHECK: Reason = "triple-check";
/// Only forbidden checks are left.
pub const FORCED_CHECK: Reason = "forced-check";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "triple-check",
    name: "Triple Check Chess",
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
    source: include_str!("triple_check.rs"),
    options: &[VariantOption {
        name: OWN,
        range: None,
        purpose: OptionPurpose::Ruling,
        help: "\"captured by a legal move\" means legal in Triple Check: a capture that gives check must be a check \
               that may be given",
    }],
    open: |variant, geometry| {
        let rules = TripleCheck {
            own: variant.has(OWN),
        };
        AnyGame::plain(rules, variant.clone(), geometry)
    },
    ..crate::parts::GOAL_VARIANT
};

static OVER: Over = Over(&[TRIPLE_CHECK]);

/// The option with which a unit is safe if no turn that Triple Check allows captures it.
const OWN: &str = "safe=own";

/// Triple Check Chess.
#[derive(Clone, Copy, Debug)]
pub struct TripleCheck {
    /// Whether a checking unit is safe if no turn that Triple Check allows captures it.
    own: bool,
}

/// Returns whether another unit of the side that has just moved attacks the square of one of its units.
fn supported<W: Layout>(b: &BoardOf<W>, after: &Position<W>, unit: Square) -> bool {
    fide::attacked(&Fide, b, after, unit, !after.side)
}

impl TripleCheck {
    /// Returns whether the checks that a turn gives are allowed.
    fn allowed<W: Layout>(self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> bool {
        if fide::captured(p, turn).is_none() {
            return true;
        }
        let after = orthodox::moved(b, p, turn);
        orthodox::checkers(b, &after)
            .iter()
            .all(|unit| supported(b, &after, unit) || !self.can_capture(b, &after, unit))
    }

    /// Returns whether a turn wins by the checks that it gives.
    fn wins<W: Layout>(
        self,
        b: &BoardOf<W>,
        before: &Position<W>,
        turn: &Turn,
        after: &Position<W>,
    ) -> bool {
        let checkers = orthodox::checkers(b, after);
        !checkers.is_empty()
            && fide::captured(before, turn).is_none()
            && checkers
                .iter()
                .all(|unit| supported(b, after, unit) && !self.can_capture(b, after, unit))
    }

    /// Returns whether the side to move can capture a unit by a legal turn of orthodox chess or, with the
    /// option, of Triple Check. Each level of the recursion captures a unit, so the recursion ends.
    fn can_capture<W: Layout>(self, b: &BoardOf<W>, p: &Position<W>, unit: Square) -> bool {
        let can = orthodox::can_capture(b, p, unit);
        if !can || !self.own {
            return can;
        }
        orthodox::any_turn(b, p, |turn| {
            fide::captured_on(b, p, turn) == Some(unit) && self.allowed(b, p, turn)
        })
    }
}

impl<W: Layout> Rules<W> for TripleCheck {
    const FACTS: Facts = Facts::SYMMETRIC.with_independent_steps();

    fn unfiltered<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        let judge = |turn: &Turn| self.allowed(b, p, turn);
        orthodox::turns(b, p, &mut Sift::new(b, p, c, judge))
    }

    fn update_state(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        after.state = u64::from(self.wins(b, p, turn, after));
    }

    fn settled(&self, _: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        OVER.settled(p)
    }

    fn no_turn(&self, b: &BoardOf<W>, p: &Position<W>) -> Outcome {
        match fide::no_turn(self, b, p) {
            Outcome::Draw(_) if orthodox::has_turn(b, p) => Outcome::Win(!p.side, FORCED_CHECK),
            outcome => outcome,
        }
    }

    fn refusal(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> String {
        let after = orthodox::moved(b, p, turn);
        if orthodox::in_check(b, &after, p.side) || self.allowed(b, p, turn) {
            return fide::refusal(self, b, p, turn);
        }
        "it gives check with a capture after which a checking unit is neither safe nor supported"
            .to_string()
    }

    fn carried(&self) -> &dyn Carried<W> {
        &OVER
    }
}
