//! `Graph`: every position that legal turns lead to, with values under best play.

use crate::errors::{Answer, Failure, guard, warn};
use crate::expressions::{compile, warn_of};
use crate::position::{IntoSetup, PyPosition, key_for, number_of, position_of, side_name};
use crate::stream::{PyColumns, failure};
use crate::variant::{OpenVariant, PyVariant, other_game};
use crate::work::{self, Options};
use columns::{BATCH_ROWS, Edges, GraphView, States};
use control::{Control, Stopped};
use diagnostics::Diagnostic;
use explore::{
    Expander, Exploration, FixedBitSet, Group, Limits, Query, StateId, bottlenecks, condensation,
    count_states, first_state, line_to, states_where,
};
use language::{About, Expression, Interrupted};
use notation::{Setup, Start, turns, with_setup};
use position::Layout;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use report::explored::Explored;
use report::solved::Solved;
use report::{GraphFile, Target};
use rules::Turn;
use scale::{SolvedSummary, Ties};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use values::{
    BestLine, Certificate, GraphOracle, GraphStates, LineEnd, Value, Values, best_line, census,
    certify_game, solve_game,
};

/// The largest graph that is explored, in states.
const MAX_STATES: u64 = u32::MAX as u64 - 1;
/// The largest graph whose values are certified without a request, in states, as in the program.
const CERTIFIED_STATES: usize = 10_000_000;

/// The value of a position under best play, for the side to move.
///
/// >>> import fairyproof
/// >>> graph = fairyproof.explore(fairyproof.position("fide", "k3/4/4/3R/3K w - - 0 1"), solve=True)
/// >>> graph.value()
/// <Value win in 11>
/// >>> graph.value().word, graph.value().plies
/// ('win', 11)
#[pyclass(name = "Value", module = "fairyproof", frozen)]
pub struct PyValue {
    value: Value,
}

impl From<Value> for PyValue {
    fn from(value: Value) -> PyValue {
        PyValue { value }
    }
}

#[pymethods]
impl PyValue {
    /// `loss`, `weak-loss`, `draw`, `weak-win` or `win`.
    #[getter]
    fn word(&self) -> &'static str {
        self.value.word()
    }

    /// The plies to the end under best play; `None` for a draw.
    #[getter]
    fn plies(&self) -> Option<u16> {
        self.value.distance_plies()
    }

    /// 2 for a win, 1 for a weak win, 0 for a draw, -1 for a weak loss, -2 for a loss.
    #[getter]
    fn worth(&self) -> i8 {
        self.value.worth()
    }

    fn __str__(&self) -> String {
        self.value.to_string()
    }

    fn __repr__(&self) -> String {
        match self.plies() {
            Some(plies) => format!("<Value {} in {plies}>", self.word()),
            None => format!("<Value {}>", self.word()),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<PyValue>();
        other.is_ok_and(|other| other.get().value == self.value)
    }

    fn __lt__(&self, other: &PyValue) -> bool {
        self.value < other.value
    }

    fn __hash__(&self) -> i32 {
        self.value.rank()
    }
}

/// A graph with its rules.
struct Searched {
    variant: Arc<OpenVariant>,
    setup: Setup,
    found: Exploration,
    solved: OnceLock<SolvedGraph>,
}

/// The values of all states.
struct SolvedGraph {
    values: Values,
    /// The result of comparing the values with those of all successors, if they were compared.
    certificate: Option<Certificate>,
}

/// The graph of all positions that legal turns lead to from a root, within limits.
///
/// States are numbered by their distance from the root, which is state 0. `explore` makes graphs.
#[pyclass(name = "Graph", module = "fairyproof", frozen)]
pub struct PyGraph {
    inner: Arc<Searched>,
}

/// A line of best play, or of a shortest way to a state.
#[pyclass(name = "Line", module = "fairyproof", frozen, get_all)]
pub struct PyLine {
    /// The turns in coordinate notation.
    turns: Vec<String>,
    /// How the line ends: an outcome, or `repeats` if it repeats positions for ever.
    end: String,
    /// The position at its beginning, as FEN.
    fen: String,
}

impl PyLine {
    /// Returns a line of turns from a position.
    pub fn new(turns: Vec<String>, end: String, fen: String) -> PyLine {
        PyLine { turns, end, fen }
    }

    /// Returns a line of best play from a position.
    pub fn best(line: BestLine, fen: String) -> PyLine {
        let end = match line.end {
            LineEnd::Outcome(outcome) => outcome.to_string(),
            LineEnd::Repeats(_) => "repeats".to_owned(),
        };
        PyLine::new(line.turns, end, fen)
    }
}

#[pymethods]
impl PyLine {
    fn __len__(&self) -> usize {
        self.turns.len()
    }

    fn __str__(&self) -> String {
        format!("{} ({})", self.turns.join(" "), self.end)
    }

    fn __repr__(&self) -> String {
        format!("<Line of {} plies, {}>", self.turns.len(), self.end)
    }
}

/// The answer to `Graph.find` or `Graph.always`. It is true if a state was found, or if the condition holds in
/// every state.
#[pyclass(name = "Found", module = "fairyproof", frozen, get_all)]
pub struct PyFound {
    /// `found` or `none`; `holds` or `fails`.
    result: &'static str,
    /// The state that was found, or in which the condition fails.
    state: Option<StateId>,
    /// Its distance from the root.
    plies: Option<usize>,
    /// A shortest line to it.
    line: Option<Vec<String>>,
    /// Its position as FEN.
    fen: Option<String>,
}

#[pymethods]
impl PyFound {
    fn __bool__(&self) -> bool {
        matches!(self.result, "found" | "holds")
    }

    fn __repr__(&self) -> String {
        match (&self.fen, self.plies) {
            (Some(fen), Some(plies)) => {
                format!("<Found {} after {plies} plies: {fen}>", self.result)
            }
            _ => format!("<Found {}>", self.result),
        }
    }
}

/// The structure of a graph.
#[pyclass(name = "Structure", module = "fairyproof", frozen, get_all)]
pub struct PyStructure {
    /// Whether no play returns to a position.
    acyclic: bool,
    /// The number of strongly connected components.
    components: u64,
    /// Components with a cycle.
    cyclic_components: u64,
    /// The states of the largest component.
    largest_component_states: u64,
    /// The turns of the longest play, if the graph has no cycle.
    longest_path: Option<Vec<String>>,
}

#[pymethods]
impl PyStructure {
    fn __repr__(&self) -> String {
        let shape = if self.acyclic { "acyclic" } else { "cyclic" };
        format!("<Structure {shape}, {} components>", self.components)
    }
}

impl Searched {
    fn values(&self) -> Option<&Values> {
        self.solved.get().map(|solved| &solved.values)
    }

    fn needed_values(&self) -> Answer<&Values> {
        self.values().ok_or_else(|| {
            let error = Diagnostic::new("graph", "it has no values");
            error
                .help("`explore(..., solve=True)` or `graph.solve()` first")
                .into()
        })
    }

    fn needed_edges(&self) -> Answer<&explore::GameGraph> {
        self.found.graph.as_ref().ok_or_else(|| {
            let error = Diagnostic::new("graph", "it has no edges");
            error.help("`explore(..., edges=True)`").into()
        })
    }

    /// Calls `work` with the graph as columns see it.
    fn view<T>(&self, work: impl FnOnce(&GraphView<'_>) -> T) -> T {
        with_setup!(&self.setup, start => {
            let expander = Expander::new(start.game.as_ref(), &start.position);
            work(&GraphView { expander: &expander, found: &self.found, values: self.values() })
        })
    }

    fn state(&self, state: u64) -> Answer<StateId> {
        let states = self.found.states.len() as u64;
        match state < states {
            true => Ok(state as StateId),
            false => {
                let why = format!(
                    "there is no state {state}: states are numbered from 0 to {}",
                    states - 1
                );
                Err(Diagnostic::new("state", why).into())
            }
        }
    }

    /// Returns the state of a position, if the graph has it.
    fn state_of(&self, position: &PyPosition) -> Answer<Option<StateId>> {
        fn find<W: Layout>(found: &Exploration, start: &Start<W>) -> Option<StateId> {
            found.states.find(&key_for(&found.codec, &start.position)?)
        }
        let board = |setup: &Setup| with_setup!(setup, start => start.game.board().geometry());
        let same = position.variant.identity == self.variant.identity;
        if !same || board(&position.setup) != board(&self.setup) {
            return Err(other_game("position"));
        }
        match (&self.setup, &position.setup) {
            (Setup::Narrow(_), Setup::Narrow(start)) => Ok(find(&self.found, start)),
            (Setup::NarrowBound(_), Setup::NarrowBound(start)) => Ok(find(&self.found, start)),
            (Setup::Open(_), Setup::Open(start)) => Ok(find(&self.found, start)),
            (Setup::Wide(_), Setup::Wide(start)) => Ok(find(&self.found, start)),
            _ => Err(other_game("position")),
        }
    }

    /// Returns the range of states at each distance.
    fn levels(&self) -> Vec<Range<usize>> {
        let mut levels = Vec::new();
        let mut first = 0;
        for row in &self.found.summary.depths {
            levels.push(first..first + row.states as usize);
            first += row.states as usize;
        }
        if first < self.found.states.len() {
            levels.push(first..self.found.states.len());
        }
        levels
    }

    fn refuse_incomplete(&self, what: &str) -> Answer<()> {
        match self.found.summary.limit {
            None => Ok(()),
            Some(stopped) => {
                let limit = stopped.limit();
                let why =
                    format!("{what} is not decided: the graph is not complete (limit {limit})");
                Err(Failure::Limit(limit, why))
            }
        }
    }
}

/// A question about the states of a graph, with its compiled condition.
struct Asked<'a, W: Layout> {
    inner: &'a Searched,
    start: &'a Start<W>,
    condition: &'a Expression,
    control: &'a Control<'a>,
    wanted: bool,
}

impl<W: Layout> Asked<'_, W> {
    /// Calls `work` with the query.
    fn query<T>(&self, work: impl FnOnce(&Query<'_, W>) -> T) -> T {
        let oracle = self.inner.values().map(|values| GraphOracle {
            found: &self.inner.found,
            values,
        });
        work(&Query {
            game: self.start.game.as_ref(),
            condition: self.condition,
            wanted: self.wanted,
            oracle: oracle
                .as_ref()
                .map(|oracle| oracle as &(dyn language::Oracle<W> + Sync)),
            control: self.control,
        })
    }

    fn stopped(&self) -> Failure {
        self.control
            .check()
            .err()
            .unwrap_or(Stopped::Interrupted)
            .into()
    }

    fn first(&self) -> Answer<Option<(StateId, usize, Vec<Turn>)>> {
        let levels = self.inner.levels();
        for (depth, level) in levels.iter().enumerate() {
            let first = self
                .query(|query| first_state(query, &self.inner.found, level.clone(), depth as u32));
            let first = first.map_err(|Interrupted| self.stopped())?;
            if let Some(state) = first {
                let game = self.start.game.as_ref();
                let line = line_to(game, &self.inner.found, &levels[..=depth], state);
                return Ok(Some((state, depth, line)));
            }
        }
        Ok(None)
    }
}

/// Returns the texts of a line of turns.
fn texts<W: Layout>(start: &Start<W>, line: &[Turn]) -> Vec<String> {
    let game = start.game.as_ref();
    let mut p = start.position;
    let mut texts = Vec::new();
    for turn in line {
        texts.push(turns::print(game, &p, turn));
        p = game.play(&p, turn);
    }
    texts
}

/// Explores the graph of a position: all positions that legal turns lead to, breadth first.
///
/// `max_states` and `max_depth` bound the graph. Without `edges`, it takes less memory, but it has no values,
/// structure or edges. With `solve`, every state gets its value. Values are certified if there are at most 10
/// million states, or with `certify=True`.
///
/// A limit that stops the search is named by `Graph.limit`; the part that was explored is the graph then.
///
/// >>> import fairyproof
/// >>> graph = fairyproof.explore(fairyproof.position("fide", "k3/4/4/3K w - - 0 1"))
/// >>> len(graph), graph.complete, graph.depth
/// (312, True, 11)
#[pyfunction(name = "explore")]
#[pyo3(signature = (position, *, max_states=None, max_depth=None, edges=true, solve=false, certify=None,
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
    threads: Option<usize>,
    memory: Option<Bound<'_, PyAny>>,
    time: Option<f64>,
    progress: Option<Bound<'_, PyAny>>,
) -> Answer<PyGraph> {
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
        warn(py, "the graph is not complete, and so not solved")?;
    }
    Ok(PyGraph { inner })
}

fn solved(inner: &Searched, certify: Option<bool>, control: &Control<'_>) -> Answer<SolvedGraph> {
    with_setup!(&inner.setup, start => {
        let game = start.game.as_ref();
        let values = solve_game(game, &inner.found, control)?;
        let certifies = certify.unwrap_or(values.len() <= CERTIFIED_STATES);
        let certificate = certifies.then(|| certify_game(game, &inner.found, &values, control));
        Ok(SolvedGraph { certificate: certificate.transpose()?, values })
    })
}

/// Returns a group of `count` as a Python object.
fn group<'py>(py: Python<'py>, group: &Group) -> PyResult<Bound<'py, PyAny>> {
    Ok(match group {
        Group::Number(number) => number.into_pyobject(py)?.into_any(),
        Group::Text(text) => text.into_pyobject(py)?.into_any(),
    })
}

impl PyGraph {
    /// Compiles the condition of a question. Values are known if the graph is solved.
    fn compile(inner: &Searched, text: &str, is_condition: bool) -> Answer<Expression> {
        let about = About {
            values: inner.values().is_some(),
            graph: true,
            ..About::POSITION
        };
        let catalog = &inner.variant.opened.catalog;
        compile(
            catalog,
            &inner.setup.game(),
            about,
            "expression",
            text,
            is_condition,
        )
    }

    fn ask(&self, py: Python<'_>, text: &str, wanted: bool, options: Options) -> Answer<PyFound> {
        let (inner, text) = (Arc::clone(&self.inner), text.to_owned());
        let (found, condition) = work::run(py, options, move |working| {
            let condition = PyGraph::compile(&inner, &text, true)?;
            let found = with_setup!(&inner.setup, start => {
                let asked = Asked {
                    inner: &inner,
                    start,
                    condition: &condition,
                    control: &working.control,
                    wanted,
                };
                asked.first()?.map(|(state, plies, line)| (state, plies, texts(start, &line)))
            });
            Ok((found, condition))
        })?;
        warn_of(py, &condition)?;
        let result = match (found.is_some(), wanted) {
            (true, true) => "found",
            (false, true) => "none",
            (true, false) => "fails",
            (false, false) => "holds",
        };
        if found.is_none() {
            self.inner.refuse_incomplete("it")?;
        }
        let fen = found.as_ref().map(|(state, ..)| {
            self.inner
                .view(|view| view.expander.fen(view.found.states.key(*state)))
        });
        let (state, plies, line) = match found {
            Some((state, plies, line)) => (Some(state), Some(plies), Some(line)),
            None => (None, None, None),
        };
        Ok(PyFound {
            result,
            state,
            plies,
            line,
            fen,
        })
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

    /// Writes a file with the graph.
    fn write(
        &self,
        path: PathBuf,
        write: impl FnOnce(&Searched, &mut dyn std::io::Write) -> std::io::Result<()>,
    ) -> Answer<()> {
        guard(|| {
            self.inner.needed_edges()?;
            let target = Target::open(&path);
            let written = target.and_then(|target| target.write(|out| write(&self.inner, out)));
            written.map_err(|error| {
                Failure::File(format!("`{}` cannot be written: {error}", path.display()))
            })
        })
    }
}

/// Calls a writer of graph files.
fn written(inner: &Searched, dot: bool, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    let Some(graph) = &inner.found.graph else {
        return Ok(());
    };
    with_setup!(&inner.setup, start => {
        let file = GraphFile {
            game: start.game.as_ref(),
            found: &inner.found,
            graph,
            values: inner.values(),
        };
        match dot {
            true => file.write_dot(out),
            false => file.write_graphml(out),
        }
    })
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
        self.inner.found.summary.depth()
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
        let outcomes = PyDict::new(py);
        for (outcome, states) in &self.inner.found.summary.terminals {
            outcomes.set_item(outcome.to_string(), states)?;
        }
        Ok(outcomes)
    }

    /// The number of states with each value.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyDict>> {
        let (values, graph) = (self.inner.needed_values()?, self.inner.needed_edges()?);
        let counts = py.detach(|| census(graph, values).counts());
        let words = ["win", "weak-win", "draw", "weak-loss", "loss"];
        let by_word = PyDict::new(py);
        for (word, count) in words
            .into_iter()
            .zip(counts)
            .filter(|(_, count)| *count > 0)
        {
            by_word.set_item(word, count)?;
        }
        Ok(by_word)
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
        fn at<W: IntoSetup>(found: &Exploration, start: &Start<W>, state: StateId) -> Setup {
            W::setup(Start {
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
        guard(|| {
            Ok(self
                .inner
                .view(|view| view.expander.fen(view.found.states.key(state))))
        })
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
        guard(|| {
            let mut levels = self.inner.levels();
            let own = levels
                .iter()
                .position(|level| level.contains(&(state as usize)));
            levels.truncate(own.map_or(0, |own| own + 1));
            Ok(with_setup!(&self.inner.setup, start => {
                let game = start.game.as_ref();
                texts(start, &line_to(game, &self.inner.found, &levels, state))
            }))
        })
    }

    /// Returns a line of best play from a state or position, or from the root.
    #[pyo3(signature = (state=None))]
    fn best(&self, state: Option<&Bound<'_, PyAny>>) -> Answer<Option<PyLine>> {
        let state = self.argument(state)?;
        guard(|| self.best_line(state))
    }

    /// Returns the longest win under best play: a line from the first such state. `None` if no state is won.
    fn longest_win(&self, py: Python<'_>) -> Answer<Option<PyLine>> {
        let (values, graph) = (self.inner.needed_values()?, self.inner.needed_edges()?);
        let longest = py.detach(|| census(graph, values).longest_win);
        match longest {
            Some((state, _)) => guard(|| self.best_line(state)),
            None => Ok(None),
        }
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
            let condition = PyGraph::compile(&inner, &text, true)?;
            let by = by_text
                .map(|text| PyGraph::compile(&inner, &text, false))
                .transpose()?;
            let groups = with_setup!(&inner.setup, start => {
                let asked = Asked {
                    inner: &inner,
                    start,
                    condition: &condition,
                    control: &working.control,
                    wanted: true,
                };
                asked.query(|query| count_states(query, &inner.found, by.as_ref()))
            })?;
            Ok((groups, condition))
        })?;
        warn_of(py, &condition)?;
        if !self.complete() {
            warn(
                py,
                "the graph is not complete: only the states that were explored are counted",
            )?;
        }
        if by.is_none() {
            let count: u64 = groups.values().sum();
            return Ok(count.into_pyobject(py)?.into_any());
        }
        let counts = PyDict::new(py);
        for (key, states) in &groups {
            counts.set_item(group(py, key)?, states)?;
        }
        Ok(counts.into_any())
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
            chosen(&inner, &text, &working.control)
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
            let goals = chosen(&inner, &text, &working.control)?;
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
                if let (Some(solved), Some(graph)) = (inner.solved.get(), &found.graph) {
                    let expander = Expander::new(game, &start.position);
                    let certificate = solved.certificate.as_ref();
                    let (values, ties) = (&solved.values, Ties::LeastKey);
                    let summary =
                        SolvedSummary::of_graph(&expander, found, graph, values, certificate, ties);
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
        let batch = columns::depths(&self.inner.found.summary.depths);
        Ok(PyColumns::of(batch.map_err(failure)?))
    }

    /// Returns the graph as a sparse matrix of scipy (CSR). The element (i, j) is the number of turns from
    /// state i to state j.
    fn to_scipy<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyAny>> {
        let graph = self.inner.needed_edges()?;
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

    /// Returns the graph as a `networkx.MultiDiGraph`: nodes with `fen`, `outcome`, `depth` and if solved `value`
    /// and `plies`, edges with `turn`. For small graphs: more than 100,000 states need `max_states`.
    #[pyo3(signature = (max_states=100_000))]
    fn to_networkx<'py>(&self, py: Python<'py>, max_states: usize) -> Answer<Bound<'py, PyAny>> {
        let graph = self.inner.needed_edges()?;
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
        let found = &self.inner.found;
        self.inner.view(|view| {
            for (depth, level) in self.inner.levels().into_iter().enumerate() {
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

    /// Writes the graph to a file for Graphviz.
    fn write_dot(&self, path: PathBuf) -> Answer<()> {
        self.write(path, |inner, out| written(inner, true, out))
    }

    /// Writes the graph to a file as GraphML.
    fn write_graphml(&self, path: PathBuf) -> Answer<()> {
        self.write(path, |inner, out| written(inner, false, out))
    }

    fn __repr__(&self) -> String {
        let found = &self.inner.found;
        let state = match found.summary.limit {
            None => "complete".to_owned(),
            Some(stopped) => format!("not complete, limit {}", stopped.limit()),
        };
        let solved = if self.is_solved() { ", solved" } else { "" };
        let variant = &self.inner.variant.variant;
        format!(
            "<Graph of {variant}: {} states, {state}{solved}>",
            found.states.len()
        )
    }
}

/// Returns the set of states for which a condition holds.
fn chosen(inner: &Searched, text: &str, control: &Control<'_>) -> Answer<FixedBitSet> {
    let condition = PyGraph::compile(inner, text, true)?;
    with_setup!(&inner.setup, start => {
        let asked = Asked {
            inner,
            start,
            condition: &condition,
            control,
            wanted: true,
        };
        let found = asked.query(|query| states_where(query, &inner.found));
        found.map_err(|Interrupted| asked.stopped())
    })
}
