//! Planted faults: the texts of rule sets with one change each, generated from the texts. A change is of a rule of the
//! text, or of a rule that it shares with orthodox chess.

use crate::random::{board_of, rows_of};
use fairyproof::catalog::{Catalog, Written};
use fairyproof::clauses;
use fairyproof::definition::{Entry, Section, Spanned, clause_key};
use fairyproof::diagnostics::LineColumn;
use std::sync::Arc;

/// The number of faults in each rule set.
pub const EACH: usize = 20;

/// The number of faults that are changes of rules shared with orthodox chess, if the text has enough rules of its own.
const SHARED: usize = 5;

/// A fault.
pub struct Fault {
    /// The rule set.
    pub id: String,
    /// The change in words.
    pub what: String,
    /// A catalog in which the rule set is played with the change.
    pub catalog: Arc<Catalog>,
}

/// Returns the compiled rule sets that have a text, in their order.
pub fn rule_sets(catalog: &Catalog) -> Vec<&'static str> {
    let ids = fairyproof::variants::all().iter().map(|info| info.id);
    ids.filter(|id| catalog.written(id).is_some()).collect()
}

/// Rule sets whose texts are too slow for twenty faults and all claims: their turns ask for further turns, or are many.
pub const TOO_SLOW: [&str; 3] = ["concurrent", "french-revolution", "tyrant"];

/// Returns the faults of a rule set that can be played.
pub fn faults(catalog: &Catalog, id: &str) -> Vec<Fault> {
    let written = catalog.written(id).expect("a text");
    let start = catalog.open(id).expect("a rule set").start();
    let played = |(what, text): (String, Written)| {
        let catalog = Arc::new(catalog.with_text(id, &text).ok()?);
        Some(Fault {
            id: id.to_owned(),
            what,
            catalog,
        })
    };
    let shared: Vec<Fault> = (shared(&written, &start).into_iter())
        .filter_map(played)
        .collect();
    let mut found: Vec<Fault> = dropped(&written).into_iter().filter_map(played).collect();
    let own = EACH - SHARED.min(shared.len());
    let changed: Vec<Fault> = changed(&written).into_iter().filter_map(played).collect();
    let (wanted, all) = (own.saturating_sub(found.len()), changed.len());
    // Evenly distributed over the text.
    let is_chosen = |at: usize| (at + 1) * wanted / all.max(wanted) > at * wanted / all.max(wanted);
    let chosen = changed.into_iter().enumerate();
    found.extend(
        chosen
            .filter(|(at, _)| is_chosen(*at))
            .map(|(_, fault)| fault),
    );
    found.truncate(own);
    found.extend(shared);
    found.truncate(EACH);
    found
}

/// Returns a text with another value of a key, which is added if it is missing.
fn with(written: &Written, key: &str, value: &str) -> Written {
    let mut written = written.clone();
    let entries = &mut written.section.entries;
    match entries.iter_mut().find(|entry| entry.key.text == key) {
        Some(entry) => entry.value.text = value.to_owned(),
        None => {
            let spanned = |text: &str| Spanned {
                text: text.to_owned(),
                place: LineColumn { line: 1, column: 1 },
            };
            entries.push(Entry {
                key: spanned(key),
                value: spanned(value),
            });
        }
    }
    written
}

/// Returns the texts in which a key, a clause or an entry of `ends` is left out.
fn dropped(written: &Written) -> Vec<(String, Written)> {
    let mut found = Vec::new();
    for (at, entry) in written.section.entries.iter().enumerate() {
        let key = &entry.key.text;
        if key.starts_with("let.") {
            continue;
        }
        let ends = match key.as_str() {
            "ends" => clauses::reasons(&entry.value.text),
            _ => Vec::new(),
        };
        if ends.len() < 2 {
            let mut text = written.clone();
            text.section.entries.remove(at);
            found.push((format!("{key} is left out"), text));
        }
        for (number, (reason, _)) in ends.iter().enumerate().filter(|_| ends.len() > 1) {
            let mut kept: Vec<&str> = ends.iter().map(|(_, entry)| *entry).collect();
            kept.remove(number);
            let what = format!("ends {}, {reason}, is left out", number + 1);
            found.push((what, with(written, key, &kept.join("\n    "))));
        }
    }
    found
}

/// Returns the texts in which an operator, a number, a side, a kind, a movement or a stage is another.
fn changed(written: &Written) -> Vec<(String, Written)> {
    let mut found = Vec::new();
    for entry in &written.section.entries {
        let (key, value) = (&entry.key.text, &entry.value.text);
        if clause_key(key).is_none() || ["state", "options"].contains(&key.as_str()) {
            continue;
        }
        for (what, changed) in edits(value) {
            found.push((format!("{key}: {what}"), with(written, key, &changed)));
        }
        if key == "legalIf" && written.section.get("prefer").is_none() {
            let mut text = written.clone();
            let clause = text.section.entries.iter_mut().find(|e| e.key.text == *key);
            clause.expect("the clause").key.text = "prefer".to_owned();
            found.push(("legalIf becomes prefer".to_owned(), text));
        }
        if key == "ends" {
            found.extend(
                moved_ends(value)
                    .into_iter()
                    .map(|(what, value)| (what, with(written, key, &value))),
            );
        }
    }
    found
}

/// Returns the lists of entries in which one is tested at another stage: without a legal turn alone, also with legal
/// turns, or before its predecessor.
fn moved_ends(value: &str) -> Vec<(String, String)> {
    let entries: Vec<&str> = clauses::reasons(value)
        .into_iter()
        .map(|(_, e)| e)
        .collect();
    let joined = |entries: &[String]| entries.join("\n    ");
    let mut found = Vec::new();
    for at in 0..entries.len() {
        let mut list: Vec<String> = entries.iter().map(|entry| (*entry).to_owned()).collect();
        let number = at + 1;
        match entries[at].strip_prefix("no turn:") {
            Some(rest) => list[at] = rest.trim().to_owned(),
            None => list[at] = format!("no turn: {}", entries[at]),
        }
        let what = match entries[at].starts_with("no turn:") {
            true => format!("ends {number} also holds with legal turns"),
            false => format!("ends {number} holds only without a legal turn"),
        };
        found.push((what, joined(&list)));
        if at > 0 {
            let mut list: Vec<String> = entries.iter().map(|entry| (*entry).to_owned()).collect();
            list.swap(at - 1, at);
            found.push((format!("ends {number} comes one earlier"), joined(&list)));
        }
    }
    found
}

/// What an operator or a name becomes.
const EXCHANGED: &[(&str, &str)] = &[
    ("==", "!="),
    ("!=", "=="),
    ("<=", "<"),
    (">=", ">"),
    ("<", "<="),
    (">", ">="),
    ("&&", "||"),
    ("||", "&&"),
    ("+", "-"),
    ("!", ""),
    ("mover", "other(mover)"),
    ("other", ""),
    ("owner", "foe"),
    ("foe", "owner"),
    ("white", "black"),
    ("black", "white"),
    ("wins", "loses"),
    ("loses", "wins"),
    ("all", "exists"),
    ("exists", "all"),
    ("after", "before"),
    ("checks", "mates"),
    ("check", "!check"),
    ("files", "ranks"),
    ("rank", "file"),
    ("file", "rank"),
    ("side", "other(side)"),
    ("to", "from"),
    ("from", "to"),
];

/// What a kind or a movement in quotation marks becomes.
const QUOTED: &[(&str, &str)] = &[
    ("king", "queen"),
    ("queen", "rook"),
    ("rook", "bishop"),
    ("bishop", "knight"),
    ("knight", "pawn"),
    ("pawn", "knight"),
    ("K", "W"),
    ("Q", "B"),
    ("R", "B"),
    ("B", "F"),
    ("F", "W"),
    ("N", "C"),
    ("no", "may"),
    ("may", "must"),
    ("must", "may"),
];

/// Returns the values with one word, number or operator changed.
fn edits(value: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for (start, end) in tokens(value) {
        let token = &value[start..end];
        let number = token.parse::<u32>().ok();
        let other = match (token.strip_prefix('\''), number) {
            (Some(_), _) => {
                let inner = token.trim_matches('\'');
                let found = QUOTED.iter().find(|(from, _)| *from == inner);
                found.map(|(_, to)| format!("'{to}'"))
            }
            (None, Some(number)) => Some((number + 1).to_string()),
            (None, None) => {
                let found = EXCHANGED.iter().find(|(from, _)| *from == token);
                found.map(|(_, to)| (*to).to_owned())
            }
        };
        let Some(other) = other else { continue };
        let count = match counts.iter_mut().find(|(known, _)| *known == token) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                counts.push((token, 1));
                1
            }
        };
        let what = match other.as_str() {
            "" => format!("`{token}` {count} is left out"),
            other => format!("`{token}` {count} becomes `{other}`"),
        };
        let changed = format!("{}{other}{}", &value[..start], &value[end..]);
        found.push((what, changed));
    }
    found
}

/// Returns the places of the words, numbers, texts in quotation marks and operators of an expression.
fn tokens(value: &str) -> Vec<(usize, usize)> {
    let bytes = value.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let length = match rest[0] {
            b'\'' => rest[1..]
                .iter()
                .position(|b| *b == b'\'')
                .map_or(1, |end| end + 2),
            b if is_word(b) => rest.iter().take_while(|b| is_word(**b)).count(),
            _ if EXCHANGED
                .iter()
                .any(|(from, _)| from.len() == 2 && rest.starts_with(from.as_bytes())) =>
            {
                2
            }
            _ => 1,
        };
        found.push((at, at + length));
        at += length;
    }
    found
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// Returns the texts in which a rule that most rule sets share with orthodox chess is another.
fn shared(written: &Written, start: &str) -> Vec<(String, Written)> {
    let section = &written.section;
    let mut found = Vec::new();
    let mut change = |key: &str, value: &str| {
        found.push((format!("{key} = {value}"), with(written, key, value)));
    };
    if start.contains("KQkq") {
        change("castling", "false");
    }
    if section.get("doubleStep").is_none() {
        change("doubleStep", "false");
    }
    if !has(section, "knight") {
        change("movement.knight", "'C'");
    }
    if section
        .get("promotionPieceTypes")
        .is_none_or(|entry| entry.value.text.contains('q'))
    {
        change("promotionPieceTypes", "r");
    } else {
        change("promotionPieceTypes", "b");
    }
    if !has(section, "king") {
        change("movement.king", "'KD'");
    }
    if section.get("captureIf").is_none() {
        change("captureIf", "unit.kind != 'pawn'");
    }
    if !has(section, "bishop") {
        change("movement.bishop", "'B4'");
    }
    change("startFen", &swapped(start));
    if section.get("legalIf").is_none() {
        change("legalIf", "size(captures) == 0 || kind != 'rook'");
    }
    change("ontoOwn", "'swaps'");
    change("activeIf", "unit.kind != 'rook' || unit.rank < ranks");
    change("stalemateValue", "loss");
    change("mandatoryPawnPromotion", "false");
    change("ownCheck", "true");
    change("royalIf", "false");
    change("movement.queen", "'R'");
    change("movement.rook", "'R4'");
    change("movement.pawn", "'mfWfF'");
    change(
        "checkIf",
        "units(owner).all(u, u.kind == 'king' || u.kind == 'pawn')",
    );
    change(
        "turnsInto",
        "size(captures) > 0 && kind == 'rook' ? 'queen' : becomes",
    );
    found
}

/// Returns whether a text gives a movement to units of this kind.
fn has(section: &Section, kind: &str) -> bool {
    let keys = ["movement", "targets", "quiet", "attacks"];
    let any = |at: &str| {
        section.get(&format!("{at}.{kind}")).is_some() || section.get(&format!("{at}.*")).is_some()
    };
    keys.iter().any(|at| any(at))
}

/// Returns a start position in which two neighbors of White's first rank are swapped.
fn swapped(start: &str) -> String {
    let mut rows = rows_of(start);
    let last = rows.last_mut().expect("a rank");
    let at = (1..last.len() - 1).find(|&at| {
        let (a, b) = (last[at], last[at + 1]);
        a != b
            && [a, b]
                .iter()
                .all(|c| c.is_ascii_alphabetic() && !"KR".contains(*c))
    });
    let at = at.unwrap_or(0);
    last.swap(at, at + 1);
    let fields = start.split_once(' ').expect("fields").1;
    format!("{} {fields}", board_of(&rows))
}
