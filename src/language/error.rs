//! Errors of expressions: the fault, its place, and a correction.

use crate::tree::Span;
use diagnostics::{Diagnostic, LineColumn};

/// The help for `not`, which other languages use for negation.
pub const NEGATION: &str = "`!` negates a condition: `!check`";

/// An error in an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpressionError {
    /// The byte range of the fault in the source text.
    pub span: Span,
    /// The fault in words.
    pub why: String,
    /// A correct form.
    pub help: Option<String>,
}

/// The maximum number of characters of a line that an excerpt shows.
const MAX_EXCERPT_CHARS: usize = 100;

impl ExpressionError {
    /// Returns an error without help.
    pub fn new(span: Span, why: impl Into<String>) -> ExpressionError {
        ExpressionError {
            span,
            why: why.into(),
            help: None,
        }
    }

    /// Returns the error with a correct form as its help.
    pub fn help(mut self, help: impl Into<String>) -> ExpressionError {
        self.help = Some(help.into());
        self
    }

    /// Returns the line and the column, in characters, both from 1, at which the error begins in `text`.
    pub fn place(&self, text: &str) -> LineColumn {
        let before = &text[..floor(text, self.span.start)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        LineColumn {
            line: before.matches('\n').count() as u32 + 1,
            column: before[line_start..].chars().count() as u32 + 1,
        }
    }

    /// Returns the line of `text` that contains the error, with a caret below each faulty character. A long
    /// line is shortened.
    pub fn excerpt(&self, text: &str) -> String {
        let start = floor(text, self.span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let end = floor(text, self.span.end).clamp(start, line_end);
        let column = text[line_start..start].chars().count();
        let width = text[start..end].chars().count().max(1);
        let skipped = (column + 1).saturating_sub(MAX_EXCERPT_CHARS * 2 / 3);
        let line: String = text[line_start..line_end]
            .chars()
            .skip(skipped)
            .take(MAX_EXCERPT_CHARS)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let shown = width.min(MAX_EXCERPT_CHARS - (column - skipped).min(MAX_EXCERPT_CHARS - 1));
        format!(
            "{line}\n{}{}",
            " ".repeat(column - skipped),
            "^".repeat(shown)
        )
    }

    /// Returns the error as a message about `text`, with place and excerpt. `what` names the text, such as
    /// `expression`.
    pub fn message(&self, what: &str, text: &str) -> Diagnostic {
        let mut message = Diagnostic::new(what, self.why.clone())
            .at(self.place(text))
            .excerpt(self.excerpt(text));
        message.help = self.help.clone();
        message
    }
}

/// Returns the last character boundary of a text at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}
