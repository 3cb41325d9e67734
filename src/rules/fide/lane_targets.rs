//! Counts orthodox pseudo-legal steps in eight positions in parallel, one way (direction or leap) at a time,
//! which is faster than one position after the other. The board must be flat. Castling and en passant are not
//! included.

use crate::before;
use board::{Board, Color, Kind, Lanes, Square, Squares, Way};

/// The number of ways that lead ahead: straight, diagonally to higher and to lower files, and four knight
/// leaps.
pub const AHEAD: usize = 7;

/// The units of eight positions. Those of the side to move are grouped by their movement.
#[derive(Clone, Debug)]
pub struct LaneUnits<S> {
    orthogonal: Lanes<S>,
    diagonal: Lanes<S>,
    knights: Lanes<S>,
    kings: Lanes<S>,
    pawns: Lanes<S>,
    own: Lanes<S>,
    enemy: Lanes<S>,
}

impl<S: Squares> LaneUnits<S> {
    /// Returns eight empty boards.
    pub fn empty() -> LaneUnits<S> {
        LaneUnits {
            orthogonal: Lanes::EMPTY,
            diagonal: Lanes::EMPTY,
            knights: Lanes::EMPTY,
            kings: Lanes::EMPTY,
            pawns: Lanes::EMPTY,
            own: Lanes::EMPTY,
            enemy: Lanes::EMPTY,
        }
    }

    /// Sets the units of one board: all units by kind, the squares of the side to move, and those of the
    /// other side.
    #[inline(always)]
    pub fn put(&mut self, lane: usize, kinds: impl Fn(Kind) -> S, own: S, enemy: S) {
        let units = |kind| kinds(kind) & own;
        let queens = units(Kind::Queen);
        self.orthogonal.0[lane] = units(Kind::Rook) | queens;
        self.diagonal.0[lane] = units(Kind::Bishop) | queens;
        self.knights.0[lane] = units(Kind::Knight);
        self.kings.0[lane] = units(Kind::King);
        self.pawns.0[lane] = units(Kind::Pawn);
        self.own.0[lane] = own;
        self.enemy.0[lane] = enemy;
    }

    /// Returns the targets of sliders and kings in one direction.
    #[inline(always)]
    fn line(&self, way: &Way<S>, sliders: Lanes<S>, vacant: Lanes<S>) -> Lanes<S> {
        (way.slide(sliders, vacant) | way.step(self.kings)) & !self.own
    }
}

/// Returns the origin of the step that reaches a square by one of the ways ahead: the square of the first
/// unit on the line, or the square a leap away.
#[inline(always)]
pub fn origin<S: Squares>(b: &Board<S>, us: Color, way: usize, to: Square, vacant: S) -> Square {
    if way >= 3 {
        return before(to, b.knight_leaps(us)[way - 3].by());
    }
    let by = b.directions(us)[[2, 1, 3][way]].by();
    let mut from = before(to, by);
    while vacant.has(from) {
        from = before(from, by);
    }
    from
}

/// The targets of all units. For one way, a set of squares suffices: units that move in the same direction
/// reach different squares, because the first unit on a line blocks those after it.
#[derive(Clone, Debug)]
pub struct LaneTargets<S> {
    /// The targets of each way ahead.
    pub ahead: [Lanes<S>; AHEAD],
    /// The targets of pawns on the last rank: straight ahead and to either side.
    pub promoting: [Lanes<S>; 3],
    /// The squares that at least one unit reaches.
    once: Lanes<S>,
    /// The squares that at least two units reach.
    pub twice: Lanes<S>,
}

impl<S: Squares> LaneTargets<S> {
    /// Returns the targets of the units of eight positions in which this side is to move.
    #[inline(always)]
    pub fn of(b: &Board<S>, us: Color, units: &LaneUnits<S>) -> LaneTargets<S> {
        let vacant = !(units.own | units.enemy);
        let [
            right,
            up_right,
            up,
            up_left,
            left,
            down_left,
            down,
            down_right,
        ] = b.directions(us);
        let one = up.step(units.pawns) & vacant;
        let third = if b.geometry().ranks() >= 6 {
            b.rank_of(us, 2)
        } else {
            S::EMPTY
        };
        let two = up.step(one & Lanes::all(third)) & vacant;
        let take_right = up_right.step(units.pawns) & units.enemy;
        let take_left = up_left.step(units.pawns) & units.enemy;
        let last = Lanes::all(b.last_rank(us));
        let mut targets = LaneTargets {
            ahead: [Lanes::EMPTY; AHEAD],
            promoting: [one & last, take_right & last, take_left & last],
            once: Lanes::EMPTY,
            twice: Lanes::EMPTY,
        };
        let (orthogonal, diagonal) = (units.orthogonal, units.diagonal);
        targets.ahead[0] = targets.add(units.line(up, orthogonal, vacant) | one | two);
        targets.ahead[1] = targets.add(units.line(up_right, diagonal, vacant) | take_right);
        targets.ahead[2] = targets.add(units.line(up_left, diagonal, vacant) | take_left);
        for way in [right, left, down] {
            targets.add(units.line(way, orthogonal, vacant));
        }
        for way in [down_left, down_right] {
            targets.add(units.line(way, diagonal, vacant));
        }
        for (index, way) in b.knight_leaps(us).iter().enumerate() {
            let reached = targets.add(way.step(units.knights) & !units.own);
            if index < 4 {
                targets.ahead[3 + index] = reached;
            }
        }
        targets
    }

    /// Adds the targets of another way to `once` and `twice`, and returns them.
    #[inline(always)]
    fn add(&mut self, reached: Lanes<S>) -> Lanes<S> {
        self.twice |= self.once & reached;
        self.once |= reached;
        reached
    }
}
