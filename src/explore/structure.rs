//! The structure of a game graph: cycles, strongly connected components, and the longest path.
//!
//! The analysis uses only the forward edges, because backward edges would double the memory of the graph.
//! Three stages remove states from the remaining states, the set of those whose component is not known yet:
//!
//! 1. *Trimming.* A state all of whose successors are removed is a component of its own. Sweeps over the
//!    remaining states, in decreasing order of numbers, remove such states until a sweep removes few. In an
//!    acyclic graph this stage removes every state, and computes the longest path from a state when it
//!    removes the state (W. McLendon, B. Hendrickson, S. Plimpton, L. Rauchwerger, "Finding strongly
//!    connected components in distributed graphs", J. Parallel Distrib. Comput. 65, 2005).
//! 2. *Forward-backward reachability.* A state's component consists of the states that it reaches and that
//!    reach it (L. Fleischer, B. Hendrickson, A. Pinar, "On identifying strongly connected components in
//!    parallel", IPDPS 2000). The states that reach it are found without backward edges: a remaining state is
//!    reached backward if one of its successors is, and for most states only one or two successors are read
//!    (the bottom-up step of S. Beamer, K. Asanović, D. Patterson, "Direction-optimizing breadth-first
//!    search", SC 2012). This stage removes the giant component that the graph of an ending has.
//! 3. *Depth-first search.* Tarjan's algorithm in the form that needs one number for each state (D. Pearce,
//!    "A space-efficient algorithm for finding strongly connected components", Inf. Process. Lett. 116, 2016)
//!    finds the remaining components. The search takes linear time for every graph, but runs on one thread.
//!
//! The order of the stages follows G. Slota, S. Rajamanickam, K. Madduri, "BFS and coloring-based parallel
//! algorithms for strongly connected components and related problems", IPDPS 2014.
//!
//! The threads of the caller's pool share the sweeps of the first two stages. Removals by one thread may or
//! may not be visible to the others in the same sweep, so the number of sweeps can vary. The components
//! cannot.

use super::{GameGraph, StateId};
use control::evaluation::check;
use control::parallel;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

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
    /// The states of a longest path from the root, if the graph is acyclic.
    pub longest_path: Option<Vec<StateId>>,
}

impl Structure {
    /// Returns the length of the longest path in turns.
    pub fn longest_path_turns(&self) -> Option<usize> {
        self.longest_path.as_ref().map(|path| path.len() - 1)
    }
}

/// The number of words of a state set that a thread takes at a time. A word holds 64 states.
const CHUNK_WORDS: usize = 1024;
/// The ticks that a chunk counts as, in checks of whether to stop.
const TICKS_PER_CHUNK: u32 = 64;
/// Trimming ends with a sweep that removes less than one part in this many of the remaining states.
const TRIM_DIVISOR: u64 = 16;
/// The number of sweeps after which backward reachability is abandoned. A sweep reads edges in the order of
/// memory and takes a thirtieth of the time of a depth-first search, so abandoned sweeps cost less than the
/// search.
const MAX_SWEEPS: usize = 16;
/// The maximum number of states whose components are computed by forward-backward reachability.
const MAX_PIVOTS: usize = 4;

/// Finds the components and, in an acyclic graph, a longest path from state 0, on the threads of the caller's
/// pool. All states must be reachable from state 0, as in the graph of an exploration. Memory: 5 bytes for
/// each state, and up to 20 more for each state that is left to the depth-first search.
///
/// # Panics
/// With [`Interrupted`](control::evaluation::Interrupted), if the computation of the caller must stop.
pub fn structure(graph: &GameGraph) -> Structure {
    let small = graph.states() <= 64 * CHUNK_WORDS;
    let threads = if small {
        1
    } else {
        rayon::current_num_threads()
    };
    Analysis::new(graph, threads, CHUNK_WORDS).run()
}

/// A set of states that several threads may read and change.
struct StateSet {
    words: Vec<AtomicU64>,
}

impl StateSet {
    fn empty(states: usize) -> StateSet {
        let words = (0..states.div_ceil(64)).map(|_| AtomicU64::new(0));
        StateSet {
            words: words.collect(),
        }
    }

    fn full(states: usize) -> StateSet {
        let set = StateSet::empty(states);
        for (i, word) in set.words.iter().enumerate() {
            let beyond = (64 * (i + 1)).saturating_sub(states);
            word.store(u64::MAX >> beyond, Ordering::Relaxed);
        }
        set
    }

    #[inline(always)]
    fn contains(&self, state: StateId) -> bool {
        // Acquire: `longest` of a state is visible once the state is in the set.
        self.words[state as usize / 64].load(Ordering::Acquire) >> (state % 64) & 1 != 0
    }

    /// Adds a state. Returns whether it was not in the set.
    fn insert(&self, state: StateId) -> bool {
        let bit = 1 << (state % 64);
        !self.contains(state)
            && self.words[state as usize / 64].fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    fn len(&self) -> u64 {
        let ones = |word: &AtomicU64| u64::from(word.load(Ordering::Relaxed).count_ones());
        self.words.iter().map(ones).sum()
    }

    /// Returns the state with this rank (from 0) in increasing order, or `None` if there are fewer states.
    fn nth(&self, rank: u64) -> Option<StateId> {
        let mut before = 0;
        for (i, word) in self.words.iter().enumerate() {
            let mut bits = word.load(Ordering::Relaxed);
            let here = u64::from(bits.count_ones());
            if before + here <= rank {
                before += here;
                continue;
            }
            for _ in before..rank {
                bits &= bits - 1;
            }
            return Some((64 * i) as StateId + bits.trailing_zeros());
        }
        None
    }
}

/// The direction of a sweep over the numbers of states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Up,
    Down,
}

/// The analysis of a graph: the counts of the components found so far, and the remaining states.
struct Analysis<'g> {
    graph: &'g GameGraph,
    threads: usize,
    chunk_words: usize,
    /// The states whose component is not known yet.
    remaining: StateSet,
    /// The length in turns of the longest path from each removed state. Valid only in acyclic graphs.
    longest: Vec<AtomicU32>,
    components: u64,
    cyclic_components: u64,
    largest_component_states: u64,
    /// Whether a turn leads back to its own state.
    has_loops: bool,
}

impl<'g> Analysis<'g> {
    fn new(graph: &'g GameGraph, threads: usize, chunk_words: usize) -> Analysis<'g> {
        let states = graph.states();
        Analysis {
            graph,
            threads,
            chunk_words,
            remaining: StateSet::full(states),
            longest: (0..states).map(|_| AtomicU32::new(0)).collect(),
            components: 0,
            cyclic_components: 0,
            largest_component_states: 0,
            has_loops: false,
        }
    }

    fn run(mut self) -> Structure {
        self.trim();
        self.remove_large_components();
        self.search_depth_first();
        let acyclic = self.cyclic_components == 0 && !self.has_loops;
        Structure {
            acyclic,
            components: self.components,
            cyclic_components: self.cyclic_components,
            largest_component_states: self.largest_component_states,
            longest_path: (acyclic && self.graph.states() > 0).then(|| self.longest_path()),
        }
    }

    /// Counts `components` components of `states` states each.
    fn count_components(&mut self, components: u64, states: u64) {
        self.components += components;
        if components > 0 {
            self.cyclic_components += if states > 1 { components } else { 0 };
            self.largest_component_states = self.largest_component_states.max(states);
        }
    }

    /// Calls `decide` with each remaining state that is not in `set`. If `decide` returns true, the state is
    /// added to `set` before the next call. Within a chunk of states, calls come in the given order. Returns
    /// the number of states added.
    fn sweep(&self, set: &StateSet, order: Order, decide: impl Fn(StateId) -> bool + Sync) -> u64 {
        let words = set.words.len();
        let chunks = words.div_ceil(self.chunk_words);
        let next_chunk = AtomicUsize::new(0);
        let decide_chunks = || {
            let mut added = 0;
            loop {
                let taken = next_chunk.fetch_add(1, Ordering::Relaxed);
                if taken >= chunks {
                    return added;
                }
                let chunk = match order {
                    Order::Up => taken,
                    Order::Down => chunks - 1 - taken,
                };
                check(TICKS_PER_CHUNK);
                let first = chunk * self.chunk_words;
                let count = self.chunk_words.min(words - first);
                for i in 0..count {
                    added += match order {
                        Order::Up => self.sweep_word(set, first + i, order, &decide),
                        Order::Down => self.sweep_word(set, first + count - 1 - i, order, &decide),
                    };
                }
            }
        };
        match self.threads {
            1 => decide_chunks(),
            threads => parallel::map_long(threads, |_| decide_chunks())
                .into_iter()
                .sum(),
        }
    }

    #[inline(always)]
    fn sweep_word(
        &self,
        set: &StateSet,
        at: usize,
        order: Order,
        decide: impl Fn(StateId) -> bool,
    ) -> u64 {
        // No other thread changes this word during the sweep.
        let mut inside = set.words[at].load(Ordering::Relaxed);
        let mut open = self.remaining.words[at].load(Ordering::Relaxed) & !inside;
        let mut added = 0;
        while open != 0 {
            let bit = match order {
                Order::Up => open.trailing_zeros(),
                Order::Down => 63 - open.leading_zeros(),
            };
            open &= !(1 << bit);
            if decide((64 * at) as StateId + bit) {
                inside |= 1 << bit;
                set.words[at].store(inside, Ordering::Release);
                added += 1;
            }
        }
        added
    }

    /// Removes a set of states from the remaining states.
    fn remove(&mut self, set: &StateSet) {
        for (left, gone) in self.remaining.words.iter_mut().zip(&set.words) {
            *left.get_mut() &= !gone.load(Ordering::Relaxed);
        }
    }

    /// Removes states all of whose successors are removed, until a sweep removes few states.
    fn trim(&mut self) {
        let trimmed = StateSet::empty(self.graph.states());
        let mut left = self.remaining.len();
        let before = left;
        loop {
            let removed = self.sweep(&trimmed, Order::Down, |state| {
                let successors = self.graph.successors(state);
                let open = |&to: &StateId| self.remaining.contains(to) && !trimmed.contains(to);
                if successors.iter().any(open) {
                    return false;
                }
                let longest = self.longest_from(successors);
                self.longest[state as usize].store(longest, Ordering::Relaxed);
                true
            });
            left -= removed;
            if left == 0 || removed * TRIM_DIVISOR < left {
                break;
            }
        }
        self.remove(&trimmed);
        self.count_components(before - left, 1);
    }

    /// Returns the length in turns of the longest path from a state with these successors, whose own lengths
    /// must be known.
    fn longest_from(&self, successors: &[StateId]) -> u32 {
        let longest = |&to: &StateId| self.longest[to as usize].load(Ordering::Relaxed);
        let longest = successors.iter().map(longest).max();
        longest.map_or(0, |turns| turns.saturating_add(1))
    }

    /// Removes the components of a few states that are likely to be in large components: the component of the
    /// root, then those of remaining states in the middle of the numbering.
    fn remove_large_components(&mut self) {
        // At first, the root reaches every remaining state by a path of remaining states.
        let mut root_reaches_all = true;
        for _ in 0..MAX_PIVOTS {
            let left = self.remaining.len();
            let pivot = if root_reaches_all { 0 } else { left / 2 };
            let Some(pivot) = self.remaining.nth(pivot) else {
                return;
            };
            let Some(mut component) = self.backward_from(pivot) else {
                return;
            };
            if !root_reaches_all {
                component = self.forward_from(pivot, &component);
            }
            root_reaches_all = false;
            let states = component.len();
            // A single state is left to the depth-first search, which also finds the longest path of an
            // acyclic graph.
            if states > 1 {
                self.remove(&component);
                self.count_components(1, states);
                self.trim();
            }
        }
    }

    /// Returns the remaining states that reach a state, or `None` after [`MAX_SWEEPS`] sweeps.
    fn backward_from(&self, pivot: StateId) -> Option<StateSet> {
        let reached = StateSet::empty(self.graph.states());
        reached.insert(pivot);
        // Turns that close a cycle lead to smaller numbers, so the first sweep goes up.
        let mut order = Order::Up;
        for _ in 0..MAX_SWEEPS {
            let added = self.sweep(&reached, order, |state| {
                let mut successors = self.graph.successors(state).iter();
                successors.any(|&to| reached.contains(to))
            });
            if added == 0 {
                return Some(reached);
            }
            order = match order {
                Order::Up => Order::Down,
                Order::Down => Order::Up,
            };
        }
        None
    }

    /// Returns the states that a state reaches by paths within `bounds`, including the state.
    fn forward_from(&self, pivot: StateId, bounds: &StateSet) -> StateSet {
        let reached = StateSet::empty(self.graph.states());
        reached.insert(pivot);
        let mut frontier = vec![pivot];
        while !frontier.is_empty() {
            let expand = |states: &[StateId]| {
                let mut found = Vec::new();
                for &state in states {
                    let successors = self.graph.successors(state).iter().copied();
                    found
                        .extend(successors.filter(|&to| bounds.contains(to) && reached.insert(to)));
                }
                found
            };
            let chunks: Vec<&[StateId]> = frontier.chunks(64 * self.chunk_words).collect();
            frontier = match self.threads {
                1 => expand(&frontier),
                _ => parallel::map_all(&chunks, |states| expand(states)).concat(),
            };
        }
        reached
    }

    /// Finds the components of the remaining states by depth-first search with an explicit stack.
    fn search_depth_first(&mut self) {
        if self.remaining.len() == 0 {
            return;
        }
        let graph = self.graph;
        // 0 for a state that was not visited; after the visit, the smallest index of a state on `stack` that
        // the state is known to reach; finally the number of its component, which is larger than every index.
        let mut low = vec![0u32; graph.states()];
        let mut stack: Vec<StateId> = Vec::new();
        let mut calls: Vec<Call> = Vec::new();
        let (mut index, mut component) = (1u32, u32::MAX);
        let mut from = 0;
        while let Some(root) = self.next_remaining(from) {
            from = root as usize + 1;
            if low[root as usize] != 0 {
                continue;
            }
            calls.push(Call::of(root, &mut low, &mut index));
            while let Some(call) = calls.last_mut() {
                check(1);
                let state = call.state as usize;
                let successors = graph.successors(call.state);
                if let Some(&to) = successors.get(call.next as usize) {
                    call.next += 1;
                    if !self.remaining.contains(to) {
                        continue;
                    }
                    self.has_loops |= to == call.state;
                    if low[to as usize] == 0 {
                        // Its `low` is examined after its own successors.
                        call.next -= 1;
                        calls.push(Call::of(to, &mut low, &mut index));
                    } else {
                        low[state] = low[state].min(low[to as usize]);
                    }
                    continue;
                }
                let call = *call;
                calls.pop();
                let longest = self.longest_from(successors);
                self.longest[state].store(longest, Ordering::Relaxed);
                if low[state] < call.index {
                    stack.push(call.state);
                    continue;
                }
                let mut states = 1;
                while let Some(&member) = stack.last()
                    && low[member as usize] >= call.index
                {
                    stack.pop();
                    low[member as usize] = component;
                    states += 1;
                }
                low[state] = component;
                index -= states as u32;
                component -= 1;
                self.count_components(1, states);
            }
        }
    }

    /// Returns the remaining state with the smallest number that is at least `from`.
    fn next_remaining(&self, from: usize) -> Option<StateId> {
        let mut at = from / 64;
        let mut bits = self.remaining.words.get(at)?.load(Ordering::Relaxed);
        bits &= u64::MAX << (from % 64);
        while bits == 0 {
            at += 1;
            bits = self.remaining.words.get(at)?.load(Ordering::Relaxed);
        }
        Some((64 * at) as StateId + bits.trailing_zeros())
    }

    /// Returns a longest path from state 0 in an acyclic graph. At each state, the path takes the first turn
    /// that begins a longest path.
    fn longest_path(&self) -> Vec<StateId> {
        let longest = |state: StateId| self.longest[state as usize].load(Ordering::Relaxed);
        let mut path = vec![0];
        let mut at = 0;
        while let Some(after) = longest(at).checked_sub(1)
            && let Some(&to) = (self.graph.successors(at).iter()).find(|&&to| longest(to) == after)
        {
            path.push(to);
            at = to;
        }
        path
    }
}

/// A state on the path of the depth-first search.
#[derive(Clone, Copy)]
struct Call {
    state: StateId,
    /// The successor that is examined next.
    next: u32,
    /// The state's index in the order of visits.
    index: u32,
}

impl Call {
    /// Visits a state: assigns the next index and returns the call.
    fn of(state: StateId, low: &mut [u32], index: &mut u32) -> Call {
        let call = Call {
            state,
            next: 0,
            index: *index,
        };
        low[state as usize] = *index;
        *index += 1;
        call
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

    /// Returns a graph whose states are all reachable from state 0.
    fn connected(rows: &[Vec<u8>]) -> GameGraph {
        let n = rows.len().max(1) as u32;
        let mut all: Vec<Vec<u32>> = vec![Vec::new(); n as usize];
        for (i, row) in rows.iter().enumerate() {
            // The first number of a row chooses an earlier state that leads to it.
            let mut row = row.iter().map(|&to| u32::from(to));
            if i > 0 {
                let parent = row.next().unwrap_or(0) % i as u32;
                all[parent as usize].push(i as u32);
            }
            all[i].extend(row.map(|to| to % n));
        }
        GameGraph::from_successors(all)
    }

    /// Returns the number of states on a longest path from state 0 of an acyclic graph.
    fn longest_by_petgraph(graph: &GameGraph, sorted: &[StateId]) -> usize {
        let mut longest = vec![0usize; graph.states()];
        for &state in sorted.iter().rev() {
            let after = graph.successors(state).iter();
            longest[state as usize] = 1 + after.map(|&to| longest[to as usize]).max().unwrap_or(0);
        }
        longest[0]
    }

    fn agrees_with_petgraph(graph: &GameGraph) -> bool {
        let theirs = petgraph::algo::kosaraju_scc(graph);
        let sorted = petgraph::algo::toposort(graph, None);
        let same = |threads, chunk_words| {
            let found = Analysis::new(graph, threads, chunk_words).run();
            let path_holds = match (&found.longest_path, &sorted) {
                (Some(path), Ok(sorted)) => {
                    path[0] == 0
                        && path
                            .windows(2)
                            .all(|w| graph.successors(w[0]).contains(&w[1]))
                        && path.len() == longest_by_petgraph(graph, sorted)
                }
                (path, sorted) => path.is_none() && sorted.is_err(),
            };
            path_holds
                && found.components == theirs.len() as u64
                && found.cyclic_components == theirs.iter().filter(|c| c.len() > 1).count() as u64
                && found.largest_component_states
                    == theirs.iter().map(Vec::len).max().unwrap_or(0) as u64
                && found.acyclic == sorted.is_ok()
        };
        same(1, 1) && same(1, CHUNK_WORDS) && parallel::in_pool(3, || same(3, 1))
    }

    quickcheck! {
        fn components_agree_with_petgraph(rows: Vec<Vec<u8>>) -> bool {
            agrees_with_petgraph(&connected(&rows))
        }

        /// Each state leads to a few others nearby, so that there are many components of all sizes.
        fn components_of_long_graphs_agree_with_petgraph(
            rows: Vec<(u8, u8, u8)>, cyclic: bool
        ) -> bool {
            let n = 20 * rows.len().max(1) as u32;
            let row = |i: u32| {
                let (near, back, chance) = *rows.get(i as usize % rows.len().max(1)).unwrap_or(&(0, 0, 0));
                let ahead = [i + 1, i + 1 + u32::from(near) % 70].into_iter().filter(|&to| to < n);
                let back = (cyclic && (i + u32::from(chance)).is_multiple_of(5))
                    .then(|| i.saturating_sub(u32::from(back) % 90));
                ahead.chain(back).collect::<Vec<_>>()
            };
            // In the other order of numbers, the sweeps need many rounds.
            let reversed = |i: u32| {
                let row = row(if i == 0 { 0 } else { n - i });
                row.into_iter().map(|to| if to == 0 { 0 } else { n - to }).collect::<Vec<_>>()
            };
            agrees_with_petgraph(&GameGraph::from_successors((0..n).map(row)))
                && agrees_with_petgraph(&GameGraph::from_successors((0..n).map(reversed)))
        }
    }
}
