//! Breadth-first search, level by level, independent of where states are stored.
//!
//! There is one search: it expands a level, counts the level's states and turns, and stops at a limit. A
//! [`Frontier`] stores the states in memory ([`crate::explore()`]), divided among workers, or in sorted files
//! on disk (both in the crate `scale`). All frontiers generate successors with an
//! [`Expander`](crate::Expander). They differ in how they recognize a state that was found before, and so in
//! how they number states. This module never handles single states.

use crate::{Progress, Successors};
use control::{Counted, Stopped};
use rules::Outcome;
use std::collections::BTreeMap;

/// The figures of one level of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DepthRow {
    /// The minimum number of turns from the root.
    pub depth: u32,
    /// States first reached at this depth.
    pub states: u64,
    /// The number of these states that were expanded.
    pub expanded: u64,
    /// The number of expanded states that are terminal.
    pub terminals: u64,
    /// The number of turns of all expanded states.
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

/// Counts of a level that is being expanded, or of a part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LevelCount {
    /// The number of states first reached by turns of the level.
    pub new: u64,
    /// The number of states expanded.
    pub expanded: u64,
    /// The number of turns of all expanded states.
    pub edges: u64,
    /// The fewest turns of an expanded state.
    pub min_out_degree: u64,
    /// The most turns of an expanded state.
    pub max_out_degree: u64,
    /// The number of terminal states by outcome.
    pub terminals: BTreeMap<Outcome, u64>,
}

impl Default for LevelCount {
    fn default() -> Self {
        LevelCount {
            new: 0,
            expanded: 0,
            edges: 0,
            min_out_degree: u64::MAX,
            max_out_degree: 0,
            terminals: BTreeMap::new(),
        }
    }
}

impl LevelCount {
    /// Counts the first `states` of a batch of states with their successors.
    pub fn count(&mut self, found: &Successors, states: usize) {
        for &degree in &found.degrees[..states] {
            let degree = u64::from(degree);
            self.edges += degree;
            self.min_out_degree = self.min_out_degree.min(degree);
            self.max_out_degree = self.max_out_degree.max(degree);
        }
        self.expanded += states as u64;
        for (_, outcome) in found.ends.iter().take_while(|(at, _)| *at < states) {
            *self.terminals.entry(*outcome).or_default() += 1;
        }
    }

    /// Adds the counts of another part of the level.
    pub fn add(&mut self, part: &LevelCount) {
        self.new += part.new;
        self.expanded += part.expanded;
        self.edges += part.edges;
        self.min_out_degree = self.min_out_degree.min(part.min_out_degree);
        self.max_out_degree = self.max_out_degree.max(part.max_out_degree);
        for (outcome, n) in &part.terminals {
            *self.terminals.entry(*outcome).or_default() += n;
        }
    }

    /// Returns the figures of the whole level, which has `states` states.
    pub fn row(&self, depth: u32, states: u64) -> DepthRow {
        DepthRow {
            depth,
            states,
            expanded: self.expanded,
            terminals: self.terminals.values().sum(),
            edges: self.edges,
            min_out_degree: match self.expanded {
                0 => 0,
                _ => self.min_out_degree,
            },
            max_out_degree: self.max_out_degree,
        }
    }
}

/// The figures of an exploration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// The number of states found.
    pub states: u64,
    /// The number of states whose turns were generated.
    pub expanded: u64,
    /// The number of turns of the expanded states. Several turns to the same state all count.
    pub edges: u64,
    /// The figures of each level.
    pub depths: Vec<DepthRow>,
    /// The number of expanded terminal states by outcome.
    pub terminals: BTreeMap<Outcome, u64>,
    /// The limit that stopped the search; `None` if the graph is complete.
    pub limit: Option<Stopped>,
}

impl Summary {
    /// Returns whether every reachable state was expanded.
    pub fn complete(&self) -> bool {
        self.limit.is_none()
    }

    /// Returns the distance of the deepest states from the root, in plies.
    pub fn deepest(&self) -> u32 {
        self.depths.last().map_or(0, |row| row.depth)
    }

    /// Returns the depth of the next level to be added.
    pub fn depth(&self) -> u32 {
        self.depths.len() as u32
    }

    /// Adds a level of `states` states.
    pub fn add(&mut self, level: &LevelCount, states: u64) {
        self.states += states;
        self.expanded += level.expanded;
        self.edges += level.edges;
        self.depths.push(level.row(self.depth(), states));
        for (outcome, n) in &level.terminals {
            *self.terminals.entry(*outcome).or_default() += n;
        }
    }

    /// Returns the progress of a search that has found `states` states and expanded this part of the next
    /// level.
    pub fn progress(&self, states: u64, level: &LevelCount) -> Progress {
        Progress {
            states,
            expanded: self.expanded + level.expanded,
            edges: self.edges + level.edges,
            depth: self.depth(),
        }
    }
}

/// The states of a breadth-first search, with the level that is expanded next.
pub trait Frontier {
    /// The reason why the search fails and has no result.
    type Error;

    /// Receives the level before it is expanded. Returns whether the search continues.
    fn begin_level(&mut self) -> bool {
        true
    }

    /// Expands the level, which has `states` states. The new states become the next level. `known` has the
    /// figures of the levels before. The counts of this level are added to `level`. If a limit stops the
    /// search within the level, returns the limit; the summary then has the counts so far.
    ///
    /// # Errors
    /// If the search fails.
    fn expand_level(
        &mut self,
        known: &Summary,
        states: u64,
        level: &mut LevelCount,
    ) -> Result<Option<Stopped>, Self::Error>;
}

/// Searches level by level until no level is left, a limit stops the search, or the frontier ends it. `known`
/// has the figures of the levels that were expanded before, and `states` is the number of states of the
/// frontier's level. If a limit stops the search within a level, the new states found in it form the last
/// level.
///
/// # Errors
/// If the frontier fails.
pub fn search_levels<F: Frontier>(
    frontier: &mut F,
    mut known: Summary,
    mut states: u64,
    max_depth: u32,
) -> Result<Summary, F::Error> {
    while states > 0 && frontier.begin_level() {
        let mut level = LevelCount::default();
        known.limit = match known.depth() >= max_depth {
            true => Some(Stopped::Count(Counted::Depth)),
            false => frontier.expand_level(&known, states, &mut level)?,
        };
        known.add(&level, states);
        states = level.new;
        if known.limit.is_some() {
            if states > 0 {
                known.add(&LevelCount::default(), states);
            }
            break;
        }
    }
    Ok(known)
}
