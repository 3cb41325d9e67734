//! Breadth-first search over legal turns: it finds all positions that can be reached, within limits.

use super::{
    GameGraph, Layout, Limits, Progress, StateId, States, Structure, Successors, structure,
};
use control::{Control, Counted, Stopped};
use per_layout::per_layout;
use position::{Codec, KEY_WORDS, Position};
use rules::{Game, Outcome, Turn};
use std::collections::BTreeMap;
use std::ops::Range;

/// How many states are expanded at a time.
const BATCH: usize = 2048;

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

/// Returns the keys of a range of states.
fn keys(states: &States, from: usize, to: usize) -> impl Iterator<Item = &[u64]> {
    (from..to).map(|id| states.key(id as StateId))
}

/// The states that are being expanded and stored.
struct Batches {
    /// The successors that are stored next.
    batch: Successors,
    /// The successors of the batch after it.
    next: Successors,
    /// The numbers of the successors that are stored.
    ids: Vec<StateId>,
    /// Two threads, if turns are generated while states are stored.
    pool: Option<rayon::ThreadPool>,
}

impl Batches {
    fn new(threads: usize) -> Batches {
        let pool = || rayon::ThreadPoolBuilder::new().num_threads(2).build().ok();
        Batches {
            batch: Successors::default(),
            next: Successors::default(),
            ids: Vec::new(),
            pool: (threads > 1).then(pool).flatten(),
        }
    }

    /// Stores the successors of this batch, as many as fit in `max_states`, and generates those of the states
    /// from `from` to `to`. Returns how many successors were stored.
    fn store_and_fill<W: Layout>(
        &mut self,
        game: &dyn Game<W>,
        codec: &Codec,
        states: &mut States,
        max_states: usize,
        (from, to): (usize, usize),
    ) -> usize {
        let (batch, next, ids) = (&self.batch.keys, &mut self.next, &mut self.ids);
        ids.clear();
        match &self.pool {
            // While this batch is inserted into the set, the next one of the same level is generated
            // from states that are already there.
            Some(pool) if from < to => {
                // The keys that the next batch needs are in the arena, which the insertion
                // extends. They are copied so that both can run at once.
                let copied: Vec<u64> = keys(states, from, to).flatten().copied().collect();
                pool.join(
                    || states.insert_all(batch, max_states, ids),
                    || next.fill(game, codec, copied.chunks_exact(codec.words())),
                )
                .0
            }
            _ => {
                let stored = states.insert_all(batch, max_states, ids);
                next.fill(game, codec, keys(states, from, to));
                stored
            }
        }
    }
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

    /// Counts the states of a batch whose successors were all stored: the first `stored` ones, with these
    /// numbers.
    fn count(&mut self, batch: &Successors, ids: &[StateId], stored: usize, row: &mut DepthRow) {
        let mut first = 0;
        let mut ends = batch.ends.iter().peekable();
        for (i, &degree) in batch.degrees.iter().enumerate() {
            let last = first + degree as usize;
            if last > stored {
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
    let codec = game.codec(root);
    let mut key = [0; KEY_WORDS];
    codec.encode(root, &mut key);
    let mut found = Exploration::new(codec, &key[..codec.words()], limits.edges);
    let max_states = limits.max_states.clamp(1, u64::from(u32::MAX - 1)) as usize;
    let mut batches = Batches::new(control.threads());
    let (mut level, mut level_end, mut depth) = (0usize, 1usize, 0u32);
    while level < level_end && found.limit.is_none() {
        if !visit(&found, level..level_end) {
            break;
        }
        let mut row = DepthRow {
            depth,
            states: (level_end - level) as u64,
            min_out_degree: u64::MAX,
            ..DepthRow::default()
        };
        let mut at = level;
        if depth >= limits.max_depth {
            found.limit = Some(Stopped::Count(Counted::Depth));
        } else {
            let end = (at + BATCH).min(level_end);
            let first = keys(&found.states, at, end);
            batches.batch.fill(game, &codec, first);
        }
        while at < level_end && found.limit.is_none() {
            let end = (at + BATCH).min(level_end);
            let next_end = (end + BATCH).min(level_end);
            let successors = batches.batch.keys.len() / codec.words();
            found.note_bytes();
            found.limit = match control.check() {
                Err(stopped) => Some(stopped),
                Ok(()) if found.bytes_with(successors) > control.memory_bytes() => {
                    Some(Stopped::Memory)
                }
                Ok(()) => None,
            };
            if found.limit.is_some() {
                break;
            }
            let next = (end, next_end);
            let stored = batches.store_and_fill(game, &codec, &mut found.states, max_states, next);
            found.count(&batches.batch, &batches.ids, stored, &mut row);
            if stored < successors {
                found.limit = Some(Stopped::Count(Counted::States));
            }
            std::mem::swap(&mut batches.batch, &mut batches.next);
            at = end;
            let now = Progress {
                states: found.states.len() as u64,
                expanded: found.expanded + row.expanded,
                edges: found.edges + row.edges,
                depth,
            };
            now.report(control.observer());
        }
        found.end_level(row, level_end);
        if found.limit.is_some() && found.states.len() > level_end {
            visit(&found, level_end..found.states.len());
        }
        level = level_end;
        level_end = found.states.len();
        depth += 1;
    }
    found.end()
}
