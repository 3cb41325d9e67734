//! Positions of rule texts: the position of a definition, and the values of states. States are computed when
//! they are first read, because most turns are generated only to see that they exist.

use super::game::Game;
use super::state::Item;
use super::turn::Turn;
use super::value::Outcome;
use crate::defined::state::Position;
use std::cell::OnceCell;
use std::rc::Rc;

#[derive(Clone)]
pub struct Pos {
    pub base: Rc<Position>,
    pub states: Rc<States>,
}

/// The values of the states in a position. Each has one value, or one for each side.
pub struct States {
    values: Vec<OnceCell<Vec<Item>>>,
    /// The turn that decides the values, with the rules that do.
    source: Option<(Game, Rc<Turn>)>,
}

impl States {
    /// Returns states with these values.
    pub fn known(values: Vec<Vec<Item>>) -> Rc<States> {
        let values = values.into_iter().map(OnceCell::from).collect();
        Rc::new(States {
            values,
            source: None,
        })
    }

    /// Returns the states after a turn.
    pub fn after(game: &Game, turn: Rc<Turn>) -> Rc<States> {
        let count = game.rules.states.len();
        Rc::new(States {
            values: (0..count).map(|_| OnceCell::new()).collect(),
            source: Some((game.clone(), turn)),
        })
    }

    /// Returns the values of a state.
    ///
    /// # Errors
    /// If the clause of the state fails.
    pub fn get(&self, state: usize) -> Outcome<Vec<Item>> {
        let cell = &self.values[state];
        if let Some(values) = cell.get() {
            return Ok(values.clone());
        }
        let (game, turn) = self.source.as_ref().ok_or("a state without a value")?;
        let values = game.next_state(turn, state)?;
        Ok(cell.get_or_init(|| values).clone())
    }
}

impl Pos {
    /// Returns the position with other contents of the board, and the same states.
    pub fn with(&self, base: Position) -> Pos {
        Pos {
            base: Rc::new(base),
            states: Rc::clone(&self.states),
        }
    }
}
