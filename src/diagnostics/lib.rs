//! Diagnostics: messages about user input that say what is wrong, where, why, and what would be right.
//!
//! Of this workspace, the crate relies on nothing. A diagnostic never describes a failure of the machine:
//! full disks, missing memory and damaged files have their own error types in other crates.

use std::borrow::Cow;
use std::fmt;
use thiserror::Error;

/// A message about something that a user wrote.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "{}{}: {}",
    cut(what, MAX_WHAT_CHARS),
    place.as_ref().map(|p| format!(", {}", cut(&p.to_string(), MAX_WHAT_CHARS))).unwrap_or_default(),
    cut(why, MAX_WHY_CHARS)
)]
pub struct Diagnostic {
    /// Whether the input can be used nevertheless.
    pub severity: Severity,
    /// The subject: `FEN`, `variant`, `turn 3`, the name of a file or of a section.
    pub what: String,
    /// The place within the subject.
    pub place: Option<Place>,
    /// The reason.
    pub why: String,
    /// The remedy: what would be right.
    pub help: Option<String>,
    /// The line that is wrong, and below it a caret for each wrong character.
    pub excerpt: Option<Box<Excerpt>>,
}

/// An excerpt of a text that is wrong. Diagnostics hold it in a box, so that they stay small.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    /// The line that is wrong, and below it a caret for each wrong character.
    pub text: String,
}

/// The severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// The input cannot be used as it is written.
    Error,
    /// The input can be used, but it may not mean what its author intended.
    Warning,
    /// The input means what it says, but has a consequence that its author may not have thought of. Only a check of
    /// the input reports it.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}

/// The position of a character in a text. Lines and columns count from 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl fmt::Display for LineColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A place in user input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// A character of a text.
    Text(LineColumn),
    /// A place in words, such as a field, or a line of a table with its column.
    Words(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Text(place) => place.fmt(f),
            Place::Words(words) => f.write_str(words),
        }
    }
}

impl From<LineColumn> for Place {
    fn from(place: LineColumn) -> Place {
        Place::Text(place)
    }
}

impl From<String> for Place {
    fn from(words: String) -> Place {
        Place::Words(words)
    }
}

impl From<&str> for Place {
    fn from(words: &str) -> Place {
        Place::Words(words.to_owned())
    }
}

impl Diagnostic {
    /// Returns an error without a place.
    pub fn new(what: impl Into<String>, why: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            what: what.into(),
            place: None,
            why: why.into(),
            help: None,
            excerpt: None,
        }
    }

    /// Returns a warning without a place.
    pub fn warning(what: impl Into<String>, why: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::new(what, why)
        }
    }

    /// Returns a note without a place.
    pub fn note(what: impl Into<String>, why: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Note,
            ..Diagnostic::new(what, why)
        }
    }

    /// Returns the diagnostic with a place.
    pub fn at(mut self, place: impl Into<Place>) -> Diagnostic {
        self.place = Some(place.into());
        self
    }

    /// Returns the diagnostic with an excerpt of the text that is wrong.
    pub fn excerpt(mut self, excerpt: impl Into<String>) -> Diagnostic {
        let text = excerpt.into();
        self.excerpt = Some(Box::new(Excerpt { text }));
        self
    }

    /// Returns the diagnostic with a remedy. Only the beginning of a long text is kept, because the text may
    /// contain names of any length that a user wrote.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(cut(&help.into(), MAX_WHY_CHARS).into_owned());
        self
    }

    /// Returns the diagnostic with another subject.
    pub fn about(mut self, what: impl Into<String>) -> Diagnostic {
        self.what = what.into();
        self
    }

    /// Returns the place, if it is a character of a text.
    pub fn position(&self) -> Option<LineColumn> {
        match self.place {
            Some(Place::Text(position)) => Some(position),
            Some(Place::Words(_)) | None => None,
        }
    }

    /// Returns the diagnostic in the form of compiler messages, for a list of diagnostics about one text:
    /// `12:5: error: [what] why; help`. The place is left out unless it is a character, and the brackets are
    /// left out if `what` is empty.
    pub fn line(&self) -> impl fmt::Display + '_ {
        Line(self)
    }
}

/// A diagnostic as [`Diagnostic::line`] prints it.
struct Line<'d>(&'d Diagnostic);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Diagnostic {
            severity,
            what,
            place,
            why,
            help,
            excerpt: _,
        } = self.0;
        if let Some(Place::Text(LineColumn { line, column })) = place {
            write!(f, "{line}:{column}: ")?;
        }
        write!(f, "{severity}: ")?;
        if !what.is_empty() {
            write!(f, "[{what}] ")?;
        }
        f.write_str(why)?;
        match help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

/// The maximum number of characters of a user's text that a message quotes.
const MAX_QUOTED_CHARS: usize = 200;
/// The maximum number of characters of [`Diagnostic::what`] and [`Diagnostic::place`] that are shown. Both
/// may contain names of any length that a user wrote.
const MAX_WHAT_CHARS: usize = 400;
/// The maximum number of characters of [`Diagnostic::why`] that are shown. Lists of valid names are shorter.
const MAX_WHY_CHARS: usize = 1_000;

/// Returns a text in the form in which messages quote it: complete if it is short, otherwise its beginning,
/// an ellipsis and its number of characters. Control characters are escaped.
pub fn shortened(text: &str) -> Cow<'_, str> {
    let cut = cut(text, MAX_QUOTED_CHARS);
    match cut.contains(char::is_control) {
        true => Cow::Owned(cut.chars().map(escaped).collect()),
        false => cut,
    }
}

/// Returns a text as it may be shown on a terminal: blanks replace line breaks and tabs, and all other control
/// characters are escaped.
pub fn visible(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\r' | '\t' => " ".to_owned(),
        c => escaped(c),
    };
    text.chars().map(shown).collect()
}

fn escaped(c: char) -> String {
    match c.is_control() {
        true => c.escape_debug().to_string(),
        false => c.to_string(),
    }
}

fn cut(text: &str, max_chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max_chars) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!(
            "{}… ({} characters)",
            &text[..end],
            text.chars().count()
        )),
    }
}

/// The maximum length in bytes of names that are compared. Longer texts are not similar to any name.
const MAX_COMPARED_BYTES: usize = 64;

/// Returns the known name that is most similar to a mistyped name, if one is similar. A name that differs by
/// one letter is preferred to one that contains the text, and that to one that differs by a few letters.
/// Returns `None` for a text longer than 64 bytes, because comparing takes time and memory proportional to
/// the product of both lengths.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if typed.len() > MAX_COMPARED_BYTES {
        return None;
    }
    let typed = typed.to_ascii_lowercase();
    let similarity = |name: &'a str| {
        let distance = strsim::damerau_levenshtein(&typed, name);
        let contains = typed.len() > 2 && name.contains(&typed);
        let is_similar = contains || distance <= 1 + typed.len().min(name.len()) / 4;
        is_similar.then_some((distance > 1 && !contains, distance, name))
    };
    known
        .into_iter()
        .filter(|name| name.len() <= MAX_COMPARED_BYTES)
        .filter_map(similarity)
        .min()
        .map(|(_, _, name)| name)
}

/// Returns whether a text is a whole number without a sign or leading zeros.
pub fn whole_number(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagnostics_print_place_reason_and_remedy() {
        let place = LineColumn {
            line: 12,
            column: 5,
        };
        let error = Diagnostic::new("chess", "`x` is not a key").at(place);
        assert_eq!(
            error.to_string(),
            "chess, line 12, column 5: `x` is not a key"
        );
        let error = error.help("did you mean `y`?");
        assert_eq!(
            error.line().to_string(),
            "12:5: error: [chess] `x` is not a key; did you mean `y`?"
        );
        let warning = Diagnostic::warning("", "the file is empty").at("line 1");
        assert_eq!(warning.line().to_string(), "warning: the file is empty");
    }

    #[test]
    fn typing_errors_come_before_parts_of_names() {
        let known = ["checkmate", "stalemate", "state", "rate"];
        assert_eq!(nearest("mate", known), Some("rate"));
        assert_eq!(
            nearest("mate", known[..3].iter().copied()),
            Some("checkmate")
        );
        assert_eq!(nearest("stat", known), Some("state"));
        assert_eq!(nearest("zugzwang", known), None);
        assert_eq!(nearest("foo", ["rook"]), None);
        assert_eq!(nearest("quen", ["queen"]), Some("queen"));
    }
}
