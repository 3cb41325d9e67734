//! `--parquet`: answers as Parquet files, for commands whose answers are complete before they are written.

use super::answer::{Failure, unwritable};
use columns::{ArrowError, RecordBatch, SchemaRef};
use report::Target;
use std::path::Path;

/// Writes the table of one batch to the file of an option.
///
/// # Errors
/// If the file cannot be written.
pub fn write(
    option: &str,
    path: &Path,
    batch: Result<RecordBatch, ArrowError>,
) -> Result<(), Failure> {
    let batch = batch.map_err(|error| unwritable(option, path, std::io::Error::other(error)))?;
    write_all(option, path, batch.schema(), std::iter::once(Ok(batch)))
}

/// Writes the table of several batches to the file of an option.
///
/// # Errors
/// If the file cannot be written.
pub fn write_all(
    option: &str,
    path: &Path,
    schema: SchemaRef,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>>,
) -> Result<(), Failure> {
    let target = Target::open(path).map_err(|error| unwritable(option, path, error))?;
    let written = target.write(|out| columns::write_parquet(schema, batches, out));
    written.map_err(|error| unwritable(option, path, error))
}
