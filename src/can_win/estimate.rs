//! An estimate of how far a side is from mating with help. It only decides the order of the search, so it may
//! be wrong; the answer does not depend on it.

use board::{Color, Geometry, Kind, Square, Squares};
use position::{Layout, Position};
use rules::Game;

/// Largest estimate.
pub(crate) const MAX: u32 = 255;

/// Returns an estimate from 0 to [`MAX`]. Positions in which a side does not have exactly one king are all
/// estimated alike.
pub(crate) fn estimate<W: Layout>(game: &dyn Game<W>, p: &Position<W>, winner: Color) -> u32 {
    let geometry = game.board().geometry();
    let [Some(king), Some(own)] = [!winner, winner].map(|color| {
        let kings = p.units(color, Kind::King);
        kings.first().filter(|_| kings.len() == 1)
    }) else {
        return 0;
    };
    let flights = 6 * open_neighbors(game, p, king, winner);
    let approach = 2 * u32::from(distance(geometry, king, own));
    let edge = 2 * u32::from(edge_distance(geometry, king));
    (flights + approach + edge + force(game, p, winner)).min(MAX)
}

/// Returns the number of squares next to a king to which it could go.
pub(crate) fn open_neighbors<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    king: Square,
    winner: Color,
) -> u32 {
    let geometry = game.board().geometry();
    let (file, rank) = (geometry.file(king), geometry.rank(king));
    let mut open = 0;
    for f in file.saturating_sub(1)..=(file + 1).min(geometry.files() - 1) {
        for r in rank.saturating_sub(1)..=(rank + 1).min(geometry.ranks() - 1) {
            let square = geometry.square(f, r);
            let is_open = square != king
                && geometry.exists(square)
                && !p.color(!winner).has(square)
                && game.attackers(p, square, winner).is_empty();
            open += u32::from(is_open);
        }
    }
    open
}

/// Returns the number of king steps between two squares of an empty board.
pub(crate) fn distance(geometry: Geometry, a: Square, b: Square) -> u8 {
    let files = geometry.file(a).abs_diff(geometry.file(b));
    files.max(geometry.rank(a).abs_diff(geometry.rank(b)))
}

/// Returns the sum of the distances from the nearest edge files and edge ranks.
fn edge_distance(geometry: Geometry, square: Square) -> u8 {
    let (file, rank) = (geometry.file(square), geometry.rank(square));
    let to_file = file.min(geometry.files() - 1 - file);
    let to_rank = rank.min(geometry.ranks() - 1 - rank);
    to_file.min(to_rank) + to_file + to_rank
}

/// Returns how far the side is from units that can mate: 0 with a queen, a rook or two lighter pieces, and with one
/// lighter piece if the opponent has a piece other than a queen, which may block its king.
pub(crate) fn force<W: Layout>(game: &dyn Game<W>, p: &Position<W>, winner: Color) -> u32 {
    let count = |kind: Kind| p.units(winner, kind).len();
    if count(Kind::Queen) + count(Kind::Rook) > 0 || count(Kind::Bishop) + count(Kind::Knight) > 1 {
        return 0;
    }
    let is_alone = count(Kind::Bishop) + count(Kind::Knight) == 1;
    let may_block = |kind: Kind| is_alone && !p.units(!winner, kind).is_empty();
    if [Kind::Bishop, Kind::Knight, Kind::Rook]
        .into_iter()
        .any(may_block)
    {
        return 0;
    }
    let geometry = game.board().geometry();
    let ranks_to_go = |color: Color| {
        let ranks_to_go = move |square: Square| match color {
            Color::White => geometry.ranks() - 1 - geometry.rank(square),
            Color::Black => geometry.rank(square),
        };
        p.units(color, Kind::Pawn).iter().map(ranks_to_go)
    };
    let others = is_alone.then(|| ranks_to_go(!winner)).into_iter().flatten();
    let nearest = ranks_to_go(winner).chain(others).min();
    nearest.map_or(40, |ranks| 8 + 6 * u32::from(ranks))
}
