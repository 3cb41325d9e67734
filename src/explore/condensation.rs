//! The condensation of a game graph: its strongly connected components, and the edges between components.
//!
//! Play never returns to a component that it has left. The components are found by petgraph's `kosaraju_scc`,
//! which does not recurse.

use crate::{GameGraph, StateId};
use std::collections::BTreeMap;

/// Strongly connected components, numbered by their first state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Condensation {
    /// The states of each component, in increasing order.
    pub components: Vec<Vec<StateId>>,
    /// For each component, the other components to which its turns lead, with the number of these turns.
    pub edges: Vec<BTreeMap<u32, u64>>,
}

/// Returns the strongly connected components of a graph and the edges between them.
pub fn condensation(graph: &GameGraph) -> Condensation {
    let mut components = petgraph::algo::kosaraju_scc(graph);
    for component in &mut components {
        component.sort_unstable();
    }
    components.sort_unstable_by_key(|component| component[0]);
    let mut component_of = vec![0u32; graph.states()];
    for (number, component) in (0..).zip(&components) {
        for &state in component {
            component_of[state as usize] = number;
        }
    }
    let edges_of = |(number, component): (u32, &Vec<StateId>)| {
        let mut edges = BTreeMap::new();
        for &state in component {
            for &next in graph.successors(state) {
                let target = component_of[next as usize];
                if target != number {
                    *edges.entry(target).or_default() += 1;
                }
            }
        }
        edges
    };
    let edges = (0..).zip(&components).map(edges_of).collect();
    Condensation { components, edges }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    /// Returns the states that can be reached from a state.
    fn reached(graph: &GameGraph, from: StateId) -> Vec<bool> {
        let mut seen = vec![false; graph.states()];
        seen[from as usize] = true;
        let mut open = vec![from];
        while let Some(state) = open.pop() {
            for &next in graph.successors(state) {
                if !std::mem::replace(&mut seen[next as usize], true) {
                    open.push(next);
                }
            }
        }
        seen
    }

    quickcheck! {
        fn states_share_a_component_if_they_reach_each_other(rows: Vec<Vec<u8>>) -> bool {
            let n = rows.len().max(1) as u32;
            let graph = GameGraph::from_successors(
                rows.iter().map(|row| row.iter().map(|&t| u32::from(t) % n).collect::<Vec<_>>()),
            );
            let states = 0..graph.states();
            let reached: Vec<_> = states.clone().map(|s| reached(&graph, s as StateId)).collect();
            let found = condensation(&graph);
            let mut component = vec![usize::MAX; graph.states()];
            for (number, states) in found.components.iter().enumerate() {
                for &state in states {
                    component[state as usize] = number;
                }
            }
            let is_same = |a: usize, b: usize| reached[a][b] && reached[b][a];
            let agrees = states.clone().all(|a| {
                states.clone().all(|b| is_same(a, b) == (component[a] == component[b]))
            });
            let turns: u64 = found.edges.iter().flat_map(|edges| edges.values()).sum();
            let crossing = states
                .map(|a| {
                    let successors = graph.successors(a as StateId).iter();
                    successors.filter(|&&b| component[a] != component[b as usize]).count() as u64
                })
                .sum::<u64>();
            agrees && turns == crossing
        }
    }
}
