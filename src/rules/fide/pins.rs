//! Finds safe turns by check lines and pins, without trials, for rule sets with one royal king.

use super::pieces::{reach_inlined, slides};
use super::{PIECES, attackers, castlings, en_passants, in_check, moved, unit_to};
use crate::dyn_rules::shares;
use crate::{Attack, Consumer, DynRules, Flow, Hooks, Rules};
use board::{Kind, Men, Square, Squares};
use position::{BoardOf, Layout, Position};

/// Generates the unfiltered turns of the units in `movers`, by check lines and pins. Only en passant captures
/// are tested by trial. Precondition: the rule set's safety is [`Safety::Pins`](crate::Safety::Pins).
#[inline(always)]
pub fn unfiltered_by_pins<W: Layout, R: Rules<W>, K: Consumer<W::Set> + ?Sized>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    movers: W::Set,
    consumer: &mut K,
) -> Flow {
    let values = HookValues {
        men: r.men(),
        royals: r.royals(p, p.side),
        intruders: r.intruders(b, p, p.side),
        victims: |kind| r.capturable(b, p, kind),
    };
    if const { shares::<W, R>() } {
        let values = HookValues {
            men: values.men,
            royals: values.royals,
            intruders: values.intruders,
            victims: Kind::ALL.map(values.victims),
        };
        return by_pins_shared(DynRules::of(r), b, p, &values, movers, consumer.object());
    }
    by_pins(r, b, p, &values, movers, consumer)
}

/// The results of the rule set's hooks for a position, so that each hook is called once.
struct HookValues<'m, S, F> {
    men: &'m Men,
    /// The royal units of the side to move.
    royals: S,
    /// The units that the side to move must capture at once.
    intruders: S,
    /// The units that units of a kind may capture.
    victims: F,
}

#[inline(always)]
fn by_pins<W: Layout, R: Rules<W>, K: Consumer<W::Set> + ?Sized>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    values: &HookValues<'_, W::Set, impl Fn(Kind) -> W::Set>,
    movers: W::Set,
    consumer: &mut K,
) -> Flow {
    let (men, intruders) = (values.men, values.intruders);
    let us = p.side;
    let own = p.color(us);
    let occupied = p.occupied();
    let mut mask = b.squares();
    let mut pinned = W::Set::EMPTY;
    let mut pins = [(Square(0), W::Set::EMPTY); 8];
    let mut pin_count = 0;
    let king = values.royals.first();

    if let Some(king) = king {
        let threats = intruders | attackers(men, b, p, Attack::on(king, !us, occupied));
        if movers.has(king) {
            king_steps(values, b, p, king, consumer)?;
            if threats.is_empty() && p.may_castle(us) {
                for turn in castlings(r, b, p, true).turns() {
                    consumer.turn(turn)?;
                }
            }
        }
        if threats.several() {
            // No single capture or block parries two threats.
            return Flow::Continue(());
        }
        if let Some(checker) = threats.first() {
            // Checks by a leaper or an intruder cannot be blocked.
            let line = if intruders.is_empty() && slides(men, p.kind_on(checker)) {
                b.between(king, checker)
            } else {
                W::Set::EMPTY
            };
            mask &= line.with(checker);
        }
        let sliders = Attack::on(king, !us, p.color(!us)).sliders(men, b, p);
        for slider in sliders.iter() {
            let line = b.between(king, slider);
            let blockers = line & own;
            if !blockers.is_empty() && !blockers.several() {
                pinned |= blockers;
                pins[pin_count] = (blockers.lowest(), line.with(slider));
                pin_count += 1;
            }
        }
    }
    if mask.is_empty() {
        return Flow::Continue(());
    }

    let movers = movers & own;
    let pawns = p.kind(Kind::Pawn) & movers;
    let free_pawns = pawns & !pinned;
    if !free_pawns.is_empty() {
        r.pawn_steps(b, p, free_pawns, mask, consumer)?;
    }
    for kind in PIECES {
        if kind == Kind::King {
            continue;
        }
        let units = p.kind(kind) & movers & !pinned;
        if units.is_empty() {
            continue;
        }
        let safe_targets = mask & !(occupied & !(values.victims)(kind));
        for from in units.iter() {
            let targets = reach_inlined(men, b, kind, from, occupied) & safe_targets;
            unit_to(r, b, p, kind, from, targets, consumer)?;
        }
    }
    for &(from, line) in &pins[..pin_count] {
        if !movers.has(from) {
            continue;
        }
        match p.kind_on(from) {
            Kind::Pawn => r.pawn_steps(b, p, W::Set::of(from), mask & line, consumer)?,
            kind => {
                let safe_targets = mask & line & !(occupied & !(values.victims)(kind));
                let targets = reach_inlined(men, b, kind, from, occupied) & safe_targets;
                unit_to(r, b, p, kind, from, targets, consumer)?;
            }
        }
    }
    if p.en_passant().is_some() {
        for turn in en_passants(b, p, pawns).turns() {
            if !in_check(r, b, &moved(r, b, p, &turn), us) {
                consumer.turn(turn)?;
            }
        }
    }
    Flow::Continue(())
}

/// Runs [`by_pins`] with code that all rule sets share.
#[inline(never)]
fn by_pins_shared<W: Layout>(
    r: DynRules<&dyn Hooks<W>>,
    b: &BoardOf<W>,
    p: &Position<W>,
    values: &HookValues<'_, W::Set, [W::Set; 6]>,
    movers: W::Set,
    consumer: &mut dyn Consumer<W::Set>,
) -> Flow {
    let values = HookValues {
        men: values.men,
        royals: values.royals,
        intruders: values.intruders,
        victims: |kind: Kind| values.victims[kind.index()],
    };
    by_pins(&r, b, p, &values, movers, consumer)
}

/// Generates the king's steps to squares that are not attacked once the king has left its square. If there
/// are intruders, the step must capture the only one.
#[inline(always)]
fn king_steps<W: Layout, K: Consumer<W::Set> + ?Sized>(
    values: &HookValues<'_, W::Set, impl Fn(Kind) -> W::Set>,
    b: &BoardOf<W>,
    p: &Position<W>,
    king: Square,
    consumer: &mut K,
) -> Flow {
    let (men, intruders) = (values.men, values.intruders);
    let us = p.side;
    let occupied = p.occupied();
    let mut targets = b.leap(Kind::King, king) & !(occupied & !(values.victims)(Kind::King));
    if !intruders.is_empty() {
        targets &= if intruders.several() {
            W::Set::EMPTY
        } else {
            intruders
        };
    }
    let without = occupied.without(king);
    let mut safe = W::Set::EMPTY;
    for target in targets.iter() {
        let attack = Attack::on(target, !us, without);
        if attack.leapers(men, b, p).is_empty() && attack.sliders(men, b, p).is_empty() {
            safe = safe.with(target);
        }
    }
    consumer.unit(Kind::King, king, safe)
}
