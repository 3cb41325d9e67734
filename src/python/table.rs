//! `Table`, `TableFolder`: endgame tables.

use crate::errors::{Answer, Failure, guard};
use crate::expressions::{compile, counted, interrupted, warn_of};
use crate::graph::{PyLine, PyValue};
use crate::position::{PyPosition, side_named};
use crate::stream::{PyColumns, failure};
use crate::variant::{OpenVariant, PyVariant, other_game, variant_of};
use crate::work::{self, Options};
use ::position::{Layout, Narrow, NarrowBound, Open, Wide};
use board::{Color, Geometry};
use columns::TablePositions;
use diagnostics::{Diagnostic, whole_number};
use language::About;
use notation::{Setup, Start, fen};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use report::endings::{PliesRow, StatsRow};
use rules::AnyGame;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tables::{
    Counting, Extreme, ProbeCache, Query, QueryError, SideStats, Signature, Store, Tables, build,
    certify, default_folder, find_positions, longest, stats,
};

/// The number of parts of a table in a batch of positions.
const BATCH_PARTS: usize = 16;

/// Tables of any layout.
enum AnyTables {
    Narrow(Tables<Narrow>),
    NarrowBound(Tables<NarrowBound>),
    Open(Tables<Open>),
    Wide(Tables<Wide>),
}

/// Evaluates an expression with tables of any layout.
macro_rules! with_tables {
    ($tables:expr, $name:ident => $body:expr) => {
        match $tables {
            AnyTables::Narrow($name) => $body,
            AnyTables::NarrowBound($name) => $body,
            AnyTables::Open($name) => $body,
            AnyTables::Wide($name) => $body,
        }
    };
}

impl AnyTables {
    /// Returns the tables of a game, in memory or in a folder.
    fn new(game: &AnyGame, folder: Option<&PathBuf>, memory_bytes: u64) -> AnyTables {
        fn tables<W: Layout>(
            game: &Arc<dyn rules::Game<W>>,
            folder: Option<&PathBuf>,
            memory_bytes: u64,
        ) -> Tables<W> {
            let tables = Tables::new(Arc::clone(game), folder.map(Store::new));
            // Without a folder, this has no effect.
            tables.within(memory_bytes / 2)
        }
        match game {
            AnyGame::Narrow(game) => AnyTables::Narrow(tables(game, folder, memory_bytes)),
            AnyGame::NarrowBound(game) => {
                AnyTables::NarrowBound(tables(game, folder, memory_bytes))
            }
            AnyGame::Open(game) => AnyTables::Open(tables(game, folder, memory_bytes)),
            AnyGame::Wide(game) => AnyTables::Wide(tables(game, folder, memory_bytes)),
        }
    }
}

/// A table that is open.
struct Opened {
    variant: Arc<OpenVariant>,
    game: AnyGame,
    tables: AnyTables,
    signature: Signature,
    board: String,
}

impl Opened {
    fn stats(&self) -> Answer<[SideStats; 2]> {
        Ok(with_tables!(&self.tables, tables => stats(tables, &self.signature, Counting::All))?)
    }

    /// Returns the position of an argument, for the game of the tables.
    fn setup(&self, argument: &Bound<'_, PyAny>) -> Answer<Setup> {
        if let Ok(text) = argument.cast::<PyString>() {
            return Ok(fen::read_with(&self.game, &text.to_cow()?)?);
        }
        let position = argument.cast::<PyPosition>().map_err(PyErr::from)?;
        match position.get().variant.identity == self.variant.identity {
            true => Ok(position.get().setup.clone()),
            false => Err(other_game("position")),
        }
    }

    /// Calls the functions of one layout with the tables and a position of it.
    fn with<T>(&self, setup: &Setup, ask: &dyn Ask<T>) -> Answer<T> {
        match (&self.tables, setup) {
            (AnyTables::Narrow(tables), Setup::Narrow(start)) => ask.narrow(tables, start),
            (AnyTables::NarrowBound(tables), Setup::NarrowBound(start)) => {
                ask.narrow_bound(tables, start)
            }
            (AnyTables::Open(tables), Setup::Open(start)) => ask.open(tables, start),
            (AnyTables::Wide(tables), Setup::Wide(start)) => ask.wide(tables, start),
            _ => Err(other_game("position")),
        }
    }
}

/// A question to tables about a position, for each layout.
trait Ask<T> {
    fn narrow(&self, tables: &Tables<Narrow>, start: &Start<Narrow>) -> Answer<T>;
    fn narrow_bound(&self, tables: &Tables<NarrowBound>, start: &Start<NarrowBound>) -> Answer<T>;
    fn open(&self, tables: &Tables<Open>, start: &Start<Open>) -> Answer<T>;
    fn wide(&self, tables: &Tables<Wide>, start: &Start<Wide>) -> Answer<T>;
}

/// Implements [`Ask`] by one generic function.
macro_rules! ask {
    ($question:ident -> $answer:ty, $function:ident) => {
        impl Ask<$answer> for $question {
            fn narrow(&self, t: &Tables<Narrow>, s: &Start<Narrow>) -> Answer<$answer> {
                $function(t, s)
            }
            fn narrow_bound(
                &self,
                t: &Tables<NarrowBound>,
                s: &Start<NarrowBound>,
            ) -> Answer<$answer> {
                $function(t, s)
            }
            fn open(&self, t: &Tables<Open>, s: &Start<Open>) -> Answer<$answer> {
                $function(t, s)
            }
            fn wide(&self, t: &Tables<Wide>, s: &Start<Wide>) -> Answer<$answer> {
                $function(t, s)
            }
        }
    };
}

/// The value of a position and of its turns.
struct ProbeOf;
ask!(ProbeOf -> Option<tables::Probe>, probe);

fn probe<W: Layout>(tables: &Tables<W>, start: &Start<W>) -> Answer<Option<tables::Probe>> {
    Ok(tables.probe(&start.position)?)
}

/// The line of best play from a position.
struct LineOf;
ask!(LineOf -> (Vec<String>, String), line);

fn line<W: Layout>(tables: &Tables<W>, start: &Start<W>) -> Answer<(Vec<String>, String)> {
    let game = tables.game();
    let line = tables.line(&start.position)?;
    let last = (line.iter()).fold(start.position, |p, step| game.play(&p, &step.turn));
    let texts = line.into_iter().map(|step| step.text).collect();
    Ok((texts, game.outcome(&last).to_string()))
}

/// The value of a position, with that of each turn, best first.
#[pyclass(name = "Probe", module = "fairyproof", frozen)]
pub struct PyProbe {
    probe: tables::Probe,
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

/// An endgame table: every placement of some units with its value and distance.
///
/// The signature names the units, White's first: `KRvK`. A table is built with all tables that captures,
/// promotions and other changes of its units lead to: in memory, or in a folder, where tables that are there
/// are used. As a context manager, a table gives its memory back at the end.
///
/// >>> import fairyproof
/// >>> with fairyproof.Table("fide", "KRvK", board="4x4") as table:
/// ...     table.probe("k3/4/4/1R1K w - - 0 1").value
/// <Value win in 7>
#[pyclass(name = "Table", module = "fairyproof", frozen)]
pub struct PyTable {
    opened: Mutex<Option<Arc<Opened>>>,
    text: String,
    /// Classes that were solved, and that were there.
    built: Option<(usize, usize, u64)>,
}

impl PyTable {
    fn opened(&self) -> Answer<Arc<Opened>> {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened
            .clone()
            .ok_or_else(|| Diagnostic::new("table", "it is closed").into())
    }
}

/// Reads the size of a board, such as `7x6`.
fn board_size(text: &str) -> Answer<Geometry> {
    let side = |text: &str| {
        whole_number(text)
            .then(|| text.parse::<u8>().ok())
            .flatten()
    };
    let geometry = text
        .split_once('x')
        .and_then(|(files, ranks)| Geometry::new(side(files)?, side(ranks)?, 0, false));
    geometry.ok_or_else(|| {
        let why = format!(
            "`{}` is not the size of a board",
            diagnostics::shortened(text)
        );
        Diagnostic::new("board", why)
            .help("files and ranks, such as \"7x6\"")
            .into()
    })
}

/// Opens a table, and builds it if `builds`.
#[expect(
    clippy::too_many_arguments,
    reason = "they are the arguments of two constructors"
)]
fn open_table(
    py: Python<'_>,
    variant: &Bound<'_, PyAny>,
    signature: &str,
    board: Option<&str>,
    folder: Option<PathBuf>,
    disk: Option<PathBuf>,
    builds: bool,
    options: Options,
) -> Answer<PyTable> {
    let variant = Arc::clone(&variant_of(py, variant)?.get().inner);
    let geometry = board.map(board_size).transpose()?;
    let signature = signature.to_owned();
    let memory_bytes = options.memory_bytes();
    if disk.is_some() && folder.is_none() {
        let error = Diagnostic::new("disk", "the tables that are built there need a folder");
        return Err(error.help("`folder=`").into());
    }
    let (opened, built) = work::run(py, options, move |working| {
        let geometry = match geometry {
            Some(size) => {
                let board = variant.variant.rule_set.board(size.files(), size.ranks());
                board.map_err(|why| Diagnostic::new("board", why))?
            }
            None => fen::shape(&variant.variant.start())?,
        };
        let game = variant.variant.on(geometry);
        let mut tables = AnyTables::new(&game, folder.as_ref(), memory_bytes);
        if let Some(disk) = disk {
            tables = match tables {
                AnyTables::Narrow(t) => AnyTables::Narrow(t.working_in(disk, memory_bytes)),
                AnyTables::NarrowBound(t) => {
                    AnyTables::NarrowBound(t.working_in(disk, memory_bytes))
                }
                AnyTables::Open(t) => AnyTables::Open(t.working_in(disk, memory_bytes)),
                AnyTables::Wide(t) => AnyTables::Wide(t.working_in(disk, memory_bytes)),
            };
        }
        let (signature, built) = with_tables!(&tables, tables => {
            let signature = Signature::parse(tables.game(), &signature)?;
            let built = match builds {
                true => Some(build(tables, &signature, &working.control)?),
                false => {
                    tables::table_parts(tables, &signature)?;
                    None
                }
            };
            Ok::<_, Failure>((signature, built))
        })?;
        let opened = Opened {
            board: geometry.size(),
            variant,
            game,
            tables,
            signature,
        };
        Ok((opened, built))
    })?;
    let text = format!(
        "{} in {} on {}",
        opened.signature, opened.variant.variant, opened.board
    );
    Ok(PyTable {
        opened: Mutex::new(Some(Arc::new(opened))),
        text,
        built: built.map(|built| (built.solved, built.reused, built.indices)),
    })
}

/// A position of a table, with the values of further expressions.
#[pyclass(name = "TablePosition", module = "fairyproof", frozen)]
pub struct PyTablePosition {
    found: tables::FoundPosition,
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
type Queried = (
    Vec<tables::FoundPosition>,
    explore::Groups,
    language::Expression,
);

/// Evaluates a query about the positions of a table.
fn query(
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

#[pymethods]
impl PyTable {
    #[new]
    #[pyo3(signature = (variant, signature, *, board=None, folder=None, disk=None, threads=None, memory=None,
                        time=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "they are named in Python")]
    fn py_new(
        py: Python<'_>,
        variant: &Bound<'_, PyAny>,
        signature: &str,
        board: Option<&str>,
        folder: Option<PathBuf>,
        disk: Option<PathBuf>,
        threads: Option<usize>,
        memory: Option<Bound<'_, PyAny>>,
        time: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Answer<PyTable> {
        let options = Options::new(py, threads, memory, time, progress)?;
        open_table(py, variant, signature, board, folder, disk, true, options)
    }

    /// The variant.
    #[getter]
    fn variant(&self) -> Answer<PyVariant> {
        Ok(PyVariant {
            inner: Arc::clone(&self.opened()?.variant),
        })
    }

    /// The units, White's first.
    #[getter]
    fn signature(&self) -> Answer<String> {
        Ok(self.opened()?.signature.to_string())
    }

    /// The files and ranks of the board.
    #[getter]
    fn board(&self) -> Answer<String> {
        Ok(self.opened()?.board.clone())
    }

    /// The classes that were solved for this table, those that were there already, and the indices of all of
    /// them; `None` if the table was only opened.
    #[getter]
    fn built(&self) -> Option<(usize, usize, u64)> {
        self.built
    }

    /// Gives the memory of the table back. Further calls are errors.
    fn close(&self) {
        self.opened
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close();
    }

    /// Returns the value of a position and of each of its turns, best first. `None` if no table holds it, for
    /// example because it has castling rights.
    fn probe(&self, position: &Bound<'_, PyAny>) -> Answer<Option<PyProbe>> {
        let opened = self.opened()?;
        let setup = opened.setup(position)?;
        guard(|| {
            let found = opened.with(&setup, &ProbeOf)?;
            Ok(found.map(|probe| PyProbe { probe }))
        })
    }

    /// Returns the values of many positions as columns: `fen`, `value`, `plies`, which are null for positions
    /// that are in no table.
    #[pyo3(signature = (fens, *, threads=None, time=None, progress=None))]
    fn probe_many(
        &self,
        py: Python<'_>,
        fens: Vec<String>,
        threads: Option<usize>,
        time: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Answer<PyColumns> {
        let options = Options::new(py, threads, None, time, progress)?;
        let opened = self.opened()?;
        let batch = work::run(py, options, move |working| {
            with_tables!(&opened.tables, tables => {
                let values = crate::batch::map_ordered(&fens, &working.control, |part| {
                    let mut cache = ProbeCache::new(tables);
                    let value = |fen: &String| {
                        let p = fen::read_position(tables.game(), fen)?;
                        Ok(cache.value(&p)?)
                    };
                    part.iter().map(value).collect::<Answer<Vec<_>>>()
                })?;
                columns::probed(&fens, &values).map_err(failure)
            })
        })?;
        Ok(PyColumns::of(batch))
    }

    /// Returns the counts of wins, draws and losses over all placements as columns, one row for each side to
    /// move.
    fn stats(&self, py: Python<'_>) -> Answer<PyColumns> {
        let opened = self.opened()?;
        let options = Options::new(py, None, None, None, None)?;
        let batch = work::run(py, options, move |_| {
            let (variant, signature) = (&opened.variant.variant, opened.signature.to_string());
            let rows = opened.stats()?;
            let rows = rows
                .each_ref()
                .map(|side| StatsRow::new(variant, &opened.board, &signature, side));
            columns::statistics(&rows).map_err(failure)
        })?;
        Ok(PyColumns::of(batch))
    }

    /// Returns the number of positions for each side, value and distance as columns.
    fn plies(&self, py: Python<'_>) -> Answer<PyColumns> {
        let opened = self.opened()?;
        let options = Options::new(py, None, None, None, None)?;
        let batch = work::run(py, options, move |_| {
            let (variant, signature) = (&opened.variant.variant, opened.signature.to_string());
            let rows: Vec<PliesRow> = (opened.stats()?.iter())
                .flat_map(|side| PliesRow::all(variant, &opened.board, &signature, side))
                .collect();
            columns::plies(&rows).map_err(failure)
        })?;
        Ok(PyColumns::of(batch))
    }

    /// Returns the longest win with its line of play, or that of one side to move. `None` if no side to move
    /// wins.
    #[pyo3(signature = (side=None))]
    fn longest(&self, py: Python<'_>, side: Option<&str>) -> Answer<Option<PyLine>> {
        let opened = self.opened()?;
        let side = side.map(|side| side_named("side", side)).transpose()?;
        let options = Options::new(py, None, None, None, None)?;
        work::run(py, options, move |_| {
            let sides = opened.stats()?;
            // Of two longest wins, that of the side named first in the signature.
            let longest = sides
                .iter()
                .filter(|own| side.is_none_or(|side| side == own.side))
                .filter_map(|own| own.longest_win.as_ref())
                .rev()
                .max_by_key(|(plies, _)| *plies);
            let Some((_, text)) = longest else {
                return Ok(None);
            };
            let (turns, end) = opened.with(&fen::read_with(&opened.game, text)?, &LineOf)?;
            Ok(Some(PyLine::new(turns, end, text.clone())))
        })
    }

    /// Returns every position of the longest win of a side to move, as FENs; of symmetric positions one.
    fn longest_positions(&self, py: Python<'_>, side: &str) -> Answer<Vec<String>> {
        let opened = self.opened()?;
        let side = side_named("side", side)?;
        let options = Options::new(py, None, None, None, None)?;
        work::run(py, options, move |_| {
            let found = with_tables!(&opened.tables, tables => {
                longest(tables, &opened.signature, side, Extreme::Win)
            })?;
            Ok(found.map_or_else(Vec::new, |(_, fens)| fens))
        })
    }

    /// Returns a line of best play from a position; empty for a draw.
    fn line(&self, position: &Bound<'_, PyAny>) -> Answer<PyLine> {
        let opened = self.opened()?;
        let setup = opened.setup(position)?;
        guard(|| {
            let (turns, end) = opened.with(&setup, &LineOf)?;
            Ok(PyLine::new(turns, end, setup.fen()))
        })
    }

    /// Returns the positions for which an expression holds, with either side to move. It may use `value`,
    /// `plies` and `flip`, the position with the other side to move.
    ///
    /// >>> import fairyproof
    /// >>> table = fairyproof.Table("fide", "KRvK", board="4x4")
    /// >>> len(table.find("value == 'loss' && plies == 0"))
    /// 40
    #[pyo3(signature = (expression, by=None, limit=None, *, threads=None, time=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "they are named in Python")]
    fn find(
        &self,
        py: Python<'_>,
        expression: &str,
        by: Option<Vec<String>>,
        limit: Option<usize>,
        threads: Option<usize>,
        time: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Answer<Vec<PyTablePosition>> {
        let options = Options::new(py, threads, None, time, progress)?;
        let by = by.unwrap_or_default();
        let (found, _, condition) =
            query(py, self.opened()?, expression, by, false, limit, options)?;
        warn_of(py, &condition)?;
        Ok(found
            .into_iter()
            .map(|found| PyTablePosition { found })
            .collect())
    }

    /// Returns the number of positions for which an expression holds, or with `by` a dict of numbers by the
    /// value of another expression.
    #[pyo3(signature = (expression, by=None, *, threads=None, time=None, progress=None))]
    fn count<'py>(
        &self,
        py: Python<'py>,
        expression: &str,
        by: Option<String>,
        threads: Option<usize>,
        time: Option<f64>,
        progress: Option<Bound<'py, PyAny>>,
    ) -> Answer<Bound<'py, PyAny>> {
        let options = Options::new(py, threads, None, time, progress)?;
        let is_grouped = by.is_some();
        let by = by.into_iter().collect();
        let (_, groups, condition) =
            query(py, self.opened()?, expression, by, true, None, options)?;
        warn_of(py, &condition)?;
        counted(py, &groups, is_grouped)
    }

    /// Returns all positions as columns: `key`, `side`, `value`, `plies`; `fen` on request, which takes longer.
    #[pyo3(signature = (*, fen=false))]
    fn position_columns(&self, fen: bool) -> Answer<PyColumns> {
        let opened = self.opened()?;
        let positions = with_tables!(&opened.tables, tables => {
            TablePositions::open(tables, &opened.signature, fen)
        })?;
        let positions = Arc::new(positions);
        Ok(PyColumns::streamed(positions.schema(), None, move || {
            let (opened, positions) = (Arc::clone(&opened), Arc::clone(&positions));
            (0..positions.parts())
                .step_by(BATCH_PARTS)
                .map(move |first| {
                    let end = positions.parts().min(first + BATCH_PARTS);
                    with_tables!(&opened.tables, tables => positions.batch(tables, first..end))
                })
        }))
    }

    /// Returns the plies to the end of all positions with this side to move as a numpy array, -1 for draws, in
    /// the order of `position_columns`.
    fn distances<'py>(&self, py: Python<'py>, side: &str) -> Answer<Bound<'py, PyAny>> {
        let opened = self.opened()?;
        let side = side_named("side", side)?;
        let options = Options::new(py, None, None, None, None)?;
        let bytes = work::run(
            py,
            options,
            move |_| with_tables!(&opened.tables, tables => distances(tables, &opened.signature, side)),
        )?;
        let numpy = py.import("numpy")?;
        let array = numpy.call_method1("frombuffer", (PyBytes::new(py, &bytes), "<i2"))?;
        Ok(array.call_method0("copy")?)
    }

    /// Compares every position with its successors, without the code that built the table, and returns the
    /// faults, of which there are none.
    #[pyo3(signature = (*, threads=None, memory=None, time=None, progress=None))]
    fn check(
        &self,
        py: Python<'_>,
        threads: Option<usize>,
        memory: Option<Bound<'_, PyAny>>,
        time: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Answer<Vec<String>> {
        let options = Options::new(py, threads, memory, time, progress)?;
        let opened = self.opened()?;
        work::run(py, options, move |working| {
            let found = with_tables!(&opened.tables, tables => {
                certify(tables, &opened.signature, &working.control)
            })?;
            Ok([found.own.faults, found.below.faults].concat())
        })
    }

    fn __repr__(&self) -> String {
        let closed = if self.opened().is_err() {
            ", closed"
        } else {
            ""
        };
        format!("<Table {}{closed}>", self.text)
    }
}

/// Returns the distances of all positions with this side to move, in two bytes each.
fn distances<W: Layout>(tables: &Tables<W>, signature: &Signature, side: Color) -> Answer<Vec<u8>> {
    let mut bytes = Vec::new();
    for part in tables::table_parts(tables, signature)? {
        let visited = part.each(tables, &|| false, &mut |subject, value| {
            if subject.position.side != side {
                return Ok(true);
            }
            let plies = value.distance_plies().map_or(-1, |plies| plies as i16);
            bytes.extend_from_slice(&plies.to_le_bytes());
            Ok(false)
        });
        visited.map_err(|language::Interrupted| Failure::Interrupted)?;
    }
    Ok(bytes)
}

/// A folder with endgame tables.
///
/// `TableFolder()` is the folder of the program: that of `FAIRYPROOF_TABLES`, or one in the user's cache. As a
/// context manager, it closes the tables that it opened.
#[pyclass(name = "TableFolder", module = "fairyproof", frozen)]
pub struct PyTableFolder {
    path: PathBuf,
    tables: Mutex<Vec<Py<PyTable>>>,
}

#[pymethods]
impl PyTableFolder {
    #[new]
    #[pyo3(signature = (path=None))]
    fn py_new(path: Option<PathBuf>) -> Answer<PyTableFolder> {
        let path = path.or_else(default_folder).ok_or_else(|| {
            let error = Diagnostic::new("folder", "there is no folder for tables");
            error.help("name one, or set FAIRYPROOF_TABLES")
        })?;
        Ok(PyTableFolder {
            path,
            tables: Mutex::default(),
        })
    }

    /// The path of the folder.
    #[getter]
    fn path(&self) -> &PathBuf {
        &self.path
    }

    /// Builds a table in the folder, with every table that it depends on. With `disk`, a table that does not
    /// fit in memory is built there.
    #[pyo3(signature = (variant, signature, *, board=None, disk=None, threads=None, memory=None, time=None,
                        progress=None))]
    #[allow(clippy::too_many_arguments, reason = "they are named in Python")]
    fn build(
        &self,
        py: Python<'_>,
        variant: &Bound<'_, PyAny>,
        signature: &str,
        board: Option<&str>,
        disk: Option<PathBuf>,
        threads: Option<usize>,
        memory: Option<Bound<'_, PyAny>>,
        time: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> Answer<Py<PyTable>> {
        let options = Options::new(py, threads, memory, time, progress)?;
        let folder = Some(self.path.clone());
        let table = open_table(py, variant, signature, board, folder, disk, true, options)?;
        self.keep(py, table)
    }

    /// Opens a table of the folder, without building anything.
    #[pyo3(signature = (variant, signature, *, board=None))]
    fn open(
        &self,
        py: Python<'_>,
        variant: &Bound<'_, PyAny>,
        signature: &str,
        board: Option<&str>,
    ) -> Answer<Py<PyTable>> {
        let options = Options::new(py, None, None, None, None)?;
        let folder = Some(self.path.clone());
        let table = open_table(py, variant, signature, board, folder, None, false, options)?;
        self.keep(py, table)
    }

    /// Returns the files of the folder as dicts: `variant`, `board`, `class`, `indices`, `table_bytes`.
    fn list<'py>(&self, py: Python<'py>) -> Answer<Vec<Bound<'py, PyDict>>> {
        let mut rows = Vec::new();
        for file in Store::new(&self.path).list()? {
            let file = file?;
            let row = PyDict::new(py);
            row.set_item("variant", file.variant)?;
            row.set_item("board", file.board)?;
            row.set_item("class", file.class)?;
            row.set_item("indices", file.indices)?;
            row.set_item("table_bytes", file.table_bytes)?;
            rows.push(row);
        }
        Ok(rows)
    }

    /// Closes the tables that were opened.
    fn close(&self) {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.drain(..).for_each(|table| table.get().close());
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close();
    }

    fn __repr__(&self) -> String {
        format!("<TableFolder {}>", self.path.display())
    }
}

impl PyTableFolder {
    fn keep(&self, py: Python<'_>, table: PyTable) -> Answer<Py<PyTable>> {
        let table = Py::new(py, table)?;
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.push(table.clone_ref(py));
        Ok(table)
    }
}
