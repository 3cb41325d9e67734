//! Whether any placement of an orthodox position's units, each on a square that it can reach, is a checkmate.
//!
//! In a checkmate, a unit other than the king attacks the mated king, and each square next to that king is
//! attacked by the mating side or occupied by another unit of the mated side. The test looks for a square of
//! the mated king and one of the other king for which this is possible, with these simplifications, all of
//! which only allow more:
//!
//! * Only fixed units end lines of attack. Units may be where they could not be at the same time.
//! * If the mating side has several units besides its king, each of them attacks from all squares that it can
//!   reach. A single unit stands on one square.
//! * Blocking units of the mated side are different ones, each on a square that it can reach.
//! * The check may be parried, unless it is certain which unit gives it: then no blocking unit stands where it
//!   could certainly capture that unit or move into its line (see [`Checker`]).
//!
//! So if the test finds nothing, no reachable position is a checkmate.

use crate::grid::{DIRECTIONS, Grid, Set, each};
use crate::mobility::{Mobility, Unit};
use board::{Color, Kind};

/// A placement of units of the mating side.
struct Placement {
    /// The squares that the units certainly occupy.
    occupied: Set,
    /// The squares on which the mated king is in check.
    checked: Set,
    /// The squares that the units may attack.
    attacked: Set,
    checker: Option<Checker>,
}

/// A unit that gives check alone.
///
/// This is certain of a unit that is the only one of its side besides the king, and of bishops on squares of one
/// color. Two of these give check at the same time only along both diagonals, but a bishop that leaves one of the
/// diagonals of a square does not reach the other in one step.
#[derive(Clone, Copy)]
struct Checker {
    square: Set,
    is_slider: bool,
    /// Whether there are other bishops, which may pin units on diagonals.
    may_pin: bool,
}

/// Returns false only if `winner` can never checkmate.
pub(crate) fn possible(mobility: &Mobility, winner: Color) -> bool {
    let of = |color: Color| {
        mobility
            .units
            .iter()
            .filter(move |unit| unit.color == color)
    };
    let kings = |color: Color| of(color).filter(|unit| unit.kind == Kind::King);
    let (Some(king), Some(own_king)) = (kings(!winner).next(), kings(winner).next()) else {
        return true;
    };
    let attackers: Vec<&Unit> = of(winner).filter(|unit| unit.kind != Kind::King).collect();
    let blockers: Vec<&Unit> = of(!winner).filter(|unit| unit.kind != Kind::King).collect();
    let blockers: Vec<Blocker> = (0..blockers.len())
        .map(|n| Blocker::new(n, &blockers))
        .collect();
    let walls = mobility.walls_without_king(!winner);
    let grid = &mobility.grid;
    placements(mobility, &attackers, walls)
        .iter()
        .any(|placement| {
            let occupied = placement.occupied;
            each(king.squares & placement.checked & !occupied).any(|mated| {
                let flights = grid.neighbors(mated) & !placement.attacked;
                each(own_king.squares & !mated & !occupied & !grid.neighbors(mated)).any(|own| {
                    let open = flights & !grid.neighbors(own);
                    if open & occupied != 0 || open.count_ones() as usize > blockers.len() {
                        return false;
                    }
                    let squares = |blocker: &Blocker| match placement.checker {
                        Some(checker) => blocker.not_parrying(grid, checker, [mated, own], open),
                        None => blocker.unit.reach(),
                    };
                    let squares: Vec<Set> = blockers.iter().map(squares).collect();
                    can_block(open, &squares)
                })
            })
        })
}

/// Returns the placements of the attacking units.
fn placements(mobility: &Mobility, attackers: &[&Unit], walls: Set) -> Vec<Placement> {
    let (mut squares, mut attacked) = (0, 0);
    for unit in attackers {
        squares |= unit.reach();
        attacked |= mobility.all_attacks(unit, walls);
    }
    let are_bishops = attackers.iter().all(|unit| unit.kind == Kind::Bishop);
    let mut placements = Vec::new();
    let mut place = |unit: &Unit, kind: Kind, squares: Set, attacked: Option<Set>| {
        for square in each(squares) {
            let checked = mobility.attacks(unit.color, kind, square, walls);
            placements.push(Placement {
                occupied: square,
                checked,
                attacked: attacked.unwrap_or(checked),
                checker: Some(Checker {
                    square,
                    is_slider: !matches!(kind, Kind::Knight | Kind::Pawn),
                    may_pin: attacked.is_some(),
                }),
            });
        }
    };
    match attackers {
        [] => {}
        [single] => {
            place(single, single.kind, single.squares, None);
            for kind in [Kind::Queen, Kind::Knight] {
                place(single, kind, single.promoted, None);
            }
        }
        [first, ..] if are_bishops && mobility.grid.is_of_one_color(squares) => {
            place(first, Kind::Bishop, squares, Some(attacked));
        }
        _ => placements.push(Placement {
            occupied: 0,
            checked: attacked,
            attacked,
            checker: None,
        }),
    }
    placements
}

/// A unit that may stand next to the mated king.
struct Blocker<'u> {
    unit: &'u Unit,
    /// The squares on which other units of its side may end its lines along ranks and files, and along diagonals. A
    /// unit that moves along such a line itself parries where the blocker would have.
    ends: [Set; 2],
}

impl<'u> Blocker<'u> {
    /// Returns the unit with a number among the units of its side.
    fn new(number: usize, units: &[&'u Unit]) -> Blocker<'u> {
        let ends = [Kind::Rook, Kind::Bishop].map(|slider| {
            let others = (0..units.len()).filter(|&n| n != number);
            others.fold(0, |ends, n| match units[n].kind {
                Kind::Queen => ends | units[n].promoted,
                kind if kind == slider => ends | units[n].promoted,
                _ => ends | units[n].reach(),
            })
        });
        Blocker {
            unit: units[number],
            ends,
        }
    }

    /// Returns the squares of `open`, next to the mated king, on which the unit may stand and perhaps cannot parry.
    fn not_parrying(&self, grid: &Grid, checker: Checker, kings: [Set; 2], open: Set) -> Set {
        const PROMOTED: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];
        let line = match checker.is_slider {
            true => grid.between(kings[0], checker.square),
            false => 0,
        };
        let parries = |kind: Kind, from: Set| {
            let is_diagonal = grid.lines(kings[0], &DIRECTIONS[4..], 0, grid.squares) & from != 0;
            let sliding = match kind {
                Kind::Queen => 0..8,
                Kind::Rook => 0..4,
                Kind::Bishop => 4..8,
                _ => 0..0,
            };
            let targets = line | checker.square;
            let slides = |n: usize| {
                let ends = match checker.may_pin {
                    // Other units of the mating side may stand in the line, too.
                    true => grid.squares,
                    false => kings[0] | kings[1] | self.ends[n / 4],
                };
                let reached = grid.lines(
                    from,
                    &DIRECTIONS[n..=n],
                    kings[0] | kings[1],
                    ends | targets,
                );
                reached & targets != 0
            };
            !(checker.may_pin && is_diagonal)
                && (kind == Kind::Knight && grid.leaps(from) & targets != 0
                    || sliding.into_iter().any(slides))
        };
        each(open & self.unit.reach())
            .filter(|&square| {
                let may_be = |kind: &Kind| !parries(*kind, square);
                square & self.unit.squares != 0 && may_be(&self.unit.kind)
                    || square & self.unit.promoted != 0 && PROMOTED.iter().any(may_be)
            })
            .fold(0, |set, square| set | square)
    }
}

/// Returns whether different units can occupy all squares of a set, each unit within its own set: a matching.
fn can_block(squares: Set, blockers: &[Set]) -> bool {
    let squares: Vec<Set> = each(squares).collect();
    if squares.len() > blockers.len() {
        return false;
    }
    let mut square_of = vec![None; blockers.len()];
    (0..squares.len()).all(|square| {
        let mut tried = vec![false; blockers.len()];
        assign(square, &squares, blockers, &mut square_of, &mut tried)
    })
}

/// Finds a unit for a square, and moves units on other squares if necessary (an augmenting path).
fn assign(
    square: usize,
    squares: &[Set],
    blockers: &[Set],
    square_of: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    for unit in 0..blockers.len() {
        if blockers[unit] & squares[square] == 0 || std::mem::replace(&mut tried[unit], true) {
            continue;
        }
        let is_free = match square_of[unit] {
            None => true,
            Some(other) => assign(other, squares, blockers, square_of, tried),
        };
        if is_free {
            square_of[unit] = Some(square);
            return true;
        }
    }
    false
}
