//! The board: squares, square sets, geometry, and the movement of units on an empty or occupied board.
//!
//! [`field`] is the grammar of FENs, which definitions and positions share. All other modules compute the
//! squares that a unit reaches.
//!
//! This crate has no concept of rules, the side to move, captures, checks or turns, so it never decides
//! whether a turn is legal.

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
