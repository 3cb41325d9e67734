//! Values under best play: endgame tables and what certifies them.

pub mod table;
mod value;

pub use value::{MAX_DISTANCE_PLIES, Value};
