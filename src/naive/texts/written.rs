//! The text that decides the rules: the sections that apply, without comments and without blanks that mean nothing, and
//! the rule sets that they name in `under`. Certificates contain its digest.

use super::book::Book;
use super::ini::{self, Key, Section};
use super::rules::{is_clause, sections_of};
use super::value::Outcome;

/// Returns the text that decides the rules that an id names, whatever its options.
///
/// # Errors
/// If a section is missing or cannot be read.
pub fn rules_text(book: &Book, id: &str) -> Outcome<String> {
    let mut text = own_text(book, id)?;
    let mut open = asked(book, &text);
    let mut added = Vec::new();
    while let Some(id) = open.pop() {
        if added.contains(&id) {
            continue;
        }
        let other = own_text(book, &id).unwrap_or_default();
        open.extend(asked(book, &other));
        text = format!("{text}under {id}\n{other}");
        added.push(id);
    }
    Ok(text)
}

/// Returns whether a name is used in a text, outside of quotation marks.
pub fn uses(text: &str, name: &str) -> bool {
    text.lines().any(|line| {
        let mut bare = String::new();
        for (letter, quoted) in letters(line) {
            bare.push(if quoted || !is_word(letter) {
                ' '
            } else {
                letter
            });
        }
        bare.split(' ').any(|word| word == name)
    })
}

fn own_text(book: &Book, id: &str) -> Outcome<String> {
    let lines = sections_of(book, id)?;
    let root = lines[0]
        .root
        .map_or(String::new(), |root| format!(":{root}\n"));
    let sections = lines.iter().flat_map(|line| &line.sections);
    Ok(root + &sections.map(|section| written(section)).collect::<String>())
}

/// Returns the text of a section: its name in brackets and its keys, if it has any.
fn written(section: &Section) -> String {
    let keys = section.keys.iter().filter(|key| key.name != "condition");
    let keys: Vec<String> = keys
        .map(|key| format!("{}={}\n", joined(&[&key.name], true), value(key)))
        .collect();
    match keys.is_empty() {
        true => String::new(),
        false => format!("[{}]\n{}", section.name, keys.concat()),
    }
}

fn value(key: &Key) -> String {
    let name = key.name.as_str();
    if ["ends", "fenIf"].contains(&name) {
        let mut entries: Vec<Vec<&str>> = Vec::new();
        for line in key.lines.iter().filter(|line| !line.is_empty()) {
            match entries.last_mut() {
                Some(entry) if ini::continues(line) => entry.push(line),
                _ => entries.push(vec![line]),
            }
        }
        let entries: Vec<String> = entries.iter().map(|lines| joined(lines, true)).collect();
        return entries.join("\n");
    }
    let counts_blanks = ["state", "options", "conditions"].contains(&name);
    let lines: Vec<&str> = key.lines.iter().map(String::as_str).collect();
    joined(&lines, is_clause(name) && !counts_blanks)
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns the letters of a line, each with whether it is within quotation marks.
pub fn letters(line: &str) -> Vec<(char, bool)> {
    let mut open = None;
    let mut letters = Vec::new();
    for letter in line.chars() {
        letters.push((letter, open.is_some()));
        match open {
            Some(quote) if quote == letter => open = None,
            None if letter == '\'' || letter == '"' => open = Some(letter),
            _ => {}
        }
    }
    letters
}

/// Returns lines as one. Several blanks are one, and if the text is `close`, blanks are left between letters, digits
/// and `_` alone. Texts in quotation marks stay as they are.
fn joined(lines: &[&str], close: bool) -> String {
    let mut text = String::new();
    let mut blank = false;
    for line in lines {
        for (letter, quoted) in letters(line.trim()) {
            if letter.is_whitespace() && !quoted {
                blank = true;
                continue;
            }
            let last = text.chars().next_back();
            let needed = last.is_some_and(|last| !close || is_word(last) && is_word(letter));
            if blank && needed {
                text.push(' ');
            }
            text.push(letter);
            blank = false;
        }
        blank = true;
    }
    text
}

/// Returns what is written between each quotation mark of a text and the next one of its kind in its line.
pub fn quoted(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        for (at, quote) in line.char_indices().filter(|(_, c)| ['\'', '"'].contains(c)) {
            if let Some((text, _)) = line[at + 1..].split_once(quote) {
                found.push(text.to_string());
            }
        }
    }
    found
}

/// Returns the ids that a text names in `under('ID')` and, because a definition `let` can be the argument, all other
/// texts in quotation marks that are ids, in byte order.
fn asked(book: &Book, text: &str) -> Vec<String> {
    if !text.contains("under") {
        return Vec::new();
    }
    let is_id = |id: &String| crate::law(id).is_ok() || own_text(book, id).is_ok();
    let mut ids: Vec<String> = quoted(text).into_iter().filter(is_id).collect();
    let mut rest = text;
    while let Some(at) = rest.find("under(") {
        let before = rest[..at].chars().next_back();
        rest = &rest[at + "under(".len()..];
        let whole = !before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
        if let Some(quote) = rest
            .chars()
            .next()
            .filter(|letter| ['\'', '"'].contains(letter))
            && let Some(end) = rest[1..].find(quote)
            && whole
        {
            ids.push(rest[1..=end].to_string());
        }
    }
    ids.sort();
    ids.dedup();
    ids
}
