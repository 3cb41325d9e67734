//! The rule sets as a table.

use super::table::Row;
use notation::fen;
use rules::VariantInfo;
use serde::Serialize;

/// A rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
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

impl Row for VariantRow {
    const COLUMNS: &'static [&'static str] =
        &["id", "name", "inventor", "page", "board", "difference"];
}

/// Returns every rule set, in the order of the registry.
pub fn rows() -> Vec<VariantRow> {
    variants::all().iter().map(|info| row(info)).collect()
}

fn row(info: &VariantInfo) -> VariantRow {
    let start = (info.start)(&Vec::new());
    VariantRow {
        id: info.id.to_owned(),
        name: info.name.to_owned(),
        inventor: info.inventor.to_owned(),
        page: info.page.to_owned(),
        board: fen::shape(&start).map_or_else(|_| "?".to_string(), |shape| shape.size()),
        difference: info.difference.to_owned(),
    }
}
