//! The rules of a game: the legal turns of a position, their effects, and the outcomes. Rule sets are
//! described as differences from orthodox chess.
//!
//! * [`Rules`]: the hooks of a rule set. Each defaults to orthodox chess.
//! * [`fide`]: the baseline, as free functions that take a rule set and call back through it.
//! * [`Game`]: a rule set on a board, with the operations that no rule set may change (legal turns, play,
//!   order of outcomes, perft).
//! * [`Facts`]: the promises of a rule set, which select faster code. [`Carried`]: the variant state and
//!   clocks of its positions, with the fields that rule texts declare ([`DeclaredField`]). [`TableRules`]: the facts that endgame tables need.
//! * [`DynRules`]: a rule set behind a `dyn` object, for layouts on which all rule sets share one generator.
//! * [`VariantInfo`]: the declarations of a compiled rule set in addition to its hooks.
//! * [`RuleSet`]: a compiled rule set, or one made from a definition. [`Variant`]: a rule set with its
//!   options.

mod attack;
mod carried;
mod checks;
mod consumer;
mod declared;
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
pub use consumer::{
    Any, AsObject, Consumer, Count, Each, Flow, SecondSteps, Sink, after, before, list,
};
pub use declared::{DeclaredField, FieldType, interned, interned_list};
pub use dyn_rules::{DynRules, GameHooks, Hooks};
pub use facts::{Facts, Generator, IndependentSteps, NestedLists, Plain, Safety, Symmetries};
pub use game::{AnyGame, Game, Games, Ruled, WrongCount};
pub use hooks::{Castling, KnownSafe, Rules};
pub use outcome::{Outcome, Reason, reason};
#[doc(hidden)]
pub use position::for_layout;
pub use refusals::{IllegalPosition, Legality, UnsupportedBoard, UnsupportedByTables};
pub use turn::{Action, Placements, Step, Turn, UpToTwo};
pub use turn_buffer::TurnBuffer;
pub use turn_pool::with_turns;
pub use variant::{DefinedRules, Options, RuleSet, Variant};
pub use variant_info::{MATE, OptionPurpose, STALEMATE, VariantInfo, VariantOption};
