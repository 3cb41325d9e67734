//! `Catalog`: every rule set by name.

use crate::errors::{Answer, guard, warn};
use crate::variant::PyVariant;
use catalog::Catalog;
use control::files;
use diagnostics::Diagnostic;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The maximum size of a file of definitions, in bytes.
const MAX_FILE_BYTES: u64 = definition::MAX_FILE as u64;

/// A file or text that was added to a catalog.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Added {
    /// The path of a file, or the name of a text.
    pub name: String,
    /// The content.
    pub text: String,
    /// Whether messages may point to a file of this name.
    pub is_file: bool,
}

/// A catalog with what was added to it, which pickles contain.
pub struct Opened {
    /// The catalog.
    pub catalog: Arc<Catalog>,
    /// The files and texts, in the order in which they were added.
    pub added: Vec<Added>,
    /// The warnings of sections that were opened and not yet reported.
    warnings: Arc<Mutex<Vec<String>>>,
}

impl Opened {
    fn new() -> Opened {
        let warnings: Arc<Mutex<Vec<String>>> = Arc::default();
        let sink = Arc::clone(&warnings);
        let observer = move |text: &str| {
            let mut warnings = sink.lock().unwrap_or_else(PoisonError::into_inner);
            warnings.push(text.to_owned());
        };
        Opened {
            catalog: Arc::new(Catalog::new().on_warning(observer)),
            added: Vec::new(),
            warnings,
        }
    }

    /// Returns a new catalog with one more file or text.
    fn with(&self, more: Added) -> Answer<Opened> {
        let mut catalog = self.catalog.extended();
        match more.is_file {
            true => catalog.add_file(Path::new(&more.name))?,
            false => catalog.add_text(&more.name, &more.text)?,
        }
        let mut added = self.added.clone();
        if !added.contains(&more) {
            added.push(more);
        }
        Ok(Opened {
            catalog: Arc::new(catalog),
            added,
            warnings: Arc::clone(&self.warnings),
        })
    }

    /// Issues the warnings of the sections that were opened.
    fn warn(&self, py: Python<'_>) -> PyResult<()> {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        let texts = std::mem::take(&mut *warnings);
        drop(warnings);
        texts.iter().try_for_each(|text| warn(py, text))
    }
}

/// The compiled rule sets, the library of known variants, and the files and texts that were added: every rule
/// set by its name.
///
/// A catalog is a mapping from names to variants.
///
/// >>> import fairyproof
/// >>> catalog = fairyproof.Catalog()
/// >>> catalog["bachelor"].title
/// 'Bachelor Chess'
/// >>> "crazyhouse" in catalog
/// True
/// >>> catalog = fairyproof.Catalog.load("[hill:chess]\nflagPiece = k\nflagRegion = d4 e4 d5 e5\n")
/// >>> catalog["hill"].position("k7/8/8/8/8/3K4/8/8 w - - 0 1").play("Ke4").outcome.reason
/// 'flag'
#[pyclass(name = "Catalog", module = "fairyproof", frozen)]
pub struct PyCatalog {
    opened: Mutex<Arc<Opened>>,
}

impl PyCatalog {
    /// Returns a catalog without added files.
    pub fn new() -> PyCatalog {
        PyCatalog::of(Arc::new(Opened::new()))
    }

    /// Returns the catalog of a variant.
    pub fn of(opened: Arc<Opened>) -> PyCatalog {
        PyCatalog {
            opened: Mutex::new(opened),
        }
    }

    /// Returns the catalog as it is now.
    pub fn opened(&self) -> Arc<Opened> {
        Arc::clone(&self.opened.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Opens a variant and issues its warnings.
    pub fn open(&self, py: Python<'_>, text: &str) -> Answer<PyVariant> {
        let opened = self.opened();
        let variant = guard(|| PyVariant::open(&opened, text))?;
        opened.warn(py)?;
        Ok(variant)
    }

    fn add_one(&self, more: Added) -> Answer<()> {
        guard(|| {
            let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
            *opened = Arc::new(opened.with(more)?);
            Ok(())
        })
    }
}

/// Returns the catalog that functions use if none is given.
pub fn default_catalog(py: Python<'_>) -> &'static PyCatalog {
    static DEFAULT: PyOnceLock<PyCatalog> = PyOnceLock::new();
    DEFAULT.get_or_init(py, PyCatalog::new)
}

/// Returns the catalog with these files and texts. Equal catalogs that are still in use are shared, so that
/// many positions can be read from a pickle.
pub fn catalog_with(py: Python<'_>, added: Vec<Added>) -> Answer<Arc<Opened>> {
    static KNOWN: Mutex<Option<HashMap<Vec<Added>, Weak<Opened>>>> = Mutex::new(None);
    if added.is_empty() {
        return Ok(default_catalog(py).opened());
    }
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    if let Some(opened) = known.get(&added).and_then(Weak::upgrade) {
        return Ok(opened);
    }
    let mut opened = Opened::new();
    for more in &added {
        opened = opened.with(Added {
            is_file: false,
            ..more.clone()
        })?;
    }
    // A further pickle of this catalog names the files as this one does.
    opened.added.clone_from(&added);
    let opened = Arc::new(opened);
    known.retain(|_, opened| opened.strong_count() > 0);
    known.insert(added, Arc::downgrade(&opened));
    Ok(opened)
}

/// A source of definitions or games.
pub enum Source {
    /// The path of a file.
    File(PathBuf),
    /// A text.
    Text(String),
}

impl Source {
    /// Reads an argument. A text has a line break or begins with `[` or `beginning`; everything else is a path.
    ///
    /// # Errors
    /// If the argument is neither a text nor a path.
    pub fn read(source: &Bound<'_, PyAny>, beginning: &str) -> PyResult<Source> {
        match source.cast::<PyString>() {
            Ok(text) => {
                let text = text.to_cow()?;
                let first = text.trim_start();
                let begins = first.starts_with('[') || first.starts_with(beginning);
                Ok(match text.contains('\n') || begins {
                    true => Source::Text(text.into_owned()),
                    false => Source::File(PathBuf::from(&*text)),
                })
            }
            Err(_) => Ok(Source::File(source.extract()?)),
        }
    }

    fn into_added(self, number: usize) -> Answer<Added> {
        Ok(match self {
            Source::Text(text) => Added {
                name: format!("text {number}"),
                text,
                is_file: false,
            },
            Source::File(path) => Added {
                text: files::read_text(&path, MAX_FILE_BYTES)?,
                name: path.display().to_string(),
                is_file: true,
            },
        })
    }
}

/// A finding of `Catalog.check`: what is wrong or doubtful in a file or text.
#[pyclass(name = "Diagnostic", module = "fairyproof", frozen, get_all)]
pub struct PyDiagnostic {
    /// `error`, `warning` or `note`.
    severity: String,
    /// The section.
    what: String,
    /// What is wrong.
    reason: String,
    /// The line, from 1.
    line: Option<u32>,
    /// The column, from 1.
    column: Option<u32>,
    /// What would be right.
    help: Option<String>,
    /// The finding as the program prints it.
    text: String,
}

impl PyDiagnostic {
    fn new(finding: &Diagnostic) -> PyDiagnostic {
        let at = finding.position();
        PyDiagnostic {
            severity: finding.severity.to_string(),
            what: finding.what.clone(),
            reason: finding.why.clone(),
            line: at.map(|at| at.line),
            column: at.map(|at| at.column),
            help: finding.help.clone(),
            text: finding.line().to_string(),
        }
    }
}

#[pymethods]
impl PyDiagnostic {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic {}>", self.text)
    }
}

#[pymethods]
impl PyCatalog {
    #[new]
    fn py_new() -> PyCatalog {
        PyCatalog::new()
    }

    /// Returns a new catalog with definitions and rule texts from files or texts. A string with a line break,
    /// or one that begins with `[`, is a text; other strings are paths.
    ///
    /// Errors within a section are reported when its variant is opened; `check` lists them all.
    #[classmethod]
    #[pyo3(signature = (*sources))]
    fn load(_class: &Bound<'_, PyType>, sources: Vec<Bound<'_, PyAny>>) -> Answer<PyCatalog> {
        let catalog = PyCatalog::new();
        sources.iter().try_for_each(|source| catalog.add(source))?;
        Ok(catalog)
    }

    /// Adds the definitions and rule texts of a file or text. Variants that were opened before are not
    /// changed.
    pub fn add(&self, source: &Bound<'_, PyAny>) -> Answer<()> {
        let source = Source::read(source, "[")?;
        let number = self.opened().added.len() + 1;
        self.add_one(source.into_added(number)?)
    }

    /// Returns what is wrong or doubtful in a file or text, without adding it.
    fn check(&self, source: &Bound<'_, PyAny>) -> Answer<Vec<PyDiagnostic>> {
        let opened = self.opened();
        let source = Source::read(source, "[")?;
        guard(|| {
            let book = match &source {
                Source::File(path) => opened.catalog.check_file(path)?.0,
                Source::Text(text) => opened.catalog.check_text(text),
            };
            Ok(book.findings.iter().map(PyDiagnostic::new).collect())
        })
    }

    /// Opens a variant by its name, with options and conditions: `spartan:moves=40`, `fide+circe`.
    fn variant(&self, py: Python<'_>, id: &str) -> Answer<PyVariant> {
        self.open(py, id)
    }

    fn __getitem__(&self, py: Python<'_>, id: &str) -> Answer<PyVariant> {
        let name = id.split(':').next().unwrap_or(id);
        if !self.opened().catalog.has(name) {
            // A mapping raises KeyError; the message is that of the error for wrong input.
            let error = match self.open(py, id) {
                Ok(variant) => return Ok(variant),
                Err(error) => PyErr::from(error),
            };
            let text = error.value(py).to_string();
            return Err(pyo3::exceptions::PyKeyError::new_err(text).into());
        }
        self.open(py, id)
    }

    fn __contains__(&self, id: &str) -> bool {
        self.opened().catalog.has(id)
    }

    fn __len__(&self) -> usize {
        self.opened().catalog.iter().count()
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let ids = self.keys().into_pyobject(py)?;
        Ok(ids.try_iter()?.into_any().unbind())
    }

    /// Returns the names of all variants: compiled rule sets, then sections of files, texts and the library.
    pub fn keys(&self) -> Vec<String> {
        let opened = self.opened();
        opened
            .catalog
            .iter()
            .map(|entry| entry.id().to_owned())
            .collect()
    }

    /// Returns a row for each variant, as a dict: `id`, `name`, `inventor`, `page`, `board`, `difference`.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, pyo3::types::PyDict>>> {
        let opened = self.opened();
        let row = |entry: catalog::Entry<'_>| {
            let row = pyo3::types::PyDict::new(py);
            row.set_item("id", entry.id())?;
            row.set_item("name", entry.name())?;
            row.set_item("inventor", entry.inventor())?;
            row.set_item("page", entry.page())?;
            row.set_item("board", entry.board())?;
            row.set_item("difference", entry.difference())?;
            Ok(row)
        };
        opened.catalog.iter().map(row).collect()
    }

    /// The names of the files and texts that were added.
    #[getter]
    fn sources(&self) -> Vec<String> {
        let opened = self.opened();
        opened
            .added
            .iter()
            .map(|added| added.name.clone())
            .collect()
    }

    fn __repr__(&self) -> String {
        let sources = self.sources();
        let more = match sources.as_slice() {
            [] => String::new(),
            sources => format!(", with {}", sources.join(", ")),
        };
        format!("<Catalog of {} variants{more}>", self.__len__())
    }

    fn __reduce__(&self, py: Python<'_>) -> Reduced<(Vec<(String, String)>,)> {
        let restore = py
            .import("fairyproof._fairyproof")?
            .getattr("_restore_catalog")?;
        Ok((restore.unbind(), (pickled(&self.opened()),)))
    }
}

/// What a pickle holds of an object: the function that restores it, and the arguments of this function.
pub type Reduced<A> = PyResult<(Py<PyAny>, A)>;

/// Returns the files and texts of a catalog as a pickle holds them.
pub fn pickled(opened: &Opened) -> Vec<(String, String)> {
    let pair = |added: &Added| (added.name.clone(), added.text.clone());
    opened.added.iter().map(pair).collect()
}

/// Returns the catalog with these names and texts, for pickles.
pub fn restored(py: Python<'_>, added: Vec<(String, String)>) -> Answer<Arc<Opened>> {
    let added = added.into_iter().map(|(name, text)| Added {
        name,
        text,
        is_file: false,
    });
    catalog_with(py, added.collect())
}

/// Restores a catalog from a pickle.
#[pyfunction]
pub fn _restore_catalog(py: Python<'_>, added: Vec<(String, String)>) -> Answer<PyCatalog> {
    Ok(PyCatalog::of(restored(py, added)?))
}
