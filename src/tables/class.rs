//! Classes of positions and their dense indices. The positions of a class share the units, the side to move
//! and the variant state, and differ only in placement. Indices are computed by ranking placements; no list
//! of positions is stored.

use super::key::{ClassKey, MAX_UNITS};
use super::symmetry::{self, Map};
use board::{Color, Geometry, Kind, Square, Squares};
use notation::fen;
use per_layout::per_layout;
use position::{BoundUnit, BoundUnits, Layout, Position};
use rules::{Game, before};

/// Equal units of a class, and the squares on which they may be.
#[derive(Clone, Debug)]
struct Group {
    color: Color,
    kind: Kind,
    bound: bool,
    passed: bool,
    count: usize,
    squares: Vec<u8>,
    place: [u8; 128],
    size: u64,
}

const NOWHERE: u8 = u8::MAX;

impl Group {
    fn has_equals(&self) -> bool {
        self.count > 1
    }

    /// Sets `size` to the number of placements of the units on the squares. Bound units may share a square.
    fn sized(mut self) -> Group {
        let n = self.squares.len() as u64 + if self.bound { self.count as u64 - 1 } else { 0 };
        self.size = binomial(n, self.count as u64);
        self
    }

    /// Returns the rank of the squares. Replaces `squares` with their places in the group, sorted.
    fn rank(&self, squares: &mut [u8]) -> u64 {
        for square in squares.iter_mut() {
            *square = self.place[usize::from(*square)];
        }
        squares.sort_unstable();
        let mut rank = 0;
        for (i, &place) in squares.iter().enumerate() {
            let place = u64::from(place) + if self.bound { i as u64 } else { 0 };
            rank += binomial(place, i as u64 + 1);
        }
        rank
    }

    /// Returns the rank of the squares after `map` is applied. Nearly all groups have one or two units, which
    /// are ranked directly.
    #[inline]
    fn rank_turned(&self, squares: &[u8], map: &Map) -> u64 {
        let place = |square: u8| u64::from(self.place[usize::from(map[usize::from(square)])]);
        match *squares {
            [one] => place(one),
            [one, other] => {
                let (one, other) = (place(one), place(other));
                one.min(other) + binomial(one.max(other) + u64::from(self.bound), 2)
            }
            _ => {
                let mut turned = [0; MAX_UNITS];
                for (at, &square) in squares.iter().enumerate() {
                    turned[at] = map[usize::from(square)];
                }
                self.rank(&mut turned[..squares.len()])
            }
        }
    }

    /// Writes the squares that have this rank to `squares`.
    fn unrank(&self, mut rank: u64, squares: &mut [u8]) {
        if let [square] = squares {
            *square = self.squares[rank as usize];
            return;
        }
        for i in (0..self.count).rev() {
            let mut place = i as u64;
            while binomial(place + 1, i as u64 + 1) <= rank {
                place += 1;
            }
            rank -= binomial(place, i as u64 + 1);
            let place = place - if self.bound { i as u64 } else { 0 };
            squares[i] = self.squares[place as usize];
        }
    }
}

#[inline]
fn binomial(n: u64, k: u64) -> u64 {
    match k {
        0 => 1,
        1 => n,
        2 => n * n.saturating_sub(1) / 2,
        _ if n < k => 0,
        _ => (0..k).fold(1, |product: u64, i| product.saturating_mul(n - i) / (i + 1)),
    }
}

/// An entry for the square or the ordered pair of squares of the leading units: the number of its
/// representative, and the map that leads there.
#[derive(Clone, Copy, Debug)]
struct Lead {
    id: u32,
    map: u8,
}

/// A class with its dense index. The first one or two units without equals lead: one orientation of their
/// squares represents all others. The remaining units are ranked group by group.
#[derive(Clone, Debug)]
pub struct Class {
    /// The key: everything that the positions have in common.
    pub key: ClassKey,
    /// Number of units of the key.
    units: usize,
    groups: Vec<Group>,
    maps: Vec<Map>,
    flip: Map,
    leads: usize,
    lead: Vec<Lead>,
    representatives: Vec<[u8; 2]>,
    fixing: Vec<Vec<u8>>,
    rest: u64,
    squares: usize,
    ahead: i32,
}

/// Indices of placements that differ only in the square of one unit.
pub(super) struct IndexRow<'a> {
    first: u64,
    weight: u64,
    place: &'a [u8; 128],
    map: &'a Map,
}

impl IndexRow<'_> {
    /// Returns the index with that unit on a square.
    #[inline]
    pub fn index(&self, square: Square) -> u64 {
        let place = self.place[usize::from(self.map[square.index()])];
        self.first + self.weight * u64::from(place)
    }
}

/// A placement of a class.
#[derive(Clone, Copy, Debug)]
pub struct Placed<W: Layout> {
    /// The position.
    pub position: Position<W>,
    /// Number of placements that the index represents, this one included.
    pub orientations: u32,
}

#[per_layout]
impl Class {
    /// Returns the class on the board of a game.
    pub fn new<W: Layout>(game: &dyn Game<W>, key: ClassKey) -> Class {
        let b = game.board();
        let geometry: Geometry = b.geometry();
        let claims = game.symmetries();
        let them = !key.side;
        let mut groups = Vec::new();
        let mut add = |color, kind, bound, passed, count: usize, allowed: W::Set| {
            if count == 0 {
                return;
            }
            let squares: Vec<u8> = allowed.iter().map(|s| s.0).collect();
            let mut place = [NOWHERE; 128];
            for (i, &square) in squares.iter().enumerate() {
                place[usize::from(square)] = i as u8;
            }
            groups.push(
                Group {
                    color,
                    kind,
                    bound,
                    passed,
                    count,
                    squares,
                    place,
                    size: 0,
                }
                .sized(),
            );
        };
        let mut pawns = false;
        for kind in game.men().strongest() {
            for color in Color::BOTH {
                let mut allowed = b.squares();
                if kind == Kind::Pawn {
                    allowed &= !game.no_pawns(color);
                }
                let mut count = key.count(color, kind);
                pawns |= kind == Kind::Pawn && count + key.bound_count(color, kind) > 0;
                if key.passed && kind == key.passer() && color == them && count > 0 {
                    count -= 1;
                    let ends = match key.passing {
                        Some(passing) => W::Set::of(Square(passing.unit)) & allowed,
                        None => fen::double_stepped(game, them) & allowed,
                    };
                    add(color, kind, false, true, 1, ends);
                }
                add(color, kind, false, false, count, allowed);
                add(
                    color,
                    kind,
                    true,
                    false,
                    key.bound_count(color, kind),
                    allowed,
                );
            }
        }
        // Units without equals come first. The sort is stable, so kings stay in front.
        groups.sort_by_key(Group::has_equals);
        let leads = groups.iter().take_while(|g| g.count == 1).count().min(2);
        let maps = if leads == 0 || key.is_oriented(game) {
            vec![symmetry::identity()]
        } else {
            symmetry::group(geometry, claims, pawns)
        };
        let n = geometry.len();
        let mut class = Class {
            key,
            units: key.total(),
            maps,
            flip: symmetry::rank_flip(geometry).unwrap_or_else(symmetry::identity),
            leads,
            lead: Vec::new(),
            representatives: Vec::new(),
            fixing: Vec::new(),
            rest: groups[leads..]
                .iter()
                .fold(1, |product: u64, g| product.saturating_mul(g.size)),
            groups,
            squares: n,
            ahead: b.ahead(them),
        };
        class.lead_table();
        class
    }
}

impl Class {
    fn lead_table(&mut self) {
        let n = self.squares;
        let none = Lead {
            id: u32::MAX,
            map: 0,
        };
        let firsts: Vec<u8> = match self.leads {
            0 => {
                self.representatives.push([0, 0]);
                self.fixing.push(Vec::new());
                return;
            }
            _ => self.groups[0].squares.clone(),
        };
        let seconds: Vec<u8> = match self.leads {
            1 => vec![0],
            _ => self.groups[1].squares.clone(),
        };
        let share = self.leads < 2 || self.groups[0].bound || self.groups[1].bound;
        let single = self.leads == 1;
        self.lead = vec![none; if single { n } else { n * n }];
        let slot = |a: u8, b: u8| {
            if single {
                usize::from(a)
            } else {
                usize::from(a) * n + usize::from(b)
            }
        };
        for &a in &firsts {
            for &b in &seconds {
                if !share && a == b || self.lead[slot(a, b)].id != u32::MAX {
                    continue;
                }
                let id = self.representatives.len() as u32;
                self.representatives.push([a, b]);
                let mut fixing = Vec::new();
                for (index, map) in self.maps.iter().enumerate() {
                    let second = if single { b } else { map[usize::from(b)] };
                    let to = (map[usize::from(a)], second);
                    if to == (a, b) && index > 0 {
                        fixing.push(index as u8);
                    }
                    let entry = &mut self.lead[slot(to.0, to.1)];
                    if entry.id == u32::MAX {
                        // The entry needs the inverse map, which leads back to the representative.
                        let back = self
                            .maps
                            .iter()
                            .position(|m| (0..n).all(|i| usize::from(m[usize::from(map[i])]) == i))
                            .unwrap_or(0);
                        *entry = Lead {
                            id,
                            map: back as u8,
                        };
                    }
                }
                self.fixing.push(fixing);
            }
        }
    }

    /// Returns the number of indices.
    pub fn len(&self) -> u64 {
        (self.representatives.len() as u64).saturating_mul(self.rest)
    }

    /// Returns whether the class has no index.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of placements of the units that are ranked last. Consecutive indices differ in these.
    pub(super) fn last_placements(&self) -> usize {
        let last = self.groups[self.leads..].last();
        last.map_or(1, |group| group.size as usize)
    }

    /// Returns the orientations of the board that are treated as equivalent, the identity first.
    pub(super) fn maps(&self) -> &[Map] {
        &self.maps
    }

    /// Returns the number of orientations of the board that are treated as equivalent.
    pub fn symmetry(&self) -> usize {
        self.maps.len()
    }

    /// Writes the squares of a position's units to `out`, group by group. With `swap`, the position is seen
    /// with the sides swapped.
    fn gather<W: Layout>(&self, p: &Position<W>, swap: bool, out: &mut [u8; MAX_UNITS]) {
        let mut at = 0;
        let turn = |s: u8| if swap { self.flip[usize::from(s)] } else { s };
        let passed = self.passed_unit(p, swap);
        let passer = self.key.passer();
        for group in &self.groups {
            let color = if swap { !group.color } else { group.color };
            if group.passed {
                if let Some(square) = passed {
                    out[at] = turn(square.0);
                }
                at += 1;
            } else if group.bound {
                for unit in p.bound.units() {
                    if unit.color == color && unit.kind == group.kind {
                        out[at] = turn(unit.square.0);
                        at += 1;
                    }
                }
            } else {
                let mut units = p.units(color, group.kind);
                if let Some(square) = passed
                    && group.kind == passer
                    && group.color != self.key.side
                {
                    units = units.without(square);
                }
                for square in units.iter() {
                    out[at] = turn(square.0);
                    at += 1;
                }
            }
        }
    }

    fn rank_rest(&self, squares: &[u8; MAX_UNITS], map: &Map) -> u64 {
        let mut rank = 0;
        let mut at = self.leads;
        for group in &self.groups[self.leads..] {
            let own = &squares[at..at + group.count];
            rank = rank * group.size + group.rank_turned(own, map);
            at += group.count;
        }
        rank
    }

    fn index_of(&self, squares: &[u8; MAX_UNITS]) -> u64 {
        let lead = match self.leads {
            0 => Lead { id: 0, map: 0 },
            1 => self.lead[usize::from(squares[0])],
            _ => self.lead[usize::from(squares[0]) * self.squares + usize::from(squares[1])],
        };
        let map = &self.maps[usize::from(lead.map)];
        let mut rest = self.rank_rest(squares, map);
        let fixing = &self.fixing[lead.id as usize];
        if !fixing.is_empty() {
            let mut mapped = [0; MAX_UNITS];
            for (to, &from) in mapped.iter_mut().zip(&squares[..self.units]) {
                *to = map[usize::from(from)];
            }
            for &fix in fixing {
                rest = rest.min(self.rank_rest(&mapped, &self.maps[usize::from(fix)]));
            }
        }
        u64::from(lead.id) * self.rest + rest
    }

    /// Returns the unit that takes each seat, as an index into `units`. The seats are in the order of this
    /// class's groups. With `swap`, the units are seen with the sides swapped.
    pub(super) fn seats(&self, units: &[(Color, Kind)], swap: bool) -> Vec<u8> {
        let mut used = vec![false; units.len()];
        let mut seats = Vec::new();
        for group in &self.groups {
            let wanted = (if swap { !group.color } else { group.color }, group.kind);
            for _ in 0..group.count {
                let free = (0..units.len()).find(|&i| !used[i] && units[i] == wanted);
                if let Some(i) = free {
                    used[i] = true;
                    seats.push(i as u8);
                }
            }
        }
        seats
    }

    /// Returns the index of a placement whose squares are given unit by unit. `seats` is the result of
    /// [`seats`](Self::seats).
    #[inline]
    pub(super) fn index_seated(&self, unit_squares: &[u8], seats: &[u8], swap: bool) -> u64 {
        let mut squares = [0; MAX_UNITS];
        for (to, &seat) in squares.iter_mut().zip(seats) {
            let square = unit_squares[usize::from(seat)];
            *to = if swap {
                self.flip[usize::from(square)]
            } else {
                square
            };
        }
        self.index_of(&squares)
    }

    /// Returns the indices of placements that differ only in the square of `unit`. Returns `None` unless two
    /// units lead, `unit` neither leads nor has an equal, and no symmetry fixes the leading squares.
    #[inline]
    pub(super) fn row(
        &self,
        unit_squares: &[u8],
        seats: &[u8],
        unit: usize,
    ) -> Option<IndexRow<'_>> {
        let seat = seats.iter().position(|&seat| usize::from(seat) == unit)?;
        if self.leads < 2 || seat < 2 {
            return None;
        }
        let mut squares = [0; MAX_UNITS];
        for (to, &seat) in squares.iter_mut().zip(seats) {
            *to = unit_squares[usize::from(seat)];
        }
        let lead = self.lead[usize::from(squares[0]) * self.squares + usize::from(squares[1])];
        if !self.fixing[lead.id as usize].is_empty() {
            return None;
        }
        let map = &self.maps[usize::from(lead.map)];
        let (mut first, mut weight, mut at) = (0, 0, self.leads);
        let mut place = None;
        for group in &self.groups[self.leads..] {
            weight *= group.size;
            first *= group.size;
            if at == seat {
                if group.count > 1 {
                    return None;
                }
                weight = 1;
                place = Some(&group.place);
            } else {
                first += group.rank_turned(&squares[at..at + group.count], map);
            }
            at += group.count;
        }
        Some(IndexRow {
            first: u64::from(lead.id) * self.rest + first,
            weight,
            place: place?,
            map,
        })
    }

    /// Returns the index of a position, which must belong to the class or, with `swap`, to the class with the
    /// sides swapped.
    pub fn index<W: Layout>(&self, p: &Position<W>, swap: bool) -> u64 {
        let mut squares = [0; MAX_UNITS];
        self.gather(p, swap, &mut squares);
        self.index_of(&squares)
    }

    /// Returns whether the unit that has passed a position's en passant square is on a square where the class expects it.
    /// The position must belong to the class or, with `swap`, to the class with the sides swapped.
    pub(super) fn holds_passer<W: Layout>(&self, p: &Position<W>, swap: bool) -> bool {
        let Some(square) = self.passed_unit(p, swap) else {
            return true;
        };
        self.groups
            .iter()
            .filter(|group| group.passed)
            .all(|group| {
                let color = if swap { !group.color } else { group.color };
                let seen = if swap {
                    self.flip[square.index()]
                } else {
                    square.0
                };
                p.unit(square) == Some((color, group.kind))
                    && group.place[usize::from(seen)] != NOWHERE
            })
    }

    /// Returns the square where a unit that may be captured en passant is, if it stands as the class expects.
    fn passed_unit<W: Layout>(&self, p: &Position<W>, swap: bool) -> Option<Square> {
        if let Some(passing) = self.key.passing {
            return Some(Square(passing.unit));
        }
        let ahead = if swap { -self.ahead } else { self.ahead };
        let passed = p.en_passant();
        passed.map(|square| Square((i32::from(square.0) + ahead) as u8))
    }

    /// Returns the placement with an index. Returns `None` if two units would share a square, or if another
    /// index represents the placement.
    pub fn placed<W: Layout>(&self, index: u64) -> Option<Placed<W>> {
        let (id, mut rest) = (index / self.rest, index % self.rest);
        let mut squares = [0; MAX_UNITS];
        squares[..2].copy_from_slice(&self.representatives[id as usize]);
        let mut at = self.units;
        for group in self.groups[self.leads..].iter().rev() {
            at -= group.count;
            group.unrank(rest % group.size, &mut squares[at..at + group.count]);
            rest /= group.size;
        }
        let fixing = &self.fixing[id as usize];
        let mut same = 1;
        if !fixing.is_empty() {
            let own = index % self.rest;
            for &fix in fixing {
                let other = self.rank_rest(&squares, &self.maps[usize::from(fix)]);
                if other < own {
                    return None;
                }
                same += u32::from(other == own);
            }
        }
        let mut p = Position::<W>::empty();
        p.side = self.key.side;
        p.state = self.key.state;
        let mut at = 0;
        for group in &self.groups {
            for &square in &squares[at..at + group.count] {
                let square = Square(square);
                if group.bound {
                    p.bound.insert(BoundUnit {
                        square,
                        color: group.color,
                        kind: group.kind,
                    });
                    continue;
                }
                if p.occupied().has(square) {
                    return None;
                }
                p.put(group.color, group.kind, square);
                if group.passed {
                    p.set_en_passant(Some(match self.key.passing {
                        Some(passing) => Square(passing.square),
                        None => before(square, self.ahead),
                    }));
                }
            }
            at += group.count;
        }
        Some(Placed {
            position: p,
            orientations: self.maps.len() as u32 / same,
        })
    }
}

/// Returns whether a placement is a position of a table: it meets the conditions on a FEN, its en passant
/// square is valid, and games can bring its pawns to their squares.
pub fn is_valid_fen_position<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> bool {
    is_valid_en_passant(game, p) && is_legal(game, p)
}

/// Returns whether a placement meets the conditions on a FEN, and games can bring its pawns to their squares.
pub(super) fn is_legal<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> bool {
    !has_astray_pawns(game, p) && fen::accept(game, p).is_ok()
}

/// Returns whether a pawn is on a square that it reaches in no game. A FEN may have such pawns; tables do
/// not.
pub fn has_astray_pawns<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> bool {
    Color::BOTH.into_iter().any(|color| {
        let no_pawns = game.no_pawns(color);
        !(p.units(color, Kind::Pawn) & no_pawns).is_empty()
            || p.bound_units()
                .any(|u| u.color == color && u.kind == Kind::Pawn && no_pawns.has(u.square))
    })
}

/// Returns whether a position's en passant square is possible there. Returns true if there is none.
pub fn is_valid_en_passant<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> bool {
    let Some(square) = p.en_passant() else {
        return true;
    };
    match game.carried().fields() {
        Some(carried) if ClassKey::of(game, p).passing.is_some() => carried.is_valid_en_passant(p),
        _ => fen::qualifies(game, p, square),
    }
}
