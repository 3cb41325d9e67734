//! The data that stay the same during a pass: the numbering of planes, and facts about the board and the
//! rules.

use super::super::class::Class;
use super::super::symmetry::{self, Map};
use super::super::tables::Tables;
use super::route::Route;
use super::{Unit, UnitSquares, key_of, materials, units};
use board::{Board, Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::{Game, with_turns};
use std::sync::atomic::{AtomicU16, Ordering};
use values::Packed;

/// The representative of two king squares: the number of its pair, and the map that brings the kings there.
#[derive(Clone, Copy)]
pub struct Lead {
    pub pair: u32,
    pub map: u8,
}

/// The moves of one side's pawns without capture, from each square.
pub struct Pawns<S> {
    /// Targets of single steps from each square.
    pub steps: Vec<S>,
    /// The squares from which a single step leads to each square.
    pub back: Vec<S>,
    /// For each square, the square passed and the target of a double step.
    pub double: Vec<Option<(Square, Square)>>,
}

/// The units of one material, and the materials it can change to.
pub struct Material {
    pub units: Vec<Unit>,
    /// For each unit, the materials that differ only in this unit's kind, with its kind there.
    pub changes: Vec<Vec<(usize, Kind)>>,
    /// For each side to move, the class whose values this material stores, and the seats of the units in it.
    own: [Option<(usize, Vec<u8>)>; 2],
}

/// A plane, decoded.
#[derive(Clone, Copy)]
pub struct Here<S> {
    pub plane: usize,
    pub material: usize,
    pub place: UnitSquares,
    pub occupied: S,
}

/// The data that stay the same during a pass.
pub struct Engine<'a, W: Layout> {
    pub game: &'a dyn Game<W>,
    pub board: &'a Board<W::Set>,
    pub n: usize,
    pub materials: Vec<Material>,
    /// The index of the last unit, whose square is the bit within a plane.
    pub last: usize,
    pub maps: Vec<Map>,
    /// For each map, each byte of a set and each value of the byte, the squares that the map brings there.
    back: Vec<Vec<[W::Set; 256]>>,
    pub leads: Vec<Lead>,
    pairs: Vec<[u8; 2]>,
    /// For each pair of king squares, the maps that leave it unchanged.
    pub fixing: Vec<Vec<u8>>,
    /// Planes of a material for each pair of king squares.
    rest: usize,
    /// Equal units that follow each other. Their squares are kept in ascending order.
    equal: Vec<(usize, usize)>,
    /// For each unit, the number of planes between those with the unit on neighboring squares. `None` for
    /// kings and for units with equals.
    weights: Vec<Option<usize>>,
    /// The squares on which each unit may be.
    pub stands: Vec<W::Set>,
    pub intruding: [W::Set; 2],
    pub promotions: [&'a [Kind]; 2],
    pub pawns: [Pawns<W::Set>; 2],
    pub routes: Vec<Option<Route>>,
}

/// The values of a group's classes, which a pass writes.
pub struct Writer<'a> {
    pub classes: &'a [Class],
    pub offsets: &'a [u32],
    pub values: &'a [AtomicU16],
}

/// Returns whether pawns have a double step on this board.
pub fn double_steps<W: Layout>(game: &dyn Game<W>) -> bool {
    pawns(game, Color::White).double.iter().any(Option::is_some)
}

/// Finds the moves of a lone pawn on each square.
fn pawns<W: Layout>(game: &dyn Game<W>, color: Color) -> Pawns<W::Set> {
    let b = game.board();
    let n = b.geometry().len();
    let mut found = Pawns {
        steps: vec![W::Set::EMPTY; n],
        back: vec![W::Set::EMPTY; n],
        double: vec![None; n],
    };
    for from in (b.squares() & !game.no_pawns(color)).iter() {
        let mut p = Position::<W>::empty();
        p.side = color;
        p.put(color, Kind::Pawn, from);
        with_turns(|turns| {
            game.pseudo_turns(&p, turns);
            for turn in turns.iter() {
                let to = turn.first().to;
                let rank = |s: Square| b.geometry().rank(s);
                if rank(from).abs_diff(rank(to)) == 2 {
                    let passed = b.pushed(W::Set::of(from), color).first();
                    found.double[from.index()] = passed.map(|passed| (passed, to));
                } else {
                    let (steps, back) = (&mut found.steps, &mut found.back);
                    steps[from.index()] = steps[from.index()].with(to);
                    back[to.index()] = back[to.index()].with(from);
                }
            }
        });
    }
    found
}

impl<'a, W: Layout> Engine<'a, W> {
    /// Returns the engine for a group: classes of one material and of all materials that it changes to.
    pub fn new(tables: &'a Tables<W>, classes: &[Class]) -> Self {
        let game = tables.game();
        let board = game.board();
        let geometry = board.geometry();
        let n = geometry.len();
        let units = units(&classes[0].key);
        let has_pawns = units.iter().any(|u| u.kind == Kind::Pawn);
        let maps = symmetry::group(geometry, game.symmetries(), has_pawns);
        let back = maps.iter().map(|map| bytes_back(map, n)).collect();
        let last = units.len() - 1;
        let changing = |unit: &Unit| game.facts().changes.contains(&unit.kind);
        let equal: Vec<(usize, usize)> = (3..last)
            .map(|i| (i - 1, i))
            .filter(|&(a, b)| units[a] == units[b] && !changing(&units[a]))
            .collect();
        let weights = (0..last)
            .map(|i| {
                let ordered = equal.iter().any(|&(a, b)| a == i || b == i);
                (i >= 2 && !ordered).then(|| n.pow((last - 1 - i) as u32))
            })
            .collect();
        let mut engine = Engine {
            game,
            board,
            n,
            last,
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
            equal,
            weights,
            stands: units
                .iter()
                .map(|unit| match unit.kind {
                    Kind::Pawn => board.squares() & !game.no_pawns(unit.color),
                    _ => board.squares(),
                })
                .collect(),
            intruding: [W::Set::EMPTY; 2],
            promotions: [&[]; 2],
            pawns: Color::BOTH.map(|color| pawns(game, color)),
            routes: Vec::new(),
            materials: joined(tables, classes, materials(game, &units)),
        };
        engine.pair_table();
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

    /// Returns the number of planes.
    pub fn planes(&self) -> usize {
        self.materials.len() * self.pairs.len() * self.rest
    }

    /// Returns the number of planes of a material: the distance from a plane to the one with the same squares
    /// in the next material.
    fn stride(&self) -> usize {
        self.pairs.len() * self.rest
    }

    /// Returns the plane with the same squares in another material.
    #[inline]
    pub fn changed(&self, here: &Here<W::Set>, material: usize) -> usize {
        here.plane % self.stride() + material * self.stride()
    }

    /// Decodes a plane into the squares of all units but the last. Returns `None` if units share a square, a
    /// unit may not be on its square, or equal units are out of order.
    pub fn here(&self, plane: usize) -> Option<Here<W::Set>> {
        let mut place = [0; super::MAX_UNITS];
        let (material, local) = (plane / self.stride(), plane % self.stride());
        let (pair, mut rest) = (local / self.rest, local % self.rest);
        place[..2].copy_from_slice(&self.pairs[pair]);
        for i in (2..self.last).rev() {
            place[i] = (rest % self.n) as u8;
            rest /= self.n;
        }
        let mut occupied = W::Set::EMPTY;
        for (&square, stands) in place[..self.last].iter().zip(&self.stands) {
            if occupied.has(Square(square)) || !stands.has(Square(square)) {
                return None;
            }
            occupied = occupied.with(Square(square));
        }
        let ordered = self.equal.iter().all(|&(a, b)| place[a] < place[b]);
        ordered.then_some(Here {
            plane,
            material,
            place,
            occupied,
        })
    }

    /// Returns the plane of these squares, and the map that brings the squares to it.
    #[inline]
    pub fn plane_of(&self, material: usize, place: &UnitSquares) -> (usize, u8) {
        let lead = self.leads[usize::from(place[0]) * self.n + usize::from(place[1])];
        let map = &self.maps[usize::from(lead.map)];
        (
            self.plane_by(material, place, lead.pair as usize, map),
            lead.map,
        )
    }

    /// Returns the plane of these squares, given the map that brings the kings to a representative pair.
    #[inline]
    pub fn plane_by(&self, material: usize, place: &UnitSquares, pair: usize, map: &Map) -> usize {
        let mut mapped = *place;
        for square in &mut mapped[2..self.last] {
            *square = map[usize::from(*square)];
        }
        // There are few equal units, so a bubble sort is enough.
        for _ in 0..self.equal.len() {
            for &(a, b) in &self.equal {
                if mapped[a] > mapped[b] {
                    mapped.swap(a, b);
                }
            }
        }
        let first = material * self.pairs.len() + pair;
        mapped[2..self.last]
            .iter()
            .fold(first, |index, &square| index * self.n + usize::from(square))
    }

    /// Returns the plane of `here` in a material, with unit `i` on square `to`. The unit is neither a king
    /// nor the last one.
    #[inline]
    pub fn plane_moved(&self, here: &Here<W::Set>, i: usize, to: Square, material: usize) -> usize {
        if let Some(weight) = self.weights[i] {
            let first = here.plane - usize::from(here.place[i]) * weight;
            let plane = first + to.index() * weight;
            return match material == here.material {
                true => plane,
                false => plane + material * self.stride() - here.material * self.stride(),
            };
        }
        let mut moved = here.place;
        moved[i] = to.0;
        let pair = here.plane % self.stride() / self.rest;
        self.plane_by(material, &moved, pair, &self.maps[0])
    }

    /// Returns the squares that a map brings into a set.
    #[inline]
    pub fn pull_back(&self, set: W::Set, map: u8) -> W::Set {
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

    /// Returns the position of a plane with the last unit on square `bit`.
    pub fn position(&self, here: &Here<W::Set>, bit: Square, side: Color) -> Position<W> {
        let mut p = Position::<W>::empty();
        p.side = side;
        for (i, unit) in self.materials[here.material].units.iter().enumerate() {
            let square = if i == self.last {
                bit
            } else {
                Square(here.place[i])
            };
            p.put(unit.color, unit.kind, square);
        }
        p
    }

    /// Stores a value for the positions of a plane with the last unit on the squares of `set`.
    pub fn write(
        &self,
        write: &Writer,
        here: &Here<W::Set>,
        set: W::Set,
        side: Color,
        value: Packed,
    ) {
        let Some((class, seats)) = &self.materials[here.material].own[side.index()] else {
            return;
        };
        let mut place = here.place;
        let values = &write.values[write.offsets[*class] as usize..];
        if set.several()
            && let Some(row) = write.classes[*class].row(&place, seats, self.last)
        {
            for square in set.iter() {
                values[row.index(square) as usize].store(value.0, Ordering::Relaxed);
            }
            return;
        }
        for square in set.iter() {
            place[self.last] = square.0;
            let index = write.classes[*class].index_seated(&place, seats, false);
            values[index as usize].store(value.0, Ordering::Relaxed);
        }
    }
}

/// Returns, for each byte of a set and each value of the byte, the squares that the map brings there.
fn bytes_back<S: Squares>(map: &Map, n: usize) -> Vec<[S; 256]> {
    (0..S::CAPACITY / 8)
        .map(|byte| {
            std::array::from_fn(|bits| {
                (0..n)
                    .filter(|&x| {
                        let to = usize::from(map[x]);
                        to / 8 == byte && bits >> (to % 8) & 1 == 1
                    })
                    .fold(S::EMPTY, |set, x| set.with(Square(x as u8)))
            })
        })
        .collect()
}

/// Returns the materials with those that each can change to and the classes that each stores.
fn joined<W: Layout>(
    tables: &Tables<W>,
    classes: &[Class],
    materials: Vec<Vec<Unit>>,
) -> Vec<Material> {
    let own = |units: &[Unit], side: Color| {
        let (canonical, swap) = tables.canonical(&key_of(units, side));
        // If the canonical class has the sides swapped, its values are stored from the other side to move.
        let class = classes.iter().position(|c| c.key == canonical);
        class.filter(|_| !swap).map(|i| {
            let units: Vec<(Color, Kind)> = units.iter().map(|u| (u.color, u.kind)).collect();
            (i, classes[i].seats(&units, false))
        })
    };
    let changes = |units: &[Unit], i: usize| {
        let differs =
            |other: &[Unit]| (0..units.len()).all(|j| (units[j].kind == other[j].kind) == (i != j));
        let others = materials.iter().enumerate();
        others
            .filter(|(_, other)| differs(other))
            .map(|(m, other)| (m, other[i].kind))
            .collect()
    };
    materials
        .iter()
        .map(|units| Material {
            changes: (0..units.len()).map(|i| changes(units, i)).collect(),
            own: Color::BOTH.map(|side| own(units, side)),
            units: units.clone(),
        })
        .collect()
}
