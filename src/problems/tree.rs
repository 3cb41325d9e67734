//! The whole play after the first turns, with turns in coordinate notation; and what of it is
//! wanted.

use super::deadline::Deadline;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;

/// A turn of the side that forces, and what can be answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The turn.
    pub turn: String,
    /// Whether it reaches the goal.
    pub goal: bool,
    /// What it threatens if the opponent could pass: the turns that go on in the least number of
    /// moves. Empty in zugzwang and after check.
    pub threats: Vec<Move>,
    /// All answers.
    pub answers: Vec<Reply>,
}

impl Move {
    /// Returns the order in which turns are printed. (Not a closure in a generic function: sorting would be
    /// compiled again for each layout.)
    pub(crate) fn by_turn(a: &Move, b: &Move) -> Ordering {
        a.turn.cmp(&b.turn)
    }

    /// Returns a turn alone, without what comes after it.
    pub fn bare(turn: String) -> Move {
        Move {
            turn,
            goal: false,
            threats: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// Returns the number of moves of the longest variation that begins with this turn.
    pub fn moves(&self) -> u32 {
        let after = self.answers.iter().flat_map(|answer| &answer.next);
        1 + after.map(Move::moves).max().unwrap_or(0)
    }

    /// Returns whether nothing is reported about what comes after it.
    pub fn is_bare(&self) -> bool {
        !self.goal && self.answers.is_empty()
    }
}

/// A move is an object, or the text of its turn alone.
impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Move, D::Error> {
        struct Either;

        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
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
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// The turn.
    pub turn: String,
    /// Whether it reaches the goal.
    #[serde(default)]
    pub goal: bool,
    /// The continuation.
    #[serde(default)]
    pub next: Vec<Move>,
    /// Whether the threats still work after this turn: every one in as many moves, or one in fewer. The turn
    /// is then not a defense, and by convention not a variation.
    #[serde(default)]
    pub unparried: bool,
}

/// A first turn that nearly solves.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Try {
    /// The turn.
    pub turn: String,
    /// The answers that refute it.
    pub refutations: Vec<String>,
    /// What it threatens, as for a [`Move`], if that is wanted.
    #[serde(default)]
    pub threats: Vec<Move>,
    /// All answers, those that refute it without a continuation, if they are wanted.
    #[serde(default)]
    pub answers: Vec<Reply>,
}

impl Reply {
    /// Returns as [`Move::by_turn`].
    pub(crate) fn by_turn(a: &Reply, b: &Reply) -> Ordering {
        a.turn.cmp(&b.turn)
    }
}

impl Try {
    /// Returns as [`Move::by_turn`].
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
    /// Play after turns that do not parry the threats.
    pub unparried: bool,
}

/// Everything behind the keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tree {
    /// The keys with all play, shortest first, then in byte order.
    pub keys: Vec<Move>,
    /// Tries.
    #[serde(default)]
    pub tries: Vec<Try>,
    /// Set play: answers to which there is a continuation before the key.
    #[serde(default)]
    pub set_play: Vec<Reply>,
    /// Whether the tree was cut off because it grew too large.
    #[serde(default)]
    pub cut: bool,
    /// Whether play after threats or tries was cut off because it grew too large.
    #[serde(default)]
    pub asides_cut: bool,
}

impl Tree {
    /// In place of a tree that there was no time to show.
    pub fn unshown() -> Tree {
        Tree {
            cut: true,
            ..Tree::default()
        }
    }
}

/// Play as it is stored, within the time: what is left out is marked by `cut`, and all brackets
/// are closed.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a, T>(pub &'a T, pub &'a Deadline<'a>);

impl<'a, T> Shown<'a, T> {
    /// Returns a list of the items of this play; an empty one is not written.
    fn list<M: SerializeMap, U>(
        &self,
        fields: &mut M,
        name: &'static str,
        list: &'a [U],
    ) -> Result<(), M::Error>
    where
        Shown<'a, U>: Serialize,
    {
        match list.is_empty() {
            true => Ok(()),
            false => fields.serialize_entry(name, &List(list, self.1)),
        }
    }
}

/// Returns a flag; one that is not set is not written.
fn flag<M: SerializeMap>(fields: &mut M, name: &'static str, set: bool) -> Result<(), M::Error> {
    match set {
        true => fields.serialize_entry(name, &true),
        false => Ok(()),
    }
}

/// Several items of play.
struct List<'a, T>(&'a [T], &'a Deadline<'a>);

impl<'a, T> Serialize for List<'a, T>
where
    Shown<'a, T>: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let List(list, deadline) = *self;
        let mut items = serializer.serialize_seq(None)?;
        for item in list {
            if deadline.is_over() {
                break;
            }
            items.serialize_element(&Shown(item, deadline))?;
        }
        items.end()
    }
}

impl Serialize for Shown<'_, Move> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let node = self.0;
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("turn", &node.turn)?;
        flag(&mut fields, "goal", node.goal)?;
        self.list(&mut fields, "threats", &node.threats)?;
        self.list(&mut fields, "answers", &node.answers)?;
        fields.end()
    }
}

impl Serialize for Shown<'_, Reply> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let answer = self.0;
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("turn", &answer.turn)?;
        flag(&mut fields, "goal", answer.goal)?;
        flag(&mut fields, "unparried", answer.unparried)?;
        self.list(&mut fields, "next", &answer.next)?;
        fields.end()
    }
}

impl Serialize for Shown<'_, Try> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let attempt = self.0;
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("turn", &attempt.turn)?;
        fields.serialize_entry("refutations", &attempt.refutations)?;
        self.list(&mut fields, "threats", &attempt.threats)?;
        self.list(&mut fields, "answers", &attempt.answers)?;
        fields.end()
    }
}

impl Serialize for Shown<'_, Tree> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Shown(tree, deadline) = *self;
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("keys", &List(&tree.keys, deadline))?;
        self.list(&mut fields, "tries", &tree.tries)?;
        self.list(&mut fields, "set_play", &tree.set_play)?;
        flag(&mut fields, "cut", tree.cut || deadline.was_over())?;
        flag(&mut fields, "asides_cut", tree.asides_cut)?;
        fields.end()
    }
}
