//! The backward pass for plain rule sets, many positions at a time.
//!
//! All units but the last are put up; the positions that differ only in the square of the last one
//! are the bits of one word, a plane. A turn of another unit leads from plane to plane, bit by bit
//! the same square (a slide masks out the squares between); a turn of the last unit stays in its
//! plane. So "has a turn into this set" is asked of a whole plane with a few dozen word
//! operations. Positions in which the side that has just moved stands in check are in no set, so
//! that pins and checks need no thought. Captures and promotions lead to tables that are there
//! already; they are looked up one by one, once.
//!
//! Level by level: a position is won at n if it has a turn to one lost at n-1; lost at n if it has
//! no turn to one not won below n. A capture that is met by a far win holds the loss back until
//! then. Only planes from which a turn leads to something new are looked at.

use super::build::Solved;
use super::class::{Class, ClassKey, MAX_UNITS};
use super::symmetry::{self, Map};
use super::tables::{Table, Tables};
use super::{Limits, Observer, Stopped};
use crate::board::{Board, Color, Kind, Square, Squares};
use crate::input::InputError;
use crate::position::{BoundUnits, Layout, Position};
use crate::rules::{Game, Plain};
use crate::solve::value::{MAX_DISTANCE_PLIES, Packed, Value};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};

/// Planes that a thread takes at a time.
const CHUNK: usize = 1 << 9;

/// Whether this pass can solve a group.
pub fn fits<W: Layout>(tables: &Tables<W>, classes: &[Class]) -> bool {
    let game = tables.game();
    let promise = game.plain();
    let key = classes[0].key;
    let pawns = Color::BOTH.map(|c| key.count(c, Kind::Pawn));
    let one_material = classes.iter().all(|c| {
        let other = c.key;
        [other, other.swapped(other.state)]
            .into_iter()
            .any(|mut k| {
                k.side = key.side;
                k == key
            })
    });
    promise != Plain::No
        && <W::Bound as BoundUnits>::CAPACITY == 0
        && one_material
        && classes.len() <= 2
        && key.state == 0
        && !key.passed
        && (3..=6).contains(&key.total())
        && Color::BOTH
            .into_iter()
            .all(|c| key.count(c, Kind::King) == 1)
        && (pawns == [0, 0] || promise == Plain::All)
        && (pawns[0] == 0 || pawns[1] == 0)
}

/// Bytes that this pass needs for a group, its values included.
pub fn memory_bytes<W: Layout>(game: &dyn Game<W>, classes: &[Class]) -> u64 {
    let n = game.board().geometry().len() as u64;
    let total = classes[0].key.total() as u32;
    let symmetry = classes[0].symmetry().max(1) as u64;
    let planes = (n * n / symmetry + n) * n.pow(total - 3);
    let word = <W::Set as Squares>::CAPACITY as u64 / 8;
    let indices: u64 = classes.iter().map(Class::len).sum();
    2 * planes * (8 * word + 3) + 2 * indices + (4 << 20)
}

#[derive(Clone, Copy)]
struct Unit {
    color: Color,
    kind: Kind,
}

/// Where captures or promotions lead.
struct Route {
    table: Arc<Table>,
    swap: bool,
    seats: Vec<u8>,
}

/// A place among the representatives of pairs of kings.
#[derive(Clone, Copy)]
struct Lead {
    pair: u32,
    map: u8,
}

struct Engine<'a, W: Layout> {
    game: &'a dyn Game<W>,
    board: &'a Board<W::Set>,
    n: usize,
    /// Kings, White's first, then the others; the last one is the bit.
    units: Vec<Unit>,
    maps: Vec<Map>,
    /// For each map, the squares that it brings to the squares of a byte.
    back: Vec<Vec<[W::Set; 256]>>,
    leads: Vec<Lead>,
    pairs: Vec<[u8; 2]>,
    /// For each pair, the maps that leave it as it is.
    fixing: Vec<Vec<u8>>,
    /// Planes of a pair.
    rest: usize,
    /// Next unit with an equal one before it: their squares are kept in order.
    equal: Vec<(usize, usize)>,
    /// Where each unit may stand.
    stands: Vec<W::Set>,
    intruding: [W::Set; 2],
    promotions: [&'static [Kind]; 2],
    routes: BTreeMap<(Color, usize, usize, usize), Route>,
    own: [Own; 2],
}

/// Where the values of one side to move are stored, if they are.
struct Own {
    class: Option<(usize, Vec<u8>)>,
}

/// The sets of one side to move.
struct Side<S> {
    /// Legal and not won.
    safe: Vec<S>,
    /// Legal and not decided.
    open: Vec<S>,
    /// Cannot be lost, because of captures, promotions or stalemate.
    escapes: Vec<S>,
    /// Cannot be lost yet, because of captures met by far wins.
    held: Vec<S>,
    /// Lost, and won, in the level before.
    lost: Vec<(u32, S)>,
    won: Vec<(u32, S)>,
    /// The same losses, plane by plane.
    lost_planes: Vec<S>,
    /// Wins by captures and promotions, and losses to be released, by level.
    wins_at: BTreeMap<u16, Vec<(u32, S)>>,
    release_at: BTreeMap<u16, Vec<(u32, S)>>,
}

const NO_CAPTURE: usize = usize::MAX;

/// Solves a group: see [`fits`].
pub fn solve<W: Layout>(
    tables: &Tables<W>,
    classes: &[Class],
    limits: &Limits,
    observer: &dyn Observer,
) -> Result<Solved, Stopped> {
    let mut engine = Engine::new(tables.game(), classes[0].key);
    engine.own = Color::BOTH.map(|side| engine.own_class(tables, classes, side));
    let met = match engine.find_routes(tables)? {
        Ok(met) => met,
        Err(unknown) => return Ok(Solved::Meets(unknown)),
    };
    let total: usize = classes.iter().map(|c| c.len() as usize).sum();
    let values: Vec<AtomicU16> = (0..total).map(|_| AtomicU16::new(0)).collect();
    let offsets: Vec<usize> = classes
        .iter()
        .scan(0, |at, c| {
            let here = *at;
            *at += c.len() as usize;
            Some(here)
        })
        .collect();
    let write = Writer {
        classes,
        offsets: &offsets,
        values: &values,
    };
    engine.run(&write, limits, observer)?;
    let leads_to = classes
        .iter()
        .map(|class| {
            let mut quiet = class.key;
            quiet.side = !quiet.side;
            met.iter()
                .filter(|(side, _)| *side == class.key.side)
                .map(|(_, key)| *key)
                .chain([tables.canonical(&quiet).0])
                .collect()
        })
        .collect();
    Ok(Solved::Values {
        met: leads_to,
        values: values.into_iter().map(AtomicU16::into_inner).collect(),
    })
}

struct Writer<'a> {
    classes: &'a [Class],
    offsets: &'a [usize],
    values: &'a [AtomicU16],
}

/// The squares of all units; the last one is filled in for each bit.
type Place = [u8; MAX_UNITS];

impl<'a, W: Layout> Engine<'a, W> {
    fn new(game: &'a dyn Game<W>, key: ClassKey) -> Self {
        let board = game.board();
        let geometry = board.geometry();
        let n = geometry.len();
        let mut others: Vec<(usize, Unit)> = Vec::new();
        for kind in Kind::ALL.into_iter().rev().skip(1) {
            for color in Color::BOTH {
                let count = key.count(color, kind);
                others.extend(std::iter::repeat_n((count, Unit { color, kind }), count));
            }
        }
        // A unit without equals last, if there is one; a piece rather than a pawn.
        others.sort_by_key(|(count, unit)| (*count == 1, unit.kind != Kind::Pawn));
        let kings = Color::BOTH.map(|color| Unit {
            color,
            kind: Kind::King,
        });
        let units: Vec<Unit> = kings
            .into_iter()
            .chain(others.iter().map(|(_, u)| *u))
            .collect();
        let pawns = units.iter().any(|u| u.kind == Kind::Pawn);
        let maps = symmetry::group(geometry, game.symmetries(), pawns);
        let back = maps
            .iter()
            .map(|map| {
                (0..<W::Set as Squares>::CAPACITY / 8)
                    .map(|byte| {
                        std::array::from_fn(|bits| {
                            (0..n)
                                .filter(|&x| {
                                    let to = usize::from(map[x]);
                                    to / 8 == byte && bits >> (to % 8) & 1 == 1
                                })
                                .fold(W::Set::EMPTY, |set, x| set.with(Square(x as u8)))
                        })
                    })
                    .collect()
            })
            .collect();
        let mut engine = Engine {
            game,
            board,
            n,
            maps,
            back,
            leads: vec![
                Lead {
                    pair: u32::MAX,
                    map: 0
                };
                n * n
            ],
            pairs: Vec::new(),
            fixing: Vec::new(),
            rest: n.pow(units.len() as u32 - 3),
            equal: Vec::new(),
            stands: units
                .iter()
                .map(|unit| match unit.kind {
                    Kind::Pawn => board.squares() & !game.no_pawns(unit.color),
                    _ => board.squares(),
                })
                .collect(),
            intruding: [W::Set::EMPTY; 2],
            promotions: [&[]; 2],
            routes: BTreeMap::new(),
            own: [Own { class: None }, Own { class: None }],
            units,
        };
        engine.pair_table();
        let last = engine.units.len() - 1;
        for i in 3..last {
            let (a, b) = (engine.units[i - 1], engine.units[i]);
            if a.color == b.color && a.kind == b.kind {
                engine.equal.push((i - 1, i));
            }
        }
        for color in Color::BOTH {
            let mut p = Position::<W>::empty();
            p.side = color;
            engine.promotions[color.index()] = game.promotions(&p);
            for square in board.squares().iter() {
                let mut q = p;
                q.put(color, Kind::Knight, square);
                if game.in_check(&q, !color) {
                    let set = &mut engine.intruding[color.index()];
                    *set = set.with(square);
                }
            }
        }
        engine
    }

    fn pair_table(&mut self) {
        let n = self.n;
        let all: Vec<u8> = self.board.squares().iter().map(|s| s.0).collect();
        for &a in &all {
            for &b in &all {
                if a == b || self.leads[usize::from(a) * n + usize::from(b)].pair != u32::MAX {
                    continue;
                }
                let pair = self.pairs.len() as u32;
                self.pairs.push([a, b]);
                let mut fixing = Vec::new();
                for (index, map) in self.maps.iter().enumerate() {
                    // `map` brings the image to the representative.
                    let from = |to: u8| (0..n).find(|&s| map[s] == to).unwrap_or(0);
                    let (x, y) = (from(a), from(b));
                    if (x, y) == (usize::from(a), usize::from(b)) && index > 0 {
                        fixing.push(index as u8);
                    }
                    let lead = &mut self.leads[x * n + y];
                    if lead.pair == u32::MAX {
                        *lead = Lead {
                            pair,
                            map: index as u8,
                        };
                    }
                }
                self.fixing.push(fixing);
            }
        }
    }

    fn own_class(&self, tables: &Tables<W>, classes: &[Class], side: Color) -> Own {
        let mut key = ClassKey::empty(side);
        for unit in &self.units {
            key = key.with(unit.color, unit.kind, false);
        }
        let (canonical, swap) = tables.canonical(&key);
        // When both sides are one class, its own side to move is enough.
        let class = classes
            .iter()
            .position(|c| c.key == canonical)
            .filter(|_| !swap);
        Own {
            class: class.map(|i| {
                let units: Vec<(Color, Kind)> =
                    self.units.iter().map(|u| (u.color, u.kind)).collect();
                (i, classes[i].seats(&units, false))
            }),
        }
    }

    /// Opens the tables that captures and promotions lead to. Returns them with the mover, or the
    /// classes that are missing.
    #[allow(clippy::type_complexity)]
    fn find_routes(
        &mut self,
        tables: &Tables<W>,
    ) -> Result<Result<Vec<(Color, ClassKey)>, BTreeSet<ClassKey>>, InputError> {
        let mut unknown = BTreeSet::new();
        let mut met = Vec::new();
        for (mover, unit) in self.units.iter().enumerate() {
            let side = unit.color;
            let victims = self
                .units
                .iter()
                .enumerate()
                .filter(|(_, u)| u.color != side);
            let captures = std::iter::once(NO_CAPTURE).chain(
                victims
                    .filter(|(_, u)| u.kind != Kind::King)
                    .map(|(i, _)| i),
            );
            for victim in captures {
                let mut become_kinds = vec![unit.kind];
                if unit.kind == Kind::Pawn {
                    become_kinds.extend(self.promotions[side.index()]);
                }
                for kind in become_kinds {
                    if victim == NO_CAPTURE && kind == unit.kind {
                        continue;
                    }
                    let mut key = ClassKey::empty(!side);
                    let mut units = Vec::new();
                    for (i, u) in self.units.iter().enumerate() {
                        // The captured unit keeps its place in the list, out of all groups.
                        let kind = if i == mover { kind } else { u.kind };
                        if i == victim {
                            units.push((u.color, Kind::King));
                        } else {
                            key = key.with(u.color, kind, false);
                            units.push((u.color, kind));
                        }
                    }
                    let (canonical, swap) = tables.canonical(&key);
                    met.push((side, canonical));
                    match tables.table(&canonical)? {
                        None => {
                            unknown.insert(canonical);
                        }
                        Some(table) => {
                            // Kings come first in the list, so that a captured unit, named a
                            // king, is never seated.
                            let seats = table.class.seats(&units, swap);
                            let route = Route { table, swap, seats };
                            self.routes
                                .insert((side, mover, victim, kind.index()), route);
                        }
                    }
                }
            }
        }
        Ok(if unknown.is_empty() {
            Ok(met)
        } else {
            Err(unknown)
        })
    }

    /// The squares of a plane, the last unit's left out; nothing where units share a square or
    /// equal ones are out of order.
    fn place(&self, plane: usize) -> Option<(Place, W::Set)> {
        let mut place = [0; MAX_UNITS];
        let (pair, mut rest) = (plane / self.rest, plane % self.rest);
        place[..2].copy_from_slice(&self.pairs[pair]);
        let last = self.units.len() - 1;
        for i in (2..last).rev() {
            place[i] = (rest % self.n) as u8;
            rest /= self.n;
        }
        let mut occupied = W::Set::EMPTY;
        for (&square, stands) in place[..last].iter().zip(&self.stands) {
            if occupied.has(Square(square)) || !stands.has(Square(square)) {
                return None;
            }
            occupied = occupied.with(Square(square));
        }
        self.equal
            .iter()
            .all(|&(a, b)| place[a] < place[b])
            .then_some((place, occupied))
    }

    /// The plane of these squares, and the map that brings them to it.
    #[inline]
    fn plane_of(&self, place: &Place) -> (usize, u8) {
        let lead = self.leads[usize::from(place[0]) * self.n + usize::from(place[1])];
        let plane = self.plane_by(place, lead.pair as usize, &self.maps[usize::from(lead.map)]);
        (plane, lead.map)
    }

    #[inline]
    fn plane_by(&self, place: &Place, pair: usize, map: &Map) -> usize {
        let last = self.units.len() - 1;
        let mut mapped = *place;
        for square in &mut mapped[2..last] {
            *square = map[usize::from(*square)];
        }
        // Few equals: a bubble is enough.
        for _ in 0..self.equal.len() {
            for &(a, b) in &self.equal {
                if mapped[a] > mapped[b] {
                    mapped.swap(a, b);
                }
            }
        }
        mapped[2..last]
            .iter()
            .fold(pair, |index, &square| index * self.n + usize::from(square))
    }

    /// The squares that a map brings into a set.
    #[inline]
    fn pull_back(&self, set: W::Set, map: u8) -> W::Set {
        if map == 0 || set.is_empty() {
            return set;
        }
        let tables = &self.back[usize::from(map)];
        let bits = set.bits();
        let mut found = W::Set::EMPTY;
        for (byte, table) in tables.iter().enumerate() {
            found |= table[(bits >> (8 * byte)) as usize & 255];
        }
        found
    }

    /// Squares from which a unit that is the bit goes to `to` without capturing.
    #[inline]
    fn sources(&self, unit: Unit, to: Square, occupied: W::Set) -> W::Set {
        let b = self.board;
        match unit.kind {
            Kind::Pawn => {
                let behind = b.pushed(W::Set::of(to), !unit.color) & !occupied;
                let mut from = behind;
                if self.doubles(unit.color, to) {
                    from |= b.pushed(behind, !unit.color) & !occupied;
                }
                from
            }
            kind => b.reach(kind, to, occupied) & !occupied,
        }
    }

    /// Whether a double step may end there.
    fn doubles(&self, color: Color, to: Square) -> bool {
        self.board.geometry().ranks() >= 6 && self.board.rank_of(color, 3).has(to)
    }

    /// Calls `found` with each square that a unit of the plane goes to without capturing a fixed
    /// unit, staying what it is, and the squares that the last unit may not stand on for that.
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
            let ahead = b.pushed(W::Set::of(from), unit.color) & !occupied;
            let Some(to) = ahead.first() else { return };
            if b.last_rank(unit.color).has(to) || found(to, ahead) {
                return;
            }
            if b.geometry().ranks() >= 6 && b.rank_of(unit.color, 1).has(from) {
                let two = b.pushed(ahead, unit.color) & !occupied;
                if let Some(to) = two.first() {
                    found(to, two | ahead);
                }
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

    /// Of `wanted`, the squares of the last unit from which `side` has a turn into `target` that
    /// captures and promotes nothing.
    fn pull(
        &self,
        place: &Place,
        occupied: W::Set,
        side: Color,
        wanted: W::Set,
        target: &[W::Set],
        plane: usize,
    ) -> W::Set {
        let last = self.units.len() - 1;
        let mut found = W::Set::EMPTY;
        if self.units[last].color == side {
            let here = target[plane];
            if here.len() <= wanted.len() {
                for to in here.iter() {
                    found |= self.sources(self.units[last], to, occupied);
                }
                found &= wanted;
            } else {
                for from in wanted.iter() {
                    self.steps(self.units[last], from, occupied, |to, _| {
                        let hit = here.has(to);
                        if hit {
                            found = found.with(from);
                        }
                        hit
                    });
                }
            }
        }
        for (i, &unit) in self.units[..last].iter().enumerate() {
            if unit.color != side {
                continue;
            }
            if found == wanted {
                return found;
            }
            let mut moved = *place;
            self.steps(unit, Square(place[i]), occupied, |to, way| {
                moved[i] = to.0;
                let set = if i < 2 {
                    let (there, map) = self.plane_of(&moved);
                    self.pull_back(target[there], map)
                } else {
                    target[self.plane_same(&moved, plane)]
                };
                found |= set & !way & wanted;
                found == wanted
            });
        }
        found
    }

    /// The plane of these squares, the kings where they stand in `plane`.
    #[inline]
    fn plane_same(&self, place: &Place, plane: usize) -> usize {
        self.plane_by(place, plane / self.rest, &self.maps[0])
    }

    /// Marks the planes from which `side` may have a turn into this one.
    fn mark(&self, plane: usize, set: W::Set, side: Color, dirty: &[AtomicU8]) {
        let Some((place, occupied)) = self.place(plane) else {
            return;
        };
        let last = self.units.len() - 1;
        if self.units[last].color == side {
            dirty[plane].store(1, Ordering::Relaxed);
        }
        let b = self.board;
        for (i, &unit) in self.units[..last].iter().enumerate() {
            if unit.color != side {
                continue;
            }
            let mut moved = place;
            for from in self.sources(unit, Square(place[i]), occupied).iter() {
                if b.slides(unit.kind).is_some()
                    && (set & !b.between(from, Square(place[i])).with(from)).is_empty()
                {
                    continue;
                }
                moved[i] = from.0;
                if i >= 2 {
                    dirty[self.plane_same(&moved, plane)].store(1, Ordering::Relaxed);
                    continue;
                }
                let lead = self.leads[usize::from(moved[0]) * self.n + usize::from(moved[1])];
                let map = &self.maps[usize::from(lead.map)];
                let pair = lead.pair as usize;
                dirty[self.plane_by(&moved, pair, map)].store(1, Ordering::Relaxed);
                for &fix in &self.fixing[pair] {
                    let fix = &self.maps[usize::from(fix)];
                    let both: Map = std::array::from_fn(|s| fix[usize::from(map[s])]);
                    dirty[self.plane_by(&moved, pair, &both)].store(1, Ordering::Relaxed);
                }
            }
        }
    }

    /// The squares of the last unit where the position is legal with `side` to move.
    fn legal(&self, place: &Place, occupied: W::Set, side: Color) -> W::Set {
        let b = self.board;
        let last = self.units.len() - 1;
        let mut legal = self.stands[last] & !occupied;
        let king = Square(place[(!side).index()]);
        for (i, &unit) in self.units.iter().enumerate() {
            if i < last {
                let from = Square(place[i]);
                if unit.color != side {
                    continue;
                }
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
            } else if unit.color == side {
                legal &= !self.intruding[side.index()];
                legal &= !match unit.kind {
                    Kind::Pawn => b.pawn_captures(!side, king),
                    kind => b.reach(kind, king, occupied),
                };
            }
        }
        legal
    }

    /// Calls `found` with each capture and promotion of a plane: the mover, the captured unit, the
    /// kind after it, where it goes, and the squares of the last unit for which it is possible
    /// (its own before the turn if it is the one that moves).
    fn exits(
        &self,
        place: &Place,
        occupied: W::Set,
        side: Color,
        legal: W::Set,
        mut found: impl FnMut(usize, usize, Kind, Option<Square>, W::Set),
    ) {
        let b = self.board;
        let last = self.units.len() - 1;
        let capturable = |i: usize| self.units[i].color != side && self.units[i].kind != Kind::King;
        let ends = b.last_rank(side);
        for (i, &unit) in self.units.iter().enumerate() {
            if unit.color != side {
                continue;
            }
            let pawn = unit.kind == Kind::Pawn;
            let own = std::slice::from_ref(&self.units[i].kind);
            let promoted = self.promotions[side.index()];
            let kinds = |to: Square| if pawn && ends.has(to) { promoted } else { own };
            if i == last {
                for j in (0..last).filter(|&j| capturable(j)) {
                    let target = Square(place[j]);
                    let from = match unit.kind {
                        Kind::Pawn => b.pawn_captures(!side, target),
                        kind => b.reach(kind, target, occupied),
                    };
                    for &kind in kinds(target) {
                        found(i, j, kind, Some(target), from & legal);
                    }
                }
                if pawn {
                    for from in legal.iter() {
                        let to = b.pushed(W::Set::of(from), side) & !occupied & ends;
                        if let Some(to) = to.first() {
                            for &kind in promoted {
                                found(i, NO_CAPTURE, kind, Some(to), W::Set::of(from));
                            }
                        }
                    }
                }
                continue;
            }
            let from = Square(place[i]);
            let reach = match unit.kind {
                Kind::Pawn => b.pawn_captures(side, from),
                kind => b.reach(kind, from, occupied),
            };
            for j in (0..last).filter(|&j| capturable(j)) {
                let target = Square(place[j]);
                if reach.has(target) {
                    let way = match b.slides(unit.kind) {
                        Some(_) => b.between(from, target),
                        None => W::Set::EMPTY,
                    };
                    for &kind in kinds(target) {
                        found(i, j, kind, Some(target), legal & !way);
                    }
                }
            }
            if capturable(last) {
                for target in (reach & legal).iter() {
                    for &kind in kinds(target) {
                        found(i, last, kind, Some(target), W::Set::of(target));
                    }
                }
            }
            if pawn {
                let to = b.pushed(W::Set::of(from), side) & !occupied & ends;
                if let Some(to) = to.first() {
                    for &kind in promoted {
                        found(i, NO_CAPTURE, kind, Some(to), legal.without(to));
                    }
                }
            }
        }
    }

    fn position(&self, place: &Place, bit: Square, side: Color) -> Position<W> {
        let mut p = Position::<W>::empty();
        p.side = side;
        let last = self.units.len() - 1;
        for (i, unit) in self.units.iter().enumerate() {
            let square = if i == last { bit } else { Square(place[i]) };
            p.put(unit.color, unit.kind, square);
        }
        p
    }

    fn write(&self, write: &Writer, place: &Place, set: W::Set, side: Color, value: Packed) {
        let Some((class, seats)) = &self.own[side.index()].class else {
            return;
        };
        let last = self.units.len() - 1;
        let mut place = *place;
        for square in set.iter() {
            place[last] = square.0;
            let index = write.classes[*class].index_seated(&place, seats, false);
            write.values[write.offsets[*class] + index as usize].store(value.0, Ordering::Relaxed);
        }
    }

    fn planes(&self) -> usize {
        self.pairs.len() * self.rest
    }

    /// Looks at each plane with some threads; results in the order of planes.
    fn each_plane<T: Send>(
        &self,
        limits: &Limits,
        look: impl Fn(usize, &mut Vec<T>) + Sync,
    ) -> Result<Vec<T>, Stopped> {
        let planes = self.planes();
        let parts: Vec<Vec<T>> = (0..planes.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let mut found = Vec::new();
                if !limits.stopped() {
                    for plane in chunk * CHUNK..((chunk + 1) * CHUNK).min(planes) {
                        look(plane, &mut found);
                    }
                }
                found
            })
            .collect();
        if limits.stopped() {
            return Err(Stopped::Interrupted);
        }
        Ok(parts.into_iter().flatten().collect())
    }

    /// The sets of both sides before the first level.
    fn begin(&self, limits: &Limits) -> Result<[Side<W::Set>; 2], Stopped> {
        let begin = |side| -> Result<Side<W::Set>, Stopped> {
            let legal = self.each_plane(limits, |plane, out| {
                out.push(
                    self.place(plane)
                        .map_or(W::Set::EMPTY, |(place, occupied)| {
                            self.legal(&place, occupied, side)
                        }),
                );
            })?;
            let empty = vec![W::Set::EMPTY; legal.len()];
            Ok(Side {
                open: legal.clone(),
                safe: legal,
                escapes: empty.clone(),
                held: empty.clone(),
                lost: Vec::new(),
                won: Vec::new(),
                lost_planes: empty,
                wins_at: BTreeMap::new(),
                release_at: BTreeMap::new(),
            })
        };
        Ok([begin(Color::White)?, begin(Color::Black)?])
    }

    /// What captures, promotions and the lack of turns mean for a plane.
    fn edge(
        &self,
        write: &Writer,
        plane: usize,
        side: Color,
        legal: W::Set,
        theirs: &[W::Set],
    ) -> Option<Edge<W::Set>> {
        let (place, occupied) = self.place(plane)?;
        let last = self.units.len() - 1;
        let vacant = self.stands[last] & !occupied;
        self.write(write, &place, vacant & !legal, side, Packed::REFUSED);
        self.write(write, &place, legal, side, Packed::new(Packed::DRAW, 0));
        if legal.is_empty() {
            return None;
        }
        let mut edge = Edge {
            plane: plane as u32,
            moves: W::Set::EMPTY,
            escapes: W::Set::EMPTY,
            lost: W::Set::EMPTY,
            won: W::Set::EMPTY,
            wins: Vec::new(),
            floors: Vec::new(),
        };
        let mut best = [0u16; 128];
        let mut floor = [0u16; 128];
        self.exits(
            &place,
            occupied,
            side,
            legal,
            |mover, victim, kind, to, bits| {
                let Some(route) = self.routes.get(&(side, mover, victim, kind.index())) else {
                    return;
                };
                let mut after = place;
                for bit in bits.iter() {
                    after[last] = bit.0;
                    if let Some(to) = to {
                        after[mover] = to.0;
                    }
                    let index = route
                        .table
                        .class
                        .index_seated(&after, &route.seats, route.swap);
                    let packed = Packed(route.table.values[index as usize]);
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
            },
        );
        let without = legal & !edge.moves;
        edge.moves |= self.pull(&place, occupied, side, without, theirs, plane);
        for bit in (legal & !edge.moves).iter() {
            let p = self.position(&place, bit, side);
            match Value::of_outcome(self.game.outcome_without_turn(&p), side) {
                Value::Loss(_) => edge.lost = edge.lost.with(bit),
                Value::Win(_) => edge.won = edge.won.with(bit),
                _ => edge.escapes = edge.escapes.with(bit),
            }
        }
        for bit in legal.iter() {
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

    fn run(&self, write: &Writer, limits: &Limits, observer: &dyn Observer) -> Result<(), Stopped> {
        let mut sides = self.begin(limits)?;
        for side in Color::BOTH {
            let (own, theirs) = (&sides[side.index()], &sides[(!side).index()]);
            let edges = self.each_plane(limits, |plane, out| {
                out.extend(self.edge(write, plane, side, own.open[plane], &theirs.safe));
            })?;
            let own = &mut sides[side.index()];
            for edge in edges {
                let at = edge.plane as usize;
                own.escapes[at] = edge.escapes;
                if !edge.lost.is_empty() {
                    own.lost.push((edge.plane, edge.lost));
                }
                if !edge.won.is_empty() {
                    own.won.push((edge.plane, edge.won));
                }
                for (d, bits) in edge.wins {
                    own.wins_at.entry(d).or_default().push((edge.plane, bits));
                }
                for (d, bits) in edge.floors {
                    own.held[at] |= bits;
                    own.release_at
                        .entry(d)
                        .or_default()
                        .push((edge.plane, bits));
                }
            }
        }
        // `safe` was needed whole above; ended games leave the sets only now.
        for side in &mut sides {
            settle(side);
        }
        for side in Color::BOTH {
            let own = &sides[side.index()];
            for (list, class) in [(&own.lost, Packed::LOSS), (&own.won, Packed::WIN)] {
                for &(plane, set) in list {
                    if let Some((place, _)) = self.place(plane as usize) {
                        self.write(write, &place, set, side, Packed::new(class, 0));
                    }
                }
            }
        }
        let dirty: [Vec<AtomicU8>; 2] =
            std::array::from_fn(|_| (0..self.planes()).map(|_| AtomicU8::new(0)).collect());
        for level in 1.. {
            let pending = sides.iter().any(|s| {
                !s.lost.is_empty()
                    || !s.won.is_empty()
                    || s.wins_at.range(level..).next().is_some()
                    || s.release_at.range(level..).next().is_some()
            });
            if !pending {
                break;
            }
            if level >= MAX_DISTANCE_PLIES {
                return Err(InputError::new(
                    "table",
                    format!("a distance outgrows {MAX_DISTANCE_PLIES} plies"),
                )
                .into());
            }
            observer.level(level);
            for side in Color::BOTH {
                let releases = sides[side.index()].release_at.remove(&level);
                let own = &mut sides[side.index()];
                for (plane, bits) in releases.into_iter().flatten() {
                    own.held[plane as usize] &= !bits;
                    dirty[side.index()][plane as usize].store(1, Ordering::Relaxed);
                }
                let theirs = &sides[(!side).index()];
                for list in [&theirs.lost, &theirs.won] {
                    list.par_iter().with_min_len(256).for_each(|&(plane, set)| {
                        self.mark(plane as usize, set, side, &dirty[side.index()]);
                    });
                }
                for &(plane, _) in sides[side.index()]
                    .wins_at
                    .get(&level)
                    .into_iter()
                    .flatten()
                {
                    dirty[side.index()][plane as usize].store(1, Ordering::Relaxed);
                }
            }
            let mut fresh = Vec::new();
            for side in Color::BOTH {
                let (own, theirs) = (&sides[side.index()], &sides[(!side).index()]);
                let exits: &[(u32, W::Set)] = own.wins_at.get(&level).map_or(&[], Vec::as_slice);
                let dirty = &dirty[side.index()];
                let found = self.each_plane(limits, |plane, out| {
                    if dirty[plane].load(Ordering::Relaxed) == 0 {
                        return;
                    }
                    dirty[plane].store(0, Ordering::Relaxed);
                    let open = own.open[plane];
                    if open.is_empty() {
                        return;
                    }
                    let Some((place, occupied)) = self.place(plane) else {
                        return;
                    };
                    let mut won =
                        self.pull(&place, occupied, side, open, &theirs.lost_planes, plane);
                    if let Ok(at) = exits.binary_search_by_key(&(plane as u32), |e| e.0) {
                        won |= exits[at].1 & open;
                    }
                    let asked = open & !won & !own.escapes[plane] & !own.held[plane];
                    let lost = if asked.is_empty() {
                        asked
                    } else {
                        asked & !self.pull(&place, occupied, side, asked, &theirs.safe, plane)
                    };
                    if (won | lost).is_empty() {
                        return;
                    }
                    self.write(write, &place, won, side, Packed::new(Packed::WIN, level));
                    self.write(write, &place, lost, side, Packed::new(Packed::LOSS, level));
                    out.push((plane as u32, won, lost));
                })?;
                fresh.push(found);
            }
            for (side, found) in sides.iter_mut().zip(fresh) {
                for &(plane, _) in &side.lost {
                    side.lost_planes[plane as usize] = W::Set::EMPTY;
                }
                let won = found.iter().map(|&(plane, won, _)| (plane, won));
                side.won = won.filter(|(_, set)| !set.is_empty()).collect();
                let lost = found.iter().map(|&(plane, _, lost)| (plane, lost));
                side.lost = lost.filter(|(_, set)| !set.is_empty()).collect();
                settle(side);
            }
        }
        Ok(())
    }
}

/// What is found out about a plane before the first level.
struct Edge<S> {
    plane: u32,
    moves: S,
    escapes: S,
    lost: S,
    won: S,
    wins: Vec<(u16, S)>,
    floors: Vec<(u16, S)>,
}

fn add<S: Squares>(list: &mut Vec<(u16, S)>, d: u16, bit: Square) {
    match list.iter_mut().find(|(at, _)| *at == d) {
        Some((_, set)) => *set = set.with(bit),
        None => list.push((d, S::of(bit))),
    }
}

/// Takes what a level has decided out of the sets.
fn settle<S: Squares>(side: &mut Side<S>) {
    for &(plane, set) in &side.won {
        side.safe[plane as usize] &= !set;
        side.open[plane as usize] &= !set;
    }
    for &(plane, set) in &side.lost {
        side.open[plane as usize] &= !set;
        side.lost_planes[plane as usize] = set;
    }
}
