//! `Columns`: Arrow record batches through the PyCapsule interface.
//!
//! pyarrow, polars, pandas and DuckDB read objects with `__arrow_c_stream__`. Batches are made while a reader
//! asks for them, so that a table may be larger than memory.

use crate::errors::{Answer, Failure, guard};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use columns::{ArrowError, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::sync::Arc;

/// An iterator over the batches of a table.
type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// A table of columns. It can be read any number of times: each reader gets its own batches.
///
/// `pyarrow.table(columns)`, `polars.DataFrame(columns)` and DuckDB's SQL take it as it is; `to_pandas` and
/// `to_arrow` are shortcuts.
///
/// >>> import fairyproof
/// >>> columns = fairyproof.perft_suite([("fide", None, 3)])
/// >>> columns.column_names
/// ['variant', 'fen', 'depth', 'nodes']
/// >>> import pyarrow
/// >>> pyarrow.table(columns)["nodes"].to_pylist()
/// [8902]
#[pyclass(name = "Columns", module = "fairyproof", frozen)]
pub struct PyColumns {
    schema: SchemaRef,
    rows: Option<u64>,
    batches: Box<dyn Fn() -> Batches + Send + Sync>,
}

/// Returns an Arrow error as a failure.
pub fn failure(error: ArrowError) -> Failure {
    Failure::Limit("columns", error.to_string())
}

impl PyColumns {
    /// Returns the table of one batch.
    pub fn of(batch: RecordBatch) -> PyColumns {
        PyColumns {
            schema: batch.schema(),
            rows: Some(batch.num_rows() as u64),
            batches: Box::new(move || Box::new(std::iter::once(Ok(batch.clone())))),
        }
    }

    /// Returns the table of several batches. `empty` has their schema.
    pub fn of_all(empty: RecordBatch, batches: Vec<RecordBatch>) -> PyColumns {
        let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
        PyColumns::streamed(empty.schema(), Some(rows as u64), move || {
            batches.clone().into_iter().map(Ok)
        })
    }

    /// Returns a table whose batches are made on demand. `rows` is the number of rows, if it is known.
    pub fn streamed<B>(
        schema: SchemaRef,
        rows: Option<u64>,
        batches: impl Fn() -> B + Send + Sync + 'static,
    ) -> PyColumns
    where
        B: Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'static,
    {
        PyColumns {
            schema,
            rows,
            batches: Box::new(move || Box::new(batches())),
        }
    }
}

/// Returns the next batch; a panic becomes an error of the stream.
fn guarded(batches: &mut Batches) -> Option<Result<RecordBatch, ArrowError>> {
    let next = guard(|| Ok(batches.next()));
    next.unwrap_or_else(|failure| {
        let why = match failure {
            Failure::Internal(why) => why,
            _ => "interrupted".to_owned(),
        };
        Some(Err(ArrowError::ComputeError(format!(
            "internal error: {why}"
        ))))
    })
}

#[pymethods]
impl PyColumns {
    /// Returns a capsule with an Arrow stream, for libraries. `requested_schema` is ignored.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> Answer<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let mut batches = (self.batches)();
        let batches = std::iter::from_fn(move || guarded(&mut batches));
        let reader = RecordBatchIterator::new(batches, Arc::clone(&self.schema));
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        Ok(PyCapsule::new_with_value(
            py,
            stream,
            c"arrow_array_stream",
        )?)
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        let fields = self.schema.fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    /// The number of rows, if it is known before the table is read.
    #[getter]
    fn num_rows(&self) -> Option<u64> {
        self.rows
    }

    /// Returns a `pyarrow.Table`.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let arguments = PyTuple::new(slf.py(), [slf])?;
        slf.py().import("pyarrow")?.call_method1("table", arguments)
    }

    /// Returns a `pandas.DataFrame`.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        PyColumns::to_arrow(slf)?.call_method0("to_pandas")
    }

    /// Returns a `polars.DataFrame`.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let arguments = PyTuple::new(slf.py(), [slf])?;
        slf.py()
            .import("polars")?
            .call_method1("DataFrame", arguments)
    }

    /// Returns the rows as a list of dicts. Needs pyarrow.
    fn to_pylist<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        PyColumns::to_arrow(slf)?.call_method0("to_pylist")
    }

    fn __repr__(&self) -> String {
        let rows = self.rows.map_or("?".to_owned(), |rows| rows.to_string());
        format!("<Columns {}: {rows} rows>", self.column_names().join(", "))
    }
}
