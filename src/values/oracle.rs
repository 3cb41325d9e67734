//! Oracles: known values that a search may probe instead of searching.

use super::value::Value;
use control::Stopped;
use position::{Layout, Position};

/// A source of known values for some positions.
pub trait Oracle<W: Layout>: Sync {
    /// Returns the value of a legal position, if it is known.
    ///
    /// # Errors
    /// [`Stopped::Contradiction`] if the value cannot be read, or differs from what the rules and the values after
    /// the position's turns say.
    fn value(&self, p: &Position<W>) -> Result<Option<Value>, Stopped>;

    /// Returns whether a value has been returned, so that an answer may rest on it.
    fn was_read(&self) -> bool;
}

/// Returns whether the side to move wins within `moves` of its own turns. If a turn of the opponent ends the
/// game, only the turns before it count.
pub fn wins_within(value: Value, moves: u32) -> bool {
    matches!(value, Value::Win(plies) if u32::from(plies.div_ceil(2)) <= moves)
}

/// Returns whether the side to move loses while the opponent makes at most `moves` turns.
pub fn loses_within(value: Value, moves: u32) -> bool {
    matches!(value, Value::Loss(plies) if u32::from(plies / 2) <= moves)
}
