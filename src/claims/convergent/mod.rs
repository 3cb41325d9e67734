//! Claims about Convergent Chess (A. J. Winkelspecht, The Chess Variant Pages, 1999).
//!
//! | file | claims |
//! |---|---|
//! | `men.rs` | how many squares pieces attack |
//! | `intruders.rs` | units on royal squares |

mod intruders;
mod men;

pub use intruders::intrusions;

use super::{Claim, opened};
use notation::{Setup, Start};
use position::Narrow;
#[cfg(test)]
use rules::{AnyGame, Game};
#[cfg(test)]
use std::sync::Arc;

const PAGE: &str = "Convergent Chess, The Chess Variant Pages, 1999";

/// The claims of this page.
pub static CLAIMS: &[Claim] = &[
    Claim {
        id: "convergent/weaker",
        source: PAGE,
        claim: "most pieces are much weaker than the orthodox ones, pawns stronger",
        check: men::weaker,
    },
    Claim {
        id: "convergent/intruder-mates",
        source: PAGE,
        claim: "an intruder that cannot be captured mates",
        check: intruders::intruder_mates,
    },
];

/// Returns the game at its start.
fn start() -> Start<Narrow> {
    match opened("convergent", None) {
        Setup::Narrow(start) => start,
        _ => unreachable!("an 8x8 rectangle is narrow"),
    }
}

/// Orthodox chess on the same board, where no square is royal.
#[cfg(test)]
fn orthodox() -> Arc<dyn Game<Narrow>> {
    match rules::Variant::from(&variants::fide::INFO).on(start().game.board().geometry()) {
        AnyGame::Narrow(game) => game,
        _ => unreachable!("orthodox chess is played on any board"),
    }
}
