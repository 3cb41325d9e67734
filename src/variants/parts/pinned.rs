//! Units that block the line between a square and a sniper: pinned units, and openers of discovered checks.

use board::{Square, Squares};
use position::{BoardOf, Layout, Position};

/// Returns the units of the side to move that are the only unit of their side between a square and one of the
/// `snipers`. The target is an own royal unit or an enemy unit. Each sniper must see it if the side's units
/// are ignored.
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
