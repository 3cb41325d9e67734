//! The play after the first turns as a tree, with turns in coordinate notation, and the request for its
//! parts. The types are also the JSON format of stored solutions.

use super::deadline::Deadline;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;

/// A turn of the attacker, and the defender's answers to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The turn.
    pub turn: String,
    /// Whether the turn reaches the goal.
    pub goal: bool,
    /// The threats: the shortest continuations if the opponent could pass. Empty in zugzwang and after check.
    pub threats: Vec<Move>,
    /// All answers.
    pub answers: Vec<Reply>,
}

impl Move {
    /// Compares by text, the order in which turns are printed. A plain function rather than a closure in a
    /// generic function, so that sorting is not compiled again for each layout.
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

    /// Returns whether the turn is stored without the play after it.
    pub fn is_bare(&self) -> bool {
        !self.goal && self.answers.is_empty()
    }
}

/// A move is stored as an object, or as the text of its turn alone.
impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Move, D::Error> {
        struct MoveVisitor;

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

        impl<'de> Visitor<'de> for MoveVisitor {
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

        deserializer.deserialize_any(MoveVisitor)
    }
}

/// An answer, and all shortest continuations after it. More than one is a dual.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// The turn.
    pub turn: String,
    /// Whether the turn reaches the goal.
    #[serde(default)]
    pub goal: bool,
    /// The shortest continuations.
    #[serde(default)]
    pub next: Vec<Move>,
    /// Whether the threats still work after this turn: all of them in as many moves, or one of them in fewer.
    /// Then the turn is not a defense, and by convention not a variation.
    #[serde(default)]
    pub unparried: bool,
}

/// A try: a first turn that only one answer refutes.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Try {
    /// The turn.
    pub turn: String,
    /// The answers that refute the try.
    pub refutations: Vec<String>,
    /// The threats, as for a [`Move`], if they were requested.
    #[serde(default)]
    pub threats: Vec<Move>,
    /// All answers, if they were requested. Refutations have no continuation.
    #[serde(default)]
    pub answers: Vec<Reply>,
}

impl Reply {
    /// Compares by text, like [`Move::by_turn`].
    pub(crate) fn by_turn(a: &Reply, b: &Reply) -> Ordering {
        a.turn.cmp(&b.turn)
    }
}

impl Try {
    /// Compares by text, like [`Move::by_turn`].
    pub(crate) fn by_turn(a: &Try, b: &Try) -> Ordering {
        a.turn.cmp(&b.turn)
    }
}

/// The play that is requested in addition to the keys.
#[derive(Clone, Copy, Debug, Default)]
pub struct Want {
    /// All variations.
    pub tree: bool,
    /// By-play: the play after threats and after tries.
    pub asides: bool,
    /// First turns with exactly one refutation.
    pub tries: bool,
    /// Set play: the play if the other side began.
    pub set_play: bool,
    /// In help and series play: only the first turns, with one line for each.
    pub firsts: bool,
    /// Play after turns that do not parry the threats.
    pub unparried: bool,
}

/// The keys with their play, tries and set play.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tree {
    /// The keys with all play, shortest first, then in byte order.
    pub keys: Vec<Move>,
    /// Tries.
    #[serde(default)]
    pub tries: Vec<Try>,
    /// Set play: the answers that have a continuation without the key.
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
    /// Returns a placeholder for a tree that could not be written before the deadline.
    pub fn unshown() -> Tree {
        Tree {
            cut: true,
            ..Tree::default()
        }
    }
}

/// Play as it is stored, written until a deadline. If the deadline expires, the JSON is still valid, and
/// `cut` marks that play was left out.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a, T>(pub &'a T, pub &'a Deadline<'a>);

impl<'a, T> Shown<'a, T> {
    /// Writes a list of items of this play as a field, unless the list is empty.
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

/// Writes a flag as a field if it is set.
fn flag<M: SerializeMap>(fields: &mut M, name: &'static str, set: bool) -> Result<(), M::Error> {
    match set {
        true => fields.serialize_entry(name, &true),
        false => Ok(()),
    }
}

/// A list of items of play.
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
