//! The table of a search: proof numbers of positions under exact keys, in bounded memory.
//!
//! An entry is found by a hash but compared by its whole key, so a hit is never a mistake. A position may
//! have several entries, for different numbers of plies left. A proof within few plies also holds for more
//! plies, and a disproof within many plies also holds for fewer. In a full bucket, the entry with the least
//! work is replaced (in the spirit of Nagai's SmallTreeGC), which keeps entries that represent large
//! subtrees.
//!
//! Four entries share a bucket. A bucket begins with a version, which is odd while a thread writes, and a tag
//! of each entry, so most lookups touch one cache line. Readers take no lock: a reader reads again if the
//! version has changed meanwhile (a sequence lock).
//!
//! This table is separate from the [transposition table](search::TranspositionTable) of direct play, which
//! stores bounds in moves. One entry there serves every length, but proof numbers hold for one number of
//! plies left. Only the number of positions searched shows which entries represent much work.
//!
//! The table grows between two shares of the search, when no thread is at work. Each time, it gains as many
//! buckets as the next share may need, each split off an earlier one (W. Litwin 1980: linear hashing), so no
//! share waits for the whole table to be moved.

use crate::proof_numbers::ProofNumbers;
use explore::huge_pages;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence};

const WAYS: usize = 4;
/// Size in words above which a table requests huge pages.
const LARGE_WORDS: usize = 1 << 21;
/// Buckets of the smallest table.
const MIN_BUCKETS: usize = 1 << 10;
/// Slots for each entry, if memory allows. Buckets that are not split yet are up to twice as full as others.
const SLOTS_PER_ENTRY: usize = 3;
/// Words of an entry in addition to its key.
const DATA: usize = 2;
/// Words of a bucket before its entries: version and tags.
const HEAD: usize = 2;
/// Bits of a tag.
const TAG_BITS: u32 = u64::BITS / WAYS as u32;

/// The table, shared by all threads of a search.
pub struct Table {
    key_words: usize,
    stride: usize,
    bucket_words: usize,
    /// A power of two. The hash selects one of twice this number of buckets or, if that bucket does not exist
    /// yet, one of this number.
    base: usize,
    /// Number of buckets: at least `base`, and less than twice `base`.
    buckets: usize,
    most_buckets: usize,
    words: Vec<AtomicU64>,
    used: AtomicUsize,
}

/// Mixes the words of a key by folded multiplication.
#[inline]
pub fn hash(words: &[u64]) -> u64 {
    let fold = |wide: u128| (wide as u64) ^ (wide >> 64) as u64;
    let mixed = words.iter().fold(0x243f_6a88_85a3_08d3_u64, |hash, word| {
        fold(u128::from(hash ^ word) * 0xe703_7ed1_a0b4_28db) ^ hash.rotate_left(29)
    });
    fold(u128::from(mixed) * 0x8ebc_6af0_9c88_c6e3)
}

/// Returns the tag of an entry: never 0, which marks an empty slot.
#[inline]
fn tag(hash: u64) -> u64 {
    hash & ((1 << TAG_BITS) - 1) | 1
}

#[inline]
fn tag_of(tags: u64, way: usize) -> u64 {
    tags >> (way as u32 * TAG_BITS) & ((1 << TAG_BITS) - 1)
}

#[inline]
fn load(word: &AtomicU64) -> u64 {
    word.load(Ordering::Relaxed)
}

#[inline]
fn same(slot: &[AtomicU64], key: &[u64]) -> bool {
    slot.iter().zip(key).all(|(a, b)| load(a) == *b)
}

fn pack(known: ProofNumbers, work: u32) -> [u64; DATA] {
    [
        u64::from(known.pn) | u64::from(known.dn) << 32,
        u64::from(known.plies) | u64::from(work) << 32,
    ]
}

#[inline]
fn unpack(data: &[AtomicU64]) -> (ProofNumbers, u32) {
    let (numbers, rest) = (load(&data[0]), load(&data[1]));
    let known = ProofNumbers {
        pn: numbers as u32,
        dn: (numbers >> 32) as u32,
        plies: rest as u16,
    };
    (known, (rest >> 32) as u32)
}

/// Returns whether `known` implies everything that `other` says.
fn covers(known: ProofNumbers, other: ProofNumbers) -> bool {
    if known.is_proven() {
        return !other.is_disproven() && other.plies >= known.plies;
    }
    if known.is_disproven() {
        return !other.is_proven() && other.plies <= known.plies;
    }
    other.is_open() && other.plies == known.plies
}

/// Prefetches a word into the cache, without waiting for it.
#[inline(always)]
fn prefetch(word: &AtomicU64) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch changes nothing but the contents of the cache.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}

impl Table {
    /// Returns a table of at most `bytes` bytes, or of the smallest size if that is larger, for keys of
    /// `key_words` words.
    pub fn new(key_words: usize, bytes: usize) -> Table {
        let stride = key_words + DATA;
        let bucket_words = HEAD + WAYS * stride;
        let most = (bytes / 8 / bucket_words).max(MIN_BUCKETS);
        let mut table = Table {
            key_words,
            stride,
            bucket_words,
            base: MIN_BUCKETS,
            buckets: MIN_BUCKETS,
            most_buckets: most,
            words: Vec::new(),
            used: AtomicUsize::new(0),
        };
        // Reserve the full size, if the system has enough addresses. Memory is used only when it is written
        // to, and a table that grows in place is never moved.
        let words = &mut table.words;
        let _ = control::memory::fallible(|| words.try_reserve_exact(most * bucket_words));
        table.add_words(MIN_BUCKETS);
        table
    }

    /// Adds `buckets` empty buckets.
    fn add_words(&mut self, buckets: usize) {
        let words = self.words.len() + buckets * self.bucket_words;
        self.words.reserve_exact(words - self.words.len());
        // A table that may still be moved, or a small one, requests no huge pages.
        let stays = self.words.capacity() >= self.most_buckets * self.bucket_words;
        if stays && words > LARGE_WORDS {
            huge_pages::request(self.words.spare_capacity_mut());
        }
        self.words.resize_with(words, AtomicU64::default);
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.words.clear();
        (self.base, self.buckets) = (MIN_BUCKETS, MIN_BUCKETS);
        *self.used.get_mut() = 0;
        self.add_words(MIN_BUCKETS);
    }

    /// Returns the number of words of a key.
    pub fn key_words(&self) -> usize {
        self.key_words
    }

    /// Returns the index of the first word of a hash's bucket. The bits of the tag do not select the bucket.
    #[inline]
    fn start(&self, hash: u64) -> usize {
        let bits = (hash >> TAG_BITS) as usize;
        let bucket = bits & (2 * self.base - 1);
        let bucket = if bucket < self.buckets {
            bucket
        } else {
            bits & (self.base - 1)
        };
        bucket * self.bucket_words
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &[AtomicU64] {
        let start = self.start(hash);
        &self.words[start..start + self.bucket_words]
    }

    #[inline]
    fn slot(&self, way: usize) -> std::ops::Range<usize> {
        let start = HEAD + way * self.stride;
        start..start + self.stride
    }

    /// Prefetches the bucket of a hash.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(&self.words[self.start(hash)]);
    }

    /// Returns the stored numbers of a position with `plies` left. Otherwise, returns open numbers for
    /// another number of plies, if any are stored.
    #[inline]
    pub fn get(&self, key: &[u64], hash: u64, plies: u16) -> Option<ProofNumbers> {
        let bucket = self.bucket(hash);
        let mut waited = 0;
        loop {
            let version = bucket[0].load(Ordering::Acquire);
            if version & 1 == 0 {
                let found = self.look(bucket, key, hash, plies);
                fence(Ordering::Acquire);
                if load(&bucket[0]) == version {
                    return found;
                }
            }
            wait(&mut waited);
        }
    }

    #[inline]
    fn look(
        &self,
        bucket: &[AtomicU64],
        key: &[u64],
        hash: u64,
        plies: u16,
    ) -> Option<ProofNumbers> {
        let tags = load(&bucket[1]);
        let mut found: Option<ProofNumbers> = None;
        for way in 0..WAYS {
            if tag_of(tags, way) != tag(hash) {
                continue;
            }
            let (slot_key, data) = bucket[self.slot(way)].split_at(self.key_words);
            if !same(slot_key, key) {
                continue;
            }
            let (known, _) = unpack(data);
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
                found = Some(ProofNumbers { plies, ..known });
            }
        }
        found
    }

    /// Stores the numbers of a position, found with `work` positions. Adds the work of the entries that it
    /// replaces.
    pub fn put(&self, key: &[u64], hash: u64, known: ProofNumbers, work: u32) {
        let bucket = self.bucket(hash);
        let mut waited = 0;
        let version = loop {
            let version = load(&bucket[0]) & !1;
            let locked = bucket[0].compare_exchange_weak(
                version,
                version + 1,
                Ordering::Acquire,
                Ordering::Relaxed,
            );
            if locked.is_ok() {
                break version;
            }
            wait(&mut waited);
        };
        fence(Ordering::Release);
        self.write(bucket, key, hash, known, work);
        bucket[0].store(version.wrapping_add(2), Ordering::Release);
    }

    /// Writes to a bucket to which no other thread is writing.
    fn write(&self, bucket: &[AtomicU64], key: &[u64], hash: u64, known: ProofNumbers, work: u32) {
        let mut work = work;
        let mut victim = 0;
        let mut least = u64::MAX;
        let mut tags = load(&bucket[1]);
        let before = tags;
        for way in 0..WAYS {
            let vacant = tag_of(tags, way) == 0;
            let (slot_key, data) = bucket[self.slot(way)].split_at(self.key_words);
            let (old, old_work) = unpack(data);
            if vacant {
                if least > 0 {
                    (victim, least) = (way, 0);
                }
                continue;
            }
            let mut weight = u64::from(old_work) + 1;
            if tag_of(tags, way) == tag(hash) && same(slot_key, key) {
                if !old.is_open() && covers(old, known) && old != known {
                    return;
                }
                if covers(known, old) {
                    work = work.saturating_add(old_work);
                    // The new entry implies this one and takes its place. There may be several such entries.
                    if least > 0 {
                        (victim, least) = (way, 0);
                    }
                    tags &= !(((1 << TAG_BITS) - 1) << (way as u32 * TAG_BITS));
                    continue;
                }
                if old.is_open() {
                    // Open numbers for other plies are of little use next to newer ones.
                    weight = weight.div_ceil(4);
                }
            }
            if weight < least {
                (victim, least) = (way, weight);
            }
        }
        let shift = victim as u32 * TAG_BITS;
        tags = tags & !(((1 << TAG_BITS) - 1) << shift) | tag(hash) << shift;
        bucket[1].store(tags, Ordering::Relaxed);
        let slot = &bucket[self.slot(victim)];
        let data = pack(known, work);
        for (word, value) in slot.iter().zip(key.iter().chain(&data)) {
            word.store(*value, Ordering::Relaxed);
        }
        let count = |tags: u64| (0..WAYS).filter(|&way| tag_of(tags, way) != 0).count();
        let (now, then) = (count(tags), count(before));
        if now != then {
            let grown = now.wrapping_sub(then);
            self.used.fetch_add(grown, Ordering::Relaxed);
        }
    }

    /// Grows the table to make room for `more` entries, within the memory limit.
    pub fn room(&mut self, more: usize) {
        let entries = load_size(&self.used).saturating_add(more);
        let wanted = (entries.saturating_mul(SLOTS_PER_ENTRY) / WAYS).min(self.most_buckets);
        if wanted > self.buckets {
            self.add_words(wanted - self.buckets);
            while self.buckets < wanted {
                self.split();
            }
        }
    }

    /// Splits the next bucket off an earlier one, and distributes the entries between the two.
    fn split(&mut self) {
        let start = (self.buckets - self.base) * self.bucket_words;
        self.buckets += 1;
        let words = &mut self.words[start..start + self.bucket_words];
        let moved: Vec<AtomicU64> = words.iter_mut().map(std::mem::take).collect();
        let tags = load(&moved[1]);
        for way in (0..WAYS).filter(|&way| tag_of(tags, way) != 0) {
            *self.used.get_mut() -= 1;
            let (key, data) = moved[self.slot(way)].split_at(self.key_words);
            let key: Vec<u64> = key.iter().map(load).collect();
            let hash = hash(&key);
            let (known, work) = unpack(data);
            self.write(self.bucket(hash), &key, hash, known, work);
        }
        if self.buckets == 2 * self.base {
            self.base = self.buckets;
        }
    }

    /// Returns the number of bytes that the table takes now.
    pub fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    /// Calls `entry` with the key, the numbers and the work of each entry, bucket by bucket. No other thread
    /// may write meanwhile.
    pub fn each<E>(
        &self,
        mut entry: impl FnMut(&[u64], ProofNumbers, u32) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut key = vec![0; self.key_words];
        for bucket in self.words.chunks_exact(self.bucket_words) {
            for way in (0..WAYS).filter(|&way| tag_of(load(&bucket[1]), way) != 0) {
                let (slot_key, data) = bucket[self.slot(way)].split_at(self.key_words);
                for (to, from) in key.iter_mut().zip(slot_key) {
                    *to = load(from);
                }
                let (known, work) = unpack(data);
                entry(&key, known, work)?;
            }
        }
        Ok(())
    }
}

fn load_size(size: &AtomicUsize) -> usize {
    size.load(Ordering::Relaxed)
}

/// Waits briefly for another thread. Yields the processor after many attempts.
#[cold]
fn wait(waited: &mut u32) {
    *waited += 1;
    if *waited < 64 {
        std::hint::spin_loop();
    } else {
        std::thread::yield_now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof_numbers::FOR_EVER;

    fn known(table: &Table, key: u64, plies: u16) -> Option<ProofNumbers> {
        table.get(&[key], hash(&[key]), plies)
    }

    fn put(table: &Table, key: u64, known: ProofNumbers, work: u32) {
        table.put(&[key], hash(&[key]), known, work);
    }

    #[test]
    fn proofs_hold_for_more_plies_and_disproofs_for_fewer() {
        let table = Table::new(1, 1 << 20);
        put(&table, 7, ProofNumbers::proven(5), 1);
        put(&table, 7, ProofNumbers::disproven(3), 1);
        assert_eq!(known(&table, 7, 9), Some(ProofNumbers::proven(5)));
        assert_eq!(known(&table, 7, 5), Some(ProofNumbers::proven(5)));
        assert_eq!(known(&table, 7, 4), None);
        assert_eq!(known(&table, 7, 3), Some(ProofNumbers::disproven(3)));
        assert_eq!(known(&table, 7, 1), Some(ProofNumbers::disproven(3)));
        assert_eq!(known(&table, 8, 9), None);
        put(&table, 9, ProofNumbers::disproven(FOR_EVER), 1);
        assert_eq!(
            known(&table, 9, 999),
            Some(ProofNumbers::disproven(FOR_EVER))
        );
    }

    #[test]
    fn what_is_settled_takes_the_place_of_what_was_open() {
        let table = Table::new(1, 1 << 20);
        put(&table, 7, ProofNumbers::open(3, 4, 9), 1);
        assert_eq!(known(&table, 7, 9), Some(ProofNumbers::open(3, 4, 9)));
        put(&table, 7, ProofNumbers::proven(7), 1);
        put(&table, 7, ProofNumbers::open(8, 8, 9), 1);
        assert_eq!(known(&table, 7, 9), Some(ProofNumbers::proven(7)));
        // Open for another number of plies: returned as an approximation.
        put(&table, 7, ProofNumbers::open(2, 6, 5), 1);
        assert_eq!(known(&table, 7, 3), Some(ProofNumbers::open(2, 6, 3)));
    }

    #[test]
    fn a_full_table_keeps_what_took_work() {
        let table = Table::new(1, 1);
        let most = (MIN_BUCKETS * WAYS) as u64;
        let before = table.bytes();
        for key in 0..most / 2 {
            put(&table, key, ProofNumbers::proven(3), 1_000_000);
        }
        for key in 1 << 20..1 << 17 | 1 << 20 {
            put(&table, key, ProofNumbers::proven(3), 1);
        }
        assert_eq!(table.bytes(), before);
        let kept = (0..most / 2).filter(|&key| known(&table, key, 3).is_some());
        assert!(kept.count() as u64 > most / 8 * 3);
    }

    #[test]
    fn little_is_lost_while_there_is_room() {
        let mut table = Table::new(1, 4 << 20);
        let before = table.bytes();
        for key in 0..20_000 {
            table.room(1);
            put(&table, key, ProofNumbers::proven(key as u16 % 90), 1);
        }
        assert!(table.bytes() > before && table.bytes() <= 4 << 20);
        table.room(usize::MAX / 8);
        let bytes = table.bytes();
        assert!(bytes > 2 << 20 && bytes <= 4 << 20, "{bytes}");
        let kept =
            |key: &u64| known(&table, *key, 99) == Some(ProofNumbers::proven(*key as u16 % 90));
        // Some buckets overflow before the table is half full.
        let kept = (0..20_000).filter(kept).count();
        assert!(kept > 18_500, "{kept}");
        let mut told = 0;
        let count = |_: &[u64], known: ProofNumbers, _: u32| {
            told += u32::from(known.is_proven());
            Ok::<_, ()>(())
        };
        assert_eq!(table.each(count), Ok(()));
        assert!(told > 18_500, "{told}");
    }

    #[test]
    fn a_cleared_table_is_as_a_new_one() {
        let mut table = Table::new(1, 4 << 20);
        let before = table.bytes();
        for round in 0..3 {
            for key in 0..20_000 {
                assert_eq!(known(&table, key, 99), None, "{round} {key}");
                table.room(1);
                put(&table, key, ProofNumbers::proven(3), 1);
            }
            assert!(table.bytes() > before);
            table.clear();
            assert_eq!(table.bytes(), before);
        }
    }

    #[test]
    fn what_threads_write_at_the_same_time_is_never_mixed() {
        // The two words of a key and its numbers belong together. Few buckets and many writers make conflicts
        // likely.
        let table = Table::new(2, 1);
        let known = |n: u64| ProofNumbers::open(1 + (n % 1000) as u32, 1 + (n % 777) as u32, 5);
        let key = |n: u64| [n, n.wrapping_mul(0x9e37_79b9_7f4a_7c15)];
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..100_000_u64 {
                        let n = (round * 7 + thread * 13) % 5000;
                        let (key, asked) = (key(n), known(n));
                        match table.get(&key, hash(&key), 5) {
                            Some(found) => assert_eq!(found, asked),
                            None => table.put(&key, hash(&key), asked, 1),
                        }
                        if round % 3 == 0 {
                            table.put(&key, hash(&key), asked, 1);
                        }
                    }
                });
            }
        });
    }
}
