//! A filter for turns that may attack a given enemy unit. Callers play and examine only the turns that pass.

use super::pinned;
use board::{Board, Kind, Square, Squares};
use position::{Layout, Position};
use rules::{Action, Attack, Consumer, Flow, Rules, Turn, fide};

/// The steps with which the side to move can come to attack a square, directly or by opening a line.
#[derive(Clone, Copy, Debug)]
pub struct Giving<S> {
    direct: [S; 6],
    discovering: S,
}

/// A consumer that passes only turns after which the square may be attacked. The turns that it drops surely
/// do not attack the square.
#[derive(Debug)]
pub struct Sieve<'a, S, K: ?Sized> {
    /// The steps that can attack the square.
    pub giving: Giving<S>,
    /// The consumer of the turns that pass.
    pub consumer: &'a mut K,
}

impl<S: Squares> Giving<S> {
    /// Returns the steps that can attack the enemy unit on `target`. The unit must not be attacked yet, and
    /// all units must attack by their movements alone.
    pub fn new<W: Layout<Set = S>, R: Rules<W>>(
        r: &R,
        b: &Board<S>,
        p: &Position<W>,
        target: Square,
    ) -> Giving<S> {
        let us = p.side;
        let occupied = p.occupied();
        let mut direct = [S::EMPTY; 6];
        for kind in fide::PIECES {
            direct[kind.index()] = fide::reach(r.men(), b, kind, target, occupied);
        }
        direct[Kind::Pawn.index()] = b.pawn_captures(!us, target);
        let snipers = Attack::on(target, us, p.color(!us)).sliders(r.men(), b, p);
        Giving {
            direct,
            discovering: pinned::blockers(b, p, target, snipers),
        }
    }
}

impl<S: Squares, K: Consumer<S> + ?Sized> Consumer<S> for Sieve<'_, S, K> {
    #[inline(always)]
    fn examines_turns(&self) -> bool {
        self.consumer.examines_turns()
    }

    #[inline(always)]
    fn unit(&mut self, kind: Kind, from: Square, mut targets: S) -> Flow {
        if !self.giving.discovering.has(from) {
            targets &= self.giving.direct[kind.index()];
        }
        self.consumer.unit(kind, from, targets)
    }

    #[inline(always)]
    fn pawns(&mut self, offset: i32, targets: S, action: Action) -> Flow {
        let direct = self.giving.direct[Kind::Pawn.index()];
        let discovering = self.giving.discovering.shift(offset);
        self.consumer
            .pawns(offset, targets & (direct | discovering), action)
    }

    #[inline(always)]
    fn unit_becoming(&mut self, kind: Kind, from: Square, targets: S, kinds: &[Kind]) -> Flow {
        self.consumer.unit_becoming(kind, from, targets, kinds)
    }

    // Not filtered, because the new unit may attack through the square that the pawn has left.
    #[inline(always)]
    fn pawns_becoming(&mut self, offset: i32, targets: S, kinds: &[Kind]) -> Flow {
        self.consumer.pawns_becoming(offset, targets, kinds)
    }

    #[inline(always)]
    fn turn(&mut self, turn: Turn) -> Flow {
        self.consumer.turn(turn)
    }
}
