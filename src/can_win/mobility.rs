//! The squares that each unit of an orthodox position can ever reach: sets that contain every square on which
//! the unit can stand in any continuation, and perhaps more.
//!
//! A unit is *fixed* if its set contains only its own square and no enemy can reach that square to capture it.
//! The sets are the smallest ones that are closed under these rules:
//!
//! * A unit goes from any square of its set as it moves on a board on which only fixed units stand. It captures
//!   on any square that it reaches so; a fixed unit that is captured so is not fixed.
//! * A pawn goes diagonally to squares that some enemy unit other than a king can reach, which include those that a
//!   double step can pass, or has just passed. On the last rank it becomes a unit that moves like queen and knight together.
//! * A king does not go to squares that a fixed enemy unit attacks from the next square or by a leap.
//!
//! Proof that the sets contain what they should, by induction on the number of turns played: as long as all
//! units have stayed within their sets, the fixed units still stand on their squares. So the next turn of a
//! unit, which is legal, is possible on the board of the fixed units alone, and leads to a square of the unit's
//! set. A fixed unit is not captured by it, since the capturing unit would have reached its square under the
//! rules.

use crate::grid::{DIRECTIONS, Grid, Set};
use board::{Color, Kind, Square, Squares};
use position::{Layout, Position};
use rules::Game;

/// A unit of the position with the squares that it can reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unit {
    pub(crate) color: Color,
    pub(crate) kind: Kind,
    start: Set,
    /// The squares that it can reach as what it is.
    pub(crate) squares: Set,
    /// The squares that it can reach after promotion.
    pub(crate) promoted: Set,
    /// Whether an enemy may reach its own square, or it may leave that square.
    captured: bool,
}

impl Unit {
    /// Returns whether the unit stays on its square for ever.
    fn is_fixed(&self) -> bool {
        self.squares == self.start && self.promoted == 0 && !self.captured
    }

    /// Returns all squares that the unit can reach.
    pub(crate) fn reach(&self) -> Set {
        self.squares | self.promoted
    }
}

/// The units of a position with the squares that they can reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mobility {
    pub(crate) grid: Grid,
    pub(crate) units: Vec<Unit>,
}

/// Returns the squares that the units of a position can reach.
pub(crate) fn reachable<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> Mobility {
    let grid = Grid::new(game.board().geometry());
    let units = p.occupied().iter().filter_map(|square| {
        let (color, kind) = p.unit(square)?;
        let start = 1 << square.0;
        Some(Unit {
            color,
            kind,
            start,
            squares: start,
            promoted: 0,
            captured: false,
        })
    });
    let mut mobility = Mobility {
        grid,
        units: units.collect(),
    };
    let passed = p.en_passant().map_or(0, |square| 1 << square.0);
    if passed != 0 {
        // The pawn that has just passed the square.
        let pawn = grid.shift(passed, (0, ahead(!p.side)));
        for unit in mobility.units.iter_mut().filter(|unit| unit.start == pawn) {
            unit.captured = true;
        }
    }
    mobility.add_castling(game, p);
    while mobility.grow(passed) {}
    mobility
}

/// Returns the direction in which a side's pawns go.
fn ahead(color: Color) -> i8 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

impl Mobility {
    /// Adds the squares that king and rook reach by castling, for each right.
    fn add_castling<W: Layout>(&mut self, game: &dyn Game<W>, p: &Position<W>) {
        for color in Color::BOTH {
            for higher in [false, true] {
                if !p.rights.has(position::Rights::bit(color, higher)) {
                    continue;
                }
                let Some((king, rook)) = game.castling_homes(color, higher) else {
                    continue;
                };
                let side = if higher { 1 } else { -1 };
                let [king, rook] = [king, rook].map(|square: Square| 1 << square.0);
                let passed = self.grid.shift(king, (side, 0));
                let target = self.grid.shift(passed, (side, 0));
                for unit in self.units.iter_mut().filter(|unit| unit.color == color) {
                    match unit.start {
                        start if start == king => unit.squares |= target,
                        start if start == rook => unit.squares |= passed,
                        _ => {}
                    }
                }
            }
        }
    }

    /// Returns the squares of a side's fixed units.
    fn fixed(&self, color: Color) -> Set {
        let own = self.units.iter().filter(|unit| unit.color == color);
        own.filter(|unit| unit.is_fixed())
            .fold(0, |set, unit| set | unit.start)
    }

    /// Returns the squares of all fixed units other than the king of `color`.
    pub(crate) fn walls_without_king(&self, color: Color) -> Set {
        let is_king = |unit: &&Unit| unit.color == color && unit.kind == Kind::King;
        let others = self.units.iter().filter(|unit| !is_king(unit));
        others
            .filter(|unit| unit.is_fixed())
            .fold(0, |set, unit| set | unit.start)
    }

    /// Returns the squares that a side's fixed units attack from the next square or by a leap, which no other
    /// unit can prevent.
    fn controlled(&self, color: Color) -> Set {
        let fixed = self.units.iter().filter(|unit| unit.color == color);
        fixed.filter(|unit| unit.is_fixed()).fold(0, |set, unit| {
            set | match unit.kind {
                Kind::Pawn => self.pawn_attacks(color, unit.start),
                Kind::Knight => self.grid.leaps(unit.start),
                Kind::King | Kind::Queen => self.grid.neighbors(unit.start),
                Kind::Rook => self.one_step(unit.start, &DIRECTIONS[..4]),
                Kind::Bishop => self.one_step(unit.start, &DIRECTIONS[4..]),
                _ => 0,
            }
        })
    }

    fn one_step(&self, set: Set, directions: &[(i8, i8)]) -> Set {
        (directions.iter()).fold(0, |all, direction| all | self.grid.shift(set, *direction))
    }

    /// Returns the squares that pawns of a side on these squares attack.
    fn pawn_attacks(&self, color: Color, set: Set) -> Set {
        self.one_step(set, &[(1, ahead(color)), (-1, ahead(color))])
    }

    /// Returns the squares that the unit attacks from any square that it can reach as `kind`, given in `from`.
    /// A line ends on a square of `walls`, which is attacked too.
    pub(crate) fn attacks(&self, color: Color, kind: Kind, from: Set, walls: Set) -> Set {
        let grid = &self.grid;
        match kind {
            Kind::Pawn => self.pawn_attacks(color, from),
            Kind::Knight => grid.leaps(from),
            Kind::King => grid.neighbors(from),
            Kind::Rook => grid.lines(from, &DIRECTIONS[..4], 0, walls),
            Kind::Bishop => grid.lines(from, &DIRECTIONS[4..], 0, walls),
            _ => grid.lines(from, &DIRECTIONS, 0, walls),
        }
    }

    /// Returns the squares that a unit attacks from any square that it can reach, as what it is and after
    /// promotion.
    pub(crate) fn all_attacks(&self, unit: &Unit, walls: Set) -> Set {
        let promoted = match unit.promoted {
            0 => 0,
            from => self.attacks(unit.color, Kind::Queen, from, walls) | self.grid.leaps(from),
        };
        promoted | self.attacks(unit.color, unit.kind, unit.squares, walls)
    }

    fn second_rank(&self, color: Color) -> Set {
        match (color, self.grid.last_rank()) {
            (_, 0) => 0,
            (Color::White, _) => self.grid.rank(1),
            (Color::Black, last) => self.grid.rank(last - 1),
        }
    }

    fn last_rank(&self, color: Color) -> Set {
        match color {
            Color::White => self.grid.rank(self.grid.last_rank()),
            Color::Black => self.grid.rank(0),
        }
    }

    /// Applies the rules once to each unit. Returns whether a set has grown.
    fn grow(&mut self, passed: Set) -> bool {
        let mut grown = false;
        for at in 0..self.units.len() {
            let unit = self.units[at];
            let (own, enemy) = (self.fixed(unit.color), self.fixed(!unit.color));
            let mut next = unit;
            match unit.kind {
                Kind::Pawn => self.grow_pawn(&mut next, own | enemy, passed),
                kind => next.squares |= self.steps(unit.color, kind, unit.squares, own, enemy),
            }
            if next.promoted != 0 {
                let promoted = next.promoted;
                for kind in [Kind::Queen, Kind::Knight] {
                    next.promoted |= self.steps(unit.color, kind, promoted, own, enemy);
                }
            }
            // Fixed enemies that the unit reaches can be captured.
            let hits = next.reach() & enemy;
            for other in &mut self.units {
                if hits & other.start != 0 && other.is_fixed() && other.kind != Kind::King {
                    other.captured = true;
                    grown = true;
                }
            }
            grown |= next != unit;
            // The unit itself may have been marked as captured by an earlier unit only.
            self.units[at].squares = next.squares;
            self.units[at].promoted = next.promoted;
        }
        grown
    }

    /// Returns the squares that a unit other than a pawn reaches in one step.
    fn steps(&self, color: Color, kind: Kind, from: Set, own: Set, enemy: Set) -> Set {
        let enemy_king = (self.units.iter())
            .filter(|unit| unit.color != color && unit.kind == Kind::King)
            .fold(0, |set, unit| set | unit.start & enemy);
        // No unit captures a king, so a king that stays on its square is a wall.
        let walls = own | enemy_king;
        let grid = &self.grid;
        match kind {
            Kind::King => grid.neighbors(from) & !walls & !self.controlled(!color),
            Kind::Knight => grid.leaps(from) & !walls,
            Kind::Rook => grid.lines(from, &DIRECTIONS[..4], walls, enemy),
            Kind::Bishop => grid.lines(from, &DIRECTIONS[4..], walls, enemy),
            _ => grid.lines(from, &DIRECTIONS, walls, enemy),
        }
    }

    /// Adds the squares that a pawn reaches in one step, and the promotion squares.
    fn grow_pawn(&self, pawn: &mut Unit, fixed: Set, passed: Set) {
        let forward = (0, ahead(pawn.color));
        let one = self.grid.shift(pawn.squares, forward) & !fixed;
        let second = pawn.squares & self.second_rank(pawn.color);
        let over = self.grid.shift(second, forward) & !fixed;
        let two = self.grid.shift(over, forward) & !fixed;
        let enemies = self
            .units
            .iter()
            .filter(|unit| unit.color != pawn.color && unit.kind != Kind::King);
        // A double step passes a square that the pawn could also reach by a single step.
        let prey = enemies.fold(passed, |set, unit| set | unit.reach());
        let captures = self.pawn_attacks(pawn.color, pawn.squares) & prey;
        let all = pawn.squares | one | two | captures;
        let last = self.last_rank(pawn.color);
        pawn.promoted |= all & last;
        pawn.squares = all & !last;
    }
}
