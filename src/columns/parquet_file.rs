//! Parquet files.

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::io::{self, Write};

/// The number of rows of a row group, which readers can skip or read on their own.
const GROUP_ROWS: usize = 1 << 20;

/// Writes batches as a Parquet file. At most one row group is in memory.
///
/// # Errors
/// If a batch is an error or does not have the schema, or `out` cannot be written to.
pub fn write_parquet(
    schema: SchemaRef,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let failed = |error: ParquetError| io::Error::other(error);
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        // The version of a program in a file would make equal answers different files.
        .set_created_by("fairyproof".to_owned())
        .build();
    // The writer requires a target that can be sent to other threads, which `out` may not be.
    let mut writer = ArrowWriter::try_new(Vec::new(), schema, Some(properties)).map_err(failed)?;
    for batch in batches {
        let batch = batch.map_err(io::Error::other)?;
        writer.write(&batch).map_err(failed)?;
        // The writer counts what it has written itself, so that what is complete can be taken away.
        out.write_all(&std::mem::take(writer.inner_mut()))?;
    }
    out.write_all(&writer.into_inner().map_err(failed)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CountRow, counts};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use std::io::Seek;

    #[test]
    fn files_are_read_back_whatever_the_batches() {
        let row = |depth: u32| CountRow {
            variant: "fide".to_owned(),
            fen: format!("k2/3/K2 w - - 0 {depth}"),
            depth,
            nodes: u128::from(depth) * 1000,
        };
        let rows: Vec<CountRow> = (1..=5000).map(row).collect();
        let whole = counts(&rows).expect("a batch");
        let mut written: Vec<Vec<u8>> = Vec::new();
        for size in [5000, 700] {
            let batches = rows.chunks(size).map(counts);
            let mut bytes = Vec::new();
            write_parquet(whole.schema(), batches, &mut bytes).expect("a file");
            let mut file = tempfile::tempfile().expect("a file");
            file.write_all(&bytes).expect("bytes");
            file.rewind().expect("the beginning");
            let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("a Parquet file");
            let reader = reader
                .with_batch_size(rows.len())
                .build()
                .expect("a reader");
            let read: Vec<RecordBatch> = reader.map(|batch| batch.expect("a batch")).collect();
            assert_eq!(read, [whole.clone()]);
            written.push(bytes);
        }
        assert!(written.iter().all(|bytes| bytes.starts_with(b"PAR1")));
    }
}
