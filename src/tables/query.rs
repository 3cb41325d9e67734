//! Queries for the positions of a table that meet a condition, which is written as an expression. Positions
//! are streamed; none is stored.

use super::class::{Class, Placed};
use super::class_table::Table;
use super::probe::ProbeCache;
use super::signature::Signature;
use super::stats::{Counting, no_distances, table_of};
use super::symmetry;
use super::tables::Tables;
use super::values_only::{ValueReader, ValuesOnlyTable, word_of};
use diagnostics::Diagnostic;
use explore::{Group, Groups};
use language::{Expression, Interrupted, Oracle, Subject, Valued};
use notation::fen;
use per_layout::per_layout;
use position::{Layout, Position};
use rayon::ThreadPool;
use rayon::prelude::*;
use std::cell::RefCell;
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
    /// The value for the side to move; `None` if the table has values only.
    pub value: Option<Value>,
    /// The word for the value; see [`Value::word`].
    pub word: &'static str,
    /// The distance in plies; `None` for a draw, and if the table has values only.
    pub plies: Option<u16>,
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

/// A reader of the values of positions.
enum Cache<'t, W: Layout> {
    /// From full tables.
    Full(RefCell<ProbeCache<'t, W>>),
    /// From tables of both forms, without distances, with the first error.
    Values(RefCell<ValueReader<'t, W>>, RefCell<Option<Diagnostic>>),
}

impl<W: Layout> Cache<'_, W> {
    /// Returns the value of a position. Without distances, the distance is -1; no expression reads it.
    fn value(&self, position: &Position<W>) -> Option<Valued> {
        match self {
            Cache::Full(cache) => {
                // A file that cannot be read is reported after all positions are done.
                let value = cache.borrow_mut().stored(position);
                value.ok().flatten().map(Valued::from)
            }
            Cache::Values(reader, error) => {
                let worth = reader.borrow_mut().worth(position);
                let worth = worth.unwrap_or_else(|why| {
                    error.borrow_mut().get_or_insert(why);
                    None
                });
                worth.map(|worth| Valued { worth, plies: -1 })
            }
        }
    }
}

/// Tables as an oracle, with the known value of the position that is being evaluated.
struct TableOracle<'a, 't, W: Layout> {
    cache: &'a Cache<'t, W>,
    root: &'a Position<W>,
    value: Valued,
}

impl<W: Layout> Oracle<W> for TableOracle<'_, '_, W> {
    fn value(&self, position: &Position<W>) -> Option<Valued> {
        if std::ptr::eq(position, self.root) {
            return Some(self.value);
        }
        self.cache.value(position)
    }
}

/// The results for a chunk of indices.
#[derive(Default)]
struct PartAnswer {
    positions: Vec<FoundPosition>,
    groups: Groups,
    /// The first error of a table of values only, or a value that contradicts the rules.
    error: Option<Diagnostic>,
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
    find_sharing(query, Sharing::of(query), visit)
}

/// What is evaluated only once for positions that symmetries map to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sharing {
    /// The condition.
    pub condition: bool,
    /// The condition and the expressions by which positions are counted.
    pub counts: bool,
}

impl Sharing {
    /// Nothing.
    #[cfg(test)]
    pub const NONE: Sharing = Sharing {
        condition: false,
        counts: false,
    };

    /// Returns what has the same value on these positions.
    pub fn of<W: Layout>(query: &Query<'_, W>) -> Sharing {
        let condition = query.condition.is_symmetric();
        let counts = condition && query.counts && query.by.iter().all(Expression::is_symmetric);
        Sharing { condition, counts }
    }
}

/// Like [`find_positions`], but evaluates once for symmetric positions what `sharing` says.
pub(super) fn find_sharing<W: Layout>(
    query: &Query<'_, W>,
    sharing: Sharing,
    visit: &mut PositionVisitor<'_>,
) -> Result<Groups, QueryError> {
    let mut groups = Groups::new();
    let threads = query
        .pool
        .map_or_else(rayon::current_num_threads, ThreadPool::current_num_threads);
    let parts = parts_of_both_forms(query)?;
    for parts in parts.chunks(PARTS_PER_THREAD * threads) {
        let evaluate = || -> Vec<Result<PartAnswer, Interrupted>> {
            let answers = (parts.par_iter()).map(|part| answer(query, sharing, part));
            answers.collect()
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
            if let Some(error) = answer.error {
                return Err(error.into());
            }
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
fn answer<W: Layout>(
    query: &Query<'_, W>,
    sharing: Sharing,
    part: &TablePart,
) -> Result<PartAnswer, Interrupted> {
    let mut answer = PartAnswer::default();
    let mut wrong = None;
    let error = part.each_orbit(query.tables, query.stop, &mut |orbit| {
        if let Err(error) = orbit.compare() {
            wrong = Some(error);
            return Ok(true);
        }
        let n = match query.counting {
            Counting::All => u64::from(orbit.placed.orientations),
            Counting::Reduced => 1,
        };
        let mut holds = None;
        if sharing.condition {
            if (query.stop)() {
                return Err(Interrupted);
            }
            let first = orbit.first();
            let ended = orbit.with_subject(&first, |subject| {
                if !query.condition.holds(subject)? {
                    return Ok(true);
                }
                if sharing.counts {
                    *answer.groups.entry(group(query, subject)?).or_default() += n;
                }
                Ok::<_, Interrupted>(sharing.counts)
            });
            if ended? {
                return Ok(false);
            }
            holds = Some(true);
        }
        let (value, worth) = (orbit.value, orbit.valued.worth);
        orbit.each(query.counting, &mut |subject| {
            if (query.stop)() {
                return Err(Interrupted);
            }
            if holds.map_or_else(|| query.condition.holds(subject), Ok)? {
                add(query, subject, value.ok_or(worth), &mut answer)?;
            }
            Ok(false)
        })
    })?;
    answer.error = error.or(wrong);
    Ok(answer)
}

/// A block of the indices of a table.
pub struct TablePart {
    form: Form,
    /// Whether the table holds the signature with the sides swapped.
    swap: bool,
    indices: Range<u64>,
}

/// The table of a part, in one of its forms.
#[derive(Clone)]
enum Form {
    Full(Arc<Table>),
    Values(Arc<ValuesOnlyTable>),
}

impl Form {
    fn class(&self) -> &Class {
        match self {
            Form::Full(table) => &table.class,
            Form::Values(table) => &table.class,
        }
    }

    fn parts(self, swap: bool) -> impl Iterator<Item = TablePart> {
        let len = self.class().len();
        (0..len).step_by(CHUNK as usize).map(move |from| TablePart {
            form: self.clone(),
            swap,
            indices: from..len.min(from + CHUNK),
        })
    }
}

/// Like [`table_parts`], but uses a table of values only where there is no full one. The query must then read no
/// distances.
fn parts_of_both_forms<W: Layout>(query: &Query<'_, W>) -> Result<Vec<TablePart>, Diagnostic> {
    let mut parts = Vec::new();
    for key in query.signature.keys() {
        if !query.tables.has_values_only(&key)? {
            let (table, swap) = table_of(query.tables, query.signature, &key)?;
            parts.extend(Form::Full(table).parts(swap));
            continue;
        }
        let mut expressions = std::iter::once(query.condition).chain(query.by);
        if expressions.any(Expression::reads_distances) {
            return Err(no_distances(query.tables, query.signature));
        }
        let (canonical, swap) = query.tables.canonical(&key);
        let table = query.tables.values_only(&canonical)?;
        parts.extend(
            table
                .into_iter()
                .flat_map(|table| Form::Values(table).parts(swap)),
        );
    }
    Ok(parts)
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
        parts.extend(Form::Full(table).parts(swap));
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
        self.each_orbit(tables, stop, &mut |orbit| match orbit.value {
            Some(value) => orbit.each(Counting::All, &mut |subject| visit(subject, value)),
            None => Ok(false),
        })?;
        Ok(())
    }

    /// Calls `visit` for the positions of each index together, until `visit` returns true. Returns the first
    /// error of a table of values only.
    fn each_orbit<W: Layout>(
        &self,
        tables: &Tables<W>,
        stop: &dyn Fn() -> bool,
        visit: &mut OrbitVisitor<'_, W>,
    ) -> Result<Option<Diagnostic>, Interrupted> {
        let class = self.form.class();
        let (cache, known) = match &self.form {
            Form::Full(table) => (
                Cache::Full(RefCell::new(ProbeCache::new(tables))),
                Some(table.values_in(self.indices.clone())),
            ),
            Form::Values(_) => {
                let reader = RefCell::new(ValueReader::new(tables));
                (Cache::Values(reader, RefCell::default()), None)
            }
        };
        let indices = match known {
            Some(known) => known
                .into_iter()
                .map(|(index, value)| (index, Some(value)))
                .collect(),
            None => self
                .indices
                .clone()
                .map(|index| (index, None))
                .collect::<Vec<_>>(),
        };
        let mut images = Vec::new();
        for (index, value) in indices {
            let Some(placed) = class.placed::<W>(index) else {
                continue;
            };
            let valued = match value {
                Some(value) => Some(value.into()),
                None => cache.value(&placed.position),
            };
            let Some(valued) = valued else {
                continue;
            };
            let mut orbit = Orbit {
                tables,
                class,
                swap: self.swap,
                placed,
                value,
                valued,
                cache: &cache,
                stop,
                images: &mut images,
            };
            if visit(&mut orbit)? {
                break;
            }
        }
        Ok(match cache {
            Cache::Full(_) => None,
            Cache::Values(_, error) => error.into_inner(),
        })
    }
}

/// Receives the positions of an index. Returns whether to end the visit.
type OrbitVisitor<'v, W> = dyn FnMut(&mut Orbit<'_, '_, W>) -> Result<bool, Interrupted> + 'v;

/// The positions that an index represents: one, and its symmetric images.
struct Orbit<'a, 't, W: Layout> {
    tables: &'t Tables<W>,
    class: &'a Class,
    swap: bool,
    placed: Placed<W>,
    /// The value, if the table has distances.
    value: Option<Value>,
    valued: Valued,
    cache: &'a Cache<'t, W>,
    stop: &'a dyn Fn() -> bool,
    /// Memory for the images.
    images: &'a mut Vec<Position<W>>,
}

impl<W: Layout> Orbit<'_, '_, W> {
    /// Returns the first position.
    fn first(&self) -> Position<W> {
        let flip = self.flip();
        let first = self.placed.position;
        flip.map_or(first, |flip| {
            symmetry::rotated(self.tables.game(), &first, &flip, true)
        })
    }

    /// Compares the value with those of the position's successors.
    fn compare(&self) -> Result<(), Diagnostic> {
        let p = &self.placed.position;
        match (self.cache, self.value) {
            (Cache::Full(cache), Some(value)) => cache.borrow_mut().compare(p, value),
            (Cache::Full(_), None) => Ok(()),
            (Cache::Values(reader, _), _) => reader.borrow_mut().compare(p, self.valued.worth),
        }
    }

    fn flip(&self) -> Option<symmetry::Map> {
        let geometry = self.tables.game().board().geometry();
        self.swap.then(|| symmetry::rank_flip(geometry)).flatten()
    }

    /// Evaluates with one of the positions as the subject.
    fn with_subject<R>(
        &self,
        position: &Position<W>,
        evaluate: impl FnOnce(&Subject<'_, W>) -> R,
    ) -> R {
        let oracle = TableOracle {
            cache: self.cache,
            root: position,
            value: self.valued,
        };
        evaluate(&Subject {
            oracle: Some(&oracle),
            stop: Some(self.stop),
            ..Subject::new(self.tables.game(), position)
        })
    }

    /// Calls `visit` for the positions that `counting` selects, until `visit` returns true. Returns whether it
    /// did.
    fn each(
        &mut self,
        counting: Counting,
        visit: &mut dyn FnMut(&Subject<'_, W>) -> Result<bool, Interrupted>,
    ) -> Result<bool, Interrupted> {
        let mut images = std::mem::take(self.images);
        images.clear();
        images_of(
            self.tables,
            self.class,
            &self.placed,
            self.swap,
            &mut images,
        );
        if counting == Counting::Reduced {
            images.truncate(1);
        }
        let mut ended = Ok(false);
        for position in &images {
            ended = self.with_subject(position, &mut *visit);
            if !matches!(ended, Ok(false)) {
                break;
            }
        }
        *self.images = images;
        ended
    }
}

/// Returns the group of a position.
fn group<W: Layout>(query: &Query<'_, W>, subject: &Subject<'_, W>) -> Result<Group, Interrupted> {
    if let [by] = query.by {
        return Group::of(by, subject);
    }
    let texts = query.by.iter().map(|by| Ok(by.answer(subject)?.text));
    let texts = texts.collect::<Result<Vec<String>, Interrupted>>()?;
    Ok(Group::Text(texts.join(" ")))
}

/// Adds a position that meets the condition, with its value or, without distances, its worth.
fn add<W: Layout>(
    query: &Query<'_, W>,
    subject: &Subject<'_, W>,
    value: Result<Value, i8>,
    answer: &mut PartAnswer,
) -> Result<(), Interrupted> {
    if query.counts {
        *answer.groups.entry(group(query, subject)?).or_default() += 1;
        return Ok(());
    }
    let by = query.by.iter().map(|by| Ok(by.answer(subject)?.text));
    answer.positions.push(FoundPosition {
        fen: fen::print(subject.game, subject.position),
        value: value.ok(),
        word: value.map_or_else(word_of, Value::word),
        plies: value.ok().and_then(Value::distance_plies),
        by: by.collect::<Result<Vec<String>, Interrupted>>()?,
    });
    Ok(())
}

/// Appends the positions that an index represents, each once: first the position of the index, then its
/// symmetric images.
fn images_of<W: Layout>(
    tables: &Tables<W>,
    class: &Class,
    placed: &Placed<W>,
    swap: bool,
    images: &mut Vec<Position<W>>,
) {
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

#[cfg(test)]
mod tests;
