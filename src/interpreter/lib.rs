//! The interpreter for variant definitions. Compiles a definition into tables for its board, and plays from
//! the tables.
//!
//! [`open`] turns a definition into a variant that the rest of the program uses like a compiled one. Rules on
//! earlier positions are not played, as [`definition::History`] documents. Any other key that the interpreter
//! cannot play is an error that names the key.

mod analysis;
mod attacker_groups;
mod attacks;
mod bound_rules;
mod builder;
mod carried;
mod check_filter;
mod compiled_definition;
mod effect;
mod ends;
mod fen_fields;
mod hooks;
mod independent_steps;
mod kinds;
mod lines;
mod material;
mod movement;
mod moves;
mod n_move_rule;
mod open;
mod orthodox;
mod setwise_steps;
mod state;
mod symmetry;
mod table_rules;
mod turns;

pub use definition::Refusal;
pub use open::{open, open_without_symmetries};
