//! Which units may step anywhere without exposing a royal unit: for rule sets whose turns are
//! tried one by one, so that most need not be.

use crate::board::{Board, Square, Squares};
use crate::position::{Layout, Position};
use crate::rules::{Rules, Sure, fide};

/// Own units that stand alone between an own royal unit and an enemy unit that would see it
/// (`snipers`) if they left.
#[inline(always)]
pub fn blockers<W: Layout>(
    b: &Board<W::Set>,
    p: &Position<W>,
    royal: Square,
    snipers: W::Set,
) -> W::Set {
    let own = p.color(p.side);
    let mut found = W::Set::EMPTY;
    for sniper in snipers.iter() {
        let line = b.between(royal, sniper) & own;
        if !line.several() {
            found |= line;
        }
    }
    found
}

/// What is surely safe when a turn must leave no royal unit attacked: steps of units that are
/// neither royal nor pinned, as long as no royal unit is attacked. `snipers` gives the enemy
/// units that would see a square if the units of the side to move were not there.
///
/// Right where leaving a square exposes along lines only, and neither a capture nor the new place
/// of a unit gives the enemy a new attack.
#[inline(always)]
pub fn sure_unless_pinned<W: Layout, R: Rules<W>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    snipers: impl Fn(Square) -> W::Set,
) -> Sure<W::Set> {
    let us = p.side;
    let royals = r.royals(b, p, us);
    let mut tried = royals;
    for royal in royals.iter() {
        if fide::attacked(r, b, p, royal, !us) {
            return Sure::NONE;
        }
        tried |= blockers(b, p, royal, snipers(royal));
    }
    Sure {
        movers: p.color(us) & !tried,
        targets: b.squares(),
    }
}

/// [`sure_unless_pinned`] for men that attack as their movements say.
#[inline(always)]
pub fn sure_by_men<W: Layout, R: Rules<W>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
) -> Sure<W::Set> {
    let them = !p.side;
    sure_unless_pinned(r, b, p, |royal| {
        fide::slider_attackers(r.men(), b, p, royal, them, p.color(them))
    })
}
