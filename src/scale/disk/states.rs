//! Access to the states that a search on disk has found: in blocks, and along a shortest line.

use super::Failed;
use super::search::Search;
use super::values::VALUE_BITS;
use crate::predecessor::least_predecessor;
use explore::{Successors, Summary};
use values::{Packed, Value};

/// Maximum number of states of a block.
const BLOCK: usize = 1 << 16;

/// Some of the states found.
#[derive(Default)]
pub struct Block {
    /// The keys of the states, one after the other.
    pub keys: Vec<u64>,
    /// The distances of the states from the root, in plies.
    pub depths: Vec<u32>,
    /// The values of the states, if the search is solved; otherwise empty.
    pub values: Vec<Value>,
}

impl Search<'_> {
    /// Like [`Search::explore`], but stops after the states at this depth are found.
    ///
    /// # Errors
    /// As for [`Search::explore`].
    pub fn explore_to(&mut self, depth: u32) -> Result<Summary, Failed> {
        let limits = self.limits;
        self.limits.max_depth = limits.max_depth.min(depth);
        let summary = self.explore();
        self.limits = limits;
        summary
    }

    /// Calls `visit` with the states found so far, or with those at one depth, in blocks. If the search ended at
    /// the limit on states, these include the part of the last level that the limit allows. Within a block,
    /// keys increase. Each state is visited once.
    ///
    /// # Errors
    /// If a file cannot be read or is damaged, the search is stopped, or `visit` fails.
    pub fn each_block(
        &self,
        depth: Option<u32>,
        visit: &mut dyn FnMut(&Block) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        let words = self.words;
        let mut block = Block::default();
        let solved = self.solved();
        for named in self.state.seen.iter().chain(&self.cut).chain(solved) {
            let mut reader = self.folder.open(named, words + 1)?.reader()?;
            while let Some(record) = reader.head() {
                let (key, stored) = (&record[..words], record[words]);
                // The records of a solved search have a value below the depth.
                let at = match solved {
                    Some(_) => (stored >> VALUE_BITS) as u32,
                    None => stored as u32,
                };
                if depth.is_none_or(|depth| depth == at) {
                    block.keys.extend_from_slice(key);
                    block.depths.push(at);
                    if solved.is_some() {
                        block.values.push(Packed(stored as u16).final_value());
                    }
                }
                reader.advance()?;
                if block.depths.len() == BLOCK || reader.head().is_none() {
                    self.control.check()?;
                    self.check_keys(&block.keys)?;
                    visit(&block)?;
                    block.keys.clear();
                    block.depths.clear();
                    block.values.clear();
                }
            }
        }
        Ok(())
    }

    /// Returns the keys along a shortest line from the root to a state at this depth. Of several
    /// predecessors, the line takes the one with the lowest key.
    ///
    /// # Errors
    /// As for [`Search::each_block`].
    pub fn line_to(&self, key: &[u64], depth: u32) -> Result<Vec<Vec<u64>>, Failed> {
        let mut line = vec![key.to_vec()];
        let mut successors = Successors::default();
        for depth in (0..depth).rev() {
            let next = line[line.len() - 1].clone();
            let mut least: Option<Vec<u64>> = None;
            self.each_block(Some(depth), &mut |block| {
                self.graph.expand(&block.keys, &mut successors);
                least = least_predecessor(&block.keys, &successors, &next, least.take());
                Ok(())
            })?;
            line.extend(least);
        }
        line.reverse();
        Ok(line)
    }
}
