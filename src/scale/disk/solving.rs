//! The progress of solving on disk: the data between two rounds, and the final counts.

use super::folder::Named;
use crate::summary::Counts;
use serde::{Deserialize, Serialize};
use values::MAX_DISTANCE_PLIES;

/// The progress of solving, as the state file has it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Solving {
    pub(super) parts: Vec<StateRange>,
    pub(super) round: Option<Round>,
    pub(super) done: Option<Done>,
}

/// A part: states with consecutive numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StateRange {
    pub(super) first: u64,
    pub(super) states: u64,
    /// The edges from these states. A record has the number of the state that the edge leads to, and the
    /// number of the origin within the part.
    pub(super) edges: Named,
    /// Terminal states that are won or lost, with their values, until all parts are complete.
    pub(super) ends: Option<Named>,
}

/// The next round.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Round {
    pub(super) weak: bool,
    pub(super) plies: u16,
    /// The states at this distance, with their values.
    pub(super) now: Named,
    /// Terminal states that are weakly won or lost.
    pub(super) weak_ends: Named,
    /// The states of all finished rounds, with their values.
    pub(super) solved: Vec<Named>,
    pub(super) states: u64,
}

/// The final result.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Done {
    /// Records of a key, followed by the depth and the value.
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

    /// Checks the data that later steps rely on, for a graph of `states` states.
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

    /// Returns the keys of the longest wins.
    pub fn keys(&self) -> impl Iterator<Item = &Vec<u64>> {
        let counts = self.done.iter().map(|done| &done.counts);
        let longest = counts.flat_map(|counts| [&counts.longest_win, &counts.longest_weak_win]);
        longest.flatten().map(|(_, _, key)| key)
    }

    /// Returns whether rounds have begun and are not concluded.
    pub fn in_rounds(&self) -> bool {
        self.round.is_some()
    }

    /// Returns the number of states, if all are solved.
    pub fn states(&self) -> Option<u64> {
        Some(self.done.as_ref()?.values.records())
    }
}
