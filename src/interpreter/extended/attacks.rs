//! What units reach and attack, which are royal, and who is in check.

use super::Extended;
use crate::extension::{Aspects, Place, Reach, Target};
use board::{Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::Attack;

impl<W: Layout> Extended<W> {
    /// Returns two sets: the squares that a unit reaches by quiet steps if they are vacant, and those that it attacks by
    /// its movement. `occupied` may differ from the position's squares.
    pub(super) fn reach(
        &self,
        p: &Position<W>,
        from: Square,
        occupied: W::Set,
        place: Place<'_, W>,
    ) -> (W::Set, W::Set) {
        let Some((color, kind)) = p.unit(from) else {
            return (W::Set::EMPTY, W::Set::EMPTY);
        };
        let by_kind = || self.base().moves.reach(color, kind, from, occupied);
        if !self.has.any(Aspects::MOVEMENT) {
            return by_kind();
        }
        let mobility = self.base().moves.of(color, kind).mobility;
        match self.clauses.movement(p, from, place) {
            Reach::OfKind => by_kind(),
            Reach::Squares {
                quiet,
                attacks,
                otherwise,
            } => {
                let (of_kind, attacked) = match (quiet, attacks, otherwise) {
                    (Some(_), Some(_), _) => (W::Set::EMPTY, W::Set::EMPTY),
                    // Without the double step of pawns.
                    (_, _, Some(numbers)) => self.steps_of_union(color, from, occupied, numbers),
                    (_, _, None) => {
                        let piece = self.base().law.kinds.piece(kind);
                        let own = piece.map_or(0, |piece| 1 << piece.index());
                        self.steps_of_union(color, from, occupied, own)
                    }
                };
                let [quiet, attacks] = [quiet.unwrap_or(of_kind), attacks.unwrap_or(attacked)];
                (quiet & mobility, attacks & mobility)
            }
            Reach::Union(numbers) => {
                let (quiet, attacks) = self.union(color, kind, from, occupied, numbers);
                (quiet & mobility, attacks & mobility)
            }
        }
    }

    /// Returns what a unit reaches and attacks by the union of movements.
    fn union(
        &self,
        color: Color,
        kind: Kind,
        from: Square,
        occupied: W::Set,
        numbers: u64,
    ) -> (W::Set, W::Set) {
        // The pawn's own movement has its double step.
        let (own, attacked) = match self.has_pawns_movement(kind, numbers) {
            true => self.base().moves.reach(color, kind, from, occupied),
            false => (W::Set::EMPTY, W::Set::EMPTY),
        };
        let (quiet, attacks) = self.steps_of_union(color, from, occupied, numbers);
        (quiet | own, attacks | attacked)
    }

    /// Like [`union`](Self::union), without double steps.
    fn steps_of_union(
        &self,
        color: Color,
        from: Square,
        occupied: W::Set,
        numbers: u64,
    ) -> (W::Set, W::Set) {
        let (mut quiet, mut attacks) = (W::Set::EMPTY, W::Set::EMPTY);
        let mut left = numbers;
        while left != 0 {
            let n = Kind::from_index(left.trailing_zeros() as usize);
            left &= left - 1;
            let (q, a) = self.shared.movements.reach(color, n, from, occupied);
            quiet |= q;
            attacks |= a;
        }
        (quiet, attacks)
    }

    /// Returns whether the kind is a pawn, and the union of movements contains all steps of the pawn's movement.
    fn has_pawns_movement(&self, kind: Kind, numbers: u64) -> bool {
        let parts = self.shared.pawn_parts.iter().enumerate();
        let parts = parts.filter(|(n, _)| numbers >> n & 1 == 1);
        let all = self.shared.pawn;
        self.base().is_pawn(kind)
            && all != 0
            && parts.fold(0, |parts, (_, part)| parts | part) == all
    }

    /// Returns whether a pawn has a pawn's movement, so that it makes double steps and captures en passant. Units of other
    /// kinds that capture en passant by the definition do so always.
    pub(super) fn has_own_movement(
        &self,
        p: &Position<W>,
        unit: Square,
        place: Place<'_, W>,
    ) -> bool {
        let kind = p.kind_on(unit);
        if !self.has.any(Aspects::MOVEMENT) || !self.base().is_pawn(kind) {
            return true;
        }
        match self.clauses.movement(p, unit, place) {
            Reach::OfKind => true,
            Reach::Squares { .. } => false,
            Reach::Union(numbers) => self.has_pawns_movement(kind, numbers),
        }
    }

    /// Returns whether a unit moves and attacks at all.
    pub(super) fn is_active(&self, p: &Position<W>, unit: Square) -> bool {
        !self.has.any(Aspects::ACTIVE) || self.clauses.is_active(p, unit)
    }

    /// Returns whether a unit may capture what is on a square that it attacks by its movement.
    pub(super) fn may_capture(&self, p: &Position<W>, unit: Square, target: Square) -> bool {
        if !self.has.any(Aspects::CAPTURE) {
            return true;
        }
        let target = match p.occupied().has(target) {
            true => Target::Unit(target),
            false => Target::Missing,
        };
        self.clauses.may_capture(p, unit, target)
    }

    /// Returns the units of a side whose movement a clause may change.
    fn moved(&self, p: &Position<W>, color: Color) -> W::Set {
        let kinds = self.clauses.moved_kinds();
        if kinds == u64::MAX {
            return p.color(color);
        }
        let mut left = kinds;
        let mut moved = W::Set::EMPTY;
        while left != 0 {
            moved |= p.units(color, Kind::from_index(left.trailing_zeros() as usize));
            left &= left - 1;
        }
        moved
    }

    /// Returns the units that carry out an attack.
    pub(super) fn attackers(&self, p: &Position<W>, attack: Attack<W::Set>) -> W::Set {
        let units = p.color(attack.by) & attack.occupied;
        let by_movement = match self.has.any(Aspects::MOVEMENT) {
            false => self.base().attackers(p, attack, units, false),
            true => {
                let moved = units & self.moved(p, attack.by);
                let attacks = |&unit: &Square| {
                    let (_, attacks) = self.reach(p, unit, attack.occupied, Place::FIRST);
                    attacks.has(attack.target)
                };
                let attackers = moved.iter().filter(attacks);
                attackers.fold(
                    self.base().attackers(p, attack, units & !moved, false),
                    W::Set::with,
                )
            }
        };
        if !self.has.any(Aspects::ACTIVE | Aspects::CAPTURE) {
            return by_movement;
        }
        by_movement
            .iter()
            .filter(|&unit| self.is_active(p, unit) && self.may_capture(p, unit, attack.target))
            .fold(W::Set::EMPTY, W::Set::with)
    }

    /// Returns whether units of a side attack a square.
    pub(super) fn attacked(&self, p: &Position<W>, square: Square, by: Color) -> bool {
        !self
            .attackers(p, Attack::on(square, by, p.occupied()))
            .is_empty()
    }

    /// Returns the royal units of a side.
    pub(super) fn royal_units(&self, p: &Position<W>, color: Color) -> W::Set {
        if !self.has.any(Aspects::ROYAL) {
            return self.base().kings(p, color) | self.base().pseudo_royals(p, color);
        }
        self.clauses.royal(p, color)
    }

    /// Returns the royal units of a side that are attacked.
    pub(super) fn royals_attacked(&self, p: &Position<W>, color: Color) -> W::Set {
        if !self.has.any(Aspects::OF_ATTACKS | Aspects::ROYAL) {
            return self.base().royals_in_check(p, color);
        }
        let royals = self.royal_units(p, color).iter();
        royals
            .filter(|&royal| self.attacked(p, royal, !color))
            .fold(W::Set::EMPTY, W::Set::with)
    }

    /// Returns whether a side is in check by the clause `checkIf`.
    pub(super) fn is_checked(&self, p: &Position<W>, color: Color) -> bool {
        self.has.any(Aspects::CHECK) && self.clauses.is_checked(p, color)
    }

    /// Returns whether a side is in check.
    pub(super) fn in_check(&self, p: &Position<W>, color: Color) -> bool {
        !self.royals_attacked(p, color).is_empty() || self.is_checked(p, color)
    }
}
