//! The whole play after the first turns, with turns in coordinate notation; and what of it is
//! wanted.

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::cmp::Ordering;
use std::fmt;

/// A turn of the side that forces, and what can be answered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Move {
    /// The turn.
    pub turn: String,
    /// Whether it reaches the goal.
    #[serde(skip_serializing_if = "is_false")]
    pub goal: bool,
    /// What it threatens if the opponent could pass: the turns that go on in the least number of
    /// moves. Empty in zugzwang and after check.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub threats: Vec<Move>,
    /// All answers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Reply>,
}

impl Move {
    /// The order in which turns are printed. (Not a closure in a generic function: sorting would be
    /// compiled again for each layout.)
    pub(crate) fn by_turn(a: &Move, b: &Move) -> Ordering {
        a.turn.cmp(&b.turn)
    }

    /// A turn alone, without what comes after it.
    pub fn bare(turn: String) -> Move {
        Move {
            turn,
            goal: false,
            threats: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// Whether nothing is told of what comes after it.
    pub fn is_bare(&self) -> bool {
        !self.goal && self.answers.is_empty()
    }
}

/// A move is an object, or the text of its turn alone.
impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Move, D::Error> {
        struct Either;

        #[derive(Deserialize)]
        struct Whole {
            turn: String,
            #[serde(default)]
            goal: bool,
            #[serde(default)]
            threats: Vec<Move>,
            #[serde(default)]
            answers: Vec<Reply>,
        }

        impl<'de> Visitor<'de> for Either {
            type Value = Move;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a turn, or an object with one")
            }

            fn visit_str<E>(self, turn: &str) -> Result<Move, E> {
                Ok(Move::bare(turn.to_string()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Move, A::Error> {
                let whole = Whole::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Move {
                    turn: whole.turn,
                    goal: whole.goal,
                    threats: whole.threats,
                    answers: whole.answers,
                })
            }
        }

        deserializer.deserialize_any(Either)
    }
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
    /// What it threatens, as for a [`Move`], if that is wanted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub threats: Vec<Move>,
    /// All answers, those that refute it without a continuation, if they are wanted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Reply>,
}

impl Reply {
    /// As [`Move::by_turn`].
    pub(crate) fn by_turn(a: &Reply, b: &Reply) -> Ordering {
        a.turn.cmp(&b.turn)
    }
}

impl Try {
    /// As [`Move::by_turn`].
    pub(crate) fn by_turn(a: &Try, b: &Try) -> Ordering {
        a.turn.cmp(&b.turn)
    }
}

/// What is to be written besides the keys.
#[derive(Clone, Copy, Debug, Default)]
pub struct Want {
    /// All variations.
    pub tree: bool,
    /// The play after threats, and after tries.
    pub asides: bool,
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
    /// Whether play after threats or tries was cut off because it grew too large.
    #[serde(default, skip_serializing_if = "is_false")]
    pub asides_cut: bool,
}

fn is_false(flag: &bool) -> bool {
    !flag
}
