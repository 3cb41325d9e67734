//! Sources of candidate positions for puzzles.

use super::random;
use super::tabled::{Endings, TableIndex};
use board::Color;
use notation::Start;
use position::{Layout, Position};
use problems::{Ending, Play, Stipulation};

/// Positions after which the search of a random candidate ends: most candidates have no solution.
const MAX_POSITIONS: u64 = 1 << 13;
/// Positions after which the search of a candidate from a table ends: a larger problem would take long to
/// solve again.
pub(super) const MAX_POSITIONS_TABLED: u64 = 1 << 17;

/// Where candidates for one stipulation come from.
pub(super) struct Source<'a, W: Layout> {
    /// Returns the candidate with a number, if it comes to anything.
    pub position: Box<dyn Fn(u64) -> Option<Position<W>> + Sync + 'a>,
    /// The number of positions after which its search ends.
    pub max_positions: u64,
    /// What a puzzle file says of it.
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

/// Who moves first, as composers have it.
pub(super) fn first_side(asked: &Stipulation) -> Color {
    match asked.play {
        Play::Help(Ending::Goal) if !asked.half => Color::Black,
        Play::Help(Ending::Forced | Ending::Reflex) if asked.half => Color::Black,
        Play::Series(Ending::Goal, true) => Color::Black,
        _ => Color::White,
    }
}
