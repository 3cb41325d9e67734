//! The states of one worker, the ownership of states, and level counts as words.

use board::Color;
use explore::{Expander, LevelCount, StateId, States, Successors};
use rules::Outcome;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Maximum number of states of a worker.
pub(super) const MAX_STATES: usize = u32::MAX as usize - 1;

/// Returns a number that distributes keys over workers and over the places of recently sent keys. This number
/// is independent of the hash of the visited set, in which the keys of one worker would otherwise cluster.
#[inline(always)]
pub(super) fn mix(key: &[u64]) -> u64 {
    let mut h = 0u64;
    for &word in key {
        h = (h.rotate_left(29) ^ word).wrapping_mul(0xa076_1d64_78bd_642f);
        h ^= h >> 32;
    }
    h.wrapping_mul(0xe703_7ed1_a0b4_28db)
}

/// Returns the worker that owns a key, given the key's mix.
#[inline(always)]
pub(super) fn owner_of(mixed: u64, workers: usize) -> usize {
    (((mixed >> 32) * workers as u64) >> 32) as usize
}

/// Returns the worker that owns a key.
pub(super) fn owner(key: &[u64], workers: usize) -> usize {
    owner_of(mix(key), workers)
}

/// The states of a worker.
pub(super) struct WorkerStates {
    /// The states, those of a level one after the other.
    pub states: States,
    /// Index of the first state of each level. The last entry is where the next level begins.
    pub levels: Vec<usize>,
    ids: Vec<StateId>,
    keys: Vec<u64>,
}

impl WorkerStates {
    pub fn new(bits: u32) -> WorkerStates {
        WorkerStates {
            states: States::new(bits),
            levels: vec![0],
            ids: Vec::new(),
            keys: Vec::new(),
        }
    }

    /// Inserts keys. Returns whether there was room for all.
    pub fn insert(&mut self, keys: &[u64]) -> bool {
        self.ids.clear();
        let taken = self.states.insert_all(keys, MAX_STATES, &mut self.ids);
        taken * self.states.words() == keys.len()
    }

    /// Generates the successors of states.
    pub fn expand(&mut self, game: &Expander<'_>, ids: Range<usize>, successors: &mut Successors) {
        self.keys.clear();
        for id in ids {
            self.keys.extend_from_slice(self.states.key(id as StateId));
        }
        game.expand(&self.keys, successors);
    }

    /// Returns the keys of states, one after the other.
    pub fn keys(&self, ids: Range<usize>) -> Vec<u64> {
        let keys = ids.flat_map(|id| self.states.key(id as StateId));
        keys.copied().collect()
    }
}

/// The counts of a level as they are sent and saved: the numbers, and the worth to White, the reason and the number
/// of states of each outcome.
pub(super) type PackedLevel = ([u64; 5], Vec<(i8, String, u64)>);

/// Returns the counts of a level as they are sent and saved.
pub(super) fn pack(level: &LevelCount) -> PackedLevel {
    let numbers = [
        level.new,
        level.expanded,
        level.edges,
        level.min_out_degree,
        level.max_out_degree,
    ];
    let terminals = level.terminals.iter().map(|(outcome, &n)| {
        let reason = outcome.reason().unwrap_or_default();
        (outcome.worth(Color::White), reason.to_owned(), n)
    });
    (numbers, terminals.collect())
}

/// Returns the counts that [`pack`] packed.
pub(super) fn unpack((numbers, terminals): &PackedLevel) -> LevelCount {
    let [new, expanded, edges, min_out_degree, max_out_degree] = *numbers;
    let outcome = |worth: i8, reason| match (worth, Color::BOTH[usize::from(worth < 0)]) {
        (2 | -2, winner) => Outcome::Win(winner, reason),
        (1 | -1, winner) => Outcome::WeakWin(winner, reason),
        _ => Outcome::Draw(reason),
    };
    let terminals = terminals.iter();
    LevelCount {
        new,
        expanded,
        edges,
        min_out_degree,
        max_out_degree,
        terminals: terminals
            .map(|(worth, reason, n)| (outcome(*worth, kept(reason)), *n))
            .collect(),
    }
}

/// Returns a reason with static lifetime, as those of the rules have. Each reason is leaked only once.
fn kept(reason: &str) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    match kept.get(reason) {
        Some(reason) => reason,
        None => {
            let reason: &'static str = Box::leak(reason.into());
            kept.insert(reason);
            reason
        }
    }
}
