//! Move consumers, which take turns as a generator finds them: to list them, count them, or look for one.

use super::{Action, Step, Turn};
use board::{Kind, Square, Squares};
use std::ops::ControlFlow;

/// Whether generation goes on; break means that the consumer has seen enough.
pub type Flow = ControlFlow<()>;

/// Takes turns as a generator finds them, whole sets of targets at a time, so that counting
/// need not look at each.
pub trait Consumer<S: Squares> {
    /// Whether the consumer looks at single turns, so that a turn's first step must be known.
    fn looks(&self) -> bool;

    /// A unit may go to each of these squares.
    fn unit(&mut self, kind: Kind, from: Square, targets: S) -> Flow;
    /// Pawns may go to each of these squares, each from `offset` squares before it.
    fn pawns(&mut self, offset: i32, targets: S, action: Action) -> Flow;
    /// The same for a unit that becomes any of `choices` there.
    fn unit_becoming(&mut self, kind: Kind, from: Square, targets: S, choices: &[Kind]) -> Flow;
    /// The same for pawns that become any of `choices` there.
    fn pawns_becoming(&mut self, offset: i32, targets: S, choices: &[Kind]) -> Flow;
    /// A unit may be put on each of these squares.
    #[inline]
    fn placed(&mut self, kind: Kind, targets: S) -> Flow {
        for to in targets.iter() {
            self.turn(Turn::of(Step::place(kind, to)))?;
        }
        Flow::Continue(())
    }
    /// One turn.
    fn turn(&mut self, turn: Turn) -> Flow;
}

/// Counts turns.
#[derive(Default, Debug)]
pub struct Count(pub u64);

impl<S: Squares> Consumer<S> for Count {
    #[inline(always)]
    fn looks(&self) -> bool {
        false
    }

    #[inline(always)]
    fn unit(&mut self, _: Kind, _: Square, targets: S) -> Flow {
        self.0 += u64::from(targets.len());
        Flow::Continue(())
    }
    #[inline(always)]
    fn pawns(&mut self, _: i32, targets: S, _: Action) -> Flow {
        self.0 += u64::from(targets.len());
        Flow::Continue(())
    }
    #[inline(always)]
    fn unit_becoming(&mut self, _: Kind, _: Square, targets: S, choices: &[Kind]) -> Flow {
        self.0 += u64::from(targets.len()) * choices.len() as u64;
        Flow::Continue(())
    }
    #[inline(always)]
    fn pawns_becoming(&mut self, _: i32, targets: S, choices: &[Kind]) -> Flow {
        self.0 += u64::from(targets.len()) * choices.len() as u64;
        Flow::Continue(())
    }
    #[inline(always)]
    fn placed(&mut self, _: Kind, targets: S) -> Flow {
        self.0 += u64::from(targets.len());
        Flow::Continue(())
    }
    #[inline(always)]
    fn turn(&mut self, _: Turn) -> Flow {
        self.0 += 1;
        Flow::Continue(())
    }
}

/// Breaks at the first turn.
#[derive(Default, Debug)]
pub struct Any(pub bool);

impl Any {
    #[inline(always)]
    fn found(&mut self, any: bool) -> Flow {
        self.0 |= any;
        if any {
            Flow::Break(())
        } else {
            Flow::Continue(())
        }
    }
}

impl<S: Squares> Consumer<S> for Any {
    #[inline(always)]
    fn looks(&self) -> bool {
        false
    }

    #[inline(always)]
    fn unit(&mut self, _: Kind, _: Square, targets: S) -> Flow {
        self.found(!targets.is_empty())
    }
    #[inline(always)]
    fn pawns(&mut self, _: i32, targets: S, _: Action) -> Flow {
        self.found(!targets.is_empty())
    }
    #[inline(always)]
    fn unit_becoming(&mut self, _: Kind, _: Square, targets: S, choices: &[Kind]) -> Flow {
        self.found(!targets.is_empty() && !choices.is_empty())
    }
    #[inline(always)]
    fn pawns_becoming(&mut self, _: i32, targets: S, choices: &[Kind]) -> Flow {
        self.found(!targets.is_empty() && !choices.is_empty())
    }
    #[inline(always)]
    fn placed(&mut self, _: Kind, targets: S) -> Flow {
        self.found(!targets.is_empty())
    }
    #[inline(always)]
    fn turn(&mut self, _: Turn) -> Flow {
        self.found(true)
    }
}

/// Turns what a generator finds into turns, one by one, and hands each to a closure.
#[derive(Debug)]
pub struct Each<F>(pub F);

impl<S: Squares, F: FnMut(Turn) -> Flow> Consumer<S> for Each<F> {
    #[inline(always)]
    fn looks(&self) -> bool {
        true
    }

    #[inline(always)]
    fn unit(&mut self, kind: Kind, from: Square, targets: S) -> Flow {
        for to in targets.iter() {
            (self.0)(Turn::of(Step::go(kind, from, to)))?;
        }
        Flow::Continue(())
    }
    #[inline(always)]
    fn pawns(&mut self, offset: i32, targets: S, action: Action) -> Flow {
        for to in targets.iter() {
            let from = before(to, offset);
            (self.0)(Turn::of(Step::new(action, Kind::Pawn, from, to)))?;
        }
        Flow::Continue(())
    }
    #[inline(always)]
    fn unit_becoming(&mut self, kind: Kind, from: Square, targets: S, choices: &[Kind]) -> Flow {
        for to in targets.iter() {
            for &choice in choices {
                (self.0)(Turn::of(Step::go(kind, from, to).becoming(choice)))?;
            }
        }
        Flow::Continue(())
    }
    #[inline(always)]
    fn pawns_becoming(&mut self, offset: i32, targets: S, choices: &[Kind]) -> Flow {
        for to in targets.iter() {
            let step = Step::go(Kind::Pawn, before(to, offset), to);
            for &choice in choices {
                (self.0)(Turn::of(step.becoming(choice)))?;
            }
        }
        Flow::Continue(())
    }
    #[inline(always)]
    fn turn(&mut self, turn: Turn) -> Flow {
        (self.0)(turn)
    }
}

/// Generates the second steps of turns that all begin with `first`: what `generate` finds reaches
/// `consumer` with that step before it, or in whole sets if the consumer only counts.
#[inline(always)]
pub fn after<S: Squares, K: Consumer<S> + ?Sized>(
    first: Step,
    consumer: &mut K,
    generate: impl SecondSteps<S>,
) -> Flow {
    if consumer.looks() {
        generate.run(&mut Each(|turn: Turn| {
            consumer.turn(Turn::two(first, turn.first()))
        }))
    } else {
        generate.run(consumer)
    }
}

/// A generator of second steps that works with any consumer.
pub trait SecondSteps<S: Squares> {
    /// Generates into a consumer.
    fn run<K: Consumer<S> + ?Sized>(&self, consumer: &mut K) -> Flow;
}

/// The square `offset` before another.
#[inline(always)]
pub fn before(to: Square, offset: i32) -> Square {
    Square((i32::from(to.0) - offset) as u8)
}

/// A consumer that lists.
pub fn list(turns: &mut Vec<Turn>) -> Each<impl FnMut(Turn) -> Flow + '_> {
    Each(|turn| {
        turns.push(turn);
        Flow::Continue(())
    })
}
