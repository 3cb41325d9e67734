//! The pseudo-legal turns, and which of them are legal.

use super::{
    castlings, en_passants, in_check, legal_by_lines, legal_by_pins, legal_by_trial, piece_steps,
};
use crate::{Flow, Gathered, Rules, Safety, Sink};
use board::{Board, Kind};
use position::{Layout, Position};

/// The pseudo-legal turns: pieces, pawns, en passant, castling.
#[inline(always)]
pub fn pseudo<W: Layout, R: Rules<W>, K: Sink<W::Set>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    sink: &mut K,
) -> Flow {
    let pawns = p.units(p.side, Kind::Pawn);
    r.pawn_steps(b, p, pawns, b.squares(), sink)?;
    en_passants(b, p, pawns, |turn| sink.turn(turn))?;
    piece_steps(r, b, p, sink)?;
    castlings(r, b, p, false, |turn| sink.turn(turn))
}

/// The legal turns, found as the rule set's [`Safety`] says.
#[inline(always)]
pub fn legal<W: Layout, R: Rules<W>, K: Sink<W::Set>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    sink: &mut K,
) -> Flow {
    match R::SAFETY {
        Safety::Pins => legal_by_pins(r, b, p, b.squares(), sink),
        Safety::Lines => legal_by_lines(r, b, p, sink),
        Safety::Trial => legal_by_trial(r, b, p, sink),
        Safety::Free => r.pseudo(b, p, sink),
    }
}

/// The legal turns of a position that is not settled, the rule set's look at the whole list
/// ([`Rules::choose`]) included.
#[inline(always)]
pub fn chosen<W: Layout, R: Rules<W>, K: Sink<W::Set>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    sink: &mut K,
) -> Flow {
    if !R::CHOOSES {
        return r.legal(b, p, sink);
    }
    let mut all = Gathered::default();
    r.legal(b, p, &mut all)?;
    r.choose(b, p, &mut all);
    all.replay(sink)
}

/// Whether any turn is legal by the rule set's own generator, filters aside.
pub fn has_legal<W: Layout, R: Rules<W>>(r: &R, b: &Board<W::Set>, p: &Position<W>) -> bool {
    let mut any = crate::Any::default();
    let _ = r.legal(b, p, &mut any);
    any.0
}

/// Whether the side to move is checkmated, filters aside.
pub fn is_checkmate<W: Layout, R: Rules<W>>(r: &R, b: &Board<W::Set>, p: &Position<W>) -> bool {
    in_check(r, b, p, p.side) && !has_legal(r, b, p)
}
