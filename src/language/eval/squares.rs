//! Geometry of squares: distance, lines.

use board::{Geometry, Square, Squares};

/// Returns the distances in files and in ranks between two squares. On a cylinder, the shorter way around
/// counts.
pub(super) fn offsets(geometry: Geometry, a: Square, b: Square) -> (i64, i64) {
    let dx = i64::from(geometry.file(a)).abs_diff(i64::from(geometry.file(b))) as i64;
    let dy = i64::from(geometry.rank(a)).abs_diff(i64::from(geometry.rank(b))) as i64;
    let around = i64::from(geometry.files()) - dx;
    (if geometry.wraps() { dx.min(around) } else { dx }, dy)
}

pub(super) fn distance(geometry: Geometry, a: Square, b: Square) -> i64 {
    let (dx, dy) = offsets(geometry, a, b);
    dx.max(dy)
}

pub(super) fn aligned(geometry: Geometry, a: Square, b: Square) -> bool {
    let (dx, dy) = offsets(geometry, a, b);
    let files = i64::from(geometry.files());
    dx == 0 || dy == 0 || dx == dy || geometry.wraps() && files - dx == dy
}

/// Returns the squares strictly between two squares on a common rank, file or diagonal, except holes. On a
/// cylinder, uses the shorter way around, if one is shorter.
pub(super) fn between(geometry: Geometry, a: Square, b: Square) -> u128 {
    if a == b || !aligned(geometry, a, b) {
        return 0;
    }
    let files = i32::from(geometry.files());
    let dy = i32::from(geometry.rank(b)) - i32::from(geometry.rank(a));
    let direct = i32::from(geometry.file(b)) - i32::from(geometry.file(a));
    let mut ways = vec![direct];
    if geometry.wraps() {
        ways.push(if direct > 0 {
            direct - files
        } else {
            direct + files
        });
        ways.sort_by_key(|dx| dx.abs());
    }
    let straight = |dx: &&i32| **dx == 0 || dy == 0 || dx.abs() == dy.abs();
    let Some(&dx) = ways.iter().find(straight) else {
        return 0;
    };
    let steps = dx.abs().max(dy.abs());
    (1..steps).fold(0, |set, n| {
        let file = (i32::from(geometry.file(a)) + n * dx.signum()).rem_euclid(files);
        let rank = i32::from(geometry.rank(a)) + n * dy.signum();
        let square = geometry.square(file as u8, rank as u8);
        match geometry.exists(square) {
            true => set | u128::of(square),
            false => set,
        }
    })
}

/// Returns the square so many files to the right and ranks up, or `None` if there is none.
pub(super) fn stepped(geometry: Geometry, from: Square, by: [i64; 2]) -> Option<Square> {
    let [dx, dy] = by.map(|n| i32::try_from(n).ok().filter(|n| n.abs() < 64));
    let to = geometry.step(from, dx?, dy?)?;
    geometry.exists(to).then_some(to)
}
