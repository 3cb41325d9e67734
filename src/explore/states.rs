//! The exact visited set: keys once in an arena, their numbers in a hash table.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// A state's number, in the order in which states were found.
pub type StateId = u32;

/// Keys of a segment of the arena.
const SEGMENT: usize = 1 << 16;
/// How many keys are looked up at a time, so that memory is waited for once and not for each.
const BLOCK: usize = 32;
/// A slot without a state; a fresh table of them costs no memory until it is written.
const VACANT: u64 = 0;

/// A set of keys of one width, numbered in the order of insertion. Membership is decided by the
/// whole key; the hash only says where to look.
#[derive(Debug)]
pub struct States {
    words: usize,
    len: usize,
    segments: Vec<Box<[u64]>>,
    // A slot holds a state's number plus one and, above it, 32 bits of its hash.
    slots: Vec<u64>,
}

#[inline(always)]
fn hash(key: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    for &word in key {
        hasher.write_u64(word);
    }
    // The table takes the top bits, the tag the bottom ones: mix both.
    let h = hasher.finish();
    (h ^ (h >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl States {
    /// No states, with keys of this many words.
    pub fn new(words: usize) -> States {
        States {
            words,
            len: 0,
            segments: Vec::new(),
            slots: vec![VACANT; 1 << 10],
        }
    }

    /// How many states.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Words of a key.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The key of a state.
    #[inline(always)]
    pub fn key(&self, id: StateId) -> &[u64] {
        let (segment, at) = (id as usize / SEGMENT, id as usize % SEGMENT);
        &self.segments[segment][at * self.words..][..self.words]
    }

    /// Bytes taken, keys included.
    pub fn bytes(&self) -> u64 {
        (self.segments.len() * SEGMENT * self.words * 8 + self.slots.len() * 8) as u64
    }

    /// Bytes taken at most while `more` states come in, growth of the table included.
    pub fn bytes_with(&self, more: usize) -> u64 {
        let len = self.len + more;
        let segments = len.div_ceil(SEGMENT) * SEGMENT * self.words * 8;
        let slots = if self.crowded(more) {
            self.grown(more)
        } else {
            self.slots.len()
        };
        (segments + slots * 8) as u64
    }

    /// Whether so many more would fill the table too much.
    fn crowded(&self, more: usize) -> bool {
        (self.len + more) * 4 > self.slots.len() * 3
    }

    fn grown(&self, more: usize) -> usize {
        (self.slots.len() * 2).max((self.len + more) * 2)
    }

    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    fn grow(&mut self, more: usize) {
        let grown = self.grown(more);
        // The keys are in the arena: the old table can go before the new one is filled.
        self.slots = Vec::new();
        self.slots = vec![VACANT; grown];
        for id in 0..self.len as StateId {
            let h = hash(self.key(id));
            let mut at = self.home(h);
            while self.slots[at] != VACANT {
                at = self.after(at);
            }
            self.slots[at] = slot(h, id);
        }
    }

    #[inline(always)]
    fn after(&self, at: usize) -> usize {
        if at + 1 == self.slots.len() {
            0
        } else {
            at + 1
        }
    }

    /// The number of a key, if it is in the set.
    pub fn find(&self, key: &[u64]) -> Option<StateId> {
        let h = hash(key);
        let mut at = self.home(h);
        loop {
            let found = self.slots[at];
            if found == VACANT {
                return None;
            }
            if found >> 32 == h & 0xffff_ffff && self.key(number(found)) == key {
                return Some(number(found));
            }
            at = self.after(at);
        }
    }

    /// Puts keys (one after the other in `keys`) into the set and appends their numbers to `ids`.
    /// Stops before the first key that would make more than `most` states; returns how many keys
    /// were taken.
    pub fn insert_all(&mut self, keys: &[u64], most: usize, ids: &mut Vec<StateId>) -> usize {
        match self.words {
            1 => self.insert_words::<1>(keys, most, ids),
            2 => self.insert_words::<2>(keys, most, ids),
            3 => self.insert_words::<3>(keys, most, ids),
            4 => self.insert_words::<4>(keys, most, ids),
            _ => self.insert_words::<0>(keys, most, ids),
        }
    }

    /// `N` is the number of words where it is known, else 0.
    fn insert_words<const N: usize>(
        &mut self,
        keys: &[u64],
        most: usize,
        ids: &mut Vec<StateId>,
    ) -> usize {
        let words = if N > 0 { N } else { self.words };
        let mut taken = 0;
        let mut hashes = [0; BLOCK];
        let mut homes = [VACANT; BLOCK];
        for block in keys.chunks(BLOCK * words) {
            let n = block.len() / words;
            if self.crowded(n) {
                self.grow(n);
            }
            // Touch first every slot, then every key that may be compared: the loads overlap.
            for (i, key) in block.chunks_exact(words).enumerate() {
                hashes[i] = hash(key);
                homes[i] = self.slots[self.home(hashes[i])];
            }
            let mut touched = 0;
            if self.len > 0 {
                let last = self.len as StateId - 1;
                for &home in &homes[..n] {
                    touched ^= self.key(number(home).min(last))[0];
                }
            }
            std::hint::black_box(touched);
            for (i, key) in block.chunks_exact(words).enumerate() {
                let h = hashes[i];
                let mut at = self.home(h);
                let id = loop {
                    let found = self.slots[at];
                    if found == VACANT {
                        if self.len == most {
                            return taken;
                        }
                        break self.push(key, h, at);
                    }
                    if found >> 32 == h & 0xffff_ffff {
                        let id = number(found);
                        let (segment, from) = (id as usize / SEGMENT, id as usize % SEGMENT);
                        if self.segments[segment][from * words..][..words] == *key {
                            break id;
                        }
                    }
                    at = self.after(at);
                };
                ids.push(id);
                taken += 1;
            }
        }
        taken
    }

    #[inline(always)]
    fn push(&mut self, key: &[u64], h: u64, at: usize) -> StateId {
        let id = self.len;
        let (segment, from) = (id / SEGMENT, id % SEGMENT);
        if segment == self.segments.len() {
            self.segments
                .push(vec![0; SEGMENT * self.words].into_boxed_slice());
        }
        self.segments[segment][from * self.words..][..self.words].copy_from_slice(key);
        self.slots[at] = slot(h, id as StateId);
        self.len += 1;
        id as StateId
    }
}

#[inline(always)]
fn slot(hash: u64, id: StateId) -> u64 {
    hash << 32 | (u64::from(id) + 1)
}

/// The state in an occupied slot.
#[inline(always)]
fn number(slot: u64) -> StateId {
    (slot as u32).wrapping_sub(1)
}
