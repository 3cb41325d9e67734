//! The turn generator: pseudo-legal turns, unfiltered turns (by the method that the rule set's [`Safety`]
//! selects), and legal turns.

use super::{
    castlings, en_passants, in_check, piece_steps, unfiltered_by_lines, unfiltered_by_pins,
    unfiltered_by_trial,
};
use crate::dyn_rules::share;
use crate::facts::Compiled;
use crate::{Consumer, Flow, Rules, Safety, TurnBuffer};
use board::Kind;
use position::{BoardOf, Layout, Position};

/// Generates the pseudo-legal turns: pieces, pawns, en passant, castling.
#[inline(always)]
pub fn pseudo<W: Layout, R: Rules<W>, K: Consumer<W::Set> + ?Sized>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    consumer: &mut K,
) -> Flow {
    share!(pseudo(r, b, p; consumer));
    let pawns = p.units(p.side, Kind::Pawn);
    r.pawn_steps(b, p, pawns, b.squares(), consumer)?;
    if p.en_passant().is_some() {
        for turn in en_passants(b, p, pawns).turns() {
            consumer.turn(turn)?;
        }
    }
    piece_steps(r, b, p, consumer)?;
    if p.may_castle(p.side) {
        for turn in castlings(r, b, p, false).turns() {
            consumer.turn(turn)?;
        }
    }
    Flow::Continue(())
}

/// Generates the unfiltered turns, by the method that the rule set's [`Safety`] selects.
#[inline(always)]
pub fn unfiltered<W: Layout, R: Rules<W>, K: Consumer<W::Set> + ?Sized>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    consumer: &mut K,
) -> Flow {
    // Each condition is a constant, so that only the method that a rule set uses is compiled for it.
    if const { matches!(R::FACTS.safety, Safety::Pins) } {
        unfiltered_by_pins(r, b, p, b.squares(), consumer)
    } else if const { matches!(R::FACTS.safety, Safety::Lines) } {
        unfiltered_by_lines(r, b, p, consumer)
    } else if const { matches!(R::FACTS.safety, Safety::Trial) } {
        unfiltered_by_trial(r, b, p, consumer)
    } else {
        r.pseudo(b, p, consumer)
    }
}

/// Generates the unfiltered turns of a position that is not settled, by the rule set's hook. The code is
/// compiled for each consumer; on [lean](Layout::LEAN) layouts, all consumers share it.
#[inline(always)]
pub fn generate<W: Layout, R: Rules<W>, K: Consumer<W::Set>>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    consumer: &mut K,
) -> Flow {
    if const { W::LEAN } {
        generate_shared(r, b, p, consumer)
    } else {
        r.unfiltered(b, p, consumer)
    }
}

/// Like [`generate`], with code that all consumers share.
#[inline(never)]
pub fn generate_shared<W: Layout, R: Rules<W>>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    consumer: &mut dyn Consumer<W::Set>,
) -> Flow {
    r.unfiltered(b, p, consumer)
}

/// Generates the legal turns of a position that is not settled: those that [`Rules::filter`] keeps.
#[inline(always)]
pub fn legal<W: Layout, R: Rules<W>, K: Consumer<W::Set>>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    consumer: &mut K,
) -> Flow {
    if const { Compiled::<W, R>::FILTERS } && r.facts().filters {
        let mut all = TurnBuffer::default();
        generate(r, b, p, &mut all)?;
        r.filter(b, p, &mut all);
        all.replay(consumer)
    } else {
        generate(r, b, p, consumer)
    }
}

/// Returns whether there is an unfiltered turn.
pub fn has_unfiltered<W: Layout, R: Rules<W>>(r: &R, b: &BoardOf<W>, p: &Position<W>) -> bool {
    let mut any = crate::Any::default();
    let _ = generate(r, b, p, &mut any);
    any.0
}

/// Returns whether the side to move is checkmated if filters are ignored.
pub fn is_checkmate<W: Layout, R: Rules<W>>(r: &R, b: &BoardOf<W>, p: &Position<W>) -> bool {
    in_check(r, b, p, p.side) && !has_unfiltered(r, b, p)
}
