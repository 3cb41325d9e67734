//! The state key `taken=W/B`: the units that each side has captured, White's captures first.

use rules::IllegalPosition;

/// The name of the state key.
pub const KEY: &str = "taken";

/// Returns the two values of a pair `W/B`.
///
/// # Errors
/// If the value does not have the form `W/B`.
pub fn split(value: &str) -> Result<[&str; 2], IllegalPosition> {
    match value.split('/').collect::<Vec<_>>()[..] {
        [white, black] => Ok([white, black]),
        _ => Err("it takes what White captured, a slash, what Black captured".into()),
    }
}
