//! Rule texts: the clauses of a definition, compiled to expressions that the interpreter evaluates.
//!
//! [`open`] turns a definition with clauses into a variant. The clauses are parsed and merged once (`text`), and compiled
//! for each board and each choice of options (`stages`). The rules of each stage are a game of their own, so that a
//! clause reads only what an earlier stage has decided. This crate never generates turns.
//!
//! | file | responsibility |
//! |---|---|
//! | `text.rs` | the clauses of a definition: parsed, with definitions and `parent.KEY` expanded, merged with conditions |
//! | `entries.rs` | the entries of `ends` and `fenIf` |
//! | `rule.rs` | a compiled clause with the rules that its expression uses |
//! | `stages.rs` | the games of all stages, and the compilation of each clause for its stage |
//! | `set.rs` | the clauses of a stage, in the form that the interpreter evaluates |
//! | `unit_rule.rs` | conditions about units, looked up by kind where nothing else is read |
//! | `units.rs`, `steps.rs`, `effects.rs`, `turns.rs`, `ends.rs` | the values that the interpreter needs, by subject |
//! | `open.rs` | the interface to the interpreter |

mod effects;
mod ends;
mod entries;
mod open;
mod rule;
mod set;
mod stages;
mod steps;
mod text;
mod turns;
mod unit_rule;
mod units;

pub use entries::reasons;
pub use open::{Opener, check, concern_whole_turns, open};
