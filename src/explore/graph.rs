//! The game graph, with states numbered by breadth-first search and turns as edges, in little memory.

use super::StateId;
use super::reverse_edges::ReverseEdges;
use petgraph::Direction;
use petgraph::visit::{
    GraphBase, GraphProp, IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers, NodeCount,
    NodeIndexable, Visitable,
};
use std::sync::OnceLock;

/// A graph that stores edges by their origin, in the order of turn generation. An edge takes 4 bytes:
/// petgraph's own `Graph` takes 16, and its `Csr` can only be built from a list that takes 8. petgraph's
/// algorithms run on it through the visit traits.
#[derive(Debug, Default)]
pub struct GameGraph {
    states: usize,
    // Where the edges of each expanded state begin, and where the last ones end.
    starts: Vec<u64>,
    targets: Vec<StateId>,
    reverse: OnceLock<ReverseEdges>,
}

impl GameGraph {
    /// Returns a graph without states.
    pub fn new() -> GameGraph {
        GameGraph {
            starts: vec![0],
            ..GameGraph::default()
        }
    }

    /// Returns a graph given by the successors of each state.
    pub fn from_successors<I: IntoIterator<Item = StateId>>(
        rows: impl IntoIterator<Item = I>,
    ) -> GameGraph {
        let mut graph = GameGraph::new();
        for row in rows {
            let row: Vec<StateId> = row.into_iter().collect();
            graph.push_row(&row);
        }
        let most = graph
            .targets
            .iter()
            .copied()
            .max()
            .map_or(0, |t| t as usize + 1);
        graph.set_states(most.max(graph.starts.len() - 1));
        graph
    }

    /// Adds the edges of the next state.
    pub(super) fn push_row(&mut self, targets: &[StateId]) {
        self.targets.extend_from_slice(targets);
        self.starts.push(self.targets.len() as u64);
    }

    /// Sets the number of states, including those without a row.
    pub(super) fn set_states(&mut self, states: usize) {
        self.states = states;
    }

    /// Bytes taken by edges and rows.
    pub fn bytes(&self) -> u64 {
        (self.starts.capacity() * 8 + self.targets.capacity() * 4) as u64
    }

    /// Gives back memory that was reserved and not used.
    pub(super) fn shrink(&mut self) {
        self.starts.shrink_to_fit();
        self.targets.shrink_to_fit();
    }

    /// Returns the number of states.
    pub fn states(&self) -> usize {
        self.states
    }

    /// Returns the number of edges; turns that lead to the same state each count.
    pub fn edges(&self) -> u64 {
        self.targets.len() as u64
    }

    /// Returns the states that the turns of a state lead to, in the order in which turns are generated; none
    /// for a state that was not expanded.
    #[inline]
    pub fn successors(&self, state: StateId) -> &[StateId] {
        let at = state as usize;
        if at + 1 < self.starts.len() {
            &self.targets[self.starts[at] as usize..self.starts[at + 1] as usize]
        } else {
            &[]
        }
    }

    /// Returns the states from which a turn leads to a state, once for each such turn, in increasing order.
    /// The first call takes time, and 4 bytes for each edge; [`reverse_edges`](Self::reverse_edges) does the same
    /// on several threads.
    pub fn predecessors(&self, state: StateId) -> &[StateId] {
        self.reverse
            .get_or_init(|| self.reversed(1))
            .origins(state as usize)
    }

    /// Stores the edges by their target, on the threads of the caller's pool. Call it outside of parallel work:
    /// other threads wait until the first call is done.
    pub fn reverse_edges(&self) -> &ReverseEdges {
        self.reverse
            .get_or_init(|| self.reversed(rayon::current_num_threads()))
    }

    fn reversed(&self, threads: usize) -> ReverseEdges {
        let edges = |each: &mut dyn FnMut(StateId, &[StateId])| {
            for origin in 0..self.starts.len().saturating_sub(1) as StateId {
                each(origin, self.successors(origin));
            }
        };
        ReverseEdges::new(self.states, &edges, threads)
    }
}

impl GraphBase for GameGraph {
    type NodeId = StateId;
    type EdgeId = u64;
}

impl GraphProp for GameGraph {
    type EdgeType = petgraph::Directed;
}

impl NodeCount for GameGraph {
    fn node_count(&self) -> usize {
        self.states
    }
}

impl NodeIndexable for GameGraph {
    fn node_bound(&self) -> usize {
        self.states
    }
    fn to_index(&self, state: StateId) -> usize {
        state as usize
    }
    fn from_index(&self, index: usize) -> StateId {
        index as StateId
    }
}

impl Visitable for GameGraph {
    type Map = fixedbitset::FixedBitSet;
    fn visit_map(&self) -> Self::Map {
        fixedbitset::FixedBitSet::with_capacity(self.states)
    }
    fn reset_map(&self, map: &mut Self::Map) {
        map.clear();
        map.grow(self.states);
    }
}

impl IntoNodeIdentifiers for &GameGraph {
    type NodeIdentifiers = std::ops::Range<StateId>;
    fn node_identifiers(self) -> Self::NodeIdentifiers {
        0..self.states as StateId
    }
}

impl<'a> IntoNeighbors for &'a GameGraph {
    type Neighbors = std::iter::Copied<std::slice::Iter<'a, StateId>>;
    fn neighbors(self, state: StateId) -> Self::Neighbors {
        self.successors(state).iter().copied()
    }
}

impl<'a> IntoNeighborsDirected for &'a GameGraph {
    type NeighborsDirected = std::iter::Copied<std::slice::Iter<'a, StateId>>;
    fn neighbors_directed(self, state: StateId, direction: Direction) -> Self::NeighborsDirected {
        match direction {
            Direction::Outgoing => self.successors(state).iter().copied(),
            Direction::Incoming => self.predecessors(state).iter().copied(),
        }
    }
}
