//! Applies the keys of a section to the draft of its parent, and reports unknown keys.

use crate::clauses::{CLAUSE_KEYS, CONDITION, CONDITIONS, clause_key};
use crate::draft::Draft;
use crate::keys::{Name, is_known, names, search, words};
use crate::sections::{Entry, Section, error, note, warning};
use crate::slots::{self, SLOTS};
use crate::values::take;
use diagnostics::{Diagnostic, nearest, shortened};
use std::collections::BTreeSet;

/// Maximum number of unknown keys of a section that are reported one by one.
const MAX_UNKNOWN: usize = 50;

/// The first key that is applied after the keys for the size of the board.
const AFTER_BOARD: &str = "holes";

/// Applies the keys of a section to a draft, in the order of the table. If the parent is missing, reads only
/// keys whose meaning does not depend on the parent.
pub fn apply(
    section: &Section,
    draft: &mut Draft,
    has_parent: bool,
    suggestions: &mut usize,
    findings: &mut Vec<Diagnostic>,
) {
    let choices = [0, 1].map(|side| draft.kinds("promotionPieceTypes", side).bits);
    let before = draft.size();
    for name in names() {
        // Here the size of the board is known, and later keys can still replace the carried regions.
        let is_child = section.parent.is_some();
        if is_child && name.text == AFTER_BOARD && draft.size() != before {
            draft.carry_from(before);
        }
        let entry = section.get(&name.text);
        let is_read = has_parent || !name.key.take.needs_parent();
        if let Some(entry) = entry.filter(|_| is_read) {
            lay(name, entry, draft, findings);
        }
    }
    report_lost_choices(section, choices[0] | choices[1], draft, findings);
    report_unknown(section, suggestions, findings);
    report_past(section, draft.rules.history.n_move_kept, findings);
}

/// Reports pieces that pawns can become in the parent (`choices`, a bit for each slot) but not in the
/// section, because the section uses their letters again and does not give `promotionPieceTypes`.
fn report_lost_choices(
    section: &Section,
    choices: u64,
    draft: &Draft,
    findings: &mut Vec<Diagnostic>,
) {
    let is_said = |suffix: &&str| {
        section
            .get(&format!("promotionPieceTypes{suffix}"))
            .is_some()
    };
    if ["", "White", "Black"].iter().any(is_said) {
        return;
    }
    let left = [0, 1].map(|side| draft.kinds("promotionPieceTypes", side).bits);
    let lost = choices & !(left[0] | left[1]);
    for slot in (0..SLOTS).filter(|slot| lost >> slot & 1 == 1) {
        let name = slots::name(slot);
        let (place, why) = match (section.get(&name), draft.letters[slot]) {
            (Some(entry), Some(letter)) => {
                let letter = (letter as char).to_ascii_lowercase();
                let why = format!(
                    "`{name}` has the letter `{letter}` already: as in Fairy-Stockfish, giving it again \
                     removes the piece from `promotionPieceTypes`, so that pawns no longer become it"
                );
                (entry.value.place, why)
            }
            // The section removes the piece explicitly.
            (Some(_), None) => continue,
            (None, _) => {
                let why = format!(
                    "the letter of `{name}` is given to another piece: `{name}` leaves the variant, and \
                     pawns no longer become it"
                );
                (section.name.place, why)
            }
        };
        let help = "`promotionPieceTypes` gives the pieces that pawns become";
        findings.push(warning(place, why).help(help));
    }
}

/// Applies one key to a draft.
fn lay(name: &Name, entry: &Entry, draft: &mut Draft, findings: &mut Vec<Diagnostic>) {
    if let Some(instead) = name.key.instead {
        let why = format!("`{}` is an old name", name.text);
        let finding = warning(entry.key.place, why);
        findings.push(finding.help(format!("write `{instead}`")));
    }
    if let Err(finding) = take(name, &entry.value, draft) {
        findings.push(finding);
    }
}

/// Reports the unknown keys of a section.
fn report_unknown(section: &Section, suggestions: &mut usize, findings: &mut Vec<Diagnostic>) {
    let is_clause = |key: &str| clause_key(key).is_some() || key == CONDITION || key == CONDITIONS;
    let is_unknown = |entry: &&Entry| {
        names().iter().all(|name| name.text != entry.key.text) && !is_clause(&entry.key.text)
    };
    for (count, entry) in section.entries.iter().filter(is_unknown).enumerate() {
        let (name, place) = (entry.key.text.as_str(), entry.key.place);
        if count == MAX_UNKNOWN {
            let why = format!(
                "more than {MAX_UNKNOWN} unknown keys in this section; the rest are not listed"
            );
            findings.push(error(place, why));
            break;
        }
        let finding = error(place, format!("there is no key `{}`", shortened(name)));
        let help = match suggestions.checked_sub(1) {
            Some(left) => {
                *suggestions = left;
                help_on_key(name)
            }
            None => "`fairyproof rules keys` lists all keys".to_owned(),
        };
        findings.push(finding.help(help));
    }
}

/// Returns the help for an unknown key: the intended key if the name is mistyped, otherwise what a search for its
/// words finds.
fn help_on_key(name: &str) -> String {
    const ALL: &str = "`fairyproof rules keys` lists all keys";
    if let Some(near) = misspelled(name) {
        return format!("did you mean `{near}`?");
    }
    let matches = search(name, &[]);
    let names: Vec<String> = matches
        .best
        .iter()
        .take(3)
        .map(|found| format!("`{}`", found.name))
        .collect();
    match (matches.missing, names.join(", ")) {
        (Some(why), names) => format!("no key expresses it: {why}; the nearest are {names}; {ALL}"),
        (None, names) if names.is_empty() => format!("no key has a similar name or meaning; {ALL}"),
        (None, names) => format!("the nearest by meaning: {names}; {ALL}"),
    }
}

/// Returns the key whose name is most similar to a mistyped one, ignoring case. Returns `None` for a word
/// that occurs in the names of other keys, because such a word is not mistyped,
/// and for a text whose words are all in the index.
pub fn misspelled(typed: &str) -> Option<&'static str> {
    if let Some(name) = names()
        .iter()
        .find(|name| name.text.eq_ignore_ascii_case(typed))
    {
        return Some(&name.text);
    }
    // Keys are short, so no key is similar to a long text.
    if typed.chars().count() > 60 || is_known(typed) {
        return None;
    }
    let typed_words = words(typed);
    let clauses = CLAUSE_KEYS
        .iter()
        .map(|row| row.name)
        .chain([CONDITION, CONDITIONS]);
    let stem = typed.split_once('.').map_or(typed, |(stem, _)| stem);
    if let Some(clause) = nearest(stem, clauses) {
        return Some(clause);
    }
    let known_words: BTreeSet<String> = names().iter().flat_map(|name| words(&name.text)).collect();
    // Names of a very different length are skipped before the letters are compared.
    let close = |name: &&Name| {
        let length = name.text.len();
        let words = words(&name.text);
        let is_meant = |word: &String| words.contains(word) || !known_words.contains(word);
        (length.abs_diff(typed.len()) <= 1 + length / 4 || length > typed.len())
            && typed_words.iter().all(is_meant)
    };
    let known: Vec<&Name> = names().iter().filter(close).collect();
    let lower: Vec<String> = known
        .iter()
        .map(|name| name.text.to_ascii_lowercase())
        .collect();
    let near = nearest(typed, lower.iter().map(String::as_str))?;
    let index = lower.iter().position(|k| k == near)?;
    Some(&known[index].text)
}

/// Reports the section's keys on earlier positions in one note. The n-move rule is not reported if its
/// count is part of the position.
fn report_past(section: &Section, keeps_n_move: bool, findings: &mut Vec<Diagnostic>) {
    let is_of_past = |entry: &&Entry| {
        let name = names().iter().find(|name| name.text == entry.key.text);
        name.is_some_and(|name| name.key.is_of_past)
    };
    let is_off = |entry: &&Entry| ["false", "none", "0"].contains(&entry.value.text.as_str());
    let left_out: Vec<&Entry> = (section.entries.iter())
        .filter(|entry| is_of_past(entry) && !is_off(entry))
        .filter(|entry| !(keeps_n_move && entry.key.text == "nMoveRule"))
        .collect();
    let Some(first) = left_out.first() else {
        return;
    };
    let quoted: Vec<_> = (left_out.iter())
        .map(|e| format!("`{}`", e.key.text))
        .collect();
    let verb = if quoted.len() == 1 { "is" } else { "are" };
    let why = format!(
        "{} {verb} left out: positions here have no past",
        quoted.join(", ")
    );
    let finding = note(first.key.place, why);
    let counts = left_out.iter().any(|entry| entry.key.text == "nMoveRule");
    findings.push(match counts {
        true => finding.help("`nMoveRuleKept = true` makes the count a part of the position"),
        false => finding,
    });
}
