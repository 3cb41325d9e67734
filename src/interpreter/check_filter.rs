//! Filters turns that may break a rule on checks or on the colors of bishops. Turns whose legality does not
//! follow from the squares are played on a copy of the position.

use crate::bound_rules::BoundRules;
use board::{Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::{Consumer, Flow, Step, Turn};

/// By kind, the squares from which units of the mover would give check, and the units whose every turn might
/// give check.
type Aims<S> = ([S; 64], S);

/// A consumer that passes only legal turns to another consumer. It plays only turns that might be illegal.
pub(crate) struct Asking<'a, W: Layout, K: ?Sized> {
    made: &'a BoundRules<W::Set>,
    position: &'a Position<W>,
    /// The result of [`Asking::aims`], computed when it is first needed.
    aims: Option<Aims<W::Set>>,
    consumer: &'a mut K,
}

impl<'a, W: Layout, K: Consumer<W::Set> + ?Sized> Asking<'a, W, K> {
    /// Returns a filter for the turns of a position.
    pub(crate) fn new(
        made: &'a BoundRules<W::Set>,
        position: &'a Position<W>,
        consumer: &'a mut K,
    ) -> Asking<'a, W, K> {
        Asking {
            made,
            position,
            aims: None,
            consumer,
        }
    }

    fn aims(&mut self) -> &Aims<W::Set> {
        let (made, p) = (self.made, self.position);
        self.aims.get_or_insert_with(|| made.aims(p, p.side))
    }

    /// Returns the targets of which the turn is legal. Plays the turn to each target on a copy of the
    /// position.
    fn played(&self, targets: W::Set, turn: impl Fn(Square) -> Turn) -> W::Set {
        targets
            .iter()
            .filter(|&to| self.made.gives_no_forbidden_check(self.position, &turn(to)))
            .fold(W::Set::EMPTY, W::Set::with)
    }
}

impl<W: Layout, K: Consumer<W::Set> + ?Sized> Consumer<W::Set> for Asking<'_, W, K> {
    fn examines_turns(&self) -> bool {
        let d = &self.made.law.definition;
        !d.checks.allowed || d.promotion.sittuyin || self.consumer.examines_turns()
    }

    fn unit(&mut self, kind: Kind, from: Square, targets: W::Set) -> Flow {
        if self.made.law.definition.checks.allowed || targets.is_empty() {
            return self.consumer.unit(kind, from, targets);
        }
        let (aims, shields) = self.aims();
        let permitted = match shields.has(from) {
            true => self.played(targets, |to| Turn::of(Step::go(kind, from, to))),
            false => targets & !aims[kind.index()],
        };
        self.consumer.unit(kind, from, permitted)
    }

    fn unit_becoming(&mut self, kind: Kind, from: Square, targets: W::Set, kinds: &[Kind]) -> Flow {
        let d = &self.made.law.definition;
        if d.checks.allowed && !d.promotion.sittuyin {
            return self.consumer.unit_becoming(kind, from, targets, kinds);
        }
        for to in targets.iter() {
            for &choice in kinds {
                self.turn(Turn::of(Step::go(kind, from, to).becoming(choice)))?;
            }
        }
        Flow::Continue(())
    }

    fn pawns_becoming(&mut self, offset: i32, targets: W::Set, kinds: &[Kind]) -> Flow {
        for to in targets.iter() {
            let from = rules::before(to, offset);
            self.unit_becoming(Kind::Pawn, from, W::Set::of(to), kinds)?;
        }
        Flow::Continue(())
    }

    fn placed(&mut self, kind: Kind, targets: W::Set) -> Flow {
        let d = &self.made.law.definition;
        let quiet = d.checks.allowed && d.drops.checks;
        if targets.is_empty() || quiet && !d.drops.opposite_bishops {
            return self.consumer.placed(kind, targets);
        }
        // A drop opens no line, so it is played only if every turn might give check.
        let asks = d.drops.opposite_bishops || self.aims().1.has(targets.lowest());
        let permitted = match asks {
            true => self.played(targets, |to| Turn::of(Step::place(kind, to))),
            false => targets & !self.aims().0[kind.index()],
        };
        self.consumer.placed(kind, permitted)
    }

    fn turn(&mut self, turn: Turn) -> Flow {
        match self.made.gives_no_forbidden_check(self.position, &turn) {
            true => self.consumer.turn(turn),
            false => Flow::Continue(()),
        }
    }
}

impl<S: Squares> BoundRules<S> {
    /// Returns, by kind, the squares from which units of a side would give check, and the units whose every
    /// turn might give check.
    fn aims<W: Layout<Set = S>>(&self, p: &Position<W>, us: Color) -> Aims<S> {
        let sides_attack = &self.moves.attacks[us.index()];
        if self.law.definition.captures.blast || sides_attack.has_specials() {
            return ([!S::EMPTY; 64], !S::EMPTY);
        }
        let mut kinds = [S::EMPTY; 64];
        self.kinds(p, &mut kinds);
        let mut all = ([S::EMPTY; 64], S::EMPTY);
        for king in self.kings(p, !us).iter() {
            let (aims, shields) = self.moves.aims(&kinds, king, us, p.color(us), p.occupied());
            for (all, aim) in all.0.iter_mut().zip(aims) {
                *all |= aim;
            }
            all.1 |= shields;
        }
        all
    }
}
