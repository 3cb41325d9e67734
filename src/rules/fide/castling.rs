//! Castling: the turns that move king and rook together, and their conditions.

use super::attacked;
use crate::dyn_rules::shares;
use crate::{Action, DynRules, Rules, Safety, Step, UpToTwo, before};
use board::{Kind, Squares};
use position::{BoardOf, Layout, Position, Rights};

/// Returns the castlings whose squares are vacant and whose king is attacked neither on its square nor on the
/// square that it passes. With `landing`, the target must not be attacked either. Without royal units,
/// attacks do not matter.
pub fn castlings<W: Layout, R: Rules<W>>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    landing: bool,
) -> UpToTwo {
    if const { shares::<W, R>() } {
        return castlings(&DynRules::of(r), b, p, landing);
    }
    let mut found = UpToTwo::NONE;
    let us = p.side;
    let Some(castling) = r.castling() else {
        return found;
    };
    let royal = r.facts().safety != Safety::NoRoyals;
    let occupied = p.occupied();
    for higher in [true, false] {
        if !p.rights.has(Rights::bit(us, higher)) {
            continue;
        }
        let (king, rook) = castling.homes(b.geometry(), us, higher);
        let toward = if higher { 1 } else { -1 };
        let passed = before(king, -toward);
        let target = before(king, -2 * toward);
        // If there is a hole between king and rook, squares are missing in `between`.
        let between = b.between(king, rook);
        let whole = between.len() == u32::from(king.0.abs_diff(rook.0)) - 1;
        if !whole || !(between & occupied).is_empty() {
            continue;
        }
        if royal
            && (attacked(r, b, p, king, !us)
                || attacked(r, b, p, passed, !us)
                || (landing && attacked(r, b, p, target, !us)))
        {
            continue;
        }
        found.push(Step::new(Action::Castle, Kind::King, king, target));
    }
    found
}
