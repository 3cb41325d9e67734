//! Breadth-first search over legal turns: it finds all positions that can be reached, within limits.
//!
//! States are expanded in batches, in the order of their numbers. A batch passes two phases:
//!
//! 1. *Expansion*: the threads take the states in chunks, generate the keys of the successors and look them up in
//!    the set of states. Nothing changes the set meanwhile, so the threads read it without locks. In the graph
//!    of an ending, five of six successors are found here.
//! 2. *Insertion* of the successors that were not found, in the order of the states and of their turns, by one
//!    thread. The other threads generate successors of the next batch until it is done.
//!
//! A new state's number follows from its first parent and the index of the turn alone, whatever the number of
//! threads: insertion is the only phase that numbers states, and it is the same sequence of insertions. The
//! price is that it is serial. With one thread, all successors are inserted without a lookup before.
//!
//! On the 20 million states of KQvKR with 335 million turns, generation takes 45 parts of the processor time of
//! one thread, lookup 37, and insertion 18. Two threads thus share all work evenly. With more threads,
//! insertion takes longer than generation: lookup takes `37 / n` on `n` threads, the rest at least 18, so that
//! four threads are limited to 3.7 times one thread, and 16 threads to 4.9 times. Storing edges adds to the
//! serial phase. Lookups wait for memory: the set takes 13 bytes for each state, at random places. On two
//! threads they take half as long again as on one, because each thread caches lines that the other one changes.
//! A phase takes less than a millisecond, so the threads wait for each other without sleeping
//! ([`control::team`]).

use super::states::Lookup;
use super::{
    Expander, GameGraph, Layout, Limits, Progress, StateId, States, Structure, Successors,
    structure,
};
use control::team::{self, Team};
use control::{Control, Counted, Stopped};
use per_layout::per_layout;
use position::{Codec, KEY_WORDS, Position};
use rules::{Game, Outcome, Turn};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// How many states are expanded at a time.
const BATCH: usize = 2048;
/// How many of them a thread takes at a time.
const CHUNK: usize = 32;

/// The figures of one level of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DepthRow {
    /// The least number of turns from the root.
    pub depth: u32,
    /// States first reached at this depth.
    pub states: u64,
    /// How many of these were expanded.
    pub expanded: u64,
    /// How many of the expanded states are terminal.
    pub terminals: u64,
    /// How many turns the expanded states have.
    pub edges: u64,
    /// The fewest turns of an expanded state.
    pub min_out_degree: u64,
    /// The most turns of an expanded state.
    pub max_out_degree: u64,
}

impl DepthRow {
    /// Returns the mean number of turns of an expanded state.
    pub fn mean_out_degree(&self) -> f64 {
        if self.expanded == 0 {
            0.0
        } else {
            self.edges as f64 / self.expanded as f64
        }
    }
}

/// What was found from a root: the complete graph, or as much of it as the limits allowed.
#[derive(Debug)]
pub struct Exploration {
    /// The states, by number; the root is 0.
    pub states: States,
    /// The codec between positions and keys.
    pub codec: Codec,
    /// The graph, if edges were kept.
    pub graph: Option<GameGraph>,
    /// The number of turns generated; turns that lead to the same state each count.
    pub edges: u64,
    /// The number of states whose turns were generated.
    pub expanded: u64,
    /// The figures of each level.
    pub depths: Vec<DepthRow>,
    /// How many expanded states have each terminal outcome.
    pub terminals: BTreeMap<Outcome, u64>,
    /// The limit that stopped the search; `None` if the graph is complete.
    pub limit: Option<Stopped>,
    /// The most bytes that states, table and edges took at any time.
    pub peak_bytes: u64,
}

impl Exploration {
    /// Returns whether every reachable state was expanded.
    pub fn complete(&self) -> bool {
        self.limit.is_none()
    }
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
    pub fn structure(&self) -> Option<Structure> {
        self.graph.as_ref().map(structure)
    }
}

#[per_layout]
impl Exploration {
    /// Returns the turns that lead along a path of states; of several turns, the first that is generated.
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
    /// The keys of the states, copied, because the arena grows while the successors are stored.
    keys: Vec<u64>,
    /// The successors; none before they are generated.
    successors: Successors,
    generated: bool,
    /// The numbers of the successors, or of those that were looked up and found.
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

    /// Inserts the successors, or those that were looked up and not found, as many as fit in `max_states`.
    /// Returns how many successors have a number, up to the first one that has none.
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
    /// How many chunks have been taken.
    taken: AtomicUsize,
}

impl StateBatch {
    /// Sets the states, in place of those that were there before.
    fn set_states(&mut self, states: &States, range: Range<usize>) {
        let starts = range.clone().step_by(CHUNK);
        self.chunks.resize_with(starts.len(), Mutex::default);
        for (chunk, first) in self.chunks.iter_mut().zip(starts) {
            let chunk = chunk.get_mut().unwrap_or_else(PoisonError::into_inner);
            chunk.set_states(states, first..(first + CHUNK).min(range.end));
        }
        *self.taken.get_mut() = 0;
    }

    /// Takes chunks and calls `work` for each, until all are taken or `work` returns false.
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
    /// Returns an exploration that has found its root.
    fn new(codec: Codec, root: &[u64], edges: bool) -> Exploration {
        let mut states = States::new(codec.bits());
        states.insert_all(root, 1, &mut Vec::new());
        Exploration {
            states,
            codec,
            graph: edges.then(GameGraph::new),
            edges: 0,
            expanded: 0,
            depths: Vec::new(),
            terminals: BTreeMap::new(),
            limit: None,
            peak_bytes: 0,
        }
    }

    fn edge_bytes(&self) -> u64 {
        self.graph.as_ref().map_or(0, GameGraph::bytes)
    }

    /// Returns the bytes that states and edges take once a batch with `successors` of them is stored.
    fn bytes_with(&self, successors: usize) -> u64 {
        let edges = self.graph.as_ref().map_or(0, |_| 8 * successors as u64);
        self.states.bytes_with(successors) + self.edge_bytes() + edges
    }

    /// Notes the bytes that states and edges take now.
    fn note_bytes(&mut self) {
        let bytes = self.states.bytes() + self.edge_bytes();
        self.peak_bytes = self.peak_bytes.max(bytes);
    }

    /// Stores the successors of a batch and counts its states, until a limit is reached.
    fn store(
        &mut self,
        batch: &[Mutex<StateChunk>],
        max_states: usize,
        control: &Control<'_>,
        row: &mut DepthRow,
    ) {
        let words = self.states.words();
        let successors = |chunk: &StateChunk| chunk.successors.keys.len() / words;
        self.note_bytes();
        let bytes = self.bytes_with(batch.iter().map(|chunk| successors(&locked(chunk))).sum());
        self.limit = match control.check() {
            Err(stopped) => Some(stopped),
            Ok(()) if bytes > control.memory_bytes() => Some(Stopped::Memory),
            Ok(()) => None,
        };
        for chunk in batch {
            if self.limit.is_some() {
                return;
            }
            let chunk = &mut *locked(chunk);
            let stored = chunk.insert(&mut self.states, max_states);
            self.count(&chunk.successors, &chunk.lookup.ids[..stored], row);
            if stored < successors(chunk) {
                self.limit = Some(Stopped::Count(Counted::States));
            }
        }
    }

    /// Counts the states whose successors were all stored. The first ones have these numbers.
    fn count(&mut self, successors: &Successors, ids: &[StateId], row: &mut DepthRow) {
        let mut first = 0;
        let mut ends = successors.ends.iter().peekable();
        for (i, &degree) in successors.degrees.iter().enumerate() {
            let last = first + degree as usize;
            if last > ids.len() {
                break;
            }
            if let Some(graph) = &mut self.graph {
                graph.push_row(&ids[first..last]);
            }
            if let Some((_, outcome)) = ends.next_if(|(end, _)| *end == i) {
                *self.terminals.entry(*outcome).or_default() += 1;
                row.terminals += 1;
            }
            row.expanded += 1;
            row.edges += u64::from(degree);
            row.min_out_degree = row.min_out_degree.min(degree.into());
            row.max_out_degree = row.max_out_degree.max(degree.into());
            first = last;
        }
    }

    /// Adds the figures of a level whose states end at `level_end`. If a limit stopped the search, the states
    /// found below were not expanded and form a level of their own.
    fn end_level(&mut self, mut row: DepthRow, level_end: usize) {
        if row.expanded == 0 {
            row.min_out_degree = 0;
        }
        self.expanded += row.expanded;
        self.edges += row.edges;
        self.depths.push(row);
        let below = self.states.len() - level_end;
        if self.limit.is_some() && below > 0 {
            self.depths.push(DepthRow {
                depth: row.depth + 1,
                states: below as u64,
                ..DepthRow::default()
            });
        }
    }

    /// Ends the graph, whose vectors have grown beyond their length.
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

/// Finds all states that can be reached from `root` by legal turns, breadth first and within `limits` and the
/// time, memory and stop flag of `control`. With more than one thread, generates turns and stores states
/// side by side. The result does not depend on the number of threads.
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

/// Like [`explore`], but calls `visit` with each level before it is expanded: with the states found so far
/// and the range of the level's states. If `visit` returns false, the search ends there, without a limit.
/// States that are found when a limit stops the search are the last level.
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
    let shared = Shared::new(expander, found);
    team::team(control.threads(), &|| shared.work(), |team| {
        shared.search(team, limits, control, visit);
    });
    shared
        .found
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .end()
}

/// What the threads of a search share.
struct Shared<'e> {
    expander: &'e Expander<'e>,
    found: RwLock<Exploration>,
    /// The states that are expanded.
    batch: RwLock<StateBatch>,
    /// The states that follow them.
    next: RwLock<StateBatch>,
    /// Whether the successors of the batch are being stored, not looked up.
    storing: AtomicBool,
}

impl<'e> Shared<'e> {
    fn new(expander: &'e Expander<'e>, found: Exploration) -> Shared<'e> {
        Shared {
            expander,
            found: RwLock::new(found),
            batch: RwLock::default(),
            next: RwLock::default(),
            storing: AtomicBool::new(false),
        }
    }

    /// Does a thread's part of a phase.
    fn work(&self) {
        if self.storing.load(Ordering::Relaxed) {
            // What is not generated by the time all is stored is generated in the next phase.
            read(&self.next).take(|chunk| {
                chunk.generate(self.expander);
                self.storing.load(Ordering::Relaxed)
            });
        } else {
            let states = &read(&self.found).states;
            read(&self.batch).take(|chunk| {
                chunk.generate(self.expander);
                chunk.look_up(states);
                true
            });
        }
    }

    /// Generates the successors of the batch and looks them up. One thread alone only generates them.
    fn expand(&self, team: &Team<'_>) {
        if team.threads() == 1 {
            read(&self.batch).take(|chunk| {
                chunk.generate(self.expander);
                true
            });
        } else {
            team.run(|| self.work());
        }
    }

    /// Stores the successors of the batch, while the other threads generate those of the next one.
    fn store(&self, team: &Team<'_>, max_states: usize, control: &Control<'_>, row: &mut DepthRow) {
        self.storing.store(true, Ordering::Relaxed);
        team.run(|| {
            write(&self.found).store(&read(&self.batch).chunks, max_states, control, row);
            self.storing.store(false, Ordering::Relaxed);
        });
    }

    /// Sets the states of the next batch.
    fn set_next(&self, range: Range<usize>) {
        write(&self.next).set_states(&read(&self.found).states, range);
    }

    /// Makes the next batch the one that is expanded.
    fn advance(&self) {
        let mut batch = write(&self.batch);
        std::mem::swap(&mut *batch, &mut *write(&self.next));
        *batch.taken.get_mut() = 0;
    }

    fn search(
        &self,
        team: &Team<'_>,
        limits: &Limits,
        control: &Control<'_>,
        visit: &mut LevelVisitor<'_>,
    ) {
        let max_states = limits.max_states.clamp(1, u64::from(u32::MAX - 1)) as usize;
        let (mut level, mut level_end, mut depth) = (0usize, 1usize, 0u32);
        let has_limit = || read(&self.found).limit.is_some();
        while level < level_end && !has_limit() {
            if !visit(&read(&self.found), level..level_end) {
                break;
            }
            let mut row = DepthRow {
                depth,
                states: (level_end - level) as u64,
                min_out_degree: u64::MAX,
                ..DepthRow::default()
            };
            if depth >= limits.max_depth {
                write(&self.found).limit = Some(Stopped::Count(Counted::Depth));
            }
            let batch_at = |at: usize| at..(at + BATCH).min(level_end);
            let mut states = batch_at(level);
            self.set_next(states.clone());
            while !states.is_empty() && !has_limit() {
                self.advance();
                states = batch_at(states.end);
                self.set_next(states.clone());
                self.expand(team);
                self.store(team, max_states, control, &mut row);
                let found = read(&self.found);
                let now = Progress {
                    states: found.states.len() as u64,
                    expanded: found.expanded + row.expanded,
                    edges: found.edges + row.edges,
                    depth,
                };
                now.report(control.observer());
            }
            let mut found = write(&self.found);
            found.end_level(row, level_end);
            if found.limit.is_some() && found.states.len() > level_end {
                visit(&found, level_end..found.states.len());
            }
            level = level_end;
            level_end = found.states.len();
            depth += 1;
        }
    }
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}
