//! `verify`: claims from files, texts or dicts, with verdicts and evidence.

use crate::catalog::{PyCatalog, default_catalog};
use crate::errors::{Answer, Failure, warn};
use crate::stream::{PyColumns, failure};
use crate::work::{self, Options};
use claims::{Effort, Evidence, Listed, OpenFile, Verdict};
use control::files;
use diagnostics::{Diagnostic, nearest};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};
use report::ledger::ClaimRow;
use std::path::{Path, PathBuf};

/// The maximum size of a claims file, in bytes, as in the program.
const MAX_FILE_BYTES: u64 = 4 << 20;
/// The memory limit of a search that depends on memory, in bytes, unless more is free, as in the program.
const LEAST_BYTES: u64 = 512 << 20;

/// The verdict on a claim, with its evidence. It is true if the claim is confirmed, possibly as amended.
#[pyclass(name = "Finding", module = "fairyproof", frozen)]
pub struct PyFinding {
    row: ClaimRow,
    verdict: Verdict,
    evidence: Evidence,
}

#[pymethods]
impl PyFinding {
    /// The id of the claim, with that of its page: `frogs/early-win`.
    #[getter]
    fn claim(&self) -> &str {
        &self.row.claim
    }

    /// What the claim says.
    #[getter]
    fn statement(&self) -> &str {
        &self.row.statement
    }

    /// Where the claim is from.
    #[getter]
    fn source(&self) -> &str {
        &self.row.source
    }

    /// `confirmed`, `confirmed-as-amended`, `consistent`, `open`, `vacuous` or `refuted`.
    #[getter]
    fn verdict(&self) -> &str {
        &self.row.verdict
    }

    /// What the verdict rests on: `proof`, `exhaustive`, `witness` or `sample`.
    #[getter]
    fn scope(&self) -> &str {
        &self.row.scope
    }

    /// What was found, in a sentence.
    #[getter]
    fn summary(&self) -> &str {
        &self.row.summary
    }

    /// The evidence as columns of texts.
    #[getter]
    fn evidence(&self) -> Answer<PyColumns> {
        let batch = columns::texts(&self.evidence.columns, &self.evidence.rows);
        Ok(PyColumns::of(batch.map_err(failure)?))
    }

    /// The evidence as a list of dicts.
    #[getter]
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let row = |fields: &Vec<String>| {
            let row = PyDict::new(py);
            for (column, field) in self.evidence.columns.iter().zip(fields) {
                row.set_item(column, field)?;
            }
            Ok(row)
        };
        self.evidence.rows.iter().map(row).collect()
    }

    fn __bool__(&self) -> bool {
        matches!(
            self.verdict,
            Verdict::Confirmed | Verdict::ConfirmedAsAmended
        )
    }

    fn __repr__(&self) -> String {
        format!(
            "<Finding {}: {} ({})>",
            self.row.claim, self.row.verdict, self.row.scope
        )
    }
}

/// Claims to verify, as a caller gave them.
enum Given {
    /// A file, with its text.
    File(PathBuf, String),
    /// A text in the format of claims files.
    Text(String),
    /// The beginning of the ids of built-in claims.
    Prefix(String),
}

impl Given {
    /// Reads an argument: a path ending in `.toml`, a text with a line break, a dict, or a prefix.
    fn read(argument: &Bound<'_, PyAny>) -> Answer<Given> {
        if let Ok(table) = argument.cast::<PyDict>() {
            let table = toml_table(table)?;
            let text = toml::to_string(&table).map_err(|error| {
                Diagnostic::new("claims", format!("the dict is not a claims file: {error}"))
            })?;
            return Ok(Given::Text(text));
        }
        let path = match argument.cast::<PyString>() {
            Err(_) => argument.extract::<PathBuf>()?,
            Ok(text) => {
                let text = text.to_cow()?.into_owned();
                if text.contains('\n') {
                    return Ok(Given::Text(text));
                }
                if !text.ends_with(".toml") {
                    return Ok(Given::Prefix(text));
                }
                PathBuf::from(text)
            }
        };
        let text = files::read_text(&path, MAX_FILE_BYTES)?;
        Ok(Given::File(path, text))
    }
}

fn toml_table(dict: &Bound<'_, PyDict>) -> Answer<toml::Table> {
    let mut table = toml::Table::new();
    for (key, value) in dict {
        if !value.is_none() {
            table.insert(key.extract::<String>()?, toml_value(&value)?);
        }
    }
    Ok(table)
}

/// Converts a Python object to a value of TOML.
fn toml_value(value: &Bound<'_, PyAny>) -> Answer<toml::Value> {
    if let Ok(table) = value.cast::<PyDict>() {
        return Ok(toml::Value::Table(toml_table(table)?));
    }
    if let Ok(list) = value.cast::<PyList>() {
        let values = list.iter().map(|value| toml_value(&value));
        return Ok(toml::Value::Array(values.collect::<Answer<Vec<_>>>()?));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(toml::Value::String(text.to_cow()?.into_owned()));
    }
    // A bool is an int, too.
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(toml::Value::Boolean(truth.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(toml::Value::Integer(value.extract()?));
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(toml::Value::Float(value.extract()?));
    }
    let why = format!("`{}` cannot be a value of a claims file", value.repr()?);
    let error = Diagnostic::new("claims", why);
    Err(error.help("dicts, lists, texts, bools and numbers").into())
}

/// Returns whether the id of a claim begins with a prefix, with or without the page's part.
fn begins(id: &str, prefix: &str) -> bool {
    let own = id.split_once('/').map_or("", |(_, own)| own);
    id.starts_with(prefix) || own.starts_with(prefix)
}

/// Returns the error for a prefix that no claim has.
fn unknown_prefix(prefix: &str, all: &[Listed<'_>]) -> Diagnostic {
    let error = Diagnostic::new(format!("claims `{prefix}`"), "no claim's id begins with it");
    match nearest(prefix, all.iter().map(|claim| claim.id)) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error.help("a path that ends in `.toml`, a text of several lines, or a dict"),
    }
}

/// Verifies claims. Each of `claims` is a claims file (a path that ends in `.toml`), its text, a dict with its
/// content, or the beginning of the ids of built-in claims; without any, all built-in claims are verified.
///
/// `only` chooses claims by the beginnings of their ids. With `deep`, claims that take long are verified too.
///
/// >>> import fairyproof
/// >>> [finding] = fairyproof.verify({
/// ...     "page": {"title": "Frogs", "variant": "losalamos"},
/// ...     "claim": [{"id": "early", "says": "no side wins with its first turn",
/// ...                "never": "turns.exists(t, t.after.won(side))"}],
/// ... })
/// >>> finding.verdict, bool(finding)
/// ('confirmed', True)
#[pyfunction]
#[pyo3(signature = (*claims, catalog=None, only=None, deep=false, threads=None, memory=None, time=None,
                    progress=None))]
#[allow(clippy::too_many_arguments, reason = "they are named in Python")]
pub fn verify(
    py: Python<'_>,
    claims: Vec<Bound<'_, PyAny>>,
    catalog: Option<&PyCatalog>,
    only: Option<Vec<String>>,
    deep: bool,
    threads: Option<usize>,
    memory: Option<Bound<'_, PyAny>>,
    time: Option<f64>,
    progress: Option<Bound<'_, PyAny>>,
) -> Answer<Vec<PyFinding>> {
    let is_limited = memory.is_some();
    let options = Options::new(py, threads, memory, time, progress)?;
    let opened = catalog.unwrap_or(default_catalog(py)).opened();
    let given = claims.iter().map(Given::read).collect::<Answer<Vec<_>>>()?;
    let memory_bytes = match is_limited {
        true => options.memory_bytes(),
        false => options.memory_bytes().max(LEAST_BYTES),
    };
    let only = only.unwrap_or_default();
    let (findings, warnings) = work::run(py, options, move |working| {
        let mut warnings = Vec::new();
        let mut files = Vec::new();
        for (number, given) in (1..).zip(&given) {
            let (name, text, folder) = match given {
                Given::Prefix(_) => continue,
                Given::File(path, text) => (path.display().to_string(), text, path.parent()),
                Given::Text(text) => (format!("claims {number}"), text, Some(Path::new("."))),
            };
            let file = OpenFile::read(&name, text, folder, &opened.catalog)?;
            let noted = file.validate()?;
            warnings.extend(
                noted
                    .into_iter()
                    .map(|warning| format!("{name}: {warning}")),
            );
            files.push(file);
        }
        let pages = claims::built_in_pages(&opened.catalog)?;
        let built_in: Vec<Listed<'_>> = (pages.iter().flat_map(Listed::of_file))
            .chain(claims::all().into_iter().map(Listed::compiled))
            .collect();
        let mut chosen: Vec<Listed<'_>> = files.iter().flat_map(Listed::of_file).collect();
        for given in &given {
            if let Given::Prefix(prefix) = given {
                let before = chosen.len();
                let wanted = built_in.iter().filter(|claim| begins(claim.id, prefix));
                chosen.extend(wanted.copied());
                if chosen.len() == before {
                    return Err(unknown_prefix(prefix, &built_in).into());
                }
            }
        }
        if given.is_empty() {
            chosen.extend(built_in.iter().copied());
        }
        chosen.retain(|claim| deep || !claim.deep);
        if let Some(prefix) = only
            .iter()
            .find(|p| !chosen.iter().any(|c| begins(c.id, p)))
        {
            return Err(unknown_prefix(prefix, &chosen).into());
        }
        chosen.retain(|claim| only.is_empty() || only.iter().any(|p| begins(claim.id, p)));
        let control = working.control.with_memory(memory_bytes);
        let effort = Effort { deep, control };
        let mut findings = Vec::new();
        let total = chosen.len() as u64;
        for (done, claim) in (0..).zip(&chosen) {
            control.report_done("verifying", done, total, "claims");
            let finding = claim.verify(&effort)?;
            // After a stop, a finding may rest on incomplete work.
            control.check().map_err(Failure::from)?;
            findings.push(PyFinding {
                row: ClaimRow::new(claim, &finding),
                verdict: finding.verdict,
                evidence: finding.evidence,
            });
        }
        Ok((findings, warnings))
    })?;
    warnings.iter().try_for_each(|warning| warn(py, warning))?;
    Ok(findings)
}

/// Returns a first claims file for a variant: about ten claims with the values found.
#[pyfunction]
#[pyo3(signature = (id, *, catalog=None, threads=None, memory=None, time=None, progress=None))]
#[allow(clippy::too_many_arguments, reason = "they are named in Python")]
pub fn new_claims(
    py: Python<'_>,
    id: String,
    catalog: Option<&PyCatalog>,
    threads: Option<usize>,
    memory: Option<Bound<'_, PyAny>>,
    time: Option<f64>,
    progress: Option<Bound<'_, PyAny>>,
) -> Answer<String> {
    let options = Options::new(py, threads, memory, time, progress)?;
    let opened = catalog.unwrap_or(default_catalog(py)).opened();
    work::run(py, options, move |working| {
        opened.catalog.open(&id)?;
        let text = claims::new_file(&opened.catalog, &id, &working.control);
        working.control.check().map_err(Failure::from)?;
        Ok(text?)
    })
}
