//! Searches for what expresses an idea: an index of the words of names, meanings and synonyms, and of the known
//! variants that the caller gives.
//!
//! Rare words count more than frequent ones. A phrase of [`SYNONYMS`] or a whole name counts more than words of a
//! meaning. Ideas of [`NOT_EXPRESSED`] are ranked like everything else; if one is the best, nothing expresses the
//! idea.

use super::ideas::{NOT_EXPRESSED, SYNONYMS};
use super::{Take, names};
use crate::clauses::CLAUSE_KEYS;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of matches.
const MAX_MATCHES: usize = 5;
/// The weights of a word of a name, and of a word of a phrase that fits. A word of a meaning has the weight 1.
const NAME_WEIGHT: f64 = 3.0;
const PHRASE_WEIGHT: f64 = 6.0;
/// The part of a text's words, weighted, that a match must contain.
const MIN_PART: f64 = 0.4;
/// The maximum length in bytes of a text that is searched for.
const MAX_TEXT: usize = 400;

/// Something that expresses an idea.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Match {
    /// The name of a key, clause or variant.
    pub name: String,
    /// The meaning.
    pub meaning: String,
}

/// What a search has found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Matches {
    /// If nothing expresses the idea: what the program lacks for it.
    pub missing: Option<&'static str>,
    /// The best matches, or what comes nearest; the best first.
    pub best: Vec<Match>,
}

/// An entry of the index.
struct Entry {
    found: Match,
    name: BTreeSet<String>,
    meaning: BTreeSet<String>,
    phrases: Vec<BTreeSet<String>>,
    missing: Option<(&'static str, &'static [&'static str])>,
}

impl Entry {
    fn new(name: &str, meaning: &str, phrases: &str) -> Entry {
        let mut phrases: Vec<_> = phrases.split(';').map(words).collect();
        phrases.push(words(name));
        phrases.retain(|phrase| !phrase.is_empty());
        Entry {
            found: Match {
                name: name.to_owned(),
                meaning: meaning.to_owned(),
            },
            name: words(name),
            meaning: words(meaning),
            phrases,
            missing: None,
        }
    }

    /// Returns whether one of its texts has a word.
    fn has(&self, word: &String) -> bool {
        self.name.contains(word) || self.meaning.contains(word) || self.is_in_phrase(word)
    }

    fn is_in_phrase(&self, word: &String) -> bool {
        self.phrases.iter().any(|phrase| phrase.contains(word))
    }
}

/// Returns what expresses an idea: keys, clauses, and those of `variants`, each a name with its meaning.
pub fn search(idea: &str, variants: &[(&str, String)]) -> Matches {
    let wanted = words(&idea.chars().take(MAX_TEXT).collect::<String>());
    let entries = index(variants);
    let weights: BTreeMap<&String, f64> = wanted
        .iter()
        .map(|word| {
            let holders = entries.iter().filter(|entry| entry.has(word)).count();
            (
                word,
                (1.0 + entries.len() as f64 / (1.0 + holders as f64)).ln(),
            )
        })
        .collect();
    let total: f64 = weights.values().sum();
    let mut ranked: Vec<(u64, &Entry)> = entries
        .iter()
        .map(|entry| {
            let is_name = joined(&entry.found.name) == joined(idea);
            (
                score(entry, &weights, total) * if is_name { 3 } else { 1 },
                entry,
            )
        })
        .filter(|(score, _)| *score > 0)
        .collect();
    ranked.sort_by_key(|(score, _)| Reverse(*score));
    let missing = ranked.first().and_then(|(_, entry)| entry.missing);
    let found = |name: &str| entries.iter().find(|entry| entry.found.name == name);
    let best: Vec<&Entry> = match missing {
        Some((_, nearest)) => nearest.iter().filter_map(|name| found(name)).collect(),
        None => ranked
            .iter()
            .map(|(_, entry)| *entry)
            .filter(|e| e.missing.is_none())
            .collect(),
    };
    Matches {
        missing: missing.map(|(why, _)| why),
        best: best
            .into_iter()
            .take(MAX_MATCHES)
            .map(|entry| entry.found.clone())
            .collect(),
    }
}

/// Returns whether the index contains all words of a text.
pub(crate) fn is_known(text: &str) -> bool {
    let entries = index(&[]);
    words(text)
        .iter()
        .all(|word| entries.iter().any(|entry| entry.has(word)))
}

/// Returns the letters and digits of a text in lower case.
fn joined(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Returns the rank of an entry in thousandths, or 0 if it contains too few of the words.
fn score(entry: &Entry, weights: &BTreeMap<&String, f64>, total: f64) -> u64 {
    let sum = |fits: &dyn Fn(&String) -> bool| -> f64 {
        weights
            .iter()
            .filter(|(word, _)| fits(word))
            .map(|(_, weight)| weight)
            .sum()
    };
    let part = sum(&|word| entry.has(word)) / total;
    if part.is_nan() || part < MIN_PART {
        return 0;
    }
    let of_name = sum(&|word| entry.name.contains(word));
    // A name that has other words, too, fits less well.
    let extra = entry
        .name
        .iter()
        .filter(|word| !weights.contains_key(word))
        .count();
    let of_meaning = sum(&|word| entry.meaning.contains(word) || entry.is_in_phrase(word));
    let fitting = entry
        .phrases
        .iter()
        .filter(|p| p.iter().all(|word| weights.contains_key(word)));
    let of_phrase = fitting
        .map(|phrase| sum(&|word| phrase.contains(word)))
        .fold(0.0, f64::max);
    let sum =
        NAME_WEIGHT * of_name / (1.0 + 0.3 * extra as f64) + of_meaning + PHRASE_WEIGHT * of_phrase;
    (1_000.0 * sum * part) as u64
}

/// Returns the entries of the index. Keys of one row differ only in the side or the piece, and are one entry.
fn index(variants: &[(&str, String)]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut last = None;
    let phrases_of = |name: &str| {
        let row = SYNONYMS.iter().find(|(of, _)| *of == name);
        row.map_or("", |(_, phrases)| phrases)
    };
    for name in names().iter().filter(|name| name.key.instead.is_none()) {
        let is_piece = matches!(name.key.take, Take::Letter)
            && (!name.text.starts_with("customPiece") || name.text == "customPiece1");
        if last != Some(name.key.name) && !matches!(name.key.take, Take::Letter | Take::Mobility)
            || is_piece
            || name.text == "mobilityRegionWhiteKing"
        {
            entries.push(Entry::new(
                &name.text,
                &name.meaning(),
                phrases_of(&name.text),
            ));
        }
        last = Some(name.key.name);
    }
    for row in CLAUSE_KEYS {
        let meaning = format!("{} (a clause of rule texts)", row.meaning);
        entries.push(Entry::new(row.name, &meaning, phrases_of(row.name)));
    }
    for (name, meaning) in variants {
        let mut entry = Entry::new(name, "", "");
        entry.found.meaning = format!("a known variant: {meaning}");
        entries.push(entry);
    }
    for (phrases, why, nearest) in NOT_EXPRESSED {
        let mut entry = Entry::new("", "", phrases);
        entry.missing = Some((why, nearest));
        entries.push(entry);
    }
    entries
}

/// Words that most texts contain.
const IGNORED: &str = " a an and are as at be by can chess do does for from has have if in is it its of on one or that the their \
                       then these they this to which who with your ";

/// Returns the words of a text in lower case, without their endings, so that forms of a word such as `captures` and
/// `capturing` are equal. A capital letter after a small one also begins a word.
pub(crate) fn words(text: &str) -> BTreeSet<String> {
    let mut spaced = String::new();
    let mut was_small = false;
    for c in text.chars() {
        if c.is_uppercase() && was_small {
            spaced.push(' ');
        }
        was_small = c.is_lowercase() || c.is_ascii_digit();
        match c.is_alphanumeric() {
            true => spaced.extend(c.to_lowercase()),
            false if c == '\'' => {}
            false => spaced.push(' '),
        }
    }
    let is_used = |word: &&str| !IGNORED.contains(&format!(" {word} "));
    spaced
        .split_whitespace()
        .filter(is_used)
        .map(stem)
        .collect()
}

/// Returns a word without its ending.
fn stem(word: &str) -> String {
    const STEM_LETTERS: usize = 6;
    const MIN_LETTERS: usize = 3;
    // Users call a unit a piece, and a turn a move.
    let word = match word {
        "piece" | "pieces" | "units" | "man" | "men" => "unit",
        "colour" | "colours" => "color",
        "turns" | "moves" | "turn" => "move",
        word => word,
    };
    let without = |word: &str, ending: &str| {
        let rest = word.strip_suffix(ending)?;
        (rest.chars().count() >= MIN_LETTERS).then(|| rest.to_owned())
    };
    let mut stem = match word.ends_with("ss") {
        true => word.to_owned(),
        false => without(word, "s").unwrap_or_else(|| word.to_owned()),
    };
    for ending in ["ing", "ed", "e"] {
        stem = without(&stem, ending).unwrap_or(stem);
    }
    let mut letters: Vec<char> = stem.chars().collect();
    if let [.., before, last] = letters[..]
        && before == last
        && letters.len() > MIN_LETTERS
    {
        letters.pop();
    }
    letters.into_iter().take(STEM_LETTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synonyms_name_keys_and_clauses_that_exist() {
        let known: Vec<Entry> = index(&[]);
        let nearest = NOT_EXPRESSED.iter().flat_map(|row| row.2);
        for name in SYNONYMS.iter().map(|row| &row.0).chain(nearest) {
            assert!(
                known.iter().any(|entry| entry.found.name == **name),
                "{name}"
            );
        }
    }

    #[test]
    fn forms_of_a_word_are_equal() {
        for forms in [
            "captures capturing captured capture",
            "drop drops dropped dropping",
            "pass passes passing",
        ] {
            assert_eq!(words(forms).len(), 1, "{forms}");
        }
        assert_ne!(words("king"), words("kind"));
    }
}
