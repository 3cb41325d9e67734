//! Bound units: units that are held beneath others (Chromopolis). A square may have several.

use board::{Color, Kind, Square};
use std::fmt::Debug;
use std::hash::Hash;

/// A bound unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BoundUnit {
    /// The square of the unit.
    pub square: Square,
    /// The unit's side.
    pub color: Color,
    /// The unit's kind.
    pub kind: Kind,
}

impl BoundUnit {
    /// Returns the unit's code: a number below 2^11 that orders bound units by square, color and kind.
    pub fn code(self) -> u16 {
        u16::from(self.square.0) << 4 | (self.color as u16) << 3 | self.kind.index() as u16
    }

    /// Returns the unit with this code.
    pub fn from_code(code: u16) -> BoundUnit {
        BoundUnit {
            square: Square((code >> 4) as u8),
            color: Color::BOTH[usize::from(code >> 3 & 1)],
            kind: Kind::from_index(usize::from(code & 7)),
        }
    }
}

/// A collection of bound units in canonical order; `()` is always empty.
pub trait BoundUnits: Copy + Eq + Hash + Debug + Default + Send + Sync + 'static {
    /// The maximum number of units. A FEN with more units in all is refused when it is read, so this number
    /// is never exceeded in play.
    const CAPACITY: usize;
    /// Returns the codes of the units ([`BoundUnit::code`]), in increasing order.
    fn codes(&self) -> &[u16];
    /// Adds a unit. If the collection is full, does nothing and returns false.
    fn insert(&mut self, unit: BoundUnit) -> bool;
    /// Removes one unit that equals `unit`. Returns false if the collection does not contain one.
    fn remove(&mut self, unit: BoundUnit) -> bool;

    /// Returns the units, in order.
    fn units(&self) -> impl Iterator<Item = BoundUnit> + '_ {
        self.codes().iter().map(|&code| BoundUnit::from_code(code))
    }
}

impl BoundUnits for () {
    const CAPACITY: usize = 0;
    fn codes(&self) -> &[u16] {
        &[]
    }
    fn insert(&mut self, _: BoundUnit) -> bool {
        false
    }
    fn remove(&mut self, _: BoundUnit) -> bool {
        false
    }
}

/// A sorted list of up to `N` bound units.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piles<const N: usize> {
    len: u8,
    codes: [u16; N],
}

impl<const N: usize> Default for Piles<N> {
    fn default() -> Piles<N> {
        Piles {
            len: 0,
            codes: [0; N],
        }
    }
}

impl<const N: usize> BoundUnits for Piles<N> {
    const CAPACITY: usize = N;

    fn codes(&self) -> &[u16] {
        &self.codes[..usize::from(self.len)]
    }

    fn insert(&mut self, unit: BoundUnit) -> bool {
        let len = usize::from(self.len);
        if len == N {
            return false;
        }
        let code = unit.code();
        let at = self.codes().partition_point(|&c| c <= code);
        self.codes.copy_within(at..len, at + 1);
        self.codes[at] = code;
        self.len += 1;
        true
    }

    fn remove(&mut self, unit: BoundUnit) -> bool {
        let len = usize::from(self.len);
        let Ok(at) = self.codes().binary_search(&unit.code()) else {
            return false;
        };
        self.codes.copy_within(at + 1..len, at);
        self.codes[len - 1] = 0;
        self.len -= 1;
        true
    }
}
