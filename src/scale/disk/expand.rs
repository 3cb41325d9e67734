//! The successors of many states at once.

use explore::{Expander, Successors};
use rayon::prelude::*;

/// Successors of a batch of states, generated on all threads of the caller's pool.
#[derive(Debug)]
pub struct Batch {
    words: usize,
    // Words that the successors of a batch may take.
    room: usize,
    // How many states the next batch should have.
    size: usize,
    parts: Vec<Successors>,
}

/// States of the first batch, when nothing is known of how many successors they have.
const FIRST_STATES: usize = 64;
/// Most states of a batch.
const MAX_STATES: usize = 1 << 15;

impl Batch {
    /// Batches of states with keys of `words` words, whose successors take about `bytes` bytes.
    pub fn new(words: usize, bytes: u64) -> Batch {
        Batch {
            words,
            room: (bytes / 8) as usize,
            size: FIRST_STATES,
            parts: vec![Successors::default(); rayon::current_num_threads().max(1)],
        }
    }

    /// Returns how many states the next batch should have.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Generates the successors of the states with these keys.
    pub fn fill(&mut self, graph: &Expander<'_>, keys: &[u64]) {
        let share = (keys.len() / self.words).div_ceil(self.parts.len()).max(1);
        let mut chunks: Vec<&[u64]> = keys.chunks(share * self.words).collect();
        chunks.resize(self.parts.len(), &[]);
        self.parts
            .par_iter_mut()
            .zip(chunks)
            .for_each(|(part, keys)| graph.expand(keys, part));
        let generated = self.parts.iter().map(|part| part.keys.len()).sum();
        self.learn(keys.len() / self.words, generated);
    }

    /// Takes into account the number of states and the words of keys that they led to. The next ones will have
    /// about as many, but perhaps twice as many.
    pub fn learn(&mut self, states: usize, generated: usize) {
        // Vectors grow by doubling: half of the room is left for that.
        let fit = (self.room / 4) as u64 * states as u64 / (generated as u64).max(1);
        let most = (4 * self.size).min(MAX_STATES);
        self.size = (fit as usize).clamp(16, most);
    }

    /// Returns the successors, in the order of the states: parts of the batch, one after the other.
    pub fn parts(&self) -> &[Successors] {
        &self.parts
    }
}
