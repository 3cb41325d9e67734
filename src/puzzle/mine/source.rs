//! Sources of candidate positions for puzzles.

use super::random;
use super::tabled::{Endings, TableIndex};
use board::Color;
use notation::Start;
use position::{Layout, Position};

/// The maximum number of positions in the search of a random candidate. Small, since most candidates have no
/// solution.
const MAX_POSITIONS: u64 = 1 << 13;
/// The maximum number of positions in the search of a candidate from a table. A larger problem would take
/// long to solve again.
pub(super) const MAX_POSITIONS_TABLED: u64 = 1 << 17;

/// A source of candidate positions for one stipulation.
pub(super) struct Source<'a, W: Layout> {
    /// Returns the candidate with this number, or `None` if it has no valid position.
    pub position: Box<dyn Fn(u64) -> Option<Position<W>> + Sync + 'a>,
    /// The maximum number of positions in the search of a candidate.
    pub max_positions: u64,
    /// The description of the source for puzzle files.
    pub words: &'static str,
}

impl<'a, W: Layout> Source<'a, W> {
    /// Returns random positions with `side` to move, of at most `max_units` units.
    pub fn random(
        start: &'a Start<W>,
        name: &'a str,
        seed: u64,
        side: Color,
        max_units: usize,
    ) -> Source<'a, W> {
        let position = move |number| {
            let mut random = random::generator(seed, name, number);
            let (game, p) = (start.game.as_ref(), &start.position);
            random::position(game, p, side, max_units, &mut random)
        };
        Source {
            position: Box::new(position),
            max_positions: MAX_POSITIONS,
            words: "found by `fairyproof puzzles mine`",
        }
    }

    /// Returns the positions at these places of tables.
    pub fn tables(endings: &'a Endings<W>, places: Vec<TableIndex>, moves: u32) -> Source<'a, W> {
        let position = move |number| {
            let place = places.get(usize::try_from(number).ok()?)?;
            Some(endings.riddle(*place, moves)?.0)
        };
        Source {
            position: Box::new(position),
            max_positions: MAX_POSITIONS_TABLED,
            words: "found by `fairyproof puzzles mine` in an endgame table",
        }
    }
}
