//! Analysis of a position, computed once before its turns are generated: units by kind, royal units, and the
//! constraints that keep royal units safe.

use crate::attacker_groups::{KingSafety, Units};
use crate::bound_rules::BoundRules;
use board::{Color, Kind, Square, Squares};
use position::{KindSets, Layout, Position};

/// Buffers for the analysis of a position, reused for the next position.
#[derive(Clone, Debug)]
pub(crate) struct Notes<S> {
    units: Units<S>,
    watch: KingSafety<S>,
}

impl<S: Squares> Notes<S> {
    /// Returns empty buffers for the positions of one game.
    pub(crate) fn new() -> Notes<S> {
        Notes {
            units: Units::new(),
            watch: KingSafety::new(),
        }
    }
}

/// The analysis of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Analysis<'n, S> {
    pub us: Color,
    pub occupied: S,
    pub own: S,
    pub enemy: S,
    /// The units that may be captured.
    pub prey: S,
    /// The mover's kings.
    pub kings: S,
    /// The pseudo-royal units of the mover. `their_royals` are those of the opponent.
    pub royals: S,
    pub their_royals: S,
    /// Whether a turn could be illegal because of a unit that it leaves attacked.
    pub guarded: bool,
    /// Whether at most one king is royal and no other unit, so that the king may go to each square that is
    /// not attacked.
    pub lone: bool,
    /// Whether an attack on all of several units at once is also check. Every turn must then be tested.
    pub duple: bool,
    /// The squares to which turns must be tested one by one.
    pub asked: S,
    /// The units by kind, and the enemy units by their attacks.
    pub units: &'n Units<S>,
    /// The constraints that keep royal units safe.
    pub watch: &'n KingSafety<S>,
}

impl<S: Squares> BoundRules<S> {
    /// Stores the units of each kind, of both sides, in `kinds`.
    #[inline(always)]
    pub(crate) fn kinds<W: Layout<Set = S>>(&self, p: &Position<W>, kinds: &mut [S; 64]) {
        if const { <W::Kinds as KindSets<S>>::BITS == 3 } {
            for kind in Kind::ALL {
                kinds[kind.index()] = p.kind(kind);
            }
        } else {
            let [low, high] = [0, 3].map(|n| {
                let [a, b, c] = [0, 1, 2].map(|plane| p.kind_plane(n + plane));
                let [none, one, two, both] = [!(a | b), a & !b, b & !a, a & b];
                [
                    none & !c,
                    one & !c,
                    two & !c,
                    both & !c,
                    none & c,
                    one & c,
                    two & c,
                    both & c,
                ]
            });
            for (n, units) in kinds.iter_mut().enumerate().take(self.law.kinds.count()) {
                *units = low[(n + 1) & 7] & high[(n + 1) >> 3 & 7];
            }
        }
    }

    /// Returns the analysis of a position.
    #[inline(always)]
    pub(crate) fn analysis<'n, W: Layout<Set = S>>(
        &self,
        p: &Position<W>,
        notes: &'n mut Notes<S>,
    ) -> Analysis<'n, S> {
        let d = &self.law.definition;
        let us = p.side;
        let (own, enemy, occupied) = (p.color(us), p.color(!us), p.occupied());
        let Notes { units, watch } = notes;
        self.kinds(p, &mut units.kinds);
        let all_kings = self.king.map_or(S::EMPTY, |king| units.kinds[king.index()]);
        let kings = all_kings & own;
        let has_pseudo = self.has_pseudo();
        let (royals, their_royals) = match has_pseudo {
            false => (S::EMPTY, S::EMPTY),
            true => (self.pseudo_royals(p, us), self.pseudo_royals(p, !us)),
        };
        let duple = d.extinction.duple_check && !self.candidates(p, us).is_empty();
        watch.reset(duple);
        units.muster(&self.moves, !us, enemy);
        for royal in (kings | royals).iter() {
            let king = kings.has(royal);
            if king || !self.touched(royal, their_royals) {
                self.moves.watch(watch, units, royal, occupied, king);
            }
        }
        let blown = if d.captures.blast { enemy } else { S::EMPTY };
        Analysis {
            us,
            occupied,
            own,
            enemy,
            prey: enemy & !all_kings,
            kings,
            royals,
            their_royals,
            guarded: !(kings | royals).is_empty() || duple,
            lone: !kings.several() && !has_pseudo && !duple && !d.checks.makpong,
            duple,
            asked: watch.to_zone | blown | their_royals,
            units,
            watch,
        }
    }

    /// Returns whether the enemies `theirs` would attack a square if `occupied` were occupied. If `royal` is
    /// set, facing kings attack too.
    #[inline(always)]
    pub(crate) fn exposes(
        &self,
        analysis: &Analysis<'_, S>,
        square: Square,
        theirs: S,
        occupied: S,
        royal: bool,
    ) -> bool {
        self.moves
            .attacked(analysis.units, square, theirs, occupied, royal)
    }
}
