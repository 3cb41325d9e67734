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
//! * That the check might be parried is ignored.
//!
//! So if the test finds nothing, no reachable position is a checkmate.

use crate::grid::{Set, each};
use crate::mobility::{Mobility, Unit};
use board::{Color, Kind};

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
    let blockers: Vec<Set> = of(!winner)
        .filter(|unit| unit.kind != Kind::King)
        .map(Unit::reach)
        .collect();
    let walls = mobility.walls_without_king(!winner);
    // The placements of the attacking units: the squares that they occupy, and the squares that they attack.
    let placements: Vec<(Set, Set)> = match attackers.as_slice() {
        [] => return false,
        [single] => placements_of(mobility, single, walls),
        several => {
            let attacked = several
                .iter()
                .fold(0, |set, unit| set | mobility.all_attacks(unit, walls));
            vec![(0, attacked)]
        }
    };
    let grid = &mobility.grid;
    placements.into_iter().any(|(occupied, attacked)| {
        each(king.squares & attacked & !occupied).any(|mated| {
            let flights = grid.neighbors(mated) & !attacked;
            each(own_king.squares & !mated & !occupied & !grid.neighbors(mated)).any(|own| {
                let open = flights & !grid.neighbors(own);
                open & occupied == 0 && can_block(open, &blockers)
            })
        })
    })
}

/// Returns the placements of a single unit: its square, and the squares that it attacks from there.
fn placements_of(mobility: &Mobility, unit: &Unit, walls: Set) -> Vec<(Set, Set)> {
    let mut placements = Vec::new();
    let as_kind = |kind: Kind, squares: Set, placements: &mut Vec<(Set, Set)>| {
        for square in each(squares) {
            let attacked = mobility.attacks(unit.color, kind, square, walls);
            placements.push((square, attacked));
        }
    };
    as_kind(unit.kind, unit.squares, &mut placements);
    for kind in [Kind::Queen, Kind::Knight] {
        as_kind(kind, unit.promoted, &mut placements);
    }
    placements
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
