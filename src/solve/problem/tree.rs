//! The whole play after the first turns, with turns in coordinate notation; and what of it is
//! wanted.

use serde::{Deserialize, Serialize};

/// A turn of the side that forces, and what can be answered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Move {
    /// The turn.
    pub turn: String,
    /// Whether it reaches the goal.
    #[serde(default, skip_serializing_if = "is_false")]
    pub goal: bool,
    /// What it threatens if the opponent could pass: the turns that go on in the least number of
    /// moves. Empty in zugzwang and after check.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub threats: Vec<String>,
    /// All answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Reply>,
}

/// An answer, and all turns that go on from it in the least number of moves (more than one: a
/// dual).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reply {
    /// The turn.
    pub turn: String,
    /// Whether it reaches the goal.
    #[serde(default, skip_serializing_if = "is_false")]
    pub goal: bool,
    /// How it goes on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<Move>,
}

/// A first turn that nearly solves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Try {
    /// The turn.
    pub turn: String,
    /// The answers that refute it.
    pub refutations: Vec<String>,
}

/// What is to be written besides the keys.
#[derive(Clone, Copy, Debug, Default)]
pub struct Want {
    /// All variations.
    pub tree: bool,
    /// First turns with exactly one refutation.
    pub tries: bool,
    /// What would happen if the other side began.
    pub set_play: bool,
    /// Of help and series play only the first turns: one line for each is enough.
    pub firsts: bool,
}

/// Everything behind the keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    /// The keys with all play, shortest first, then in byte order.
    pub keys: Vec<Move>,
    /// Tries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tries: Vec<Try>,
    /// Set play: answers to which there is a continuation before the key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_play: Vec<Reply>,
    /// Whether the tree was cut off because it grew too large.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cut: bool,
}

fn is_false(flag: &bool) -> bool {
    !flag
}
