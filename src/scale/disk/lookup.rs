//! Values of single states, and best lines, read from the files of a solved search.

use super::Failed;
use super::run::RunReader;
use super::search::Search;
use explore::Expander;
use std::collections::HashMap;
use values::{BestLine, LineEnd, Packed, Value};

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

    /// Returns the line of best play from a state, like [`values::best_line`].
    ///
    /// # Errors
    /// If the values cannot be read.
    pub fn best_line(
        &mut self,
        graph: &Expander<'_>,
        from: &[u64],
    ) -> Result<Option<BestLine>, Failed> {
        let mut line = Vec::new();
        let mut passed = HashMap::new();
        let mut key = from.to_vec();
        loop {
            if let Some(&at) = passed.get(&key) {
                let end = LineEnd::Repeats(at);
                return Ok(Some(BestLine { turns: line, end }));
            }
            passed.insert(key.clone(), line.len());
            let mut best: Option<(Value, String, Vec<u64>)> = None;
            for (text, to) in graph.turns(&key) {
                let Some(value) = self.value(&to)? else {
                    return Ok(None);
                };
                // The value is the opponent's, so the lowest one is best.
                if best.as_ref().is_none_or(|(least, ..)| value < *least) {
                    best = Some((value, text, to));
                }
            }
            let Some((_, text, to)) = best else {
                let end = LineEnd::Outcome(graph.outcome(&key));
                return Ok(Some(BestLine { turns: line, end }));
            };
            line.push(text);
            key = to;
        }
    }
}
