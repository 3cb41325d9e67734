//! `Variant`: a rule set with its options.

use crate::batch;
use crate::catalog::{Opened, PyCatalog, Reduced, default_catalog, pickled, restored};
use crate::errors::{Answer, Failure, guard, warn};
use crate::position::PyPosition;
use crate::stream::PyColumns;
use crate::work::Options;
use notation::{START, Setup, fen, with_setup};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use rules::{AnyGame, Variant, with_game};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// A variant, its catalog, and the game on its own board.
pub struct OpenVariant {
    /// The rules.
    pub variant: Variant,
    /// The catalog that opened it.
    pub opened: Arc<Opened>,
    /// Two variants with equal identities have equal rules.
    pub identity: String,
    /// The game on the variant's own board, and whether that was possible.
    game: OnceLock<Option<AnyGame>>,
}

impl OpenVariant {
    /// Opens a variant of a catalog.
    pub fn open(opened: &Arc<Opened>, text: &str) -> Answer<OpenVariant> {
        let variant = opened.catalog.open(text)?;
        Ok(OpenVariant {
            identity: variant.identity(),
            variant,
            opened: Arc::clone(opened),
            game: OnceLock::new(),
        })
    }

    /// Reads a position, or the start position. Positions on the variant's own board share one game, unless
    /// the hands of a definition need another.
    pub fn read(&self, text: Option<&str>) -> Answer<Setup> {
        let text = text.filter(|text| *text != START);
        let Some(text) = text else {
            return self.read(Some(&self.variant.start()));
        };
        let own = || {
            let shape = fen::shape(&self.variant.start()).ok()?;
            self.variant.on(shape).ok()
        };
        let game = self.game.get_or_init(own);
        let known = game
            .as_ref()
            .and_then(|game| fen::read_with(game, text).ok());
        Ok(match known {
            Some(setup) => setup,
            None => Setup::read(&self.variant, Some(text))?,
        })
    }

    /// Returns the game on the variant's own board.
    pub fn own_game(&self) -> Answer<AnyGame> {
        Ok(self.read(None)?.game())
    }
}

/// A variant with its options, such as `bachelor` or `spartan:moves=40`.
///
/// >>> import fairyproof
/// >>> bachelor = fairyproof.variant("bachelor")
/// >>> bachelor
/// Variant('bachelor')
/// >>> bachelor.board, bachelor.inventor
/// ('7x6', 'Doug Chatham')
/// >>> bachelor.position("3k3/Q6/7/7/7/3K3 w - - 0 1").play("Qe1").outcome.reason
/// 'marriage'
#[pyclass(name = "Variant", module = "fairyproof", frozen)]
pub struct PyVariant {
    /// The variant.
    pub inner: Arc<OpenVariant>,
}

impl PyVariant {
    /// Opens a variant of a catalog.
    pub fn open(opened: &Arc<Opened>, text: &str) -> Answer<PyVariant> {
        Ok(PyVariant {
            inner: Arc::new(OpenVariant::open(opened, text)?),
        })
    }

    /// Reads a position and warns of parts of the text that do not count.
    pub fn read_position(&self, py: Python<'_>, text: Option<&str>) -> Answer<PyPosition> {
        let setup = guard(|| self.inner.read(text))?;
        if let Some(text) = text.filter(|text| *text != START) {
            let losses = with_setup!(&setup, start => {
                catalog::losses(start.game.as_ref(), &start.position, text)
            });
            losses.iter().try_for_each(|loss| warn(py, loss))?;
        }
        Ok(PyPosition::new(&self.inner, setup))
    }

    fn setup(&self) -> Answer<Setup> {
        self.inner.read(None)
    }
}

/// Returns the variant that an argument names: a `Variant`, or a text that the default catalog opens.
pub fn variant_of(py: Python<'_>, argument: &Bound<'_, PyAny>) -> Answer<Py<PyVariant>> {
    if let Ok(text) = argument.cast::<PyString>() {
        let text = text.to_cow()?;
        return Ok(Py::new(py, default_catalog(py).open(py, &text)?)?);
    }
    Ok(argument
        .cast::<PyVariant>()
        .map_err(PyErr::from)?
        .clone()
        .unbind())
}

/// Returns the hash of something.
pub fn hash_of(thing: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    thing.hash(&mut hasher);
    hasher.finish()
}

#[pymethods]
impl PyVariant {
    #[new]
    #[pyo3(signature = (id, catalog=None))]
    fn py_new(py: Python<'_>, id: &str, catalog: Option<&PyCatalog>) -> Answer<PyVariant> {
        catalog.unwrap_or(default_catalog(py)).open(py, id)
    }

    /// The name with options, as it is written: `spartan:moves=40`.
    #[getter]
    fn id(&self) -> String {
        self.inner.variant.to_string()
    }

    /// The full name.
    #[getter]
    fn title(&self) -> &str {
        self.inner.variant.rule_set.name()
    }

    /// The inventor; empty for definitions.
    #[getter]
    fn inventor(&self) -> &str {
        self.inner.variant.rule_set.inventor()
    }

    /// The publication of the rules.
    #[getter]
    fn source(&self) -> &str {
        self.inner.variant.rule_set.page()
    }

    /// The difference from orthodox chess in one line.
    #[getter]
    fn difference(&self) -> &str {
        self.inner.variant.rule_set.difference()
    }

    /// The files and ranks of the board, such as `8x8`.
    #[getter]
    fn board(&self) -> Answer<String> {
        Ok(fen::shape(&self.inner.variant.start())?.size())
    }

    /// The FEN of the start position.
    #[getter]
    fn start_fen(&self) -> Answer<String> {
        guard(|| Ok(self.setup()?.fen()))
    }

    /// The start position.
    #[getter]
    fn start(&self) -> Answer<PyPosition> {
        guard(|| Ok(PyPosition::new(&self.inner, self.setup()?)))
    }

    /// The options that were given, with their numbers.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        for (name, number) in &self.inner.variant.options {
            options.set_item(name, number)?;
        }
        Ok(options)
    }

    /// The options that the rule set knows, each with its help.
    #[getter]
    fn known_options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let known = PyDict::new(py);
        for option in self.inner.variant.rule_set.options() {
            if option.is_listed() {
                known.set_item(option.name, option.help)?;
            }
        }
        Ok(known)
    }

    /// The reasons for which a game can end, each with its meaning.
    #[getter]
    fn reasons<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let reasons = PyDict::new(py);
        for (reason, meaning) in self.inner.variant.rule_set.reasons() {
            reasons.set_item(reason, meaning)?;
        }
        Ok(reasons)
    }

    /// The fields of the variant's own state, each with its meaning.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let state = PyDict::new(py);
        for (field, meaning) in self.inner.variant.rule_set.state() {
            state.set_item(field, meaning)?;
        }
        Ok(state)
    }

    /// The kinds of unit, by letter.
    #[getter]
    fn kinds<'py>(&self, py: Python<'py>) -> Answer<Bound<'py, PyDict>> {
        let game = guard(|| self.inner.own_game())?;
        let kinds = PyDict::new(py);
        for kind in with_game!(&game, game => language::kind_names(game.variant(), game.men())) {
            kinds.set_item(kind.letter.to_string(), kind.name)?;
        }
        Ok(kinds)
    }

    /// The page of the rule book, as Markdown.
    #[getter]
    fn page(&self) -> Answer<String> {
        guard(|| Ok(report::page::text(&self.inner.variant)?))
    }

    /// The catalog that opened the variant.
    #[getter]
    fn catalog(&self) -> PyCatalog {
        PyCatalog::of(Arc::clone(&self.inner.opened))
    }

    /// Returns the position of a FEN, or the start position.
    #[pyo3(signature = (fen=None))]
    fn position(&self, py: Python<'_>, fen: Option<&str>) -> Answer<PyPosition> {
        self.read_position(py, fen)
    }

    /// Returns the legal turns of many positions as a column of lists, one row for each FEN. The turns of a
    /// position are in the order in which they are generated.
    ///
    /// >>> import fairyproof
    /// >>> fide = fairyproof.variant("fide")
    /// >>> columns = fide.turns_of([fide.start_fen, "k7/8/1Q6/8/8/8/8/K7 b - - 0 1"])
    /// >>> [len(row["turns"]) for row in columns.to_pylist()]
    /// [20, 0]
    #[pyo3(signature = (fens, *, threads=None, time=None, progress=None))]
    fn turns_of(
        &self,
        py: Python<'_>,
        fens: Vec<String>,
        threads: Option<usize>,
        time: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Answer<PyColumns> {
        let options = Options::new(py, threads, None, time, progress)?;
        batch::turns_of(py, &self.inner, fens, options)
    }

    /// Returns the positions after lines of turns as columns `fen` and `outcome`, one row for each pair of a FEN
    /// and its line.
    #[pyo3(signature = (fens, lines, *, threads=None, time=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "they are named in Python")]
    fn play_all(
        &self,
        py: Python<'_>,
        fens: Vec<String>,
        lines: Vec<Vec<String>>,
        threads: Option<usize>,
        time: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Answer<PyColumns> {
        let options = Options::new(py, threads, None, time, progress)?;
        batch::play_all(py, &self.inner, fens, lines, options)
    }

    fn __repr__(&self) -> String {
        format!("Variant('{}')", self.id())
    }

    fn __str__(&self) -> String {
        self.id()
    }

    fn _repr_markdown_(&self) -> Answer<String> {
        self.page()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<PyVariant>();
        other.is_ok_and(|other| other.get().inner.identity == self.inner.identity)
    }

    fn __hash__(&self) -> u64 {
        hash_of(&self.inner.identity)
    }

    #[allow(clippy::type_complexity, reason = "the protocol of pickles")]
    fn __reduce__(&self, py: Python<'_>) -> Reduced<(Vec<(String, String)>, String)> {
        let restore = py
            .import("fairyproof._fairyproof")?
            .getattr("_restore_variant")?;
        Ok((restore.unbind(), (pickled(&self.inner.opened), self.id())))
    }
}

/// Restores a variant from a pickle.
#[pyfunction]
pub fn _restore_variant(
    py: Python<'_>,
    added: Vec<(String, String)>,
    id: &str,
) -> Answer<PyVariant> {
    let opened = restored(py, added)?;
    guard(|| PyVariant::open(&opened, id))
}

/// Opens a variant of the default catalog, or of the given one.
///
/// >>> import fairyproof
/// >>> fairyproof.variant("spartan:moves=40").options
/// {'moves': 40}
#[pyfunction]
#[pyo3(signature = (id, catalog=None))]
pub fn variant(py: Python<'_>, id: &str, catalog: Option<&PyCatalog>) -> Answer<PyVariant> {
    catalog.unwrap_or(default_catalog(py)).open(py, id)
}

/// Returns the names of all variants of the default catalog.
///
/// >>> import fairyproof
/// >>> "bachelor" in fairyproof.variants()
/// True
#[pyfunction]
pub fn variants(py: Python<'_>) -> Vec<String> {
    let opened = default_catalog(py).opened();
    opened
        .catalog
        .iter()
        .map(|entry| entry.id().to_owned())
        .collect()
}

/// Returns an error about a position that belongs to another variant or board.
pub fn other_game(what: &str) -> Failure {
    diagnostics::Diagnostic::new(what, "it is a position of another variant or board").into()
}
