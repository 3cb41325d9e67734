//! Text notations: reads and prints positions (FEN) and turns (coordinate and algebraic notation).
//!
//! Relies on the hooks of a rule set for legality, and never decides itself which turns or positions are
//! legal.

pub mod board_text;
pub mod edit;
pub mod fen;
pub mod forsyth;
pub mod game_lines;
pub mod pgn;
pub mod san;
mod setup;
mod turn_diagnostics;
pub mod turns;

pub use position::Layout;
#[doc(hidden)]
pub use position::for_layout;
pub use setup::{START, Setup, SetupVisitor, Start};
