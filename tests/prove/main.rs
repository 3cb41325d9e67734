//! Proofs and their certificates: against the values of whole graphs, against the naive rules, and
//! that nothing that was tampered with is taken.

#[path = "../random/mod.rs"]
mod random;

mod brute_force;
mod certificates;
mod goals;
mod known;
mod texts;
mod values;
mod wins;

use fairyproof::board::Color;
use fairyproof::control::Control;
use fairyproof::notation::Start;
use fairyproof::prove::{Found, Goal, Layout, Limits, Prover};

/// A control for small searches.
const CONTROL: Control<'static> = Control::new().with_memory(64 << 20);

/// Returns whether a side forces a goal from a position.
fn proof<W: Layout>(start: &Start<W>, side: Color, goal: &Goal, limits: Limits) -> Found {
    proof_under(start, side, goal, limits, &CONTROL)
}

fn proof_under<W: Layout>(
    start: &Start<W>,
    side: Color,
    goal: &Goal,
    limits: Limits,
    control: &Control<'_>,
) -> Found {
    let game = start.game.as_ref();
    Prover::new(game, &start.position, side, goal, limits, control, None).run()
}
