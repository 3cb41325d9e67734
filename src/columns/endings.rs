//! The positions of an endgame table as columns, in the order of `table find`: White to move first, and
//! positions that symmetries map to each other all included.

use crate::{keys, words};
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use diagnostics::Diagnostic;
use language::Interrupted;
use notation::fen;
use position::{Codec, KEY_WORDS, Layout, Position};
use std::ops::Range;
use std::sync::Arc;
use tables::{Signature, TablePart, Tables, table_parts};
use values::Value;

/// The positions of a signature, in parts: the columns `key`, `side`, `value`, `plies` and on request `fen`.
pub struct TablePositions {
    parts: Vec<TablePart>,
    /// The codec of keys, which has room for the positions of both sides.
    codec: Option<Codec>,
    fen: bool,
}

impl TablePositions {
    /// Returns the positions of a signature, whose tables must have been built.
    ///
    /// # Errors
    /// If a table is missing or cannot be read.
    pub fn open<W: Layout>(
        tables: &Tables<W>,
        signature: &Signature,
        fen: bool,
    ) -> Result<TablePositions, Diagnostic> {
        let parts = table_parts(tables, signature)?;
        let mut codec = None;
        for part in &parts {
            let visited = part.each(tables, &|| false, &mut |subject, _| {
                codec = Some(tables.game().codec(subject.position));
                Ok(true)
            });
            // Nothing stops a visit to the first position.
            let _: Result<(), Interrupted> = visited;
            if codec.is_some() {
                break;
            }
        }
        Ok(TablePositions { parts, codec, fen })
    }

    /// Returns the number of parts. Each has some thousand positions, or fewer.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Returns the schema.
    pub fn schema(&self) -> SchemaRef {
        let mut fields = vec![
            keys::field(self.codec.as_ref().map_or(1, Codec::words)),
            words::field("side", false),
            words::field("value", false),
            Field::new("plies", DataType::UInt16, true),
        ];
        if self.fen {
            fields.push(Field::new("fen", DataType::Utf8, false));
        }
        Arc::new(Schema::new(fields))
    }

    /// Returns the batch of a range of parts.
    ///
    /// # Errors
    /// If a batch of this range is larger than Arrow allows.
    ///
    /// # Panics
    /// If there are fewer parts.
    pub fn batch<W: Layout>(
        &self,
        tables: &Tables<W>,
        parts: Range<usize>,
    ) -> Result<RecordBatch, ArrowError> {
        let mut positions: Vec<(Position<W>, Value)> = Vec::new();
        for part in &self.parts[parts] {
            let visited = part.each(tables, &|| false, &mut |subject, value| {
                positions.push((*subject.position, value));
                Ok(false)
            });
            visited.map_err(|Interrupted| ArrowError::ComputeError("interrupted".to_owned()))?;
        }
        let words_of_key = self.codec.as_ref().map_or(1, Codec::words);
        let mut key_words = Vec::with_capacity(positions.len() * words_of_key);
        let mut key = [0; KEY_WORDS];
        for (position, _) in &positions {
            if let Some(codec) = &self.codec {
                codec.encode(position, &mut key);
                key_words.extend_from_slice(&key[..words_of_key]);
            }
        }
        let values = || positions.iter().map(|(_, value)| *value);
        let mut columns: Vec<ArrayRef> = vec![
            keys::column(words_of_key, key_words.chunks_exact(words_of_key))?,
            words::sides(positions.iter().map(|(position, _)| position.side))?,
            words::values(values())?,
            words::plies(values()),
        ];
        if self.fen {
            let game = tables.game();
            let fens = positions
                .iter()
                .map(|(position, _)| fen::print(game, position));
            columns.push(Arc::new(StringArray::from_iter_values(fens)));
        }
        RecordBatch::try_new(self.schema(), columns)
    }
}

/// Returns the values of positions as columns `fen`, `value` and `plies`, which are null for positions that
/// are in no table.
///
/// # Errors
/// None that a caller can cause.
pub fn probed(fens: &[String], values: &[Option<Value>]) -> Result<RecordBatch, ArrowError> {
    let fields = vec![
        Field::new("fen", DataType::Utf8, false),
        words::field("value", true),
        Field::new("plies", DataType::UInt16, true),
    ];
    let plies = values
        .iter()
        .map(|value| value.and_then(Value::distance_plies));
    let columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from_iter_values(fens)),
        words::known_values(values.iter().copied())?,
        Arc::new(plies.collect::<arrow_array::UInt16Array>()),
    ];
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::UInt16Type;
    use control::Control;
    use notation::{Setup, with_setup};
    use std::sync::Arc;

    #[test]
    fn positions_are_those_of_the_statistics() {
        let variant = catalog::Catalog::new().open("fide").expect("a variant");
        let setup = Setup::read(&variant, Some("k3/4/4/3R/3K w - - 0 1")).expect("a FEN");
        with_setup!(&setup, start => {
            let tables = Tables::new(Arc::clone(&start.game), None);
            let signature = Signature::parse(start.game.as_ref(), "KRvK").expect("a signature");
            tables::build(&tables, &signature, &Control::new()).expect("tables");
            let stats = tables::stats(&tables, &signature, tables::Counting::All).expect("statistics");
            let positions = TablePositions::open(&tables, &signature, true).expect("tables");
            let batch = positions.batch(&tables, 0..positions.parts()).expect("a batch");
            let legal: u64 = stats.iter().map(|side| side.legal).sum();
            assert_eq!(batch.num_rows() as u64, legal);
            let plies = batch.column_by_name("plies").expect("plies").as_primitive::<UInt16Type>();
            let draws: u64 = stats.iter().map(|side| side.count(0)).sum();
            assert_eq!(plies.null_count() as u64, draws);
            let longest = stats.iter().filter_map(|side| Some(side.longest_win.as_ref()?.0)).max();
            assert!(plies.iter().flatten().max() >= longest);
            // Keys are exact: no two positions have the same.
            let keys = batch.column_by_name("key").expect("keys");
            let keys = keys.as_primitive::<arrow_array::types::UInt64Type>();
            let distinct: std::collections::BTreeSet<u64> = keys.values().iter().copied().collect();
            assert_eq!(distinct.len(), batch.num_rows());
        });
    }
}
