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
    variants::all().iter().map(|card| row(card)).collect()
}

fn row(card: &VariantInfo) -> VariantRow {
    let start = card.start();
    VariantRow {
        id: card.id.to_owned(),
        name: card.name.to_owned(),
        inventor: card.inventor.to_owned(),
        page: card.page.to_owned(),
        board: fen::shape(&start).map_or_else(|_| "?".to_string(), |shape| shape.size()),
        difference: card.difference.to_owned(),
    }
}
