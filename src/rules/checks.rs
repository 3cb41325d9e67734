//! Turns that may give check, picked out of the legal ones without playing any.
//!
//! Precondition: the rule set's safety is [`Safety::Pins`](super::Safety::Pins), so checks come
//! from men that move as the men say, and from intruders. What cannot be told from squares alone
//! (castling, en passant, promotions, turns of several steps) always counts as possible.

use super::{Action, Each, Flow, Rules, Sink, Step, Turn, before};
use crate::board::{Board, Kind, Movement, Square, Squares};
use crate::position::{Layout, Position};

/// A sink that lets through what may give check.
struct Checking<S, F> {
    /// For each kind, from where it attacks the enemy king.
    from: [S; 6],
    /// Units whose leaving may open a line to the enemy king.
    openers: S,
    /// Squares on which any unit gives check by standing there.
    zone: S,
    found: Each<F>,
}

impl<S: Squares, F: FnMut(Turn) -> Flow> Sink<S> for Checking<S, F> {
    const LOOKS: bool = true;

    #[inline(always)]
    fn unit(&mut self, kind: Kind, from: Square, targets: S) -> Flow {
        let targets = if self.openers.has(from) {
            targets
        } else {
            targets & (self.from[kind.index()] | self.zone)
        };
        self.found.unit(kind, from, targets)
    }

    #[inline(always)]
    fn pawns(&mut self, offset: i32, targets: S, action: Action) -> Flow {
        for to in targets.iter() {
            let from = before(to, offset);
            if action == Action::Push
                || self.openers.has(from)
                || (self.from[Kind::Pawn.index()] | self.zone).has(to)
            {
                let turn = Turn::of(Step::new(action, Kind::Pawn, from, to));
                Sink::<S>::turn(&mut self.found, turn)?;
            }
        }
        Flow::Continue(())
    }

    #[inline(always)]
    fn unit_becoming(&mut self, kind: Kind, from: Square, targets: S, choices: &[Kind]) -> Flow {
        self.found.unit_becoming(kind, from, targets, choices)
    }

    #[inline(always)]
    fn pawns_becoming(&mut self, offset: i32, targets: S, choices: &[Kind]) -> Flow {
        self.found.pawns_becoming(offset, targets, choices)
    }

    #[inline(always)]
    fn turn(&mut self, turn: Turn) -> Flow {
        Sink::<S>::turn(&mut self.found, turn)
    }
}

/// A sink that breaks at the first turn that certainly gives no check.
struct Other<S> {
    from: [S; 6],
    openers: S,
    zone: S,
}

impl<S: Squares> Sink<S> for Other<S> {
    const LOOKS: bool = true;

    #[inline(always)]
    fn unit(&mut self, kind: Kind, from: Square, targets: S) -> Flow {
        let quiet = targets & !(self.from[kind.index()] | self.zone);
        if quiet.is_empty() || self.openers.has(from) {
            Flow::Continue(())
        } else {
            Flow::Break(())
        }
    }

    #[inline(always)]
    fn pawns(&mut self, offset: i32, targets: S, action: Action) -> Flow {
        let quiet = targets & !(self.from[Kind::Pawn.index()] | self.zone);
        if action == Action::Push || quiet.is_empty() {
            return Flow::Continue(());
        }
        if quiet.iter().all(|to| self.openers.has(before(to, offset))) {
            Flow::Continue(())
        } else {
            Flow::Break(())
        }
    }

    #[inline(always)]
    fn unit_becoming(&mut self, _: Kind, _: Square, _: S, _: &[Kind]) -> Flow {
        Flow::Continue(())
    }

    #[inline(always)]
    fn pawns_becoming(&mut self, _: i32, _: S, _: &[Kind]) -> Flow {
        Flow::Continue(())
    }

    #[inline(always)]
    fn turn(&mut self, _: Turn) -> Flow {
        Flow::Continue(())
    }
}

/// Breaks if some legal turn (of a position that is not settled) certainly gives no check.
#[inline]
pub fn other<W: Layout, R: Rules<W>>(r: &R, b: &Board<W::Set>, p: &Position<W>) -> Flow {
    let (from, openers, zone) = lines_of_check(r, b, p);
    r.legal(
        b,
        p,
        &mut Other {
            from,
            openers,
            zone,
        },
    )
}

/// Hands over every legal turn (of a position that is not settled) that gives check, and some
/// that do not.
#[inline]
pub fn possible<W: Layout, R: Rules<W>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
    found: impl FnMut(Turn) -> Flow,
) -> Flow {
    let (from, openers, zone) = lines_of_check(r, b, p);
    let mut sink = Checking {
        from,
        openers,
        zone,
        found: Each(found),
    };
    r.legal(b, p, &mut sink)
}

/// For each kind the squares from which it attacks the enemy king; units whose leaving may open a
/// line to him; squares on which any unit gives check.
#[inline(always)]
fn lines_of_check<W: Layout, R: Rules<W>>(
    r: &R,
    b: &Board<W::Set>,
    p: &Position<W>,
) -> ([W::Set; 6], W::Set, W::Set) {
    let us = p.side;
    let mut from = [W::Set::EMPTY; 6];
    let mut openers = W::Set::EMPTY;
    if let Some(king) = r.royals(b, p, !us).first() {
        let occupied = p.occupied();
        let own = p.color(us);
        from[Kind::Pawn.index()] = b.pawn_captures(!us, king);
        let men = r.men();
        for kind in super::fide::PIECES {
            match men.movements[kind.index()] {
                Movement::Leaper(_) => from[kind.index()] = b.leap(kind, king),
                Movement::Slider(_) => {
                    from[kind.index()] = b.slide(kind, king, occupied);
                    let snipers = b.slide(kind, king, p.color(!us)) & own & p.kind(kind);
                    for sniper in snipers.iter() {
                        let line = b.between(king, sniper) & own;
                        if !line.several() {
                            openers |= line;
                        }
                    }
                }
                Movement::Special => {}
            }
        }
    }
    // Intruders are units on squares: on a board full of units they show all such squares.
    // Captures land there too, so no enemy unit is left on it.
    let mut full = *p;
    full.clear_all(p.color(!us));
    full.fill(us, Kind::Pawn, b.squares() & !p.color(us));
    let zone = r.intruders(b, &full, !us);
    (from, openers, zone)
}
