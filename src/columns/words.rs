//! Columns of words that repeat, as dictionaries.

use arrow_array::types::Int8Type;
use arrow_array::{ArrayRef, DictionaryArray, Int8Array, StringArray, UInt16Array};
use arrow_schema::{ArrowError, DataType, Field};
use board::Color;
use std::sync::Arc;
use values::Value;

/// The words for the values of positions, from the worst to the best for the side to move.
const VALUES: [&str; 5] = ["loss", "weak-loss", "draw", "weak-win", "win"];

/// Returns the field of a dictionary.
pub fn field(name: &str, nullable: bool) -> Field {
    let kind = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8));
    Field::new(name, kind, nullable)
}

fn dictionary(numbers: Int8Array, words: &[&str]) -> Result<ArrayRef, ArrowError> {
    let words = Arc::new(StringArray::from(words.to_vec()));
    Ok(Arc::new(DictionaryArray::<Int8Type>::try_new(
        numbers, words,
    )?))
}

/// Returns the column `side`: `w` or `b`.
///
/// # Errors
/// None that a caller can cause.
pub fn sides(sides: impl Iterator<Item = Color>) -> Result<ArrayRef, ArrowError> {
    let numbers = sides.map(|side| i8::from(side == Color::Black));
    dictionary(Int8Array::from_iter_values(numbers), &["w", "b"])
}

/// Returns the column `value`.
///
/// # Errors
/// None that a caller can cause.
pub fn values(values: impl Iterator<Item = Value>) -> Result<ArrayRef, ArrowError> {
    known_values(values.map(Some))
}

/// Returns the column `value` of positions of which some have no value.
///
/// # Errors
/// None that a caller can cause.
pub fn known_values(values: impl Iterator<Item = Option<Value>>) -> Result<ArrayRef, ArrowError> {
    let numbers = values.map(|value| value.map(|value| value.worth() + 2));
    dictionary(numbers.collect(), &VALUES)
}

/// Returns the column `plies`, which is null for draws.
pub fn plies(values: impl Iterator<Item = Value>) -> ArrayRef {
    Arc::new(values.map(Value::distance_plies).collect::<UInt16Array>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_values() {
        let all = [
            Value::Loss(0),
            Value::WeakLoss(2),
            Value::Draw,
            Value::WeakWin(1),
            Value::Win(3),
        ];
        assert_eq!(all.map(Value::word), VALUES);
        let column = values(all.into_iter()).expect("a column");
        assert_eq!(column.len(), 5);
    }
}
