//! The interpreter for variant definitions. Compiles a definition into tables for its board, and plays from
//! the tables.
//!
//! [`open`] turns a definition into a variant that the rest of the program uses like a compiled one. Rules on
//! earlier positions are not played, as [`definition::History`] documents. Any other key that the interpreter
//! cannot play is an error that names the key.
//!
//! Rule texts change single aspects of a definition: [`Clauses`], which [`open_extended`] adds to a definition.

mod analysis;
mod attacker_groups;
mod attacks;
mod bound_rules;
mod builder;
mod carried;
mod check_filter;
mod compiled_definition;
mod declared;
mod effect;
mod ends;
mod extended;
mod extension;
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
mod open_extended;
mod orthodox;
mod setwise_steps;
mod state;
mod symmetry;
mod table_rules;
mod turns;

pub use definition::Refusal;
pub use extension::{
    Aspects, Captured, Clauses, Continues, KindChoices, OntoOwn, ParentEnds, Place, Play, Reach,
    Rebirth, Target, exchanges,
};
pub use open::{open, open_extended, open_without_symmetries};
pub use open_extended::{Base, Binder};
