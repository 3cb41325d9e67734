//! `Probe`, `TablePosition`: answers of a table, and queries about its positions.

use super::layouts::{Opened, with_tables};
use crate::errors::Answer;
use crate::expressions::{compile, interrupted};
use crate::graph::PyValue;
use crate::work::{self, Options};
use language::About;
use pyo3::prelude::*;
use std::sync::Arc;
use tables::{Counting, Query, QueryError, find_positions};

/// The value of a position, with that of each turn, best first.
#[pyclass(name = "Probe", module = "fairyproof", frozen)]
pub struct PyProbe {
    pub(super) probe: tables::Probe,
}

#[pymethods]
impl PyProbe {
    /// The value for the side to move.
    #[getter]
    fn value(&self) -> PyValue {
        self.probe.value.into()
    }

    /// The turns with their values for the side that makes them, best first.
    #[getter]
    fn turns(&self) -> Vec<(String, PyValue)> {
        let turns = self.probe.turns.iter();
        turns
            .map(|turn| (turn.text.clone(), turn.value.into()))
            .collect()
    }

    fn __repr__(&self) -> String {
        let best = self
            .probe
            .turns
            .first()
            .map_or("", |turn| turn.text.as_str());
        format!("<Probe {} {best}>", self.probe.value)
    }
}

/// A position of a table, with the values of further expressions.
#[pyclass(name = "TablePosition", module = "fairyproof", frozen)]
pub struct PyTablePosition {
    pub(super) found: tables::FoundPosition,
}

#[pymethods]
impl PyTablePosition {
    /// The position as FEN.
    #[getter]
    fn fen(&self) -> &str {
        &self.found.fen
    }

    /// The value for the side to move.
    #[getter]
    fn value(&self) -> Option<PyValue> {
        self.found.value.map(PyValue::from)
    }

    /// The values of the expressions of `by`, as texts.
    #[getter]
    fn by(&self) -> Vec<String> {
        self.found.by.clone()
    }

    fn __repr__(&self) -> String {
        let value = self
            .found
            .value
            .map_or(String::new(), |value| value.to_string());
        format!("<TablePosition {value} {}>", self.found.fen)
    }
}

/// The result of a query.
pub(super) type Queried = (
    Vec<tables::FoundPosition>,
    explore::Groups,
    language::Expression,
);

/// Evaluates a query about the positions of a table.
pub(super) fn query(
    py: Python<'_>,
    opened: Arc<Opened>,
    expression: &str,
    by: Vec<String>,
    counts: bool,
    limit: Option<usize>,
    options: Options,
) -> Answer<Queried> {
    let expression = expression.to_owned();
    work::run(py, options, move |working| {
        let catalog = &opened.variant.opened.catalog;
        let read = |what: &str, text: &str, is_condition| {
            compile(
                catalog,
                &opened.game,
                About::VALUED,
                what,
                text,
                is_condition,
            )
        };
        let condition = read("expression", &expression, true)?;
        let by = by.iter().map(|text| read("by", text, false));
        let by = by.collect::<Answer<Vec<_>>>()?;
        let control = working.control;
        let is_due = || control.check().is_err();
        let mut found = Vec::new();
        let result = with_tables!(&opened.tables, tables => {
            let query = Query {
                tables,
                signature: &opened.signature,
                condition: &condition,
                by: &by,
                counts,
                counting: Counting::All,
                pool: None,
                stop: &is_due,
            };
            find_positions(&query, &mut |position| {
                found.push(position);
                match limit.is_some_and(|limit| found.len() >= limit) {
                    true => Err(std::io::ErrorKind::WriteZero.into()),
                    false => Ok(()),
                }
            })
        });
        let groups = match result {
            Ok(groups) => groups,
            Err(QueryError::Input(error)) => return Err(error.into()),
            // The wanted number of positions is there.
            Err(QueryError::Output(_)) => explore::Groups::new(),
            Err(QueryError::Interrupted(_)) => return Err(interrupted(&control)),
        };
        Ok((found, groups, condition))
    })
}
