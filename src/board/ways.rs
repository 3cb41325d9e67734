//! Ways to step on a flat board. A way leads the same number of files and ranks from every square, so all
//! units of a set can step at once, and different units reach different squares.

use super::{Geometry, Lanes, Square, Squares};

/// A way to step: a direction or a leap. Its functions work on eight boards in parallel.
#[derive(Clone, Copy, Debug)]
pub struct Way<S> {
    by: i32,
    /// The number of bits by which one, two, four and eight steps rotate the word.
    rotations: [u64; 4],
    /// The squares to which a step can lead.
    entered: S,
    /// Whether a line may be longer than eight squares.
    long: bool,
}

impl<S: Squares> Way<S> {
    /// Returns the way that leads `dx` files and `dy` ranks. `step` returns the square to which a step leads,
    /// if it exists.
    pub(super) fn new(
        geometry: Geometry,
        (dx, dy): (i32, i32),
        step: impl Fn(Square, i32, i32) -> Option<Square>,
    ) -> Way<S> {
        let by = dx + dy * i32::from(geometry.files());
        Way {
            by,
            rotations: [1, 2, 4, 8].map(|steps| (steps * by).rem_euclid(S::CAPACITY as i32) as u64),
            entered: (0..geometry.len() as u8)
                .filter_map(|from| step(Square(from), dx, dy))
                .fold(S::EMPTY, S::with),
            long: geometry.files().max(geometry.ranks()) > 8,
        }
    }

    /// Returns the offset of a step between square numbers.
    #[inline(always)]
    pub fn by(&self) -> i32 {
        self.by
    }

    /// Returns the squares that these units reach by one step.
    #[inline(always)]
    pub fn step(&self, units: Lanes<S>) -> Lanes<S> {
        units.rotated(self.rotations[0]) & Lanes::all(self.entered)
    }

    /// Returns the squares that these units reach by sliding this way, up to and including the first square
    /// that is not vacant. Kogge-Stone fill: Chessprogramming wiki, "Kogge-Stone Algorithm".
    #[inline(always)]
    pub fn slide(&self, units: Lanes<S>, vacant: Lanes<S>) -> Lanes<S> {
        let [one, two, four, eight] = self.rotations;
        let mut open = vacant & Lanes::all(self.entered);
        let mut passed = units | open & units.rotated(one);
        open = open & open.rotated(one);
        passed |= open & passed.rotated(two);
        open = open & open.rotated(two);
        passed |= open & passed.rotated(four);
        if self.long {
            open = open & open.rotated(four);
            passed |= open & passed.rotated(eight);
        }
        self.step(passed)
    }
}
