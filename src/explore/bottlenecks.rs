//! Bottlenecks: the states that every line from the root to a goal passes through.
//!
//! The goals are a set of states, for example the states in which a side has won. If an additional state is
//! added to which all goals lead, the bottlenecks are the dominators of this state. Every path contains all
//! of them, so one pass along a shortest path finds them in linear time. The tests compare the result with
//! petgraph's `dominators`. [`reaches_without`] certifies a bottleneck with code of its own: without the
//! bottleneck, no goal can be reached.

use crate::{GameGraph, StateId};
use fixedbitset::FixedBitSet;
use std::collections::VecDeque;

/// The bottlenecks of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bottlenecks {
    /// The number of goals.
    pub goals: u64,
    /// The bottlenecks without the root, in the order in which every line passes through them. `None` if no
    /// line leads to a goal, or if the root is a goal.
    pub states: Option<Vec<StateId>>,
}

/// Returns the states that every line from the root, state 0, to a goal passes through. Takes time
/// proportional to states and edges, and 5 bytes for each state in addition to the graph.
pub fn bottlenecks(graph: &GameGraph, goals: &FixedBitSet) -> Bottlenecks {
    let path = match goals.contains(0) {
        true => None,
        false => shortest_path(graph, goals),
    };
    Bottlenecks {
        goals: goals.count_ones(..) as u64,
        states: path.map(|path| unavoidable(graph, goals, &path)),
    }
}

/// Returns a shortest path from the root to a goal, both included.
fn shortest_path(graph: &GameGraph, goals: &FixedBitSet) -> Option<Vec<StateId>> {
    const UNSEEN: StateId = StateId::MAX;
    if graph.states() == 0 {
        return None;
    }
    let mut parents = vec![UNSEEN; graph.states()];
    parents[0] = 0;
    let mut open = VecDeque::from([0]);
    while let Some(state) = open.pop_front() {
        if goals.contains(state as usize) {
            let mut path = vec![state];
            while let Some(&last) = path.last()
                && last != 0
            {
                path.push(parents[last as usize]);
            }
            path.reverse();
            return Some(path);
        }
        for &next in graph.successors(state) {
            if parents[next as usize] == UNSEEN {
                parents[next as usize] = state;
                open.push_back(next);
            }
        }
    }
    None
}

/// Returns the states of a path from the root to a goal that every such path passes through, without the
/// root.
///
/// A state of the path can be avoided if an earlier state of the path leads, through states that are not on
/// the path, to a later state of the path or to a goal. The loop passes along the path. `farthest` is the
/// farthest place on the path that was reached from earlier states; a state at this place cannot be avoided.
/// The place after the last one represents all goals. Each state is examined once, because a state that is
/// reached again leads to nothing new.
fn unavoidable(graph: &GameGraph, goals: &FixedBitSet, path: &[StateId]) -> Vec<StateId> {
    const NOT_ON_PATH: u32 = u32::MAX;
    let mut places = vec![NOT_ON_PATH; graph.states()];
    for (&state, place) in path.iter().zip(0..) {
        places[state as usize] = place;
    }
    let mut seen = FixedBitSet::with_capacity(graph.states());
    let mut farthest = 0;
    let mut found = Vec::new();
    for (&state, place) in path.iter().zip(0..) {
        if place > 0 && place == farthest {
            found.push(state);
        }
        let mut open = vec![state];
        while let Some(state) = open.pop() {
            if goals.contains(state as usize) {
                farthest = path.len() as u32;
            }
            for &next in graph.successors(state) {
                match places[next as usize] {
                    NOT_ON_PATH if !seen.put(next as usize) => open.push(next),
                    NOT_ON_PATH => {}
                    place => farthest = farthest.max(place),
                }
            }
        }
    }
    found
}

/// Returns whether a line from the root leads to a goal without passing through a removed state.
pub fn reaches_without(graph: &GameGraph, goals: &FixedBitSet, removed: Option<StateId>) -> bool {
    if removed == Some(0) || graph.states() == 0 {
        return false;
    }
    let mut seen = FixedBitSet::with_capacity(graph.states());
    if let Some(removed) = removed {
        seen.insert(removed as usize);
    }
    seen.insert(0);
    let mut open = vec![0];
    while let Some(state) = open.pop() {
        if goals.contains(state as usize) {
            return true;
        }
        for &next in graph.successors(state) {
            if !seen.put(next as usize) {
                open.push(next);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use petgraph::algo::dominators::simple_fast;
    use petgraph::graph::NodeIndex;
    use quickcheck::quickcheck;

    fn random(rows: &[Vec<u8>]) -> GameGraph {
        let n = rows.len().max(1) as u32;
        GameGraph::from_successors(rows.iter().map(|row| {
            row.iter()
                .map(|&t| u32::from(t) % n)
                .collect::<Vec<StateId>>()
        }))
    }

    /// Returns the dominators of a node to which all goals lead, in order, without the root.
    fn dominators(graph: &GameGraph, goals: &FixedBitSet) -> Option<Vec<StateId>> {
        let mut copy = graph.to_petgraph(|_| (), |state| vec![(); graph.successors(state).len()]);
        let end = copy.add_node(());
        for goal in goals.ones() {
            copy.add_edge(NodeIndex::new(goal), end, ());
        }
        let dominators = simple_fast(&copy, NodeIndex::new(0));
        let chain = dominators.strict_dominators(end)?;
        let mut states: Vec<StateId> = chain.map(|node| node.index() as StateId).collect();
        states.pop();
        states.reverse();
        Some(states).filter(|_| graph.states() > 0 && !goals.contains(0))
    }

    quickcheck! {
        fn bottlenecks_are_the_states_whose_removal_cuts_all_goals_off(
            rows: Vec<Vec<u8>>, marks: Vec<bool>
        ) -> bool {
            let graph = random(&rows);
            let mut goals = FixedBitSet::with_capacity(graph.states());
            let marked = marks.iter().take(graph.states()).enumerate();
            goals.extend(marked.filter(|(_, mark)| **mark).map(|(state, _)| state));
            let found = bottlenecks(&graph, &goals);
            let reaches = reaches_without(&graph, &goals, None) && !goals.contains(0);
            let cuts = |state: &StateId| !reaches_without(&graph, &goals, Some(*state));
            let expected: Vec<StateId> = (1..graph.states() as StateId).filter(cuts).collect();
            if found.states != dominators(&graph, &goals) {
                return false;
            }
            match found.states {
                None => !reaches,
                Some(mut states) => {
                    states.sort_unstable();
                    reaches && states == expected
                }
            }
        }
    }

    #[test]
    fn bottlenecks_are_in_the_order_of_the_lines() {
        // 0 to 3 by two ways, then 2 and the goals 4 and 5.
        let rows: [&[StateId]; 6] = [&[1, 3], &[3], &[4, 5], &[2], &[], &[]];
        let graph = GameGraph::from_successors(rows.map(|row| row.to_vec()));
        let mut goals = FixedBitSet::with_capacity(6);
        goals.extend([4, 5]);
        let found = bottlenecks(&graph, &goals);
        assert_eq!(found.states, Some(vec![3, 2]));
        goals.clear();
        assert_eq!(bottlenecks(&graph, &goals).states, None);
        goals.insert(0);
        assert_eq!(bottlenecks(&graph, &goals).states, None);
    }

    #[test]
    fn long_chain_does_not_overflow_the_stack() {
        let n = 200_000u32;
        let graph = GameGraph::from_successors((0..n).map(|i| (i + 1 < n).then_some(i + 1)));
        let mut goals = FixedBitSet::with_capacity(n as usize);
        goals.insert(n as usize - 1);
        let found = bottlenecks(&graph, &goals);
        assert_eq!(
            found.states.map(|states| states.len()),
            Some(n as usize - 1)
        );
    }
}
