//! Proofs and their certificates: against the values of whole graphs, against the naive rules, and
//! that nothing that was tampered with is taken.

#[path = "../random/mod.rs"]
mod random;

mod certificates;
mod known;
mod values;

use fairyproof::board::Color;
use fairyproof::notation::Start;
use fairyproof::prove::{Aim, Found, Layout, Limits, Prover, Silent};
use std::sync::atomic::AtomicBool;

/// Limits for small searches.
fn limits() -> Limits {
    Limits {
        memory_bytes: 64 << 20,
        ..Limits::default()
    }
}

/// Returns whether a side forces an aim from a position.
fn proof<W: Layout>(start: &Start<W>, side: Color, aim: Aim, limits: Limits) -> Found {
    let going = AtomicBool::new(false);
    let game = start.game.as_ref();
    Prover::new(game, &start.position, side, aim, limits, None).run(&going, &Silent)
}
