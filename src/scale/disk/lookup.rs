//! Values of single states, read from the files of a solved search.

use super::Failed;
use super::run::RunReader;
use super::search::Search;
use values::{Packed, SolvedStates, Value};

/// Values by key.
#[derive(Debug)]
pub struct Lookup {
    reader: RunReader,
    words: usize,
}

impl Lookup {
    /// Opens the values of a solved search.
    ///
    /// # Errors
    /// If the search is not solved, or its values cannot be read.
    pub fn new(search: &Search<'_>) -> Result<Lookup, Failed> {
        Ok(Lookup {
            reader: search.solved_run()?.reader()?,
            words: search.words,
        })
    }

    /// Returns the value of a state, or `None` if the key is not a state of the graph.
    ///
    /// # Errors
    /// If the values cannot be read.
    pub fn value(&mut self, key: &[u64]) -> Result<Option<Value>, Failed> {
        self.reader.find(key)?;
        let found = self.reader.head().filter(|head| head[..self.words] == *key);
        Ok(found.map(|head| Packed(head[self.words] as u16).final_value()))
    }
}

impl SolvedStates for Lookup {
    type Error = Failed;

    fn values(&mut self, keys: &[u64]) -> Result<Vec<Option<Value>>, Failed> {
        let words = self.words;
        keys.chunks_exact(words)
            .map(|key| self.value(key))
            .collect()
    }
}
