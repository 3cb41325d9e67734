//! Transposition tables: what a search has found out about positions, under exact keys, in bounded
//! memory.
//!
//! Entries are found by a hash but compared by their whole keys, so a hit is never a mistake.
//! The large table grows up to its bound and then forgets what took the least work. A bucket begins with the
//! bounds of its entries, and with each a part of the hash, so that a look-up of a position that is not there
//! reads one line of the processor's cache.
//!
//! Proof-number search has a table of its own (in the crate `prove`), because its numbers hold for one number of
//! plies left, where the bounds here answer for every number of moves in one entry.

use board::Squares;
use control::memory::prefetch;
use position::{Codec, KEY_WORDS, Layout, Position};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering, fence};

const SHARDS: usize = 64;
const WAYS: usize = 4;
const START_BUCKETS: usize = 16;
/// The bits of the hash beside the bounds of an entry: neither those of the shard nor, in any table that fits into
/// memory, those of the bucket.
const TAG: u64 = 0x7fff << TAG_SHIFT;
const TAG_SHIFT: u32 = 48;
/// Bits for side, rights and en passant square in a key of planes.
const SMALL_BITS: u32 = 16;

/// Bounds on a position's value: holds from `proved` moves on, does not hold up to `refuted`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveBounds {
    /// The least number of moves known to suffice; 255 if none is.
    pub proved: u8,
    /// One more than the greatest number of moves known not to suffice; 0 if none is.
    pub refuted: u8,
    /// What the search wants to remember of the turn that settled it; 0 for nothing.
    pub hint: u32,
}

impl MoveBounds {
    /// Nothing is known.
    pub const NOTHING: MoveBounds = MoveBounds {
        proved: u8::MAX,
        refuted: 0,
        hint: 0,
    };

    /// Returns bounds for a number of moves that suffices. `hint` is the number of the turn that shows it, or 0.
    pub fn proved(moves: u32, hint: u32) -> MoveBounds {
        MoveBounds {
            proved: moves as u8,
            refuted: 0,
            hint,
        }
    }

    /// Returns bounds for a number of moves that does not suffice. `hint` is the number of the answer that shows it, or 0.
    pub fn refuted(moves: u32, hint: u32) -> MoveBounds {
        MoveBounds {
            proved: u8::MAX,
            refuted: moves as u8 + 1,
            hint,
        }
    }

    fn pack(self) -> u64 {
        u64::from(self.proved) | u64::from(self.refuted) << 8 | u64::from(self.hint) << 16 | 1 << 63
    }

    fn unpack(word: u64) -> MoveBounds {
        MoveBounds {
            proved: word as u8,
            refuted: (word >> 8) as u8,
            hint: (word >> 16) as u32,
        }
    }

    /// Returns how much work the entry represents.
    fn weight(self) -> u8 {
        let proved = if self.proved == u8::MAX {
            0
        } else {
            self.proved
        };
        proved.max(self.refuted)
    }
}

/// Buckets of [`WAYS`] entries: first what is known of each, then their keys.
#[derive(Default)]
struct Shard {
    slots: Vec<u64>,
    used: usize,
}

/// A table shared by the threads of a search.
pub struct TranspositionTable {
    codec: Codec,
    /// Whether keys are the position's planes unchanged (fastest to build), not the codec's
    /// (narrowest).
    planes: bool,
    /// Words of a key.
    key_words: usize,
    most_buckets: usize,
    shards: Vec<Mutex<Shard>>,
}

/// A key with its hash.
pub struct Keyed {
    key: [u64; KEY_WORDS],
    hash: u64,
}

impl Keyed {
    /// A key to be written over.
    pub const EMPTY: Keyed = Keyed {
        key: [0; KEY_WORDS],
        hash: 0,
    };
}

/// Mixes the words of a key by folded multiplication.
fn mix(words: &[u64]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15_u64;
    for &word in words {
        let wide = u128::from(hash ^ word) * 0xd6e8_feb8_6659_fd93_u128;
        hash = (wide as u64) ^ (wide >> 64) as u64 ^ hash.rotate_left(23);
    }
    let wide = u128::from(hash) * 0xa076_1d64_78bd_642f_u128;
    (wide as u64) ^ (wide >> 64) as u64
}

/// Returns the part of a hash that is beside the bounds of an entry.
#[inline(always)]
fn tag(hash: u64) -> u64 {
    hash >> (58 - 15) << TAG_SHIFT & TAG
}

/// Returns whether two keys of one length are equal; they are too short for a call.
#[inline(always)]
fn same(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}

impl TranspositionTable {
    /// Returns a table of at most `bytes` bytes for positions of this codec.
    pub fn new(codec: Codec, bytes: usize) -> TranspositionTable {
        let plan = codec.plan();
        let planes = plan.kind_bits == 3 && plan.bound == 0 && plan.state_bits <= 64 - SMALL_BITS;
        let key_words = if planes {
            4 * plan.squares.div_ceil(64) + 1
        } else {
            codec.words()
        };
        let per_shard = bytes / 8 / SHARDS / ((key_words + 1) * WAYS);
        // Growing holds the old and the new slots for a moment.
        let mut most_buckets = START_BUCKETS;
        while most_buckets * 2 <= per_shard {
            most_buckets *= 2;
        }
        TranspositionTable {
            codec,
            planes,
            key_words,
            most_buckets,
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
        }
    }

    /// Returns the position's key.
    #[inline]
    pub fn key<W: Layout>(&self, p: &Position<W>) -> Keyed {
        let mut keyed = Keyed::EMPTY;
        self.key_into(p, &mut keyed);
        keyed
    }

    /// Writes the position's key over one of this table or [`Keyed::EMPTY`].
    #[inline]
    pub fn key_into<W: Layout>(&self, p: &Position<W>, keyed: &mut Keyed) {
        let key = &mut keyed.key;
        if self.planes {
            let wide = self.key_words > 5;
            for (n, plane) in p.planes().into_iter().enumerate() {
                let bits = plane.bits();
                if wide {
                    key[2 * n] = bits as u64;
                    key[2 * n + 1] = (bits >> 64) as u64;
                } else {
                    key[n] = bits as u64;
                }
            }
            let square = p.en_passant().map_or(255, |s| u64::from(s.0));
            key[self.key_words - 1] =
                p.side as u64 | u64::from(p.rights.0) << 1 | square << 8 | p.state << SMALL_BITS;
        } else {
            self.codec.encode(p, &mut key[..self.key_words]);
        }
        keyed.hash = mix(&key[..self.key_words]);
    }

    fn shard(&self, hash: u64) -> std::sync::MutexGuard<'_, Shard> {
        let lock = self.shards[(hash >> 58) as usize].lock();
        lock.unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Returns the words of a bucket.
    fn bucket_words(&self) -> usize {
        (self.key_words + 1) * WAYS
    }

    fn bucket(&self, shard: &Shard, hash: u64) -> usize {
        let buckets = shard.slots.len() / self.bucket_words();
        (hash as usize & (buckets - 1)) * self.bucket_words()
    }

    /// Returns the part of a bucket that is the key of an entry.
    #[inline(always)]
    fn key_range(&self, way: usize) -> std::ops::Range<usize> {
        let start = WAYS + way * self.key_words;
        start..start + self.key_words
    }

    /// Prefetches the words that show whether a position is there.
    #[inline]
    pub fn prefetch(&self, at: &Keyed) {
        let shard = self.shard(at.hash);
        if !shard.slots.is_empty() {
            prefetch(&shard.slots[self.bucket(&shard, at.hash)]);
        }
    }

    /// Returns what is known of a position.
    #[inline]
    pub fn get(&self, at: &Keyed) -> MoveBounds {
        let shard = self.shard(at.hash);
        if shard.slots.is_empty() {
            return MoveBounds::NOTHING;
        }
        let start = self.bucket(&shard, at.hash);
        let bucket = &shard.slots[start..start + self.bucket_words()];
        for way in 0..WAYS {
            let word = bucket[way];
            if (word ^ tag(at.hash)) & TAG == 0
                && word != 0
                && same(&bucket[self.key_range(way)], &at.key[..self.key_words])
            {
                return MoveBounds::unpack(word);
            }
        }
        MoveBounds::NOTHING
    }

    /// Notes what is known of a position, together with what was known before.
    pub fn put(&self, at: &Keyed, known: MoveBounds) {
        let mut shard = self.shard(at.hash);
        let size = self.bucket_words();
        if shard.slots.is_empty() {
            shard.slots = vec![0; START_BUCKETS * size];
        }
        let buckets = shard.slots.len() / size;
        if shard.used * 3 > buckets * WAYS * 2 && buckets < self.most_buckets {
            self.grow(&mut shard, buckets * 2);
        }
        self.write(&mut shard, at.hash, &at.key[..self.key_words], known);
    }

    fn write(&self, shard: &mut Shard, hash: u64, key: &[u64], known: MoveBounds) {
        let start = self.bucket(shard, hash);
        let bucket = &mut shard.slots[start..start + self.bucket_words()];
        let mut victim = 0;
        let mut least = u16::MAX;
        for way in 0..WAYS {
            let word = bucket[way];
            if word == 0 {
                if least > 0 {
                    least = 0;
                    victim = way;
                }
                continue;
            }
            let old = MoveBounds::unpack(word);
            if (word ^ tag(hash)) & TAG == 0 && same(&bucket[self.key_range(way)], key) {
                let merged = MoveBounds {
                    proved: old.proved.min(known.proved),
                    refuted: old.refuted.max(known.refuted),
                    hint: if known.hint == 0 {
                        old.hint
                    } else {
                        known.hint
                    },
                };
                bucket[way] = merged.pack() | tag(hash);
                return;
            }
            let weight = u16::from(old.weight()) + 1;
            if weight < least {
                least = weight;
                victim = way;
            }
        }
        if least == 0 {
            shard.used += 1;
        }
        bucket[self.key_range(victim)].copy_from_slice(key);
        bucket[victim] = known.pack() | tag(hash);
    }

    fn grow(&self, shard: &mut Shard, buckets: usize) {
        let size = self.bucket_words();
        let old = std::mem::take(&mut shard.slots);
        shard.slots = vec![0; buckets * size];
        shard.used = 0;
        for bucket in old.chunks_exact(size) {
            for way in (0..WAYS).filter(|&way| bucket[way] != 0) {
                let key = &bucket[self.key_range(way)];
                self.write(shard, mix(key), key, MoveBounds::unpack(bucket[way]));
            }
        }
    }

    /// Bytes that the table takes now.
    pub fn bytes(&self) -> usize {
        (0..SHARDS as u64)
            .map(|n| self.shard(n << 58).slots.capacity() * 8)
            .sum()
    }
}

/// A small table for positions near the leaves, which are soon met again: it stays in the processor's cache
/// and needs no lock. It forgets what is old. Threads may share it: each bucket begins with a version, odd
/// while one of them writes, so that no entry is read that is half another.
pub struct LeafTable {
    words: usize,
    stride: usize,
    buckets: usize,
    slots: Vec<AtomicU64>,
}

impl LeafTable {
    /// Entries of a bucket, the newest first.
    const WAYS: usize = 2;

    /// Returns a table of at most `bytes` bytes for keys of this table.
    pub fn new(table: &TranspositionTable, bytes: usize) -> LeafTable {
        // Whole lines of the cache.
        let words = table.key_words + 1;
        let stride = (1 + words * LeafTable::WAYS).next_multiple_of(8);
        let buckets = 1 << (bytes / 8 / stride).max(1).ilog2();
        LeafTable {
            words,
            stride,
            buckets,
            slots: (0..buckets * stride).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Returns the version and the entries for a key.
    #[inline(always)]
    fn bucket(&self, at: &Keyed) -> (&AtomicU64, &[AtomicU64]) {
        let start = (at.hash as usize & (self.buckets - 1)) * self.stride;
        let (version, entries) = self.slots[start..start + self.stride].split_at(1);
        (&version[0], &entries[..self.words * LeafTable::WAYS])
    }

    /// Prefetches the bucket of a key.
    #[inline(always)]
    pub fn prefetch(&self, at: &Keyed) {
        let (version, entries) = self.bucket(at);
        prefetch(version);
        if entries.len() > 8 {
            prefetch(&entries[8]);
        }
    }

    /// Returns what is known of a position.
    #[inline]
    pub fn get(&self, at: &Keyed) -> MoveBounds {
        let (version, entries) = self.bucket(at);
        let before = version.load(Ordering::Acquire);
        let last = self.words - 1;
        let mut found = 0;
        for entry in entries.chunks_exact(self.words) {
            if holds(&entry[..last], &at.key[..last]) {
                found = entry[last].load(Ordering::Relaxed);
                break;
            }
        }
        fence(Ordering::Acquire);
        if found == 0 || before & 1 != 0 || version.load(Ordering::Relaxed) != before {
            return MoveBounds::NOTHING;
        }
        MoveBounds::unpack(found)
    }

    /// Notes what is known of a position, in the place of what was known before.
    #[inline]
    pub fn put(&self, at: &Keyed, known: MoveBounds) {
        let (version, entries) = self.bucket(at);
        let before = version.load(Ordering::Relaxed);
        let odd = before | 1;
        let taken = before == odd
            || version
                .compare_exchange(before, odd, Ordering::Acquire, Ordering::Relaxed)
                .is_err();
        if taken {
            return;
        }
        fence(Ordering::Release);
        let (first, second) = entries.split_at(self.words);
        let last = self.words - 1;
        if !holds(&first[..last], &at.key[..last]) {
            for (new, old) in second.iter().zip(first) {
                new.store(old.load(Ordering::Relaxed), Ordering::Relaxed);
            }
            for (word, key) in first.iter().zip(&at.key[..last]) {
                word.store(*key, Ordering::Relaxed);
            }
        }
        first[last].store(known.pack(), Ordering::Relaxed);
        version.store(odd + 1, Ordering::Release);
    }
}

/// Returns whether an entry has this key.
#[inline(always)]
fn holds(entry: &[AtomicU64], key: &[u64]) -> bool {
    entry
        .iter()
        .zip(key)
        .all(|(word, key)| word.load(Ordering::Relaxed) == *key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use notation::Setup;
    use rules::Variant;
    use rustc_hash::FxHashMap;

    /// Returns a table for orthodox chess.
    fn table(bytes: usize) -> TranspositionTable {
        let variant = Variant::from(&variants::fide::INFO);
        let Ok(Setup::Narrow(start)) = Setup::read(&variant, None) else {
            panic!("the start position");
        };
        TranspositionTable::new(start.game.codec(&start.position), bytes)
    }

    fn keyed(table: &TranspositionTable, number: u64) -> Keyed {
        let mut keyed = Keyed::EMPTY;
        // Keys that differ in one word only.
        keyed.key[number as usize % table.key_words] = number;
        keyed.hash = mix(&keyed.key[..table.key_words]);
        keyed
    }

    /// Puts random bounds of few keys, and compares what is there with a map; returns how many entries are lost.
    fn lost(table: &TranspositionTable, keys: u64) -> usize {
        let mut all: FxHashMap<u64, MoveBounds> = FxHashMap::default();
        let mut seed = 1_u64;
        for _ in 0..8 * keys {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (number, random) = (1 + (seed >> 33) % keys, (seed >> 20) as u32);
            let known = match random % 2 {
                0 => MoveBounds {
                    proved: 20 + (random >> 8) as u8 % 20,
                    ..MoveBounds::NOTHING
                },
                _ => MoveBounds {
                    refuted: 1 + (random >> 8) as u8 % 20,
                    hint: random | 1,
                    ..MoveBounds::NOTHING
                },
            };
            table.put(&keyed(table, number), known);
            let old = all.entry(number).or_insert(MoveBounds::NOTHING);
            old.proved = old.proved.min(known.proved);
            old.refuted = old.refuted.max(known.refuted);
            if known.hint != 0 {
                old.hint = known.hint;
            }
        }
        let mut lost = 0;
        for (&number, &known) in &all {
            let at = keyed(table, number);
            table.prefetch(&at);
            let found = table.get(&at);
            // What was forgotten and noted again is a part of what was noted.
            assert!(found.proved >= known.proved && found.refuted <= known.refuted);
            lost += usize::from(found != known);
        }
        assert_eq!(table.get(&keyed(table, keys + 1)), MoveBounds::NOTHING);
        lost
    }

    #[test]
    fn a_growing_table_keeps_most_and_a_full_one_invents_nothing() {
        let roomy = table(64 << 20);
        assert_eq!(roomy.get(&keyed(&roomy, 7)), MoveBounds::NOTHING);
        // Before it grows, some buckets run over.
        let forgotten = lost(&roomy, 50_000);
        assert!(forgotten < 12_500, "{forgotten}");
        let full = table(1 << 18);
        let forgotten = lost(&full, 50_000);
        assert!(forgotten > 40_000, "{forgotten}");
        assert!(full.bytes() <= 1 << 19);
    }
}
