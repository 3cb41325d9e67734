//! Which orthodox turns may lead to a checkmate: decided from squares, so that of the turns before a
//! mate only those are played that could matter.
//!
//! Everything here errs on one side: what is dropped cannot lead to the requested mate, what is
//! kept is played and examined.

use super::checks::{Found, Sift, near};
use super::orthodox;
use board::{Board, Color, Kind, Men, Square, Squares};
use position::{BoardOf, Layout, Position};
use rules::{Action, Attack, Consumer, Each, Flow, Turn, fide};

/// How a side may come to check the enemy king with its next turn, if now another turn is made,
/// its own or the opponent's.
#[derive(Clone, Copy, Debug)]
struct Prospects<S> {
    /// It could check in this position, or that cannot be excluded.
    live: bool,
    /// Units whose leaving may make a check possible.
    leaving: S,
    /// Squares that may make one possible when units of a kind enter them.
    entering: [S; 6],
}

/// Returns the squares from which a pawn of `color` goes straight ahead to one of these, over one square.
#[inline(always)]
fn behind<S: Squares>(b: &Board<S>, squares: S, color: Color) -> S {
    b.pushed(squares, !color)
}

/// Returns whether a castling of this side might attack a king.
#[inline]
fn castling_may_check<W: Layout>(b: &BoardOf<W>, p: &Position<W>, king: Square, by: Color) -> bool {
    if p.rights.0 >> (by.index() * 2) & 3 == 0 {
        return false;
    }
    // The rook arrives next to the king's home; the king may open a line along its rank.
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
        // Units of the side to move may leave a line, the others stay on it.
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
                // The unit as a sniper, whose line others leave.
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
            // A line behind an own unit, which may then leave it.
            for kind in [Kind::Bishop, Kind::Rook, Kind::Queen] {
                found.entering[kind.index()] |= near[kind.index()];
            }
        } else {
            // The king's own steps change everything; a captured unit makes room for another
            // capture.
            found.leaving = found.leaving.with(king);
            let any = near.iter().fold(S::EMPTY, |any, near| any | *near);
            for kind in Kind::ALL {
                found.entering[kind.index()] |= any & attacking;
            }
        }
        found
    }

    /// A line that holds these units of the side to move.
    #[inline(always)]
    fn line(&mut self, standing: S) {
        if standing.is_empty() {
            self.live = true;
        } else if !standing.several() {
            self.leaving |= standing;
        }
    }

    /// A line to the king along which a unit of `by` would attack it. `by` opens it with its next
    /// turn if a single one of its units is left on it.
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
            // Captured, and then left again.
            (1, 0 | 1) => {
                for kind in Kind::ALL {
                    self.entering[kind.index()] |= other;
                }
            }
            _ => {}
        }
    }

    /// The pawns of `by`, which check from the squares `near`.
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

/// Lets through the turns that may matter, and of the others those that `again` admits.
struct MayMatter<S, A, F> {
    prospects: Prospects<S>,
    /// Double steps that may be answered in passing.
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

/// Returns whether the side to move may have a turn that checkmates, the opponent not being in check: not if
/// every check it has lets the king step aside or take the checking unit.
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

/// Returns whether the king can step away from a unit of the side to move that goes to a square and checks
/// the king there, or take it.
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

/// Returns whether the side to move has a legal turn that gives checkmate, the opponent not being in check.
pub fn can_checkmate<W: Layout>(b: &BoardOf<W>, p: &Position<W>) -> bool {
    if !may_checkmate(b, p) {
        return false;
    }
    let mut found = Found(false);
    let judge = |turn: &Turn| orthodox::checkmates(b, p, turn);
    let _ = orthodox::turns(b, p, &mut Sift::new(b, p, &mut found, judge));
    found.0
}

/// Returns whether the side to move could checkmate with a legal turn, or with two legal turns in a row of
/// which the first gives no check and leaves nothing to be taken in passing.
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

/// Returns the targets of a unit from which it could check with its next step and not simply be taken by the
/// king, as decided from squares.
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

/// Hands over every orthodox legal turn after which the opponent could checkmate at once.
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
