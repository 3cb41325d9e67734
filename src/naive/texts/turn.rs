//! Turns and their steps. A step is a turn with itself as its only step.

use super::game::Game;
use super::position::Pos;
use crate::defined::state::Unit;
use std::rc::Rc;

#[derive(Clone)]
pub struct Turn {
    pub text: String,
    /// The moved unit and its square before the step. Of a drop, the unit that enters; of a unit that is
    /// taken off, that unit.
    pub unit: Unit,
    /// The square that the unit leaves. Drops have none, and units that are taken off neither.
    pub from: Option<usize>,
    pub to: usize,
    /// The square of the moved unit after the step, once it is carried out.
    pub landed: Option<usize>,
    /// The kind of the moved unit afterwards.
    pub becomes: usize,
    pub captures: Vec<(usize, Unit)>,
    pub promotes: bool,
    pub castling: Option<(usize, usize)>,
    pub drops: bool,
    pub takes_off: bool,
    pub swaps: bool,
    pub en_passant: bool,
    /// The squares that a double step has passed.
    pub passed: Vec<usize>,
    /// The single steps of a turn; empty in a step.
    pub steps: Vec<Rc<Turn>>,
    /// The player who makes the turn.
    pub mover: usize,
    pub before: Pos,
    pub after: Pos,
    pub game: Game,
}

impl Turn {
    /// Returns the first step.
    pub fn first(&self) -> &Turn {
        self.steps.first().map_or(self, |step| step)
    }

    /// Returns the unit that is on a square after the step, as and where it stood before the step; `None` if the step
    /// has put it on the board.
    pub fn stood(&self, square: usize) -> Option<(usize, Unit)> {
        let before = |square: usize| Some((square, self.before.base.unit(square)?));
        let moves = self.castling.is_none() && self.from.is_some();
        if moves && self.landed == Some(square) {
            return self.from.and_then(before);
        }
        if self.swaps && self.from == Some(square) {
            return before(self.to);
        }
        let has_left =
            moves && self.from == Some(square) || self.captures.iter().any(|unit| unit.0 == square);
        before(square).filter(|_| !has_left)
    }

    /// Returns whether this is a pass.
    pub fn passes(&self) -> bool {
        let first = self.first();
        first.from == Some(first.to)
    }

    /// Returns the moved unit with its square, unless it enters the board.
    pub fn moved(&self) -> Option<(usize, Unit)> {
        match (self.from, self.takes_off) {
            (Some(from), _) => Some((from, self.unit)),
            (None, true) => Some((self.to, self.unit)),
            (None, false) => None,
        }
    }
}
