//! Transposition tables: bounds that a search has found for positions, by exact key, in bounded memory.
//!
//! Entries are found by a hash but compared by their whole keys, so a hit is never a mistake. The large table
//! grows up to its bound and then replaces the entry that took the least work. A bucket begins with the
//! bounds of its entries and a part of each entry's hash. A failed look-up therefore reads one cache line.
//!
//! Proof-number search has a table of its own (in the crate `prove`). A proof number holds for one number of
//! remaining plies, but one entry of the tables here covers every number of moves.

use board::Squares;
use control::memory::prefetch;
use position::{Codec, KEY_WORDS, Layout, Position};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering, fence};

const SHARDS: usize = 64;
const WAYS: usize = 4;
const START_BUCKETS: usize = 16;
/// The bits of an entry that hold a part of the hash. This part overlaps neither the bits that select the
/// shard nor, in any table that fits into memory, those that select the bucket.
const TAG: u64 = 0x7fff << TAG_SHIFT;
const TAG_SHIFT: u32 = 48;
/// Bits for side, rights and en passant square in a key of planes.
const SMALL_BITS: u32 = 16;

/// Bounds on the number of moves in which the goal can be forced: forced with at least `proved` moves, not
/// forced with fewer than `refuted` moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveBounds {
    /// The smallest number of moves known to suffice; 255 if none is known.
    pub proved: u8,
    /// One more than the largest number of moves known not to suffice; 0 if none is known.
    pub refuted: u8,
    /// The number of the turn that settled the position ([`turn_number`](crate::turn_number)); 0 for none.
    pub hint: u32,
}

impl MoveBounds {
    /// The bounds of a position without an entry.
    pub const UNKNOWN: MoveBounds = MoveBounds {
        proved: u8::MAX,
        refuted: 0,
        hint: 0,
    };

    /// Returns the bounds if `moves` moves suffice. `hint` is the number of the turn that proves it, or 0.
    pub fn proved(moves: u32, hint: u32) -> MoveBounds {
        MoveBounds {
            proved: moves as u8,
            refuted: 0,
            hint,
        }
    }

    /// Returns the bounds if `moves` moves do not suffice. `hint` is the number of the answer that refutes
    /// them, or 0.
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

    /// Returns the work that the entry represents, measured by the length searched.
    fn weight(self) -> u8 {
        let proved = if self.proved == u8::MAX {
            0
        } else {
            self.proved
        };
        proved.max(self.refuted)
    }
}

/// Buckets of [`WAYS`] entries: first the bounds of all entries, then their keys. Aligned, so that threads that
/// use different shards do not write to the same cache line.
#[derive(Default)]
#[repr(align(128))]
struct Shard {
    slots: Vec<u64>,
    used: usize,
}

/// A table of bounds, shared by the threads of a search.
pub struct TranspositionTable {
    codec: Codec,
    /// Whether a key consists of the position's planes, which is fastest to build. Otherwise it is the
    /// codec's key, which is shortest.
    planes: bool,
    /// Words of a key.
    key_words: usize,
    max_buckets: usize,
    shards: Vec<Mutex<Shard>>,
}

/// A key with its hash.
pub struct Keyed {
    key: [u64; KEY_WORDS],
    hash: u64,
}

impl Keyed {
    /// An empty key, for [`TranspositionTable::key_into`].
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

/// Returns the part of a hash that is stored next to the bounds of an entry.
#[inline(always)]
fn tag(hash: u64) -> u64 {
    hash >> (58 - 15) << TAG_SHIFT & TAG
}

/// Returns whether two keys of equal length are equal. Inlined, because keys are too short for a call of
/// `memcmp`.
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
        // Growing a shard holds its old and its new slots for a moment.
        let mut max_buckets = START_BUCKETS;
        while max_buckets * 2 <= per_shard {
            max_buckets *= 2;
        }
        TranspositionTable {
            codec,
            planes,
            key_words,
            max_buckets,
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

    /// Writes the position's key into `keyed`, which is [`Keyed::EMPTY`] or another key of this table.
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

    /// Returns the number of words in a bucket.
    fn bucket_words(&self) -> usize {
        (self.key_words + 1) * WAYS
    }

    fn bucket(&self, shard: &Shard, hash: u64) -> usize {
        let buckets = shard.slots.len() / self.bucket_words();
        (hash as usize & (buckets - 1)) * self.bucket_words()
    }

    /// Returns the range of a bucket that holds the key of an entry.
    #[inline(always)]
    fn key_range(&self, way: usize) -> std::ops::Range<usize> {
        let start = WAYS + way * self.key_words;
        start..start + self.key_words
    }

    /// Prefetches the words that show whether the table has an entry for a position.
    #[inline]
    pub fn prefetch(&self, at: &Keyed) {
        let shard = self.shard(at.hash);
        if !shard.slots.is_empty() {
            prefetch(&shard.slots[self.bucket(&shard, at.hash)]);
        }
    }

    /// Returns the bounds of a position, [`MoveBounds::UNKNOWN`] if the table has no entry for it.
    #[inline]
    pub fn get(&self, at: &Keyed) -> MoveBounds {
        let shard = self.shard(at.hash);
        if shard.slots.is_empty() {
            return MoveBounds::UNKNOWN;
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
        MoveBounds::UNKNOWN
    }

    /// Stores bounds of a position, merged with those of an existing entry.
    pub fn put(&self, at: &Keyed, known: MoveBounds) {
        let mut shard = self.shard(at.hash);
        let size = self.bucket_words();
        if shard.slots.is_empty() {
            shard.slots = vec![0; START_BUCKETS * size];
        }
        let buckets = shard.slots.len() / size;
        if shard.used * 3 > buckets * WAYS * 2 && buckets < self.max_buckets {
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

    /// Returns the current size of the table in bytes.
    pub fn bytes(&self) -> usize {
        (0..SHARDS as u64)
            .map(|n| self.shard(n << 58).slots.capacity() * 8)
            .sum()
    }
}

/// A small table for positions near the leaves, which are soon reached again. The table stays in the
/// processor's cache and needs no lock; new entries replace old ones. Threads may share the table: each
/// bucket begins with a version, which is odd while a thread writes, so that readers detect torn entries.
pub struct LeafTable {
    words: usize,
    stride: usize,
    buckets: usize,
    slots: Vec<AtomicU64>,
}

impl LeafTable {
    /// Entries in a bucket, the newest first.
    const WAYS: usize = 2;

    /// Returns a table of at most `bytes` bytes for the keys of `table`.
    pub fn new(table: &TranspositionTable, bytes: usize) -> LeafTable {
        // Buckets fill whole cache lines.
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

    /// Returns the bounds of a position, [`MoveBounds::UNKNOWN`] if the table has no entry for it.
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
            return MoveBounds::UNKNOWN;
        }
        MoveBounds::unpack(found)
    }

    /// Stores bounds of a position, replacing those of an existing entry. Does nothing if another thread is
    /// writing to the bucket.
    #[inline]
    pub fn put(&self, at: &Keyed, known: MoveBounds) {
        let (version, entries) = self.bucket(at);
        let before = version.load(Ordering::Relaxed);
        let odd = before | 1;
        let busy = before == odd
            || version
                .compare_exchange(before, odd, Ordering::Acquire, Ordering::Relaxed)
                .is_err();
        if busy {
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
    use position::Narrow;
    use rules::Variant;
    use rustc_hash::FxHashMap;

    /// Returns a table for orthodox chess.
    fn table(bytes: usize) -> TranspositionTable {
        let variant = Variant::from(&variants::fide::INFO);
        let setup = Setup::read(&variant, None).expect("the start position");
        let start = setup.get::<Narrow>().expect("64 squares");
        TranspositionTable::new(start.game.codec(&start.position), bytes)
    }

    fn keyed(table: &TranspositionTable, number: u64) -> Keyed {
        let mut keyed = Keyed::EMPTY;
        // The keys differ in one word only.
        keyed.key[number as usize % table.key_words] = number;
        keyed.hash = mix(&keyed.key[..table.key_words]);
        keyed
    }

    /// Stores random bounds under `keys` keys and compares the table with a map. Returns the number of lost
    /// entries.
    fn lost(table: &TranspositionTable, keys: u64) -> usize {
        let mut all: FxHashMap<u64, MoveBounds> = FxHashMap::default();
        let mut seed = 1_u64;
        for _ in 0..8 * keys {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (number, random) = (1 + (seed >> 33) % keys, (seed >> 20) as u32);
            let known = match random % 2 {
                0 => MoveBounds {
                    proved: 20 + (random >> 8) as u8 % 20,
                    ..MoveBounds::UNKNOWN
                },
                _ => MoveBounds {
                    refuted: 1 + (random >> 8) as u8 % 20,
                    hint: random | 1,
                    ..MoveBounds::UNKNOWN
                },
            };
            table.put(&keyed(table, number), known);
            let old = all.entry(number).or_insert(MoveBounds::UNKNOWN);
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
            // An entry that was lost and stored again holds a part of the bounds that were stored.
            assert!(found.proved >= known.proved && found.refuted <= known.refuted);
            lost += usize::from(found != known);
        }
        assert_eq!(table.get(&keyed(table, keys + 1)), MoveBounds::UNKNOWN);
        lost
    }

    #[test]
    fn a_growing_table_keeps_most_and_a_full_one_invents_nothing() {
        let roomy = table(64 << 20);
        assert_eq!(roomy.get(&keyed(&roomy, 7)), MoveBounds::UNKNOWN);
        // Some buckets overflow before the table grows.
        let forgotten = lost(&roomy, 50_000);
        assert!(forgotten < 12_500, "{forgotten}");
        let full = table(1 << 18);
        let forgotten = lost(&full, 50_000);
        assert!(forgotten > 40_000, "{forgotten}");
        assert!(full.bytes() <= 1 << 19);
    }
}
