//! Finds safe turns by the lines along which royal units are attacked, for rule sets that have two royal
//! units, or men and attacks of their own.
//!
//! An enemy unit has a line to a royal unit if it would attack the royal unit with all units of the royal
//! side off the board. The line consists of the enemy unit's square and the squares between. If no unit of
//! the royal side is on the line, the enemy unit gives check, and other units must step onto the line. If
//! exactly one unit is on the line, it is pinned and must stay there. So the target of a step decides whether
//! the step is safe, without a trial.

use super::moved;
use crate::dyn_rules::share;
use crate::{Action, Attack, Consumer, Flow, Rules, Turn, before};
use board::{Board, Kind, Square, Squares};
use position::{BoardOf, Layout, Position};
use smallvec::SmallVec;

/// The lines to one royal unit, as conditions on the steps of all other units of its side.
#[derive(Clone, Copy, Debug)]
struct Guard<S> {
    royal: Square,
    /// The squares to which the other units must go.
    mask: S,
    /// The units that are alone on a line.
    pinned: S,
    /// The enemy units that pin units in `pinned`.
    pinning: S,
}

impl<S: Squares> Guard<S> {
    #[inline(always)]
    fn new<W: Layout<Set = S>, R: Rules<W>>(
        r: &R,
        b: &Board<S>,
        p: &Position<W>,
        royal: Square,
    ) -> Guard<S> {
        let own = p.color(p.side);
        let mut guard = Guard {
            royal,
            mask: b.squares(),
            pinned: S::EMPTY,
            pinning: S::EMPTY,
        };
        let enemy = p.color(!p.side);
        for attacker in r.attackers(b, p, Attack::on(royal, !p.side, enemy)).iter() {
            let line = r.attack_path(b, p, attacker, royal);
            let blockers = line & own;
            if blockers.is_empty() {
                guard.mask &= line.with(attacker);
            } else if !blockers.several() {
                guard.pinned |= blockers;
                guard.pinning = guard.pinning.with(attacker);
            }
        }
        guard
    }

    /// Returns the squares to which a unit may go without exposing this royal unit.
    #[inline(always)]
    fn safe_targets<W: Layout<Set = S>, R: Rules<W>>(
        &self,
        r: &R,
        b: &Board<S>,
        p: &Position<W>,
        from: Square,
    ) -> S {
        let mut safe_targets = self.mask;
        if self.pinned.has(from) {
            for attacker in self.pinning.iter() {
                let line = r.attack_path(b, p, attacker, self.royal);
                if line.has(from) {
                    safe_targets &= line.with(attacker);
                }
            }
        }
        safe_targets
    }
}

/// A consumer that receives pseudo-legal turns and passes the safe ones on to another consumer, in whole sets
/// of targets.
///
/// Correct for rule sets in which a step exposes or shields a unit along lines only: neither the target of a
/// unit nor its promotion creates an enemy attack. Single turns (castling, en passant) are tested by trial
/// with [`Rules::is_safe`].
#[derive(Debug)]
pub struct Guarded<'a, W: Layout, R, K: ?Sized> {
    rules: &'a R,
    board: &'a BoardOf<W>,
    position: &'a Position<W>,
    guards: SmallVec<[Guard<W::Set>; 2]>,
    /// The intersection of the masks of all guards.
    mask: W::Set,
    pinned: W::Set,
    royals: W::Set,
    consumer: &'a mut K,
}

impl<'a, W: Layout, R: Rules<W>, K: Consumer<W::Set> + ?Sized> Guarded<'a, W, R, K> {
    /// Returns a consumer for turns of this position.
    #[inline(always)]
    pub fn new(
        rules: &'a R,
        board: &'a BoardOf<W>,
        position: &'a Position<W>,
        consumer: &'a mut K,
    ) -> Guarded<'a, W, R, K> {
        let mut guarded = Guarded {
            rules,
            board,
            position,
            guards: SmallVec::new(),
            mask: board.squares(),
            pinned: W::Set::EMPTY,
            royals: rules.royals(position, position.side),
            consumer,
        };
        for royal in rules.guarded_royals(board, position).iter() {
            let guard = Guard::new(rules, board, position, royal);
            guarded.mask &= guard.mask;
            guarded.pinned |= guard.pinned;
            guarded.guards.push(guard);
        }
        guarded
    }

    /// Returns the squares to which a unit that is not royal may go safely.
    #[inline(always)]
    fn safe_targets(&self, from: Square) -> W::Set {
        let mut safe_targets = self.mask;
        if self.pinned.has(from) {
            for guard in &self.guards {
                safe_targets &= guard.safe_targets(self.rules, self.board, self.position, from);
            }
        }
        safe_targets
    }

    /// Returns the targets to which a royal unit may go: those that do not expose other royal units and that
    /// no enemy unit attacks.
    #[inline(always)]
    fn safe_royal_targets(&self, kind: Kind, from: Square, targets: W::Set) -> W::Set {
        let (r, b, p) = (self.rules, self.board, self.position);
        let mut targets = targets & r.royal_targets(b, p, kind);
        for guard in &self.guards {
            if guard.royal != from {
                targets &= guard.safe_targets(r, b, p, from);
            }
        }
        let without = p.occupied().without(from);
        targets
            .iter()
            .filter(|&to| {
                let attack = Attack::on(to, !p.side, without);
                r.attackers(b, p, attack).is_empty()
            })
            .fold(W::Set::EMPTY, W::Set::with)
    }

    /// Returns the targets of pawns that are safe.
    #[inline(always)]
    fn pawn_targets(&self, offset: i32, targets: W::Set) -> W::Set {
        let targets = targets & self.mask;
        let pinned = targets & self.pinned.shift(offset);
        pinned
            .iter()
            .filter(|&to| !self.safe_targets(before(to, offset)).has(to))
            .fold(targets, W::Set::without)
    }
}

impl<W: Layout, R: Rules<W>, K: Consumer<W::Set> + ?Sized> Consumer<W::Set>
    for Guarded<'_, W, R, K>
{
    #[inline(always)]
    fn examines_turns(&self) -> bool {
        self.consumer.examines_turns()
    }

    #[inline(always)]
    fn unit(&mut self, kind: Kind, from: Square, targets: W::Set) -> Flow {
        let targets = if self.royals.has(from) {
            self.safe_royal_targets(kind, from, targets)
        } else {
            targets & self.safe_targets(from)
        };
        self.consumer.unit(kind, from, targets)
    }

    #[inline(always)]
    fn pawns(&mut self, offset: i32, targets: W::Set, action: Action) -> Flow {
        let targets = self.pawn_targets(offset, targets);
        self.consumer.pawns(offset, targets, action)
    }

    #[inline(always)]
    fn unit_becoming(&mut self, kind: Kind, from: Square, targets: W::Set, kinds: &[Kind]) -> Flow {
        let targets = targets & self.safe_targets(from);
        self.consumer.unit_becoming(kind, from, targets, kinds)
    }

    #[inline(always)]
    fn pawns_becoming(&mut self, offset: i32, targets: W::Set, kinds: &[Kind]) -> Flow {
        let targets = self.pawn_targets(offset, targets);
        self.consumer.pawns_becoming(offset, targets, kinds)
    }

    #[inline(always)]
    fn placed(&mut self, kind: Kind, targets: W::Set) -> Flow {
        self.consumer.placed(kind, targets & self.mask)
    }

    fn turn(&mut self, turn: Turn) -> Flow {
        let (r, b, p) = (self.rules, self.board, self.position);
        if r.is_safe(b, p, &turn, &moved(r, b, p, &turn)) {
            self.consumer.turn(turn)
        } else {
            Flow::Continue(())
        }
    }
}

/// Generates the unfiltered turns: the pseudo-legal turns that [`Guarded`] passes on.
#[inline(always)]
pub fn unfiltered_by_lines<W: Layout, R: Rules<W>, K: Consumer<W::Set> + ?Sized>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    consumer: &mut K,
) -> Flow {
    share!(unfiltered_by_lines(r, b, p; consumer));
    r.pseudo(b, p, &mut Guarded::new(r, b, p, consumer))
}
