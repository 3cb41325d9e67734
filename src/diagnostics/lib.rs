//! Wrong input: what is wrong, where, why, and what would be right.

use std::borrow::Cow;
use thiserror::Error;

/// One clear message about something the user wrote.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "{}{}: {}",
    cut(what, MAX_WHAT_CHARS),
    place.as_ref().map(|p| format!(", {}", cut(p, MAX_WHAT_CHARS))).unwrap_or_default(),
    cut(why, MAX_WHY_CHARS)
)]
pub struct InputError {
    /// The thing that is wrong: `FEN`, `variant`, `turn 3` ...
    pub what: String,
    /// Where in it: a field, a column, a line.
    pub place: Option<String>,
    /// Why it is wrong.
    pub why: String,
    /// What would be right.
    pub help: Option<String>,
}

impl InputError {
    /// Returns a message without a place.
    pub fn new(what: impl Into<String>, why: impl Into<String>) -> InputError {
        InputError {
            what: what.into(),
            place: None,
            why: why.into(),
            help: None,
        }
    }

    /// Returns the message with a place.
    pub fn at(mut self, place: impl Into<String>) -> InputError {
        self.place = Some(place.into());
        self
    }

    /// Returns the message with what would be right.
    pub fn help(mut self, help: impl Into<String>) -> InputError {
        self.help = Some(help.into());
        self
    }
}

/// Characters of a user's text that a message quotes.
const MAX_QUOTED_CHARS: usize = 200;
/// Characters of [`InputError::what`] and [`InputError::place`] that are shown. They may contain names of
/// any length that a user wrote.
const MAX_WHAT_CHARS: usize = 400;
/// Characters of [`InputError::why`] that are shown. Lists of valid names are shorter.
const MAX_WHY_CHARS: usize = 1_000;

/// Returns a text as messages quote it: whole if it is short, otherwise its beginning, an ellipsis and
/// its number of characters.
pub fn shortened(text: &str) -> Cow<'_, str> {
    cut(text, MAX_QUOTED_CHARS)
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

/// Bytes of a mistyped name beyond which no similar name is looked up.
const MAX_TYPED_BYTES: usize = 64;

/// Returns the known name that is most similar to a mistyped one, if any is similar. A text longer than
/// 64 bytes is similar to none: comparing takes time proportional to its length for each known name.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if typed.len() > MAX_TYPED_BYTES {
        return None;
    }
    let typed = typed.to_ascii_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&typed, name), name))
        .filter(|&(distance, name)| {
            distance <= 1 + name.len() / 4 || (typed.len() > 2 && name.starts_with(&typed))
        })
        .min()
        .map(|(_, name)| name)
}

/// Returns whether a text is a whole number without a sign or leading zeros.
pub fn whole_number(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'))
}
