//! The text of a claims file, and errors that point into it.
//!
//! Every error names the file, the line and the column, and shows the line with a caret below the fault. An
//! error in an expression points to its column inside the TOML string.

use diagnostics::Diagnostic;
use language::{ExpressionError, Span};

/// A claims file as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// The name in messages: the path as the user wrote it.
    pub name: String,
    /// The content.
    pub text: String,
}

/// A text of a claims file with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The text after placeholders were replaced.
    pub value: String,
    /// The byte range of the value in the file, including quotation marks.
    pub span: Span,
    /// Whether placeholders were replaced, so offsets in `value` do not correspond to offsets in the file.
    pub substituted: bool,
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.value)
    }
}

impl SourceText {
    /// Returns an error at a place of the file. The place is cut at the end of its first line.
    pub fn error(&self, span: &Span, why: impl Into<String>) -> Diagnostic {
        let line_end = self.text[span.start.min(self.text.len())..].find('\n');
        let end = line_end.map_or(span.end, |end| span.end.min(span.start + end));
        ExpressionError::new(span.start..end, why).message(&self.name, &self.text)
    }

    /// Returns an error about a text of the file, such as a FEN or the name of a rule set. It points to the
    /// whole text.
    pub fn error_of(&self, text: &Text, error: &Diagnostic) -> Diagnostic {
        let mut placed = self.error(&text.span, error.to_string());
        placed.help.clone_from(&error.help);
        placed
    }

    /// Returns an error in an expression, at its column inside the TOML string. If placeholders were
    /// replaced, the excerpt shows the expression after the replacement.
    pub fn expression_error(&self, text: &Text, error: &ExpressionError) -> Diagnostic {
        if text.substituted {
            let mut placed = self.error(&text.span, error.why.clone());
            placed.help.clone_from(&error.help);
            return placed.excerpt(error.excerpt(&text.value));
        }
        let raw = &self.text[text.span.clone()];
        let start = text.span.start + raw_offset(raw, error.span.start);
        let end = text.span.start + raw_offset(raw, error.span.end);
        let mut placed = self.error(&(start..end.max(start + 1)), error.why.clone());
        placed.help.clone_from(&error.help);
        placed
    }
}

/// Returns the offset in a TOML string literal, with quotation marks and escapes, of a byte offset in the
/// string's value.
fn raw_offset(raw: &str, offset: usize) -> usize {
    let (quotes, escapes) = match () {
        () if raw.starts_with("\"\"\"") => (3, true),
        () if raw.starts_with("'''") => (3, false),
        () if raw.starts_with('"') => (1, true),
        () => (1, false),
    };
    let mut at = quotes;
    // A line break directly after three quotation marks is not part of the value.
    if quotes == 3 {
        at += match () {
            () if raw[at..].starts_with("\r\n") => 2,
            () if raw[at..].starts_with('\n') => 1,
            () => 0,
        };
    }
    let mut value_bytes = 0;
    while value_bytes < offset && at < raw.len() {
        let (raw_bytes, bytes) = match raw[at..].chars().next() {
            Some('\\') if escapes => escape(&raw[at..]),
            Some(c) => (c.len_utf8(), c.len_utf8()),
            None => break,
        };
        at += raw_bytes;
        value_bytes += bytes;
    }
    at.min(raw.len())
}

/// Returns the number of bytes of an escape sequence as written, and the number of bytes of its value.
fn escape(raw: &str) -> (usize, usize) {
    let digits = match raw.chars().nth(1) {
        Some('x') => 2,
        Some('u') => 4,
        Some('U') => 8,
        // A backslash at the end of a line removes all white space up to the next character.
        Some(c) if c.is_whitespace() => {
            let rest = raw[1..].trim_start();
            return (raw.len() - rest.len(), 0);
        }
        Some(c) => return (1 + c.len_utf8(), 1),
        None => return (1, 1),
    };
    let number = raw
        .get(2..2 + digits)
        .and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let bytes = number.and_then(char::from_u32).map_or(1, char::len_utf8);
    (2 + digits, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(toml: &str, value_offset: usize) -> usize {
        raw_offset(toml, value_offset)
    }

    #[test]
    fn offsets_count_quotation_marks_and_escapes() {
        assert_eq!(column("'abc'", 2), 3);
        assert_eq!(column("\"a\\\"bc\"", 2), 4);
        assert_eq!(column("\"\\u00e9x\"", 2), 7);
        assert_eq!(column("\"\"\"\nabc\"\"\"", 1), 5);
        assert_eq!(column("\"\"\"a\\\n   b\"\"\"", 1), 4);
        assert_eq!(column("'abc'", 99), 5);
    }

    #[test]
    fn expression_error_points_to_its_column_in_the_file() {
        let text = "x = 1\nalways = \"turns.exsts(t, true)\"\n";
        let file = SourceText {
            name: "a.toml".to_owned(),
            text: text.to_owned(),
        };
        let start = text.find("\"turns").expect("the string");
        let written = Text {
            value: "turns.exsts(t, true)".to_owned(),
            span: start..text.len() - 1,
            substituted: false,
        };
        let error = ExpressionError::new(6..11, "there is no macro `exsts`");
        let placed = file.expression_error(&written, &error);
        assert_eq!(
            placed.to_string(),
            "a.toml, line 2, column 17: there is no macro `exsts`"
        );
        let excerpt = placed.excerpt.expect("an excerpt").text;
        assert!(excerpt.ends_with("\n                ^^^^^"), "{excerpt}");
    }
}
