//! A problem: a position with a stipulation.

use super::goal::Judge;
use super::stipulation::Stipulation;
use language::Expression;
use notation::Start;
use position::Layout;
use std::sync::Arc;

/// A position with a stipulation.
pub struct Problem<W: Layout> {
    /// The game and the position.
    pub start: Start<W>,
    /// The stipulation.
    pub stipulation: Stipulation,
    /// The condition about the last turn, for [`Goal::Expression`](crate::Goal::Expression).
    pub expression: Option<Arc<Expression>>,
}

impl<W: Layout> Problem<W> {
    /// Returns a problem whose goal is not an expression.
    pub fn new(start: Start<W>, stipulation: Stipulation) -> Problem<W> {
        Problem {
            start,
            stipulation,
            expression: None,
        }
    }

    /// Returns the judge of the goal.
    pub fn judge(&self) -> Judge<'_, W> {
        let judge = Judge::new(self.start.game.as_ref(), self.stipulation.goal);
        judge.with_expression(self.expression.as_deref())
    }
}
