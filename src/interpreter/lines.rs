//! Differences in files and ranks, distances and lines between two squares.

use board::{Geometry, Square};

/// Returns the difference in files and ranks between two squares.
pub fn way(g: Geometry, from: Square, to: Square) -> (i32, i32) {
    (
        i32::from(g.file(to)) - i32::from(g.file(from)),
        i32::from(g.rank(to)) - i32::from(g.rank(from)),
    )
}

/// Returns the number of king's steps between two squares on an empty board.
pub fn distance(g: Geometry, from: Square, to: Square) -> i32 {
    let (x, y) = way(g, from, to);
    x.abs().max(y.abs())
}

/// Returns the squares between two squares on a line, without holes. Returns no squares if the two squares
/// are not on a line.
pub fn between(g: Geometry, from: Square, to: Square) -> impl Iterator<Item = Square> {
    let (x, y) = way(g, from, to);
    let line = x == 0 || y == 0 || x.abs() == y.abs();
    let steps = if line { distance(g, from, to) } else { 0 };
    (1..steps).filter_map(move |n| g.step(from, n * x.signum(), n * y.signum()))
}
