//! Turns that leave the group for other tables, by capture or promotion, and games that are over.

use super::super::key::ClassKey;
use super::super::tables::Tables;
use super::engine::{Engine, Here, Writer};
use super::key_of;
use super::route::Route;
use board::{Color, Kind, Square, Squares};
use diagnostics::Diagnostic;
use position::Layout;
use rules::Plain;
use std::collections::{BTreeMap, BTreeSet};
use values::{Packed, Value};

/// The classes that each class of a group leads to, or the classes whose tables are missing.
pub type Met = Result<BTreeMap<ClassKey, BTreeSet<ClassKey>>, BTreeSet<ClassKey>>;

/// The findings about a plane before the first level.
pub struct Edge<S> {
    pub plane: u32,
    /// Positions with a capture, a promotion, or a turn within the group.
    moves: S,
    /// Positions that cannot be lost.
    pub escapes: S,
    /// Positions in which the game is over, whether or not there are turns. Turns from these positions do not
    /// count.
    pub over: S,
    pub lost: S,
    pub won: S,
    /// Wins by captures and promotions, by distance in plies.
    pub wins: Vec<(u16, S)>,
    /// Positions that cannot be lost at a smaller distance, because a capture or promotion is answered only
    /// by a win that takes so long; by distance in plies.
    pub floors: Vec<(u16, S)>,
}

fn add<S: Squares>(list: &mut Vec<(u16, S)>, d: u16, bit: Square) {
    match list.iter_mut().find(|(at, _)| *at == d) {
        Some((_, set)) => *set = set.with(bit),
        None => list.push((d, S::of(bit))),
    }
}

impl<W: Layout> Engine<'_, W> {
    fn route(&self, material: usize, mover: usize, victim: Option<usize>, kind: Kind) -> usize {
        let units = self.last + 1;
        let victim = victim.unwrap_or(units);
        ((material * units + mover) * (units + 1) + victim) * Kind::ALL.len() + kind.index()
    }

    /// Returns the kinds that a unit may have after a step to a square.
    fn kinds<'k>(&'k self, kind: &'k [Kind; 1], color: Color, to: Square) -> &'k [Kind] {
        if !self.board.last_rank(color).has(to) {
            return kind;
        }
        let changes = self.game.facts().changes;
        let promotions = self.promotions[color.index()];
        if kind[0] == Kind::Pawn && !promotions.is_empty() {
            promotions
        } else if changes.contains(&kind[0]) {
            changes
        } else {
            kind
        }
    }

    /// Opens the tables that captures and promotions lead to. Returns the classes that each class leads to,
    /// or the classes that are missing.
    pub fn find_routes(&mut self, tables: &Tables<W>) -> Result<Met, Diagnostic> {
        let mut unknown = BTreeSet::new();
        let mut met: BTreeMap<ClassKey, BTreeSet<ClassKey>> = BTreeMap::new();
        let count = self.last + 1;
        let mut routes = Vec::new();
        routes.resize_with(
            self.route(self.materials.len(), 0, Some(0), Kind::Pawn),
            || None,
        );
        for (m, material) in self.materials.iter().enumerate() {
            let units = &material.units;
            for (mover, unit) in units.iter().enumerate() {
                let side = unit.color;
                let from = tables.canonical(&key_of(units, side)).0;
                let leads = met.entry(from).or_default();
                leads.insert(tables.canonical(&key_of(units, !side)).0);
                for &(other, _) in &material.changes[mover] {
                    let after = key_of(&self.materials[other].units, !side);
                    leads.insert(tables.canonical(&after).0);
                }
                let mut kinds = vec![unit.kind];
                if unit.kind == Kind::Pawn {
                    kinds.extend(self.promotions[side.index()]);
                } else if self.game.facts().changes.contains(&unit.kind) {
                    kinds = self.game.facts().changes.to_vec();
                }
                let victims = (0..count)
                    .filter(|&i| units[i].color != side && units[i].kind != Kind::King)
                    .map(Some);
                for victim in victims.chain([None]) {
                    for &kind in &kinds {
                        if victim.is_none() && (kind == unit.kind || unit.kind != Kind::Pawn) {
                            continue;
                        }
                        let mut key = ClassKey::empty(!side);
                        let mut seated = Vec::new();
                        for (i, u) in units.iter().enumerate() {
                            let kind = if i == mover { kind } else { u.kind };
                            if Some(i) == victim {
                                // A captured unit keeps its place in the list as a king. The real kings come
                                // first, so the captured unit is never seated.
                                seated.push((u.color, Kind::King));
                            } else {
                                key = key.with(u.color, kind, false);
                                seated.push((u.color, kind));
                            }
                        }
                        let (canonical, swap) = tables.canonical(&key);
                        leads.insert(canonical);
                        match tables.table(&canonical)? {
                            None => {
                                unknown.insert(canonical);
                            }
                            Some(table) => {
                                let seats = table.class.seats(&seated, swap);
                                let route = Route { table, swap, seats };
                                routes[self.route(m, mover, victim, kind)] = Some(route);
                            }
                        }
                    }
                }
            }
        }
        self.routes = routes;
        Ok(if unknown.is_empty() {
            Ok(met)
        } else {
            Err(unknown)
        })
    }

    /// Calls `found` with each capture and promotion of a plane: the mover, the captured unit, the mover's
    /// kind afterward, its target, and the squares of the last unit for which the turn is possible. If the
    /// last unit moves, these are its squares before the turn.
    fn exits(
        &self,
        here: &Here<W::Set>,
        side: Color,
        legal: W::Set,
        mut found: impl FnMut(usize, Option<usize>, Kind, Square, W::Set),
    ) {
        let b = self.board;
        let (last, occupied) = (self.last, here.occupied);
        let units = &self.materials[here.material].units;
        let capturable = |i: usize| units[i].color != side && units[i].kind != Kind::King;
        let ends = b.last_rank(side);
        for (i, &unit) in units.iter().enumerate() {
            if unit.color != side {
                continue;
            }
            let own = [unit.kind];
            let promoted: &[Kind] = match unit.kind {
                Kind::Pawn => self.promotions[side.index()],
                _ => &[],
            };
            let ahead =
                |from: Square| self.pawns[side.index()].steps[from.index()] & !occupied & ends;
            if i == last {
                for j in (0..last).filter(|&j| capturable(j)) {
                    let target = Square(here.place[j]);
                    let from = match unit.kind {
                        Kind::Pawn => b.pawn_captures(!side, target),
                        kind => b.reach(kind, target, occupied),
                    };
                    for &kind in self.kinds(&own, side, target) {
                        found(i, Some(j), kind, target, from & legal);
                    }
                }
                if !promoted.is_empty() {
                    for from in legal.iter() {
                        for to in ahead(from).iter() {
                            for &kind in promoted {
                                found(i, None, kind, to, W::Set::of(from));
                            }
                        }
                    }
                }
                continue;
            }
            let from = Square(here.place[i]);
            let reach = match unit.kind {
                Kind::Pawn => b.pawn_captures(side, from),
                kind => b.reach(kind, from, occupied),
            };
            for j in (0..last).filter(|&j| capturable(j)) {
                let target = Square(here.place[j]);
                if reach.has(target) {
                    let way = match b.slides(unit.kind) {
                        Some(_) => b.between(from, target),
                        None => W::Set::EMPTY,
                    };
                    for &kind in self.kinds(&own, side, target) {
                        found(i, Some(j), kind, target, legal & !way);
                    }
                }
            }
            if capturable(last) {
                for target in (reach & legal).iter() {
                    for &kind in self.kinds(&own, side, target) {
                        found(i, Some(last), kind, target, W::Set::of(target));
                    }
                }
            }
            if !promoted.is_empty() {
                for to in ahead(from).iter() {
                    for &kind in promoted {
                        found(i, None, kind, to, legal.without(to));
                    }
                }
            }
        }
    }

    /// Evaluates the captures, promotions and finished games of a plane. Writes its refused and drawn
    /// positions. Returns `None` if the plane has no legal position.
    pub fn edge(
        &self,
        write: &Writer,
        plane: usize,
        side: Color,
        legal: W::Set,
        theirs: &[W::Set],
    ) -> Option<Edge<W::Set>> {
        let here = self.here(plane)?;
        let last = self.last;
        let vacant = self.stands[last] & !here.occupied;
        self.write(write, &here, vacant & !legal, side, Packed::REFUSED);
        if legal.is_empty() {
            return None;
        }
        let mut edge = Edge {
            plane: plane as u32,
            moves: W::Set::EMPTY,
            escapes: W::Set::EMPTY,
            over: W::Set::EMPTY,
            lost: W::Set::EMPTY,
            won: W::Set::EMPTY,
            wins: Vec::new(),
            floors: Vec::new(),
        };
        if self.game.facts().plain == Plain::Settling {
            for bit in legal.iter() {
                let p = self.position(&here, bit, side);
                if let Some(outcome) = self.game.settled(&p) {
                    edge.end(bit, Value::of_outcome(outcome, side));
                }
            }
        }
        let going = legal & !edge.over;
        if going.is_empty() {
            self.write(write, &here, edge.drawn(), side, Packed::DRAWN);
            return Some(edge);
        }
        let mut best = [0u16; 128];
        let mut floor = [0u16; 128];
        self.exits(&here, side, going, |mover, victim, kind, to, bits| {
            let at = self.route(here.material, mover, victim, kind);
            let Some(route) = &self.routes[at] else {
                return;
            };
            let mut after = here.place;
            for bit in bits.iter() {
                after[last] = bit.0;
                after[mover] = to.0;
                let index = route
                    .table
                    .class
                    .index_seated(&after, &route.seats, route.swap);
                let packed = route.table.packed(index);
                let d = packed.plies() + 1;
                let at = bit.index();
                match packed.class() {
                    Packed::LOSS => {
                        if best[at] == 0 || d < best[at] {
                            best[at] = d;
                        }
                    }
                    Packed::WIN => floor[at] = floor[at].max(d),
                    Packed::DRAW => edge.escapes = edge.escapes.with(bit),
                    _ => continue,
                }
                edge.moves = edge.moves.with(bit);
            }
        });
        let without = going & !edge.moves;
        edge.moves |= self.pull(&here, side, without, theirs);
        for bit in (going & !edge.moves).iter() {
            let p = self.position(&here, bit, side);
            let outcome = self.game.outcome_without_turn(&p);
            edge.end(bit, Value::of_outcome(outcome, side));
        }
        self.write(write, &here, edge.drawn(), side, Packed::DRAWN);
        for bit in going.iter() {
            let at = bit.index();
            if best[at] > 0 {
                add(&mut edge.wins, best[at], bit);
                edge.escapes = edge.escapes.with(bit);
            } else if floor[at] > 0 && !edge.escapes.has(bit) {
                add(&mut edge.floors, floor[at], bit);
            }
        }
        Some(edge)
    }
}

impl<S: Squares> Edge<S> {
    /// Returns the positions in which the game has ended with a draw.
    fn drawn(&self) -> S {
        self.over & !(self.lost | self.won)
    }

    /// Records that the game has ended with a value.
    fn end(&mut self, bit: Square, value: Value) {
        match value {
            Value::Loss(_) => self.lost = self.lost.with(bit),
            Value::Win(_) => self.won = self.won.with(bit),
            _ => self.escapes = self.escapes.with(bit),
        }
        self.over = self.over.with(bit);
    }
}
