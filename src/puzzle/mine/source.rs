//! Sources of candidate positions for puzzles.

use super::random;
use super::tabled::{self, Endings};
use board::Color;
use notation::Start;
use position::{Layout, Position};
use problems::{Ending, Play, Stipulation};

/// The maximum number of positions in the search of a random candidate. Small, since most candidates have no
/// solution.
const MAX_POSITIONS: u64 = 1 << 13;
/// The maximum number of positions in the search of a candidate from a table. A larger problem would take
/// long to solve again.
pub(super) const MAX_POSITIONS_TABLED: u64 = 1 << 17;

/// A source of candidate positions for one stipulation.
pub(super) trait Source<W: Layout>: Sync {
    /// Returns the candidate with this number, or `None` if it has no valid position.
    fn position(&self, number: u64) -> Option<Position<W>>;
    /// Returns the maximum number of positions in the search of a candidate.
    fn most_positions(&self) -> u64;
    /// Returns the description of the source for puzzle files.
    fn words(&self) -> &'static str;
}

/// Random positions.
pub(super) struct Randoms<'a, W: Layout> {
    pub start: &'a Start<W>,
    pub name: &'a str,
    pub seed: u64,
    pub side: Color,
    pub most_units: usize,
}

impl<W: Layout> Source<W> for Randoms<'_, W> {
    fn position(&self, number: u64) -> Option<Position<W>> {
        let mut random = random::generator(self.seed, self.name, number);
        let game = self.start.game.as_ref();
        random::position(
            game,
            &self.start.position,
            self.side,
            self.most_units,
            &mut random,
        )
    }

    fn most_positions(&self) -> u64 {
        MAX_POSITIONS
    }

    fn words(&self) -> &'static str {
        "found by `fairyproof puzzles mine`"
    }
}

/// Positions of endgame tables.
pub(super) struct Tabled<'a, W: Layout> {
    pub endings: &'a Endings<W>,
    pub places: Vec<tabled::TableIndex>,
    pub moves: u32,
}

impl<W: Layout> Source<W> for Tabled<'_, W> {
    fn position(&self, number: u64) -> Option<Position<W>> {
        let place = self.places.get(usize::try_from(number).ok()?)?;
        Some(self.endings.riddle(*place, self.moves)?.0)
    }

    fn most_positions(&self) -> u64 {
        MAX_POSITIONS_TABLED
    }

    fn words(&self) -> &'static str {
        "found by `fairyproof puzzles mine` in an endgame table"
    }
}

/// Returns the side that moves first, by the conventions of problem composers.
pub(super) fn first_side(asked: &Stipulation) -> Color {
    match asked.play {
        Play::Help(Ending::Goal) if !asked.half => Color::Black,
        Play::Help(Ending::Forced | Ending::Reflex) if asked.half => Color::Black,
        Play::Series(Ending::Goal, true) => Color::Black,
        _ => Color::White,
    }
}
