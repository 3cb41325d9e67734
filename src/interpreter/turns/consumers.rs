//! Consumers between the turn generator and the caller's consumer. If captures are mandatory, they show
//! whether there was a legal capture.

use board::{Kind, Square, Squares};
use rules::{Action, Consumer, Flow, Turn};

/// A consumer that passes turns to another consumer and records whether there was at least one.
pub(super) struct Noting<'a, K: ?Sized> {
    pub consumer: &'a mut K,
    pub any: bool,
}

impl<S: Squares, K: Consumer<S> + ?Sized> Consumer<S> for Noting<'_, K> {
    fn examines_turns(&self) -> bool {
        self.consumer.examines_turns()
    }

    fn unit(&mut self, kind: Kind, from: Square, targets: S) -> Flow {
        self.any |= !targets.is_empty();
        self.consumer.unit(kind, from, targets)
    }

    fn pawns(&mut self, offset: i32, targets: S, action: Action) -> Flow {
        self.any |= !targets.is_empty();
        self.consumer.pawns(offset, targets, action)
    }

    fn unit_becoming(&mut self, kind: Kind, from: Square, targets: S, kinds: &[Kind]) -> Flow {
        self.any |= !targets.is_empty() && !kinds.is_empty();
        self.consumer.unit_becoming(kind, from, targets, kinds)
    }

    fn pawns_becoming(&mut self, offset: i32, targets: S, kinds: &[Kind]) -> Flow {
        self.any |= !targets.is_empty() && !kinds.is_empty();
        self.consumer.pawns_becoming(offset, targets, kinds)
    }

    fn placed(&mut self, kind: Kind, targets: S) -> Flow {
        self.any |= !targets.is_empty();
        self.consumer.placed(kind, targets)
    }

    fn turn(&mut self, turn: Turn) -> Flow {
        self.any = true;
        self.consumer.turn(turn)
    }
}

/// A consumer that counts turns, and the captures among them.
#[derive(Default)]
pub(super) struct Tally<S> {
    pub all: u64,
    pub captures: u64,
    /// The units that may be captured.
    pub prey: S,
}

impl<S: Squares> Tally<S> {
    #[inline(always)]
    fn add(&mut self, targets: S, each: usize) -> Flow {
        self.all += u64::from(targets.len()) * each as u64;
        self.captures += u64::from((targets & self.prey).len()) * each as u64;
        Flow::Continue(())
    }
}

impl<S: Squares> Consumer<S> for Tally<S> {
    #[inline(always)]
    fn examines_turns(&self) -> bool {
        false
    }

    #[inline(always)]
    fn unit(&mut self, _: Kind, _: Square, targets: S) -> Flow {
        self.add(targets, 1)
    }

    #[inline(always)]
    fn pawns(&mut self, _: i32, targets: S, _: Action) -> Flow {
        self.add(targets, 1)
    }

    #[inline(always)]
    fn unit_becoming(&mut self, _: Kind, _: Square, targets: S, kinds: &[Kind]) -> Flow {
        self.add(targets, kinds.len())
    }

    #[inline(always)]
    fn pawns_becoming(&mut self, _: i32, targets: S, kinds: &[Kind]) -> Flow {
        self.add(targets, kinds.len())
    }

    #[inline(always)]
    fn placed(&mut self, _: Kind, targets: S) -> Flow {
        self.add(targets, 1)
    }

    #[inline(always)]
    fn turn(&mut self, turn: Turn) -> Flow {
        let step = turn.first();
        let passing = step.action() == Action::EnPassant;
        self.all += 1;
        self.captures += u64::from(passing || self.prey.has(step.to));
        Flow::Continue(())
    }
}
