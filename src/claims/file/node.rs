//! TOML values of a claims file with their places, before any key is interpreted.
//!
//! Keys keep the order of the file. Placeholders are replaced at this stage, so every later stage reads plain
//! values.

use super::source_text::{SourceText, Text};
use diagnostics::Diagnostic;
use language::Span;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// The byte range of the value in the file.
    pub span: Span,
}

/// A value of a claims file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A string, and whether placeholders were replaced in it.
    Text(String, bool),
    /// A number, written in decimal digits.
    Number(String),
    /// `true` or `false`.
    Bool(bool),
    /// A list.
    List(Vec<Node>),
    /// A table, its keys in the order of the file.
    Table(Vec<Field>),
    /// A TOML value that claims files do not use, such as a date or an infinite number, in words.
    Other(&'static str),
}

/// A key of a table with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key.
    pub key: Text,
    /// The value.
    pub node: Node,
}

/// Parses a text as TOML.
///
/// # Errors
/// If the text is not TOML, with the first faulty place.
pub fn parse(file: &SourceText) -> Result<Node, Diagnostic> {
    let whole = DeTable::parse(&file.text).map_err(|error| {
        let why = format!("not TOML: {}", error.message().trim());
        file.error(&error.span().unwrap_or(0..0), why)
    })?;
    let span = whole.span();
    Ok(table(whole.get_ref(), span))
}

fn table(fields: &DeTable<'_>, span: Span) -> Node {
    let field = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| Field {
        key: text_of(key),
        node: node(value),
    };
    let mut fields: Vec<Field> = fields.iter().map(field).collect();
    fields.sort_by_key(|field| field.key.span.start);
    Node {
        value: Value::Table(fields),
        span,
    }
}

fn text_of<T: AsRef<str>>(text: &Spanned<T>) -> Text {
    Text {
        value: text.get_ref().as_ref().to_owned(),
        span: text.span(),
        substituted: false,
    }
}

fn node(value: &Spanned<DeValue<'_>>) -> Node {
    let span = value.span();
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string(), false),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Value::Number(number.to_string()),
            Err(_) => Value::Other("a number beyond 64 bits"),
        },
        DeValue::Float(number) => match number.as_str().bytes().any(|b| b.is_ascii_digit()) {
            true => Value::Number(number.as_str().to_owned()),
            false => Value::Other("an infinite number"),
        },
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(list) => Value::List(list.iter().map(node).collect()),
        DeValue::Table(fields) => return table(fields, span),
    };
    Node { value, span }
}

impl Node {
    /// Returns the kind of the value with an indefinite article, for messages.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Text(..) => "a text",
            Value::Number(number) if number.contains(['.', 'e', 'E']) => {
                "a number that is not whole"
            }
            Value::Number(_) => "a number",
            Value::Bool(_) => "true or false",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Other(kind) => kind,
        }
    }

    /// Returns the value as a text, if it is one.
    pub fn as_text(&self) -> Option<Text> {
        match &self.value {
            Value::Text(value, substituted) => Some(Text {
                value: value.clone(),
                span: self.span.clone(),
                substituted: *substituted,
            }),
            _ => None,
        }
    }

    /// Returns the digits of a number. A string counts as a number if placeholders were replaced in it.
    pub fn as_number(&self) -> Option<&str> {
        match &self.value {
            Value::Number(digits) => Some(digits),
            Value::Text(text, true) if is_number(text) => Some(text.trim()),
            _ => None,
        }
    }

    /// Returns a Boolean. A string counts as a Boolean if placeholders were replaced in it.
    pub fn as_bool(&self) -> Option<bool> {
        match &self.value {
            Value::Bool(value) => Some(*value),
            Value::Text(text, true) => text.trim().parse().ok(),
            _ => None,
        }
    }

    /// Replaces the placeholders in every string, including keys. `replaced` returns the text after the
    /// replacement, or `None` if the text has no placeholder.
    pub fn replace(&mut self, replaced: &dyn Fn(&str) -> Option<String>) {
        match &mut self.value {
            Value::Text(text, substituted) => {
                if let Some(new) = replaced(text) {
                    (*text, *substituted) = (new, true);
                }
            }
            Value::List(nodes) => nodes.iter_mut().for_each(|node| node.replace(replaced)),
            Value::Table(fields) => {
                for field in fields {
                    if let Some(new) = replaced(&field.key.value) {
                        (field.key.value, field.key.substituted) = (new, true);
                    }
                    field.node.replace(replaced);
                }
            }
            Value::Number(_) | Value::Bool(_) | Value::Other(_) => {}
        }
    }

    /// Calls `visit` for every string, including keys.
    pub fn each_text(&self, visit: &mut dyn FnMut(&str, &Span)) {
        match &self.value {
            Value::Text(text, _) => visit(text, &self.span),
            Value::List(nodes) => nodes.iter().for_each(|node| node.each_text(visit)),
            Value::Table(fields) => {
                for field in fields {
                    visit(&field.key.value, &field.key.span);
                    field.node.each_text(visit);
                }
            }
            Value::Number(_) | Value::Bool(_) | Value::Other(_) => {}
        }
    }
}

fn is_number(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(|c: char| c.is_ascii_digit() || c == '-') && text.parse::<f64>().is_ok()
}
