//! The rule sets as a table.

use catalog::{Catalog, Entry};
use serde::Serialize;
use struct_field_names_as_array::FieldNamesAsSlice;

/// A rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, FieldNamesAsSlice)]
pub struct VariantRow {
    /// What users type.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Who invented it.
    pub inventor: String,
    /// Where its rules were published.
    pub page: String,
    /// Files and ranks of its board.
    pub board: String,
    /// What differs from orthodox chess.
    pub difference: String,
}

/// Returns every rule set of a catalog, in its order.
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
