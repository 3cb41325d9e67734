//! Stage 2: `royalIf` and `checkIf`.

use super::game::Game;
use super::movement::{Placed, units_of};
use super::position::Pos;
use super::value::{Outcome, Value};
use crate::defined::definition::KING;

impl Game {
    /// `royalIf`: returns whether a unit may not be left in check and is never captured. Without the clause,
    /// kings are royal.
    pub fn is_royal(&self, pos: &Pos, unit: Placed) -> Outcome<bool> {
        match self.clause("royalIf") {
            None => Ok(unit.1.kind == KING),
            Some(clause) => {
                let game = self.open();
                let names = game.unit_names(pos, unit);
                game.ask(&clause, pos, None, names)?.bool()
            }
        }
    }

    /// Returns whether a side is in check: a royal unit is attacked, or a `checkIf` holds.
    pub fn in_check(&self, pos: &Pos, side: usize) -> Outcome<bool> {
        for unit in units_of(&pos.base, side) {
            if self.is_royal(pos, unit)? && self.attacked(pos, unit.0, 1 - side)? {
                return Ok(true);
            }
        }
        let game = self.open();
        for clause in self.clauses("checkIf") {
            let names = vec![
                ("owner", Value::Side(Some(side))),
                ("foe", Value::Side(Some(1 - side))),
            ];
            if game.ask(&clause, pos, None, names)?.bool()? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
