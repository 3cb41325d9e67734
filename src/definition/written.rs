//! The text that decides the rules of a definition, without comments and without blanks that mean nothing, and its
//! digest. Files that rest on rules contain the digest, so that a changed text is noticed.
//!
//! The text consists of the sections that apply, each with its name in brackets and its keys in their order, one a
//! line: first the ancestors, the oldest first, then the section, then its conditions. Sections without keys are left
//! out. A line `:NAME` comes before them if the oldest ancestor has the parent `NAME`, which is not a section. After
//! them come the texts of the rule sets that clauses name in `under('NAME')`, each once, after a line `under NAME`; the
//! catalog knows these. As definitions (`let`) can name them as well, they are all names of rule sets in quotation marks
//! of a text that contains `under`. The next is the last name that is still to be added; those that a text names are
//! added in byte order.
//!
//! In values, outside of quotation marks, blanks and line breaks are one blank. In clauses, one between two letters,
//! digits or `_` alone. The entries of `ends` and `fenIf` have a line each.

use crate::clauses::{CONDITION, clause_key};
use crate::sections::Section;
use crate::{Definition, Layer};
use sha2::{Digest, Sha256};
use std::fmt;

/// The sections of a rule set as they are written, without its conditions.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Written(String);

/// Without content: the fields of a definition show its rules.
impl fmt::Debug for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Written")
    }
}

impl Written {
    /// Returns the text of a rule set that is not a section.
    pub(crate) fn root(name: &str) -> Written {
        Written(format!(":{name}\n"))
    }

    /// Adds a section.
    pub(crate) fn add(&mut self, section: &Section) {
        let entries = section.entries.iter();
        let keys = entries.map(|entry| (entry.key.text.as_str(), entry.value.text.as_str()));
        self.0 += &section_text(&section.name.text, keys);
    }
}

impl Definition {
    /// Returns the text that decides the rules, apart from the other rule sets that it names.
    pub fn rules_text(&self) -> String {
        let clauses = |layer: &Layer| {
            let clauses = layer.clauses.iter();
            let keys = clauses.map(|clause| (clause.key.as_str(), clause.text.as_str()));
            section_text(&layer.section, keys)
        };
        let conditions = self.layers.iter().filter(|layer| layer.is_condition);
        let conditions: String = conditions.map(clauses).collect();
        self.written.0.clone() + &conditions
    }
}

/// Returns the names of the rule sets that clauses of a text of [`Definition::rules_text`] can name in `under`, in byte
/// order: those that are written there, and all texts in quotation marks for which `is_rule_set` holds.
pub fn asked(rules_text: &str, is_rule_set: impl Fn(&str) -> bool) -> Vec<String> {
    if !rules_text.contains("under") {
        return Vec::new();
    }
    let mut names: Vec<String> = Vec::new();
    for line in rules_text.lines() {
        for (at, quote) in line.match_indices(['\'', '"']) {
            let text = line[at + 1..].split_once(quote).map(|(text, _)| text);
            names.extend(text.filter(|text| is_rule_set(text)).map(str::to_owned));
        }
    }
    for (at, call) in rules_text.match_indices("under(") {
        let is_word = rules_text[..at].ends_with(is_word);
        let argument = &rules_text[at + call.len()..];
        let quote = argument.chars().next().filter(|c| ['\'', '"'].contains(c));
        if let Some(quote) = quote.filter(|_| !is_word)
            && let Some((name, _)) = argument[1..].split_once(quote)
        {
            names.push(name.to_owned());
        }
    }
    names.sort();
    names.dedup();
    names
}

/// Returns the digest of a text: SHA-256, in hexadecimal.
pub fn digest(text: &str) -> String {
    format!("{:x}", Sha256::digest(text))
}

fn section_text<'t>(name: &str, keys: impl Iterator<Item = (&'t str, &'t str)>) -> String {
    let keys = keys.filter(|(key, _)| *key != CONDITION);
    let keys: String = keys
        .map(|(key, value)| format!("{}={}\n", tight(key), value_text(key, value)))
        .collect();
    match keys.is_empty() {
        true => String::new(),
        false => format!("[{name}]\n{keys}"),
    }
}

fn value_text(key: &str, value: &str) -> String {
    match key {
        "ends" | "fenIf" => {
            let entries = crate::clauses::entries(value).into_iter();
            let entries: Vec<String> = entries.map(|entry| tight(&value[entry])).collect();
            entries.join("\n")
        }
        // Blanks separate the words of a state.
        "state" | "options" => single_blanks(value, |_, _| true),
        _ if clause_key(key).is_some() => tight(value),
        _ => single_blanks(value, |_, _| true),
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns a text in which blanks are left between words alone.
pub(crate) fn tight(text: &str) -> String {
    single_blanks(text, |before, after| is_word(before) && is_word(after))
}

/// Returns a text with one blank in place of several, where the characters around it need one. Leaves texts in
/// quotation marks as they are.
fn single_blanks(text: &str, needed: impl Fn(char, char) -> bool) -> String {
    let (mut out, mut quote, mut after_blank) = (String::new(), None, false);
    for c in text.trim().chars() {
        if c == '\n' || quote.is_none() && c.is_whitespace() {
            // A quotation mark without another in its line is an apostrophe.
            quote = quote.filter(|_| c != '\n');
            after_blank = true;
            continue;
        }
        if after_blank && out.ends_with(|before| needed(before, c)) {
            out.push(' ');
        }
        after_blank = false;
        quote = match quote {
            Some(open) if open == c => None,
            None if c == '\'' || c == '"' => Some(c),
            quote => quote,
        };
        out.push(c);
    }
    out
}
