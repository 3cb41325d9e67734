//! Queries for the positions of a table that meet a condition, which is written as an expression. Positions
//! are streamed; none is stored.

use super::class::Class;
use super::class_table::Table;
use super::signature::Signature;
use super::stats::missing;
use super::symmetry;
use super::tables::Tables;
use diagnostics::Diagnostic;
use explore::{Group, Groups};
use language::{Expression, Interrupted, Oracle, Subject, Valued};
use notation::fen;
use per_layout::per_layout;
use position::{Layout, Position};
use rayon::ThreadPool;
use rayon::prelude::*;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use values::Value;

/// Indices that one thread evaluates at a time.
const CHUNK: u64 = 1 << 12;
/// Chunks whose results are in memory at the same time, for each thread.
const CHUNKS_PER_THREAD: usize = 4;

/// A query for positions of a signature, with either side to move.
pub struct Query<'a, W: Layout> {
    /// The tables.
    pub tables: &'a Tables<W>,
    /// The material signature.
    pub signature: &'a Signature,
    /// The condition that positions must meet.
    pub condition: &'a Expression,
    /// The expressions that are evaluated for each position that meets the condition.
    pub by: &'a [Expression],
    /// Whether positions are counted by the values of `by` instead of listed.
    pub counts: bool,
    /// The threads that evaluate. Without a pool, the caller's pool is used.
    pub pool: Option<&'a ThreadPool>,
    /// Returns whether to stop. Called often, on all threads.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// A position of a table that meets the condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundPosition {
    /// The position as FEN.
    pub fen: String,
    /// The value for the side to move.
    pub value: Value,
    /// The values of the expressions in [`Query::by`].
    pub by: Vec<String>,
}

/// Receives the positions that meet the condition.
pub type PositionVisitor<'v> = dyn FnMut(FoundPosition) -> io::Result<()> + 'v;

/// The reason why a query failed.
#[derive(Debug)]
pub enum QueryError {
    /// The table does not exist, or it cannot be read.
    Input(Diagnostic),
    /// The results could not be written.
    Output(io::Error),
    /// The caller stopped the query.
    Interrupted,
}

impl From<Diagnostic> for QueryError {
    fn from(error: Diagnostic) -> QueryError {
        QueryError::Input(error)
    }
}

/// Tables as an oracle, with the known value of the position that is being evaluated.
struct TableOracle<'a, W: Layout> {
    tables: &'a Tables<W>,
    root: &'a Position<W>,
    value: Value,
}

impl<W: Layout> Oracle<W> for TableOracle<'_, W> {
    fn value(&self, position: &Position<W>) -> Option<Valued> {
        if std::ptr::eq(position, self.root) {
            return Some(self.value.into());
        }
        // A file that cannot be read is reported after all positions are done.
        self.tables.value(position).ok().flatten().map(Valued::from)
    }
}

/// The results for a chunk of indices.
#[derive(Default)]
struct ChunkAnswer {
    positions: Vec<FoundPosition>,
    groups: Groups,
}

/// Passes every position of a signature that meets the condition to `visit`, in index order, White to move
/// first. With [`Query::counts`], returns the numbers of positions by group instead. Positions that
/// symmetries map to each other are all visited; exchanging equal units does not make another position.
///
/// # Errors
/// See [`QueryError`].
#[per_layout]
pub fn find_positions<W: Layout>(
    query: &Query<'_, W>,
    visit: &mut PositionVisitor<'_>,
) -> Result<Groups, QueryError> {
    let mut groups = Groups::new();
    for key in query.signature.keys() {
        let (canonical, swap) = query.tables.canonical(&key);
        let Some(table) = query.tables.table(&canonical)? else {
            return Err(missing(query.tables, query.signature).into());
        };
        let chunks = table.class.len().div_ceil(CHUNK);
        let threads = query
            .pool
            .map_or_else(rayon::current_num_threads, ThreadPool::current_num_threads);
        let round = (CHUNKS_PER_THREAD * threads) as u64;
        let mut first = 0;
        while first < chunks {
            let last = (first + round).min(chunks);
            let evaluate = || -> Vec<Result<ChunkAnswer, Interrupted>> {
                let chunks = (first..last).into_par_iter();
                chunks
                    .map(|chunk| part(query, &table, swap, chunk))
                    .collect()
            };
            let parts = match query.pool {
                Some(pool) => pool.install(evaluate),
                None => evaluate(),
            };
            for part in parts {
                let part = part.map_err(|Interrupted| QueryError::Interrupted)?;
                for position in part.positions {
                    visit(position).map_err(QueryError::Output)?;
                }
                for (group, positions) in part.groups {
                    *groups.entry(group).or_default() += positions;
                }
            }
            first = last;
        }
    }
    query.tables.trouble()?;
    Ok(groups)
}

/// Evaluates a chunk of indices.
fn part<W: Layout>(
    query: &Query<'_, W>,
    table: &Table,
    swap: bool,
    chunk: u64,
) -> Result<ChunkAnswer, Interrupted> {
    let class = &table.class;
    let mut part = ChunkAnswer::default();
    let mut images = Vec::new();
    for (index, value) in table.values_in(chunk * CHUNK..((chunk + 1) * CHUNK).min(class.len())) {
        if (query.stop)() {
            return Err(Interrupted);
        }
        images.clear();
        images_of(query.tables, class, index, swap, &mut images);
        for position in &images {
            examine(query, position, value, &mut part)?;
        }
    }
    Ok(part)
}

/// A block of the indices of a table.
pub struct TablePart {
    table: Arc<Table>,
    /// Whether the table holds the signature with the sides swapped.
    swap: bool,
    indices: Range<u64>,
}

/// Returns the blocks of the tables of a signature in index order, first with White to move, then with Black
/// to move. The tables must have been built.
///
/// # Errors
/// If a table is missing or cannot be read.
#[per_layout]
pub fn table_parts<W: Layout>(
    tables: &Tables<W>,
    signature: &Signature,
) -> Result<Vec<TablePart>, Diagnostic> {
    let mut parts = Vec::new();
    for key in signature.keys() {
        let (canonical, swap) = tables.canonical(&key);
        let Some(table) = tables.table(&canonical)? else {
            return Err(missing(tables, signature));
        };
        let mut from = 0;
        while from < table.class.len() {
            let to = (from + CHUNK).min(table.class.len());
            parts.push(TablePart {
                table: Arc::clone(&table),
                swap,
                indices: from..to,
            });
            from = to;
        }
    }
    Ok(parts)
}

/// Receives positions with their values. Returns whether to end the visit.
pub type SubjectVisitor<'v, W> = dyn FnMut(&Subject<'_, W>) -> Result<bool, Interrupted> + 'v;

#[per_layout]
impl TablePart {
    /// Calls `visit` for each position of the block, until `visit` returns true. Positions that symmetries
    /// map to each other are all visited.
    ///
    /// # Errors
    /// If `stop` returned true during an evaluation.
    pub fn each<W: Layout>(
        &self,
        tables: &Tables<W>,
        stop: &dyn Fn() -> bool,
        visit: &mut SubjectVisitor<'_, W>,
    ) -> Result<(), Interrupted> {
        let mut images = Vec::new();
        for (index, value) in self.table.values_in(self.indices.clone()) {
            images.clear();
            images_of(tables, &self.table.class, index, self.swap, &mut images);
            for position in &images {
                let oracle = TableOracle {
                    tables,
                    root: position,
                    value,
                };
                let subject = Subject {
                    oracle: Some(&oracle),
                    stop: Some(stop),
                    ..Subject::new(tables.game(), position)
                };
                if visit(&subject)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

fn examine<W: Layout>(
    query: &Query<'_, W>,
    position: &Position<W>,
    value: Value,
    part: &mut ChunkAnswer,
) -> Result<(), Interrupted> {
    let game = query.tables.game();
    let oracle = TableOracle {
        tables: query.tables,
        root: position,
        value,
    };
    let stop = || (query.stop)();
    let subject = Subject {
        oracle: Some(&oracle),
        stop: Some(&stop),
        ..Subject::new(game, position)
    };
    if !query.condition.holds(&subject)? {
        return Ok(());
    }
    if query.counts {
        let group = match query.by {
            [by] => Group::of(by, &subject)?,
            by => {
                let texts = by.iter().map(|by| Ok(by.answer(&subject)?.text));
                Group::Text(
                    texts
                        .collect::<Result<Vec<String>, Interrupted>>()?
                        .join(" "),
                )
            }
        };
        *part.groups.entry(group).or_default() += 1;
        return Ok(());
    }
    let by = query.by.iter().map(|by| Ok(by.answer(&subject)?.text));
    part.positions.push(FoundPosition {
        fen: fen::print(game, position),
        value,
        by: by.collect::<Result<Vec<String>, Interrupted>>()?,
    });
    Ok(())
}

/// Appends the positions that an index represents, each once: first the position of the index, then its
/// symmetric images.
fn images_of<W: Layout>(
    tables: &Tables<W>,
    class: &Class,
    index: u64,
    swap: bool,
    images: &mut Vec<Position<W>>,
) {
    let Some(placed) = class.placed::<W>(index) else {
        return;
    };
    let game = tables.game();
    for map in class.maps() {
        let image = symmetry::rotated(game, &placed.position, map, false);
        if !images.contains(&image) {
            images.push(image);
        }
    }
    debug_assert_eq!(images.len(), placed.orientations as usize);
    if swap && let Some(flip) = symmetry::rank_flip(game.board().geometry()) {
        for image in images.iter_mut() {
            *image = symmetry::rotated(game, image, &flip, true);
        }
    }
}
