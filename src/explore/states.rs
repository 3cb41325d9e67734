//! The exact visited set of a search. An arena holds each key once, and a hash table holds the key's number.
//! Membership never depends on a hash alone.
//!
//! A slot of the table holds a state's number and, in the higher bits, a tag: as many low bits of the key's
//! hash as fit. The hash of a one-word key is a bijection, whose high bits select the key's home line, so
//! different keys with the same tag have homes far apart. As long as no state is that far from its home, line
//! and tag together determine the whole key, and the key in the arena need not be compared (quotienting:
//! Cleary, "Compact hash tables using bidirectional linear probing", 1984).

use crate::huge_pages;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// The number of a state, in the order in which states were found.
pub type StateId = u32;

/// The number of keys in a segment of the arena.
const SEGMENT: usize = 1 << 16;
/// The number of keys in a block. One block is looked up while memory for the next is prefetched.
const BLOCK: usize = 32;
/// A slot without a state.
const VACANT: u64 = 0;
/// The number of slots in a line.
const LINE: usize = 8;

/// The slots in one line of the processor's cache. Each key has a home line. Slots are filled from the first
/// to the last; if its line is full, a state goes to the next line.
#[repr(align(64))]
#[derive(Clone, Copy, Debug)]
struct Line([u64; LINE]);

impl Line {
    /// Returns a bit mask of the slots that equal `tagged` above the lowest `number_bits` bits.
    #[inline(always)]
    fn matching(&self, tagged: u64, number_bits: u32) -> u32 {
        let mut found = 0;
        for (i, slot) in self.0.iter().enumerate() {
            found |= u32::from((slot ^ tagged) >> number_bits == 0) << i;
        }
        found
    }
}

/// Prefetches a line into the processor's cache, without waiting for it.
#[inline(always)]
fn prefetch(line: &Line) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch only changes the content of the cache.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(line).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}

/// The result of looking up keys.
#[derive(Default, Debug)]
pub(crate) struct Lookup {
    /// The number of each key; [`StateId::MAX`] for a key that is not in the set.
    pub(crate) ids: Vec<StateId>,
    /// The indices in `ids` of keys that are not in the set.
    pub(crate) unknown_at: Vec<u32>,
    /// The keys that are not in the set, one after the other.
    pub(crate) unknown: Vec<u64>,
}

impl Lookup {
    pub(crate) fn clear(&mut self) {
        self.ids.clear();
        self.unknown_at.clear();
        self.unknown.clear();
    }
}

/// A set of keys of one width, numbered in the order of insertion. Membership is decided by the whole key;
/// the hash only determines the place in the table.
#[derive(Debug)]
pub struct States {
    bits: u32,
    words: usize,
    len: usize,
    segments: Vec<Box<[u64]>>,
    // A slot holds a state's number plus one and, in the higher bits, the tag.
    lines: Vec<Line>,
    // The number of bits of a slot below the tag.
    number_bits: u32,
    // The maximum distance of a state from its home, in lines.
    farthest: usize,
    // The minimum distance between the homes of different keys with the same tag, in lines.
    min_home_distance: usize,
}

/// Returns the image of `key` under a bijection of the numbers of `bits` bits (1 to 64).
#[inline(always)]
fn permute(key: u64, bits: u32) -> u64 {
    let mask = u64::MAX >> (64 - bits);
    let x = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
    let x = x ^ (x >> (bits / 2).max(1));
    x.wrapping_mul(0xd6e8_feb8_6659_fd93) & mask
}

impl States {
    /// Returns an empty set for keys of this many bits, at least 1.
    pub fn new(bits: u32) -> States {
        let mut states = States {
            bits,
            words: bits.div_ceil(64) as usize,
            len: 0,
            segments: Vec::new(),
            lines: Vec::new(),
            number_bits: 0,
            farthest: 0,
            min_home_distance: 0,
        };
        states.reset_table(1 << 7);
        states
    }

    /// Replaces the table by one with `lines` lines of vacant slots.
    fn reset_table(&mut self, lines: usize) {
        // The keys are in the arena, so the old table can be freed before the new one is allocated.
        self.lines = Vec::new();
        self.lines = huge_pages::filled(Line([VACANT; LINE]), lines);
        self.number_bits = usize::BITS - (lines * LINE).leading_zeros();
        self.farthest = 0;
        let tag_bits = u64::BITS - self.number_bits;
        self.min_home_distance = if self.words > 1 {
            0
        } else if self.bits <= tag_bits {
            usize::MAX
        } else {
            lines >> (self.bits - tag_bits)
        };
    }

    /// Returns the hash of a key in two forms: the top bits of the first select the home, the low bits of the
    /// second are the tag. `N` is the number of words of a key if it is known at compile time, otherwise 0.
    #[inline(always)]
    fn hash<const N: usize>(&self, key: &[u64]) -> (u64, u64) {
        if N == 1 {
            let x = permute(key[0], self.bits);
            return (x << (64 - self.bits), x);
        }
        let mut hasher = FxHasher::default();
        for &word in key {
            hasher.write_u64(word);
        }
        // Homes use the top bits and tags the low ones, so both are mixed.
        let h = hasher.finish();
        let h = (h ^ (h >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (h, h)
    }

    /// Returns the number of states.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the set has no states.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of words of a key.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Returns the key of a state.
    #[inline(always)]
    pub fn key(&self, id: StateId) -> &[u64] {
        self.key_of::<0>(id)
    }

    /// Returns the size of the set in bytes, keys included.
    pub fn bytes(&self) -> u64 {
        (self.segments.len() * SEGMENT * self.words * 8 + self.lines.len() * LINE * 8) as u64
    }

    /// Returns the maximum size in bytes while `more` states are inserted, growth of the table included.
    pub fn bytes_with(&self, more: usize) -> u64 {
        let len = self.len + more;
        let segments = len.div_ceil(SEGMENT) * SEGMENT * self.words * 8;
        let lines = if self.is_too_full(more) {
            self.grown_lines(more)
        } else {
            self.lines.len()
        };
        (segments + lines * LINE * 8) as u64
    }

    /// Returns whether the table would be too full with `more` additional states.
    fn is_too_full(&self, more: usize) -> bool {
        (self.len + more) * 4 > self.lines.len() * LINE * 3
    }

    fn grown_lines(&self, more: usize) -> usize {
        (self.lines.len() * 2).max((self.len + more) * 2 / LINE)
    }

    #[inline(always)]
    fn home(&self, spread: u64) -> usize {
        ((u128::from(spread) * self.lines.len() as u128) >> 64) as usize
    }

    fn grow<const N: usize>(&mut self, more: usize) {
        self.reset_table(self.grown_lines(more));
        let mut hashes = [(0, 0); BLOCK];
        for first in (0..self.len).step_by(BLOCK) {
            let n = BLOCK.min(self.len - first);
            for (i, hash) in hashes[..n].iter_mut().enumerate() {
                *hash = self.hash_and_prefetch::<N>(self.key_of::<N>((first + i) as StateId));
            }
            for (i, &(spread, tag)) in hashes[..n].iter().enumerate() {
                let (mut line, mut far) = (self.home(spread), 0);
                while self.lines[line].0[LINE - 1] != VACANT {
                    line = self.after(line);
                    far += 1;
                }
                self.fill(line, far, tag, (first + i) as StateId);
            }
        }
    }

    #[inline(always)]
    fn after(&self, line: usize) -> usize {
        if line + 1 == self.lines.len() {
            0
        } else {
            line + 1
        }
    }

    /// Writes a state into the first vacant slot of a line at this distance from its home.
    #[inline(always)]
    fn fill(&mut self, line: usize, far: usize, tag: u64, id: StateId) {
        let line = &mut self.lines[line].0;
        let vacant = line
            .iter()
            .map(|&slot| usize::from(slot != VACANT))
            .sum::<usize>();
        line[vacant] = tag << self.number_bits | (u64::from(id) + 1);
        self.farthest = self.farthest.max(far);
    }

    /// Returns the hash of a key and prefetches its home.
    #[inline(always)]
    fn hash_and_prefetch<const N: usize>(&self, key: &[u64]) -> (u64, u64) {
        let (spread, tag) = self.hash::<N>(key);
        prefetch(&self.lines[self.home(spread)]);
        (spread, tag)
    }

    /// Reads the keys that lookups will compare, so that their loads from memory overlap.
    #[inline(always)]
    fn preload_keys<const N: usize>(&self, hashes: &[(u64, u64)]) {
        let mut touched = 0;
        for &(spread, tag) in hashes {
            let line = &self.lines[self.home(spread)];
            let found = line.matching(tag << self.number_bits, self.number_bits);
            if found != 0 && self.len > 0 {
                let id = self.number(line.0[found.trailing_zeros() as usize]);
                touched ^= self.key_of::<N>(id.min(self.len as StateId - 1))[0];
            }
        }
        std::hint::black_box(touched);
    }

    /// Returns the state in an occupied slot.
    #[inline(always)]
    fn number(&self, slot: u64) -> StateId {
        ((slot & ((1 << self.number_bits) - 1)) as StateId).wrapping_sub(1)
    }

    /// Returns whether line and tag determine the whole key.
    #[inline(always)]
    fn tags_decide(&self) -> bool {
        self.farthest < self.min_home_distance
    }

    /// Returns the number of a key. If the key is not in the set, the error is the line where it would be
    /// inserted and the distance of this line from its home.
    #[inline(always)]
    fn locate<const N: usize>(
        &self,
        key: &[u64],
        spread: u64,
        tag: u64,
    ) -> Result<StateId, (usize, usize)> {
        let (mut at, mut far) = (self.home(spread), 0);
        let sure = self.tags_decide();
        let tagged = tag << self.number_bits;
        loop {
            let line = &self.lines[at];
            let mut found = line.matching(tagged, self.number_bits);
            while found != 0 {
                let slot = line.0[found.trailing_zeros() as usize];
                // The tag of a vacant slot is zero, which is also a valid tag.
                if slot != VACANT {
                    let id = self.number(slot);
                    // Beyond `farthest` there are no stored keys, so an equal tag belongs to another key.
                    if sure && far <= self.farthest || !sure && self.key_of::<N>(id) == key {
                        return Ok(id);
                    }
                }
                found &= found - 1;
            }
            if line.0[LINE - 1] == VACANT {
                return Err((at, far));
            }
            at = self.after(at);
            far += 1;
        }
    }

    /// Returns the key of a state. `N` is the number of words of a key if it is known at compile time,
    /// otherwise 0.
    #[inline(always)]
    fn key_of<const N: usize>(&self, id: StateId) -> &[u64] {
        let words = if N > 0 { N } else { self.words };
        let (segment, at) = (id as usize / SEGMENT, id as usize % SEGMENT);
        &self.segments[segment][at * words..][..words]
    }

    /// Returns the number of a key, if it is in the set.
    pub fn find(&self, key: &[u64]) -> Option<StateId> {
        let found = if self.words == 1 {
            let (spread, tag) = self.hash::<1>(key);
            self.locate::<1>(key, spread, tag)
        } else {
            let (spread, tag) = self.hash::<0>(key);
            self.locate::<0>(key, spread, tag)
        };
        found.ok()
    }

    /// Looks up keys, which follow each other in `keys`, and appends the results to `found`. Several threads
    /// can look up keys at the same time.
    pub(crate) fn find_all(&self, keys: &[u64], found: &mut Lookup) {
        match self.words {
            1 => self.find_words::<1>(keys, found),
            2 => self.find_words::<2>(keys, found),
            3 => self.find_words::<3>(keys, found),
            4 => self.find_words::<4>(keys, found),
            _ => self.find_words::<0>(keys, found),
        }
    }

    /// Like [`find_all`](Self::find_all); `N` is the number of words of a key if it is known at
    /// compile time, otherwise 0.
    fn find_words<const N: usize>(&self, keys: &[u64], found: &mut Lookup) {
        let words = if N > 0 { N } else { self.words };
        let (mut hashes, mut next) = ([(0, 0); BLOCK], [(0, 0); BLOCK]);
        let mut blocks = keys.chunks(BLOCK * words).peekable();
        self.hash_block::<N>(blocks.peek(), &mut next);
        while let Some(block) = blocks.next() {
            std::mem::swap(&mut hashes, &mut next);
            self.hash_block::<N>(blocks.peek(), &mut next);
            if !self.tags_decide() {
                self.preload_keys::<N>(&hashes[..block.len() / words]);
            }
            for (key, &(spread, tag)) in block.chunks_exact(words).zip(&hashes) {
                let id = self.locate::<N>(key, spread, tag).unwrap_or_else(|_| {
                    found.unknown.extend_from_slice(key);
                    found.unknown_at.push(found.ids.len() as u32);
                    StateId::MAX
                });
                found.ids.push(id);
            }
        }
    }

    /// Computes the hashes of a block of keys and prefetches their homes.
    #[inline(always)]
    fn hash_block<const N: usize>(&self, block: Option<&&[u64]>, hashes: &mut [(u64, u64); BLOCK]) {
        let words = if N > 0 { N } else { self.words };
        let keys = block.into_iter().flat_map(|keys| keys.chunks_exact(words));
        for (hash, key) in hashes.iter_mut().zip(keys) {
            *hash = self.hash_and_prefetch::<N>(key);
        }
    }

    /// Inserts keys, which follow each other in `keys`, and appends their numbers to `ids`. Stops before the
    /// first key that would make more than `max_states` states. Returns the number of keys processed.
    pub fn insert_all(&mut self, keys: &[u64], max_states: usize, ids: &mut Vec<StateId>) -> usize {
        match self.words {
            1 => self.insert_words::<1>(keys, max_states, ids),
            2 => self.insert_words::<2>(keys, max_states, ids),
            3 => self.insert_words::<3>(keys, max_states, ids),
            4 => self.insert_words::<4>(keys, max_states, ids),
            _ => self.insert_words::<0>(keys, max_states, ids),
        }
    }

    /// Like [`insert_all`](Self::insert_all); `N` is the number of words of a key if it is known at
    /// compile time, otherwise 0.
    fn insert_words<const N: usize>(
        &mut self,
        keys: &[u64],
        max_states: usize,
        ids: &mut Vec<StateId>,
    ) -> usize {
        let words = if N > 0 { N } else { self.words };
        let mut inserted = 0;
        let mut hashes = [(0, 0); BLOCK];
        let mut next = [(0, 0); BLOCK];
        let mut blocks = keys.chunks(BLOCK * words).peekable();
        self.hash_block::<N>(blocks.peek(), &mut next);
        while let Some(block) = blocks.next() {
            std::mem::swap(&mut hashes, &mut next);
            self.hash_block::<N>(blocks.peek(), &mut next);
            let n = block.len() / words;
            if self.is_too_full(n) {
                self.grow::<N>(n);
            }
            if !self.tags_decide() {
                self.preload_keys::<N>(&hashes[..n]);
            }
            for (i, key) in block.chunks_exact(words).enumerate() {
                let (spread, tag) = hashes[i];
                let id = match self.locate::<N>(key, spread, tag) {
                    Ok(id) => id,
                    Err(_) if self.len == max_states => return inserted,
                    Err((line, far)) => self.push(key, tag, line, far),
                };
                ids.push(id);
                inserted += 1;
            }
        }
        inserted
    }

    #[inline(always)]
    fn push(&mut self, key: &[u64], tag: u64, line: usize, far: usize) -> StateId {
        let id = self.len;
        let (segment, from) = (id / SEGMENT, id % SEGMENT);
        if segment == self.segments.len() {
            self.segments
                .push(vec![0; SEGMENT * self.words].into_boxed_slice());
        }
        self.segments[segment][from * self.words..][..self.words].copy_from_slice(key);
        self.len += 1;
        self.fill(line, far, tag, id as StateId);
        id as StateId
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;
    use std::collections::HashMap;

    /// Returns whether the set agrees with a map, for keys of `bits` bits with many duplicates, while the
    /// table grows.
    fn agrees(bits: u32, seeds: Vec<u64>) -> bool {
        let words = bits.div_ceil(64) as usize;
        let mask = u64::MAX >> (words as u32 * 64 - bits);
        let mut states = States::new(bits);
        let mut known: HashMap<Vec<u64>, StateId> = HashMap::new();
        let mut at = 1;
        let keys: Vec<Vec<u64>> = seeds
            .iter()
            .flat_map(|&seed| (0..40).map(move |n| (seed.rotate_left(n) % 97) ^ (seed >> n)))
            .map(|n| {
                at = n ^ (at << 1);
                let mut key = vec![at; words];
                key[words - 1] &= mask;
                key
            })
            .collect();
        for part in keys.chunks(50) {
            let mut ids = Vec::new();
            let inserted = states.insert_all(&part.concat(), usize::MAX, &mut ids);
            if inserted != part.len() {
                return false;
            }
            for (key, id) in part.iter().zip(ids) {
                let next = known.len() as StateId;
                if *known.entry(key.clone()).or_insert(next) != id || states.key(id) != key {
                    return false;
                }
            }
        }
        states.len() == known.len() && known.iter().all(|(key, &id)| states.find(key) == Some(id))
    }

    quickcheck! {
        fn the_set_numbers_keys_as_a_map_does(seeds: Vec<u64>) -> bool {
            [7, 41, 60, 64, 65, 200].iter().all(|&bits| agrees(bits, seeds.clone()))
        }
    }

    #[test]
    fn keys_with_one_tag_are_told_apart_when_far_from_home() {
        // Keys of 64 bits whose hashes have the same low bits, so only whole keys can decide.
        let inverse = |odd: u64| {
            (0..6).fold(odd, |x, _| {
                x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)))
            })
        };
        let unpermute = |x: u64| {
            let x = x.wrapping_mul(inverse(0xd6e8_feb8_6659_fd93));
            (x ^ (x >> 32)).wrapping_mul(inverse(0x9e37_79b9_7f4a_7c15))
        };
        let mut states = States::new(64);
        let keys: Vec<u64> = (0..600).map(|n| unpermute((n << 56) | 1)).collect();
        assert_eq!(permute(keys[5], 64), (5 << 56) | 1);
        let mut ids = Vec::new();
        states.insert_all(&keys, usize::MAX, &mut ids);
        // n << 56 has 256 different values.
        assert_eq!(states.len(), 256);
        assert!((0..600).all(|n| ids[n] as usize == n % 256));
    }
}
