//! Searches for orthodox checkmates in one turn, and for turns that allow or prepare such a mate. Filters
//! turns by their squares first, so that few turns are played.
//!
//! The filters err only in one direction: a turn that they drop cannot lead to the requested mate, and a turn
//! that they keep is played and examined.

use super::checks::{Found, Sift, near};
use super::orthodox;
use board::{Board, Color, Kind, Men, Square, Squares};
use position::{BoardOf, Layout, Position};
use rules::{Action, Attack, Consumer, Each, Flow, Turn, fide};

/// The ways in which a side may be able to check the enemy king after one more turn. The turn now can be the
/// side's own turn or the opponent's.
#[derive(Clone, Copy, Debug)]
struct Prospects<S> {
    /// Whether the side may be able to check in this position already.
    live: bool,
    /// The units that may make a check possible by leaving their squares.
    leaving: S,
    /// By kind, the squares that a unit may enter to make a check possible.
    entering: [S; 6],
}

/// Returns the squares from which a single step of a pawn of `color` leads to one of these squares.
#[inline(always)]
fn behind<S: Squares>(b: &Board<S>, squares: S, color: Color) -> S {
    b.pushed(squares, !color)
}

/// Returns whether castling of the side `by` might attack the king.
#[inline]
fn castling_may_check<W: Layout>(b: &BoardOf<W>, p: &Position<W>, king: Square, by: Color) -> bool {
    if p.rights.0 >> (by.index() * 2) & 3 == 0 {
        return false;
    }
    // The rook arrives next to its king's home file. The castling king may open a line along its rank.
    let geometry = b.geometry();
    let home = geometry.files() / 2;
    geometry.file(king).abs_diff(home) == 1 || b.rank_of(by, 0).has(king)
}

impl<S: Squares> Prospects<S> {
    const NONE: Prospects<S> = Prospects {
        live: false,
        leaving: S::EMPTY,
        entering: [S::EMPTY; 6],
    };

    /// Returns the prospects of `by` after one turn of the side to move.
    #[inline]
    fn new<W: Layout<Set = S>>(b: &Board<S>, p: &Position<W>, by: Color) -> Prospects<S> {
        let mut found = Prospects::NONE;
        let Some(king) = p.units(!by, Kind::King).first() else {
            return found;
        };
        let (attacking, moving) = (p.color(by), p.color(p.side));
        let again = p.side == by;
        // Units of the side to move may leave a line. Other units remain on it.
        let staying = p.color(!p.side).with(king);
        let near = near(b, king, !by, staying);
        found.live = castling_may_check(b, p, king, by);

        for kind in [Kind::Bishop, Kind::Rook, Kind::Queen] {
            for from in (p.kind(kind) & attacking).iter() {
                let onto = fide::reach(&Men::FIDE, b, kind, from, staying) & near[kind.index()];
                for to in onto.iter() {
                    let mut line = (b.between(from, to) | b.between(to, king)).without(from);
                    if again {
                        line = line.with(to);
                    } else if attacking.has(to) {
                        continue;
                    }
                    found.line(line & moving);
                }
                // The unit can check by a discovery if other units leave its line to the king.
                if fide::reach(&Men::FIDE, b, kind, king, S::EMPTY).has(from) {
                    found.sniper(b.between(from, king), p, by);
                }
            }
        }
        let knights = p.kind(Kind::Knight) & attacking;
        for from in knights.iter() {
            let onto = b.leap(Kind::Knight, from) & near[Kind::Knight.index()];
            found.live |= !(onto & !attacking).is_empty();
            if again {
                found.leaving |= onto & attacking;
            }
        }
        found.pawns(b, p, by, near[Kind::Pawn.index()]);
        if again {
            // A unit can go to a square behind another unit of its side, which may then open the line.
            for kind in [Kind::Bishop, Kind::Rook, Kind::Queen] {
                found.entering[kind.index()] |= near[kind.index()];
            }
        } else {
            // After a step of the king, nothing is known. After a capture, the captor can be captured with
            // check.
            found.leaving = found.leaving.with(king);
            let any = near.iter().fold(S::EMPTY, |any, near| any | *near);
            for kind in Kind::ALL {
                found.entering[kind.index()] |= any & attacking;
            }
        }
        found
    }

    /// Adds a line on which only `standing`, units of the side to move, are in the way.
    #[inline(always)]
    fn line(&mut self, standing: S) {
        if standing.is_empty() {
            self.live = true;
        } else if !standing.several() {
            self.leaving |= standing;
        }
    }

    /// Adds a line from a slider of `by` to the king. `by` can give a discovered check along the line if
    /// exactly one unit, of its own side, is left on it.
    #[inline(always)]
    fn sniper<W: Layout<Set = S>>(&mut self, line: S, p: &Position<W>, by: Color) {
        let (own, other) = (line & p.color(by), line & p.color(!by));
        if p.side != by {
            if !own.is_empty() && !own.several() {
                self.line(other);
            }
            return;
        }
        match (other.len(), own.len()) {
            (0, 1) => self.live = true,
            (0, 2) => self.leaving |= own,
            // A unit captures the enemy unit on the line, and may then leave the line.
            (1, 0 | 1) => {
                for kind in Kind::ALL {
                    self.entering[kind.index()] |= other;
                }
            }
            _ => {}
        }
    }

    /// Adds the pawns of `by`, which check from the squares `near`.
    #[inline(always)]
    fn pawns<W: Layout<Set = S>>(&mut self, b: &Board<S>, p: &Position<W>, by: Color, near: S) {
        let pawns = p.units(by, Kind::Pawn);
        self.live |= !(pawns & b.rank_of(!by, 1)).is_empty();
        let occupied = p.occupied();
        let one = behind(b, near, by);
        let aside = b.pushed_aside(near & p.color(!by), !by);
        let capturing = aside[0].1 | aside[1].1;
        let ahead = near & !occupied;
        let one_ahead = behind(b, ahead, by);
        let two_ahead = behind(b, one_ahead & !occupied, by);
        self.live |= !(pawns & (capturing | one_ahead | two_ahead)).is_empty();
        self.leaving |= (near | one) & p.color(p.side);
        let pawn = &mut self.entering[Kind::Pawn.index()];
        if p.side == by {
            *pawn |= one | capturing | b.rank_of(!by, 1);
        } else if !pawns.is_empty() {
            for entering in &mut self.entering {
                *entering |= near;
            }
        }
    }
}

/// A consumer that passes the turns that the prospects cannot exclude, and further turns that `again`
/// accepts.
struct MayMatter<S, A, F> {
    prospects: Prospects<S>,
    /// The targets of double steps that may be answered by an en passant capture.
    doubled: S,
    again: A,
    found: Each<F>,
}

impl<S: Squares, A, F> Consumer<S> for MayMatter<S, A, F>
where
    A: FnMut(Kind, Square, S) -> S,
    F: FnMut(Turn) -> Flow,
{
    #[inline(always)]
    fn unit(&mut self, kind: Kind, from: Square, targets: S) -> Flow {
        let mut kept = targets;
        if !self.prospects.leaving.has(from) {
            kept &= self.prospects.entering[kind.index()];
            kept |= (self.again)(kind, from, targets & !kept);
        }
        self.found.unit(kind, from, kept)
    }

    #[inline(always)]
    fn pawns(&mut self, offset: i32, targets: S, action: Action) -> Flow {
        let mut kept = self.prospects.entering[Kind::Pawn.index()];
        kept |= self.prospects.leaving.shift(offset);
        if action == Action::DoubleStep {
            kept |= self.doubled;
        }
        self.found.pawns(offset, targets & kept, action)
    }

    #[inline(always)]
    fn turn(&mut self, turn: Turn) -> Flow {
        Consumer::<S>::turn(&mut self.found, turn)
    }
}

/// Returns false only if no turn of the side to move checkmates, because the king could step aside after
/// every check or capture the checking unit. The opponent must not be in check.
#[inline]
fn may_checkmate<W: Layout>(b: &BoardOf<W>, p: &Position<W>) -> bool {
    let us = p.side;
    let Some(king) = p.units(!us, Kind::King).first() else {
        return false;
    };
    let (own, occupied) = (p.color(us), p.occupied());
    let near = near(b, king, !us, occupied);
    let mut pawns = Prospects::NONE;
    pawns.pawns(b, p, us, near[Kind::Pawn.index()]);
    if pawns.live || p.en_passant().is_some() || castling_may_check(b, p, king, us) {
        return true;
    }
    for kind in [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight] {
        for from in (p.kind(kind) & own).iter() {
            if kind != Kind::Knight
                && fide::reach(&Men::FIDE, b, kind, king, W::Set::EMPTY).has(from)
            {
                let line = b.between(from, king) & occupied;
                if !line.several() && !(line & own).is_empty() {
                    return true;
                }
            }
            let onto = fide::reach(&Men::FIDE, b, kind, from, occupied) & near[kind.index()] & !own;
            if onto.iter().any(|to| !flees(b, p, king, kind, from, to)) {
                return true;
            }
        }
    }
    false
}

/// Returns whether the enemy king could flee after a unit of the side to move goes from `from` to `to` and
/// checks the king there. Capturing the checking unit counts too.
#[inline]
fn flees<W: Layout>(
    b: &BoardOf<W>,
    p: &Position<W>,
    king: Square,
    kind: Kind,
    from: Square,
    to: Square,
) -> bool {
    let occupied = p.occupied().without(from).with(to).without(king);
    let seen = fide::reach(&Men::FIDE, b, kind, to, occupied);
    let open = b.leap(Kind::King, king) & !p.color(!p.side).without(to) & !seen;
    open.iter().any(|flight| {
        let units = fide::attackers(&Men::FIDE, b, p, Attack::on(flight, p.side, occupied));
        units.without(from).is_empty()
    })
}

/// Returns whether the side to move has a legal turn that gives checkmate. The opponent must not be in check.
pub fn can_checkmate<W: Layout>(b: &BoardOf<W>, p: &Position<W>) -> bool {
    if !may_checkmate(b, p) {
        return false;
    }
    let mut found = Found(false);
    let judge = |turn: &Turn| orthodox::checkmates(b, p, turn);
    let _ = orthodox::turns(b, p, &mut Sift::new(b, p, &mut found, judge));
    found.0
}

/// Returns whether the side to move could checkmate with one legal turn, or with two legal turns in a row.
/// The first of two turns must not give check, and leaves no en passant square.
pub fn in_series<W: Layout>(b: &BoardOf<W>, p: &Position<W>) -> bool {
    let us = p.side;
    let prospects = Prospects::new(b, p, us);
    if (prospects.live || p.en_passant().is_some()) && can_checkmate(b, p) {
        return true;
    }
    let then_mates = |turn: Turn| {
        let mut again = orthodox::moved(b, p, &turn);
        if orthodox::in_check(b, &again, again.side) {
            return Flow::Continue(());
        }
        again.side = us;
        again.set_en_passant(None);
        if can_checkmate(b, &again) {
            Flow::Break(())
        } else {
            Flow::Continue(())
        }
    };
    if prospects.live {
        return orthodox::each_turn(b, p, then_mates).is_break();
    }
    let mut may_matter = MayMatter {
        prospects,
        doubled: W::Set::EMPTY,
        again: |kind, from, targets: W::Set| checking_next(b, p, kind, from, targets),
        found: Each(then_mates),
    };
    orthodox::turns(b, p, &mut may_matter).is_break()
}

/// Returns the targets of a unit from which its next step could give a check that the king cannot simply
/// answer by capturing the unit. Decides by the squares alone.
#[inline(always)]
fn checking_next<W: Layout>(
    b: &BoardOf<W>,
    p: &Position<W>,
    kind: Kind,
    from: Square,
    targets: W::Set,
) -> W::Set {
    let us = p.side;
    let Some(king) = p.units(!us, Kind::King).first() else {
        return W::Set::EMPTY;
    };
    if kind == Kind::King {
        return W::Set::EMPTY;
    }
    let occupied = p.occupied().without(from);
    let onto = fide::reach(&Men::FIDE, b, kind, king, occupied) & !p.color(us).without(from);
    let beside = b.leap(Kind::King, king);
    let mut found = W::Set::EMPTY;
    for to in targets.iter() {
        let checks = fide::reach(&Men::FIDE, b, kind, to, occupied) & onto;
        let supported = |square: Square| {
            let left = occupied.without(to).without(king);
            let units = fide::attackers(&Men::FIDE, b, p, Attack::on(square, us, left));
            !units.without(from).is_empty()
        };
        if !(checks & !beside).is_empty() || checks.iter().any(supported) {
            found = found.with(to);
        }
    }
    found
}

/// Calls `found` with each orthodox legal turn after which the opponent could checkmate at once.
pub fn blunders<W: Layout>(
    b: &BoardOf<W>,
    p: &Position<W>,
    mut found: impl FnMut(Turn) -> Flow,
) -> Flow {
    let them = !p.side;
    let prospects = Prospects::new(b, p, them);
    let judged = |turn: Turn| {
        if can_checkmate(b, &orthodox::moved(b, p, &turn)) {
            found(turn)
        } else {
            Flow::Continue(())
        }
    };
    if prospects.live || orthodox::in_check(b, p, p.side) {
        return orthodox::each_turn(b, p, judged);
    }
    let [(_, left), (_, right)] = b.sideways(p.units(them, Kind::Pawn));
    let mut may_matter = MayMatter {
        prospects,
        doubled: left | right,
        again: |_, _, _| W::Set::EMPTY,
        found: Each(judged),
    };
    orthodox::turns(b, p, &mut may_matter)
}
