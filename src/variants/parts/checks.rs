//! Separates turns that may give check from the others while turns are generated, a set of targets at a time.
//! Rules about checks therefore cost almost nothing for turns that do not give check.

use super::pinned;
use board::{Board, Color, Kind, Men, Square, Squares};
use position::{Layout, Position};
use rules::{Action, Attack, Consumer, Each, Flow, Turn};

/// Returns, for each orthodox kind, the squares from which it attacks a king of `color` if `occupied` are the
/// occupied squares.
#[inline(always)]
pub fn near<S: Squares>(b: &Board<S>, king: Square, color: Color, occupied: S) -> [S; 6] {
    let rook = b.slide_orthogonal(Kind::Rook, king, occupied);
    let bishop = b.slide_diagonal(Kind::Bishop, king, occupied);
    let mut near = [S::EMPTY; 6];
    near[Kind::Pawn.index()] = b.pawn_captures(color, king);
    near[Kind::Knight.index()] = b.leap(Kind::Knight, king);
    near[Kind::Bishop.index()] = bishop;
    near[Kind::Rook.index()] = rook;
    near[Kind::Queen.index()] = rook | bishop;
    near
}

/// The steps with which the side to move could check the enemy king with orthodox pieces. The king must not
/// be in check yet. Promotions, castling and en passant are not covered.
#[derive(Clone, Copy, Debug)]
pub struct CheckMap<S> {
    /// By kind, the squares from which a unit attacks the enemy king.
    near: [S; 6],
    /// The units of the side to move that can give a discovered check: each is the only unit between a slider
    /// of its own side and the enemy king.
    openers: S,
}

impl<S: Squares> CheckMap<S> {
    /// Returns the map for a position.
    pub fn new<W: Layout<Set = S>>(b: &Board<S>, p: &Position<W>) -> CheckMap<S> {
        let us = p.side;
        let Some(king) = p.units(!us, Kind::King).first() else {
            return CheckMap {
                near: [S::EMPTY; 6],
                openers: S::EMPTY,
            };
        };
        let snipers = Attack::on(king, us, p.color(!us)).sliders(&Men::FIDE, b, p);
        CheckMap {
            near: near(b, king, !us, p.occupied()),
            openers: pinned::blockers(b, p, king, snipers),
        }
    }
}

/// A consumer that filters checks for another consumer. Turns that cannot give check pass in whole sets. Each
/// turn that may give check passes only if the closure `judge` returns true for it.
#[derive(Debug)]
pub struct Sift<'a, S, K: ?Sized, F> {
    map: CheckMap<S>,
    consumer: &'a mut K,
    judge: F,
}

impl<'a, S: Squares, K: Consumer<S> + ?Sized, F: FnMut(&Turn) -> bool> Sift<'a, S, K, F> {
    /// Returns a filter for the turns of this position.
    pub fn new<W: Layout<Set = S>>(
        b: &Board<S>,
        p: &Position<W>,
        consumer: &'a mut K,
        judge: F,
    ) -> Sift<'a, S, K, F> {
        Sift {
            map: CheckMap::new(b, p),
            consumer,
            judge,
        }
    }

    /// Returns a consumer that passes on the turns that `judge` accepts.
    fn judged(&mut self) -> Each<impl FnMut(Turn) -> Flow + '_> {
        let (judge, consumer) = (&mut self.judge, &mut *self.consumer);
        Each(move |turn: Turn| {
            if judge(&turn) {
                consumer.turn(turn)
            } else {
                Flow::Continue(())
            }
        })
    }
}

impl<S: Squares, K: Consumer<S> + ?Sized, F: FnMut(&Turn) -> bool> Consumer<S>
    for Sift<'_, S, K, F>
{
    #[inline(always)]
    fn unit(&mut self, kind: Kind, from: Square, targets: S) -> Flow {
        let checking = if self.map.openers.has(from) {
            targets
        } else {
            targets & self.map.near[kind.index()]
        };
        self.consumer.unit(kind, from, targets & !checking)?;
        if checking.is_empty() {
            return Flow::Continue(());
        }
        self.judged().unit(kind, from, checking)
    }

    #[inline(always)]
    fn pawns(&mut self, offset: i32, targets: S, action: Action) -> Flow {
        let near = self.map.near[Kind::Pawn.index()];
        let checking = targets & (near | self.map.openers.shift(offset));
        self.consumer.pawns(offset, targets & !checking, action)?;
        if checking.is_empty() {
            return Flow::Continue(());
        }
        self.judged().pawns(offset, checking, action)
    }

    fn turn(&mut self, turn: Turn) -> Flow {
        Consumer::<S>::turn(&mut self.judged(), turn)
    }
}

/// A consumer that ignores sets of turns and stops at the first turn that is passed alone. With a [`Sift`]
/// before it, the result is whether the closure accepts a turn that may give check.
#[derive(Default, Debug)]
pub struct Found(pub bool);

impl<S: Squares> Consumer<S> for Found {
    #[inline(always)]
    fn examines_turns(&self) -> bool {
        false
    }

    #[inline(always)]
    fn unit(&mut self, _: Kind, _: Square, _: S) -> Flow {
        Flow::Continue(())
    }
    #[inline(always)]
    fn pawns(&mut self, _: i32, _: S, _: Action) -> Flow {
        Flow::Continue(())
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
        self.0 = true;
        Flow::Break(())
    }
}
