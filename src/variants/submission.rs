//! # Submission Chess
//!
//! Checkmate is forbidden. One wins by a check that leaves the enemy king a single way out: a step
//! of their own that captures nothing.
//!
//! ## Against FIDE
//! | FIDE | Submission |
//! |---|---|
//! | checkmate wins | a turn that checkmates is illegal |
//! | | a check that only one plain step of the king can answer wins |
//!
//! ## Rulings
//! * The replies to a check are the orthodox legal turns that do not themselves checkmate the
//!   other side in the orthodox sense.
//! * A turn that gives check is legal only if it leaves at least one such reply.
//! * The side to move is in check, has exactly one such reply, and that is a king step that
//!   captures nothing: its opponent has won by **submission**.
//! * A player in check whose every way out is forbidden is checkmated; not in check, the player is
//!   stalemated, which is a draw.
//!
//! ## Example
//! `7k/6p1/5p2/7K/2B3PR/8/8/8 b - - 0 1`: `g7g6` wins. The king could take the pawn, but that
//! would checkmate from h4, and so `h5h6` is the only reply: **submission**.

use crate::parts::{checks::Sift, orthodox};
use board::Kind;
use position::{BoardOf, Layout, Position};
use rules::{Any, Facts, Flow, Outcome, Reason, Rules, Sink, Turn, fide};
use rules::{MATE, STALEMATE, VariantInfo};

/// The only answer to the check is a step of the king without a capture.
pub const SUBMISSION: Reason = "submission";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "submission",
    name: "Submission Chess",
    difference: "checkmating is illegal; a check whose only answer is a plain king step wins",
    reasons: &[
        (
            SUBMISSION,
            "the side to move is in check and its only reply is a king step that captures nothing: it loses",
        ),
        MATE,
        STALEMATE,
    ],
    ..crate::parts::goal_variant::<Submission>(include_str!("submission.rs"))
};

/// Submission Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Submission;

/// Returns whether the side to move has an orthodox legal turn that does not give orthodox checkmate.
fn has_reply<W: Layout>(b: &BoardOf<W>, p: &Position<W>) -> bool {
    let mut any = Any::default();
    let judge = |turn: &Turn| !orthodox::checkmates(b, p, turn);
    let _ = orthodox::turns(b, p, &mut Sift::new(b, p, &mut any, judge));
    any.0
}

/// Returns whether a turn that leads to the position `after` is allowed.
fn allowed<W: Layout>(b: &BoardOf<W>, after: &Position<W>) -> bool {
    !orthodox::in_check(b, after, after.side) || has_reply(b, after)
}

impl<W: Layout> Rules<W> for Submission {
    const FACTS: Facts = Facts::SYMMETRIC.with_independent_steps();

    fn unfiltered<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        let judge = |turn: &Turn| allowed(b, &orthodox::moved(b, p, turn));
        orthodox::turns(b, p, &mut Sift::new(b, p, c, judge))
    }

    fn settled(&self, b: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        if !orthodox::in_check(b, p, p.side) {
            return None;
        }
        let mut steps = 0;
        let other = orthodox::each_turn(b, p, |turn| {
            if orthodox::checkmates(b, p, &turn) {
                return Flow::Continue(());
            }
            steps += 1;
            let plain = turn.first().kind() == Kind::King && fide::captured(p, &turn).is_none();
            if plain && steps == 1 {
                Flow::Continue(())
            } else {
                Flow::Break(())
            }
        });
        (steps == 1 && other.is_continue()).then_some(Outcome::Win(!p.side, SUBMISSION))
    }

    fn refusal(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> String {
        let after = orthodox::moved(b, p, turn);
        if orthodox::in_check(b, &after, p.side) || allowed(b, &after) {
            return fide::refusal(self, b, p, turn);
        }
        if orthodox::has_turn(b, &after) {
            "it leaves no reply but checkmates".to_string()
        } else {
            "it checkmates".to_string()
        }
    }
}
