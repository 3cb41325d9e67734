//! # Deadline Chess
//!
//! A check is met by the king alone in one step, or by another unit in exactly two, with the king
//! still in check between them.
//!
//! ## Against FIDE
//! | FIDE | Deadline |
//! |---|---|
//! | a check is met by any legal move | by a king step, or by two steps of one unit other than the king |
//!
//! ## Rulings
//! * Not in check, turns are orthodox.
//! * King steps in check are the orthodox ones; never castling.
//! * The two steps are pseudo-legal each. After the first the own king must still be attacked and
//!   the enemy king must not be; after the second the own king must not be attacked. So taking the
//!   checking unit with one step of another unit than the king does not answer a check, nor does going
//!   between with one step. The second step may give check.
//! * A pawn that promotes with its first step makes the second as what it has become.
//! * En passant is captured with a first step only. No answer ends on a double step, so the rule
//!   that a pawn which has just answered a check may not be taken en passant never applies.
//!
//! ## Example
//! After 1 e3 d6 2 Bb5+ Black has six turns: `a7a6+a6b5`, `c8e6+e6d7`, `c8f5+f5d7`, `c8g4+g4d7`,
//! `c8h3+h3d7` and `g8f6+f6d7`.

use board::{Kind, Squares};
use position::{BoardOf, Layout, Position};
use rules::VariantInfo;
use rules::{Consumer, Each, Facts, Flow, Rules, SecondSteps, Sink, Turn, after, fide};

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "deadline",
    name: "Deadline Chess",
    difference: "a check is met by a king step or by two steps of one other unit",
    ..crate::parts::goal_variant::<Deadline>(include_str!("deadline.rs"))
};

/// Deadline Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Deadline;

/// The steps of some units of the side to move, without castling and en passant. If `legal` is set, only
/// steps that leave the own king unattacked are included.
struct StepsOf<'a, W: Layout> {
    board: &'a BoardOf<W>,
    position: &'a Position<W>,
    movers: W::Set,
    legal: bool,
}

impl<W: Layout> SecondSteps<W::Set> for StepsOf<'_, W> {
    fn run<K: Consumer<W::Set> + ?Sized>(&self, consumer: &mut K) -> Flow {
        let (b, p) = (self.board, self.position);
        if self.legal {
            return fide::unfiltered_by_pins(&Deadline, b, p, self.movers, consumer);
        }
        let pawns = p.kind(Kind::Pawn);
        Deadline.pawn_steps(b, p, self.movers & pawns, b.squares(), consumer)?;
        for from in (self.movers & !pawns).iter() {
            let kind = p.kind_on(from);
            let allowed = !p.occupied() | Deadline.capturable(b, p, kind);
            let reach = Deadline.reach(b, p, kind, from);
            consumer.unit(kind, from, reach & allowed)?;
        }
        Flow::Continue(())
    }
}

/// Generates the answers to a check: steps of the king, then two steps of another unit. If `legal` is set,
/// only turns that leave the own king unattacked are generated.
fn answers<W: Layout, K: Consumer<W::Set> + ?Sized>(
    b: &BoardOf<W>,
    p: &Position<W>,
    legal: bool,
    consumer: &mut K,
) -> Flow {
    let us = p.side;
    let king_steps = StepsOf {
        board: b,
        position: p,
        movers: p.units(us, Kind::King),
        legal,
    };
    king_steps.run(consumer)?;
    fide::pseudo(
        &Deadline,
        b,
        p,
        &mut Each(|turn: Turn| {
            let first = turn.first();
            if first.kind() == Kind::King {
                return Flow::Continue(());
            }
            let mut between = *p;
            fide::carry_out(&Deadline, b, &mut between, first);
            between.set_en_passant(None);
            if !fide::in_check(&Deadline, b, &between, us)
                || fide::in_check(&Deadline, b, &between, !us)
            {
                return Flow::Continue(());
            }
            let second = StepsOf {
                board: b,
                position: &between,
                movers: W::Set::of(first.to),
                legal,
            };
            after(first, consumer, second)
        }),
    )
}

impl<W: Layout> Rules<W> for Deadline {
    const FACTS: Facts = Facts::SYMMETRIC;

    fn pseudo<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        if fide::in_check(self, b, p, p.side) {
            answers(b, p, false, c)
        } else {
            fide::pseudo(self, b, p, c)
        }
    }

    fn unfiltered<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        if fide::in_check(self, b, p, p.side) {
            answers(b, p, true, c)
        } else {
            fide::unfiltered_by_pins(self, b, p, b.squares(), c)
        }
    }
}
