//! Turns from plane to plane: those without a capture or a promotion.

use super::super::symmetry::Map;
use super::Unit;
use super::engine::{Engine, Here};
use board::{Color, Kind, Square, Squares};
use position::Layout;
use std::sync::atomic::{AtomicU8, Ordering};

impl<W: Layout> Engine<'_, W> {
    /// Returns whether a unit that moves to a square is promoted there.
    fn promotes(&self, unit: Unit, to: Square) -> bool {
        unit.kind == Kind::Pawn
            && !self.promotions[unit.color.index()].is_empty()
            && self.board.last_rank(unit.color).has(to)
    }

    /// Returns the squares from which a unit moves to `to` without capturing.
    #[inline]
    fn sources(&self, unit: Unit, to: Square, occupied: W::Set) -> W::Set {
        if unit.kind != Kind::Pawn {
            return self.board.reach(unit.kind, to, occupied) & !occupied;
        }
        let pawns = &self.pawns[unit.color.index()];
        let mut from = pawns.back[to.index()];
        let far = self.board.pushed(from & !occupied, !unit.color);
        for start in far.iter() {
            if let Some((passed, target)) = pawns.double[start.index()]
                && target == to
                && !occupied.has(passed)
            {
                from = from.with(start);
            }
        }
        from & !occupied
    }

    /// Calls `found` with each square that a unit of the plane can move to without capturing a fixed unit and
    /// without promotion, and with the squares on which the last unit would prevent that. Stops when `found`
    /// returns true.
    #[inline]
    fn steps(
        &self,
        unit: Unit,
        from: Square,
        occupied: W::Set,
        mut found: impl FnMut(Square, W::Set) -> bool,
    ) {
        let b = self.board;
        if unit.kind == Kind::Pawn {
            let pawns = &self.pawns[unit.color.index()];
            for to in (pawns.steps[from.index()] & !occupied).iter() {
                if !self.promotes(unit, to) && found(to, W::Set::of(to)) {
                    return;
                }
            }
            if let Some((passed, to)) = pawns.double[from.index()]
                && !occupied.has(passed)
                && !occupied.has(to)
            {
                found(to, W::Set::of(passed).with(to));
            }
            return;
        }
        let slides = b.slides(unit.kind).is_some();
        for to in (b.reach(unit.kind, from, occupied) & !occupied).iter() {
            let way = if slides {
                b.between(from, to).with(to)
            } else {
                W::Set::of(to)
            };
            if found(to, way) {
                return;
            }
        }
    }

    /// Returns the squares in `wanted` of the last unit from which `side` has a turn into `target` that
    /// captures nothing and promotes no pawn.
    pub fn pull(
        &self,
        here: &Here<W::Set>,
        side: Color,
        wanted: W::Set,
        target: &[W::Set],
    ) -> W::Set {
        let material = &self.materials[here.material];
        let units = &material.units;
        let (last, occupied) = (self.last, here.occupied);
        let ends = self.board.last_rank(side);
        let mut found = W::Set::EMPTY;
        if units[last].color == side {
            let mut there = target[here.plane];
            for &(other, _) in &material.changes[last] {
                there |= target[self.changed(here, other)] & ends;
            }
            if there.len() <= wanted.len() {
                for to in there.iter() {
                    found |= self.sources(units[last], to, occupied);
                }
                found &= wanted;
            } else {
                for from in wanted.iter() {
                    self.steps(units[last], from, occupied, |to, _| {
                        let hit = there.has(to);
                        if hit {
                            found = found.with(from);
                        }
                        hit
                    });
                }
            }
        }
        for (i, &unit) in units[..last].iter().enumerate() {
            if unit.color != side {
                continue;
            }
            if found == wanted {
                return found;
            }
            let mut moved = here.place;
            self.steps(unit, Square(here.place[i]), occupied, |to, way| {
                let set = if i < 2 {
                    moved[i] = to.0;
                    let (there, map) = self.plane_of(here.material, &moved);
                    self.pull_back(target[there], map)
                } else {
                    let mut set = target[self.plane_moved(here, i, to, here.material)];
                    if ends.has(to) {
                        for &(other, _) in &material.changes[i] {
                            set |= target[self.plane_moved(here, i, to, other)];
                        }
                    }
                    set
                };
                found |= set & !way & wanted;
                found == wanted
            });
        }
        found
    }

    /// Marks the planes from which `side` may have a turn into the positions `set` of a plane.
    pub fn mark(&self, plane: usize, set: W::Set, side: Color, dirty: &[AtomicU8]) {
        let Some(here) = self.here(plane) else {
            return;
        };
        let material = &self.materials[here.material];
        let (last, occupied) = (self.last, here.occupied);
        let ends = self.board.last_rank(side);
        if material.units[last].color == side {
            dirty[plane].store(1, Ordering::Relaxed);
            if !(set & ends).is_empty() {
                for &(other, _) in &material.changes[last] {
                    dirty[self.changed(&here, other)].store(1, Ordering::Relaxed);
                }
            }
        }
        let b = self.board;
        let clear = |unit: Unit, from: Square, to: Square| {
            b.slides(unit.kind).is_none() || !(set & !b.between(from, to).with(from)).is_empty()
        };
        for (i, &unit) in material.units[..last].iter().enumerate() {
            if unit.color != side {
                continue;
            }
            let to = Square(here.place[i]);
            let mut moved = here.place;
            if i >= 2 {
                for from in self.sources(unit, to, occupied).iter() {
                    if clear(unit, from, to) {
                        let from = self.plane_moved(&here, i, from, here.material);
                        dirty[from].store(1, Ordering::Relaxed);
                    }
                }
                if ends.has(to) {
                    for &(other, kind) in &material.changes[i] {
                        let before = Unit { kind, ..unit };
                        for from in self.sources(before, to, occupied).iter() {
                            if clear(before, from, to) {
                                let from = self.plane_moved(&here, i, from, other);
                                dirty[from].store(1, Ordering::Relaxed);
                            }
                        }
                    }
                }
                continue;
            }
            for from in self.sources(unit, to, occupied).iter() {
                if !clear(unit, from, to) {
                    continue;
                }
                moved[i] = from.0;
                let lead = self.leads[usize::from(moved[0]) * self.n + usize::from(moved[1])];
                let map = &self.maps[usize::from(lead.map)];
                let pair = lead.pair as usize;
                let mark = |map: &Map| {
                    let plane = self.plane_by(here.material, &moved, pair, map);
                    dirty[plane].store(1, Ordering::Relaxed);
                };
                mark(map);
                for &fix in &self.fixing[pair] {
                    let fix = &self.maps[usize::from(fix)];
                    mark(&std::array::from_fn(|s| fix[usize::from(map[s])]));
                }
            }
        }
    }

    /// Returns the squares of the last unit where the position is legal with `side` to move.
    pub fn legal(&self, here: &Here<W::Set>, side: Color) -> W::Set {
        let b = self.board;
        let (last, occupied) = (self.last, here.occupied);
        let mut legal = self.stands[last] & !occupied;
        let king = Square(here.place[(!side).index()]);
        for (i, &unit) in self.materials[here.material].units.iter().enumerate() {
            if unit.color != side {
                continue;
            }
            if i == last {
                legal &= !self.intruding[side.index()];
                legal &= !match unit.kind {
                    Kind::Pawn => b.pawn_captures(!side, king),
                    kind => b.reach(kind, king, occupied),
                };
                continue;
            }
            let from = Square(here.place[i]);
            if self.intruding[side.index()].has(from) {
                return W::Set::EMPTY;
            }
            if unit.kind == Kind::Pawn {
                if b.pawn_captures(side, from).has(king) {
                    return W::Set::EMPTY;
                }
            } else if b.reach(unit.kind, from, occupied).has(king) {
                if b.slides(unit.kind).is_none() {
                    return W::Set::EMPTY;
                }
                legal &= b.between(from, king);
            }
        }
        legal
    }
}
