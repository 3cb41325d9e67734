//! The entries of `ends` and `fenIf`, one a line.

use definition::entries;
use rules::{Reason, interned};
use std::ops::Range;

/// Who wins by an entry of `ends`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Winner {
    /// Neither side.
    Draw,
    /// The player who has moved, or loses with `false`.
    Mover(bool),
    /// White, or Black.
    Color(board::Color),
}

/// What an entry of `ends` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The parent's checkmate.
    Checkmate,
    /// The parent's stalemate.
    Stalemate,
    /// The entries of the parent.
    OfParent,
    /// An outcome.
    Outcome {
        /// The reason.
        reason: Reason,
        /// Who wins.
        result: Winner,
        /// Whether the win is weak.
        weakly: bool,
    },
}

/// An entry of `ends`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// Whether it holds only without a legal turn.
    pub without_turn: bool,
    /// What it says.
    pub verdict: Verdict,
    /// The place of its condition in the clause; `None` if it always holds.
    pub condition: Option<Range<usize>>,
    /// The place of the entry in the clause.
    pub span: Range<usize>,
}

/// An error in an entry: its place in the clause, and what is wrong.
pub type EntryError = (Range<usize>, String);

/// Returns the place of the part of a text after its first `length` bytes, without blanks around it.
fn rest(text: &str, span: &Range<usize>, length: usize) -> Range<usize> {
    let part = &text[span.start + length..span.end];
    let start = span.start + length + (part.len() - part.trim_start().len());
    start..start.max(span.end - (part.len() - part.trim_end().len()))
}

/// Returns the entries of `ends` as they are written, each with its reason.
pub fn reasons(text: &str) -> Vec<(&str, &str)> {
    let entries = entries(text).into_iter().map(|span| &text[span]);
    let with_reason = |entry| {
        let said = str::strip_prefix(entry, "no turn:").unwrap_or(entry);
        (said.split(':').next().unwrap_or(said).trim(), entry)
    };
    entries.map(with_reason).collect()
}

/// Reads the entries of `ends`.
///
/// # Errors
/// The first entry that cannot be read.
pub fn ends(text: &str) -> Result<Vec<End>, EntryError> {
    let read = |span: Range<usize>| end(text, span);
    let entries: Result<Vec<End>, EntryError> = entries(text).into_iter().map(read).collect();
    match entries {
        Ok(entries) if entries.is_empty() => Err((0..0, "it has no entry".into())),
        other => other,
    }
}

fn end(text: &str, span: Range<usize>) -> Result<End, EntryError> {
    let whole = span.clone();
    let no_turn = text[span.clone()].strip_prefix("no turn:");
    let without_turn = no_turn.is_some();
    let span = match without_turn {
        true => rest(text, &span, "no turn:".len()),
        false => span,
    };
    let entry = &text[span.clone()];
    let alone = |verdict| {
        Ok(End {
            without_turn,
            verdict,
            condition: None,
            span: whole.clone(),
        })
    };
    let Some((reason, _)) = entry.split_once(':') else {
        return match entry {
            "checkmate" => alone(Verdict::Checkmate),
            "stalemate" => alone(Verdict::Stalemate),
            "parent.ends" => alone(Verdict::OfParent),
            _ => {
                let why = "an entry is `REASON: RESULT if CONDITION`, `checkmate`, `stalemate` or `parent.ends`";
                Err((span, why.into()))
            }
        };
    };
    let part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let name = reason.trim();
    if name.is_empty() || !name.chars().all(part) {
        let why = format!("`{name}` is not a reason in small letters, such as `three-checks`");
        return Err((span.start..span.start + reason.len(), why));
    }
    let said = rest(text, &span, reason.len() + 1);
    let (result, condition) = match split_if(&text[said.clone()]) {
        Some(at) => {
            let result = said.start..said.start + at;
            let condition = rest(text, &said, at + " if ".len());
            (rest(text, &result, 0), Some(condition))
        }
        None => (said, None),
    };
    let (result, weakly) = outcome(&text[result.clone()]).map_err(|why| (result, why))?;
    Ok(End {
        without_turn,
        verdict: Verdict::Outcome {
            reason: interned(name),
            result,
            weakly,
        },
        condition,
        span: whole,
    })
}

/// Returns the place of the word `if` in an entry.
fn split_if(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    (0..text.len()).find(|&at| {
        let is_blank = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_whitespace);
        is_blank(at) && bytes[at + 1..].starts_with(b"if") && is_blank(at + 3)
    })
}

fn outcome(text: &str) -> Result<(Winner, bool), String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (words, weakly) = match words.split_last() {
        Some((&"weakly", before)) => (before, true),
        _ => (&words[..], false),
    };
    let result = match words {
        ["draw"] if !weakly => Winner::Draw,
        ["mover", "wins"] | ["side", "loses"] => Winner::Mover(true),
        ["mover", "loses"] | ["side", "wins"] => Winner::Mover(false),
        ["white", "wins"] | ["black", "loses"] => Winner::Color(board::Color::White),
        ["black", "wins"] | ["white", "loses"] => Winner::Color(board::Color::Black),
        _ => {
            return Err(format!(
                "`{text}` is not a result: `mover wins`, `mover loses`, `side wins`, `side loses`, `white wins`, \
                 `black wins`, each also with `weakly`, or `draw`"
            ));
        }
    };
    Ok((result, weakly))
}

/// An entry of `fenIf`: the place of its condition, and the message.
pub type FenEntry = (Range<usize>, String);

/// Reads the entries of `fenIf`.
///
/// # Errors
/// The first entry that cannot be read.
pub fn fen_conditions(text: &str) -> Result<Vec<FenEntry>, EntryError> {
    let read = |span: Range<usize>| {
        let entry = &text[span.clone()];
        match entry.rsplit_once(':') {
            Some((condition, message)) if !message.trim().is_empty() => {
                let condition = span.start..span.start + condition.len();
                Ok((rest(text, &condition, 0), message.trim().to_owned()))
            }
            _ => Err((
                span,
                "an entry is `CONDITION: what a position must have`".into(),
            )),
        }
    };
    entries(text).into_iter().map(read).collect()
}

/// Returns a text of the same length in which only a part is left, so that places in it are those of the text.
pub fn only(text: &str, span: &Range<usize>) -> String {
    let keep = |(at, c): (usize, char)| match span.contains(&at) || c == '\n' {
        true => c.to_string(),
        false => " ".repeat(c.len_utf8()),
    };
    text.char_indices().map(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_begin_on_their_lines_and_operators_continue_them() {
        let text = "checkmate\n  three: mover wins weakly if a\n    && b\n  no turn: forced: side loses\n parent.ends";
        let ends = ends(text).expect("entries");
        assert_eq!(ends.len(), 4);
        assert_eq!(ends[0].verdict, Verdict::Checkmate);
        let Verdict::Outcome {
            reason,
            result,
            weakly,
        } = ends[1].verdict
        else {
            panic!()
        };
        assert_eq!(
            (reason, result, weakly),
            ("three", Winner::Mover(true), true)
        );
        assert_eq!(
            &text[ends[1].condition.clone().expect("one")],
            "a\n    && b"
        );
        assert!(ends[2].without_turn && ends[2].condition.is_none());
        assert_eq!(ends[3].verdict, Verdict::OfParent);
    }

    #[test]
    fn wrong_entries_are_refused_at_their_place() {
        for (text, at) in [
            ("x", 0..1),
            ("checkmate\n a: mover", 14..19),
            ("Ab: draw", 0..2),
            ("a: draw weakly", 3..14),
        ] {
            assert_eq!(ends(text).expect_err(text).0, at, "{text}");
        }
        assert!(fen_conditions("a ? b : c: d").is_ok_and(|found| found[0].1 == "d"));
        assert!(fen_conditions("a").is_err());
    }
}
