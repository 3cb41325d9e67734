//! `Table`: endgame tables.

mod answers;
mod folder;
mod layouts;

pub use answers::{PyProbe, PyTablePosition};
pub use folder::PyTableFolder;

use crate::errors::{Answer, Failure, guard};
use crate::expressions::{counted, warn_of};
use crate::graph::PyLine;
use crate::position::side_named;
use crate::stream::{PyColumns, failure};
use crate::variant::{PyVariant, variant_of};
use crate::work::{self, Options};
use ::position::Layout;
use answers::query;
use board::{Color, Geometry};
use columns::TablePositions;
use diagnostics::{Diagnostic, whole_number};
use layouts::{AnyTables, Opened, with_tables};
use notation::fen;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use report::endings::{PliesRow, StatsRow};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tables::{Extreme, ProbeCache, Signature, Tables, build, certify, longest};

/// The number of parts of a table in a batch of positions.
const BATCH_PARTS: usize = 16;

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
        let game = variant.variant.on(geometry)?;
        let tables = AnyTables::new(&game, folder.as_ref(), disk, memory_bytes);
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
            let found = opened.probe(&setup)?;
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
            let (turns, end) = opened.line(&fen::read_with(&opened.game, text)?)?;
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
            let (turns, end) = opened.line(&setup)?;
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
