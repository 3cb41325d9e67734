//! Step graphs: the steps of a single unit from square to square, as a graph. The caller supplies the steps.

use board::Square;
use petgraph::algo::{connected_components, dijkstra};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeMap;

/// A graph whose nodes are the squares of a board and whose edges are possible steps.
#[derive(Clone, Debug)]
pub struct StepGraph {
    graph: DiGraph<Square, ()>,
    nodes: BTreeMap<Square, NodeIndex>,
}

/// The minimum number of steps from a square to each square that can be reached.
pub type SteppedFrom = BTreeMap<Square, u32>;

impl StepGraph {
    /// Returns the graph of these squares. `targets` returns the squares to which a step leads; those that
    /// are not in the graph are ignored.
    pub fn new<I: IntoIterator<Item = Square>>(
        squares: impl IntoIterator<Item = Square>,
        targets: impl Fn(Square) -> I,
    ) -> StepGraph {
        let rows = squares
            .into_iter()
            .map(|square| (square, targets(square).into_iter().collect()));
        StepGraph::of_rows(rows.collect())
    }

    /// Returns the graph in which each square has these targets.
    fn of_rows(rows: BTreeMap<Square, Vec<Square>>) -> StepGraph {
        let mut graph = DiGraph::new();
        let nodes: BTreeMap<Square, NodeIndex> = rows
            .keys()
            .map(|&square| (square, graph.add_node(square)))
            .collect();
        for (from, targets) in rows {
            for to in targets {
                if let Some(&target) = nodes.get(&to) {
                    graph.add_edge(nodes[&from], target, ());
                }
            }
        }
        StepGraph { graph, nodes }
    }

    /// Returns the number of squares.
    pub fn squares(&self) -> usize {
        self.graph.node_count()
    }

    /// Returns the number of steps.
    pub fn steps(&self) -> usize {
        self.graph.edge_count()
    }

    /// Returns the number of weakly connected components, those of the graph in which each step can also be
    /// taken back.
    pub fn components(&self) -> usize {
        connected_components(&self.graph)
    }

    /// Returns the minimum number of steps from a square to every square that can be reached. Empty for a
    /// square that is not in the graph.
    pub fn fewest_steps(&self, from: Square) -> SteppedFrom {
        let Some(&node) = self.nodes.get(&from) else {
            return SteppedFrom::new();
        };
        dijkstra(&self.graph, node, None, |_| 1u32)
            .into_iter()
            .map(|(node, steps)| (self.graph[node], steps))
            .collect()
    }
}
