//! Consumers of generated turns. While a generator finds turns, a consumer lists or counts them, or searches
//! for one. A consumer can end the generation at any turn.

use super::{Action, Step, Turn};
use board::{Kind, Square, Squares};
use position::Layout;
use std::ops::ControlFlow;

/// Whether generation continues. `Break` means that the consumer does not need more turns.
pub type Flow = ControlFlow<()>;

/// A [`Consumer`] of the turns of a layout's positions, for the signatures of hooks.
pub trait Sink<W: Layout>: Consumer<W::Set> {}

impl<W: Layout, K: Consumer<W::Set> + ?Sized> Sink<W> for K {}

/// Receives turns from a generator. Targets come in whole sets, so that a consumer that only counts need not
/// examine each turn. By default, each set is split into single turns.
pub trait Consumer<S: Squares>: AsObject<S> {
    /// Returns whether the consumer examines single turns. If it does not, generators may pass it the second
    /// step of a turn without the first.
    #[inline(always)]
    fn examines_turns(&self) -> bool {
        true
    }

    /// Receives the squares to which a unit may go.
    #[inline(always)]
    fn unit(&mut self, kind: Kind, from: Square, targets: S) -> Flow {
        for to in targets.iter() {
            self.turn(Turn::of(Step::go(kind, from, to)))?;
        }
        Flow::Continue(())
    }

    /// Receives the squares to which pawns may go. Each pawn comes from the square `offset` before its
    /// target.
    #[inline(always)]
    fn pawns(&mut self, offset: i32, targets: S, action: Action) -> Flow {
        for to in targets.iter() {
            let from = before(to, offset);
            self.turn(Turn::of(Step::new(action, Kind::Pawn, from, to)))?;
        }
        Flow::Continue(())
    }

    /// Receives the squares to which a unit may go and on which it becomes one of `kinds`.
    #[inline(always)]
    fn unit_becoming(&mut self, kind: Kind, from: Square, targets: S, kinds: &[Kind]) -> Flow {
        for to in targets.iter() {
            for &choice in kinds {
                self.turn(Turn::of(Step::go(kind, from, to).becoming(choice)))?;
            }
        }
        Flow::Continue(())
    }

    /// Receives the squares to which pawns may go and on which they become one of `kinds`.
    #[inline(always)]
    fn pawns_becoming(&mut self, offset: i32, targets: S, kinds: &[Kind]) -> Flow {
        for to in targets.iter() {
            let step = Step::go(Kind::Pawn, before(to, offset), to);
            for &choice in kinds {
                self.turn(Turn::of(step.becoming(choice)))?;
            }
        }
        Flow::Continue(())
    }

    /// Receives the squares on which a unit may be placed.
    #[inline]
    fn placed(&mut self, kind: Kind, targets: S) -> Flow {
        for to in targets.iter() {
            self.turn(Turn::of(Step::place(kind, to)))?;
        }
        Flow::Continue(())
    }

    /// Receives a single turn.
    fn turn(&mut self, turn: Turn) -> Flow;
}

/// Conversion of a consumer to a trait object. Works for unsized types, too.
pub trait AsObject<S: Squares> {
    /// Returns the consumer as an object.
    fn object<'a>(&'a mut self) -> &'a mut (dyn Consumer<S> + 'a)
    where
        Self: 'a;
}

impl<S: Squares, K: Consumer<S>> AsObject<S> for K {
    fn object<'a>(&'a mut self) -> &'a mut (dyn Consumer<S> + 'a)
    where
        Self: 'a,
    {
        self
    }
}

/// A consumer that counts turns.
#[derive(Default, Debug)]
pub struct Count(pub u64);

impl<S: Squares> Consumer<S> for Count {
    #[inline(always)]
    fn examines_turns(&self) -> bool {
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
    fn unit_becoming(&mut self, _: Kind, _: Square, targets: S, kinds: &[Kind]) -> Flow {
        self.0 += u64::from(targets.len()) * kinds.len() as u64;
        Flow::Continue(())
    }
    #[inline(always)]
    fn pawns_becoming(&mut self, _: i32, targets: S, kinds: &[Kind]) -> Flow {
        self.0 += u64::from(targets.len()) * kinds.len() as u64;
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

/// A consumer that records whether there is a turn, and breaks at the first.
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
    fn examines_turns(&self) -> bool {
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
    fn unit_becoming(&mut self, _: Kind, _: Square, targets: S, kinds: &[Kind]) -> Flow {
        self.found(!targets.is_empty() && !kinds.is_empty())
    }
    #[inline(always)]
    fn pawns_becoming(&mut self, _: i32, targets: S, kinds: &[Kind]) -> Flow {
        self.found(!targets.is_empty() && !kinds.is_empty())
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

/// A consumer that calls a closure with each single turn.
#[derive(Debug)]
pub struct Each<F>(pub F);

impl<S: Squares, F: FnMut(Turn) -> Flow> Consumer<S> for Each<F> {
    #[inline(always)]
    fn turn(&mut self, turn: Turn) -> Flow {
        (self.0)(turn)
    }
}

/// Generates turns of two steps that all begin with `first`. `generate` finds the second steps. A consumer
/// that examines turns receives the complete turns; others receive the second steps, in whole sets.
#[inline(always)]
pub fn after<S: Squares, K: Consumer<S> + ?Sized>(
    first: Step,
    consumer: &mut K,
    generate: impl SecondSteps<S>,
) -> Flow {
    if consumer.examines_turns() {
        generate.run(&mut Each(|turn: Turn| {
            consumer.turn(Turn::two(first, turn.first()))
        }))
    } else {
        generate.run(consumer)
    }
}

/// A generator of second steps that works with every consumer.
pub trait SecondSteps<S: Squares> {
    /// Passes the second steps to a consumer.
    fn run<K: Consumer<S> + ?Sized>(&self, consumer: &mut K) -> Flow;
}

/// Returns the square `offset` before another.
#[inline(always)]
pub fn before(to: Square, offset: i32) -> Square {
    Square((i32::from(to.0) - offset) as u8)
}

/// Returns a consumer that appends turns to a list.
pub fn list(turns: &mut Vec<Turn>) -> Each<impl FnMut(Turn) -> Flow + '_> {
    Each(|turn| {
        turns.push(turn);
        Flow::Continue(())
    })
}
