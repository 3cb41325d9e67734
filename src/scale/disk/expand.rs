//! The successors of batches of states, generated in parallel.

use explore::{Expander, Successors};
use rayon::prelude::*;

/// Successors of a batch of states, generated on all threads of the caller's pool.
#[derive(Debug)]
pub struct Batch {
    words: usize,
    // Maximum number of words of a batch's successors.
    room: usize,
    // Number of states that the next batch should have.
    size: usize,
    parts: Vec<Successors>,
}

/// States of the first batch, for which no number of successors is known yet.
const FIRST_STATES: usize = 64;
/// Maximum number of states of a batch.
const MAX_STATES: usize = 1 << 15;

impl Batch {
    /// Returns a generator for states with keys of `words` words. The successors of a batch take about
    /// `bytes` bytes.
    pub fn new(words: usize, bytes: u64) -> Batch {
        Batch {
            words,
            room: (bytes / 8) as usize,
            size: FIRST_STATES,
            parts: vec![Successors::default(); rayon::current_num_threads().max(1)],
        }
    }

    /// Returns the number of states that the next batch should have.
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

    /// Adapts the size of the next batch to the number of states and the words of keys that they led to. The
    /// next states lead to about as many, but perhaps to twice as many.
    pub fn learn(&mut self, states: usize, generated: usize) {
        // Vectors grow by doubling, so half of the room is left for that.
        let fit = (self.room / 4) as u64 * states as u64 / (generated as u64).max(1);
        let most = (4 * self.size).min(MAX_STATES);
        self.size = (fit as usize).clamp(16, most);
    }

    /// Returns the successors of the batch in parts, in the order of the states.
    pub fn parts(&self) -> &[Successors] {
        &self.parts
    }
}
