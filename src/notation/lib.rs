//! Positions and turns as text, and back.
//!
//! Relies on the rules. Never decides what is legal.

pub mod board_text;
pub mod edit;
pub mod fen;
pub mod game_lines;
pub mod san;
mod setup;
mod turn_diagnostics;
pub mod turns;

pub use position::Layout;
pub use setup::{START, Setup, SetupVisitor, Start};
