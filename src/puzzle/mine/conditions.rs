//! Conditions that users set on the puzzles to be found, as expressions.

use control::Control;
use language::{Expression, Subject};
use position::{Layout, Position};
use rules::{Game, Turn};
use std::sync::Arc;

/// Conditions on a puzzle. The expressions are compiled for the variant on its own board.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// A condition on the diagram.
    pub diagram: Option<Arc<Expression>>,
    /// A condition on the key, as a turn from the diagram.
    pub key: Option<Arc<Expression>>,
}

impl Conditions {
    /// Returns whether a diagram satisfies its condition.
    pub(super) fn diagram_fits<W: Layout>(
        &self,
        game: &dyn Game<W>,
        position: &Position<W>,
        control: &Control<'_>,
    ) -> bool {
        let condition = self.diagram.as_deref();
        condition.is_none_or(|condition| holds(condition, Subject::new(game, position), control))
    }

    /// Returns whether a key satisfies its condition.
    pub(super) fn key_fits<W: Layout>(
        &self,
        game: &dyn Game<W>,
        position: &Position<W>,
        key: &Turn,
        control: &Control<'_>,
    ) -> bool {
        let condition = self.key.as_deref();
        let subject = Subject::of_turn(game, position, *key);
        condition.is_none_or(|condition| holds(condition, subject, control))
    }
}

/// Returns whether a condition holds. Returns false if `control` stops the evaluation; the caller checks for
/// that.
fn holds<W: Layout>(
    condition: &Expression,
    subject: Subject<'_, W>,
    control: &Control<'_>,
) -> bool {
    let stop = || control.check().is_err();
    let subject = Subject {
        stop: Some(&stop),
        ..subject
    };
    condition.holds(&subject).unwrap_or(false)
}
