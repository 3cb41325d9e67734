//! Keys on their way to their owners. [`Parcels`] distributes keys and leaves out those that were sent
//! recently; a [`Batch`] is the record that the dataflow routes. Nothing here sends.

use super::part::{mix, owner_of};
use serde::{Deserialize, Serialize};

/// The number of keys in a batch. A worker keeps at most `UNSENT` words unsent.
const BATCH_KEYS: usize = 1 << 12;
const UNSENT: usize = 1 << 19;
/// Number of recently sent keys that a worker stores, to avoid sending them again.
const REMEMBERED: usize = 1 << 14;

/// States, expanded states and edges of a worker.
pub(super) type Counts = [u64; 3];

/// Keys of one owner, found by one worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Batch {
    /// The worker that owns the keys.
    pub owner: u64,
    /// The worker that has found the keys, and its counts.
    pub from: u32,
    pub counts: Counts,
    pub keys: Vec<u64>,
}

/// Keys to be sent to their owners, without those sent recently.
pub(super) struct Parcels {
    words: usize,
    /// Number of words at which a parcel is sent.
    pub full: usize,
    /// Words of room for each owner's parcel.
    room: usize,
    keys: Vec<u64>,
    /// Index at which the next key for each owner is stored.
    ends: Vec<usize>,
    /// Recently sent keys. The mix of a key determines its place.
    remembered: Vec<u64>,
}

impl Parcels {
    /// Returns empty parcels. The root counts as sent recently, because its owner has it.
    pub fn new(root: &[u64], workers: usize) -> Parcels {
        let remembered = root.iter().copied().cycle();
        Parcels {
            words: root.len(),
            full: (UNSENT / workers).clamp(1 << 8, BATCH_KEYS * root.len()),
            room: 0,
            keys: Vec::new(),
            ends: vec![0; workers],
            remembered: remembered.take(REMEMBERED * root.len()).collect(),
        }
    }

    /// Returns the parcel for a worker.
    pub fn of(&self, to: usize) -> &[u64] {
        &self.keys[to * self.room..self.ends[to]]
    }

    /// Empties the parcel for a worker.
    pub fn clear(&mut self, to: usize) {
        self.ends[to] = to * self.room;
    }

    /// Ensures that each owner's parcel has room for `more` more words.
    fn make_room(&mut self, more: usize) {
        let most = (0..self.ends.len()).map(|to| self.of(to).len()).max();
        let room = most.unwrap_or(0) + more + self.words;
        if room <= self.room {
            return;
        }
        // Reserve half more than needed, so that this rarely happens.
        let room = room + room / 2;
        let mut keys = vec![0; room * self.ends.len()];
        for to in 0..self.ends.len() {
            let parcel = self.of(to);
            let end = to * room + parcel.len();
            keys[to * room..end].copy_from_slice(parcel);
            self.ends[to] = end;
        }
        self.keys = keys;
        self.room = room;
    }

    /// Distributes keys among the parcels of their owners.
    pub fn share_out(&mut self, keys: &[u64]) {
        // Each parcel gets room for all keys of a piece. If there are very many owners, pieces are smaller.
        let piece = (UNSENT / self.ends.len() / self.words).max(64) * self.words;
        for keys in keys.chunks(piece) {
            self.make_room(keys.len());
            match self.words {
                1 => self.share_words::<1>(keys),
                2 => self.share_words::<2>(keys),
                _ => self.share_words::<0>(keys),
            }
        }
    }

    /// Distributes keys among the parcels. `N` is the number of words of a key if it is known at compile
    /// time, otherwise 0. Branches on the owner and on recently sent keys would be unpredictable, so every
    /// key is written, but counts only if it was not sent recently.
    fn share_words<const N: usize>(&mut self, keys: &[u64]) {
        let words = if N > 0 { N } else { self.words };
        let workers = self.ends.len();
        for key in keys.chunks_exact(words) {
            let mixed = mix(key);
            let place = mixed as usize % REMEMBERED * words;
            let seen = &mut self.remembered[place..place + words];
            let new = seen != key;
            seen.copy_from_slice(key);
            let end = &mut self.ends[owner_of(mixed, workers)];
            self.keys[*end..*end + words].copy_from_slice(key);
            *end += if new { words } else { 0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_key_reaches_its_owner_and_few_reach_it_twice() {
        for (words, workers) in [(1, 1), (1, 3), (2, 2), (3, 5)] {
            let root = vec![u64::MAX; words];
            let mut parcels = Parcels::new(&root, workers);
            // Each key 4 times, soon after each other.
            let key = |n: u64| (0..words as u64).map(move |word| n / 4 * 7 + word);
            let keys: Vec<u64> = (0..40_000).flat_map(key).collect();
            let mut delivered = vec![BTreeSet::new(); workers];
            let mut sent = 0;
            for some in keys.chunks(1000 * words) {
                parcels.share_out(some);
                for (to, delivered) in delivered.iter_mut().enumerate() {
                    let parcel = parcels.of(to).chunks(words);
                    sent += parcel.len();
                    delivered.extend(parcel.map(<[u64]>::to_vec));
                    parcels.clear(to);
                }
            }
            let distinct: BTreeSet<Vec<u64>> = keys.chunks(words).map(<[u64]>::to_vec).collect();
            let owned = |to: usize| {
                let own = |key: &&Vec<u64>| owner_of(mix(key), workers) == to;
                distinct
                    .iter()
                    .filter(own)
                    .cloned()
                    .collect::<BTreeSet<_>>()
            };
            for (to, delivered) in delivered.iter().enumerate() {
                assert_eq!(
                    *delivered,
                    owned(to),
                    "{words} words, worker {to} of {workers}"
                );
            }
            assert!(sent < 2 * distinct.len(), "{sent} of {}", distinct.len());
        }
    }
}
