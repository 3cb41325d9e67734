//! Sets of squares of a board of any size with its holes, as numbers of 128 bits, and steps of whole sets.

use board::{Geometry, Square};

/// A set of squares: bit `n` is the square with the index `n`.
pub(crate) type Set = u128;

/// The eight directions, those along ranks and files first.
pub(crate) const DIRECTIONS: [(i8, i8); 8] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (1, -1),
    (-1, 1),
    (-1, -1),
];

/// The leaps of a knight.
const LEAPS: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// The squares of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Grid {
    files: u8,
    ranks: u8,
    /// All squares that exist.
    pub(crate) squares: Set,
}

impl Grid {
    /// Returns the squares of a board that does not wrap around.
    pub(crate) fn new(geometry: Geometry) -> Grid {
        let all = (0..geometry.len() as u8).map(Square);
        let squares = all
            .filter(|square| geometry.exists(*square))
            .fold(0, |set, square| set | 1 << square.0);
        Grid {
            files: geometry.files(),
            ranks: geometry.ranks(),
            squares,
        }
    }

    /// Returns the squares on a rank, from 0.
    pub(crate) fn rank(&self, rank: u8) -> Set {
        let files = u32::from(self.files);
        let row = Set::MAX >> (128 - files);
        (row << (u32::from(rank) * files)) & self.squares
    }

    /// Returns the last rank, the first one for Black's pawns.
    pub(crate) fn last_rank(&self) -> u8 {
        self.ranks - 1
    }

    /// Returns the squares on files from `first` to `last`.
    fn files_between(&self, first: i8, last: i8) -> Set {
        let files = u32::from(self.files);
        let row = (first..=last).fold(0, |row: Set, file| row | 1 << file);
        (0..u32::from(self.ranks)).fold(0, |set, rank| set | row << (rank * files))
    }

    /// Returns the squares that are `files` files and `ranks` ranks away from squares of a set.
    pub(crate) fn shift(&self, set: Set, (files, ranks): (i8, i8)) -> Set {
        let last = self.files as i8 - 1;
        let from = match files {
            0 => set,
            _ if files.unsigned_abs() >= self.files => return 0,
            _ if files > 0 => set & self.files_between(0, last - files),
            _ => set & self.files_between(-files, last),
        };
        let by = i32::from(ranks) * i32::from(self.files) + i32::from(files);
        let moved = match by {
            by if by >= 128 || by <= -128 => 0,
            by if by >= 0 => from << by,
            by => from >> -by,
        };
        moved & self.squares
    }

    /// Returns the squares next to squares of a set.
    pub(crate) fn neighbors(&self, set: Set) -> Set {
        (DIRECTIONS.iter()).fold(0, |all, direction| all | self.shift(set, *direction))
    }

    /// Returns the squares a knight's leap away from squares of a set.
    pub(crate) fn leaps(&self, set: Set) -> Set {
        (LEAPS.iter()).fold(0, |all, leap| all | self.shift(set, *leap))
    }

    /// Returns the squares that lines from squares of a set reach. A line ends before a square of `walls`, and
    /// on a square of `stops`.
    pub(crate) fn lines(&self, set: Set, directions: &[(i8, i8)], walls: Set, stops: Set) -> Set {
        let mut all = 0;
        for direction in directions {
            let mut at = self.shift(set, *direction) & !walls;
            while at != 0 {
                all |= at;
                at = self.shift(at & !stops, *direction) & !walls;
            }
        }
        all
    }
}

impl Grid {
    /// Returns the squares between two squares on a common rank, file or diagonal.
    pub(crate) fn between(&self, from: Set, to: Set) -> Set {
        let lines = DIRECTIONS.map(|direction| self.lines(from, &[direction], 0, to));
        lines
            .into_iter()
            .find(|line| line & to != 0)
            .map_or(0, |line| line & !to)
    }

    /// Returns whether all squares of a set have the same color.
    pub(crate) fn is_of_one_color(&self, set: Set) -> bool {
        let color = |square: Set| {
            let index = square.trailing_zeros();
            let files = u32::from(self.files);
            (index % files + index / files) % 2
        };
        let mut colors = each(set).map(color);
        let first = colors.next();
        colors.all(|color| Some(color) == first)
    }
}

/// Returns the squares of a set one by one.
pub(crate) fn each(mut set: Set) -> impl Iterator<Item = Set> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}
