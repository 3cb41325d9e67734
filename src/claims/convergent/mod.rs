//! Claims about Convergent Chess (A. J. Winkelspecht, The Chess Variant Pages, 1999).
//!
//! | file | claims |
//! |---|---|
//! | `array.rs` | squares and units of the board |
//! | `men.rs` | where pawns and pieces can go |
//! | `checks.rs` | which units give check |
//! | `king_steps.rs` | what kings can do to each other |
//! | `intruders.rs` | units on royal squares |

mod array;
mod checks;
mod intruders;
mod king_steps;
mod men;

pub use intruders::intrusions;

use super::{Claim, opened};
use board::{Color, Kind, Square, Squares};
use notation::{Setup, Start};
use position::{Narrow, Position};
#[cfg(test)]
use rules::AnyGame;
use rules::Game;
#[cfg(test)]
use std::sync::Arc;
use variants::convergent::royal_squares;

const PAGE: &str = "Convergent Chess, The Chess Variant Pages, 1999";

/// The claims of this page.
pub static CLAIMS: &[Claim] = &[
    Claim {
        id: "convergent/squares",
        source: PAGE,
        claim: "the board has 40 squares; 24 squares of the edge of 8x8 are missing",
        check: array::squares,
    },
    Claim {
        id: "convergent/density",
        source: PAGE,
        claim: "the array fills 70 % of the board",
        check: array::density,
    },
    Claim {
        id: "convergent/pawn-access",
        source: PAGE,
        claim: "every pawn can get to the enemy royal squares",
        check: men::pawn_access,
    },
    Claim {
        id: "convergent/weaker",
        source: PAGE,
        claim: "most pieces are much weaker than the orthodox ones, pawns stronger",
        check: men::weaker,
    },
    Claim {
        id: "convergent/every-unit-checks",
        source: PAGE,
        claim: "every kind of unit can give check",
        check: checks::every_unit_checks,
    },
    Claim {
        id: "convergent/king-no-direct",
        source: PAGE,
        claim: "a king cannot check by attacking, but can mate by entering a royal square",
        check: king_steps::king_no_direct,
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

/// All placements of units of different owners on different squares: calls back with a position
/// of the two kings, apart from each other, and one more unit.
fn three_units(
    game: &dyn Game<Narrow>,
    king: Square,
    mut work: impl FnMut(&mut Position<Narrow>, Color, Kind, Square),
) {
    let board = game.board();
    let free = board.squares().without(king);
    for other in (free & !board.neighbors(king)).iter() {
        for owner in Color::BOTH {
            for kind in Kind::ALL {
                if kind == Kind::King {
                    continue;
                }
                for square in free.without(other).iter() {
                    let mut p = Position::<Narrow>::empty();
                    p.put(Color::White, Kind::King, king);
                    p.put(Color::Black, Kind::King, other);
                    p.put(owner, kind, square);
                    work(&mut p, owner, kind, square);
                }
            }
        }
    }
}

/// Returns a side's units that attack the enemy king, and those on its royal squares.
fn checkers(game: &dyn Game<Narrow>, p: &Position<Narrow>, by: Color) -> (u64, u64) {
    let board = game.board();
    let attacking = p
        .units(!by, Kind::King)
        .first()
        .map_or(0, |king| game.attackers(p, king, by));
    (attacking, royal_squares(board, !by) & p.color(by))
}

/// Orthodox chess on the same board, where no square is royal.
#[cfg(test)]
fn orthodox() -> Arc<dyn Game<Narrow>> {
    match rules::Variant::from(&variants::fide::INFO).on(start().game.board().geometry()) {
        AnyGame::Narrow(game) => game,
        _ => unreachable!("orthodox chess is played on any board"),
    }
}
