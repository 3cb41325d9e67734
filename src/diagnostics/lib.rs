//! Wrong input: what is wrong, where, why, and what would be right.

use thiserror::Error;

/// One clear message about something the user wrote.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{what}{}{}", place.as_ref().map(|p| format!(", {p}")).unwrap_or_default(), format_args!(": {why}"))]
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
    /// A message without a place.
    pub fn new(what: impl Into<String>, why: impl Into<String>) -> InputError {
        InputError {
            what: what.into(),
            place: None,
            why: why.into(),
            help: None,
        }
    }

    /// The message with a place.
    pub fn at(mut self, place: impl Into<String>) -> InputError {
        self.place = Some(place.into());
        self
    }

    /// The message with what would be right.
    pub fn help(mut self, help: impl Into<String>) -> InputError {
        self.help = Some(help.into());
        self
    }
}

/// The known name nearest to a mistyped one, if any is near.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
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

/// Whether a text is a whole number without a sign or leading zeros.
pub fn whole_number(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'))
}
