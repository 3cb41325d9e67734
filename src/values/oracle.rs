//! Values that are known already: what a search may probe instead of searching.

use super::value::Value;
use position::{Layout, Position};

/// Knows the values of some positions.
pub trait Oracle<W: Layout>: Sync {
    /// Returns the value of a legal position, if it is known.
    fn value(&self, p: &Position<W>) -> Option<Value>;
}

/// Returns whether the side to move wins within this number of its own turns; a win that the opponent's turn
/// brings about counts the turns before it.
pub fn wins_within(value: Value, moves: u32) -> bool {
    matches!(value, Value::Win(plies) if u32::from(plies.div_ceil(2)) <= moves)
}

/// Returns whether the side to move loses while the opponent makes at most `turns` turns.
pub fn loses_within(value: Value, moves: u32) -> bool {
    matches!(value, Value::Loss(plies) if u32::from(plies / 2) <= moves)
}
