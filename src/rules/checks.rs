//! Finds the legal turns that may give check, without playing them, so that searches for mates try only these
//! turns.
//!
//! Precondition: the rule set's safety is [`Safety::Pins`](super::Safety::Pins), so only intruders and units
//! that move as described by [`Men`] give check. The squares of a step do not show whether castling, an en
//! passant capture, a promotion or a turn of several steps gives check, so such turns always count as
//! possible checks.

use super::{Action, Consumer, Each, Flow, Rules, Step, Turn, before, fide};
use board::{Board, Kind, Men, Movement, Square, Squares};
use position::{BoardOf, Layout, Position};

/// The ways in which the side to move may give check: target squares, and units that may open lines.
pub(super) struct Lines<S> {
    /// For each kind, the squares from which a unit attacks the enemy king.
    from: [S; 6],
    /// Units that may open a line to the enemy king when they move away (discovered check).
    pub openers: S,
    /// Squares on which a unit of any kind is an intruder, and so gives check.
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

/// A consumer that breaks at the first turn that certainly does not give check.
struct NonChecking<S>(Lines<S>);

impl<S: Squares> Consumer<S> for NonChecking<S> {
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

/// Breaks if a legal turn exists that certainly does not give check. The position must not be settled.
#[inline]
pub fn find_nonchecking<W: Layout, R: Rules<W>>(r: &R, b: &BoardOf<W>, p: &Position<W>) -> Flow {
    fide::generate_shared(r, b, p, &mut NonChecking(Lines::new(r, b, p)))
}

/// Calls `found` with every legal turn that gives check, and with some that do not. The position must not be
/// settled.
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
    /// Returns the squares and openers for a position. They do not cover castling, en passant, promotions and
    /// turns of several steps.
    #[inline(always)]
    pub fn new<W: Layout<Set = S>, R: Rules<W>>(r: &R, b: &Board<S>, p: &Position<W>) -> Lines<S> {
        let us = p.side;
        // A unit is an intruder because of its square, so a board full of units shows all such squares. Enemy
        // units are removed first, because captures may land on their squares.
        let mut full = *p;
        full.clear_all(p.color(!us));
        full.fill(us, Kind::Pawn, b.squares() & !p.color(us));
        let zone = r.intruders(b, &full, !us);
        Lines::to(b, p, r.men(), r.royals(p, !us).first(), zone)
    }

    /// Returns the squares and openers for the enemy king on `king`. All rule sets share this code.
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
                        let sliders = b.slide(kind, king, p.color(!us)) & own & p.kind(kind);
                        for slider in sliders.iter() {
                            let line = b.between(king, slider) & own;
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
