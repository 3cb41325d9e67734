//! Breadth-first search over legal turns: it finds all positions that can be reached, within limits.

use super::{
    GameGraph, Layout, Limits, Progress, StateId, States, Structure, Successors, structure,
};
use control::{Control, Counted, Stopped};
use per_layout::per_layout;
use position::{Codec, KEY_WORDS, Position};
use rules::{Game, Outcome, Turn};
use std::collections::BTreeMap;

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

/// Finds all states that can be reached from `root` by legal turns, breadth first and within `limits` and the
/// time, memory and stop flag of `control`. With more than one thread, generates turns and stores states
/// side by side. The result does not depend on the number of threads.
#[per_layout]
pub fn explore<W: Layout>(
    game: &dyn Game<W>,
    root: &Position<W>,
    limits: &Limits,
    control: &Control<'_>,
) -> Exploration {
    let codec = game.codec(root);
    let mut states = States::new(codec.bits());
    let mut key = [0; KEY_WORDS];
    codec.encode(root, &mut key);
    let mut ids = Vec::new();
    states.insert_all(&key[..codec.words()], 1, &mut ids);

    let most = limits.max_states.clamp(1, u64::from(u32::MAX - 1)) as usize;
    let mut found = Exploration {
        states,
        codec,
        graph: limits.edges.then(GameGraph::new),
        edges: 0,
        expanded: 0,
        depths: Vec::new(),
        terminals: BTreeMap::new(),
        limit: None,
        peak_bytes: 0,
    };
    let (mut level, mut level_end, mut depth) = (0usize, 1usize, 0u32);
    let mut spare = Successors::default();
    let mut batch = Successors::default();
    let pool = (control.threads() > 1)
        .then(|| rayon::ThreadPoolBuilder::new().num_threads(2).build().ok())
        .flatten();

    'levels: while level < level_end {
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
            batch.fill(game, &codec, keys(&found.states, at, end));
        }
        while at < level_end && found.limit.is_none() {
            let end = (at + BATCH).min(level_end);
            let next_end = (end + BATCH).min(level_end);
            if let Err(stopped) = control.check() {
                found.limit = Some(stopped);
                break;
            }
            let words = codec.words();
            let edge_bytes = |graph: &Option<GameGraph>| graph.as_ref().map_or(0, GameGraph::bytes);
            let most_new = batch.keys.len() / words;
            let needed = found.states.bytes_with(most_new)
                + edge_bytes(&found.graph)
                + if limits.edges { 8 * most_new as u64 } else { 0 };
            found.peak_bytes = found
                .peak_bytes
                .max(found.states.bytes() + edge_bytes(&found.graph));
            if needed > control.memory_bytes() {
                found.limit = Some(Stopped::Memory);
                break;
            }
            ids.clear();
            // While this batch is inserted into the set, the next one of the same level is generated
            // from states that are already there.
            let taken = match &pool {
                Some(pool) if end < next_end => {
                    // The keys that the next batch needs are in the arena, which the insertion
                    // extends. They are copied so that both can run at once.
                    let copied: Vec<u64> = keys(&found.states, end, next_end)
                        .flatten()
                        .copied()
                        .collect();
                    let states = &mut found.states;
                    let (new, next) = (&batch.keys, &mut spare);
                    let ids = &mut ids;
                    pool.join(
                        || states.insert_all(new, most, ids),
                        || next.fill(game, &codec, copied.chunks_exact(words)),
                    )
                    .0
                }
                _ => {
                    let taken = found.states.insert_all(&batch.keys, most, &mut ids);
                    spare.fill(game, &codec, keys(&found.states, end, next_end));
                    taken
                }
            };
            let whole = taken == most_new;
            let mut first = 0;
            let mut ends = batch.ends.iter().peekable();
            for (i, &degree) in batch.degrees.iter().enumerate() {
                let last = first + degree as usize;
                if last > taken {
                    break;
                }
                if let Some(graph) = &mut found.graph {
                    graph.push_row(&ids[first..last]);
                }
                if let Some((_, outcome)) = ends.next_if(|(end, _)| *end == i) {
                    *found.terminals.entry(*outcome).or_default() += 1;
                    row.terminals += 1;
                }
                row.expanded += 1;
                row.edges += u64::from(degree);
                row.min_out_degree = row.min_out_degree.min(degree.into());
                row.max_out_degree = row.max_out_degree.max(degree.into());
                first = last;
            }
            if !whole {
                found.limit = Some(Stopped::Count(Counted::States));
            }
            std::mem::swap(&mut batch, &mut spare);
            at = end;
            let now = Progress {
                states: found.states.len() as u64,
                expanded: found.expanded + row.expanded,
                edges: found.edges + row.edges,
                depth,
            };
            now.report(control.observer());
        }
        if row.expanded == 0 {
            row.min_out_degree = 0;
        }
        found.expanded += row.expanded;
        found.edges += row.edges;
        found.depths.push(row);
        if found.limit.is_some() {
            // The states found below this level were not expanded; they form a level of their own.
            let below = found.states.len() - level_end;
            if below > 0 {
                found.depths.push(DepthRow {
                    depth: depth + 1,
                    states: below as u64,
                    ..DepthRow::default()
                });
            }
            break 'levels;
        }
        level = level_end;
        level_end = found.states.len();
        depth += 1;
    }
    if let Some(graph) = &mut found.graph {
        graph.set_states(found.states.len());
        found.peak_bytes = found.peak_bytes.max(found.states.bytes() + graph.bytes());
        graph.shrink();
    }
    found.peak_bytes = found.peak_bytes.max(found.states.bytes());
    found
}
