//! Positions: the board, and everything else that affects the rest of the game.

pub const WHITE: usize = 0;
pub const BLACK: usize = 1;

/// The content of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    Hole,
    Vacant,
    Unit(Unit),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    pub side: usize,
    pub kind: usize,
    /// Whether the unit has promoted.
    pub promoted: bool,
    /// The former kind of a unit that has promoted as in shogi.
    pub was: Option<usize>,
}

/// A position. Squares are numbered from a1 along the ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub cells: Vec<Cell>,
    pub side: usize,
    /// The number of units in hand, by side and kind.
    pub hand: [Vec<u32>; 2],
    /// By side, the square of the king that may castle.
    pub castler: [Option<usize>; 2],
    /// By side and wing, the square of the rook that may castle. Wing 0 is toward the first file.
    pub rooks: [[Option<usize>; 2]; 2],
    /// By side, the squares whose units have not moved yet.
    pub gates: [Vec<usize>; 2],
    /// The squares that the last turn has passed. If the unit is not an orthodox pawn, its own square is
    /// included.
    pub passed: Vec<usize>,
    /// By side, the number of checks that the side still has to give.
    pub checks: [u32; 2],
    /// The number of consecutive passes up to this position.
    pub passes: u32,
    /// Whether the last turn dropped a `shogiPawn`.
    pub dropped_pawn: bool,
    /// The side and the wing of the last turn, if it was castling.
    pub castled: Option<(usize, usize)>,
    /// By side, whether its unbroken series of checks contains a check by a rook, bers or knight.
    pub shak: [bool; 2],
    /// By side, whether it has lost the last of its units that are royal as the last ones of their kind.
    pub extinct: [bool; 2],
    pub clock: u32,
    pub number: u32,
}

impl Position {
    pub fn unit(&self, square: usize) -> Option<Unit> {
        match self.cells[square] {
            Cell::Unit(unit) => Some(unit),
            _ => None,
        }
    }

    pub fn vacant(&self, square: usize) -> bool {
        self.cells[square] == Cell::Vacant
    }

    pub fn is_of(&self, square: usize, side: usize) -> bool {
        self.unit(square).is_some_and(|unit| unit.side == side)
    }

    pub fn holds(&self, square: usize, side: usize, kind: usize) -> bool {
        self.unit(square)
            .is_some_and(|unit| unit.side == side && unit.kind == kind)
    }

    /// Returns the squares of a side's units of one kind.
    pub fn squares_of(&self, side: usize, kind: usize) -> Vec<usize> {
        (0..self.cells.len())
            .filter(|&square| self.holds(square, side, kind))
            .collect()
    }

    /// Returns the number of a side's units on the board.
    pub fn units(&self, side: usize) -> usize {
        (0..self.cells.len())
            .filter(|&square| self.is_of(square, side))
            .count()
    }
}
