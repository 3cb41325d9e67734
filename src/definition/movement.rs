//! Movements: the terms of Betza notation, and the steps into which they are expanded.

/// The basic offsets of a term of Betza notation, by the letters of the notation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Atom {
    /// `W`: one square along a rank or file.
    Wazir,
    /// `F`: one square diagonally.
    Ferz,
    /// `D`: (2,0).
    Dabbaba,
    /// `N`: (2,1).
    Knight,
    /// `A`: (2,2).
    Alfil,
    /// `H`: (3,0).
    Threeleaper,
    /// `C` or `L`: (3,1).
    Camel,
    /// `Z` or `J`: (3,2).
    Zebra,
    /// `G`: (3,3).
    Tripper,
    /// `K`: `W` and `F` under the same modifiers.
    King,
    /// `R`: `W` ridden without limit.
    Rook,
    /// `B`: `F` ridden without limit.
    Bishop,
    /// `Q`: `R` and `B` under the same modifiers.
    Queen,
}

/// The squares to which a step may be made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Mode {
    /// To empty squares only (`m`).
    Move,
    /// To squares of enemies only (`c`): these squares are attacked.
    Capture,
}

/// The way in which a step reaches its target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Path {
    /// Straight to the offset; units between do not matter.
    Leap,
    /// To the offset, if the squares of [`Step::lame_path`] are all empty (`n`).
    Lame,
    /// By repeating the offset until a unit or the range ends the ride: slider, nightrider.
    Ride,
    /// Along the line of the offset, over exactly one unit of either side anywhere on the line, and then
    /// to any square beyond it, up to and including the next unit (`p`): a cannon. The range, if any,
    /// counts all squares from the first.
    Hop,
    /// Like `Hop`, but only to the first square beyond the unit hopped over (`g`): a grasshopper.
    Grasshop,
}

/// One offset with its conditions, for White. Black's step has the opposite direction (`-dx`, `-dy`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Step {
    /// Files to the right.
    pub dx: i8,
    /// Ranks up.
    pub dy: i8,
    /// Whether the step leads to empty squares or to enemies.
    pub mode: Mode,
    /// Whether the step starts only in the moving side's [double-step region](crate::Pawns::double_step)
    /// (`i`). Such a step never captures: [`Movement::steps`] leaves out capturing ones.
    pub initial: bool,
    /// The way in which the step reaches its target.
    pub path: Path,
    /// For `Ride` and `Hop`, the maximum number of squares, or 0 for no limit. Otherwise 0.
    pub range: u8,
}

impl Step {
    /// Returns the offsets of the squares that must be empty for a lame step, in the order in which the step
    /// passes them. The step goes orthogonally along the longer side until both sides are equal, and then
    /// diagonally. A horse passes an orthogonal neighbor, an elephant a diagonal one, and a lame zebra an
    /// orthogonal one and then a diagonal one.
    pub fn lame_path(&self) -> Vec<(i8, i8)> {
        let (mut x, mut y) = (0i8, 0i8);
        let mut path = Vec::new();
        loop {
            let (rest_x, rest_y) = (self.dx - x, self.dy - y);
            let difference = rest_x.abs() - rest_y.abs();
            if difference >= 0 {
                x += rest_x.signum();
            }
            if difference <= 0 {
                y += rest_y.signum();
            }
            if (x, y) == (self.dx, self.dy) {
                return path;
            }
            path.push((x, y));
        }
    }
}

/// One term of Betza notation: modifiers and an atom, as written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Term {
    /// The atom.
    pub atom: Atom,
    /// Whether the term moves to empty squares: `m` was written, or neither `m` nor `c`.
    pub moves: bool,
    /// Whether the term captures: `c` was written, or neither `m` nor `c`.
    pub captures: bool,
    /// Whether `i` was written.
    pub initial: bool,
    /// Whether `e` was written: the piece can capture en passant ([types](crate::EnPassant::types)).
    pub en_passant: bool,
    /// The way in which the term's steps reach their targets.
    pub path: Path,
    /// For `Ride` and `Hop`, the maximum number of squares, or 0 for no limit. Otherwise 0.
    pub range: u8,
    /// Directions as pairs of letters (`ff`, `fs`, `lr` ...). An empty list means all directions.
    pub directions: Vec<[u8; 2]>,
}

/// The movement of a piece: the sum of its terms.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Movement {
    /// The terms in the order of the text.
    pub terms: Vec<Term>,
}
