//! The squares that units reach and attack, found by walking square by square.

use super::betza::{Atom, Way};
use super::definition::{Definition, KING, PAWN, Region, SOLDIER};
use super::state::{Cell, Position, WHITE};
use super::turns::{Deed, Turn};

/// The built-in cannon that neither jumps over nor captures another cannon.
const JANGGI_CANNON: usize = 27;

impl Definition {
    /// Returns whether a region contains a square.
    pub fn inside(&self, region: &Region, square: usize) -> bool {
        region.contains(&self.place(square))
    }

    /// Returns whether units of this kind may enter a square.
    pub fn may_stand(&self, side: usize, kind: usize, square: usize) -> bool {
        let region = &self.mobility[kind][side];
        region.is_empty() || self.inside(region, square)
    }

    /// Returns the square that is `forward` ranks and `right` files away from the side's view, if it exists.
    pub fn step(&self, side: usize, from: usize, forward: i32, right: i32) -> Option<usize> {
        let (file, rank) = self.place(from);
        let sign = if side == WHITE { 1 } else { -1 };
        let file = match self.cylinder {
            true => (file + sign * right).rem_euclid(self.files),
            false => file + sign * right,
        };
        self.square(file, rank + sign * forward)
    }

    /// Returns the squares that an atom reaches, whether or not they are occupied. Holes are never reached.
    pub fn walk(
        &self,
        pos: &Position,
        side: usize,
        kind: usize,
        from: usize,
        atom: &Atom,
    ) -> Vec<usize> {
        let mut reached = Vec::new();
        for &(forward, right) in &atom.steps {
            match atom.way {
                Way::Leap => reached.extend(self.step(side, from, forward, right)),
                Way::Lame => {
                    let Some(to) = self.step(side, from, forward, right) else {
                        continue;
                    };
                    let (mut up, mut across) = (0, 0);
                    let free = loop {
                        let (left_up, left_across) = (forward - up, right - across);
                        if left_up.abs() >= left_across.abs() {
                            up += left_up.signum();
                        }
                        if left_across.abs() >= left_up.abs() {
                            across += left_across.signum();
                        }
                        if (up, across) == (forward, right) {
                            break true;
                        }
                        match self.step(side, from, up, across) {
                            Some(square) if pos.vacant(square) => {}
                            _ => break false,
                        }
                    };
                    if free {
                        reached.push(to);
                    }
                }
                Way::Ride(limit) => {
                    let mut at = from;
                    let mut count = 0;
                    while let Some(square) =
                        self.step(side, at, forward, right).filter(|&to| to != from)
                    {
                        count += 1;
                        reached.push(square);
                        if !pos.vacant(square) || count == limit {
                            break;
                        }
                        at = square;
                    }
                }
                Way::Hop(_) | Way::Grasshop => {
                    let mut at = from;
                    let mut hurdle = false;
                    let mut count = 0;
                    while let Some(square) =
                        self.step(side, at, forward, right).filter(|&to| to != from)
                    {
                        let met = pos.cells[square] != Cell::Vacant;
                        let cannon = kind == JANGGI_CANNON
                            && pos.unit(square).is_some_and(|unit| unit.kind == kind);
                        // Holes are hurdles too, like walls in Fairy-Stockfish.
                        if cannon {
                            break;
                        }
                        count += 1;
                        if hurdle {
                            reached.push(square);
                        }
                        let last = match atom.way {
                            Way::Hop(limit) => count == limit,
                            _ => hurdle,
                        };
                        if last || hurdle && met {
                            break;
                        }
                        hurdle |= met;
                        at = square;
                    }
                }
            }
        }
        // On a cylinder with few files, a step may return to its origin.
        reached.retain(|&square| pos.cells[square] != Cell::Hole && square != from);
        reached
    }

    /// Returns the squares that a unit of this kind reaches from a square with the atoms that a filter
    /// selects.
    fn reach(
        &self,
        pos: &Position,
        side: usize,
        kind: usize,
        from: usize,
        sort: impl Fn(&Atom) -> bool,
    ) -> Vec<usize> {
        let mut squares: Vec<usize> = self.kinds[kind]
            .atoms
            .iter()
            .filter(|atom| sort(atom))
            .flat_map(|atom| self.walk(pos, side, kind, from, atom))
            .filter(|&square| self.may_stand(side, kind, square))
            .collect();
        if kind == SOLDIER && self.rank_of(side, self.place(from).1) < self.soldier_rank {
            squares.retain(|&square| self.place(square).0 == self.place(from).0);
        }
        squares.sort();
        squares.dedup();
        squares
    }

    /// Returns the squares that a unit of this kind would attack from a square.
    pub fn attacks(&self, pos: &Position, side: usize, kind: usize, from: usize) -> Vec<usize> {
        self.reach(pos, side, kind, from, |atom| atom.capture && !atom.initial)
    }

    /// Returns the squares to which a unit of this kind could move from a square if they were vacant.
    pub fn quiets(&self, pos: &Position, side: usize, kind: usize, from: usize) -> Vec<usize> {
        let initial = self.inside(&self.double_region[side], from);
        self.reach(pos, side, kind, from, |atom| {
            atom.quiet && (initial || !atom.initial)
        })
    }

    /// Returns whether a quiet step is possible only as an initial step, from the double-step region.
    pub fn is_initial(
        &self,
        pos: &Position,
        side: usize,
        kind: usize,
        from: usize,
        to: usize,
    ) -> bool {
        let mut first = self.kinds[kind].atoms.iter();
        first.any(|atom| {
            atom.quiet && atom.initial && self.line(pos, side, from, atom).contains(&to)
        }) && !self.might_go(pos, side, kind, from, to)
    }

    /// Returns whether a unit of this kind can move from one square to another by a step that is not initial,
    /// for some placement of the other units.
    pub fn might_go(
        &self,
        pos: &Position,
        side: usize,
        kind: usize,
        from: usize,
        to: usize,
    ) -> bool {
        let atoms = self.kinds[kind].atoms.iter();
        atoms
            .filter(|atom| atom.quiet && !atom.initial)
            .any(|atom| self.line(pos, side, from, atom).contains(&to))
    }

    /// Returns the squares that an atom can reach for some placement of the other units.
    fn line(&self, pos: &Position, side: usize, from: usize, atom: &Atom) -> Vec<usize> {
        let most = match atom.way {
            Way::Leap | Way::Lame => 1,
            Way::Ride(0) | Way::Hop(0) | Way::Grasshop => u32::MAX,
            Way::Ride(limit) | Way::Hop(limit) => limit,
        };
        let mut squares = Vec::new();
        for &(forward, right) in &atom.steps {
            let (mut at, mut count) = (from, 0);
            while let Some(square) = self.step(side, at, forward, right)
                && count < most
                && pos.cells[square] != Cell::Hole
                && square != from
            {
                squares.push(square);
                (at, count) = (square, count + 1);
            }
        }
        squares
    }

    /// Returns whether a unit of this kind has a quiet step from a square on an empty board.
    pub fn is_mobile(&self, pos: &Position, side: usize, kind: usize, from: usize) -> bool {
        self.kinds[kind]
            .atoms
            .iter()
            .filter(|atom| atom.quiet && !atom.initial)
            .flat_map(|atom| &atom.steps)
            .filter_map(|&(forward, right)| self.step(side, from, forward, right))
            .any(|square| pos.cells[square] != Cell::Hole)
    }

    /// Returns the squares of the side's units that attack a square.
    pub fn attackers(
        &self,
        pos: &Position,
        square: usize,
        side: usize,
    ) -> impl Iterator<Item = usize> {
        (0..pos.cells.len()).filter(move |&from| {
            pos.unit(from).is_some_and(|unit| {
                unit.side == side && self.attacks(pos, side, unit.kind, from).contains(&square)
            })
        })
    }

    pub fn attacked(&self, pos: &Position, square: usize, side: usize) -> bool {
        self.attackers(pos, square, side).next().is_some()
    }

    /// Returns the units that attack this side's king.
    pub fn checkers(&self, pos: &Position, side: usize) -> Vec<usize> {
        pos.squares_of(side, KING)
            .into_iter()
            .flat_map(|king| self.attackers(pos, king, 1 - side))
            .collect()
    }

    /// Returns whether a king of this side is attacked.
    pub fn in_check(&self, pos: &Position, side: usize) -> bool {
        let kings = pos.squares_of(side, KING);
        kings.iter().any(|&king| self.attacked(pos, king, 1 - side))
    }

    /// Returns whether a king of this side on `from` would face an enemy king on a line without a unit
    /// between them.
    pub fn faces(&self, pos: &Position, side: usize, from: usize) -> bool {
        [(1, 0), (-1, 0), (0, 1), (0, -1)]
            .iter()
            .any(|&(forward, right)| {
                let mut at = from;
                while let Some(square) = self.step(side, at, forward, right) {
                    if !pos.vacant(square) {
                        return pos.holds(square, 1 - side, KING);
                    }
                    at = square;
                }
                false
            })
    }

    /// Returns whether a square can be an en passant square for captures by this side.
    pub fn may_be_passed(&self, side: usize, square: usize) -> bool {
        match &self.passing_region[side] {
            None => true,
            Some(region) => self.inside(region, square),
        }
    }

    /// Removes passed squares on which no unit can capture en passant.
    pub fn forget_passed(&self, pos: &mut Position) {
        if pos.passed.is_empty() {
            return;
        }
        let side = pos.side;
        let targets: Vec<usize> = self
            .pseudo(pos)
            .iter()
            .filter(|turn| turn.passing.is_some())
            .map(|turn| turn.to)
            .collect();
        let useful = !targets.is_empty();
        let kept: Vec<usize> = pos
            .passed
            .iter()
            .copied()
            .filter(|&square| match pos.vacant(square) {
                true => targets.contains(&square),
                false => useful && pos.is_of(square, 1 - side),
            })
            .collect();
        pos.passed = kept;
    }

    /// Removes the passed squares of a FEN that no step of the last turn has passed. `refills` is whether a turn can put
    /// units on squares that one of its steps has left.
    pub fn forget_never_passed(&self, pos: &mut Position, refills: bool) {
        let fields = pos.passed.clone();
        let possible = |square: usize| {
            let Some((unit, to)) = self
                .victim(pos, square)
                .and_then(|at| Some((pos.unit(at)?, at)))
            else {
                return false;
            };
            (0..pos.cells.len()).any(|from| {
                let mut before = pos.clone();
                before.side = unit.side;
                before.passed.clear();
                before.cells[to] = Cell::Vacant;
                for cell in before
                    .cells
                    .iter_mut()
                    .filter(|cell| refills && **cell != Cell::Hole)
                {
                    *cell = Cell::Vacant;
                }
                if !before.vacant(from) {
                    return false;
                }
                before.cells[from] = Cell::Unit(unit);
                let mut turns = Vec::new();
                match unit.kind {
                    PAWN => self.pawn_turns(&before, from, &mut turns),
                    // It may have hopped over a unit that has left.
                    _ if refills => turns.push(Turn::plain(Deed::Move, from, to)),
                    _ => self.unit_turns(&before, from, unit, &mut turns),
                }
                let step = turns
                    .iter()
                    .find(|turn| turn.deed == Deed::Move && turn.to == to);
                step.is_some_and(|step| self.passed(&before, unit, step).contains(&square))
            })
        };
        let kept = fields.iter().copied().filter(|&square| possible(square));
        pos.passed = kept.collect();
    }

    /// Returns the squares on which a pawn captures.
    pub fn pawn_captures(&self, side: usize, from: usize) -> Vec<usize> {
        [-1, 1]
            .iter()
            .filter_map(|&right| self.step(side, from, 1, right))
            .filter(|&square| self.may_stand(side, PAWN, square))
            .collect()
    }
}
