//! Exploration in memory: finds all positions that can be reached by legal turns, within limits.
//!
//! This module implements the [`Frontier`] of the search in `breadth_first.rs` whose states are in memory,
//! numbered in the order in which they are found. States are expanded in batches, in the order of their
//! numbers. A batch passes through two phases:
//!
//! 1. *Expansion*: the threads take the states in chunks, generate the keys of the successors and look the
//!    keys up in the set of states. The set does not change during this phase, so the threads read it without
//!    locks. In the graph of an ending, five of six successors are found here.
//! 2. *Insertion* of the successors that were not found, in the order of the states and of their turns, by
//!    one thread. Meanwhile the other threads generate successors of the next batch.
//!
//! The number of a new state depends only on its first parent and on the index of the turn, not on the number
//! of threads: only insertion numbers states, and the sequence of insertions is always the same. The price is
//! that insertion is serial. With one thread, all successors are inserted without a previous lookup.
//!
//! On KQvKR, with 20 million states and 335 million turns, generation takes 45 % of the processor time of one
//! thread, lookup 37 %, and insertion 18 %. Two threads thus share all work evenly. With more threads,
//! insertion takes longer than generation: lookup takes `37 / n` on `n` threads, and the rest takes at least
//! 18. Thus four threads are limited to a speedup of 3.7, and 16 threads to a speedup of 4.9. Storing edges
//! adds to the serial phase. Lookups wait for memory, because the set takes 13 bytes for each state at random
//! places. On two threads, a lookup takes 1.5 times as long as on one, because each thread caches lines that
//! the other one changes. A phase takes less than a millisecond, so the threads wait for each other without
//! sleeping ([`control::team`]).

use super::states::Lookup;
use super::{
    Expander, Frontier, GameGraph, Layout, LevelCount, Limits, StateId, States, Structure,
    Successors, Summary, search_levels, structure,
};
use control::team::{self, Team};
use control::{Control, Counted, Stopped};
use per_layout::per_layout;
use position::{Codec, KEY_WORDS, Position};
use rules::{Game, Turn};
use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The maximum number of states in a batch.
const BATCH: usize = 2048;
/// The successors of a batch take about one part in so many of the memory at most. Two batches are in memory at a time,
/// with buffers that have grown by doubling.
const BATCH_SHARE: u64 = 8;
/// The number of states of a batch that a thread takes at a time.
const CHUNK: usize = 32;

/// The result of an exploration: the complete graph, or the part that the limits allowed.
#[derive(Debug)]
pub struct Exploration {
    /// The states, by number; the root is 0.
    pub states: States,
    /// The codec between positions and keys.
    pub codec: Codec,
    /// The graph, if edges were kept.
    pub graph: Option<GameGraph>,
    /// The figures of the search; empty until it has ended.
    pub summary: Summary,
    /// The maximum size of states, table and edges during the search, in bytes.
    pub peak_bytes: u64,
}

#[per_layout]
impl Exploration {
    /// Returns the position with this number.
    pub fn position<W: Layout>(&self, id: StateId) -> Position<W> {
        self.codec.decode(self.states.key(id))
    }
}

impl Exploration {
    /// Returns the components and the longest path of the graph, if edges were kept.
    ///
    /// # Panics
    /// With [`Interrupted`](control::evaluation::Interrupted), if the computation of the caller must stop.
    pub fn structure(&self) -> Option<Structure> {
        self.graph.as_ref().map(structure)
    }
}

#[per_layout]
impl Exploration {
    /// Returns the turns that lead along a path of states. If several turns lead to the next state, the first
    /// that is generated is returned.
    pub fn turns_along<W: Layout>(&self, game: &dyn Game<W>, path: &[StateId]) -> Vec<Turn> {
        let mut turns = Vec::new();
        let mut list = Vec::new();
        for step in path.windows(2) {
            let p = self.position::<W>(step[0]);
            list.clear();
            game.turns(&p, &mut list);
            let mut key = [0; KEY_WORDS];
            let found = list.iter().find(|turn| {
                self.codec.encode(&game.play(&p, turn), &mut key);
                key[..self.states.words()] == *self.states.key(step[1])
            });
            turns.extend(found);
        }
        turns
    }
}

/// Consecutive states with their successors.
#[derive(Default)]
struct StateChunk {
    /// The keys of the states. They are copies, because the arena grows while the successors are stored.
    keys: Vec<u64>,
    /// The successors, once `generated` is set.
    successors: Successors,
    generated: bool,
    /// The numbers of the successors that were found by lookup or inserted.
    lookup: Lookup,
    /// The numbers of the successors that were looked up and not found.
    new_ids: Vec<StateId>,
}

impl StateChunk {
    fn set_states(&mut self, states: &States, range: Range<usize>) {
        self.keys.clear();
        for id in range {
            self.keys.extend_from_slice(states.key(id as StateId));
        }
        self.generated = false;
        self.lookup.clear();
    }

    fn generate(&mut self, expander: &Expander<'_>) {
        if !self.generated {
            expander.expand(&self.keys, &mut self.successors);
            self.generated = true;
        }
    }

    fn look_up(&mut self, states: &States) {
        states.find_all(&self.successors.keys, &mut self.lookup);
    }

    /// Inserts the successors, or only those that a lookup did not find, until there are `max_states` states.
    /// Returns the number of successors before the first one that was left out.
    fn insert(&mut self, states: &mut States, max_states: usize) -> usize {
        let Lookup {
            ids,
            unknown_at,
            unknown,
        } = &mut self.lookup;
        if ids.is_empty() {
            return states.insert_all(&self.successors.keys, max_states, ids);
        }
        self.new_ids.clear();
        let inserted = states.insert_all(unknown, max_states, &mut self.new_ids);
        for (&at, &id) in unknown_at.iter().zip(&self.new_ids) {
            ids[at as usize] = id;
        }
        unknown_at
            .get(inserted)
            .map_or(ids.len(), |&at| at as usize)
    }
}

/// States that are expanded together, in chunks that threads take one at a time.
#[derive(Default)]
struct StateBatch {
    chunks: Vec<Mutex<StateChunk>>,
    /// The number of chunks taken so far.
    taken: AtomicUsize,
}

impl StateBatch {
    /// Replaces the states of the batch.
    fn set_states(&mut self, states: &States, range: Range<usize>) {
        let starts = range.clone().step_by(CHUNK);
        self.chunks.resize_with(starts.len(), Mutex::default);
        for (chunk, first) in self.chunks.iter_mut().zip(starts) {
            let chunk = chunk.get_mut().unwrap_or_else(PoisonError::into_inner);
            chunk.set_states(states, first..(first + CHUNK).min(range.end));
        }
        *self.taken.get_mut() = 0;
    }

    /// Takes chunks and calls `work` with each, until all are taken or `work` returns false.
    fn take(&self, mut work: impl FnMut(&mut StateChunk) -> bool) {
        while let Some(chunk) = self.chunks.get(self.taken.fetch_add(1, Ordering::Relaxed)) {
            if !work(&mut locked(chunk)) {
                break;
            }
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Exploration {
    /// Returns an exploration that has found only its root.
    fn new(codec: Codec, root: &[u64], edges: bool) -> Exploration {
        let mut states = States::new(codec.bits());
        states.insert_all(root, 1, &mut Vec::new());
        Exploration {
            states,
            codec,
            graph: edges.then(GameGraph::new),
            summary: Summary::default(),
            peak_bytes: 0,
        }
    }

    fn edge_bytes(&self) -> u64 {
        self.graph.as_ref().map_or(0, GameGraph::bytes)
    }

    /// Returns the maximum size in bytes of states and edges after `successors` more successors are stored.
    fn bytes_with(&self, successors: usize) -> u64 {
        let edges = self.graph.as_ref().map_or(0, |_| 8 * successors as u64);
        self.states.bytes_with(successors) + self.edge_bytes() + edges
    }

    /// Updates `peak_bytes` with the current size of states and edges.
    fn update_peak_bytes(&mut self) {
        let bytes = self.states.bytes() + self.edge_bytes();
        self.peak_bytes = self.peak_bytes.max(bytes);
    }

    /// Stores the successors of a batch and counts its states, until a limit is reached.
    fn store(
        &mut self,
        batch: &[Mutex<StateChunk>],
        max_states: usize,
        control: &Control<'_>,
        level: &mut LevelCount,
    ) -> Option<Stopped> {
        let words = self.states.words();
        let successors = |chunk: &StateChunk| chunk.successors.keys.len() / words;
        self.update_peak_bytes();
        if let Err(stopped) = control.check() {
            return Some(stopped);
        }
        let bytes = self.bytes_with(batch.iter().map(|chunk| successors(&locked(chunk))).sum());
        if bytes > control.memory_bytes() {
            return Some(Stopped::Memory);
        }
        for chunk in batch {
            let chunk = &mut *locked(chunk);
            let stored = chunk.insert(&mut self.states, max_states);
            let states = self.push_rows(&chunk.successors, &chunk.lookup.ids[..stored]);
            level.count(&chunk.successors, states);
            if stored < successors(chunk) {
                return Some(Stopped::Count(Counted::States));
            }
        }
        None
    }

    /// Stores the edges of the states whose successors were all stored. `ids` are the numbers of the stored
    /// successors. Returns the number of these states.
    fn push_rows(&mut self, successors: &Successors, ids: &[StateId]) -> usize {
        let mut first = 0;
        for (state, &degree) in successors.degrees.iter().enumerate() {
            let last = first + degree as usize;
            if last > ids.len() {
                return state;
            }
            if let Some(graph) = &mut self.graph {
                graph.push_row(&ids[first..last]);
            }
            first = last;
        }
        successors.degrees.len()
    }

    /// Completes the graph and frees the spare capacity of its vectors.
    fn end(mut self) -> Exploration {
        let bytes = self.states.bytes();
        if let Some(graph) = &mut self.graph {
            graph.set_states(self.states.len());
            self.peak_bytes = self.peak_bytes.max(bytes + graph.bytes());
            graph.shrink();
        }
        self.peak_bytes = self.peak_bytes.max(bytes);
        self
    }
}

/// Finds all states that can be reached from `root` by legal turns, breadth first, within `limits` and the
/// time, memory and stop flag of `control`. The result does not depend on the number of threads.
pub fn explore<W: Layout>(
    game: &dyn Game<W>,
    root: &Position<W>,
    limits: &Limits,
    control: &Control<'_>,
) -> Exploration {
    explore_levels(game, root, limits, control, &mut |_, _| true)
}

/// Receives a level: the states found so far and the range of the level's states. Returns whether the search
/// continues.
pub type LevelVisitor<'v> = dyn FnMut(&Exploration, Range<usize>) -> bool + 'v;

/// Like [`explore`], but calls `visit` with each level before it is expanded. If `visit` returns false, the
/// search ends there, and no limit is recorded. States that were found before a limit stopped the search form
/// the last level.
#[per_layout]
pub fn explore_levels<W: Layout>(
    game: &dyn Game<W>,
    root: &Position<W>,
    limits: &Limits,
    control: &Control<'_>,
    visit: &mut LevelVisitor<'_>,
) -> Exploration {
    let expander = Expander::new(game, root);
    let found = Exploration::new(game.codec(root), expander.root(), limits.edges);
    search(&expander, found, limits, control, visit)
}

fn search(
    expander: &Expander<'_>,
    found: Exploration,
    limits: &Limits,
    control: &Control<'_>,
    visit: &mut LevelVisitor<'_>,
) -> Exploration {
    let shared = Shared::new(expander, control, found);
    let max_states = limits.max_states.clamp(1, u64::from(u32::MAX - 1)) as usize;
    let mut summary = Summary::default();
    team::team(control.threads(), &|| shared.work(), |team| {
        let mut frontier = InMemory {
            shared: &shared,
            team,
            max_states,
            control,
            visit: &mut *visit,
            level: 0..1,
        };
        let Ok(found) = search_levels(&mut frontier, Summary::default(), 1, limits.max_depth);
        summary = found;
    });
    let found = shared.found.into_inner();
    let mut found = found.unwrap_or_else(PoisonError::into_inner).end();
    found.summary = summary;
    found
}

/// State that the threads of a search share.
struct Shared<'e> {
    expander: &'e Expander<'e>,
    control: &'e Control<'e>,
    found: RwLock<Exploration>,
    /// The batch that is being expanded.
    batch: RwLock<StateBatch>,
    /// The batch after it.
    next: RwLock<StateBatch>,
    /// Whether the current phase is insertion.
    storing: AtomicBool,
}

impl<'e> Shared<'e> {
    fn new(expander: &'e Expander<'e>, control: &'e Control<'e>, found: Exploration) -> Shared<'e> {
        Shared {
            expander,
            control,
            found: RwLock::new(found),
            batch: RwLock::default(),
            next: RwLock::default(),
            storing: AtomicBool::new(false),
        }
    }

    /// Returns whether the search continues. Once it does not, [`Exploration::store`] stores no more batches, so chunks
    /// may be left out.
    fn continues(&self) -> bool {
        self.control.check().is_ok()
    }

    /// Does one thread's part of the current phase.
    fn work(&self) {
        if self.storing.load(Ordering::Relaxed) {
            // Chunks that are not generated before the insertion ends are generated in the next phase.
            read(&self.next).take(|chunk| {
                chunk.generate(self.expander);
                self.storing.load(Ordering::Relaxed) && self.continues()
            });
        } else {
            let states = &read(&self.found).states;
            read(&self.batch).take(|chunk| {
                chunk.generate(self.expander);
                chunk.look_up(states);
                self.continues()
            });
        }
    }

    /// Generates the successors of the batch, and looks them up unless there is only one thread.
    fn expand(&self, team: &Team<'_>) {
        if team.threads() == 1 {
            read(&self.batch).take(|chunk| {
                chunk.generate(self.expander);
                self.continues()
            });
        } else {
            team.run(|| self.work());
        }
    }

    /// Stores the successors of the batch, while the other threads generate those of the next one.
    fn store(
        &self,
        team: &Team<'_>,
        max_states: usize,
        control: &Control<'_>,
        level: &mut LevelCount,
    ) -> Option<Stopped> {
        let mut limit = None;
        self.storing.store(true, Ordering::Relaxed);
        team.run(|| {
            limit = write(&self.found).store(&read(&self.batch).chunks, max_states, control, level);
            self.storing.store(false, Ordering::Relaxed);
        });
        limit
    }

    /// Sets the states of the next batch.
    fn set_next(&self, range: Range<usize>) {
        write(&self.next).set_states(&read(&self.found).states, range);
    }

    /// Makes the next batch the current one.
    fn advance(&self) {
        let mut batch = write(&self.batch);
        std::mem::swap(&mut *batch, &mut *write(&self.next));
        *batch.taken.get_mut() = 0;
    }
}

/// The frontier in memory. `level` is the range of states to expand next.
struct InMemory<'s, 'e, 't, 'v> {
    shared: &'s Shared<'e>,
    team: &'s Team<'t>,
    max_states: usize,
    control: &'s Control<'s>,
    visit: &'s mut LevelVisitor<'v>,
    level: Range<usize>,
}

impl InMemory<'_, '_, '_, '_> {
    /// Returns the number of states in a batch, so that the successors fit into the memory if the states have as many
    /// turns as those before.
    fn batch_size(&self, known: &Summary) -> usize {
        let degree = known.edges / known.expanded.max(1) + 1;
        let key_bytes = 8 * read(&self.shared.found).states.words() as u64;
        let size = self.control.memory_bytes() / BATCH_SHARE / (degree * key_bytes);
        size.clamp(CHUNK as u64, BATCH as u64) as usize
    }
}

impl Frontier for InMemory<'_, '_, '_, '_> {
    type Error = Infallible;

    fn begin_level(&mut self) -> bool {
        (self.visit)(&read(&self.shared.found), self.level.clone())
    }

    fn expand_level(
        &mut self,
        known: &Summary,
        _states: u64,
        level: &mut LevelCount,
    ) -> Result<Option<Stopped>, Infallible> {
        let (shared, end) = (self.shared, self.level.end);
        let size = self.batch_size(known);
        let batch_at = |at: usize| at..(at + size).min(end);
        let mut states = batch_at(self.level.start);
        let mut limit = None;
        shared.set_next(states.clone());
        while !states.is_empty() && limit.is_none() {
            shared.advance();
            states = batch_at(states.end);
            shared.set_next(states.clone());
            shared.expand(self.team);
            limit = shared.store(self.team, self.max_states, self.control, level);
            let found = read(&shared.found).states.len() as u64;
            known.progress(found, level).report(self.control.observer());
        }
        self.level = end..read(&shared.found).states.len();
        level.new = self.level.len() as u64;
        if limit.is_some() && level.new > 0 {
            self.begin_level();
        }
        Ok(limit)
    }
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}
