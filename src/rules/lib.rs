//! The rules of a game: what a turn is, which turns are legal, what they change, and when the game is over.
//!
//! * [`Rules`]: the hooks of a rule set. Each defaults to orthodox chess.
//! * [`fide`]: the baseline, as free functions that take a rule set and call back through it.
//! * [`Game`]: what no rule set may change (legal turns, play, order of outcomes, perft).
//! * [`Facts`]: what a rule set promises. [`Carried`]: what its positions carry. [`TableRules`]: what
//!   endgame tables must know.
//! * [`DynRules`]: a rule set as an object, for boards on which all share one generator.
//! * [`VariantInfo`]: what a compiled rule set declares in addition to its hooks.
//! * [`RuleSet`]: one of these, or one made from a definition. [`Variant`]: a rule set with its options.

mod attack;
mod carried;
mod change;
mod changed;
mod checks;
mod consumer;
mod dyn_rules;
mod facts;
pub mod fide;
mod flights;
mod game;
mod hooks;
mod outcome;
mod refusals;
mod successors;
mod tempo;
#[cfg(test)]
mod tests;
mod turn;
mod turn_buffer;
mod turn_pool;
mod variant;
mod variant_info;

pub use attack::Attack;
pub use carried::{Carried, FenFields, TableRules};
pub use change::{Change, Scoring};
pub use consumer::{
    Any, AsObject, Consumer, Count, Each, Flow, SecondSteps, Sink, after, before, list,
};
pub use dyn_rules::{DynRules, GameHooks, Hooks};
pub use facts::{Facts, Generator, Plain, Safety, Symmetries};
pub use game::{AnyGame, Game, Ruled, perft};
pub use hooks::{Castling, Hook, KnownSafe, Rules};
pub use outcome::{Outcome, Reason, reason};
pub use refusals::{IllegalPosition, Legality, UnsupportedBoard, UnsupportedByTables};
pub use turn::{Action, Placements, Step, Turn, UpToTwo};
pub use turn_buffer::TurnBuffer;
pub use turn_pool::with_turns;
pub use variant::{DefinedRules, Options, RuleSet, Variant};
pub use variant_info::{MATE, OptionPurpose, STALEMATE, VariantInfo, VariantOption};
