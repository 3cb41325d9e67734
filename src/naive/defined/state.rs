//! The board and the rest of a position.

pub const WHITE: usize = 0;
pub const BLACK: usize = 1;

/// What a square holds.
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
    /// It came here by a promotion.
    pub promoted: bool,
    /// What it was before, where that is not simply a pawn.
    pub was: Option<usize>,
}

/// Squares are counted from a1 along the ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub cells: Vec<Cell>,
    pub side: usize,
    /// Units in hand, by side and kind.
    pub hand: [Vec<u32>; 2],
    /// The square of the unit that castles.
    pub castler: [Option<usize>; 2],
    /// The square of the other unit: towards the first file, towards the last.
    pub rooks: [[Option<usize>; 2]; 2],
    /// Squares whose unit has not moved yet.
    pub gates: [Vec<usize>; 2],
    /// Squares passed by the last turn, and that of the unit itself if it is not an orthodox pawn.
    pub passed: Vec<usize>,
    /// Checks that each side still has to give.
    pub checks: [u32; 2],
    /// How many of the last turns were passes.
    pub passes: u32,
    /// The last turn dropped a pawn of shogi.
    pub dropped_pawn: bool,
    /// The side and the wing of a castling that was the last turn.
    pub castled: Option<(usize, usize)>,
    /// By side, whether rook, bers or knight gave one of the checks that it has given without a break.
    pub shak: [bool; 2],
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

    /// Returns the squares with this side's units of this kind.
    pub fn squares_of(&self, side: usize, kind: usize) -> Vec<usize> {
        (0..self.cells.len())
            .filter(|&square| self.holds(square, side, kind))
            .collect()
    }

    /// Returns the units of a side on the board.
    pub fn units(&self, side: usize) -> usize {
        (0..self.cells.len())
            .filter(|&square| self.is_of(square, side))
            .count()
    }
}
