//! How far values on disk are: what is kept between two rounds, and what is left in the end.

use super::folder::Named;
use crate::summary::Counts;
use serde::{Deserialize, Serialize};
use values::MAX_DISTANCE_PLIES;

/// What the state on disk knows of values.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Solving {
    pub(super) parts: Vec<StateRange>,
    pub(super) round: Option<Round>,
    pub(super) done: Option<Done>,
}

/// Some states, one after the other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StateRange {
    pub(super) first: u64,
    pub(super) states: u64,
    /// The number of a state that an edge leads to, and of the one it comes from within the part.
    pub(super) edges: Named,
    /// Until all parts are there: states without turns that are won or lost, with their values.
    pub(super) ends: Option<Named>,
}

/// A round that is to be done next.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Round {
    pub(super) weak: bool,
    pub(super) plies: u16,
    /// The states of this distance, with their values.
    pub(super) now: Named,
    /// Ends that are weakly won or lost.
    pub(super) weak_ends: Named,
    /// The states of all rounds that are done, with their values.
    pub(super) solved: Vec<Named>,
    pub(super) states: u64,
}

/// What is left in the end.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Done {
    /// Keys, and behind them depth and value.
    pub(super) values: Named,
    pub(super) counts: Counts,
}

impl Solving {
    pub fn files(&self) -> Vec<&Named> {
        let parts = self.parts.iter();
        let mut files: Vec<&Named> = parts
            .flat_map(|part| std::iter::once(&part.edges).chain(&part.ends))
            .collect();
        if let Some(round) = &self.round {
            files.extend([&round.now, &round.weak_ends]);
            files.extend(&round.solved);
        }
        files.extend(self.done.iter().map(|done| &done.values));
        files
    }

    /// Checks what is relied on later, for a graph of `states` states.
    pub fn check(&self, states: u64) -> Result<(), &'static str> {
        let mut next = 0u64;
        for part in &self.parts {
            if part.first != next || part.states == 0 || part.states > states - next {
                return Err("its parts are not all states");
            }
            next += part.states;
        }
        if self.round.is_some() && next != states {
            return Err("its parts are not all states");
        }
        let round = self.round.as_ref();
        if round.is_some_and(|round| round.plies > MAX_DISTANCE_PLIES || round.states > states) {
            return Err("a round is beyond all distances");
        }
        let count = |done: &Done| {
            let mut all = done.counts.counts().into_iter();
            all.try_fold(0, u64::checked_add)
        };
        match &self.done {
            Some(done) if count(done) != Some(states) => Err("its counts do not belong together"),
            _ => Ok(()),
        }
    }

    /// Returns the keys that it holds.
    pub fn keys(&self) -> impl Iterator<Item = &Vec<u64>> {
        let counts = self.done.iter().map(|done| &done.counts);
        let longest = counts.flat_map(|counts| [&counts.longest_win, &counts.longest_weak_win]);
        longest.flatten().map(|(_, _, key)| key)
    }

    /// Returns whether rounds are to be done, or have just been.
    pub fn in_rounds(&self) -> bool {
        self.round.is_some()
    }

    /// Returns how many states are solved, if all are.
    pub fn states(&self) -> Option<u64> {
        Some(self.done.as_ref()?.values.records())
    }
}
