//! Setwise steps: if all moves of a kind have fixed offsets, a shift of the set of its units makes the same
//! step with all units at once.

use crate::builder::{ATTACK, Builder, QUIET, Special};
use crate::movement::{Moves, Way};
use board::{Square, Squares};

/// Maximum number of setwise steps of a kind. Kinds with more steps usually have few units, for which setwise
/// steps gain nothing.
const MAX: usize = 5;

/// Returns all moves of a kind as setwise steps. Returns `None` if there are more than `MAX`, if a move does
/// not have a fixed offset, or if two steps make the same move.
pub fn ways<S: Squares>(builder: &Builder<S>, moves: &Moves<S>) -> Option<Vec<Way<S>>> {
    if !moves.lines.is_empty() {
        return None;
    }
    let mut ways: Vec<Way<S>> = Vec::new();
    for from in builder.squares() {
        let by = |to: Square| i32::from(to.0) - i32::from(from.0);
        let (quiet, attack) = (moves.quiet[from.index()], moves.attack[from.index()]);
        let mut steps: Vec<(Square, Vec<i32>, u8)> = (quiet | attack)
            .iter()
            .map(|to| {
                let uses = [(QUIET, quiet), (ATTACK, attack)];
                let uses = uses.iter().filter(|(_, set)| set.has(to));
                (to, Vec::new(), uses.fold(0, |all, (one, _)| all | one))
            })
            .collect();
        for (special, uses) in &moves.specials {
            let Special::Lame(guarded) = special else {
                return None;
            };
            for step in &guarded[from.index()] {
                let over = step.path.iter().map(by).collect();
                steps.push((step.to.lowest(), over, *uses));
            }
        }
        let mut seen = [S::EMPTY; 2];
        for (to, over, uses) in steps {
            if !moves.mobility.has(to) {
                continue;
            }
            for (seen, one) in seen.iter_mut().zip([QUIET, ATTACK]) {
                if uses & one != 0 {
                    if seen.has(to) {
                        return None;
                    }
                    *seen = seen.with(to);
                }
            }
            let alike =
                |way: &&mut Way<S>| way.by == by(to) && way.over == over && way.uses == uses;
            match ways.iter_mut().find(alike) {
                Some(way) => way.from = way.from.with(from),
                None => ways.push(Way {
                    by: by(to),
                    over,
                    uses,
                    from: S::of(from),
                }),
            }
        }
    }
    (ways.len() <= MAX).then_some(ways)
}
