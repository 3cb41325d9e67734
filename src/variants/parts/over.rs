//! The state key `over=REASON`: what the mover has just done has won the game, though the
//! position alone does not show it. The state is 0, or the place of the reason in a list, from 1.

use position::{Layout, Position};
use rules::{Outcome, Reason};

/// The key.
pub const KEY: &str = "over";

/// Bits of the state.
pub const fn bits(reasons: &[Reason]) -> u32 {
    usize::BITS - reasons.len().leading_zeros()
}

/// Returns the reason that the state means.
fn reason<W: Layout>(p: &Position<W>, reasons: &[Reason]) -> Option<Reason> {
    (p.state as usize)
        .checked_sub(1)
        .and_then(|index| reasons.get(index).copied())
}

/// Returns the mover's win.
#[inline]
pub fn settled<W: Layout>(p: &Position<W>, reasons: &[Reason]) -> Option<Outcome> {
    if p.state == 0 {
        return None;
    }
    reason(p, reasons).map(|reason| Outcome::Win(!p.side, reason))
}

/// Returns the state as FEN shows it.
pub fn text<W: Layout>(p: &Position<W>, reasons: &[Reason]) -> Vec<(&'static str, String)> {
    reason(p, reasons)
        .map(|reason| (KEY, reason.to_string()))
        .into_iter()
        .collect()
}

/// Reads the value of the key.
///
/// # Errors
/// If the value is not one of `reasons`.
pub fn read<W: Layout>(p: &mut Position<W>, reasons: &[Reason], value: &str) -> Result<(), String> {
    let Some(index) = reasons.iter().position(|reason| *reason == value) else {
        return Err(format!("it takes {}", reasons.join(" or ")));
    };
    p.state = index as u64 + 1;
    Ok(())
}
