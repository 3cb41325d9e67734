//! `Graph`: every position that legal turns lead to, with values under best play.

mod answers;
mod disk;
mod export;
mod questions;
mod searched;

use crate::errors::{Answer, Failure, guard, warn};
use crate::expressions::{counted, warn_of};
use crate::position::{PyPosition, number_of, position_of};
use crate::stream::{PyColumns, failure};
use crate::variant::PyVariant;
use crate::work::{self, Options};
pub use answers::{PyFound, PyLine, PyStructure, PyValue};
use answers::{by_outcome, by_word};
use columns::{BATCH_ROWS, Edges, States};
use control::Stopped;
use diagnostics::Diagnostic;
pub use disk::PyDiskGraph;
use disk::explore_on_disk;
use explore::{Expander, Exploration, Limits, StateId, Summary, bottlenecks, condensation};
use notation::{Setup, Start, with_setup};
use position::Layout;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use questions::{texts, warn_incomplete};
use report::GraphFormat;
use report::explored::Explored;
use report::solved::Solved;
use rules::Variant;
use scale::{SolvedSummary, Ties};
use searched::{Searched, solved};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use values::{GraphStates, best_line, census};

/// The largest graph that is explored, in states.
const MAX_STATES: u64 = u32::MAX as u64 - 1;

/// The graph of all positions that legal turns lead to from a root, within limits.
///
/// States are numbered by their distance from the root, which is state 0. `explore` makes graphs.
#[pyclass(name = "Graph", module = "fairyproof", frozen)]
pub struct PyGraph {
    inner: Arc<Searched>,
}

/// Explores the graph of a position: all positions that legal turns lead to, breadth first.
///
/// `max_states` and `max_depth` bound the graph. Without `edges`, it takes less memory, but it has no values,
/// structure or edges. With `solve`, every state gets its value. Values are certified if there are at most 10
/// million states, or with `certify=True`.
///
/// A limit that stops the search is named by `Graph.limit`; the part that was explored is the graph then.
///
/// With `disk`, the states are kept in this folder, for graphs that do not fit in memory, and the answer is a
/// `DiskGraph`. The same call continues a search that was stopped there.
///
/// >>> import fairyproof
/// >>> graph = fairyproof.explore(fairyproof.position("fide", "k3/4/4/3K w - - 0 1"))
/// >>> len(graph), graph.complete, graph.depth
/// (312, True, 10)
#[pyfunction(name = "explore")]
#[pyo3(signature = (position, *, max_states=None, max_depth=None, edges=true, solve=false, certify=None, disk=None,
                    threads=None, memory=None, time=None, progress=None))]
#[allow(clippy::too_many_arguments, reason = "they are named in Python")]
pub fn explore_graph(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    max_states: Option<u64>,
    max_depth: Option<u32>,
    edges: bool,
    solve: bool,
    certify: Option<bool>,
    disk: Option<PathBuf>,
    threads: Option<usize>,
    memory: Option<Bound<'_, PyAny>>,
    time: Option<f64>,
    progress: Option<Bound<'_, PyAny>>,
) -> Answer<Py<PyAny>> {
    let options = Options::new(py, threads, memory, time, progress)?;
    if max_states == Some(0) {
        return Err(Diagnostic::new("max_states", "a graph has at least one state").into());
    }
    if solve && !edges {
        let error = Diagnostic::new("edges", "values are computed from the edges");
        return Err(error.help("`edges=True`").into());
    }
    let position = position_of(py, position)?;
    let (variant, setup) = (
        Arc::clone(&position.get().variant),
        position.get().setup.clone(),
    );
    if let Some(folder) = disk {
        let limits = scale::disk::Limits {
            max_states,
            max_depth: max_depth.unwrap_or(u32::MAX),
        };
        let graph = explore_on_disk(py, variant, setup, folder, limits, solve, certify, options)?;
        if solve && !graph.is_solved() {
            warn_unsolved(py)?;
        }
        return Ok(Py::new(py, graph)?.into_any());
    }
    let limits = Limits {
        max_states: max_states.unwrap_or(MAX_STATES).min(MAX_STATES),
        max_depth: max_depth.unwrap_or(u32::MAX),
        edges,
    };
    let inner = work::run(py, options, move |working| {
        let control = &working.control;
        let found = with_setup!(&setup, start => {
            explore::explore(start.game.as_ref(), &start.position, &limits, control)
        });
        if found.summary.limit == Some(Stopped::Interrupted) {
            return Err(Failure::Interrupted);
        }
        let inner = Searched {
            variant,
            setup,
            found,
            solved: OnceLock::new(),
        };
        if solve && inner.found.summary.complete() {
            let _ = inner.solved.set(solved(&inner, certify, control)?);
        }
        Ok(Arc::new(inner))
    })?;
    if solve && inner.solved.get().is_none() {
        warn_unsolved(py)?;
    }
    Ok(Py::new(py, PyGraph { inner })?.into_any())
}

fn warn_unsolved(py: Python<'_>) -> PyResult<()> {
    warn(py, "the graph is not complete, and so not solved")
}

/// Returns the levels of a graph as columns.
fn depth_columns(summary: &Summary) -> Answer<PyColumns> {
    let batch = columns::depths(&summary.depths);
    Ok(PyColumns::of(batch.map_err(failure)?))
}

/// Returns the text that represents a graph.
fn described(class: &str, variant: &Variant, summary: &Summary, is_solved: bool) -> String {
    let state = match summary.limit {
        None => "complete".to_owned(),
        Some(stopped) => format!("not complete, limit {}", stopped.limit()),
    };
    let solved = if is_solved { ", solved" } else { "" };
    let states = summary.states;
    format!("<{class} of {variant}: {states} states, {state}{solved}>")
}

/// Returns the summary of the values of a graph, if it is solved and has edges.
fn solved_summary(inner: &Searched) -> Option<SolvedSummary> {
    let (solved, graph) = (inner.solved.get()?, inner.found.graph.as_ref()?);
    let (certificate, ties) = (solved.certificate.as_ref(), Ties::LeastKey);
    Some(inner.view(|view| {
        let (expander, found) = (view.expander, view.found);
        SolvedSummary::of_graph(expander, found, graph, &solved.values, certificate, ties)
    }))
}

impl PyGraph {
    fn ask(&self, py: Python<'_>, text: &str, wanted: bool, options: Options) -> Answer<PyFound> {
        let (inner, text) = (Arc::clone(&self.inner), text.to_owned());
        let (witness, condition) = work::run(py, options, move |working| {
            inner.first(&text, wanted, &working.control)
        })?;
        warn_of(py, &condition)?;
        if witness.is_none() {
            self.inner.refuse_incomplete("it")?;
        }
        Ok(PyFound::new(wanted, witness))
    }

    /// Returns the state of an argument: a number, a position, or the root.
    fn argument(&self, state: Option<&Bound<'_, PyAny>>) -> Answer<StateId> {
        let Some(state) = state else {
            return Ok(0);
        };
        if let Ok(position) = state.cast::<PyPosition>() {
            let found = self.inner.state_of(position.get())?;
            return found
                .ok_or_else(|| Diagnostic::new("position", "the graph does not have it").into());
        }
        self.inner.state(state.extract::<u64>()?)
    }

    fn best_line(&self, state: StateId) -> Answer<Option<PyLine>> {
        let values = self.inner.needed_values()?;
        let found = &self.inner.found;
        let key = found.states.key(state);
        let (line, fen) = self.inner.view(|view| {
            let mut states = GraphStates { found, values };
            let line = best_line(view.expander, &mut states, key);
            (line, view.expander.fen(key))
        });
        let Ok(line) = line;
        Ok(line.map(|line| PyLine::best(line, fen)))
    }
}

#[pymethods]
impl PyGraph {
    /// The variant.
    #[getter]
    fn variant(&self) -> PyVariant {
        PyVariant {
            inner: Arc::clone(&self.inner.variant),
        }
    }

    /// The position of state 0.
    #[getter]
    fn root(&self) -> PyPosition {
        PyPosition::new(&self.inner.variant, self.inner.setup.clone())
    }

    /// The number of states.
    fn __len__(&self) -> usize {
        self.inner.found.states.len()
    }

    /// The number of states.
    #[getter]
    fn states(&self) -> usize {
        self.inner.found.states.len()
    }

    /// The number of edges: of turns of all states. Two turns that lead to one state are two edges.
    #[getter]
    fn edges(&self) -> u64 {
        self.inner.found.summary.edges
    }

    /// The distance of the farthest state from the root, in plies.
    #[getter]
    fn depth(&self) -> u32 {
        self.inner.found.summary.deepest()
    }

    /// Whether all positions that turns lead to are states.
    #[getter]
    fn complete(&self) -> bool {
        self.inner.found.summary.complete()
    }

    /// The limit that stopped the search, such as `max-states`; `None` if the graph is complete.
    #[getter]
    fn limit(&self) -> Option<&'static str> {
        self.inner
            .found
            .summary
            .limit
            .map(|stopped| stopped.limit())
    }

    /// Whether every state has its value.
    #[getter]
    fn is_solved(&self) -> bool {
        self.inner.solved.get().is_some()
    }

    /// The number of states whose values were certified: compared with those of all successors, which the rules
    /// generate again. 0 if they were not.
    #[getter]
    fn certified_states(&self) -> u64 {
        let solved = self.inner.solved.get();
        let certificate = solved.and_then(|solved| solved.certificate.as_ref());
        certificate.map_or(0, |found| match found.faulty_states {
            0 => found.states,
            _ => 0,
        })
    }

    /// The number of states at which the game has ended, by outcome.
    #[getter]
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        by_outcome(py, &self.inner.found.summary)
    }

    /// The number of states with each value.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyDict>> {
        let (values, graph) = (self.inner.needed_values()?, self.inner.needed_edges()?);
        let counts = py.detach(|| census(graph, values).counts());
        Ok(by_word(py, counts)?)
    }

    /// Computes the value of every state under best play. The graph must be complete and have edges.
    #[pyo3(signature = (*, certify=None, threads=None, memory=None, time=None, progress=None))]
    fn solve(
        &self,
        py: Python<'_>,
        certify: Option<bool>,
        threads: Option<usize>,
        memory: Option<Bound<'_, PyAny>>,
        time: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Answer<()> {
        let options = Options::new(py, threads, memory, time, progress)?;
        self.inner.needed_edges()?;
        let inner = Arc::clone(&self.inner);
        let found = work::run(py, options, move |working| {
            solved(&inner, certify, &working.control)
        })?;
        let _ = self.inner.solved.set(found);
        Ok(())
    }

    /// Returns the value of a state or position, or of the root.
    #[pyo3(signature = (state=None))]
    fn value(&self, state: Option<&Bound<'_, PyAny>>) -> Answer<PyValue> {
        let state = self.argument(state)?;
        Ok(self.inner.needed_values()?.of(state).into())
    }

    /// Returns the state of a position, or `None` if the graph does not have it.
    fn state_of(&self, position: &PyPosition) -> Answer<Option<StateId>> {
        guard(|| self.inner.state_of(position))
    }

    fn __contains__(&self, position: &PyPosition) -> Answer<bool> {
        Ok(self.state_of(position)?.is_some())
    }

    /// Returns the position of a state.
    fn position(&self, state: u64) -> Answer<PyPosition> {
        fn at<W: Layout>(found: &Exploration, start: &Start<W>, state: StateId) -> Setup {
            Setup::from(Start {
                game: Arc::clone(&start.game),
                position: found.position::<W>(state),
            })
        }
        let state = self.inner.state(state)?;
        guard(|| {
            let setup =
                with_setup!(&self.inner.setup, start => at(&self.inner.found, start, state));
            Ok(PyPosition::new(&self.inner.variant, setup))
        })
    }

    /// Returns the FEN of a state.
    fn fen(&self, state: u64) -> Answer<String> {
        let state = self.inner.state(state)?;
        guard(|| Ok(self.inner.fen(state)))
    }

    /// Returns the key of a state, which is the number in the column `key`.
    fn key<'py>(&self, py: Python<'py>, state: u64) -> Answer<Bound<'py, PyAny>> {
        let state = self.inner.state(state)?;
        Ok(number_of(py, self.inner.found.states.key(state))?)
    }

    /// Returns the states that the turns of a state lead to, one for each turn.
    fn successors(&self, state: u64) -> Answer<Vec<StateId>> {
        let state = self.inner.state(state)?;
        Ok(self.inner.needed_edges()?.successors(state).to_vec())
    }

    /// Returns the states from which a turn leads to a state, one for each turn.
    fn predecessors(&self, py: Python<'_>, state: u64) -> Answer<Vec<StateId>> {
        let state = self.inner.state(state)?;
        let graph = self.inner.needed_edges()?;
        Ok(py.detach(|| graph.predecessors(state).to_vec()))
    }

    /// Returns the turns of a state with the states that they lead to, in byte order.
    fn turns<'py>(&self, py: Python<'py>, state: u64) -> Answer<Bound<'py, PyDict>> {
        let state = self.inner.state(state)?;
        let turns = guard(|| {
            Ok(self
                .inner
                .view(|view| view.expander.turns(view.found.states.key(state))))
        })?;
        let targets = PyDict::new(py);
        for (text, key) in turns {
            targets.set_item(text, self.inner.found.states.find(&key))?;
        }
        Ok(targets)
    }

    /// Returns a shortest line of turns from the root to a state or position.
    fn line_to(&self, state: &Bound<'_, PyAny>) -> Answer<Vec<String>> {
        let state = self.argument(Some(state))?;
        guard(|| Ok(self.inner.line_to(state)))
    }

    /// Returns a line of best play from a state or position, or from the root.
    #[pyo3(signature = (state=None))]
    fn best(&self, state: Option<&Bound<'_, PyAny>>) -> Answer<Option<PyLine>> {
        let state = self.argument(state)?;
        guard(|| self.best_line(state))
    }

    /// Returns the longest win under best play. Of several, the one that the fewest turns reach, and of these the one
    /// with the least key. `None` if no state is won.
    fn longest_win(&self, py: Python<'_>) -> Answer<Option<PyLine>> {
        self.inner.needed_values()?;
        let inner = Arc::clone(&self.inner);
        let options = Options::new(py, None, None, None, None)?;
        work::run(py, options, move |_| {
            let longest = solved_summary(&inner).and_then(|summary| summary.census.longest_win);
            Ok(longest.and_then(|farthest| {
                let fen = inner.view(|view| view.expander.fen(&farthest.key));
                farthest.line.map(|line| PyLine::best(line, fen))
            }))
        })
    }

    /// Returns the nearest state for which an expression holds, with a shortest line to it. An incomplete graph
    /// without such a state is an error: it has no answer.
    ///
    /// >>> import fairyproof
    /// >>> graph = fairyproof.explore("fide", max_depth=4)
    /// >>> graph.find("won(black)").line
    /// ['f2f3', 'e7e6', 'g2g4', 'd8h4']
    #[pyo3(signature = (expression, *, threads=None, time=None, progress=None))]
    fn find(
        &self,
        py: Python<'_>,
        expression: &str,
        threads: Option<usize>,
        time: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Answer<PyFound> {
        let options = Options::new(py, threads, None, time, progress)?;
        self.ask(py, expression, true, options)
    }

    /// Returns whether an expression holds in every state, or the nearest state in which it does not. An
    /// incomplete graph without such a state is an error: it has no answer.
    #[pyo3(signature = (expression, *, threads=None, time=None, progress=None))]
    fn always(
        &self,
        py: Python<'_>,
        expression: &str,
        threads: Option<usize>,
        time: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Answer<PyFound> {
        let options = Options::new(py, threads, None, time, progress)?;
        self.ask(py, expression, false, options)
    }

    /// Returns the number of states for which an expression holds, or with `by` a dict of numbers by the value
    /// of another expression.
    #[pyo3(signature = (expression, by=None, *, threads=None, memory=None, time=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "they are named in Python")]
    fn count<'py>(
        &self,
        py: Python<'py>,
        expression: &str,
        by: Option<&str>,
        threads: Option<usize>,
        memory: Option<Bound<'py, PyAny>>,
        time: Option<f64>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> Answer<Bound<'py, PyAny>> {
        let options = Options::new(py, threads, memory, time, progress)?;
        let (inner, text, by_text) = (
            Arc::clone(&self.inner),
            expression.to_owned(),
            by.map(str::to_owned),
        );
        let (groups, condition) = work::run(py, options, move |working| {
            inner.count(&text, by_text.as_deref(), &working.control)
        })?;
        warn_of(py, &condition)?;
        if !self.complete() {
            warn_incomplete(py)?;
        }
        counted(py, &groups, by.is_some())
    }

    /// Returns the states for which an expression holds.
    #[pyo3(signature = (expression, *, threads=None, time=None, progress=None))]
    #[pyo3(name = "where")]
    fn where_(
        &self,
        py: Python<'_>,
        expression: &str,
        threads: Option<usize>,
        time: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Answer<Vec<usize>> {
        let options = Options::new(py, threads, None, time, progress)?;
        let (inner, text) = (Arc::clone(&self.inner), expression.to_owned());
        let found = work::run(py, options, move |working| {
            inner.chosen(&text, &working.control)
        })?;
        Ok(found.ones().collect())
    }

    /// Returns the states that every line from the root to a goal passes through. The goal is `white` or `black`
    /// for a win of this side, or an expression. `None` if no line leads to a goal.
    #[pyo3(signature = (goal, *, threads=None, time=None, progress=None))]
    fn bottlenecks(
        &self,
        py: Python<'_>,
        goal: &str,
        threads: Option<usize>,
        time: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Answer<Option<Vec<StateId>>> {
        let options = Options::new(py, threads, None, time, progress)?;
        self.inner.refuse_incomplete("it")?;
        self.inner.needed_edges()?;
        let text = match goal {
            "white" | "black" => format!("won({goal})"),
            goal => goal.to_owned(),
        };
        let inner = Arc::clone(&self.inner);
        work::run(py, options, move |working| {
            let goals = inner.chosen(&text, &working.control)?;
            Ok(bottlenecks(inner.needed_edges()?, &goals).states)
        })
    }

    /// Returns the strongly connected components, and the longest path if the graph has no cycle.
    fn structure(&self, py: Python<'_>) -> Answer<PyStructure> {
        self.inner.needed_edges()?;
        let inner = Arc::clone(&self.inner);
        let options = Options::new(py, None, None, None, None)?;
        work::run(py, options, move |_| {
            let structure = explore::structure(inner.needed_edges()?);
            let longest_path = structure.longest_path.as_ref().map(|path| {
                with_setup!(&inner.setup, start => {
                    texts(start, &inner.found.turns_along(start.game.as_ref(), path))
                })
            });
            Ok(PyStructure {
                acyclic: structure.acyclic,
                components: structure.components,
                cyclic_components: structure.cyclic_components,
                largest_component_states: structure.largest_component_states,
                longest_path,
            })
        })
    }

    /// Returns the strongly connected components as lists of states, in an order in which play never returns
    /// to an earlier one, and for each component its successors with the numbers of edges.
    #[allow(clippy::type_complexity, reason = "the type is plain in Python")]
    fn condensation(
        &self,
        py: Python<'_>,
    ) -> Answer<(Vec<Vec<StateId>>, Vec<std::collections::BTreeMap<u32, u64>>)> {
        self.inner.needed_edges()?;
        let inner = Arc::clone(&self.inner);
        let options = Options::new(py, None, None, None, None)?;
        work::run(py, options, move |_| {
            let condensed = condensation(inner.needed_edges()?);
            Ok((condensed.components, condensed.edges))
        })
    }

    /// Returns the figures of the graph as the program prints them.
    #[pyo3(signature = (structure=true))]
    fn text(&self, py: Python<'_>, structure: bool) -> Answer<String> {
        let inner = Arc::clone(&self.inner);
        let options = Options::new(py, None, None, None, None)?;
        work::run(py, options, move |_| {
            let found = &inner.found;
            with_setup!(&inner.setup, start => {
                let game = start.game.as_ref();
                let fen = inner.setup.fen();
                let mut explored = Explored::new(game.variant().to_string(), fen, &found.summary);
                if structure && let Some(structure) = found.structure() {
                    explored = explored.with_structure(game, found, &structure);
                }
                if let Some(summary) = solved_summary(&inner) {
                    let expander = Expander::new(game, &start.position);
                    explored.solved = Some(Solved::new(&expander, &summary));
                }
                Ok(explored.text())
            })
        })
    }

    /// Returns the states as columns: `state`, `key`, `side`, with values `value` and `plies`, then `depth`,
    /// with edges `turns`; `outcome` and `fen` on request, which take longer.
    #[pyo3(signature = (*, outcome=false, fen=false))]
    fn state_columns(&self, outcome: bool, fen: bool) -> PyColumns {
        let (inner, columns) = (Arc::clone(&self.inner), States { outcome, fen });
        let schema = inner.view(|view| columns.schema(view));
        let rows = inner.found.states.len() as u64;
        PyColumns::streamed(schema, Some(rows), move || {
            let inner = Arc::clone(&inner);
            let states = inner.found.states.len() as StateId;
            (0..states).step_by(BATCH_ROWS).map(move |first| {
                let end = states.min(first.saturating_add(BATCH_ROWS as StateId));
                inner.view(|view| columns.batch(view, first..end))
            })
        })
    }

    /// Returns the edges as columns: `source`, `target`; `turn` on request, which takes longer.
    #[pyo3(signature = (*, turn=false))]
    fn edge_columns(&self, turn: bool) -> Answer<PyColumns> {
        let rows = self.inner.needed_edges()?.edges();
        let (inner, columns) = (Arc::clone(&self.inner), Edges { turn });
        Ok(PyColumns::streamed(
            columns.schema(),
            Some(rows),
            move || {
                let inner = Arc::clone(&inner);
                let mut first = 0;
                std::iter::from_fn(move || {
                    let end = columns.next(&inner.found, first, BATCH_ROWS)?;
                    let states = first..end;
                    first = end;
                    Some(inner.view(|view| columns.batch(view, states)))
                })
            },
        ))
    }

    /// Returns the levels of the graph as columns.
    fn depth_columns(&self) -> Answer<PyColumns> {
        depth_columns(&self.inner.found.summary)
    }

    /// Returns the graph as a sparse matrix of scipy (CSR). The element (i, j) is the number of turns from
    /// state i to state j.
    fn to_scipy<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyAny>> {
        export::to_scipy(py, self.inner.needed_edges()?)
    }

    /// Returns the graph as a `networkx.MultiDiGraph`: nodes with `fen`, `outcome`, `depth` and if solved `value`
    /// and `plies`, edges with `turn`. For small graphs: more than 100,000 states need `max_states`.
    #[pyo3(signature = (max_states=100_000))]
    fn to_networkx<'py>(&self, py: Python<'py>, max_states: usize) -> Answer<Bound<'py, PyAny>> {
        export::to_networkx(py, &self.inner, max_states)
    }

    /// Writes the graph to a file for Graphviz.
    fn write_dot(&self, path: PathBuf) -> Answer<()> {
        export::write(&self.inner, &path, GraphFormat::Dot)
    }

    /// Writes the graph to a file as GraphML.
    fn write_graphml(&self, path: PathBuf) -> Answer<()> {
        export::write(&self.inner, &path, GraphFormat::GraphMl)
    }

    fn __repr__(&self) -> String {
        let variant = &self.inner.variant.variant;
        described(
            "Graph",
            variant,
            &self.inner.found.summary,
            self.is_solved(),
        )
    }
}
