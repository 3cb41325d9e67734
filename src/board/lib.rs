//! The board: squares, square sets, geometry, and how units move on an empty or occupied board.
//!
//! [`field`] is the grammar of FENs, which definitions and positions share.
//!
//! This crate knows no rules, no side to move, capture, check or turn. It computes which squares a
//! unit reaches, never whether a turn is allowed.

pub mod field;
mod geometry;
mod kind;
mod lanes;
mod movement;
mod set;
mod square;
mod tables;
#[cfg(test)]
mod tests;
mod ways;

pub use geometry::{Geometry, MAX_FILES, MAX_RANKS, MAX_SQUARES};
pub use kind::{Color, Kind};
pub use lanes::{LANES, Lanes};
pub use movement::{FurtherNames, Leaps, Men, Movement, Name, Slides};
pub use set::{Squares, SquaresIter};
pub use square::Square;
pub use tables::{Board, DIRECTIONS, KNIGHT_LEAPS, Line};
pub use ways::Way;
