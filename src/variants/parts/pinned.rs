//! Which units block others.

use board::{Square, Squares};
use position::{BoardOf, Layout, Position};

/// Units of the side to move that are the only unit between a square (an own royal unit, or an enemy unit
/// to attack) and a unit that would see it (`snipers`) if they left.
#[inline(always)]
pub fn blockers<W: Layout>(
    b: &BoardOf<W>,
    p: &Position<W>,
    target: Square,
    snipers: W::Set,
) -> W::Set {
    let own = p.color(p.side);
    let mut found = W::Set::EMPTY;
    for sniper in snipers.iter() {
        let line = b.between(target, sniper) & own;
        if !line.several() {
            found |= line;
        }
    }
    found
}
