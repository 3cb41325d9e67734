//! The law of a game: what a turn is, which turns are legal, what they do, and when the game is over.
//!
//! * [`Rules`]: the hooks of a rule set. Each defaults to orthodox chess.
//! * [`fide`]: the baseline, as free functions that take a rule set and call back through it.
//! * [`Game`]: what no rule set may change (legal turns, play, order of outcomes, perft).
//! * [`Behind`]: a rule set behind an object, for boards on which all share one generator.
//! * [`Card`]: the facts about a rule set that are not hooks; [`Variant`]: a rule set with its options.

mod behind;
mod card;
mod checks;
mod consumer;
pub mod fide;
mod flights;
mod game;
mod hooks;
mod outcome;
mod spare;
mod successors;
mod tempo;
mod turn;
mod turn_buffer;

pub use behind::{Behind, Hooks};
pub use card::{Card, MATE, MadeRules, OptionCard, Options, STALEMATE, Variant};
pub use consumer::{Any, AsObject, Consumer, Count, Each, Flow, SecondSteps, after, before, list};
pub use game::{AnyGame, Game, Ruled, perft};
pub use hooks::{Carried, Castling, Constants, Hook, Plain, Rules, Safety, Sure, Symmetries};
pub use outcome::{Outcome, Reason, reason};
pub use spare::with_turns;
pub use turn::{Action, Few, Placements, Step, Turn};
pub use turn_buffer::TurnBuffer;
