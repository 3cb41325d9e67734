//! `DiskGraph`: a graph whose states are in a folder, for graphs that do not fit in memory.
//!
//! Every call opens the folder and gives it back at its end. So other processes can use the folder between calls,
//! and `explore` and `solve` continue a graph that was stopped. Questions are about the states of the figures: if the
//! folder holds more since, they are errors.

use super::answers::{PyFound, PyLine, PyValue, Witness, by_outcome, by_word};
use super::questions::{compile_about_states, warn_incomplete};
use super::searched::CERTIFIED_STATES;
use crate::errors::{Answer, Failure, guard};
use crate::expressions::{counted, warn_of};
use crate::position::{PyPosition, key_among};
use crate::stream::PyColumns;
use crate::variant::{OpenVariant, PyVariant};
use crate::work::{self, Options};
use arrow_array::RecordBatch;
use columns::{ArrowError, StoredStates};
use control::{Control, Stopped};
use diagnostics::Diagnostic;
use explore::{Expander, Query, Summary};
use language::Expression;
use notation::{Setup, with_setup};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use report::explored::Explored;
use report::solved::Solved;
use scale::SolvedSummary;
use scale::disk::{Failed, Limits, Lookup, Question, Search};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use tables::PROGRAM_LAW;
use values::best_line;

/// The number of batches that a stream reads ahead.
const BATCHES_AHEAD: usize = 2;

/// A folder with a graph, and its rules.
struct Stored {
    variant: Arc<OpenVariant>,
    setup: Setup,
    folder: PathBuf,
    limits: Limits,
    memory_bytes: u64,
    figures: Mutex<Figures>,
}

/// The figures of a graph, as far as it is explored and solved.
#[derive(Clone)]
struct Figures {
    summary: Summary,
    solved: Option<SolvedSummary>,
}

/// Explores a graph in a folder, and solves it.
///
/// # Errors
/// If the folder cannot be used, or the work is interrupted.
#[expect(clippy::too_many_arguments, reason = "they are arguments of `explore`")]
pub fn explore_on_disk(
    py: Python<'_>,
    variant: Arc<OpenVariant>,
    setup: Setup,
    folder: PathBuf,
    limits: Limits,
    solve: bool,
    certify: Option<bool>,
    options: Options,
) -> Answer<PyDiskGraph> {
    let memory_bytes = options.memory_bytes();
    let inner = work::run(py, options, move |working| {
        let stored = Stored {
            variant,
            setup,
            folder,
            limits,
            memory_bytes,
            figures: Mutex::new(Figures {
                summary: Summary::default(),
                solved: None,
            }),
        };
        stored.explore(solve, certify, &working.control)?;
        Ok(Arc::new(stored))
    })?;
    Ok(PyDiskGraph { inner })
}

impl Stored {
    /// Opens the folder for a question about the states of the figures, and calls `work` with its search.
    fn ask<T>(
        &self,
        control: &Control<'_>,
        work: impl FnOnce(&mut Search<'_>, &Expander<'_>) -> Result<T, Failed>,
    ) -> Answer<T> {
        let found = self.figures().summary;
        // Time stopped the search after a complete level, beyond which a question must not explore.
        let max_depth = match found.limit {
            None | Some(Stopped::Count(_)) => self.limits.max_depth,
            Some(_) => found.deepest(),
        };
        let limits = Limits {
            max_depth,
            ..self.limits
        };
        self.open(limits, control, work)
    }

    /// Opens the folder and calls `work` with its search.
    fn open<T>(
        &self,
        limits: Limits,
        control: &Control<'_>,
        work: impl FnOnce(&mut Search<'_>, &Expander<'_>) -> Result<T, Failed>,
    ) -> Answer<T> {
        with_setup!(&self.setup, start => {
            let game = start.game.as_ref();
            let expander = Expander::new(game, &start.position);
            let question = Question {
                variant: game.variant().identity(),
                position: self.setup.fen(),
                law: [PROGRAM_LAW, game.facts().law],
            };
            let mut search = Search::open(&expander, question, &self.folder, limits, *control)?;
            Ok(work(&mut search, &expander)?)
        })
    }

    /// Explores and, if `solve`, solves.
    fn explore(&self, solve: bool, certify: Option<bool>, control: &Control<'_>) -> Answer<()> {
        let figures = self.open(self.limits, control, |search, _| {
            let summary = search.explore()?;
            let solved = match solve && summary.complete() {
                true => Some(solved(search, certify)?),
                false => None,
            };
            Ok(Figures { summary, solved })
        })?;
        if figures.summary.limit == Some(Stopped::Interrupted) {
            return Err(Failure::Interrupted);
        }
        *self.figures.lock().unwrap_or_else(PoisonError::into_inner) = figures;
        Ok(())
    }

    fn figures(&self) -> Figures {
        let figures = self.figures.lock().unwrap_or_else(PoisonError::into_inner);
        figures.clone()
    }

    fn solved(&self) -> Answer<SolvedSummary> {
        self.figures().solved.ok_or_else(|| {
            let error = Diagnostic::new("graph", "it has no values");
            error
                .help("`explore(..., solve=True)` or `graph.solve()` first")
                .into()
        })
    }

    /// Returns the key of a position, or of the root.
    fn key(&self, position: Option<&PyPosition>) -> Answer<Vec<u64>> {
        let Some(position) = position else {
            return Ok(with_setup!(&self.setup, start => {
                Expander::new(start.game.as_ref(), &start.position).root().to_vec()
            }));
        };
        let key = key_among(&self.variant, &self.setup, position)?;
        key.ok_or_else(missing)
    }

    fn compile(&self, text: &str, is_condition: bool) -> Answer<Expression> {
        compile_about_states(&self.variant, &self.setup, false, text, is_condition)
    }

    /// Returns a nearest state for which a condition holds or, if `wanted` is false, does not hold.
    fn find(
        &self,
        text: &str,
        wanted: bool,
        control: &Control<'_>,
    ) -> Answer<(Option<Witness>, Expression)> {
        let condition = self.compile(text, true)?;
        let (witness, limit) = with_setup!(&self.setup, start => {
            let query = Query {
                game: start.game.as_ref(),
                condition: &condition,
                wanted,
                oracle: None,
                control,
            };
            let codec = start.game.codec(&start.position);
            self.ask(control, |search, expander| {
                let found = search.find(&query, &codec)?;
                let witness = found.line.map(|keys| Witness {
                    state: None,
                    line: expander.turns_along(&keys),
                    fen: keys.last().map_or(String::new(), |key| expander.fen(key)),
                });
                let limit = match found.limit {
                    Some(Stopped::Count(_)) => self.figures().summary.limit,
                    limit => limit,
                };
                Ok((witness, limit))
            })
        })?;
        if let (None, Some(stopped)) = (&witness, limit) {
            return Err(undecided(stopped));
        }
        Ok((witness, condition))
    }
}

/// Returns the error for a position that is not a state.
fn missing() -> Failure {
    Diagnostic::new("position", "the graph does not have it").into()
}

/// Returns the error for a question that an incomplete graph does not answer.
fn undecided(stopped: Stopped) -> Failure {
    match stopped {
        Stopped::Interrupted => Failure::Interrupted,
        stopped => {
            let limit = stopped.limit();
            let why = format!("it is not decided: the graph is not complete (limit {limit})");
            Failure::Limit(limit, why)
        }
    }
}

fn solved(search: &mut Search<'_>, certify: Option<bool>) -> Result<SolvedSummary, Failed> {
    let counts = search.solve()?;
    let certifies = certify.unwrap_or(search.states() <= CERTIFIED_STATES);
    let certificate = certifies.then(|| search.certify()).transpose()?;
    search.solved_summary(&counts, certificate.as_ref())
}

/// A stream of batches that a thread reads from the folder.
struct Reader {
    batches: Option<Receiver<Result<RecordBatch, ArrowError>>>,
    thread: Option<JoinHandle<()>>,
}

impl Reader {
    fn start(stored: Arc<Stored>, columns: StoredStates) -> Reader {
        let (send, batches) = sync_channel(BATCHES_AHEAD);
        let thread = std::thread::spawn(move || {
            let control = Control::new().with_memory(stored.memory_bytes);
            let read = guard(|| {
                stored.ask(&control, |search, expander| {
                    // The states of a level that a limit cuts are found again.
                    search.explore()?;
                    search.each_block(None, &mut |block| {
                        // A reader that has enough ends the visit.
                        let sent = send.send(columns.batch(expander, block));
                        sent.map_err(|_| Failed::Stopped(Stopped::Interrupted))
                    })
                })
            });
            let error = match read {
                Ok(()) | Err(Failure::Interrupted) => return,
                Err(failure) => PyErr::from(failure).to_string(),
            };
            let _ = send.send(Err(ArrowError::ComputeError(error)));
        });
        Reader {
            batches: Some(batches),
            thread: Some(thread),
        }
    }
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batches.as_ref()?.recv().ok()
    }
}

/// The folder is free once a stream is dropped.
impl Drop for Reader {
    fn drop(&mut self) {
        self.batches.take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The graph of all positions that legal turns lead to from a root, with its states in a folder.
///
/// `explore` with `disk=` makes such graphs: the whole call stays under `memory=`. The same call continues a graph
/// that was stopped. States have no numbers and edges are not kept; counts, values, questions and columns are those
/// of a graph in memory.
///
/// >>> import fairyproof, tempfile
/// >>> root = fairyproof.position("fide", "k3/4/4/3R/3K w - - 0 1")
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     graph = fairyproof.explore(root, disk=folder, solve=True)
/// ...     graph.states, graph.value(), graph.find("check").line, graph.count("check")
/// (8470, <Value win in 11>, ['d2a2'], 1750)
#[pyclass(name = "DiskGraph", module = "fairyproof", frozen)]
pub struct PyDiskGraph {
    inner: Arc<Stored>,
}

impl PyDiskGraph {
    fn ask(&self, py: Python<'_>, text: &str, wanted: bool, options: Options) -> Answer<PyFound> {
        let (inner, text) = (Arc::clone(&self.inner), text.to_owned());
        let (witness, condition) = work::run(py, options, move |working| {
            inner.find(&text, wanted, &working.control)
        })?;
        warn_of(py, &condition)?;
        Ok(PyFound::new(wanted, witness))
    }

    /// Looks a solved position, or the root, up in the folder.
    fn look_up<T: Send + 'static>(
        &self,
        py: Python<'_>,
        position: Option<&PyPosition>,
        look: impl FnOnce(&mut Lookup, &Expander<'_>, &[u64]) -> Result<T, Failed> + Send + 'static,
    ) -> Answer<T> {
        self.inner.solved()?;
        let key = self.inner.key(position)?;
        let options = Options::new(py, Some(1), None, None, None)?;
        let inner = Arc::clone(&self.inner);
        work::run(py, options, move |working| {
            inner.ask(&working.control, |search, expander| {
                look(&mut Lookup::new(search)?, expander, &key)
            })
        })
    }
}

#[pymethods]
impl PyDiskGraph {
    /// The variant.
    #[getter]
    fn variant(&self) -> PyVariant {
        PyVariant {
            inner: Arc::clone(&self.inner.variant),
        }
    }

    /// The position from which the graph was explored.
    #[getter]
    fn root(&self) -> PyPosition {
        PyPosition::new(&self.inner.variant, self.inner.setup.clone())
    }

    /// The path of the folder.
    #[getter]
    fn folder(&self) -> &PathBuf {
        &self.inner.folder
    }

    /// The number of states.
    fn __len__(&self) -> usize {
        self.states() as usize
    }

    /// The number of states.
    #[getter]
    fn states(&self) -> u64 {
        self.inner.figures().summary.states
    }

    /// The number of edges: of turns of all states.
    #[getter]
    fn edges(&self) -> u64 {
        self.inner.figures().summary.edges
    }

    /// The distance of the farthest state from the root, in plies.
    #[getter]
    fn depth(&self) -> u32 {
        self.inner.figures().summary.deepest()
    }

    /// Whether all positions that turns lead to are states.
    #[getter]
    fn complete(&self) -> bool {
        self.inner.figures().summary.complete()
    }

    /// The limit that stopped the search; `None` if the graph is complete.
    #[getter]
    fn limit(&self) -> Option<&'static str> {
        let limit = self.inner.figures().summary.limit;
        limit.map(|stopped| stopped.limit())
    }

    /// Whether every state has its value.
    #[getter]
    pub fn is_solved(&self) -> bool {
        self.inner.figures().solved.is_some()
    }

    /// The number of states whose values were certified; 0 if they were not.
    #[getter]
    fn certified_states(&self) -> u64 {
        let solved = self.inner.figures().solved;
        let certified = solved.filter(|solved| solved.faulty_states == Some(0));
        certified
            .and_then(|solved| solved.certified_states)
            .unwrap_or(0)
    }

    /// The number of states at which the game has ended, by outcome.
    #[getter]
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        by_outcome(py, &self.inner.figures().summary)
    }

    /// The number of states with each value.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyDict>> {
        Ok(by_word(py, self.inner.solved()?.census.counts())?)
    }

    /// Explores further with other limits of time and memory, and computes all values. The graph must then be
    /// complete.
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
        let inner = Arc::clone(&self.inner);
        work::run(py, options, move |working| {
            inner.explore(true, certify, &working.control)?;
            match inner.figures().summary.limit {
                None => Ok(()),
                Some(stopped) => Err(undecided(stopped)),
            }
        })
    }

    /// Returns the value of a position, or of the root.
    #[pyo3(signature = (position=None))]
    fn value(&self, py: Python<'_>, position: Option<&PyPosition>) -> Answer<PyValue> {
        let value = self.look_up(py, position, |lookup, _, key| lookup.value(key))?;
        Ok(value.ok_or_else(missing)?.into())
    }

    /// Returns a line of best play from a position, or from the root. `None` if the graph does not have it.
    #[pyo3(signature = (position=None))]
    fn best(&self, py: Python<'_>, position: Option<&PyPosition>) -> Answer<Option<PyLine>> {
        self.look_up(py, position, |lookup, expander, key| {
            let fen = expander.fen(key);
            let line = best_line(expander, lookup, key)?;
            Ok(line.map(|line| PyLine::best(line, fen)))
        })
    }

    /// Returns the longest win under best play. `None` if no state is won.
    fn longest_win(&self) -> Answer<Option<PyLine>> {
        let Some(farthest) = self.inner.solved()?.census.longest_win else {
            return Ok(None);
        };
        let fen = with_setup!(&self.inner.setup, start => {
            Expander::new(start.game.as_ref(), &start.position).fen(&farthest.key)
        });
        Ok(farthest.line.map(|line| PyLine::best(line, fen)))
    }

    /// Returns a nearest state for which an expression holds, with a shortest line to it. Expressions know no
    /// values here.
    #[pyo3(signature = (expression, *, threads=None, memory=None, time=None, progress=None))]
    fn find(
        &self,
        py: Python<'_>,
        expression: &str,
        threads: Option<usize>,
        memory: Option<Bound<'_, PyAny>>,
        time: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Answer<PyFound> {
        let options = Options::new(py, threads, memory, time, progress)?;
        self.ask(py, expression, true, options)
    }

    /// Returns whether an expression holds in every state, or a nearest state in which it does not.
    #[pyo3(signature = (expression, *, threads=None, memory=None, time=None, progress=None))]
    fn always(
        &self,
        py: Python<'_>,
        expression: &str,
        threads: Option<usize>,
        memory: Option<Bound<'_, PyAny>>,
        time: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Answer<PyFound> {
        let options = Options::new(py, threads, memory, time, progress)?;
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
        by: Option<String>,
        threads: Option<usize>,
        memory: Option<Bound<'py, PyAny>>,
        time: Option<f64>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> Answer<Bound<'py, PyAny>> {
        let options = Options::new(py, threads, memory, time, progress)?;
        let (inner, text, is_grouped) =
            (Arc::clone(&self.inner), expression.to_owned(), by.is_some());
        let (groups, limit, condition) = work::run(py, options, move |working| {
            let control = &working.control;
            let condition = inner.compile(&text, true)?;
            let by = by.map(|text| inner.compile(&text, false)).transpose()?;
            let (groups, limit) = with_setup!(&inner.setup, start => {
                let query = Query {
                    game: start.game.as_ref(),
                    condition: &condition,
                    wanted: true,
                    oracle: None,
                    control,
                };
                let codec = start.game.codec(&start.position);
                inner.ask(control, |search, _| search.count(&query, &codec, by.as_ref()))
            })?;
            Ok((groups, limit, condition))
        })?;
        warn_of(py, &condition)?;
        if limit.is_some() {
            warn_incomplete(py)?;
        }
        counted(py, &groups, is_grouped)
    }

    /// Returns the states as columns in the order of the files: `key`, `side`, with values `value` and `plies`,
    /// then `depth`; `outcome` and `fen` on request, which take longer. While they are read, no other call can use
    /// the folder.
    #[pyo3(signature = (*, outcome=false, fen=false))]
    fn state_columns(&self, outcome: bool, fen: bool) -> Answer<PyColumns> {
        let columns = StoredStates {
            values: self.is_solved(),
            outcome,
            fen,
        };
        let schema = columns.schema(self.inner.key(None)?.len());
        let inner = Arc::clone(&self.inner);
        Ok(PyColumns::streamed(
            schema,
            Some(self.states()),
            move || Reader::start(Arc::clone(&inner), columns),
        ))
    }

    /// Returns the levels of the graph as columns.
    fn depth_columns(&self) -> Answer<PyColumns> {
        super::depth_columns(&self.inner.figures().summary)
    }

    /// Returns the figures of the graph as the program prints them.
    fn text(&self) -> String {
        let Figures { summary, solved } = self.inner.figures();
        let (variant, fen) = (
            self.inner.variant.variant.to_string(),
            self.inner.setup.fen(),
        );
        let mut explored = Explored::new(variant, fen, &summary);
        explored.solved = solved.map(|solved| {
            with_setup!(&self.inner.setup, start => {
                let expander = Expander::new(start.game.as_ref(), &start.position);
                Solved::new(&expander, &solved)
            })
        });
        explored.text()
    }

    fn __repr__(&self) -> String {
        super::described(
            "DiskGraph",
            &self.inner.variant.variant,
            &self.inner.figures().summary,
            self.is_solved(),
        )
    }
}
