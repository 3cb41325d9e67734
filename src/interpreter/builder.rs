//! Parts of movement tables: lame steps, hops and walks, and a builder for lines and paths.

use board::{Geometry, Line, Square, Squares};
use definition::Path;

/// The use of a move that goes to vacant squares, as a bit.
pub const QUIET: u8 = 1;
/// The use of a move that captures enemies, as a bit.
pub const ATTACK: u8 = 2;

/// A set for each square.
pub type BySquare<S> = Box<[S]>;

/// A step that needs other squares to be vacant.
#[derive(Clone, Copy, Debug)]
pub struct Guarded<S> {
    /// The target.
    pub to: S,
    /// The squares that must be vacant.
    pub path: S,
}

/// A move that is neither a leap nor a ride along a line.
#[derive(Clone, Debug)]
pub enum Special<S> {
    /// Lame leaps, and long steps of pawns.
    Lame(Box<[Vec<Guarded<S>>]>),
    /// Hops over one unit, on a flat board without holes.
    Hop {
        /// All squares of the ray.
        ray: BySquare<S>,
        /// The squares of the ray in range.
        range: BySquare<S>,
        /// Whether the hop reaches only the first square after the hurdle.
        first_only: bool,
        /// Whether square numbers increase along the ray.
        grows: bool,
    },
    /// Rides and hops square by square: on a cylinder, over holes, or from some squares only. For hops, a
    /// hole is a hurdle, like a unit.
    Walk {
        /// By square, the squares of the path, nearest first.
        paths: Box<[Vec<Square>]>,
        /// Whether the move rides or hops along the path.
        how: Path,
        holes: S,
    },
}

impl<S: Squares> Special<S> {
    /// Returns the squares that the move reaches from `from`: vacant squares, and occupied squares on which a
    /// capture could be possible.
    pub fn reach(&self, from: Square, occupied: S) -> S {
        match self {
            Special::Lame(steps) => steps[from.index()]
                .iter()
                .filter(|step| (step.path & occupied).is_empty())
                .fold(S::EMPTY, |all, step| all | step.to),
            Special::Hop {
                ray,
                range,
                first_only,
                grows,
            } => {
                let nearest = |set: S| {
                    if *grows {
                        set.lowest()
                    } else {
                        set.highest_or_zero().lowest()
                    }
                };
                let units = ray[from.index()] & occupied;
                if units.is_empty() {
                    return S::EMPTY;
                }
                let behind = ray[nearest(units).index()];
                if *first_only {
                    let first = match behind.is_empty() {
                        true => S::EMPTY,
                        false => S::of(nearest(behind)),
                    };
                    return first & range[from.index()];
                }
                let next = behind & occupied;
                let seen = match next.is_empty() {
                    true => behind,
                    false => behind & !ray[nearest(next).index()],
                };
                seen & range[from.index()]
            }
            Special::Walk { paths, how, holes } => {
                walk(&paths[from.index()], *how, occupied | *holes)
            }
        }
    }
}

/// Returns the squares of a path that a ride or hop along it reaches.
fn walk<S: Squares>(path: &[Square], how: Path, occupied: S) -> S {
    let mut reached = S::EMPTY;
    let mut hopped = how == Path::Ride;
    for &square in path {
        if hopped {
            reached = reached.with(square);
            if how == Path::Grasshop || occupied.has(square) {
                break;
            }
        } else {
            hopped = occupied.has(square);
        }
    }
    reached
}

/// The key of a table of lines: a direction in files and ranks, the range in squares (0 for no limit), and
/// whether the opposite direction is included.
pub type LineKey = (i8, i8, u8, bool);

/// A builder for tables of lines. Movements with the same key share one table.
pub struct Builder<S> {
    /// The board.
    pub geometry: Geometry,
    keys: Vec<LineKey>,
    tables: Vec<Box<[Line<S>]>>,
}

impl<S: Squares> Builder<S> {
    /// Returns a builder without tables.
    pub fn new(geometry: Geometry) -> Builder<S> {
        Builder {
            geometry,
            keys: Vec::new(),
            tables: Vec::new(),
        }
    }

    /// Returns all tables in one list. Each table has a line for each square.
    pub fn lines(self) -> Box<[Line<S>]> {
        self.tables.concat().into_boxed_slice()
    }

    /// Returns the squares of the board, without holes.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<S> {
        let geometry = self.geometry;
        (0..geometry.len() as u8)
            .map(Square)
            .filter(move |&square| geometry.exists(square))
    }

    /// Returns the squares from `from` in a direction, nearest first, up to the edge, a hole or the range.
    pub fn path(&self, from: Square, direction: (i8, i8), range: u8) -> Vec<Square> {
        Self::path_on(self.geometry, from, direction, range)
    }

    /// Like [`path`](Self::path), but holes do not end the path, because hops pass them. Holes are included.
    pub fn path_of_hops(&self, from: Square, direction: (i8, i8), range: u8) -> Vec<Square> {
        let g = self.geometry;
        let whole = Geometry::new(g.files(), g.ranks(), 0, g.wraps()).unwrap_or(g);
        Self::path_on(whole, from, direction, range)
    }

    fn path_on(geometry: Geometry, from: Square, (dx, dy): (i8, i8), range: u8) -> Vec<Square> {
        let most = if range == 0 { usize::MAX } else { range.into() };
        let mut path = Vec::new();
        let mut at = from;
        while path.len() < most {
            match geometry.step(at, dx.into(), dy.into()) {
                Some(next) if next != from && !path.contains(&next) => at = next,
                _ => break,
            }
            path.push(at);
        }
        path
    }

    /// Returns an empty set for each square.
    pub fn blank(&self) -> BySquare<S> {
        vec![S::EMPTY; self.geometry.len()].into_boxed_slice()
    }

    /// Returns the rays of one direction.
    pub fn rays(&self, direction: (i8, i8), range: u8) -> BySquare<S> {
        let mut rays = self.blank();
        for from in self.squares() {
            rays[from.index()] = set(&self.path(from, direction, range));
        }
        rays
    }

    /// Returns whether square numbers increase in a direction on a flat board.
    pub fn grows(&self, (dx, dy): (i8, i8)) -> bool {
        i32::from(dy) * i32::from(self.geometry.files()) + i32::from(dx) > 0
    }

    /// Returns the number of the table of lines with this key. Builds the table if it does not exist.
    pub fn table(&mut self, key: LineKey) -> u16 {
        if let Some(known) = self.keys.iter().position(|&k| k == key) {
            return known as u16;
        }
        let (dx, dy, range, both) = key;
        let mut lines = vec![Line::default(); self.geometry.len()].into_boxed_slice();
        for (dx, dy) in [(dx, dy), (-dx, -dy)]
            .into_iter()
            .take(1 + usize::from(both))
        {
            let grows = self.grows((dx, dy));
            for from in self.squares() {
                let squares = set(&self.path(from, (dx, dy), range));
                let line = &mut lines[from.index()];
                if grows {
                    line.upper = squares;
                } else {
                    line.lower = squares;
                }
            }
        }
        self.keys.push(key);
        self.tables.push(lines);
        (self.tables.len() - 1) as u16
    }

    /// Returns the number of the table in the opposite direction of `table`.
    pub fn reverse(&mut self, table: u16) -> u16 {
        let (dx, dy, range, both) = self.keys[usize::from(table)];
        if both {
            table
        } else {
            self.table((-dx, -dy, range, false))
        }
    }

    /// Returns a lame step, or a long step of a pawn, from one square. Returns `None` if its target is not
    /// allowed, or if a square that it passes is not on the board.
    pub fn guarded(
        &self,
        from: Square,
        goal: (i8, i8),
        path: &[(i8, i8)],
        allowed: S,
    ) -> Option<Guarded<S>> {
        let at = |(dx, dy): (i8, i8)| self.geometry.step(from, dx.into(), dy.into());
        let to = at(goal).filter(|&to| to != from && allowed.has(to))?;
        let mut passed = S::EMPTY;
        for &offset in path {
            passed = passed.with(at(offset)?);
        }
        Some(Guarded {
            to: S::of(to),
            path: passed,
        })
    }
}

/// Returns the set of these squares.
pub fn set<S: Squares>(squares: &[Square]) -> S {
    squares.iter().copied().fold(S::EMPTY, S::with)
}
