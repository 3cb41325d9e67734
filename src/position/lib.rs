//! A position: units on squares, side to move, rights, the variant's own state; its exact key.
//!
//! A position knows nothing of rules: any rule set can judge it.

mod bound;
mod key;
mod layout;
mod placement;

pub use bound::{BoundUnit, BoundUnits, Piles};
pub use key::{Codec, KEY_WORDS, Key, KeyPlan, LiftedKey, ListedKey};
pub use layout::{Layout, Narrow, NarrowBound, Wide, WideBound};
pub use placement::{Position, Rights};
