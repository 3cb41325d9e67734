//! The tables of a board: steps, leaps and lines for one geometry and one set of men. They are computed once;
//! all movement is then looked up.

use super::{Color, Geometry, Kind, Men, Movement, Slides, Square, Squares, Way};

/// The eight directions of a king, counterclockwise from "right". Even indices are along ranks and files, odd
/// ones along diagonals.
pub const DIRECTIONS: [(i32, i32); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

/// The eight leaps of a knight, counterclockwise. The first four lead to higher ranks.
pub const KNIGHT_LEAPS: [(i32, i32); 8] = [
    (2, 1),
    (1, 2),
    (-1, 2),
    (-2, 1),
    (-2, -1),
    (-1, -2),
    (1, -2),
    (2, -1),
];

const NONE: u8 = u8::MAX;

/// A line through a square, in two parts, without the square itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Line<S> {
    /// The squares with lower numbers.
    pub lower: S,
    /// The squares with higher numbers.
    pub upper: S,
}

impl<S: Squares> Line<S> {
    /// Returns the squares that a slider reaches along the line, up to and including the first unit on either
    /// side. Obstruction difference: Gerd Isenberg and Michael Hoffmann, Chessprogramming wiki, "Obstruction
    /// Difference".
    #[inline(always)]
    pub fn seen(&self, occupied: S) -> S {
        let lower = occupied & self.lower;
        let upper = occupied & self.upper;
        let difference = upper ^ upper.minus(lower.highest_or_zero());
        (self.lower | self.upper) & difference
    }
}

/// The lines through each square: rank, file, diagonal, antidiagonal.
type Lines<S> = Box<[[Line<S>; 4]]>;

/// The entry of a kind: its slides, and the index of the table for its range.
#[derive(Clone, Copy, Debug)]
struct KindEntry {
    slides: Option<Slides>,
    lines: u8,
}

/// A board: a geometry and a set of men, with tables of existing squares, neighbors, leaps, lines, and the
/// squares between two squares.
#[derive(Clone, Debug)]
pub struct Board<S> {
    geometry: Geometry,
    men: Men,
    squares: S,
    neighbors: Box<[[u8; 8]]>,
    leaps: [Box<[S]>; 6],
    kind_entries: [KindEntry; 6],
    lines: Vec<Lines<S>>,
    pawn_captures: [Box<[S]>; 2],
    between: Box<[S]>,
    /// The squares of each rank, by number. There are 256 entries, so that every `u8` is a valid index. Ranks
    /// that do not exist are empty.
    ranks: Box<[S; 256]>,
    not_first_file: S,
    not_last_file: S,
    directions: [[Way<S>; 8]; 2],
    knight_leaps: [[Way<S>; 8]; 2],
    marks: Box<[u8]>,
    zones: [S; 4],
}

/// Returns all squares, holes included.
fn all(geometry: Geometry) -> impl Iterator<Item = Square> {
    (0..geometry.len() as u8).map(Square)
}

/// The possible steps on a board, from which its tables are computed.
struct Steps {
    geometry: Geometry,
    /// Whether steps between the two halves of the files are impossible.
    halves: bool,
    /// The neighbors of each square, in the order of [`DIRECTIONS`]. [`NONE`] where the neighbor does not
    /// exist.
    neighbors: Box<[[u8; 8]]>,
}

impl Steps {
    fn new(geometry: Geometry, halves: bool) -> Steps {
        let mut steps = Steps {
            geometry,
            halves,
            neighbors: Box::default(),
        };
        let neighbor = |from, (dx, dy)| steps.step(from, dx, dy).map_or(NONE, |to| to.0);
        let neighbors = |from| DIRECTIONS.map(|offset| neighbor(from, offset));
        steps.neighbors = all(geometry).map(neighbors).collect();
        steps
    }

    /// Returns the square at an offset from `from`, if a unit can step there.
    fn step(&self, from: Square, dx: i32, dy: i32) -> Option<Square> {
        let middle = self.geometry.files() / 2;
        let half = |square| self.geometry.file(square) < middle;
        if !self.geometry.exists(from) {
            return None;
        }
        let to = self.geometry.step(from, dx, dy)?;
        (to != from && (!self.halves || half(from) == half(to))).then_some(to)
    }

    /// Returns the squares on a path of up to `range` steps in a direction, in order.
    fn walk(&self, from: Square, direction: usize, range: u8) -> Vec<Square> {
        let mut path = Vec::new();
        let mut at = from;
        for _ in 0..range {
            match self.neighbors[at.index()][direction] {
                NONE => break,
                next if Square(next) == from => break,
                next => at = Square(next),
            }
            path.push(at);
        }
        path
    }

    /// Returns, for each square, the targets of leaps with these offsets.
    fn leaps<S: Squares>(&self, offsets: &[(i32, i32)]) -> Box<[S]> {
        let leaps = |from| {
            offsets
                .iter()
                .filter_map(|&(dx, dy)| self.step(from, dx, dy))
                .fold(S::EMPTY, S::with)
        };
        all(self.geometry).map(leaps).collect()
    }

    /// Returns the lines through each square, up to `range` steps in each direction.
    fn lines<S: Squares>(&self, range: u8) -> Lines<S> {
        let part = |from, direction| {
            let path = self.walk(from, direction, range);
            path.into_iter().fold(S::EMPTY, S::with)
        };
        let lines = |from| {
            [0, 2, 1, 3].map(|up| Line {
                upper: part(from, up),
                lower: part(from, up + 4),
            })
        };
        all(self.geometry).map(lines).collect()
    }

    /// Returns the squares between each pair of squares on a line. Empty for other pairs, and if the board
    /// wraps.
    fn between<S: Squares>(&self) -> Box<[S]> {
        let n = self.geometry.len();
        let mut between = vec![S::EMPTY; n * n].into_boxed_slice();
        if self.geometry.wraps() {
            return between;
        }
        for from in all(self.geometry) {
            for direction in 0..8 {
                let mut passed = S::EMPTY;
                for to in self.walk(from, direction, 15) {
                    between[from.index() * n + to.index()] = passed;
                    passed = passed.with(to);
                }
            }
        }
        between
    }
}

impl<S: Squares> Board<S> {
    /// Returns the tables for these men on this board. Men that slide need a flat board.
    ///
    /// # Panics
    /// If the board has more squares than the square set can hold, or if a kind slides and the board is a
    /// cylinder.
    pub fn new(geometry: Geometry, men: Men) -> Board<S> {
        assert!(geometry.len() <= S::CAPACITY);
        let squares = S::first_n(geometry.len()) & S::from_bits(!geometry.holes());
        let steps = Steps::new(geometry, men.halves);
        let mut lines: Vec<Lines<S>> = Vec::new();
        let mut ranges: Vec<u8> = Vec::new();
        let mut leaps: [Box<[S]>; 6] = Default::default();
        let mut kind_entries = [KindEntry {
            slides: None,
            lines: 0,
        }; 6];
        for kind in Kind::ALL {
            match men.movements[kind.index()] {
                Movement::Special => {}
                Movement::Leaper(offsets) => leaps[kind.index()] = steps.leaps(offsets),
                Movement::Slider(slides) => {
                    assert!(!geometry.wraps(), "slides need a flat board");
                    let known = ranges.iter().position(|&r| r == slides.range);
                    let table = known.unwrap_or_else(|| {
                        ranges.push(slides.range);
                        lines.push(steps.lines(slides.range));
                        lines.len() - 1
                    });
                    kind_entries[kind.index()] = KindEntry {
                        slides: Some(slides),
                        lines: table as u8,
                    };
                }
            }
        }
        let ways = |offsets: [(i32, i32); 8]| {
            let step = |from, dx, dy| steps.step(from, dx, dy);
            [1, -1].map(|side| {
                offsets.map(|(dx, dy)| Way::new(geometry, (side * dx, side * dy), step))
            })
        };
        let file_set = |file: u8| {
            let on_file = all(geometry).filter(|&s| geometry.file(s) == file);
            on_file.fold(S::EMPTY, S::with)
        };
        let mut ranks = Box::new([S::EMPTY; 256]);
        for square in squares.iter() {
            let rank = &mut ranks[usize::from(geometry.rank(square))];
            *rank = rank.with(square);
        }
        Board {
            geometry,
            men,
            squares,
            leaps,
            kind_entries,
            lines,
            pawn_captures: [
                steps.leaps(&[(-1, 1), (1, 1)]),
                steps.leaps(&[(-1, -1), (1, -1)]),
            ],
            between: steps.between(),
            ranks,
            not_first_file: !file_set(0),
            not_last_file: !file_set(geometry.files() - 1),
            directions: ways(DIRECTIONS),
            knight_leaps: ways(KNIGHT_LEAPS),
            neighbors: steps.neighbors,
            marks: vec![0; geometry.len()].into_boxed_slice(),
            zones: [S::EMPTY; 4],
        }
    }

    /// Returns the board with a mark for each square, a byte whose meaning the rules define (castling
    /// rights).
    ///
    /// # Panics
    /// If the number of marks differs from the number of squares.
    pub fn with_marks(mut self, marks: Vec<u8>) -> Board<S> {
        assert_eq!(marks.len(), self.geometry.len());
        self.marks = marks.into_boxed_slice();
        self
    }

    /// Returns the board with zones, sets of squares whose meaning the rules define (royal squares,
    /// quadrants, protected ranks).
    pub fn with_zones(mut self, zones: [S; 4]) -> Board<S> {
        self.zones = zones;
        self
    }

    /// Returns one of the zones that the rules have set.
    #[inline(always)]
    pub fn zone(&self, index: usize) -> S {
        self.zones[index]
    }

    /// Returns the mark that the rules have set for a square.
    #[inline(always)]
    pub fn mark(&self, square: Square) -> u8 {
        self.marks[square.index()]
    }

    /// Returns the shape of the board.
    #[inline]
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// Returns the men of the board.
    #[inline]
    pub fn men(&self) -> &Men {
        &self.men
    }

    /// Returns all existing squares.
    #[inline]
    pub fn squares(&self) -> S {
        self.squares
    }

    /// Returns the number of files, which is also the offset from one rank to the next.
    #[inline]
    pub fn files(&self) -> i32 {
        i32::from(self.geometry.files())
    }

    /// Returns the offset of one square straight ahead.
    #[inline]
    pub fn ahead(&self, color: Color) -> i32 {
        match color {
            Color::White => self.files(),
            Color::Black => -self.files(),
        }
    }

    /// Returns the existing squares of a rank (from 0). Empty if the board does not have this rank.
    #[inline]
    pub fn rank_set(&self, rank: u8) -> S {
        self.ranks[usize::from(rank)]
    }

    /// Returns the existing squares of the `n`-th rank (from 0), counted from the side of `color`. Empty if
    /// the board has fewer ranks.
    #[inline]
    pub fn rank_of(&self, color: Color, n: u8) -> S {
        self.rank_set(self.geometry.rank_of(color, n))
    }

    /// Returns the existing squares of `color`'s last rank, where pawns promote.
    #[inline]
    pub fn last_rank(&self, color: Color) -> S {
        self.rank_of(!color, 0)
    }

    /// Returns the set moved one square straight ahead for `color`, on a flat board.
    #[inline]
    pub fn pushed(&self, set: S, color: Color) -> S {
        set.shift(self.ahead(color)) & self.squares
    }

    /// Returns the set moved one square diagonally ahead for `color`, on a flat board: first to lower files,
    /// then to higher, each with the offset of the step.
    #[inline]
    pub fn pushed_aside(&self, set: S, color: Color) -> [(i32, S); 2] {
        let (left, right) = (self.ahead(color) - 1, self.ahead(color) + 1);
        [
            (left, (set & self.not_first_file).shift(left) & self.squares),
            (
                right,
                (set & self.not_last_file).shift(right) & self.squares,
            ),
        ]
    }

    /// Returns the set moved one square sideways, on a flat board: first to lower files, then to higher, each
    /// with the offset of the step.
    #[inline]
    pub fn sideways(&self, set: S) -> [(i32, S); 2] {
        [
            (-1, (set & self.not_first_file).shift(-1) & self.squares),
            (1, (set & self.not_last_file).shift(1) & self.squares),
        ]
    }

    /// Returns the eight [`DIRECTIONS`] from the view of a side, on a flat board.
    #[inline(always)]
    pub fn directions(&self, color: Color) -> &[Way<S>; 8] {
        &self.directions[color.index()]
    }

    /// Returns the eight [`KNIGHT_LEAPS`] from the view of a side, on a flat board.
    #[inline(always)]
    pub fn knight_leaps(&self, color: Color) -> &[Way<S>; 8] {
        &self.knight_leaps[color.index()]
    }

    /// Returns the neighbor of a square in one of the eight [`DIRECTIONS`], if it exists.
    #[inline]
    pub fn neighbor(&self, from: Square, direction: usize) -> Option<Square> {
        let to = self.neighbors[from.index()][direction];
        (to != NONE).then_some(Square(to))
    }

    /// Returns all neighbors of a square, which are the targets of a king's steps.
    #[inline]
    pub fn neighbors(&self, from: Square) -> S {
        self.neighbors[from.index()]
            .iter()
            .filter(|&&to| to != NONE)
            .fold(S::EMPTY, |set, &to| set.with(Square(to)))
    }

    /// Returns the squares from a square in one direction, nearest first, up to the edge or a hole.
    pub fn ray(&self, from: Square, direction: usize) -> impl Iterator<Item = Square> + '_ {
        let mut at = from;
        std::iter::from_fn(move || {
            at = self.neighbor(at, direction)?;
            (at != from).then_some(at)
        })
    }

    /// Returns the square of the first unit from a square in one direction.
    pub fn first_unit(&self, from: Square, direction: usize, occupied: S) -> Option<Square> {
        self.ray(from, direction).find(|&s| occupied.has(s))
    }

    /// Returns whether this kind leaps.
    #[inline]
    pub fn leaps(&self, kind: Kind) -> bool {
        !self.leaps[kind.index()].is_empty()
    }

    /// Returns the slides of this kind, if it slides.
    #[inline]
    pub fn slides(&self, kind: Kind) -> Option<Slides> {
        self.kind_entries[kind.index()].slides
    }

    /// Returns the squares that a leaper reaches. `kind` must be a leaper.
    #[inline(always)]
    pub fn leap(&self, kind: Kind, from: Square) -> S {
        self.leaps[kind.index()][from.index()]
    }

    /// Returns the squares that a slider of this kind reaches, up to and including the first unit on each
    /// line. These are also the squares from which such a slider reaches `from`.
    #[inline(always)]
    pub fn slide(&self, kind: Kind, from: Square, occupied: S) -> S {
        match self.kind_entries[kind.index()].slides {
            Some(slides) => self.slide_along(slides, kind, from, occupied),
            None => S::EMPTY,
        }
    }

    /// Returns the squares reached along the lines of `slides`, with the range of this kind. If `slides` is
    /// constant, only the code for its lines is compiled.
    #[inline(always)]
    pub fn slide_along(&self, slides: Slides, kind: Kind, from: Square, occupied: S) -> S {
        let mut seen = S::EMPTY;
        if slides.orthogonal {
            seen |= self.slide_orthogonal(kind, from, occupied);
        }
        if slides.diagonal {
            seen |= self.slide_diagonal(kind, from, occupied);
        }
        seen
    }

    /// Returns the squares reached along rank and file, with the range of this kind.
    #[inline(always)]
    pub fn slide_orthogonal(&self, kind: Kind, from: Square, occupied: S) -> S {
        let lines = &self.lines[usize::from(self.kind_entries[kind.index()].lines)][from.index()];
        lines[0].seen(occupied) | lines[1].seen(occupied)
    }

    /// Returns the squares reached along both diagonals, with the range of this kind.
    #[inline(always)]
    pub fn slide_diagonal(&self, kind: Kind, from: Square, occupied: S) -> S {
        let lines = &self.lines[usize::from(self.kind_entries[kind.index()].lines)][from.index()];
        lines[2].seen(occupied) | lines[3].seen(occupied)
    }

    /// Returns the squares that a piece of this kind reaches by leap or slide, including those of its own
    /// side's units. `kind` must not be the pawn.
    #[inline(always)]
    pub fn reach(&self, kind: Kind, from: Square, occupied: S) -> S {
        if self.leaps(kind) {
            self.leap(kind, from)
        } else {
            self.slide(kind, from, occupied)
        }
    }

    /// Returns the squares diagonally ahead of a pawn, on which it captures.
    #[inline(always)]
    pub fn pawn_captures(&self, color: Color, from: Square) -> S {
        self.pawn_captures[color.index()][from.index()]
    }

    /// Returns the squares strictly between two squares on a line. Empty if they are not on a line or if a
    /// hole is between them.
    #[inline(always)]
    pub fn between(&self, a: Square, b: Square) -> S {
        self.between[a.index() * self.geometry.len() + b.index()]
    }
}
