//! The names of all keys, and the information that `rules keys` prints on them.

use super::{Key, LimitKind, Sides, TABLE, Take, keys_of_idea};
use crate::slots::{self, SLOTS};
use std::cmp::Reverse;
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
    fn meaning(&self) -> String {
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

/// Returns up to three existing keys with a meaning similar to that of an unknown key such as
/// `repetitionIllegal`, best first. Returns an empty list if no key is similar.
///
/// Keys whose names and meanings contain all words of `idea` come first, unless `idea` is a single word. Keys
/// of the [table of ideas](keys_of_idea) follow, then keys that contain most of the words.
pub fn related_keys(idea: &str) -> Vec<&'static str> {
    let wanted = stems(idea);
    let is_named = |name: &&Name| {
        let take = &name.key.take;
        name.key.instead.is_none()
            && !matches!(take, Take::Cosmetic | Take::Letter | Take::Mobility)
    };
    let mut by_words: Vec<(usize, &'static str)> = (names().iter().filter(is_named))
        .map(|name| {
            let known = stems(&format!("{} {}", name.text, name.meaning()));
            let shared = wanted.iter().filter(|word| known.contains(word)).count();
            (shared, name.text.as_str())
        })
        .filter(|&(shared, _)| shared > 0 && shared + wanted.len() / 3 >= wanted.len())
        .collect();
    by_words.sort_by_key(|&(shared, _)| Reverse(shared));
    let whole = match wanted.len() {
        1 => 0,
        words => by_words.partition_point(|&(shared, _)| shared == words),
    };
    let by_words: Vec<&str> = by_words.into_iter().map(|(_, name)| name).collect();
    let of_idea = keys_of_idea(&wanted);
    if whole == 0 && of_idea.is_some_and(<[_]>::is_empty) {
        return Vec::new();
    }
    let (whole, part) = by_words.split_at(whole);
    let mut related: Vec<&str> = Vec::new();
    for &name in whole.iter().chain(of_idea.unwrap_or_default()).chain(part) {
        if !related.contains(&name) && related.len() < 3 {
            related.push(name);
        }
    }
    related
}

/// Returns the beginnings of a text's words in lower case. A capital letter also begins a word, and very
/// short words are left out. Forms of one word, such as `capture` and `captures`, have the same beginning.
pub fn stems(text: &str) -> Vec<String> {
    const MIN_LETTERS: usize = 4;
    const STEM_LETTERS: usize = 5;
    let mut spaced = String::new();
    for c in text.chars() {
        if c.is_uppercase() {
            spaced.push(' ');
        }
        match c.is_alphanumeric() {
            true => spaced.extend(c.to_lowercase()),
            false => spaced.push(' '),
        }
    }
    let long = spaced
        .split_whitespace()
        .filter(|word| word.len() >= MIN_LETTERS);
    long.map(|word| word.chars().take(STEM_LETTERS).collect())
        .collect()
}
