//! The rule set made of data: a variant's definition, compiled into tables when it is bound to its
//! board, and played from them.
//!
//! [`open`] makes of a definition a variant like any other. What the definition says and this rule
//! set does not play is refused by its key.

mod analysis;
mod attacker_groups;
mod attacks;
mod bound_rules;
mod builder;
mod check_filter;
mod compiled_definition;
mod effect;
mod ends;
mod hooks;
mod kinds;
mod lines;
mod movement;
mod moves;
mod n_move_rule;
mod open;
mod orthodox;
mod setwise_steps;
mod state;
mod turns;

pub use definition::Refusal;
pub use open::{open, open_without_symmetries};
