//! Finds the legal turns that may give check, without playing them: searches for mates try only these.
//!
//! Precondition: the rule set's safety is [`Safety::Pins`](super::Safety::Pins), so checks come
//! from units that move as [`Men`] says, and from intruders. Squares alone do not show whether castling,
//! an en passant capture, a promotion or a turn of several steps gives check, so these always count as
//! possible checks.

use super::{Action, Consumer, Each, Flow, Rules, Step, Turn, before, fide};
use board::{Board, Kind, Men, Movement, Square, Squares};
use position::{BoardOf, Layout, Position};

/// The squares and units with which the side to move may give check.
pub(super) struct Lines<S> {
    /// For each kind, the squares from which it attacks the enemy king.
    from: [S; 6],
    /// Units that may open a line to the enemy king when they move away (discovered check).
    pub openers: S,
    /// Squares on which a unit of any kind gives check by standing there.
    pub zone: S,
}

/// A consumer that passes on the turns that may give check.
pub(super) struct Checking<S, F> {
    pub lines: Lines<S>,
    pub found: Each<F>,
}

impl<S: Squares, F: FnMut(Turn) -> Flow> Consumer<S> for Checking<S, F> {
    #[inline(always)]
    fn unit(&mut self, kind: Kind, from: Square, targets: S) -> Flow {
        let targets = if self.lines.openers.has(from) {
            targets
        } else {
            targets & self.lines.checking_squares(kind)
        };
        self.found.unit(kind, from, targets)
    }

    #[inline(always)]
    fn pawns(&mut self, offset: i32, targets: S, action: Action) -> Flow {
        for to in targets.iter() {
            let from = before(to, offset);
            if action == Action::Push
                || self.lines.openers.has(from)
                || self.lines.checking_squares(Kind::Pawn).has(to)
            {
                let turn = Turn::of(Step::new(action, Kind::Pawn, from, to));
                Consumer::<S>::turn(&mut self.found, turn)?;
            }
        }
        Flow::Continue(())
    }

    #[inline(always)]
    fn turn(&mut self, turn: Turn) -> Flow {
        Consumer::<S>::turn(&mut self.found, turn)
    }
}

/// A consumer that breaks at the first turn that certainly gives no check.
struct Other<S>(Lines<S>);

impl<S: Squares> Consumer<S> for Other<S> {
    #[inline(always)]
    fn unit(&mut self, kind: Kind, from: Square, targets: S) -> Flow {
        let quiet = targets & !self.0.checking_squares(kind);
        if quiet.is_empty() || self.0.openers.has(from) {
            Flow::Continue(())
        } else {
            Flow::Break(())
        }
    }

    #[inline(always)]
    fn pawns(&mut self, offset: i32, targets: S, action: Action) -> Flow {
        let quiet = targets & !self.0.checking_squares(Kind::Pawn);
        if action == Action::Push || quiet.is_empty() {
            return Flow::Continue(());
        }
        if quiet
            .iter()
            .all(|to| self.0.openers.has(before(to, offset)))
        {
            Flow::Continue(())
        } else {
            Flow::Break(())
        }
    }

    #[inline(always)]
    fn turn(&mut self, _: Turn) -> Flow {
        Flow::Continue(())
    }
}

/// Breaks if some legal turn certainly gives no check. The position must not be settled.
#[inline]
pub fn other<W: Layout, R: Rules<W>>(r: &R, b: &BoardOf<W>, p: &Position<W>) -> Flow {
    fide::generate_shared(r, b, p, &mut Other(Lines::new(r, b, p)))
}

/// Hands over every legal turn that gives check, and some that do not. The position must not be settled.
#[inline]
pub fn possible<W: Layout, R: Rules<W>>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    found: impl FnMut(Turn) -> Flow,
) -> Flow {
    let mut consumer = Checking {
        lines: Lines::new(r, b, p),
        found: Each(found),
    };
    fide::generate_shared(r, b, p, &mut consumer)
}

impl<S: Squares> Lines<S> {
    /// Returns the lines of a position, without castling, en passant, promotions and turns of several steps.
    #[inline(always)]
    pub fn new<W: Layout<Set = S>, R: Rules<W>>(r: &R, b: &Board<S>, p: &Position<W>) -> Lines<S> {
        let us = p.side;
        // A unit is an intruder by its square, so a board full of units shows all such
        // squares. Enemy units are taken off first, because captures may land on their squares.
        let mut full = *p;
        full.clear_all(p.color(!us));
        full.fill(us, Kind::Pawn, b.squares() & !p.color(us));
        let zone = r.intruders(b, &full, !us);
        Lines::to(b, p, r.men(), r.royals(p, !us).first(), zone)
    }

    /// Returns the lines to the enemy king on `king`. All rule sets share this code.
    #[inline(never)]
    fn to<W: Layout<Set = S>>(
        b: &Board<S>,
        p: &Position<W>,
        men: &Men,
        king: Option<Square>,
        zone: S,
    ) -> Lines<S> {
        let us = p.side;
        let mut from = [S::EMPTY; 6];
        let mut openers = S::EMPTY;
        if let Some(king) = king {
            let occupied = p.occupied();
            let own = p.color(us);
            from[Kind::Pawn.index()] = b.pawn_captures(!us, king);
            for kind in fide::PIECES {
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
        Lines {
            from,
            openers,
            zone,
        }
    }

    /// Returns the squares on which a unit of this kind gives check.
    #[inline(always)]
    pub fn checking_squares(&self, kind: Kind) -> S {
        self.from[kind.index()] | self.zone
    }
}
