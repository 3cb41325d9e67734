//! Graphs as objects of other libraries and as files.

use super::searched::Searched;
use crate::errors::{Answer, Failure, guard};
use crate::position::side_name;
use diagnostics::Diagnostic;
use explore::{GameGraph, StateId};
use notation::with_setup;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use report::{GraphFile, GraphFormat, Target};
use std::path::Path;

/// Returns the edges as a CSR matrix of scipy.
///
/// # Errors
/// If scipy is not installed.
pub fn to_scipy<'py>(py: Python<'py>, graph: &GameGraph) -> Answer<Bound<'py, PyAny>> {
    let states = graph.states();
    let mut starts: Vec<u8> = Vec::with_capacity(8 * (states + 1));
    let mut targets: Vec<u8> = Vec::with_capacity(4 * graph.edges() as usize);
    let mut edges = 0u64;
    starts.extend_from_slice(&edges.to_le_bytes());
    for state in 0..states as StateId {
        let successors = graph.successors(state);
        edges += successors.len() as u64;
        starts.extend_from_slice(&edges.to_le_bytes());
        targets.extend(successors.iter().flat_map(|target| target.to_le_bytes()));
    }
    let numpy = py.import("numpy")?;
    let array = |bytes: Vec<u8>, kind: &str| {
        numpy.call_method1("frombuffer", (PyBytes::new(py, &bytes), kind))
    };
    // Row starts and column numbers have one type: 32 bits while the edges allow it.
    let kind = if edges < i32::MAX as u64 {
        "int32"
    } else {
        "int64"
    };
    let starts = array(starts, "<i8")?.call_method1("astype", (kind,))?;
    let targets = array(targets, "<i4")?.call_method1("astype", (kind,))?;
    let ones = numpy.call_method1("ones", (edges, "int32"))?;
    let shape = PyDict::new(py);
    shape.set_item("shape", (states, states))?;
    let matrix = py.import("scipy.sparse")?.getattr("csr_matrix")?;
    let matrix = matrix.call(((ones, targets, starts),), Some(&shape))?;
    matrix.call_method0("sum_duplicates")?;
    Ok(matrix)
}

/// Returns a graph as a `networkx.MultiDiGraph`.
///
/// # Errors
/// If the graph has more than `max_states` states or no edges, or networkx is not installed.
pub fn to_networkx<'py>(
    py: Python<'py>,
    inner: &Searched,
    max_states: usize,
) -> Answer<Bound<'py, PyAny>> {
    let graph = inner.needed_edges()?;
    if graph.states() > max_states {
        let why = format!(
            "it has {} states, at most {max_states} are allowed",
            graph.states()
        );
        let error = Diagnostic::new("graph", why);
        return Err(error
            .help("`max_states=`, or `to_scipy()` and the columns, which take far less memory")
            .into());
    }
    let result = py.import("networkx")?.call_method0("MultiDiGraph")?;
    let found = &inner.found;
    inner.view(|view| {
        for (depth, level) in inner.levels().into_iter().enumerate() {
            for state in level {
                let key = found.states.key(state as StateId);
                let node = PyDict::new(py);
                node.set_item("fen", view.expander.fen(key))?;
                node.set_item("outcome", view.expander.outcome(key).to_string())?;
                node.set_item("side", side_name(view.expander.side(key)))?;
                node.set_item("depth", depth)?;
                if let Some(values) = view.values {
                    let value = values.of(state as StateId);
                    node.set_item("value", value.word())?;
                    node.set_item("plies", value.distance_plies())?;
                }
                result.call_method("add_node", (state,), Some(&node))?;
            }
        }
        for state in 0..graph.states() as StateId {
            if graph.successors(state).is_empty() {
                continue;
            }
            for (text, key) in view.expander.turns(found.states.key(state)) {
                let edge = PyDict::new(py);
                edge.set_item("turn", text)?;
                let target = found.states.find(&key);
                result.call_method("add_edge", (state, target), Some(&edge))?;
            }
        }
        Ok::<(), PyErr>(())
    })?;
    Ok(result)
}

/// Writes a graph to a file.
///
/// # Errors
/// If the graph has no edges, or the file cannot be written.
pub fn write(inner: &Searched, path: &Path, format: GraphFormat) -> Answer<()> {
    guard(|| {
        let graph = inner.needed_edges()?;
        let write = |out: &mut dyn std::io::Write| {
            with_setup!(&inner.setup, start => {
                let file = GraphFile {
                    game: start.game.as_ref(),
                    found: &inner.found,
                    graph,
                    values: inner.values(),
                };
                file.write(format, out)
            })
        };
        let written = Target::open(path).and_then(|target| target.write(write));
        written.map_err(|error| {
            Failure::File(format!("`{}` cannot be written: {error}", path.display()))
        })
    })
}
