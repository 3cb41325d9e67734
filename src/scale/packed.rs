//! Values in sixteen bits: the worth plus three in the high bits, the distance in plies in the low bits.

use values::{MAX_DISTANCE_PLIES, Value};

/// Bits of a distance. The bits above it hold the class of the value.
pub const PLIES_BITS: u32 = MAX_DISTANCE_PLIES.trailing_ones();

/// A value that is not known yet.
pub const OPEN: u16 = 0;
pub const LOSS: u16 = 1;
pub const WEAK_LOSS: u16 = 2;
pub const DRAW: u16 = 3;
pub const WEAK_WIN: u16 = 4;
pub const WIN: u16 = 5;

/// Returns a value in sixteen bits, never [`OPEN`].
pub fn pack(value: Value) -> u16 {
    ((value.worth() + 3) as u16) << PLIES_BITS | value.distance_plies().unwrap_or(0)
}

/// Returns the value of sixteen bits, or `None` if it is [`OPEN`].
pub fn unpack(packed: u16) -> Option<Value> {
    let plies = packed & MAX_DISTANCE_PLIES;
    match packed >> PLIES_BITS {
        LOSS => Some(Value::Loss(plies)),
        WEAK_LOSS => Some(Value::WeakLoss(plies)),
        DRAW => Some(Value::Draw),
        WEAK_WIN => Some(Value::WeakWin(plies)),
        WIN => Some(Value::Win(plies)),
        _ => None,
    }
}

/// Like [`unpack`], but after the analysis has ended: a value that is still open is a draw.
pub fn unpack_last(packed: u16) -> Value {
    unpack(packed).unwrap_or(Value::Draw)
}
