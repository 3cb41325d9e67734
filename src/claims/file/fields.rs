//! Typed access to the fields of a table, with errors at the place of the value.

use super::node::{Field, Node, Value};
use super::source_text::{SourceText, Text};
use diagnostics::{Diagnostic, nearest};
use language::Span;

/// The fields of a table while they are read.
#[derive(Clone, Copy)]
pub struct Fields<'a> {
    /// The file.
    pub file: &'a SourceText,
    /// The fields.
    pub fields: &'a [Field],
    /// The place of the table.
    pub at: &'a Span,
    /// The kind of table, for messages, such as `a claim` or `limits`.
    pub what: &'static str,
}

impl<'a> Fields<'a> {
    /// Returns the fields of a node that is a table.
    ///
    /// # Errors
    /// If the node is not a table.
    pub fn of(
        file: &'a SourceText,
        node: &'a Node,
        what: &'static str,
        example: &str,
    ) -> Result<Fields<'a>, Diagnostic> {
        match &node.value {
            Value::Table(fields) => Ok(Fields {
                file,
                fields,
                at: &node.span,
                what,
            }),
            _ => {
                let why = format!("{what} is a table, but this is {}", node.kind());
                Err(file
                    .error(&node.span, why)
                    .help(format!("such as `{example}`")))
            }
        }
    }

    /// Returns the table of a key, or `None` if the key is missing. `example` is a valid value, for messages.
    ///
    /// # Errors
    /// If the value is not a table.
    pub fn table(
        &self,
        key: &str,
        what: &'static str,
        example: &str,
    ) -> Result<Option<Fields<'a>>, Diagnostic> {
        let Some(field) = self.get(key) else {
            return Ok(None);
        };
        Fields::of(self.file, &field.node, what, &format!("{key} = {example}")).map(Some)
    }

    /// Checks that every key is known.
    ///
    /// # Errors
    /// If a key is unknown. The error names the nearest known key.
    pub fn only(&self, known: &[&str]) -> Result<(), Diagnostic> {
        let Some(field) = (self.fields.iter()).find(|f| !known.contains(&f.key.value.as_str()))
        else {
            return Ok(());
        };
        let key = diagnostics::shortened(&field.key.value);
        let error = self.file.error(
            &field.key.span,
            format!("`{key}` is not a key of {}", self.what),
        );
        Err(
            error.help(match nearest(&field.key.value, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("its keys: {}", known.join(", ")),
            }),
        )
    }

    /// Returns the field of a key, if it is present.
    pub fn get(&self, key: &str) -> Option<&'a Field> {
        self.fields.iter().find(|field| field.key.value == key)
    }

    /// Returns whether the table has a key.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Returns the error for a value of the wrong type. `right` names the right type, and `example` is a
    /// valid value.
    pub fn wrong_type(&self, field: &Field, right: &str, example: &str) -> Diagnostic {
        let why = format!("`{}` is {}, not {right}", field.key, field.node.kind());
        let error = self.file.error(&field.node.span, why);
        error.help(format!("such as `{} = {example}`", field.key))
    }

    /// Returns an optional text.
    ///
    /// # Errors
    /// If the value is not a text, or is empty.
    pub fn text(&self, key: &str) -> Result<Option<Text>, Diagnostic> {
        let Some(field) = self.get(key) else {
            return Ok(None);
        };
        match field.node.as_text() {
            Some(text) if text.value.trim().is_empty() => Err(self
                .file
                .error(&field.node.span, format!("`{key}` is empty"))),
            Some(text) => Ok(Some(text)),
            None => Err(self.wrong_type(field, "a text", "\"...\"")),
        }
    }

    /// Returns a required text.
    ///
    /// # Errors
    /// If it is missing, is not a text, or is empty.
    pub fn needed_text(&self, key: &str) -> Result<Text, Diagnostic> {
        self.text(key)?.ok_or_else(|| self.missing(key))
    }

    /// Returns the error for a missing key.
    pub fn missing(&self, key: &str) -> Diagnostic {
        let start = self.at.start;
        let line = self.file.text[start..].find('\n');
        let end = line.map_or(self.at.end, |line| self.at.end.min(start + line));
        let why = format!("{} without `{key}`", self.what);
        self.file
            .error(&(start..end), why)
            .help(format!("add `{key} = ...`"))
    }

    /// Returns an optional Boolean.
    ///
    /// # Errors
    /// If the value is not `true` or `false`.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, Diagnostic> {
        let Some(field) = self.get(key) else {
            return Ok(None);
        };
        match field.node.as_bool() {
            Some(value) => Ok(Some(value)),
            None => Err(self.wrong_type(field, "true or false", "true")),
        }
    }

    /// Returns an optional whole number from `min` to `max`.
    ///
    /// # Errors
    /// If the value is not a whole number in this range.
    pub fn count(&self, key: &str, min: u64, max: u64) -> Result<Option<u64>, Diagnostic> {
        let Some(field) = self.get(key) else {
            return Ok(None);
        };
        count_of(self.file, &field.key.value, &field.node, min, max).map(Some)
    }
}

/// Reads a whole number from `min` to `max`. `key` names the number in messages.
///
/// # Errors
/// If the value is not a whole number in this range.
pub fn count_of(
    file: &SourceText,
    key: &str,
    node: &Node,
    min: u64,
    max: u64,
) -> Result<u64, Diagnostic> {
    let number = node
        .as_number()
        .and_then(|digits| digits.parse::<u64>().ok());
    let right = || match max {
        u64::MAX => format!("a whole number from {min}"),
        max => format!("a whole number from {min} to {max}"),
    };
    match number {
        Some(number) if (min..=max).contains(&number) => Ok(number),
        Some(number) => {
            let why = format!("`{key}` is {number}; it must be {}", right());
            Err(file.error(&node.span, why))
        }
        None => {
            let given = match node.as_number() {
                Some(digits) => digits.to_owned(),
                None => node.kind().to_owned(),
            };
            let why = format!("`{key}` is {given}, not {}", right());
            Err(file
                .error(&node.span, why)
                .help(format!("such as `{key} = {}`", min.max(1))))
        }
    }
}
