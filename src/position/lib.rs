//! Positions: units on squares, the side to move, castling rights and the variant state, with an exact key
//! for each position.
//!
//! Relies on `board` alone. A position does not contain rules, so any rule set can judge it.

mod bound;
mod family;
mod key;
mod kinds;
mod layout;
mod placement;
mod state;
#[cfg(test)]
mod tests;

pub use bound::{BoundUnit, BoundUnits, Piles};
pub use family::{Family, ForLayout};
pub use key::{Codec, KEY_WORDS, Key, KeyPlan, LiftedKey, ListedKey};
pub use kinds::{KindSets, Planes, Six, SixAndMore};
pub use layout::{BoardOf, Layout, Narrow, NarrowBound, Open, PerLayout, Wide};
pub use placement::{Position, Rights};
pub use state::{MoreState, STATE_WORDS, StateWords};
