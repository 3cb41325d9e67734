//! Exact keys: a codec packs positions into a fixed number of bits and unpacks them without loss, so that
//! searches can store and compare positions.

use super::{BoundUnit, BoundUnits, KindSets, Layout, Position, Rights};
use board::{Color, Kind, Square, Squares};

/// The maximum number of 64-bit words in a key.
pub const KEY_WORDS: usize = 32;

/// A buffer for a key of any length.
pub type Key = [u64; KEY_WORDS];

/// The sizes of the parts of a key, which must suffice for every position that a search may reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyPlan {
    /// The number of squares of the rectangle.
    pub squares: usize,
    /// The number of bits for a unit's kind: at most [`KindSets::BITS`].
    pub kind_bits: u32,
    /// The maximum number of units on the board.
    pub units: usize,
    /// Whether there can be castling rights.
    pub rights: bool,
    /// Whether there can be an en passant square.
    pub en_passant: bool,
    /// The number of bits for the variant state. Each word before the last takes 64.
    pub state_bits: u32,
    /// The maximum number of bound units.
    pub bound: usize,
}

impl KeyPlan {
    /// Returns the number of words of the variant state.
    fn state_words(&self) -> usize {
        self.state_bits.div_ceil(64) as usize
    }

    /// Returns whether keys of this plan can encode every position that keys of another plan can.
    pub fn covers(&self, other: &KeyPlan) -> bool {
        self.squares == other.squares
            && self.kind_bits >= other.kind_bits
            && self.units >= other.units
            && self.rights >= other.rights
            && self.en_passant >= other.en_passant
            && self.state_bits >= other.state_bits
            && self.bound >= other.bound
    }
}

/// An encoder and decoder of keys of one fixed width. The encoding is lossless except for the clocks, which
/// are not part of a position's identity. Units are encoded as a list of squares with their units or as bit
/// planes, whichever is shorter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Codec {
    plan: KeyPlan,
    square_bits: u32,
    listed: bool,
    // Whether keys list their units, have no bound units, and fit in one word.
    short: bool,
    bits: u32,
}

// The number of bits for the color and kind of a unit of the standard set.
const UNIT_BITS: u32 = 4;

fn bits_for(values: usize) -> u32 {
    usize::BITS - values.saturating_sub(1).leading_zeros()
}

impl Codec {
    /// Returns the codec with the shortest keys for a plan.
    pub fn new(plan: KeyPlan) -> Codec {
        let square_bits = bits_for(plan.squares);
        let unit_bits = plan.kind_bits + 1;
        let list_bits = plan.units as u32 * (square_bits + unit_bits);
        let plane_bits = unit_bits * plan.squares as u32;
        let bits = 1
            + 4 * u32::from(plan.rights)
            + u32::from(plan.en_passant) * bits_for(plan.squares + 1)
            + plan.state_bits
            + list_bits.min(plane_bits)
            + plan.bound as u32 * (square_bits + unit_bits);
        Codec {
            plan,
            square_bits,
            listed: list_bits < plane_bits,
            short: list_bits < plane_bits && plan.bound == 0 && bits <= 64,
            bits,
        }
    }

    /// Returns the number of bits of a key.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns the number of 64-bit words of a key, at most [`KEY_WORDS`].
    #[inline]
    pub fn words(&self) -> usize {
        self.bits.div_ceil(64) as usize
    }

    /// Returns the plan of the codec.
    pub fn plan(&self) -> KeyPlan {
        self.plan
    }

    /// Writes the key into the first [`words`](Self::words) words of `key`.
    #[inline]
    pub fn encode<W: Layout>(&self, p: &Position<W>, key: &mut [u64]) {
        if self.short {
            key[0] = self.encode_short(p);
            return;
        }
        let words = self.words();
        key[..words].fill(0);
        let mut out = Writer { words: key, at: 0 };
        out.push(p.side as u64, 1);
        if self.plan.rights {
            out.push(u64::from(p.rights.0), 4);
        }
        if self.plan.en_passant {
            let square = p.en_passant().map_or(0, |s| u64::from(s.0) + 1);
            out.push(square, bits_for(self.plan.squares + 1));
        }
        if self.plan.state_bits > 0 {
            out.push(p.state, self.plan.state_bits.min(64));
            for n in 1..self.plan.state_words() {
                out.push(
                    p.state_word(n),
                    (self.plan.state_bits - 64 * n as u32).min(64),
                );
            }
        }
        if self.listed {
            let white = p.color(Color::White);
            for square in p.occupied().iter() {
                let unit = (p.kind_on(square).index() as u64 + 1)
                    | (u64::from(white.has(square)) << self.plan.kind_bits);
                out.push(
                    u64::from(square.0) << self.unit_bits() | unit,
                    self.square_bits + self.unit_bits(),
                );
            }
            // Unused entries of the list are zero, which does not encode any unit.
            out.at = self.list_end() as usize;
        } else {
            let squares = self.plan.squares as u32;
            out.push_set(p.color(Color::White), squares);
            for n in 0..self.kind_bits::<W>() {
                out.push_set(p.kind_plane(n), squares);
            }
        }
        for &code in p.bound.codes() {
            let unit = BoundUnit::from_code(code);
            let letter = (unit.kind.index() as u64 + 1)
                | (u64::from(unit.color == Color::White) << self.plan.kind_bits);
            out.push(
                u64::from(unit.square.0) << self.unit_bits() | letter,
                self.square_bits + self.unit_bits(),
            );
        }
    }

    /// Encodes a position as a one-word key that lists its units.
    #[inline]
    fn encode_short<W: Layout>(&self, p: &Position<W>) -> u64 {
        let mut key = p.side as u64;
        let mut at = 1;
        if self.plan.rights {
            key |= u64::from(p.rights.0) << at;
            at += 4;
        }
        if self.plan.en_passant {
            key |= p.en_passant().map_or(0, |s| u64::from(s.0) + 1) << at;
            at += bits_for(self.plan.squares + 1);
        }
        if self.plan.state_bits > 0 {
            key |= p.state << at;
            at += self.plan.state_bits;
        }
        let kind_bits = self.kind_bits::<W>();
        let unit_bits = kind_bits as u32 + 1;
        let white = p.color(Color::White);
        let mut planes = [W::Set::EMPTY; 8];
        for (n, plane) in planes[..kind_bits].iter_mut().enumerate() {
            *plane = p.kind_plane(n);
        }
        for square in p.occupied().iter() {
            let mut unit = u64::from(white.has(square)) << kind_bits;
            for (n, plane) in planes[..kind_bits].iter().enumerate() {
                unit |= u64::from(plane.has(square)) << n;
            }
            key |= (u64::from(square.0) << unit_bits | unit) << at;
            at += self.square_bits + unit_bits;
        }
        key
    }

    /// Returns the parts of the key, if it is a one-word key that lists units, and if the position has no
    /// castling rights or state that a step could change.
    #[inline]
    pub fn listed<W: Layout>(&self, p: &Position<W>) -> Option<ListedKey<W::Set>> {
        if self.kind_bits::<W>() as u32 + 1 != UNIT_BITS
            || !self.short
            || p.rights.0 != 0
            || self.plan.state_bits > 0
        {
            return None;
        }
        let list_at = self.list_at();
        Some(ListedKey {
            head: !p.side as u64,
            list: self.encode_short(p) >> list_at,
            occupied: p.occupied(),
            list_at,
            unit_bits: self.square_bits + UNIT_BITS,
        })
    }

    /// Returns the position with this key, and with the clocks `0 1`.
    pub fn decode<W: Layout>(&self, key: &[u64]) -> Position<W> {
        let mut input = KeyReader { words: key, at: 0 };
        let mut p = Position::<W>::empty();
        p.side = Color::BOTH[input.pull(1) as usize];
        if self.plan.rights {
            p.rights = Rights(input.pull(4) as u8);
        }
        if self.plan.en_passant {
            let square = input.pull(bits_for(self.plan.squares + 1));
            p.set_en_passant((square > 0).then(|| Square(square as u8 - 1)));
        }
        if self.plan.state_bits > 0 {
            p.state = input.pull(self.plan.state_bits.min(64));
            for n in 1..self.plan.state_words() {
                p.set_state_word(
                    n,
                    input.pull((self.plan.state_bits - 64 * n as u32).min(64)),
                );
            }
        }
        if self.listed {
            for _ in 0..self.plan.units {
                match self.pull_unit(&mut input) {
                    Some(unit) => p.put(unit.color, unit.kind, unit.square),
                    None => break,
                }
            }
            input.at = self.list_end() as usize;
        } else {
            let n = self.plan.squares as u32;
            let white: W::Set = input.pull_set(n);
            let planes = self.kind_bits::<W>();
            let mut codes = [W::Set::EMPTY; 8];
            for plane in &mut codes[..planes] {
                *plane = input.pull_set(n);
            }
            let occupied = codes.iter().fold(W::Set::EMPTY, |all, &plane| all | plane);
            for square in occupied.iter() {
                let code = (0..planes).fold(0, |c, i| c | usize::from(codes[i].has(square)) << i);
                let color = Color::BOTH[usize::from(!white.has(square))];
                p.put(color, Kind::from_index(code - 1), square);
            }
        }
        for _ in 0..self.plan.bound {
            let Some(unit) = self.pull_unit(&mut input) else {
                break;
            };
            p.bound.insert(unit);
        }
        p
    }

    /// Like [`decode`](Self::decode), for a key that may be any number. Returns `None` unless it is the key
    /// of a position whose units are of the first `kinds` kinds.
    pub fn decode_any<W: Layout>(&self, key: &[u64], kinds: usize) -> Option<Position<W>> {
        if !self.is_in_range::<W>(key, kinds) {
            return None;
        }
        let position = self.decode(key);
        let mut again = [0; KEY_WORDS];
        self.encode::<W>(&position, &mut again);
        (again[..self.words()] == *key).then_some(position)
    }

    /// Returns whether all squares of a key are on the board and all of its kinds are among the first
    /// `kinds`.
    fn is_in_range<W: Layout>(&self, key: &[u64], kinds: usize) -> bool {
        let squares = self.plan.squares;
        let is_unit = |code: u64| {
            let kind = code & ((1 << self.plan.kind_bits) - 1);
            let square = code >> self.unit_bits();
            kind == 0 || kind as usize <= kinds && (square as usize) < squares
        };
        let pull = |input: &mut KeyReader| input.pull(self.square_bits + self.unit_bits());
        let mut input = KeyReader { words: key, at: 0 };
        if self.plan.en_passant {
            input.at = (self.list_at() - self.plan.state_bits) as usize;
            let bits = bits_for(squares + 1);
            input.at -= bits as usize;
            if input.pull(bits) as usize > squares {
                return false;
            }
        }
        input.at = self.list_at() as usize;
        let on_board = if self.listed {
            // Squares must increase: decoding two units on one square would give a wrong kind.
            let mut next_square = 0;
            (0..self.plan.units).all(|_| {
                let code = pull(&mut input);
                let square = code >> self.unit_bits();
                let is_new = code == 0 || square >= next_square;
                next_square = square + 1;
                is_new && is_unit(code)
            })
        } else {
            input.at += squares;
            let planes = self.kind_bits::<W>();
            let mut codes = [W::Set::EMPTY; 8];
            for plane in &mut codes[..planes] {
                *plane = input.pull_set(squares as u32);
            }
            let code = |square: usize| {
                let has = |n: usize| usize::from(codes[n].has(Square(square as u8)));
                (0..planes).fold(0, |code, n| code | has(n) << n)
            };
            (0..squares).all(|square| code(square) <= kinds)
        };
        on_board && (0..self.plan.bound).all(|_| is_unit(pull(&mut input)))
    }

    /// Returns the number of bits for a unit's kind. It is a constant for the compiler if the layout has six
    /// kinds.
    #[inline(always)]
    fn kind_bits<W: Layout>(&self) -> usize {
        if const { <W::Kinds as KindSets<W::Set>>::BITS == 3 } {
            3
        } else {
            self.plan.kind_bits as usize
        }
    }

    /// Returns the number of bits for the color and kind of a unit.
    #[inline(always)]
    fn unit_bits(&self) -> u32 {
        self.plan.kind_bits + 1
    }

    fn list_at(&self) -> u32 {
        1 + 4 * u32::from(self.plan.rights)
            + u32::from(self.plan.en_passant) * bits_for(self.plan.squares + 1)
            + self.plan.state_bits
    }

    fn list_end(&self) -> u32 {
        self.list_at() + self.plan.units as u32 * (self.square_bits + self.unit_bits())
    }

    fn pull_unit(&self, input: &mut KeyReader) -> Option<BoundUnit> {
        let code = input.pull(self.square_bits + self.unit_bits());
        let kind = code & ((1 << self.plan.kind_bits) - 1);
        (kind != 0).then(|| BoundUnit {
            square: Square((code >> self.unit_bits()) as u8),
            color: Color::BOTH[usize::from(code >> self.plan.kind_bits & 1 == 0)],
            kind: Kind::from_index(kind as usize - 1),
        })
    }
}

/// The parts of a one-word key that lists units, from which keys after a step are derived.
#[derive(Clone, Copy, Debug)]
pub struct ListedKey<S> {
    // The key without the units, with the other side to move and without an en passant square.
    head: u64,
    list: u64,
    occupied: S,
    list_at: u32,
    unit_bits: u32,
}

/// Like [`ListedKey`], with one unit removed from its square.
#[derive(Clone, Copy, Debug)]
pub struct LiftedKey<S> {
    head: u64,
    list: u64,
    others: S,
    unit: u64,
    list_at: u32,
    unit_bits: u32,
}

impl<S: Squares> ListedKey<S> {
    /// Returns the parts of the key with the unit on `from` removed.
    #[inline(always)]
    pub fn lifted(&self, from: Square) -> LiftedKey<S> {
        let at = (self.occupied & S::first_n(from.index())).len() * self.unit_bits;
        let low = (1 << at) - 1;
        let above = self.list >> at;
        LiftedKey {
            head: self.head,
            list: self.list & low | (above >> self.unit_bits) << at,
            others: self.occupied.without(from),
            unit: above & ((1 << UNIT_BITS) - 1),
            list_at: self.list_at,
            unit_bits: self.unit_bits,
        }
    }
}

impl<S: Squares> LiftedKey<S> {
    /// Returns the key with the removed unit placed on `to`, where it captures a unit if there is one.
    #[inline(always)]
    pub fn put(&self, to: Square) -> u64 {
        let at = (self.others & S::first_n(to.index())).len() * self.unit_bits;
        let low = (1 << at) - 1;
        let above = self.list >> at;
        let above = if self.others.has(to) {
            above >> self.unit_bits
        } else {
            above
        };
        let unit = u64::from(to.0) << UNIT_BITS | self.unit;
        let list = self.list & low | (above << self.unit_bits | unit) << at;
        self.head | list << self.list_at
    }
}

struct Writer<'a> {
    words: &'a mut [u64],
    at: usize,
}

impl Writer<'_> {
    #[inline(always)]
    fn push(&mut self, value: u64, bits: u32) {
        let (word, shift) = (self.at >> 6, self.at & 63);
        self.words[word] |= value << shift;
        if shift + bits as usize > 64 {
            self.words[word + 1] |= value >> (64 - shift);
        }
        self.at += bits as usize;
    }

    #[inline]
    fn push_set<S: Squares>(&mut self, set: S, bits: u32) {
        let value = set.bits();
        self.push(value as u64, bits.min(64));
        if bits > 64 {
            self.push((value >> 64) as u64, bits - 64);
        }
    }
}

struct KeyReader<'a> {
    words: &'a [u64],
    at: usize,
}

impl KeyReader<'_> {
    #[inline(always)]
    fn pull(&mut self, bits: u32) -> u64 {
        let (word, shift) = (self.at >> 6, self.at & 63);
        let mut value = self.words[word] >> shift;
        if shift + bits as usize > 64 {
            value |= self.words[word + 1] << (64 - shift);
        }
        self.at += bits as usize;
        if bits == 64 {
            value
        } else {
            value & ((1 << bits) - 1)
        }
    }

    fn pull_set<S: Squares>(&mut self, bits: u32) -> S {
        let low = self.pull(bits.min(64));
        let high = if bits > 64 { self.pull(bits - 64) } else { 0 };
        S::from_bits(u128::from(low) | u128::from(high) << 64)
    }
}
