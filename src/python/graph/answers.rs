//! The answers of graphs and tables: values, lines, states that were found, the structure.

use explore::{StateId, Summary};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use values::{BestLine, LineEnd, Value};

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
    pub result: &'static str,
    /// The state that was found, or in which the condition fails.
    pub state: Option<StateId>,
    /// Its distance from the root.
    pub plies: Option<usize>,
    /// A shortest line to it.
    pub line: Option<Vec<String>>,
    /// Its position as FEN.
    pub fen: Option<String>,
}

/// A state that was found.
pub struct Witness {
    /// Its number, if the graph numbers its states.
    pub state: Option<StateId>,
    /// A shortest line to it.
    pub line: Vec<String>,
    /// Its position.
    pub fen: String,
}

impl PyFound {
    /// Returns the answer of `find` or, if `wanted` is false, of `always`.
    pub fn new(wanted: bool, witness: Option<Witness>) -> PyFound {
        let result = match (witness.is_some(), wanted) {
            (true, true) => "found",
            (false, true) => "none",
            (true, false) => "fails",
            (false, false) => "holds",
        };
        let (state, line, fen) = match witness {
            Some(Witness { state, line, fen }) => (state, Some(line), Some(fen)),
            None => (None, None, None),
        };
        PyFound {
            result,
            state,
            plies: line.as_ref().map(Vec::len),
            line,
            fen,
        }
    }
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
    pub acyclic: bool,
    /// The number of strongly connected components.
    pub components: u64,
    /// Components with a cycle.
    pub cyclic_components: u64,
    /// The states of the largest component.
    pub largest_component_states: u64,
    /// The turns of the longest play, if the graph has no cycle.
    pub longest_path: Option<Vec<String>>,
}

#[pymethods]
impl PyStructure {
    fn __repr__(&self) -> String {
        let shape = if self.acyclic { "acyclic" } else { "cyclic" };
        format!("<Structure {shape}, {} components>", self.components)
    }
}

/// Returns the numbers of states by value as a dict, from the best value to the worst one, without zeros.
///
/// # Errors
/// If there is no memory.
pub fn by_word(py: Python<'_>, counts: [u64; 5]) -> PyResult<Bound<'_, PyDict>> {
    let words = ["win", "weak-win", "draw", "weak-loss", "loss"];
    let by_word = PyDict::new(py);
    for (word, count) in words.into_iter().zip(counts) {
        if count > 0 {
            by_word.set_item(word, count)?;
        }
    }
    Ok(by_word)
}

/// Returns the numbers of states at which the game has ended, by outcome, as a dict.
///
/// # Errors
/// If there is no memory.
pub fn by_outcome<'py>(py: Python<'py>, summary: &Summary) -> PyResult<Bound<'py, PyDict>> {
    let outcomes = PyDict::new(py);
    for (outcome, states) in &summary.terminals {
        outcomes.set_item(outcome.to_string(), states)?;
    }
    Ok(outcomes)
}
