//! Small tables as columns: statistics of endgame tables, perft counts, levels of graphs, and tables of texts.

use arrow_array::{
    ArrayRef, Float64Array, RecordBatch, StringArray, UInt16Array, UInt32Array, UInt64Array,
};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use explore::DepthRow;
use explore::perft::Divide;
use report::endings::{PliesRow, StatsRow};
use std::sync::Arc;

/// A batch that is put together column by column.
#[derive(Default)]
struct Columns {
    fields: Vec<Field>,
    columns: Vec<ArrayRef>,
}

impl Columns {
    fn add(mut self, name: &str, kind: DataType, nullable: bool, column: ArrayRef) -> Columns {
        self.fields.push(Field::new(name, kind, nullable));
        self.columns.push(column);
        self
    }

    fn texts(self, name: &str, texts: impl Iterator<Item = String>) -> Columns {
        let column = StringArray::from_iter_values(texts);
        self.add(name, DataType::Utf8, false, Arc::new(column))
    }

    fn optional_texts(self, name: &str, texts: impl Iterator<Item = Option<String>>) -> Columns {
        let column: StringArray = texts.collect();
        self.add(name, DataType::Utf8, true, Arc::new(column))
    }

    fn numbers(self, name: &str, numbers: impl Iterator<Item = u64>) -> Columns {
        let column = UInt64Array::from_iter_values(numbers);
        self.add(name, DataType::UInt64, false, Arc::new(column))
    }

    fn depths(self, name: &str, depths: impl Iterator<Item = u32>) -> Columns {
        let column = UInt32Array::from_iter_values(depths);
        self.add(name, DataType::UInt32, false, Arc::new(column))
    }

    fn plies(self, name: &str, plies: impl Iterator<Item = Option<u16>>) -> Columns {
        let column: UInt16Array = plies.collect();
        self.add(name, DataType::UInt16, true, Arc::new(column))
    }

    fn batch(self) -> Result<RecordBatch, ArrowError> {
        RecordBatch::try_new(Arc::new(Schema::new(self.fields)), self.columns)
    }
}

/// Returns the statistics of an endgame table, one row for each side to move.
///
/// # Errors
/// None that a caller can cause.
pub fn statistics(rows: &[StatsRow]) -> Result<RecordBatch, ArrowError> {
    let rows = || rows.iter();
    Columns::default()
        .texts("variant", rows().map(|row| row.variant.clone()))
        .texts("board", rows().map(|row| row.board.clone()))
        .texts("signature", rows().map(|row| row.signature.clone()))
        .texts("side", rows().map(|row| row.side.to_string()))
        .numbers("positions", rows().map(|row| row.positions))
        .numbers("legal", rows().map(|row| row.legal))
        .numbers("wins", rows().map(|row| row.wins))
        .numbers("weak_wins", rows().map(|row| row.weak_wins))
        .numbers("draws", rows().map(|row| row.draws))
        .numbers("weak_losses", rows().map(|row| row.weak_losses))
        .numbers("losses", rows().map(|row| row.losses))
        .plies("longest_win_plies", rows().map(|row| row.longest_win_plies))
        .optional_texts(
            "longest_win_fen",
            rows().map(|row| row.longest_win_fen.clone()),
        )
        .plies(
            "longest_loss_plies",
            rows().map(|row| row.longest_loss_plies),
        )
        .optional_texts(
            "longest_loss_fen",
            rows().map(|row| row.longest_loss_fen.clone()),
        )
        .batch()
}

/// Returns the number of positions of an endgame table for each value and distance.
///
/// # Errors
/// None that a caller can cause.
pub fn plies(rows: &[PliesRow]) -> Result<RecordBatch, ArrowError> {
    let rows = || rows.iter();
    Columns::default()
        .texts("variant", rows().map(|row| row.variant.clone()))
        .texts("board", rows().map(|row| row.board.clone()))
        .texts("signature", rows().map(|row| row.signature.clone()))
        .texts("side", rows().map(|row| row.side.to_string()))
        .texts("value", rows().map(|row| row.value.to_owned()))
        .plies("plies", rows().map(|row| row.plies))
        .numbers("positions", rows().map(|row| row.positions))
        .batch()
}

/// A perft count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountRow {
    /// The variant with its options.
    pub variant: String,
    /// The position.
    pub fen: String,
    /// The number of turns in a line.
    pub depth: u32,
    /// The number of lines.
    pub nodes: u128,
}

/// Returns a count in 64 bits.
fn in_64_bits(nodes: u128) -> Result<u64, ArrowError> {
    let why = |_| ArrowError::ComputeError(format!("{nodes} does not fit in 64 bits"));
    u64::try_from(nodes).map_err(why)
}

/// Returns perft counts.
///
/// # Errors
/// If a count does not fit in 64 bits.
pub fn counts(rows: &[CountRow]) -> Result<RecordBatch, ArrowError> {
    let nodes = rows.iter().map(|row| in_64_bits(row.nodes));
    let nodes = nodes.collect::<Result<Vec<u64>, ArrowError>>()?;
    let rows = || rows.iter();
    Columns::default()
        .texts("variant", rows().map(|row| row.variant.clone()))
        .texts("fen", rows().map(|row| row.fen.clone()))
        .depths("depth", rows().map(|row| row.depth))
        .numbers("nodes", nodes.into_iter())
        .batch()
}

/// Returns the count after each first turn.
///
/// # Errors
/// If a count does not fit in 64 bits.
pub fn divide(divide: &Divide) -> Result<RecordBatch, ArrowError> {
    let nodes = divide.turns.iter().map(|(_, nodes)| in_64_bits(*nodes));
    let nodes = nodes.collect::<Result<Vec<u64>, ArrowError>>()?;
    Columns::default()
        .texts("turn", divide.turns.iter().map(|(turn, _)| turn.clone()))
        .numbers("nodes", nodes.into_iter())
        .batch()
}

/// Returns the levels of a graph.
///
/// # Errors
/// None that a caller can cause.
pub fn depths(rows: &[DepthRow]) -> Result<RecordBatch, ArrowError> {
    let rows = || rows.iter();
    let mean = Float64Array::from_iter_values(rows().map(DepthRow::mean_out_degree));
    Columns::default()
        .depths("depth", rows().map(|row| row.depth))
        .numbers("states", rows().map(|row| row.states))
        .numbers("expanded", rows().map(|row| row.expanded))
        .numbers("terminals", rows().map(|row| row.terminals))
        .numbers("edges", rows().map(|row| row.edges))
        .numbers("min_out_degree", rows().map(|row| row.min_out_degree))
        .add("mean_out_degree", DataType::Float64, false, Arc::new(mean))
        .numbers("max_out_degree", rows().map(|row| row.max_out_degree))
        .batch()
}

/// Returns a table of texts, such as the evidence of a claim. Rows that are too short end with empty texts.
///
/// # Errors
/// None that a caller can cause.
pub fn texts(names: &[String], rows: &[Vec<String>]) -> Result<RecordBatch, ArrowError> {
    let text = |row: &Vec<String>, at: usize| row.get(at).cloned().unwrap_or_default();
    let mut columns = Columns::default();
    for (at, name) in names.iter().enumerate() {
        columns = columns.texts(name, rows.iter().map(|row| text(row, at)));
    }
    columns.batch()
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::table::Row;

    #[test]
    fn columns_are_those_of_csv() {
        let names = |batch: RecordBatch| -> Vec<String> {
            let schema = batch.schema();
            schema
                .fields()
                .iter()
                .map(|field| field.name().clone())
                .collect()
        };
        assert_eq!(names(statistics(&[]).expect("a batch")), StatsRow::COLUMNS);
        assert_eq!(names(plies(&[]).expect("a batch")), PliesRow::COLUMNS);
    }

    #[test]
    fn counts_beyond_64_bits_are_refused() {
        let row = |nodes| CountRow {
            variant: "fide".to_owned(),
            fen: "k2/3/K2 w - - 0 1".to_owned(),
            depth: 40,
            nodes,
        };
        let most = u128::from(u64::MAX);
        assert_eq!(counts(&[row(most)]).expect("a batch").num_rows(), 1);
        let error = counts(&[row(most + 1)]).expect_err("too many");
        assert!(
            error.to_string().contains("18446744073709551616"),
            "{error}"
        );
    }

    #[test]
    fn short_rows_end_with_empty_texts() {
        let names = ["a".to_owned(), "b".to_owned()];
        let batch = texts(&names, &[vec!["1".to_owned()]]).expect("a batch");
        assert_eq!((batch.num_rows(), batch.num_columns()), (1, 2));
    }
}
