//! Decodes the exact keys that the program stores. Decodes only the side to move and the units, so positions
//! that differ only in rights or state look alike.
//!
//! A key is a sequence of bits, the lowest first: the side to move, rights and state, the units as a list or
//! as planes (whichever is shorter), and a list of bound units. A key does not contain the lengths of these
//! parts, so callers try all forms that keys of a width can have.

use crate::Position;

/// The decoded part of a key: whether White is to move, and the square and the kind number of each unit.
/// Kinds have the numbers of most rule sets, plus 128 for White's units.
pub type Units = (bool, Vec<(usize, usize)>);

/// The place and the form of the units in a key.
#[derive(PartialEq)]
pub struct KeyForm {
    start: usize,
    squares: usize,
    kind_bits: usize,
    /// The number of units that a list has room for, or `None` for bit planes.
    listed: Option<usize>,
}

/// The most bits before the units: the side to move, rights and state.
const MAX_START: usize = 160;

fn square_bits(squares: usize) -> usize {
    let last = squares.saturating_sub(1);
    (usize::BITS - last.leading_zeros()) as usize
}

impl KeyForm {
    /// Returns the forms that keys of this width can have. Keys have room for at least the units of `root`.
    pub fn all(key_bits: usize, root: &Position) -> Vec<KeyForm> {
        let cells = root.cells();
        let (squares, units) = (cells.len(), cells.iter().flatten().count());
        let widths = |kind_bits| (units..=128).map(move |n| (kind_bits, n));
        let mut forms = Vec::new();
        for (kind_bits, n) in [3, 6].into_iter().flat_map(widths) {
            let list = n * (square_bits(squares) + kind_bits + 1);
            let planes = (kind_bits + 1) * squares;
            // A list of bound units of the same length may follow.
            for bound in [0, list] {
                let form = KeyForm {
                    start: key_bits.saturating_sub(list.min(planes) + bound),
                    squares,
                    kind_bits,
                    listed: (list < planes).then_some(n),
                };
                if (1..=MAX_START).contains(&form.start) && !forms.contains(&form) {
                    forms.push(form);
                }
            }
        }
        forms
    }

    /// Decodes a key.
    pub fn units(&self, key: &[u64]) -> Units {
        let bit = |at: usize| {
            key.get(at / 64)
                .map_or(0, |word| (word >> (at % 64) & 1) as usize)
        };
        let number = |at: usize, bits: usize, step: usize| {
            (0..bits).fold(0, |n, i| n | bit(at + i * step) << i)
        };
        let (square_bits, kind_bits) = (square_bits(self.squares), self.kind_bits);
        let unit = |n: usize| match self.listed {
            Some(_) => {
                let at = self.start + n * (square_bits + kind_bits + 1);
                let square = number(at + kind_bits + 1, square_bits, 1);
                (square, number(at, kind_bits, 1), bit(at + kind_bits))
            }
            None => {
                let at = self.start + n;
                let kind = number(at + self.squares, kind_bits, self.squares);
                (n, kind, bit(at))
            }
        };
        let units = (0..self.listed.unwrap_or(self.squares)).map(unit);
        let units = units.filter(|(_, kind, _)| *kind > 0);
        let units = units.map(|(square, kind, white)| (square, kind + 128 * white));
        (bit(0) == 0, units.collect())
    }
}

/// Returns the result of decoding the key of a position.
pub fn units_of(position: &Position) -> Units {
    let kind = |c: char| "PNBRQK".find(c.to_ascii_uppercase());
    let code = |c: char| kind(c).map_or(0, |at| at + 1) + 128 * usize::from(c.is_ascii_uppercase());
    let cells = position.cells().into_iter().enumerate();
    let units = cells.filter_map(|(square, c)| Some((square, code(c?))));
    (position.is_white(), units.collect())
}

/// Returns the units with their sides only, because some rule sets number kinds differently.
pub fn without_kinds((white, units): &Units) -> Units {
    let units = units.iter().map(|(square, unit)| (*square, unit & 128));
    (*white, units.collect())
}
