//! Text to things and back: positions, turns.
//!
//! May rely on the rules; must never decide what is legal.

pub mod board_text;
pub mod fen;
pub mod game_lines;
pub mod san;
mod setup;
mod turn_diagnostics;
pub mod turns;

pub use position::Layout;
pub use setup::{START, Setup, Start};
