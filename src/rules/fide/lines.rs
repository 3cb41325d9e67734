//! Finds legal turns by the lines along which royal units are attacked, for rule sets that have two royal
//! units, or men and attacks of their own.
//!
//! Every enemy unit that would attack a royal unit if no unit of the royal side were in its way has a
//! line: its own square and those between. If no unit of that side is on the line, the enemy unit
//! gives check, and other units have to step onto the line. If one unit does, it has to stay on the
//! line. So a step is judged by its target, without being played.

use super::moved;
use crate::dyn_rules::share;
use crate::{Action, Attack, Consumer, Flow, Rules, Turn, before};
use board::{Board, Kind, Square, Squares};
use position::{BoardOf, Layout, Position};
use smallvec::SmallVec;

/// What the lines to one royal unit require of the steps of all other units of its side.
#[derive(Clone, Copy, Debug)]
struct Guard<S> {
    royal: Square,
    /// The squares to which they have to go.
    mask: S,
    /// The units that are alone on a line.
    pinned: S,
    /// The enemy units that pin them.
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

    /// Returns where a unit may go without exposing this royal unit.
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

/// A consumer that takes pseudo-legal turns and passes the legal ones on to another, in whole sets of
/// targets.
///
/// The method is right for rule sets in which a step exposes or shields a unit along lines only: neither the new place
/// of a unit nor what it becomes gives the enemy an attack. Turns that come alone (castling, en passant)
/// are played and judged by [`Rules::is_safe`].
#[derive(Debug)]
pub struct Guarded<'a, W: Layout, R, K: ?Sized> {
    rules: &'a R,
    board: &'a BoardOf<W>,
    position: &'a Position<W>,
    guards: SmallVec<[Guard<W::Set>; 2]>,
    /// The squares that the masks of all guards have in common.
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

    /// Returns where a unit that is not royal may go.
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

    /// Returns the targets to which a royal unit may go: the lines to other royal units do not forbid it, and
    /// no enemy unit attacks it there.
    #[inline(always)]
    fn refuges(&self, kind: Kind, from: Square, targets: W::Set) -> W::Set {
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

    /// Returns the pawns' targets that are safe.
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
    fn looks(&self) -> bool {
        self.consumer.looks()
    }

    #[inline(always)]
    fn unit(&mut self, kind: Kind, from: Square, targets: W::Set) -> Flow {
        let targets = if self.royals.has(from) {
            self.refuges(kind, from, targets)
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

/// Returns the legal turns: those of the pseudo-legal ones that [`Guarded`] passes on.
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
