//! The turns of pawns: single and double steps, captures, en passant captures, and promotions.

use crate::dyn_rules::share;
use crate::{Action, Consumer, Flow, Rules, Step, UpToTwo, before};
use board::{Kind, Squares};
use position::{BoardOf, Layout, Position};

/// Generates the steps of pawns to squares in `targets`: single steps, double steps, and captures.
#[inline(always)]
pub fn pawn_steps<W: Layout, R: Rules<W>, K: Consumer<W::Set> + ?Sized>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    pawns: W::Set,
    targets: W::Set,
    consumer: &mut K,
) -> Flow {
    let steps = PawnSteps {
        pawns,
        targets,
        victims: r.capturable(b, p, Kind::Pawn),
        double_step: r.double_step(),
    };
    steps_of(r, b, p, &steps, consumer)
}

/// The pawns whose steps to generate, and the results of the rule set's hooks for them.
struct PawnSteps<S> {
    pawns: S,
    /// The squares to which the pawns may go.
    targets: S,
    /// The units that the pawns may capture.
    victims: S,
    double_step: bool,
}

#[inline(always)]
fn steps_of<W: Layout, R: Rules<W>, K: Consumer<W::Set> + ?Sized>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    steps: &PawnSteps<W::Set>,
    consumer: &mut K,
) -> Flow {
    share!(steps_of(r, b, p, steps: &PawnSteps<W::Set>; consumer));
    let (pawns, targets) = (steps.pawns, steps.targets);
    let us = p.side;
    let ahead = b.ahead(us);
    let vacant = !p.occupied();
    let one = b.pushed(pawns, us) & vacant;
    pawns_to(r, b, p, ahead, one & targets, consumer)?;
    if steps.double_step && b.geometry().ranks() >= 6 {
        let passed = b.pushed(pawns & b.rank_of(us, 1), us) & vacant;
        let two = b.pushed(passed, us) & vacant & targets;
        consumer.pawns(2 * ahead, two, Action::DoubleStep)?;
    }
    let victims = steps.victims & targets;
    for (offset, targets) in b.pushed_aside(pawns, us) {
        pawns_to(r, b, p, offset, targets & victims, consumer)?;
    }
    Flow::Continue(())
}

/// Passes pawns to the consumer that go `offset` squares to these targets, with promotions on the last rank.
#[inline(always)]
pub fn pawns_to<W: Layout, R: Rules<W>, K: Consumer<W::Set> + ?Sized>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    offset: i32,
    targets: W::Set,
    consumer: &mut K,
) -> Flow {
    let last = b.last_rank(p.side) & targets;
    if last.is_empty() {
        return consumer.pawns(offset, targets, Action::Go);
    }
    consumer.pawns(offset, targets & !last, Action::Go)?;
    match r.promotions(p) {
        [] => consumer.pawns(offset, last, Action::Go),
        choices => consumer.pawns_becoming(offset, last, choices),
    }
}

/// Returns the en passant captures of these pawns of the side to move.
pub fn en_passants<W: Layout>(b: &BoardOf<W>, p: &Position<W>, pawns: W::Set) -> UpToTwo {
    let mut found = UpToTwo::NONE;
    if let Some(target) = p.en_passant() {
        for from in (b.pawn_captures(!p.side, target) & pawns).iter() {
            found.push(Step::new(Action::EnPassant, Kind::Pawn, from, target));
        }
    }
    found
}

/// Sets the en passant square after a double step, if a pawn of the side to move attacks the passed square.
#[inline(always)]
pub fn offer_en_passant<W: Layout, R: Rules<W>>(
    r: &R,
    b: &BoardOf<W>,
    p: &mut Position<W>,
    step: Step,
) {
    let us = p.side;
    let passed = before(step.to, b.ahead(!us));
    if r.en_passant(p) && !(b.pawn_captures(!us, passed) & p.units(us, Kind::Pawn)).is_empty() {
        p.set_en_passant(Some(passed));
    }
}
