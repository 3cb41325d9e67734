//! Units as expressions see them: on the board, bound by the variant state, or missing.

use crate::turn_members::TurnRef;
use crate::view::View;
use board::{Color, Kind, Square, Squares};
use rules::with_turns;

/// A unit, on the board, bound, or missing.
#[derive(Clone, Copy)]
pub(crate) struct UnitRef<'v> {
    pub view: &'v dyn View,
    /// The square of the unit; off the board for the missing unit.
    pub square: Square,
    /// The side and kind, if they differ from those of the unit on the square.
    pub bound: Option<(Color, Kind)>,
}

/// The square of the missing unit.
const NOWHERE: Square = Square(u8::MAX);

impl<'v> UnitRef<'v> {
    pub fn on(view: &'v dyn View, square: Square) -> UnitRef<'v> {
        UnitRef {
            view,
            square,
            bound: None,
        }
    }

    pub fn missing(view: &'v dyn View) -> UnitRef<'v> {
        UnitRef::on(view, NOWHERE)
    }

    pub fn exists(&self) -> bool {
        self.square != NOWHERE
    }

    pub fn unit(&self) -> Option<(Color, Kind)> {
        match (self.bound, self.exists()) {
            (Some(unit), _) => Some(unit),
            (None, true) => self.view.unit(self.square),
            (None, false) => None,
        }
    }
}

/// Returns the squares to which legal turns take a unit.
pub(super) fn moves(unit: &UnitRef<'_>) -> u128 {
    let view = unit.view;
    let moves = |unit: &UnitRef<'_>| {
        with_turns(|turns| {
            unit.view.turns(turns);
            turns
                .iter()
                .map(|turn| TurnRef::new(unit.view, *turn))
                .filter(|turn| turn.from() == Some(unit.square))
                .filter_map(|turn| turn.to())
                .fold(0, |set, square| set | u128::of(square))
        })
    };
    match unit.unit() {
        Some((color, _)) if unit.bound.is_none() && color == view.side() => moves(unit),
        _ => 0,
    }
}
