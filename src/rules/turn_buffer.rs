//! A buffer of turns, stored as sets of targets, for rule sets that need all turns before they decide which
//! are legal.

use super::{Action, Consumer, Flow, Turn};
use board::{Kind, Square, Squares};
use smallvec::SmallVec;

/// A consumer that stores all turns. The turns of a common position fit without allocation.
#[derive(Clone, Debug, Default)]
pub struct TurnBuffer<S: Squares> {
    /// Units with their targets.
    pub units: SmallVec<[(Kind, Square, S); 20]>,
    /// Pawns: their offset, targets and action.
    pub pawns: SmallVec<[(i32, S, Action); 6]>,
    /// Turns that were generated one by one, and promotions.
    pub turns: SmallVec<[Turn; 4]>,
}

impl<S: Squares> TurnBuffer<S> {
    /// Passes all turns to a consumer: first pawns, then single turns, then the other units.
    #[inline(always)]
    pub fn replay<K: Consumer<S> + ?Sized>(&self, consumer: &mut K) -> Flow {
        for &(offset, targets, action) in &self.pawns {
            consumer.pawns(offset, targets, action)?;
        }
        for &turn in &self.turns {
            consumer.turn(turn)?;
        }
        for &(kind, from, targets) in &self.units {
            consumer.unit(kind, from, targets)?;
        }
        Flow::Continue(())
    }
}

impl<S: Squares> Consumer<S> for TurnBuffer<S> {
    #[inline(always)]
    fn unit(&mut self, kind: Kind, from: Square, targets: S) -> Flow {
        if !targets.is_empty() {
            self.units.push((kind, from, targets));
        }
        Flow::Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, offset: i32, targets: S, action: Action) -> Flow {
        if !targets.is_empty() {
            self.pawns.push((offset, targets, action));
        }
        Flow::Continue(())
    }

    #[inline(always)]
    fn turn(&mut self, turn: Turn) -> Flow {
        self.turns.push(turn);
        Flow::Continue(())
    }
}
