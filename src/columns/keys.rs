//! Columns of keys.

use arrow_array::builder::FixedSizeBinaryBuilder;
use arrow_array::{ArrayRef, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field};
use std::sync::Arc;

/// Returns the field of keys of `words` words.
pub fn field(words: usize) -> Field {
    let kind = match words {
        1 => DataType::UInt64,
        words => DataType::FixedSizeBinary(8 * words as i32),
    };
    Field::new("key", kind, false)
}

/// Returns the column of keys of `words` words each.
///
/// # Errors
/// If a key has another number of words.
pub fn column<'k>(
    words: usize,
    keys: impl ExactSizeIterator<Item = &'k [u64]>,
) -> Result<ArrayRef, ArrowError> {
    if words == 1 {
        return Ok(Arc::new(UInt64Array::from_iter_values(
            keys.map(|key| key[0]),
        )));
    }
    let mut column = FixedSizeBinaryBuilder::with_capacity(keys.len(), 8 * words as i32);
    let mut bytes = Vec::with_capacity(8 * words);
    for key in keys {
        bytes.clear();
        bytes.extend(key.iter().flat_map(|word| word.to_le_bytes()));
        column.append_value(&bytes)?;
    }
    Ok(Arc::new(column.finish()))
}
