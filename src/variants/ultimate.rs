//! # Ultimate Chess
//!
//! Which check is mate depends on what checks: a pawn's always, a knight's if it forces the reply,
//! a bishop's and a rook's if they drive the king away.
//!
//! ## Against FIDE
//! | FIDE | Ultimate |
//! |---|---|
//! | only a check without an answer wins | a pawn's check wins |
//! | | so does a knight's that has exactly one answer |
//! | | a bishop's, if the king must step and cannot capture that bishop |
//! | | a rook's, if the king must step to where no unit of its own side is next to it |
//!
//! ## Rulings
//! * The side to move, in check but not checkmated, loses by **ultimate-mate** if one of the
//!   checking units is
//!   (a) a pawn;
//!   (b) a knight, and there is exactly one legal turn;
//!   (c) a bishop, and every legal turn is a king step that does not capture that bishop;
//!   (d) a rook, and every legal turn is a king step, capturing or not, to a square without an
//!   own unit next to it.
//! * Turns that differ in promotion are several.
//! * In a double check each checking unit is judged by itself. A queen's check is mate only in the
//!   orthodox sense.
//!
//! ## Example
//! `4k3/8/8/8/8/8/8/R3K3 w - - 0 1`: after `a1a8` the black king has to step, and no unit of its
//! own is there: **ultimate-mate**.

use crate::parts::orthodox;
use board::{Board, Kind, Squares};
use position::{BoardOf, Layout, Position};
use rules::{Facts, Flow, Outcome, Reason, Rules};
use rules::{MATE, STALEMATE, VariantInfo};

/// A check counts as mate because of the unit that gives it.
pub const ULTIMATE_MATE: Reason = "ultimate-mate";

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "ultimate",
    name: "Ultimate Chess",
    difference: "a pawn's check is mate, and so are some of knights, bishops and rooks",
    reasons: &[
        MATE,
        (
            ULTIMATE_MATE,
            "the side to move is checked by a pawn, or so by a knight, bishop or rook that it counts as mate: it loses",
        ),
        STALEMATE,
    ],
    ..crate::parts::goal_variant::<Ultimate>(include_str!("ultimate.rs"))
};

/// Ultimate Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ultimate;

/// The legal answers to a check.
struct Answers<S> {
    turns: u32,
    /// Whether all answers are steps of the king.
    by_king: bool,
    /// The targets of the king's steps.
    steps: S,
    /// Whether no target of the king's steps is next to another unit of its side.
    alone: bool,
}

impl<S: Squares> Answers<S> {
    fn find<W: Layout<Set = S>>(b: &Board<S>, p: &Position<W>) -> Answers<S> {
        let mut answers = Answers {
            turns: 0,
            by_king: true,
            steps: S::EMPTY,
            alone: true,
        };
        let others = p.color(p.side) & !p.kind(Kind::King);
        let _ = orthodox::each_turn(b, p, |turn| {
            let step = turn.first();
            answers.turns += 1;
            if step.kind() == Kind::King {
                answers.steps = answers.steps.with(step.to);
                answers.alone &= (b.leap(Kind::King, step.to) & others).is_empty();
            } else {
                answers.by_king = false;
            }
            Flow::Continue(())
        });
        answers
    }
}

impl<W: Layout> Rules<W> for Ultimate {
    const FACTS: Facts = Facts::SYMMETRIC.with_independent_steps();

    fn settled(&self, b: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        let checkers = orthodox::checkers(b, p);
        if checkers.is_empty() {
            return None;
        }
        let answers = Answers::find(b, p);
        let mates = |kind| match kind {
            Kind::Pawn => true,
            Kind::Knight => answers.turns == 1,
            Kind::Rook => answers.by_king && answers.alone,
            _ => false,
        };
        let lost = answers.turns > 0
            && checkers.iter().any(|unit| match p.kind_on(unit) {
                Kind::Bishop => answers.by_king && !answers.steps.has(unit),
                kind => mates(kind),
            });
        lost.then_some(Outcome::Win(!p.side, ULTIMATE_MATE))
    }
}
