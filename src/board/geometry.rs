//! The shape of a board: its files, ranks and holes, and whether it is a cylinder, on which the last file
//! touches the first.

use super::{Color, Square};

/// The maximum number of files.
pub const MAX_FILES: u8 = 16;
/// The maximum number of ranks.
pub const MAX_RANKS: u8 = 16;
/// The maximum number of squares of the rectangle, holes included.
pub const MAX_SQUARES: usize = 128;

/// The shape of a board. `holes` has a bit for each square of the rectangle that does not exist.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Geometry {
    files: u8,
    ranks: u8,
    holes: u128,
    wraps: bool,
}

/// The board of orthodox chess.
impl Default for Geometry {
    fn default() -> Geometry {
        Geometry {
            files: 8,
            ranks: 8,
            holes: 0,
            wraps: false,
        }
    }
}

impl Geometry {
    /// Returns a rectangle with holes, which is flat or, with `wraps`, a cylinder whose last file touches its
    /// first. Returns `None` if there are more than 16 files or ranks, more than 128 squares, or no squares.
    pub fn new(files: u8, ranks: u8, holes: u128, wraps: bool) -> Option<Geometry> {
        let fits = (1..=MAX_FILES).contains(&files)
            && (1..=MAX_RANKS).contains(&ranks)
            && usize::from(files) * usize::from(ranks) <= MAX_SQUARES;
        fits.then(|| {
            let n = usize::from(files) * usize::from(ranks);
            let all = if n == 128 { u128::MAX } else { (1 << n) - 1 };
            Geometry {
                files,
                ranks,
                holes: holes & all,
                wraps,
            }
        })
    }

    /// Returns the shape as a cylinder.
    pub fn wrapped(self) -> Geometry {
        Geometry {
            wraps: true,
            ..self
        }
    }

    /// Returns the number of files.
    #[inline]
    pub fn files(self) -> u8 {
        self.files
    }

    /// Returns the number of ranks.
    #[inline]
    pub fn ranks(self) -> u8 {
        self.ranks
    }

    /// Returns whether the last file touches the first.
    pub fn wraps(self) -> bool {
        self.wraps
    }

    /// Returns the squares of the rectangle that do not exist, as one bit for each square.
    pub fn holes(self) -> u128 {
        self.holes
    }

    /// Returns the number of squares of the rectangle, including holes.
    pub fn len(self) -> usize {
        usize::from(self.files) * usize::from(self.ranks)
    }

    /// Returns false, because every board has squares.
    pub fn is_empty(self) -> bool {
        false
    }

    /// Returns the square on this file and rank (from 0), which must be in the rectangle.
    #[inline]
    pub fn square(self, file: u8, rank: u8) -> Square {
        debug_assert!(file < self.files && rank < self.ranks);
        Square(rank * self.files + file)
    }

    /// Returns the file, from 0.
    #[inline]
    pub fn file(self, square: Square) -> u8 {
        square.0 % self.files
    }

    /// Returns the rank, from 0.
    #[inline]
    pub fn rank(self, square: Square) -> u8 {
        square.0 / self.files
    }

    /// Returns whether the square exists.
    pub fn exists(self, square: Square) -> bool {
        square.index() < self.len() && self.holes >> square.0 & 1 == 0
    }

    /// Returns the square `dx` files to the right and `dy` ranks up, if it exists.
    pub fn step(self, from: Square, dx: i32, dy: i32) -> Option<Square> {
        let rank = i32::from(self.rank(from)) + dy;
        let mut file = i32::from(self.file(from)) + dx;
        if self.wraps {
            file = file.rem_euclid(i32::from(self.files));
        }
        if !(0..i32::from(self.files)).contains(&file)
            || !(0..i32::from(self.ranks)).contains(&rank)
        {
            return None;
        }
        let square = self.square(file as u8, rank as u8);
        self.exists(square).then_some(square)
    }

    /// Returns the number of the `n`-th rank, counted from the side of `color`; both count from 0. If the
    /// board has fewer ranks, the result is not the number of a rank.
    #[inline]
    pub fn rank_of(self, color: Color, n: u8) -> u8 {
        match color {
            Color::White => n,
            Color::Black => self.ranks.wrapping_sub(1).wrapping_sub(n),
        }
    }

    /// Returns the name of a square, such as `e4` or `p12`.
    pub fn name(self, square: Square) -> String {
        let mut name = String::with_capacity(3);
        self.push_name(square, &mut name);
        name
    }

    /// Appends the name of a square to a text.
    #[inline]
    pub fn push_name(self, square: Square, text: &mut String) {
        text.push((b'a' + self.file(square)) as char);
        let number = self.rank(square) + 1;
        if number > 9 {
            text.push((b'0' + number / 10) as char);
        }
        text.push((b'0' + number % 10) as char);
    }

    /// Returns the square with this name, if it exists.
    pub fn named(self, name: &str) -> Option<Square> {
        let mut chars = name.chars();
        let file = (chars.next()? as u32).checked_sub('a' as u32)?;
        let digits = chars.as_str();
        if digits.starts_with('0') || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let rank = digits.parse::<u32>().ok()?.checked_sub(1)?;
        if file >= u32::from(self.files) || rank >= u32::from(self.ranks) {
            return None;
        }
        let square = self.square(file as u8, rank as u8);
        self.exists(square).then_some(square)
    }

    /// Returns the size as files and ranks, such as `8x8`.
    pub fn size(self) -> String {
        format!("{}x{}", self.files, self.ranks)
    }
}
