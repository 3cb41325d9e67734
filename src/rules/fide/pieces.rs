//! The steps of pieces: knights, bishops, rooks, queens and kings, or the men that replace them.

use super::PIECES;
use crate::dyn_rules::shares;
use crate::facts::Compiled;
use crate::{Consumer, DynRules, Flow, Hooks, Rules};
use board::{Board, Kind, Men, Movement, Square, Squares};
use position::{BoardOf, Layout, Position};

/// Passes a unit with its targets to the consumer, including changes of kind on the last rank if the rules
/// allow them.
#[inline(always)]
pub fn unit_to<W: Layout, R: Rules<W>, K: Consumer<W::Set> + ?Sized>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    kind: Kind,
    from: Square,
    targets: W::Set,
    consumer: &mut K,
) -> Flow {
    consumer.unit(kind, from, targets)?;
    if const { Compiled::<W, R>::CHANGES } {
        // Units rarely reach their last rank, so this is tested before the kind.
        let last = targets & b.last_rank(p.side);
        let changes = r.facts().changes;
        if !last.is_empty() && changes.contains(&kind) {
            for choice in changes {
                if *choice != kind {
                    consumer.unit_becoming(kind, from, last, std::slice::from_ref(choice))?;
                }
            }
        }
    }
    Flow::Continue(())
}

/// Generates the pseudo-legal steps of pieces.
#[inline(always)]
pub fn piece_steps<W: Layout, R: Rules<W>, K: Consumer<W::Set> + ?Sized>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    consumer: &mut K,
) -> Flow {
    let victims = |kind| r.capturable(b, p, kind);
    if const { shares::<W, R>() } {
        let victims = Kind::ALL.map(victims);
        return steps_shared(DynRules::of(r), b, p, &victims, consumer.object());
    }
    steps(r, b, p, victims, consumer)
}

/// Like [`piece_steps`], with the units that each kind may capture.
#[inline(always)]
fn steps<W: Layout, R: Rules<W>, K: Consumer<W::Set> + ?Sized>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    victims: impl Fn(Kind) -> W::Set,
    consumer: &mut K,
) -> Flow {
    let own = p.color(p.side);
    let occupied = p.occupied();
    for kind in PIECES {
        let units = p.kind(kind) & own;
        if units.is_empty() {
            continue;
        }
        let enterable = !(occupied & !victims(kind));
        for from in units.iter() {
            unit_to(
                r,
                b,
                p,
                kind,
                from,
                r.reach(b, p, kind, from) & enterable,
                consumer,
            )?;
        }
    }
    Flow::Continue(())
}

/// Runs [`steps`] with code that all rule sets share.
#[inline(never)]
fn steps_shared<W: Layout>(
    r: DynRules<&dyn Hooks<W>>,
    b: &BoardOf<W>,
    p: &Position<W>,
    victims: &[W::Set; 6],
    consumer: &mut dyn Consumer<W::Set>,
) -> Flow {
    steps(&r, b, p, |kind| victims[kind.index()], consumer)
}

/// Returns the squares that a piece can reach. The code is compiled for the men of a rule set; on wide
/// boards, all rule sets share one copy.
#[inline(always)]
pub fn reach<S: Squares>(men: &Men, b: &Board<S>, kind: Kind, from: Square, occupied: S) -> S {
    if const { S::CAPACITY > u64::CAPACITY } {
        reach_shared(men, b, kind, from, occupied)
    } else {
        reach_inlined(men, b, kind, from, occupied)
    }
}

#[inline(never)]
fn reach_shared<S: Squares>(men: &Men, b: &Board<S>, kind: Kind, from: Square, occupied: S) -> S {
    reach_inlined(men, b, kind, from, occupied)
}

/// Like [`reach`], for code that is compiled once for each layout or rule set.
#[inline(always)]
pub(super) fn reach_inlined<S: Squares>(
    men: &Men,
    b: &Board<S>,
    kind: Kind,
    from: Square,
    occupied: S,
) -> S {
    match men.movements[kind.index()] {
        Movement::Leaper(_) => b.leap(kind, from),
        Movement::Slider(slides) => b.slide_along(slides, kind, from, occupied),
        Movement::Special => S::EMPTY,
    }
}

/// Returns whether units of this kind slide.
#[inline(always)]
pub(super) fn slides(men: &Men, kind: Kind) -> bool {
    matches!(men.movements[kind.index()], Movement::Slider(_))
}
