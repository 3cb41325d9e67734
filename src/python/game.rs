//! `Game`: a line of play that grows and shrinks, with its past.

use crate::catalog::{Opened, PyCatalog, Reduced, Source, default_catalog};
use crate::errors::{Answer, Failure, guard, warn};
use crate::position::{PyOutcome, PyPosition, position_of};
use crate::variant::{OpenVariant, PyVariant};
use crate::work::{self, Options};
use catalog::written_name;
use control::files;
use diagnostics::Diagnostic;
use notation::Setup;
use notation::pgn::{self, Played, Printed, Record};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The maximum size of a file of games, in bytes.
const MAX_GAMES_BYTES: u64 = 1 << 28;

/// A game: a start position and the turns that were played.
///
/// >>> import fairyproof
/// >>> game = fairyproof.Game("fide")
/// >>> game.push("e4").push("e5").push("Nf3").turns
/// ['e2e4', 'e7e5', 'g1f3']
/// >>> game.pop()
/// 'g1f3'
/// >>> game.position.side
/// 'white'
/// >>> print(game.pgn({"White": "Alice"}).splitlines()[-1])
/// 1. e4 e5 *
#[pyclass(name = "Game", module = "fairyproof", frozen)]
pub struct PyGame {
    start: Py<PyPosition>,
    line: Mutex<Line>,
}

/// The game as PGN has it, with its turns in coordinate notation and the positions after them.
#[derive(Default)]
struct Line {
    /// The tags, and the turns in short algebraic notation with comments and variations.
    record: Record,
    turns: Vec<String>,
    setups: Vec<Setup>,
}

impl Line {
    /// Returns the position after the last turn of a game that began with `start`.
    fn last<'s>(&'s self, start: &'s Setup) -> &'s Setup {
        self.setups.last().unwrap_or(start)
    }

    /// Plays a turn. `played` is what is written about it; its text is replaced by the usual one.
    fn push(&mut self, start: &Setup, mut played: Played) -> Result<(), Diagnostic> {
        let number = self.turns.len() + 1;
        let before = self.last(start);
        let (turn, after) = before.play_numbered(&played.text, number)?;
        played.text = before.short_notation(&turn);
        for variation in &mut played.variations {
            pgn::replay(before, variation).map_err(|error| {
                Diagnostic::new(format!("variation of turn {number}"), error.to_string())
            })?;
        }
        self.record.line.turns.push(played);
        self.turns.push(turn);
        self.setups.push(after);
        Ok(())
    }
}

impl PyGame {
    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn setup(&self) -> Setup {
        self.line().last(&self.start.get().setup).clone()
    }
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (start, turns=None))]
    fn py_new(
        py: Python<'_>,
        start: &Bound<'_, PyAny>,
        turns: Option<Vec<String>>,
    ) -> Answer<PyGame> {
        let game = PyGame {
            start: position_of(py, start)?,
            line: Mutex::default(),
        };
        for turn in turns.into_iter().flatten() {
            game.play(&turn)?;
        }
        Ok(game)
    }

    /// Plays a turn, in coordinate or algebraic notation, and returns the game.
    fn push<'py>(slf: &Bound<'py, Self>, turn: &str) -> Answer<Bound<'py, Self>> {
        slf.get().play(turn)?;
        Ok(slf.clone())
    }

    /// Takes the last turn back and returns it.
    fn pop(&self) -> Answer<String> {
        let mut line = self.line();
        line.setups.pop();
        line.record.line.turns.pop();
        line.record.result.clear();
        let turn = line.turns.pop();
        turn.ok_or_else(|| Diagnostic::new("game", "no turn was played").into())
    }

    /// The position after the last turn.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition::new(&self.start.get().variant, self.setup())
    }

    /// The position at the beginning.
    #[getter]
    fn start(&self, py: Python<'_>) -> Py<PyPosition> {
        self.start.clone_ref(py)
    }

    /// The variant.
    #[getter]
    fn variant(&self) -> PyVariant {
        PyVariant {
            inner: Arc::clone(&self.start.get().variant),
        }
    }

    /// The turns in coordinate notation.
    #[getter]
    fn turns(&self) -> Vec<String> {
        self.line().turns.clone()
    }

    /// The turns in short algebraic notation.
    #[getter]
    fn san(&self) -> Vec<String> {
        let line = self.line();
        let turns = line.record.line.turns.iter();
        turns.map(|played| played.text.clone()).collect()
    }

    /// The positions of the game, from the start to the last one.
    #[getter]
    fn positions(&self) -> Vec<PyPosition> {
        let variant = &self.start.get().variant;
        let line = self.line();
        let setups = std::iter::once(&self.start.get().setup).chain(&line.setups);
        setups
            .map(|setup| PyPosition::new(variant, setup.clone()))
            .collect()
    }

    /// How often the last position has occurred in the game, including now. The rules of variants have no past:
    /// repetitions end no game here.
    #[getter]
    fn repetitions(&self, py: Python<'_>) -> usize {
        let last = self.position();
        let positions = self.positions();
        let _ = py;
        positions
            .iter()
            .filter(|position| position.is(&last))
            .count()
    }

    /// The state of the game.
    #[getter]
    fn outcome(&self) -> Answer<PyOutcome> {
        guard(|| Ok(self.setup().outcome().into()))
    }

    /// The tags of the PGN file that the game was read from.
    #[getter]
    fn tags(&self) -> BTreeMap<String, String> {
        self.line().record.tags.iter().cloned().collect()
    }

    /// The result in the notation of PGN: the outcome by the rules or, if the game is not over, the result that was
    /// read with the game; `*` without one.
    #[getter]
    fn result(&self) -> Answer<String> {
        let tags = BTreeMap::new();
        Ok(self.record(&tags)?.result)
    }

    /// Returns the game as PGN, with these tags and those with which it was read.
    #[pyo3(signature = (tags=None))]
    fn pgn(&self, tags: Option<BTreeMap<String, String>>) -> Answer<String> {
        let record = self.record(&tags.unwrap_or_default())?;
        let start = &self.start.get().setup;
        guard(|| {
            let printed = Printed {
                record: &record,
                start,
            };
            Ok(printed.to_string())
        })
    }

    fn __len__(&self) -> usize {
        self.line().turns.len()
    }

    fn __repr__(&self) -> String {
        let variant = &self.start.get().variant.variant;
        format!("<Game of {variant}: {} turns>", self.__len__())
    }

    /// A pickle has the position at the beginning and the turns, not what PGN adds.
    fn __reduce__(slf: &Bound<'_, Self>) -> Reduced<(Py<PyPosition>, Vec<String>)> {
        let class = slf.get_type().into_any().unbind();
        let game = slf.get();
        Ok((class, (game.start.clone_ref(slf.py()), game.turns())))
    }
}

impl PyGame {
    /// Returns the game with these tags and those that each game has.
    fn record(&self, tags: &BTreeMap<String, String>) -> Answer<Record> {
        guard(|| {
            let start = self.start.get();
            let line = self.line();
            let mut record = line.record.clone();
            for (name, value) in tags {
                record.set_tag(name, value);
            }
            let id = start.variant.variant.to_string();
            let end = line.last(&start.setup);
            pgn::complete(&mut record, written_name(&id), &start.setup, end);
            Ok(record)
        })
    }

    fn play(&self, text: &str) -> Answer<()> {
        guard(|| {
            let mut line = self.line();
            line.record.result.clear();
            Ok(line.push(&self.start.get().setup, Played::from(text))?)
        })
    }
}

/// A game that was read, before it becomes an object.
struct ReadGame {
    variant: Arc<OpenVariant>,
    start: Setup,
    line: Line,
}

impl ReadGame {
    /// Plays a game by the rules of its tag `Variant`, or else of `variant`.
    fn play(opened: &Arc<Opened>, variant: &str, mut record: Record) -> Answer<ReadGame> {
        let named = record
            .tag("Variant")
            .map(|name| opened.catalog.open_named(name));
        let id = named.transpose()?.map(|variant| variant.to_string());
        let variant = Arc::new(OpenVariant::open(opened, id.as_deref().unwrap_or(variant))?);
        let start = variant.read(record.tag("FEN"))?;
        let turns = std::mem::take(&mut record.line.turns);
        let mut line = Line {
            record,
            ..Line::default()
        };
        for played in turns {
            line.push(&start, played)?;
        }
        Ok(ReadGame {
            variant,
            start,
            line,
        })
    }
}

/// Reads the games of a PGN file or text, with tags, comments, glyphs and variations. A string with a line break,
/// or one that begins with `[` or `1.`, is a text; other strings are paths.
///
/// A game is played by the rules of its tag `Variant`, or else of `variant`. The first game that cannot be read is an
/// error, or with `skip=True` a warning.
///
/// >>> import fairyproof
/// >>> [game] = fairyproof.read_pgn('[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 *\n')
/// >>> game.turns
/// ['e2e4', 'd7d5', 'e4d5', 'd8d5']
#[pyfunction]
#[pyo3(signature = (source, *, variant="fide", catalog=None, skip=false, time=None, progress=None))]
pub fn read_pgn(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    variant: &str,
    catalog: Option<&PyCatalog>,
    skip: bool,
    time: Option<f64>,
    progress: Option<Bound<'_, PyAny>>,
) -> Answer<Vec<PyGame>> {
    let options = Options::new(py, Some(1), None, time, progress)?;
    let opened = catalog.unwrap_or(default_catalog(py)).opened();
    let source = Source::read(source, "1.")?;
    let variant = variant.to_owned();
    let (games, skipped) = work::run(py, options, move |working| {
        let text = match source {
            Source::Text(text) => text,
            Source::File(path) => {
                let bytes = files::read_limited(&path, MAX_GAMES_BYTES)?;
                String::from_utf8_lossy(&bytes).into_owned()
            }
        };
        let (mut games, mut skipped) = (Vec::new(), Vec::new());
        for (line, record) in pgn::read(&text) {
            working.control.check()?;
            let game = record.map_err(Failure::from);
            match game.and_then(|record| ReadGame::play(&opened, &variant, record)) {
                Ok(game) => games.push(game),
                Err(Failure::Input(error)) => {
                    let place = error.place.clone();
                    let place = place.unwrap_or_else(|| format!("game at line {line}").into());
                    let error = error.at(place);
                    if !skip {
                        return Err(error.into());
                    }
                    skipped.push(error.to_string());
                }
                Err(failure) => return Err(failure),
            }
        }
        Ok((games, skipped))
    })?;
    skipped.iter().try_for_each(|text| warn(py, text))?;
    let object = |game: ReadGame| {
        Ok(PyGame {
            start: Py::new(py, PyPosition::new(&game.variant, game.start))?,
            line: Mutex::new(game.line),
        })
    };
    games.into_iter().map(object).collect()
}
