//! Finds safe turns by trial, which plays each pseudo-legal turn, for rule sets in which no faster test is
//! correct.

use super::moved;
use crate::dyn_rules::share;
use crate::{Action, Consumer, Flow, KnownSafe, Rules, Step, Turn, before};
use board::{Kind, Square, Squares};
use position::{BoardOf, Layout, Position};

/// Generates the unfiltered turns: tests each pseudo-legal turn by trial, unless the turn is known to be
/// safe.
#[inline(always)]
pub fn unfiltered_by_trial<W: Layout, R: Rules<W>, K: Consumer<W::Set> + ?Sized>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    consumer: &mut K,
) -> Flow {
    share!(unfiltered_by_trial(r, b, p; consumer));
    let mut tried = Tried {
        known_safe: r.known_safe(b, p),
        judge: |turn: &Turn| r.is_safe(b, p, turn, &moved(r, b, p, turn)),
        consumer,
    };
    r.pseudo(b, p, &mut tried)
}

/// A consumer that passes on the turns that are known to be safe, in whole sets of targets, and those other
/// turns that a closure accepts.
#[derive(Debug)]
pub struct Tried<'a, S, F, K: ?Sized> {
    /// The steps that need no trial.
    pub known_safe: KnownSafe<S>,
    /// Returns whether a turn is safe.
    pub judge: F,
    /// The consumer of safe turns.
    pub consumer: &'a mut K,
}

impl<S: Squares, F: FnMut(&Turn) -> bool, K: Consumer<S> + ?Sized> Consumer<S>
    for Tried<'_, S, F, K>
{
    #[inline(always)]
    fn examines_turns(&self) -> bool {
        self.consumer.examines_turns()
    }

    #[inline(always)]
    fn unit(&mut self, kind: Kind, from: Square, mut targets: S) -> Flow {
        if self.known_safe.movers.has(from) {
            self.consumer
                .unit(kind, from, targets & self.known_safe.targets)?;
            targets &= !self.known_safe.targets;
        }
        for to in targets.iter() {
            self.turn(Turn::of(Step::go(kind, from, to)))?;
        }
        Flow::Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, offset: i32, targets: S, action: Action) -> Flow {
        let safe = targets & self.known_safe.movers.shift(offset) & self.known_safe.targets;
        self.consumer.pawns(offset, safe, action)?;
        for to in (targets & !safe).iter() {
            let from = before(to, offset);
            self.turn(Turn::of(Step::new(action, Kind::Pawn, from, to)))?;
        }
        Flow::Continue(())
    }

    #[inline(always)]
    fn pawns_becoming(&mut self, offset: i32, targets: S, kinds: &[Kind]) -> Flow {
        let safe = targets & self.known_safe.movers.shift(offset) & self.known_safe.targets;
        self.consumer.pawns_becoming(offset, safe, kinds)?;
        for to in (targets & !safe).iter() {
            let step = Step::go(Kind::Pawn, before(to, offset), to);
            for &choice in kinds {
                self.turn(Turn::of(step.becoming(choice)))?;
            }
        }
        Flow::Continue(())
    }

    #[inline(always)]
    fn placed(&mut self, kind: Kind, targets: S) -> Flow {
        self.consumer
            .placed(kind, targets & self.known_safe.targets)?;
        for to in (targets & !self.known_safe.targets).iter() {
            self.turn(Turn::of(Step::place(kind, to)))?;
        }
        Flow::Continue(())
    }

    fn turn(&mut self, turn: Turn) -> Flow {
        if (self.judge)(&turn) {
            self.consumer.turn(turn)
        } else {
            Flow::Continue(())
        }
    }
}
