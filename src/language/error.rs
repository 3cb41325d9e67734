//! Errors of expressions: what is wrong, where, and what would be right.

use crate::tree::Span;
use diagnostics::{Diagnostic, LineColumn};

/// The help where `not` is written as in other languages.
pub const NEGATION: &str = "`!` negates a condition: `!check`";

/// An error in an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpressionError {
    /// The place in the source text, in bytes.
    pub span: Span,
    /// What is wrong.
    pub why: String,
    /// What would be right.
    pub help: Option<String>,
}

/// The most characters of a line that an excerpt shows.
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

    /// Returns the error with what would be right.
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

    /// Returns the line of `text` that contains the error, and below it a caret for each wrong character. A
    /// long line is shown in part.
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

/// Returns the greatest character boundary of a text that is not beyond `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}
