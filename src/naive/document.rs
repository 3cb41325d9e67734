//! Documents: texts, lists and records, the content of files in several formats.

use std::collections::BTreeMap;

/// A value of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Document {
    /// A text. Numbers and truth values are stored as they are printed.
    Text(String),
    /// A list of values.
    List(Vec<Document>),
    /// A record: values by the names of their fields.
    Record(BTreeMap<String, Document>),
}

impl From<BTreeMap<String, String>> for Document {
    fn from(texts: BTreeMap<String, String>) -> Document {
        let texts = texts.into_iter();
        Document::Record(
            texts
                .map(|(name, text)| (name, Document::Text(text)))
                .collect(),
        )
    }
}

impl Document {
    /// Returns the value of a field.
    pub fn field(&self, name: &str) -> Option<&Document> {
        match self {
            Document::Record(fields) => fields.get(name),
            _ => None,
        }
    }

    /// Returns the names of the fields of a record.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let fields = match self {
            Document::Record(fields) => Some(fields),
            _ => None,
        };
        fields.into_iter().flatten().map(|(name, _)| name.as_str())
    }

    /// Returns the text of a field, or an empty text if the field is missing or not a text.
    pub fn text(&self, name: &str) -> &str {
        match self.field(name) {
            Some(Document::Text(text)) => text,
            _ => "",
        }
    }

    /// Returns the values of a field, or an empty list if the field is missing or not a list.
    pub fn list(&self, name: &str) -> &[Document] {
        match self.field(name) {
            Some(Document::List(values)) => values,
            _ => &[],
        }
    }

    /// Returns the words of a field that is a text, or the texts of a list. Returns `None` if the field is missing.
    pub fn words(&self, name: &str) -> Option<Vec<&str>> {
        Some(match self.field(name)? {
            Document::List(texts) => texts
                .iter()
                .map(|item| match item {
                    Document::Text(text) => text.as_str(),
                    _ => "",
                })
                .collect(),
            Document::Text(text) => text.split_ascii_whitespace().collect(),
            Document::Record(_) => Vec::new(),
        })
    }
}
