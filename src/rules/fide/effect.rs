//! The effect of a turn: the captured unit, and the position after the turn.

use super::{apart, offer_en_passant};
use crate::dyn_rules::shares;
use crate::{Action, Castling, DynRules, Hooks, Rules, Step, Turn, before};
use board::{Color, Kind, Square, Squares};
use position::{BoardOf, Layout, Position, Rights};

/// Returns the kind of the unit that an orthodox turn captures.
#[inline(always)]
pub fn captured<W: Layout>(p: &Position<W>, turn: &Turn) -> Option<Kind> {
    let step = turn.first();
    match step.action() {
        Action::EnPassant => Some(Kind::Pawn),
        _ => p.color(!p.side).has(step.to).then(|| p.kind_on(step.to)),
    }
}

/// Returns the square of the unit that an orthodox turn captures.
#[inline(always)]
pub fn captured_on<W: Layout>(b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> Option<Square> {
    let step = turn.first();
    match step.action() {
        Action::EnPassant => Some(before(step.to, b.ahead(p.side))),
        _ => p.color(!p.side).has(step.to).then_some(step.to),
    }
}

/// Carries out a step on the board: units, captures, promotion and castling rights. The side to move, the
/// clocks, the en passant square and the state do not change. Returns whether a unit was captured.
#[inline(always)]
pub fn carry_out<W: Layout, R: Rules<W>>(
    r: &R,
    b: &BoardOf<W>,
    p: &mut Position<W>,
    step: Step,
) -> bool {
    let before = *p;
    carry_out_of(r, b, &before, p, step)
}

/// Like [`carry_out`], but also receives the position before the step. Reading from this position is faster,
/// because reading from a fresh copy has to wait for the copying.
#[inline(always)]
pub fn carry_out_of<W: Layout, R: Rules<W>>(
    r: &R,
    b: &BoardOf<W>,
    before_step: &Position<W>,
    p: &mut Position<W>,
    step: Step,
) -> bool {
    carry_out_with(r.castling(), b, before_step, p, step)
}

#[inline(always)]
fn carry_out_with<W: Layout>(
    castling: Option<Castling>,
    b: &BoardOf<W>,
    before_step: &Position<W>,
    p: &mut Position<W>,
    step: Step,
) -> bool {
    apart::<W, _>(
        #[inline(always)]
        || {
            let us = before_step.side;
            let (from, to, kind) = (step.from, step.to, step.kind());
            let mut captured = false;
            match step.action() {
                Action::None => {}
                Action::Go | Action::DoubleStep => {
                    if before_step.color(!us).has(to) {
                        p.take(!us, before_step.kind_on(to), to);
                        captured = true;
                    }
                    match step.becomes() {
                        None => p.shift(us, kind, from, to),
                        Some(new) => {
                            p.take(us, kind, from);
                            p.put(us, new, to);
                        }
                    }
                    if before_step.rights.0 != 0 {
                        p.rights = p.rights.without(Rights(b.mark(from) | b.mark(to)));
                    }
                }
                Action::EnPassant => {
                    p.take(!us, Kind::Pawn, before(to, b.ahead(us)));
                    p.shift(us, Kind::Pawn, from, to);
                    captured = true;
                }
                Action::Castle => {
                    let higher = to > from;
                    if let Some(castling) = castling {
                        let (_, rook) = castling.homes(b.geometry(), us, higher);
                        let passed = before(from, if higher { -1 } else { 1 });
                        p.shift(us, Kind::King, from, to);
                        p.shift(us, Kind::Rook, rook, passed);
                        p.rights = p.rights.without(Rights(b.mark(from)));
                    }
                }
                Action::Place => p.put(us, kind, to),
                Action::Mirror => {
                    p.shift(us, kind, from, to);
                    p.rights = p.rights.without(Rights(b.mark(from)));
                }
                Action::Push => match step.becomes() {
                    None => p.shift(!us, Kind::Pawn, from, to),
                    Some(new) => {
                        p.take(!us, Kind::Pawn, from);
                        p.put(!us, new, to);
                    }
                },
            }
            captured
        },
    )
}

/// Returns the position after a turn, but with the state of the position before. Trials use it to test the
/// mover's safety.
#[inline(always)]
pub fn moved<W: Layout, R: Rules<W>>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    turn: &Turn,
) -> Position<W> {
    let mut after = *p;
    move_on(r, b, p, turn, &mut after);
    after
}

/// Changes `after`, a copy of `p`, into the position after a turn, except for the state.
#[inline(always)]
fn move_on<W: Layout, R: Rules<W>>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    turn: &Turn,
    after: &mut Position<W>,
) {
    if const { shares::<W, R>() } {
        return move_on_shared(DynRules::of(r), r.castling(), b, (p, turn), after);
    }
    move_on_with(r, r.castling(), b, (p, turn), after);
}

#[inline(always)]
fn move_on_with<W: Layout, R: Rules<W>>(
    r: &R,
    castling: Option<Castling>,
    b: &BoardOf<W>,
    (p, turn): (&Position<W>, &Turn),
    after: &mut Position<W>,
) {
    let pawn = |step: Step| step.kind() == Kind::Pawn && step.action() != Action::Place;
    let [first, second] = turn.steps;
    let mut resets = carry_out_with(castling, b, p, after, first) || pawn(first);
    if !second.is_none() {
        let between = *after;
        resets |= carry_out_with(castling, b, &between, after, second) || pawn(second);
    }
    pass(after, resets);
    let last = if second.is_none() { first } else { second };
    if last.action() == Action::DoubleStep {
        offer_en_passant(r, b, after, last);
    }
}

/// Runs [`move_on_with`] with code that all rule sets share.
#[inline(never)]
fn move_on_shared<W: Layout>(
    r: DynRules<&dyn Hooks<W>>,
    castling: Option<Castling>,
    b: &BoardOf<W>,
    turn: (&Position<W>, &Turn),
    after: &mut Position<W>,
) {
    move_on_with(&r, castling, b, turn, after);
}

/// Passes the move to the opponent: changes the side and the clocks, and clears the en passant square.
/// `resets` is whether the halfmove clock restarts at 0.
#[inline(always)]
pub fn pass<W: Layout>(p: &mut Position<W>, resets: bool) {
    p.set_en_passant(None);
    p.halfmove = if resets {
        0
    } else {
        p.halfmove.saturating_add(1)
    };
    if p.side == Color::Black {
        p.fullmove = p.fullmove.saturating_add(1);
    }
    p.side = !p.side;
}

/// Changes `after`, a copy of `p`, into the position after a turn.
#[inline(always)]
pub fn effect<W: Layout, R: Rules<W>>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    turn: &Turn,
    after: &mut Position<W>,
) {
    move_on(r, b, p, turn, after);
    r.update_state(b, p, turn, after);
}
