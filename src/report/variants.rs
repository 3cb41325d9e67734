//! The list of rule sets as a table.

use catalog::{Catalog, Entry};
use serde::Serialize;
use struct_field_names_as_array::FieldNamesAsSlice;

/// A rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, FieldNamesAsSlice)]
pub struct VariantRow {
    /// The name that users type.
    pub id: String,
    /// The full name.
    pub name: String,
    /// The inventor.
    pub inventor: String,
    /// The page on which the rules were published.
    pub page: String,
    /// The numbers of files and ranks of the board.
    pub board: String,
    /// The differences from orthodox chess, in brief.
    pub difference: String,
}

/// The legal turns of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, FieldNamesAsSlice)]
pub struct TurnsRow {
    /// The position.
    pub fen: String,
    /// The legal turns, joined by blanks, in byte order.
    pub legal_turns: String,
}

/// Returns a row for every rule set of a catalog, in the order of the catalog.
pub fn rows(catalog: &Catalog) -> Vec<VariantRow> {
    let row = |entry: Entry| VariantRow {
        id: entry.id().to_owned(),
        name: entry.name().to_owned(),
        inventor: entry.inventor().to_owned(),
        page: entry.page().to_owned(),
        board: entry.board(),
        difference: entry.difference(),
    };
    catalog.iter().map(row).collect()
}

/// Returns a row for every rule text of a compiled rule set, then for every condition.
pub fn text_rows(catalog: &Catalog) -> Vec<VariantRow> {
    let text = |(id, entry): (&str, Entry<'_>)| {
        let of = id
            .strip_suffix(definition::TEXT)
            .filter(|id| variants::find(id).is_some());
        VariantRow {
            id: id.to_owned(),
            name: of.map_or_else(|| id.to_owned(), |id| format!("the text of {id}")),
            inventor: entry.inventor().to_owned(),
            page: entry.page().to_owned(),
            board: entry.board(),
            difference: entry.difference(),
        }
    };
    let condition = |id: &str| {
        let clauses = catalog.condition(id).map(|layer| &layer.clauses);
        let keys = clauses
            .into_iter()
            .flatten()
            .map(|clause| clause.key.as_str());
        let keys: Vec<&str> = keys.filter(|key| !key.starts_with("let.")).collect();
        VariantRow {
            id: id.to_owned(),
            name: "a condition".to_owned(),
            inventor: String::new(),
            page: "a rule text".to_owned(),
            board: "any".to_owned(),
            difference: format!("clauses: {}", keys.join(", ")),
        }
    };
    catalog
        .texts()
        .map(text)
        .chain(catalog.conditions().map(condition))
        .collect()
}
