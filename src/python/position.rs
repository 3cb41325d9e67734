//! `Position`, `Outcome`: a position of a variant, and the state of its game.

use crate::catalog::Reduced;
use crate::errors::{Answer, guard};
use crate::expressions::{Stopper, evaluate, matching_turns};
use crate::variant::{OpenVariant, PyVariant, hash_of, other_game, variant_of};
use crate::work::{self, Options};
use board::{Color, Squares};
use explore::perft::{self, Divide};
use notation::{Setup, Start, board_text, san, turns, with_setup};
use picture::{Diagram, mobility, svg};
use position::{KEY_WORDS, Layout, Position};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use rules::Outcome;
use std::sync::Arc;

/// The state of the game in a position.
///
/// >>> import fairyproof
/// >>> outcome = fairyproof.position("fide", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").outcome
/// >>> outcome.winner, outcome.reason
/// ('white', 'checkmate')
/// >>> str(outcome)
/// 'white-wins checkmate'
/// >>> bool(fairyproof.position("fide").outcome.is_over)
/// False
#[pyclass(name = "Outcome", module = "fairyproof", frozen)]
pub struct PyOutcome {
    outcome: Outcome,
}

impl From<Outcome> for PyOutcome {
    fn from(outcome: Outcome) -> PyOutcome {
        PyOutcome { outcome }
    }
}

/// Returns the name of a side.
pub fn side_name(side: Color) -> &'static str {
    match side {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// Returns the side with this name.
///
/// # Errors
/// If it is not `white`, `black`, `w` or `b`.
pub fn side_named(what: &str, name: &str) -> Answer<Color> {
    match name {
        "white" | "w" => Ok(Color::White),
        "black" | "b" => Ok(Color::Black),
        name => {
            let why = format!("`{}` is not a side", diagnostics::shortened(name));
            let error = diagnostics::Diagnostic::new(what, why);
            Err(error.help("`white` or `black`").into())
        }
    }
}

#[pymethods]
impl PyOutcome {
    /// Whether the game has ended.
    #[getter]
    fn is_over(&self) -> bool {
        !self.outcome.is_ongoing()
    }

    /// The winner: `white`, `black`, or `None` if the game continues or is drawn.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        match self.outcome {
            Outcome::Win(side, _) | Outcome::WeakWin(side, _) => Some(side_name(side)),
            Outcome::Ongoing | Outcome::Draw(_) => None,
        }
    }

    /// Whether the game is drawn.
    #[getter]
    fn is_draw(&self) -> bool {
        matches!(self.outcome, Outcome::Draw(_))
    }

    /// Whether the win is a weak one, which is worth less than a full win.
    #[getter]
    fn is_weak(&self) -> bool {
        matches!(self.outcome, Outcome::WeakWin(..))
    }

    /// The reason of the end, such as `checkmate`; `None` if the game continues.
    #[getter]
    fn reason(&self) -> Option<&'static str> {
        self.outcome.reason()
    }

    fn __str__(&self) -> String {
        self.outcome.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Outcome {}>", self.outcome)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        match other.cast::<PyString>() {
            Ok(text) => text.to_string_lossy() == self.outcome.to_string(),
            Err(_) => {
                let other = other.cast::<PyOutcome>();
                other.is_ok_and(|other| other.get().outcome == self.outcome)
            }
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        // Equal to a text, and so with the hash of the text.
        PyString::new(py, &self.outcome.to_string()).hash()
    }
}

/// A position of a variant. Positions never change: `play` returns another one.
///
/// Two positions are equal if their variants, boards and exact keys are. The key contains everything that can
/// affect the rest of the game, and nothing else: it has no clocks, unless the rules count.
///
/// >>> import fairyproof
/// >>> start = fairyproof.position("fide")
/// >>> start.play("e2e4", "e7e5", "Nf3").fen
/// 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2'
/// >>> start.play("g1f3", "g8f6", "f3g1", "f6g8") == start
/// True
/// >>> len(start.turns), start.check
/// (20, False)
#[pyclass(name = "Position", module = "fairyproof", frozen)]
pub struct PyPosition {
    /// The variant.
    pub variant: Arc<OpenVariant>,
    /// The position with its game.
    pub setup: Setup,
}

impl PyPosition {
    /// Returns a position of a variant.
    pub fn new(variant: &Arc<OpenVariant>, setup: Setup) -> PyPosition {
        PyPosition {
            variant: Arc::clone(variant),
            setup,
        }
    }

    /// Returns whether the variants, boards and keys are equal. Positions are compared without their clocks.
    pub fn is(&self, other: &PyPosition) -> bool {
        let same = with_setup!(&self.setup, one => {
            other.setup.get().is_some_and(|other| is_same(one, other))
        });
        same && self.variant.identity == other.variant.identity
    }

    /// Returns the position after turns.
    pub fn after(&self, line: &[String]) -> Answer<Setup> {
        let mut setup = self.setup.clone();
        for (number, turn) in line.iter().enumerate() {
            (_, setup) = setup.play_numbered(turn, number + 1)?;
        }
        Ok(setup)
    }
}

fn is_same<W: Layout>(one: &Start<W>, other: &Start<W>) -> bool {
    let geometry = |start: &Start<W>| start.game.board().geometry();
    one.position == other.position && geometry(one) == geometry(other)
}

/// Returns the position that an argument names: a `Position`, or a variant's start position.
pub fn position_of(py: Python<'_>, argument: &Bound<'_, PyAny>) -> Answer<Py<PyPosition>> {
    if let Ok(position) = argument.cast::<PyPosition>() {
        return Ok(position.clone().unbind());
    }
    let variant = variant_of(py, argument)?;
    let position = variant.get().read_position(py, None)?;
    Ok(Py::new(py, position)?)
}

fn drawn(setup: &Setup, last: Option<&str>, unit: Option<&str>) -> Answer<String> {
    let look = svg::Look {
        marked: false,
        ..svg::Look::FILE
    };
    with_setup!(setup, start => {
        let game = start.game.as_ref();
        let mut diagram = match unit {
            Some(square) => mobility::diagram(game, &start.position, square)?,
            None => Diagram::new(game, &start.position),
        };
        if let Some(text) = last {
            let turn = turns::read(game, &start.position, text, 1)?;
            diagram = Diagram::after(game, &start.position, &turn);
        }
        Ok(svg::draw(&diagram, look))
    })
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (variant, fen=None))]
    fn py_new(py: Python<'_>, variant: &Bound<'_, PyAny>, fen: Option<&str>) -> Answer<PyPosition> {
        variant_of(py, variant)?.get().read_position(py, fen)
    }

    /// The variant.
    #[getter]
    fn variant(&self) -> PyVariant {
        PyVariant {
            inner: Arc::clone(&self.variant),
        }
    }

    /// The position as FEN, with the variant's state as a seventh field.
    #[getter]
    fn fen(&self) -> Answer<String> {
        guard(|| Ok(self.setup.fen()))
    }

    /// The side to move: `white` or `black`.
    #[getter]
    fn side(&self) -> &'static str {
        side_name(self.setup.side())
    }

    /// The legal turns in coordinate notation, in byte order. Empty if the game has ended.
    #[getter]
    pub fn turns(&self) -> Answer<Vec<String>> {
        guard(|| Ok(self.setup.turns()))
    }

    /// The number of legal turns.
    #[getter]
    fn turn_count(&self) -> Answer<u64> {
        guard(|| Ok(with_setup!(&self.setup, start => start.game.count(&start.position))))
    }

    /// Returns the legal turns for which an expression about the turn holds, such as
    /// `kind == 'pawn' && checks`.
    #[pyo3(signature = (expression, time=None))]
    fn turns_where(
        &self,
        py: Python<'_>,
        expression: &str,
        time: Option<f64>,
    ) -> Answer<Vec<String>> {
        let stopper = Stopper::new(time)?;
        matching_turns(py, &self.variant, &self.setup, expression, stopper)
    }

    /// Returns the position after turns, in coordinate or algebraic notation.
    #[pyo3(signature = (*turns))]
    fn play(&self, turns: Vec<String>) -> Answer<PyPosition> {
        guard(|| Ok(PyPosition::new(&self.variant, self.after(&turns)?)))
    }

    /// Returns a turn in coordinate notation.
    fn parse(&self, turn: &str) -> Answer<String> {
        guard(|| {
            with_setup!(&self.setup, start => {
                let game = start.game.as_ref();
                let turn = turns::read(game, &start.position, turn, 1)?;
                Ok(turns::print(game, &start.position, &turn))
            })
        })
    }

    /// Returns a turn in short algebraic notation.
    ///
    /// >>> import fairyproof
    /// >>> fairyproof.position("fide").san("g1f3")
    /// 'Nf3'
    fn san(&self, turn: &str) -> Answer<String> {
        guard(|| {
            with_setup!(&self.setup, start => {
                let game = start.game.as_ref();
                let turn = turns::read(game, &start.position, turn, 1)?;
                Ok(san::print(game, &start.position, &turn))
            })
        })
    }

    /// The state of the game.
    #[getter]
    fn outcome(&self) -> Answer<PyOutcome> {
        guard(|| Ok(self.setup.outcome().into()))
    }

    /// Whether the side to move is in check.
    #[getter]
    fn check(&self) -> Answer<bool> {
        guard(|| Ok(self.setup.is_check()))
    }

    /// The units on the board: squares and letters, upper case for White.
    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let units = PyDict::new(py);
        with_setup!(&self.setup, start => {
            let men = start.game.men();
            let geometry = start.game.board().geometry();
            let occupied = start.position.occupied();
            for square in occupied.iter() {
                if let Some((color, kind)) = start.position.unit(square) {
                    units.set_item(geometry.name(square), men.name(color, kind).to_string())?;
                }
            }
        });
        Ok(units)
    }

    /// The exact key as a number. Keys are comparable within a game: `Graph.key_of` returns the key that the
    /// columns of a graph have.
    #[getter]
    fn key<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let words = with_setup!(&self.setup, start => {
            let codec = start.game.codec(&start.position);
            let mut key = [0; KEY_WORDS];
            codec.encode(&start.position, &mut key);
            key[..codec.words()].to_vec()
        });
        number_of(py, &words)
    }

    /// Returns the number of lines of `depth` turns (perft).
    ///
    /// >>> import fairyproof
    /// >>> fairyproof.position("fide").perft(3)
    /// 8902
    #[pyo3(signature = (depth, threads=None, time=None, progress=None))]
    fn perft(
        &self,
        py: Python<'_>,
        depth: u32,
        threads: Option<usize>,
        time: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Answer<u128> {
        let options = Options::new(py, threads, None, time, progress)?;
        count(py, self.setup.clone(), depth, options)
    }

    /// Returns the number of lines of `depth` turns that begin with each first turn, in byte order.
    #[pyo3(signature = (depth, threads=None, time=None, progress=None))]
    fn divide<'py>(
        &self,
        py: Python<'py>,
        depth: u32,
        threads: Option<usize>,
        time: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Answer<Bound<'py, PyDict>> {
        let options = Options::new(py, threads, None, time, progress)?;
        let divide = divided(py, self.setup.clone(), depth, options)?;
        let counts = PyDict::new(py);
        for (turn, nodes) in divide.turns {
            counts.set_item(turn, nodes)?;
        }
        Ok(counts)
    }

    /// Returns the value of an expression: a `bool`, an `int`, a `str`, or a list of them.
    ///
    /// >>> import fairyproof
    /// >>> start = fairyproof.position("fide")
    /// >>> start.eval("size(turns)"), start.eval("check")
    /// (20, False)
    /// >>> start.eval("units(white, 'rook').map(u, u.square)")
    /// ['a1', 'h1']
    #[pyo3(signature = (expression, time=None))]
    fn eval<'py>(
        &self,
        py: Python<'py>,
        expression: &str,
        time: Option<f64>,
    ) -> Answer<Bound<'py, PyAny>> {
        let stopper = Stopper::new(time)?;
        evaluate(py, &self.variant, &self.setup, expression, stopper)
    }

    /// Returns the board as SVG: with the turn `last` played and shown by an arrow, or with marks where the
    /// unit on a square can go.
    #[pyo3(signature = (last=None, unit=None))]
    fn svg(&self, last: Option<&str>, unit: Option<&str>) -> Answer<String> {
        guard(|| drawn(&self.setup, last, unit))
    }

    fn _repr_svg_(&self) -> Answer<String> {
        self.svg(None, None)
    }

    fn __str__(&self) -> Answer<String> {
        guard(|| {
            let board = with_setup!(&self.setup, start => {
                board_text::print(start.game.as_ref(), &start.position)
            });
            Ok(board.trim_end().to_owned())
        })
    }

    fn __repr__(&self) -> Answer<String> {
        Ok(format!(
            "Position('{}', '{}')",
            self.variant.variant,
            self.fen()?
        ))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<PyPosition>();
        other.is_ok_and(|other| self.is(other.get()))
    }

    fn __hash__(&self) -> u64 {
        with_setup!(&self.setup, start => hash_of(&(&self.variant.identity, &start.position)))
    }

    fn __reduce__(&self, py: Python<'_>) -> Reduced<(Py<PyVariant>, String)> {
        let restore = py
            .import("fairyproof._fairyproof")?
            .getattr("_restore_position")?;
        let variant = Py::new(py, self.variant())?;
        Ok((restore.unbind(), (variant, self.setup.fen())))
    }
}

/// Returns the words of a key as one number, the first word the lowest.
pub fn number_of<'py>(py: Python<'py>, words: &[u64]) -> PyResult<Bound<'py, PyAny>> {
    if let [word] = words {
        return Ok(word.into_pyobject(py)?.into_any());
    }
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let bytes = pyo3::types::PyBytes::new(py, &bytes);
    let int = py.get_type::<pyo3::types::PyInt>();
    int.call_method1("from_bytes", (bytes, "little"))
}

/// Restores a position from a pickle.
#[pyfunction]
pub fn _restore_position(variant: &PyVariant, fen: &str) -> Answer<PyPosition> {
    guard(|| {
        Ok(PyPosition::new(
            &variant.inner,
            variant.inner.read(Some(fen))?,
        ))
    })
}

/// Returns a position of a variant: that of a FEN, or the start position.
///
/// >>> import fairyproof
/// >>> fairyproof.position("bachelor").fen
/// 'rnnkbbr/ppppppp/7/7/PPPPPPP/RNNKBBR w AGag - 0 1'
#[pyfunction(name = "position")]
#[pyo3(signature = (variant, fen=None))]
pub fn read_position(
    py: Python<'_>,
    variant: &Bound<'_, PyAny>,
    fen: Option<&str>,
) -> Answer<PyPosition> {
    variant_of(py, variant)?.get().read_position(py, fen)
}

/// The depth in plies up to which counting takes less time than starting a thread.
const QUICK_DEPTH: u32 = 1;
/// The maximum depth in plies.
const MAX_DEPTH: u32 = 1000;

/// Counts the lines of `depth` turns.
pub fn count(py: Python<'_>, setup: Setup, depth: u32, options: Options) -> Answer<u128> {
    if depth <= QUICK_DEPTH {
        return guard(|| Ok(u128::from(setup.perft(depth))));
    }
    Ok(divided(py, setup, depth, options)?.nodes)
}

/// Counts the lines of `depth` turns that begin with each first turn.
fn divided(py: Python<'_>, setup: Setup, depth: u32, options: Options) -> Answer<Divide> {
    if depth > MAX_DEPTH {
        let why = format!("{depth} is more than {MAX_DEPTH}");
        return Err(diagnostics::Diagnostic::new("depth", why).into());
    }
    work::run(py, options, move |working| {
        with_setup!(&setup, start => {
            let game = start.game.as_ref();
            Ok(perft::divide_within(game, &start.position, depth, &working.control)?)
        })
    })
}

/// Returns perft counts as columns: `variant`, `fen`, `depth`, `nodes`. `rows` are triples of a variant, a FEN
/// or `None`, and a depth.
///
/// >>> import fairyproof
/// >>> counts = fairyproof.perft_suite([("fide", None, 3), ("bachelor", None, 2)])
/// >>> counts.num_rows
/// 2
#[pyfunction]
#[pyo3(signature = (rows, threads=None, time=None, progress=None))]
pub fn perft_suite(
    py: Python<'_>,
    rows: Vec<(Bound<'_, PyAny>, Option<String>, u32)>,
    threads: Option<usize>,
    time: Option<f64>,
    progress: Option<Bound<'_, PyAny>>,
) -> Answer<crate::stream::PyColumns> {
    let options = Options::new(py, threads, None, time, progress)?;
    let mut tasks = Vec::new();
    for (variant, fen, depth) in rows {
        let variant = variant_of(py, &variant)?;
        let position = variant.get().read_position(py, fen.as_deref())?;
        tasks.push((
            variant.get().inner.variant.to_string(),
            position.setup,
            depth,
        ));
    }
    let batch = work::run(py, options, move |working| {
        let control = &working.control;
        let total = tasks.len() as u64;
        let mut rows = Vec::new();
        for (done, (variant, setup, depth)) in (0..).zip(&tasks) {
            control.report_done("counting", done, total, "rows");
            let part = control.with_observer(&());
            let nodes = with_setup!(setup, start => {
                perft::divide_within(start.game.as_ref(), &start.position, *depth, &part)
            })?;
            rows.push(columns::CountRow {
                variant: variant.clone(),
                fen: setup.fen(),
                depth: *depth,
                nodes: nodes.nodes,
            });
        }
        columns::counts(&rows).map_err(crate::stream::failure)
    })?;
    Ok(crate::stream::PyColumns::of(batch))
}

/// Returns the key of a position in the graph of a root, or `None` if the graph cannot have it.
///
/// # Errors
/// If the position is of another variant or board.
pub fn key_among(
    variant: &OpenVariant,
    root: &Setup,
    position: &PyPosition,
) -> Answer<Option<Vec<u64>>> {
    fn key<W: Layout>(root: &Start<W>, other: &Start<W>) -> Option<Vec<u64>> {
        key_for(&root.game.codec(&root.position), &other.position)
    }
    let board = |setup: &Setup| with_setup!(setup, start => start.game.board().geometry());
    let other = &position.setup;
    if position.variant.identity != variant.identity || board(other) != board(root) {
        return Err(other_game("position"));
    }
    with_setup!(root, root => {
        let other = other.get().ok_or_else(|| other_game("position"))?;
        Ok(key(root, other))
    })
}

/// Returns the key of a position for a codec, or `None` if the codec has no room for it.
pub fn key_for<W: Layout>(codec: &position::Codec, p: &Position<W>) -> Option<Vec<u64>> {
    let mut key = [0; KEY_WORDS];
    codec.encode(p, &mut key);
    let key = &key[..codec.words()];
    // The codec encodes a position that it has no room for as a different one.
    (codec.decode::<W>(key) == *p).then(|| key.to_vec())
}
