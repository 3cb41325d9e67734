//! Orthodox chess, as free functions that take a rule set and call its hooks, so that hooks which a variant
//! overrides take effect everywhere.
//!
//! The functions are the defaults of the hooks of [`Rules`](super::Rules), and an override can call them by
//! name. [`Fide`] is the rule set that overrides no rules. Source: FIDE Laws of Chess, articles 3 and 5.

mod attack;
mod castling;
mod effect;
mod lane_targets;
mod legal;
mod lines;
mod orthodox;
mod pawns;
mod pieces;
mod pins;
mod trial;
mod verdict;

pub use attack::{attacked, attackers, in_check, royals_attacked};
pub use castling::castlings;
pub use effect::{captured, captured_on, carry_out, carry_out_of, effect, moved, pass};
pub use lane_targets::{AHEAD, LaneTargets, LaneUnits, origin};
pub use legal::{
    generate, generate_shared, has_unfiltered, is_checkmate, legal, pseudo, unfiltered,
};
pub use lines::{Guarded, unfiltered_by_lines};
pub use orthodox::Fide;
pub use pawns::{en_passants, offer_en_passant, pawn_steps, pawns_to};
pub use pieces::{piece_steps, reach, unit_to};
pub use pins::unfiltered_by_pins;
pub use trial::{Tried, unfiltered_by_trial};
pub use verdict::{check_no_opposite_check, no_turn, refusal};

use board::Kind;
use position::Layout;

/// Runs code that is compiled as a part of its caller. On [lean](Layout::LEAN) layouts, the code is a
/// separate function instead, compiled once for each set of type parameters, which keeps the callers small.
#[inline(always)]
fn apart<W: Layout, T>(code: impl FnOnce() -> T) -> T {
    #[inline(never)]
    fn run<T>(code: impl FnOnce() -> T) -> T {
        code()
    }
    if const { W::LEAN } { run(code) } else { code() }
}

/// The start position.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// The start position without castling rights.
pub const START_NO_CASTLING: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";

/// The kinds of pieces.
pub const PIECES: [Kind; 5] = [
    Kind::Knight,
    Kind::Bishop,
    Kind::Rook,
    Kind::Queen,
    Kind::King,
];
