//! Bottlenecks: the states that every line from the root to a goal passes through.
//!
//! A goal is a set of states, for example those in which a side has won. With an additional state to which all
//! goals lead, the bottlenecks are the dominators of that state (petgraph's `simple_fast`: K. Cooper,
//! T. Harvey, K. Kennedy, "A simple, fast dominance algorithm", 2001). A second search, which shares no code
//! with the first one, removes each of them in turn: no goal can be reached then.

use crate::{GameGraph, StateId};
use fixedbitset::FixedBitSet;
use petgraph::algo::dominators::simple_fast;
use petgraph::visit::{GraphBase, GraphRef, IntoNeighbors, Visitable};

/// The bottlenecks of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bottlenecks {
    /// The number of goals.
    pub goals: u64,
    /// The states, in the order in which every line passes them, without the root; `None` if no line leads to a
    /// goal, or the root is one.
    pub states: Option<Vec<StateId>>,
}

/// A graph with one more state, to which all goals lead.
#[derive(Clone, Copy)]
struct WithEnd<'a> {
    graph: &'a GameGraph,
    goals: &'a FixedBitSet,
}

impl WithEnd<'_> {
    fn end(&self) -> StateId {
        self.graph.states() as StateId
    }
}

impl GraphBase for WithEnd<'_> {
    type NodeId = StateId;
    type EdgeId = u64;
}

impl GraphRef for WithEnd<'_> {}

impl Visitable for WithEnd<'_> {
    type Map = FixedBitSet;
    fn visit_map(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.graph.states() + 1)
    }
    fn reset_map(&self, map: &mut FixedBitSet) {
        map.clear();
        map.grow(self.graph.states() + 1);
    }
}

impl<'a> IntoNeighbors for WithEnd<'a> {
    type Neighbors = std::iter::Chain<
        std::iter::Copied<std::slice::Iter<'a, StateId>>,
        std::option::IntoIter<StateId>,
    >;
    fn neighbors(self, state: StateId) -> Self::Neighbors {
        // The end itself has no successors.
        let successors = match state == self.end() {
            true => &[],
            false => self.graph.successors(state),
        };
        let is_goal = self.goals.contains(state as usize);
        let end = is_goal.then_some(self.end()).into_iter();
        successors.iter().copied().chain(end)
    }
}

/// Returns the states that every line from the root, state 0, to a goal passes through. Takes about 200 bytes for
/// each state while it runs.
pub fn bottlenecks(graph: &GameGraph, goals: &FixedBitSet) -> Bottlenecks {
    let count = goals.count_ones(..) as u64;
    if count == 0 || goals.contains(0) {
        return Bottlenecks {
            goals: count,
            states: None,
        };
    }
    let with_end = WithEnd { graph, goals };
    let dominators = simple_fast(with_end, 0);
    let chain = dominators.strict_dominators(with_end.end());
    let states = chain.map(|chain| {
        let mut states: Vec<StateId> = chain.filter(|&state| state != 0).collect();
        states.reverse();
        states
    });
    Bottlenecks {
        goals: count,
        states,
    }
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
    use quickcheck::quickcheck;

    fn random(rows: &[Vec<u8>]) -> GameGraph {
        let n = rows.len().max(1) as u32;
        GameGraph::from_successors(rows.iter().map(|row| {
            row.iter()
                .map(|&t| u32::from(t) % n)
                .collect::<Vec<StateId>>()
        }))
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
