//! The rule set made of data: a variant's definition, compiled into tables when it is bound to its
//! board, and played from them.
//!
//! [`open`] makes of a definition a variant like any other. What the definition says and this rule
//! set does not play is refused by its key.

mod armies;
mod asking;
mod attacks;
mod builder;
mod effect;
mod ends;
mod hooks;
mod kinds;
mod law;
mod lines;
mod made;
mod movement;
mod moves;
mod open;
mod orthodox;
mod quiet;
mod scene;
mod state;
mod together;
mod turns;

pub use law::{Refusal, refusals};
pub use open::{open, open_without_symmetries};
