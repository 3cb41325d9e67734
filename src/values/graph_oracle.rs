//! A solved graph as an oracle for expressions.

use super::{Value, Values};
use explore::Exploration;
use language::{Oracle, Valued};
use position::{KEY_WORDS, Layout, Position};

/// A solved graph as an oracle that has the values of the graph's states and of no other position.
#[derive(Clone, Copy, Debug)]
pub struct GraphOracle<'a> {
    /// The graph.
    pub found: &'a Exploration,
    /// The values of the graph's states.
    pub values: &'a Values,
}

impl<W: Layout> Oracle<W> for GraphOracle<'_> {
    fn value(&self, position: &Position<W>) -> Option<Valued> {
        let codec = &self.found.codec;
        let mut key = [0; KEY_WORDS];
        codec.encode(position, &mut key);
        let key = &key[..codec.words()];
        // The codec encodes a position that it has no room for as a different one.
        if codec.decode::<W>(key) != *position {
            return None;
        }
        let state = self.found.states.find(key)?;
        Some(self.values.of(state).into())
    }
}

impl From<Value> for Valued {
    fn from(value: Value) -> Valued {
        Valued {
            worth: value.worth(),
            plies: value.distance_plies().map_or(-1, i32::from),
        }
    }
}
