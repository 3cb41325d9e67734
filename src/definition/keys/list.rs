//! The names of all keys, and the information that `rules keys` prints on them.

use super::{Key, LimitKind, Sides, TABLE, Take};
use crate::slots::{self, SLOTS};
use std::sync::OnceLock;

/// A name of a key, as sections contain it.
pub(crate) struct Name {
    /// The name.
    pub text: String,
    /// The row of the key.
    pub key: &'static Key,
    /// The sides to which its value applies, as indices.
    pub sides: &'static [usize],
    /// The slot of the piece whose letter or mobility region it gives; otherwise 0.
    pub slot: usize,
}

const BOTH: [usize; 2] = [0, 1];
const SIDE_NAMES: [&str; 2] = ["White", "Black"];

/// Returns the names of all keys in the order in which they are applied, which is the order of the table.
pub(crate) fn names() -> &'static [Name] {
    static NAMES: OnceLock<Vec<Name>> = OnceLock::new();
    NAMES.get_or_init(|| TABLE.iter().flat_map(of_row).collect())
}

fn of_row(key: &'static Key) -> Vec<Name> {
    let name = |text: String, sides: &'static [usize], slot: usize| Name {
        text,
        key,
        sides,
        slot,
    };
    let each_side = |stem: &str, rest: &str, slot: usize| {
        BOTH.map(|side| {
            name(
                format!("{stem}{}{rest}", SIDE_NAMES[side]),
                &BOTH[side..=side],
                slot,
            )
        })
    };
    match (&key.take, key.sides) {
        (Take::Letter, _) => (0..SLOTS).map(|s| name(slots::name(s), &BOTH, s)).collect(),
        (Take::Mobility, _) => (0..SLOTS)
            .flat_map(|slot| each_side(key.name, &slots::capitalized(slot), slot))
            .collect(),
        (_, Sides::None) => vec![name(key.name.to_owned(), &BOTH, 0)],
        (_, Sides::Each) => each_side(key.name, "", 0).into(),
        (_, Sides::BothAndEach) => {
            let both = name(key.name.to_owned(), &BOTH, 0);
            [both]
                .into_iter()
                .chain(each_side(key.name, "", 0))
                .collect()
        }
    }
}

/// The information that `rules keys` prints on a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyInfo {
    /// The name.
    pub name: String,
    /// The values that the key takes.
    pub values: String,
    /// The meaning of its value.
    pub meaning: String,
    /// The key to write instead, if this one is an old name.
    pub instead: Option<&'static str>,
    /// An example, as a line of a section.
    pub example: String,
    /// The keys and values that it excludes or needs, each with the reason.
    pub limits: Vec<String>,
}

/// Returns information on all keys in the order in which they are applied. The custom pieces are one entry,
/// and so are the mobility regions.
pub fn key_infos() -> Vec<KeyInfo> {
    let is_listed = |name: &&Name| match name.key.take {
        Take::Letter => name.slot <= slots::FIRST_CUSTOM || name.slot == slots::KING,
        Take::Mobility => name.slot == slots::KING && name.sides == [0],
        _ => true,
    };
    names().iter().filter(is_listed).map(KeyInfo::new).collect()
}

impl KeyInfo {
    fn new(name: &Name) -> KeyInfo {
        let key = name.key;
        let words = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
            format!("one of {}", words.join(", "))
        };
        let (values, example) = match &key.take {
            Take::Word(list, ..) => (words(list), list[1]),
            Take::Letter if name.slot == slots::KING => (
                "a letter, also with a movement, or `-` for none".to_owned(),
                "k:KN",
            ),
            Take::Letter if name.slot == slots::FIRST_CUSTOM => (
                "a letter and a movement in Betza notation".to_owned(),
                "a:NfF",
            ),
            take => (take.kind().to_owned(), take.example()),
        };
        KeyInfo {
            meaning: name.meaning(),
            values,
            instead: key.instead,
            example: format!("{} = {example}", name.text),
            limits: limits(key),
            name: name.text.clone(),
        }
    }
}

impl Name {
    /// Returns the meaning of the value, with the names of sides and pieces filled in.
    pub(super) fn meaning(&self) -> String {
        match self.key.take {
            Take::Letter if self.slot == slots::KING => {
                "the royal unit; moves as `K` if no movement is given".to_owned()
            }
            Take::Letter if slots::is_written(self.slot) => format!(
                "a unit with a movement of its own; also customPiece2 to customPiece{}",
                slots::CUSTOM
            ),
            Take::Letter => match slots::movement(self.slot) {
                "" => "a unit that never moves".to_owned(),
                movement => format!("a unit that moves as `{movement}`"),
            },
            _ => {
                let (side, owner) = match self.sides {
                    [0] => ("White", "White's"),
                    [1] => ("Black", "Black's"),
                    _ => ("each side", "each side's"),
                };
                let meaning = self.key.meaning.replace("{side's}", owner);
                meaning.replace("{side}", side)
            }
        }
    }
}

/// Returns the limits of a key, one sentence each.
fn limits(key: &Key) -> Vec<String> {
    let of_key = |limit: &&super::Limit| {
        limit.keys.contains(&key.name) || key.limits.iter().any(|own| std::ptr::eq(*limit, own))
    };
    let all = TABLE.iter().flat_map(|other| other.limits);
    all.filter(of_key)
        .map(|limit| match limit.kind {
            LimitKind::Error => format!("an error: {}", limit.why),
            LimitKind::Warning => format!("a warning: {}", limit.why),
            LimitKind::NotPlayed => format!("not played: `{}`: {}", limit.keys[0], limit.why),
        })
        .collect()
}
