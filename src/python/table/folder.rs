//! `TableFolder`: a folder with endgame tables.

use super::{PyTable, open_table};
use crate::errors::Answer;
use crate::work::Options;
use diagnostics::Diagnostic;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use tables::{Store, default_folder};

/// A folder with endgame tables.
///
/// `TableFolder()` is the folder of the program: that of `FAIRYPROOF_TABLES`, or one in the user's cache. As a
/// context manager, it closes the tables that it opened.
#[pyclass(name = "TableFolder", module = "fairyproof", frozen)]
pub struct PyTableFolder {
    path: PathBuf,
    tables: Mutex<Vec<Py<PyTable>>>,
}

#[pymethods]
impl PyTableFolder {
    #[new]
    #[pyo3(signature = (path=None))]
    fn py_new(path: Option<PathBuf>) -> Answer<PyTableFolder> {
        let path = path.or_else(default_folder).ok_or_else(|| {
            let error = Diagnostic::new("folder", "there is no folder for tables");
            error.help("name one, or set FAIRYPROOF_TABLES")
        })?;
        Ok(PyTableFolder {
            path,
            tables: Mutex::default(),
        })
    }

    /// The path of the folder.
    #[getter]
    fn path(&self) -> &PathBuf {
        &self.path
    }

    /// Builds a table in the folder, with every table that it depends on. With `disk`, a table that does not
    /// fit in memory is built there.
    #[pyo3(signature = (variant, signature, *, board=None, disk=None, threads=None, memory=None, time=None,
                        progress=None))]
    #[allow(clippy::too_many_arguments, reason = "they are named in Python")]
    fn build(
        &self,
        py: Python<'_>,
        variant: &Bound<'_, PyAny>,
        signature: &str,
        board: Option<&str>,
        disk: Option<PathBuf>,
        threads: Option<usize>,
        memory: Option<Bound<'_, PyAny>>,
        time: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Answer<Py<PyTable>> {
        let options = Options::new(py, threads, memory, time, progress)?;
        let folder = Some(self.path.clone());
        let table = open_table(py, variant, signature, board, folder, disk, true, options)?;
        self.keep(py, table)
    }

    /// Opens a table of the folder, without building anything.
    #[pyo3(signature = (variant, signature, *, board=None))]
    fn open(
        &self,
        py: Python<'_>,
        variant: &Bound<'_, PyAny>,
        signature: &str,
        board: Option<&str>,
    ) -> Answer<Py<PyTable>> {
        let options = Options::new(py, None, None, None, None)?;
        let folder = Some(self.path.clone());
        let table = open_table(py, variant, signature, board, folder, None, false, options)?;
        self.keep(py, table)
    }

    /// Returns the files of the folder as dicts: `variant`, `board`, `class`, `indices`, `table_bytes`, and
    /// `is_empty`, which is true if no position is legal.
    fn list<'py>(&self, py: Python<'py>) -> Answer<Vec<Bound<'py, PyDict>>> {
        let mut rows = Vec::new();
        for file in Store::new(&self.path).list()? {
            let file = file?;
            let row = PyDict::new(py);
            row.set_item("variant", file.variant)?;
            row.set_item("board", file.board)?;
            row.set_item("class", file.class)?;
            row.set_item("indices", file.indices)?;
            row.set_item("table_bytes", file.table_bytes)?;
            row.set_item("is_empty", !file.has_values)?;
            rows.push(row);
        }
        Ok(rows)
    }

    /// Closes the tables that were opened.
    fn close(&self) {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.drain(..).for_each(|table| table.get().close());
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close();
    }

    fn __repr__(&self) -> String {
        format!("<TableFolder {}>", self.path.display())
    }
}

impl PyTableFolder {
    fn keep(&self, py: Python<'_>, table: PyTable) -> Answer<Py<PyTable>> {
        let table = Py::new(py, table)?;
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.push(table.clone_ref(py));
        Ok(table)
    }
}
