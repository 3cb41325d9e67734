//! Queries for the positions of a table that meet a condition, which is written as an expression. Positions
//! are streamed; none is stored.

use super::class::Class;
use super::class_table::Table;
use super::signature::Signature;
use super::stats::{Counting, table_of};
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
/// Blocks whose results are in memory at the same time, for each thread.
const PARTS_PER_THREAD: usize = 4;

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
    /// Which positions are visited of those that symmetries map to each other.
    pub counting: Counting,
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
    /// The caller stopped the query. Contains the numbers of positions by group of the indices that were
    /// examined before.
    Interrupted(Groups),
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
struct PartAnswer {
    positions: Vec<FoundPosition>,
    groups: Groups,
}

/// Passes every position of a signature that meets the condition to `visit`, in index order, White to move
/// first. With [`Query::counts`], returns the numbers of positions by group instead. Of positions that
/// symmetries map to each other, all or only the first one are visited; exchanging equal units does not make
/// another position.
///
/// # Errors
/// See [`QueryError`].
#[per_layout]
pub fn find_positions<W: Layout>(
    query: &Query<'_, W>,
    visit: &mut PositionVisitor<'_>,
) -> Result<Groups, QueryError> {
    let mut groups = Groups::new();
    let threads = query
        .pool
        .map_or_else(rayon::current_num_threads, ThreadPool::current_num_threads);
    for parts in table_parts(query.tables, query.signature)?.chunks(PARTS_PER_THREAD * threads) {
        let evaluate = || -> Vec<Result<PartAnswer, Interrupted>> {
            parts.par_iter().map(|part| answer(query, part)).collect()
        };
        let answers = match query.pool {
            Some(pool) => pool.install(evaluate),
            None => evaluate(),
        };
        let mut stopped = false;
        for answer in answers {
            let Ok(answer) = answer else {
                stopped = true;
                continue;
            };
            for position in answer.positions {
                visit(position).map_err(QueryError::Output)?;
            }
            for (group, positions) in answer.groups {
                *groups.entry(group).or_default() += positions;
            }
        }
        if stopped {
            return Err(QueryError::Interrupted(groups));
        }
    }
    query.tables.trouble()?;
    Ok(groups)
}

/// Evaluates a block of indices.
fn answer<W: Layout>(query: &Query<'_, W>, part: &TablePart) -> Result<PartAnswer, Interrupted> {
    let mut answer = PartAnswer::default();
    part.each_counted(
        query.tables,
        query.counting,
        query.stop,
        &mut |subject, value| {
            if (query.stop)() {
                return Err(Interrupted);
            }
            examine(query, subject, value, &mut answer)?;
            Ok(false)
        },
    )?;
    Ok(answer)
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
        let (table, swap) = table_of(tables, signature, &key)?;
        let len = table.class.len();
        parts.extend((0..len).step_by(CHUNK as usize).map(|from| TablePart {
            table: Arc::clone(&table),
            swap,
            indices: from..len.min(from + CHUNK),
        }));
    }
    Ok(parts)
}

/// Receives positions with their values. Returns whether to end the visit.
pub type SubjectVisitor<'v, W> =
    dyn FnMut(&Subject<'_, W>, Value) -> Result<bool, Interrupted> + 'v;

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
        self.each_counted(tables, Counting::All, stop, visit)
    }

    /// Like [`each`](Self::each), but visits the positions that `counting` selects.
    fn each_counted<W: Layout>(
        &self,
        tables: &Tables<W>,
        counting: Counting,
        stop: &dyn Fn() -> bool,
        visit: &mut SubjectVisitor<'_, W>,
    ) -> Result<(), Interrupted> {
        let mut images = Vec::new();
        for (index, value) in self.table.values_in(self.indices.clone()) {
            images.clear();
            images_of(tables, &self.table.class, index, self.swap, &mut images);
            if counting == Counting::Reduced {
                images.truncate(1);
            }
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
                if visit(&subject, value)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

fn examine<W: Layout>(
    query: &Query<'_, W>,
    subject: &Subject<'_, W>,
    value: Value,
    answer: &mut PartAnswer,
) -> Result<(), Interrupted> {
    if !query.condition.holds(subject)? {
        return Ok(());
    }
    if query.counts {
        let group = match query.by {
            [by] => Group::of(by, subject)?,
            by => {
                let texts = by.iter().map(|by| Ok(by.answer(subject)?.text));
                Group::Text(
                    texts
                        .collect::<Result<Vec<String>, Interrupted>>()?
                        .join(" "),
                )
            }
        };
        *answer.groups.entry(group).or_default() += 1;
        return Ok(());
    }
    let by = query.by.iter().map(|by| Ok(by.answer(subject)?.text));
    answer.positions.push(FoundPosition {
        fen: fen::print(subject.game, subject.position),
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
