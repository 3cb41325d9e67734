//! What the search knows of positions, under exact keys, in bounded memory.
//!
//! An entry is found by a hash but compared by its whole key, so a hit is never a mistake. Of one
//! position there may be several entries, for different numbers of plies left: a proof within few
//! plies is one within more, a disproof within many plies is one within fewer. Where there is no
//! room the entry goes that took the least work (in the spirit of Nagai's SmallTreeGC), which keeps
//! what stands for large subtrees.

use crate::known::Known;
use std::sync::{Mutex, MutexGuard, PoisonError};

const SHARDS: usize = 256;
const SHARD_BITS: u32 = SHARDS.trailing_zeros();
const WAYS: usize = 4;
const START_BUCKETS: usize = 4;
/// Words of an entry beside its key.
const DATA: usize = 2;

#[derive(Default)]
struct Shard {
    slots: Vec<u64>,
    used: usize,
}

/// The table, shared by all threads of a search.
pub struct Table {
    key_words: usize,
    stride: usize,
    most_buckets: usize,
    shards: Vec<Mutex<Shard>>,
}

/// Mixes the words of a key by folded multiplication.
pub fn hash(words: &[u64]) -> u64 {
    let fold = |wide: u128| (wide as u64) ^ (wide >> 64) as u64;
    let mixed = words.iter().fold(0x243f_6a88_85a3_08d3_u64, |hash, word| {
        fold(u128::from(hash ^ word) * 0xe703_7ed1_a0b4_28db) ^ hash.rotate_left(29)
    });
    fold(u128::from(mixed) * 0x8ebc_6af0_9c88_c6e3)
}

#[inline(always)]
fn same(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}

fn pack(known: Known, work: u32) -> [u64; DATA] {
    [
        u64::from(known.pn) | u64::from(known.dn) << 32,
        u64::from(known.plies) | 1 << 16 | u64::from(work) << 32,
    ]
}

fn unpack(data: &[u64]) -> Option<(Known, u32)> {
    (data[1] >> 16 & 1 != 0).then(|| {
        let known = Known {
            pn: data[0] as u32,
            dn: (data[0] >> 32) as u32,
            plies: data[1] as u16,
        };
        (known, (data[1] >> 32) as u32)
    })
}

/// Whether what is known says all that the other says.
fn covers(known: Known, other: Known) -> bool {
    if known.is_proven() {
        return !other.is_disproven() && other.plies >= known.plies;
    }
    if known.is_disproven() {
        return !other.is_proven() && other.plies <= known.plies;
    }
    other.is_open() && other.plies == known.plies
}

impl Table {
    /// A table of at most `bytes` bytes, for keys of so many words.
    pub fn new(key_words: usize, bytes: usize) -> Table {
        let stride = key_words + DATA;
        let per_shard = bytes / 8 / SHARDS / (stride * WAYS);
        // While it grows a shard is there twice; it is one of many.
        let mut most_buckets = START_BUCKETS;
        while most_buckets * 2 <= per_shard {
            most_buckets *= 2;
        }
        Table {
            key_words,
            stride,
            most_buckets,
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
        }
    }

    /// Words of a key.
    pub fn key_words(&self) -> usize {
        self.key_words
    }

    fn shard(&self, hash: u64) -> MutexGuard<'_, Shard> {
        let lock = self.shards[(hash >> (64 - SHARD_BITS)) as usize].lock();
        lock.unwrap_or_else(PoisonError::into_inner)
    }

    fn start(&self, shard: &Shard, hash: u64) -> usize {
        let size = self.stride * WAYS;
        (hash as usize & (shard.slots.len() / size - 1)) * size
    }

    /// What is known of a position with so many plies left. What is open for another number of
    /// plies is told where there is nothing better.
    pub fn get(&self, key: &[u64], hash: u64, plies: u16) -> Option<Known> {
        let shard = self.shard(hash);
        if shard.slots.is_empty() {
            return None;
        }
        let start = self.start(&shard, hash);
        let bucket = &shard.slots[start..start + self.stride * WAYS];
        let mut found: Option<Known> = None;
        for slot in bucket.chunks_exact(self.stride) {
            let (slot_key, data) = slot.split_at(self.key_words);
            if !same(slot_key, key) {
                continue;
            }
            let Some((known, _)) = unpack(data) else {
                continue;
            };
            let asked = if known.is_proven() {
                known.plies <= plies
            } else if known.is_disproven() {
                known.plies >= plies
            } else {
                known.plies == plies
            };
            if asked && !known.is_open() {
                return Some(known);
            }
            if asked || known.is_open() && found.is_none() {
                found = Some(Known { plies, ..known });
            }
        }
        found
    }

    /// Notes what is known, after so much more work.
    pub fn put(&self, key: &[u64], hash: u64, known: Known, work: u32) {
        let mut shard = self.shard(hash);
        let size = self.stride * WAYS;
        if shard.slots.is_empty() {
            shard.slots = vec![0; START_BUCKETS * size];
        }
        let buckets = shard.slots.len() / size;
        if shard.used * 3 > buckets * WAYS * 2 && buckets < self.most_buckets {
            self.grow(&mut shard, buckets * 2);
        }
        let start = self.start(&shard, hash);
        self.write(&mut shard, start, key, known, work);
    }

    fn write(&self, shard: &mut Shard, start: usize, key: &[u64], known: Known, work: u32) {
        let mut work = work;
        let mut victim = start;
        let mut least = u64::MAX;
        for way in 0..WAYS {
            let at = start + way * self.stride;
            let (slot_key, data) = shard.slots[at..at + self.stride].split_at_mut(self.key_words);
            let Some((old, old_work)) = unpack(data) else {
                if least > 0 {
                    (victim, least) = (at, 0);
                }
                continue;
            };
            let mut weight = u64::from(old_work) + 1;
            if same(slot_key, key) {
                if !old.is_open() && covers(old, known) && old != known {
                    return;
                }
                if covers(known, old) {
                    work = work.saturating_add(old_work);
                    // The place of what is said better now. There may be several.
                    if least > 0 {
                        (victim, least) = (at, 0);
                    }
                    data.fill(0);
                    shard.used -= 1;
                    continue;
                }
                if old.is_open() {
                    // Another number of plies: of little use beside the newer one.
                    weight = weight.div_ceil(4);
                }
            }
            if weight < least {
                (victim, least) = (at, weight);
            }
        }
        if least == 0 {
            shard.used += 1;
        }
        let slot = &mut shard.slots[victim..victim + self.stride];
        slot[..self.key_words].copy_from_slice(key);
        slot[self.key_words..].copy_from_slice(&pack(known, work));
    }

    fn grow(&self, shard: &mut Shard, buckets: usize) {
        let old = std::mem::take(&mut shard.slots);
        shard.slots = vec![0; buckets * self.stride * WAYS];
        shard.used = 0;
        for slot in old.chunks_exact(self.stride) {
            let (key, data) = slot.split_at(self.key_words);
            if let Some((known, work)) = unpack(data) {
                let start = self.start(shard, hash(key));
                self.write(shard, start, key, known, work);
            }
        }
    }

    /// Bytes that the table takes now.
    pub fn bytes(&self) -> usize {
        let taken = |shard: &Mutex<Shard>| {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            shard.slots.capacity() * 8
        };
        self.shards.iter().map(taken).sum()
    }

    /// All entries, in an order that hangs on nothing but them: key, what is known, work.
    pub fn each<E>(
        &self,
        mut entry: impl FnMut(&[u64], Known, u32) -> Result<(), E>,
    ) -> Result<(), E> {
        for shard in &self.shards {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            for slot in shard.slots.chunks_exact(self.stride) {
                let (key, data) = slot.split_at(self.key_words);
                if let Some((known, work)) = unpack(data) {
                    entry(key, known, work)?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known::FOR_EVER;

    fn known(table: &Table, key: u64, plies: u16) -> Option<Known> {
        table.get(&[key], hash(&[key]), plies)
    }

    fn put(table: &Table, key: u64, known: Known, work: u32) {
        table.put(&[key], hash(&[key]), known, work);
    }

    #[test]
    fn proofs_hold_for_more_plies_and_disproofs_for_fewer() {
        let table = Table::new(1, 1 << 20);
        put(&table, 7, Known::proven(5), 1);
        put(&table, 7, Known::disproven(3), 1);
        assert_eq!(known(&table, 7, 9), Some(Known::proven(5)));
        assert_eq!(known(&table, 7, 5), Some(Known::proven(5)));
        assert_eq!(known(&table, 7, 4), None);
        assert_eq!(known(&table, 7, 3), Some(Known::disproven(3)));
        assert_eq!(known(&table, 7, 1), Some(Known::disproven(3)));
        assert_eq!(known(&table, 8, 9), None);
        put(&table, 9, Known::disproven(FOR_EVER), 1);
        assert_eq!(known(&table, 9, 999), Some(Known::disproven(FOR_EVER)));
    }

    #[test]
    fn what_is_settled_takes_the_place_of_what_was_open() {
        let table = Table::new(1, 1 << 20);
        put(&table, 7, Known::open(3, 4, 9), 1);
        assert_eq!(known(&table, 7, 9), Some(Known::open(3, 4, 9)));
        put(&table, 7, Known::proven(7), 1);
        put(&table, 7, Known::open(8, 8, 9), 1);
        assert_eq!(known(&table, 7, 9), Some(Known::proven(7)));
        // Open for another number of plies: told as what it may be near to.
        put(&table, 7, Known::open(2, 6, 5), 1);
        assert_eq!(known(&table, 7, 3), Some(Known::open(2, 6, 3)));
    }

    #[test]
    fn a_full_table_keeps_what_took_work() {
        let table = Table::new(1, 1);
        for key in 0..SHARDS as u64 * 8 {
            put(&table, key, Known::proven(3), 1_000_000);
        }
        let before = table.bytes();
        for key in 1 << 20..1 << 17 | 1 << 20 {
            put(&table, key, Known::proven(3), 1);
        }
        assert!(table.bytes() <= before.max(SHARDS * START_BUCKETS * WAYS * 3 * 8));
        let kept = (0..SHARDS as u64 * 8).filter(|&key| known(&table, key, 3).is_some());
        assert!(kept.count() > SHARDS * 6);
    }
}
