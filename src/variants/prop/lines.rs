//! Counts lines of Prop Chess. Plays the first turn of each line, and counts the further turns from the
//! squares that units can reach, for eight positions at a time. Positions that this method does not cover (en
//! passant, promotion in the second turn, a side without a forward turn) are counted turn by turn.

use super::{LIMIT, Prop};
use board::{Board, Color, Kind, LANES, Lanes, Square, Squares};
use position::{BoardOf, Layout, Position};
use rules::fide::{self, LaneTargets, LaneUnits};
use rules::{Action, Count, Each, Flow, Rules, Step, Turn, before, list};

/// The length of the lines, in plies.
pub const LENGTH: u32 = 3;

/// Returns the number of lines of three turns from a position. The position must not be settled.
pub fn of_three<W: Layout>(b: &BoardOf<W>, p: &Position<W>) -> u64 {
    let mut turns = Vec::with_capacity(64);
    let _: Flow = fide::legal(&Prop, b, p, &mut list(&mut turns));
    turns.chunks(LANES).map(|turns| behind(b, p, turns)).sum()
}

/// Returns the number of lines of two turns that follow these turns. There must be at most eight turns.
fn behind<W: Layout>(b: &BoardOf<W>, p: &Position<W>, turns: &[Turn]) -> u64 {
    let mut parents = [*p; LANES];
    let mut units = LaneUnits::empty();
    let mut told = [false; LANES];
    let mut count = 0;
    for (lane, turn) in turns.iter().enumerate() {
        let after = &mut parents[lane];
        Rules::<W>::effect(&Prop, b, p, turn, after);
        let own = after.color(after.side);
        let promotes = after.kind(Kind::Pawn) & own & last_but_one(b, after.side);
        if after.en_passant().is_some() || !promotes.is_empty() {
            count += played(b, after, 2);
        } else if after.state < u64::from(LIMIT) {
            told[lane] = true;
            units.put(lane, |kind| after.kind(kind), own, after.color(p.side));
        }
    }
    let (allowed, any) = allowed_ahead(b, !p.side, &units);
    let mut leaves = Leaves {
        board: b,
        parents: &parents,
        units: LaneUnits::empty(),
        made: [(0, Square(0), Square(0)); LANES],
        filled: 0,
        promotes: false,
        count,
    };
    for lane in 0..LANES {
        if !told[lane] {
            continue;
        }
        if any.0[lane].is_empty() {
            leaves.count += played(b, &parents[lane], 2);
            continue;
        }
        let vacant = !parents[lane].occupied();
        for (way, targets) in allowed.iter().enumerate() {
            for to in targets.0[lane].iter() {
                leaves.add(lane, fide::origin(b, !p.side, way, to, vacant), to);
            }
        }
    }
    leaves.flush();
    leaves.count
}

/// Returns the number of lines of `depth` turns from a position.
fn played<W: Layout>(b: &BoardOf<W>, p: &Position<W>, depth: u32) -> u64 {
    if Rules::<W>::settled(&Prop, b, p).is_some() {
        return 0;
    }
    if depth == 1 {
        let mut count = Count::default();
        let _: Flow = fide::legal(&Prop, b, p, &mut count);
        return count.0;
    }
    let mut lines = 0;
    let _: Flow = fide::legal(
        &Prop,
        b,
        p,
        &mut Each(|turn| {
            let mut after = *p;
            Rules::<W>::effect(&Prop, b, p, &turn, &mut after);
            lines += played(b, &after, depth - 1);
            Flow::Continue(())
        }),
    );
    lines
}

/// Returns the last rank but one of a side, from which its pawns promote.
#[inline(always)]
fn last_but_one<S: Squares>(b: &Board<S>, color: Color) -> S {
    match b.geometry().ranks() {
        1 => S::EMPTY,
        _ => b.rank_of(!color, 1),
    }
}

/// Returns the targets of the allowed forward turns, by direction and together.
#[inline(never)]
fn allowed_ahead<S: Squares>(
    b: &Board<S>,
    us: Color,
    units: &LaneUnits<S>,
) -> ([Lanes<S>; fide::AHEAD], Lanes<S>) {
    let targets = LaneTargets::of(b, us, units);
    let mut allowed = targets.ahead;
    let mut any = Lanes::EMPTY;
    for reached in &mut allowed {
        *reached = *reached & targets.twice;
        any |= *reached;
    }
    (allowed, any)
}

/// Returns the number of allowed forward turns in each of the eight positions.
#[inline(never)]
fn count_ahead<S: Squares>(
    b: &Board<S>,
    us: Color,
    units: &LaneUnits<S>,
    promotes: bool,
) -> [u32; LANES] {
    let targets = LaneTargets::of(b, us, units);
    let mut counts = [0; LANES];
    let mut add = |times: u32, reached: Lanes<S>| {
        let found = (reached & targets.twice).len();
        for lane in 0..LANES {
            counts[lane] += times * found[lane];
        }
    };
    for reached in targets.ahead {
        add(1, reached);
    }
    if promotes {
        // A pawn may become four kinds. One of these turns has been counted already.
        for reached in targets.promoting {
            add(3, reached);
        }
    }
    counts
}

/// A batch of positions after a turn from one of the parents. Their turns are counted eight positions at a
/// time.
struct Leaves<'a, W: Layout> {
    board: &'a BoardOf<W>,
    parents: &'a [Position<W>; LANES],
    units: LaneUnits<W::Set>,
    /// The turn that led to each position: the lane of its parent, origin and target.
    made: [(usize, Square, Square); LANES],
    filled: usize,
    /// Whether a pawn may promote in one of the positions.
    promotes: bool,
    count: u64,
}

impl<W: Layout> Leaves<'_, W> {
    /// Adds the position after a forward step, and counts the batch if it is full.
    #[inline(always)]
    fn add(&mut self, lane: usize, from: Square, to: Square) {
        let b = self.board;
        let parent = &self.parents[lane];
        let (us, them) = (parent.side, !parent.side);
        let taken = W::Set::of(to);
        if !parent.color(them).has(to) && parent.state + 1 >= u64::from(LIMIT) {
            return;
        }
        let pawns = parent.kind(Kind::Pawn);
        if pawns.has(from) && i32::from(to.0) - i32::from(from.0) == 2 * b.ahead(us) {
            let passed = before(to, b.ahead(us));
            if !(b.pawn_captures(us, passed) & parent.units(them, Kind::Pawn)).is_empty() {
                self.count += self.alone(lane, from, to);
                return;
            }
        }
        let own = parent.color(them) & !taken;
        let enemy = parent.color(us).without(from) | taken;
        self.promotes |= !(pawns & own & last_but_one(b, them)).is_empty();
        self.units
            .put(self.filled, |kind| parent.kind(kind), own, enemy);
        self.made[self.filled] = (lane, from, to);
        self.filled += 1;
        if self.filled == LANES {
            self.flush();
        }
    }

    /// Counts the turns of the positions in the batch, and empties it.
    fn flush(&mut self) {
        let us = !self.parents[0].side;
        let counts = count_ahead(self.board, us, &self.units, self.promotes);
        for (count, (lane, from, to)) in counts.into_iter().zip(self.made).take(self.filled) {
            self.count += match count {
                0 => self.alone(lane, from, to),
                _ => u64::from(count),
            };
        }
        self.filled = 0;
        self.promotes = false;
    }

    /// Returns the number of turns after a step, by the complete rules.
    #[cold]
    fn alone(&self, lane: usize, from: Square, to: Square) -> u64 {
        let (b, parent) = (self.board, &self.parents[lane]);
        let kind = parent.kind_on(from);
        let double = kind == Kind::Pawn && from.0.abs_diff(to.0) == 2 * b.geometry().files();
        let action = if double {
            Action::DoubleStep
        } else {
            Action::Go
        };
        let turn = Turn::of(Step::new(action, kind, from, to));
        let mut after = *parent;
        Rules::<W>::effect(&Prop, b, parent, &turn, &mut after);
        played(b, &after, 1)
    }
}
