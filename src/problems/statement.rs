//! The statement of a problem: a position with a stipulation. Solving it is the task of `solver`.

use super::stipulation::Stipulation;
use notation::Start;
use position::Layout;
use search::Judge;

/// A position with a stipulation.
pub struct Problem<W: Layout> {
    /// The game and the position to solve.
    pub start: Start<W>,
    /// The stipulation.
    pub stipulation: Stipulation,
}

impl<W: Layout> Problem<W> {
    /// Returns the problem of a position and a stipulation.
    pub fn new(start: Start<W>, stipulation: Stipulation) -> Problem<W> {
        Problem { start, stipulation }
    }

    /// Returns the judge of the goal.
    pub fn judge(&self) -> Judge<'_, W> {
        Judge::new(self.start.game.as_ref(), &self.stipulation.goal)
    }
}
