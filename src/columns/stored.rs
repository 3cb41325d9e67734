//! The states of a graph on disk as columns, in the order of its files.

use crate::{keys, words};
use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt32Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use explore::Expander;
use scale::disk::Block;
use std::sync::Arc;

/// The columns of states on disk: `key`, `side`, if the graph is solved `value` and `plies`, then `depth`, and on
/// request `outcome` and `fen`. These states have no numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct StoredStates {
    /// Whether there are columns `value` and `plies`.
    pub values: bool,
    /// Whether there is a column `outcome`, for which the turns of each state are generated again.
    pub outcome: bool,
    /// Whether there is a column `fen`.
    pub fen: bool,
}

impl StoredStates {
    /// Returns the schema for keys of `words` words.
    pub fn schema(&self, words: usize) -> SchemaRef {
        let mut fields = vec![keys::field(words), words::field("side", false)];
        if self.values {
            fields.push(words::field("value", false));
            fields.push(Field::new("plies", DataType::UInt16, true));
        }
        fields.push(Field::new("depth", DataType::UInt32, false));
        let texts = [("outcome", self.outcome), ("fen", self.fen)];
        let texts = texts.into_iter().filter(|(_, is_wanted)| *is_wanted);
        fields.extend(texts.map(|(name, _)| Field::new(name, DataType::Utf8, false)));
        Arc::new(Schema::new(fields))
    }

    /// Returns the batch of a block of states.
    ///
    /// # Errors
    /// If values are wanted that the block does not have, or a batch is larger than Arrow allows.
    pub fn batch(&self, expander: &Expander<'_>, block: &Block) -> Result<RecordBatch, ArrowError> {
        let words_of_key = expander.words();
        let all = || block.keys.chunks_exact(words_of_key);
        let mut columns: Vec<ArrayRef> = vec![
            keys::column(words_of_key, all())?,
            words::sides(all().map(|key| expander.side(key)))?,
        ];
        if self.values {
            columns.push(words::values(block.values.iter().copied())?);
            columns.push(words::plies(block.values.iter().copied()));
        }
        columns.push(Arc::new(UInt32Array::from(block.depths.clone())));
        if self.outcome {
            let outcomes = all().map(|key| expander.outcome(key).to_string());
            columns.push(Arc::new(StringArray::from_iter_values(outcomes)));
        }
        if self.fen {
            let fens = all().map(|key| expander.fen(key));
            columns.push(Arc::new(StringArray::from_iter_values(fens)));
        }
        RecordBatch::try_new(self.schema(words_of_key), columns)
    }
}
