//! Solved state spaces, whatever stores them: memory, a folder or several processes.

use super::{Value, Values};
use explore::Exploration;
use std::convert::Infallible;

/// A solved state space. What needs only values by key, such as lines of best play, is written once over this
/// trait.
pub trait SolvedStates {
    /// The reason why values cannot be read.
    type Error;

    /// Returns the values of the states with these keys, which follow each other, in their order. The value of a
    /// key that is not a state is `None`.
    ///
    /// # Errors
    /// If values cannot be read.
    fn values(&mut self, keys: &[u64]) -> Result<Vec<Option<Value>>, Self::Error>;
}

/// A solved graph in memory.
#[derive(Clone, Copy, Debug)]
pub struct GraphStates<'a> {
    /// The graph.
    pub found: &'a Exploration,
    /// The values of the graph's states.
    pub values: &'a Values,
}

impl SolvedStates for GraphStates<'_> {
    type Error = Infallible;

    fn values(&mut self, keys: &[u64]) -> Result<Vec<Option<Value>>, Infallible> {
        let states = &self.found.states;
        let value = |key| Some(self.values.of(states.find(key)?));
        Ok(keys.chunks_exact(states.words()).map(value).collect())
    }
}
