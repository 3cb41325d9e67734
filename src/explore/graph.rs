//! The game graph in compact form: nodes are the numbers of states in breadth-first order, edges are turns.
//!
//! The graph stores no positions. It implements petgraph's visit traits, and can be copied to petgraph's own
//! types.

use super::reverse_edges::ReverseEdges;
use super::{Exploration, Layout, StateId};
use notation::{fen, turns};
use petgraph::csr::Csr;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{
    GraphBase, GraphProp, IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers, NodeCount,
    NodeIndexable, Visitable,
};
use petgraph::{Directed, Direction};
use rules::{Game, Outcome, with_turns};
use std::sync::OnceLock;

/// A graph that stores edges by their origin, in the order of turn generation. An edge takes 4 bytes; an edge
/// of petgraph's own `Graph` takes 16, and its `Csr` can only be built from a list that takes 8. The
/// algorithms of petgraph run on a `GameGraph` through the visit traits.
#[derive(Debug, Default)]
pub struct GameGraph {
    states: usize,
    // The start in `targets` of the edges of each expanded state, and the end of the last state's edges.
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

    /// Returns the size of the forward edges in bytes.
    pub fn bytes(&self) -> u64 {
        (self.starts.capacity() * 8 + self.targets.capacity() * 4) as u64
    }

    /// Frees spare capacity.
    pub(super) fn shrink(&mut self) {
        self.starts.shrink_to_fit();
        self.targets.shrink_to_fit();
    }

    /// Returns the number of states.
    pub fn states(&self) -> usize {
        self.states
    }

    /// Returns the number of edges. Several turns to the same state all count.
    pub fn edges(&self) -> u64 {
        self.targets.len() as u64
    }

    /// Returns the states to which the turns of a state lead, in the order in which turns are generated.
    /// Empty for a state that was not expanded.
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
    /// The first call builds the reverse edges, which take 4 bytes each, on one thread;
    /// [`reverse_edges`](Self::reverse_edges) builds them on several threads.
    pub fn predecessors(&self, state: StateId) -> &[StateId] {
        self.reverse
            .get_or_init(|| self.reversed(1))
            .origins(state as usize)
    }

    /// Returns the edges by their target. The first call builds them on the threads of the caller's pool, and
    /// other threads wait for it, so it must not be made within parallel work.
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

/// The weight of a state in the graph of [`Exploration::to_petgraph`](crate::Exploration::to_petgraph).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateNode<V> {
    /// The position.
    pub fen: String,
    /// The outcome; `ongoing` while the game is not over.
    pub outcome: Outcome,
    /// The value under best play, if the graph is solved.
    pub value: Option<V>,
}

impl GameGraph {
    /// Returns the graph as petgraph's `Graph`. The index of a node is the number of its state, and edges are
    /// in the order of turn generation. A node takes 8 bytes and an edge 16, plus their weights. `node`
    /// returns the weight of a state, and `turns` returns a weight for each of the state's turns.
    pub fn to_petgraph<N, E>(
        &self,
        mut node: impl FnMut(StateId) -> N,
        mut turns: impl FnMut(StateId) -> Vec<E>,
    ) -> DiGraph<N, E> {
        let mut graph = DiGraph::with_capacity(self.states, self.targets.len());
        let states = 0..self.states as StateId;
        for state in states.clone() {
            graph.add_node(node(state));
        }
        for state in states {
            let successors = self.successors(state);
            if successors.is_empty() {
                continue;
            }
            for (&target, weight) in successors.iter().zip(turns(state)) {
                graph.add_edge(NodeIndex::from(state), NodeIndex::from(target), weight);
            }
        }
        graph
    }

    /// Returns the graph as petgraph's `Csr`, whose edges take 8 bytes. All turns from one state to another
    /// are one edge, whose weight is the number of these turns. Building the `Csr` takes 12 more bytes for
    /// each edge.
    ///
    /// # Panics
    /// Never: the edges are sorted.
    pub fn to_csr(&self) -> Csr<(), u32, Directed, StateId> {
        let mut edges: Vec<(StateId, StateId, u32)> = Vec::with_capacity(self.targets.len());
        let mut row = Vec::new();
        for state in 0..self.states as StateId {
            row.clear();
            row.extend_from_slice(self.successors(state));
            row.sort_unstable();
            let targets = row.chunk_by(|a, b| a == b);
            edges.extend(targets.map(|turns| (state, turns[0], turns.len() as u32)));
        }
        let sorted = Csr::from_sorted_edges(&edges);
        let mut csr = sorted.expect("edges are sorted by origin and target, each pair once");
        // States at the end without edges are missing in the list.
        while csr.node_count() < self.states {
            csr.add_node(());
        }
        csr
    }
}

impl Exploration {
    /// Returns the graph as petgraph's `Graph`: nodes with FEN, outcome and value, edges with the text of the
    /// turn. `value` returns the value of a state, if it is known. Returns `None` if the exploration has no
    /// edges.
    pub fn to_petgraph<W: Layout, V>(
        &self,
        game: &dyn Game<W>,
        mut value: impl FnMut(StateId) -> Option<V>,
    ) -> Option<DiGraph<StateNode<V>, String>> {
        let graph = self.graph.as_ref()?;
        let node = |state| {
            let position = self.position::<W>(state);
            StateNode {
                fen: fen::print(game, &position),
                outcome: game.outcome(&position),
                value: value(state),
            }
        };
        let turns = |state| {
            let position = self.position::<W>(state);
            with_turns(|list| {
                game.turns(&position, list);
                let texts = list.iter().map(|turn| turns::print(game, &position, turn));
                texts.collect()
            })
        };
        Some(graph.to_petgraph(node, turns))
    }
}

impl GraphBase for GameGraph {
    type NodeId = StateId;
    type EdgeId = u64;
}

impl GraphProp for GameGraph {
    type EdgeType = Directed;
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

#[cfg(test)]
mod tests {
    use super::*;
    use petgraph::visit::{EdgeRef, IntoEdgeReferences};
    use quickcheck::quickcheck;

    quickcheck! {
        fn graphs_of_petgraph_have_the_same_edges(rows: Vec<Vec<u8>>) -> bool {
            let n = rows.len().max(1) as u32;
            let graph = GameGraph::from_successors(
                rows.iter().map(|row| row.iter().map(|&t| u32::from(t) % n).collect::<Vec<_>>()),
            );
            let states = 0..graph.states() as StateId;
            let edges: Vec<(u32, u32)> = states
                .clone()
                .flat_map(|from| graph.successors(from).iter().map(move |&to| (from, to)))
                .collect();
            let plain = graph.to_petgraph(|state| state, |state| graph.successors(state).to_vec());
            let csr = graph.to_csr();
            let of_plain: Vec<(u32, u32)> = plain
                .edge_references()
                .map(|edge| (plain[edge.source()], *edge.weight()))
                .collect();
            let ends = plain
                .edge_references()
                .all(|edge| edge.target().index() as u32 == *edge.weight());
            let mut of_csr: Vec<(u32, u32)> = csr
                .edge_references()
                .flat_map(|edge| {
                    std::iter::repeat_n((edge.source(), edge.target()), *edge.weight() as usize)
                })
                .collect();
            of_csr.sort_unstable();
            let mut sorted = edges.clone();
            sorted.sort_unstable();
            ends && of_plain == edges
                && of_csr == sorted
                && plain.node_count() == graph.states()
                && csr.node_count() == graph.states()
        }
    }
}
