//! Lists of turns as a column, for many positions at once.

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use std::sync::Arc;

/// A column of lists of texts that is filled row by row.
#[derive(Debug)]
pub struct TurnLists {
    lists: ListBuilder<StringBuilder>,
}

impl Default for TurnLists {
    fn default() -> TurnLists {
        let item = Field::new("item", DataType::Utf8, false);
        let lists = ListBuilder::new(StringBuilder::new()).with_field(item);
        TurnLists { lists }
    }
}

impl TurnLists {
    /// Adds a text to the current row.
    pub fn add(&mut self, turn: &str) {
        self.lists.values().append_value(turn);
    }

    /// Ends the current row.
    pub fn end_row(&mut self) {
        self.lists.append(true);
    }

    /// Returns the rows as the column `turns`, and begins again.
    ///
    /// # Errors
    /// None that a caller can cause.
    pub fn batch(&mut self) -> Result<RecordBatch, ArrowError> {
        let item = Arc::new(Field::new("item", DataType::Utf8, false));
        let field = Field::new("turns", DataType::List(item), false);
        let lists: ArrayRef = Arc::new(self.lists.finish());
        RecordBatch::try_new(Arc::new(Schema::new(vec![field])), vec![lists])
    }
}
