//! The structure of a game graph: cycles, strongly connected components, and the longest path.

use super::{GameGraph, StateId};

/// The structure of a game graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Structure {
    /// Whether no line of play can return to a state.
    pub acyclic: bool,
    /// The number of strongly connected components.
    pub components: u64,
    /// The number of components of more than one state.
    pub cyclic_components: u64,
    /// The number of states of the largest component.
    pub largest_component_states: u64,
    /// The longest path from the root as the states that it goes through, if the graph is acyclic.
    pub longest_path: Option<Vec<StateId>>,
}

impl Structure {
    /// Returns the length of the longest path in turns.
    pub fn longest_path_turns(&self) -> Option<usize> {
        self.longest_path.as_ref().map(|path| path.len() - 1)
    }
}

const UNSEEN: u32 = u32::MAX;

/// Finds the components by Tarjan's algorithm with an explicit stack (R. Tarjan, "Depth-first search and
/// linear graph algorithms", SIAM J. Comput. 1, 1972), and in an acyclic graph the longest path from
/// state 0. All states must be reachable from state 0. Takes 16 bytes for each state.
pub fn structure(graph: &GameGraph) -> Structure {
    let n = graph.states();
    let mut number = vec![UNSEEN; n];
    // Tarjan's low link; UNSEEN again once the component is complete.
    let mut low = vec![0u32; n];
    let mut stack: Vec<StateId> = Vec::new();
    let mut calls: Vec<(StateId, u32)> = Vec::new();
    // The longest path in turns from each completed state, if the graph is acyclic.
    let mut longest = vec![0u32; n];
    let (mut next, mut components, mut cyclic, mut largest) = (0u32, 0u64, 0u64, 0u64);
    let mut loops = false;

    for root in 0..n as StateId {
        if number[root as usize] != UNSEEN {
            continue;
        }
        number[root as usize] = next;
        low[root as usize] = next;
        next += 1;
        stack.push(root);
        calls.push((root, 0));
        while let Some((state, edge)) = calls.last_mut() {
            let state = *state;
            let successors = graph.successors(state);
            if let Some(&to) = successors.get(*edge as usize) {
                *edge += 1;
                loops |= to == state;
                if number[to as usize] == UNSEEN {
                    number[to as usize] = next;
                    low[to as usize] = next;
                    next += 1;
                    stack.push(to);
                    calls.push((to, 0));
                } else if low[to as usize] != UNSEEN {
                    low[state as usize] = low[state as usize].min(number[to as usize]);
                }
                continue;
            }
            calls.pop();
            longest[state as usize] = successors
                .iter()
                .map(|&to| longest[to as usize].saturating_add(1))
                .max()
                .unwrap_or(0);
            if let Some(&(caller, _)) = calls.last() {
                low[caller as usize] = low[caller as usize].min(low[state as usize]);
            }
            if low[state as usize] == number[state as usize] {
                let mut size = 0;
                while let Some(member) = stack.pop() {
                    low[member as usize] = UNSEEN;
                    size += 1;
                    if member == state {
                        break;
                    }
                }
                components += 1;
                cyclic += u64::from(size > 1);
                largest = largest.max(size);
            }
        }
    }

    let acyclic = cyclic == 0 && !loops;
    let longest_path = (acyclic && n > 0).then(|| {
        let mut path = vec![0];
        let mut at = 0;
        while longest[at as usize] > 0 {
            let want = longest[at as usize] - 1;
            let Some(&to) = graph
                .successors(at)
                .iter()
                .find(|&&to| longest[to as usize] == want)
            else {
                break;
            };
            path.push(to);
            at = to;
        }
        path
    });
    Structure {
        acyclic,
        components,
        cyclic_components: cyclic,
        largest_component_states: largest,
        longest_path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    #[test]
    fn long_chain_does_not_overflow_the_stack() {
        let n = 300_000u32;
        let graph = GameGraph::from_successors((0..n).map(|i| (i + 1 < n).then_some(i + 1)));
        let found = structure(&graph);
        assert!(found.acyclic);
        assert_eq!(found.longest_path_turns(), Some(n as usize - 1));
    }

    #[test]
    fn ring_is_one_component() {
        let graph = GameGraph::from_successors((0..5u32).map(|i| [(i + 1) % 5]));
        let found = structure(&graph);
        assert!(!found.acyclic);
        assert_eq!(found.components, 1);
        assert_eq!(found.largest_component_states, 5);
        assert_eq!(found.longest_path, None);
    }

    quickcheck! {
        fn components_agree_with_petgraph(rows: Vec<Vec<u8>>) -> bool {
            let n = rows.len().max(1) as u32;
            let graph = GameGraph::from_successors(
                rows.iter().map(|row| row.iter().map(|&t| u32::from(t) % n).collect::<Vec<_>>()),
            );
            let found = structure(&graph);
            let theirs = petgraph::algo::kosaraju_scc(&graph);
            let sorted = petgraph::algo::toposort(&graph, None);
            found.components == theirs.len() as u64
                && found.largest_component_states
                    == theirs.iter().map(Vec::len).max().unwrap_or(0) as u64
                && found.acyclic == sorted.is_ok()
        }
    }
}
