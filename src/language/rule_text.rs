//! What expressions in rule texts know besides the names of positions and turns.

use crate::types::{Item, Type};
use board::{Color, Kind, Square};
use position::{Layout, Position};
use rules::{AnyGame, Game, Turn};

/// A value that the subject of a clause gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// The unit that the clause is about.
    Unit,
    /// The unit that it would capture.
    Target,
    /// The side of the unit, or the side that the clause is about.
    Owner,
    /// The opponent of the owner.
    Foe,
    /// The number of the step in its turn.
    Number,
    /// The step before it.
    Previous,
    /// The first steps of turns that need a second one.
    FirstSteps,
    /// The halfmove clock.
    Halfmove,
    /// The number of the move.
    Fullmove,
}

impl Given {
    /// All values.
    pub const ALL: [Given; 9] = [
        Given::Unit,
        Given::Target,
        Given::Owner,
        Given::Foe,
        Given::Number,
        Given::Previous,
        Given::FirstSteps,
        Given::Halfmove,
        Given::Fullmove,
    ];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Given::Unit => "unit",
            Given::Target => "target",
            Given::Owner => "owner",
            Given::Foe => "foe",
            Given::Number => "n",
            Given::Previous => "previous",
            Given::FirstSteps => "firstSteps",
            Given::Halfmove => "halfmove",
            Given::Fullmove => "fullmove",
        }
    }

    /// Returns the type.
    pub(crate) fn result(self) -> Type {
        match self {
            Given::Unit | Given::Target => Type::One(Item::Unit),
            Given::Owner | Given::Foe => Type::One(Item::Side),
            Given::Number | Given::Halfmove | Given::Fullmove => Type::INT,
            Given::Previous => Type::One(Item::Turn),
            Given::FirstSteps => Type::List(Item::Turn),
        }
    }
}

/// A stage of the rules. A clause reads only what an earlier stage has decided.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// Movement and captures.
    Movement,
    /// Royal units and checks.
    Check,
    /// Effects of turns.
    Effects,
    /// Legal turns and the state.
    Turns,
    /// Ends of games.
    Ends,
}

/// What a clause knows.
pub struct RuleText<'a> {
    /// The values that its subject gives.
    pub given: &'a [Given],
    /// Its stage.
    pub stage: Stage,
    /// The rules without the clauses of its section, for `parent`.
    pub parent: Option<&'a AnyGame>,
    /// Returns the number that an option has, and whether it is a flag.
    pub option: &'a dyn Fn(&str) -> Option<(i64, bool)>,
    /// Returns the number of a movement in Betza notation, or what is wrong with it.
    pub movement: &'a dyn Fn(&str) -> Result<u32, String>,
}

/// A turn with its positions.
#[derive(Clone, Copy)]
pub struct Step<'a, W: Layout> {
    /// The position before it.
    pub before: &'a Position<W>,
    /// The turn.
    pub turn: Turn,
    /// The position after it.
    pub after: &'a Position<W>,
    /// The units that it captures, in the position before it.
    pub captures: W::Set,
    /// The kind of the moved unit after it.
    pub becomes: Kind,
}

/// Appends turns to a list.
pub type ListTurns<'a> = &'a dyn Fn(&mut Vec<Turn>);

/// The values that a subject gives.
pub struct GivenValues<'a, W: Layout> {
    /// The square of the unit, in the subject's position; `None` for the missing unit.
    pub unit: Option<Square>,
    /// The square of the unit that it would capture.
    pub target: Option<Square>,
    /// The side of the unit, or that the clause is about.
    pub owner: Color,
    /// The number of the step.
    pub number: i64,
    /// The step before it.
    pub previous: Option<Step<'a, W>>,
    /// The units that the turn captures, if they are known.
    pub captures: Option<W::Set>,
    /// The kind of the moved unit after the turn, if it is known.
    pub becomes: Option<Kind>,
    /// The rules without the clauses of the section.
    pub parent: Option<&'a dyn Game<W>>,
    /// The first steps of turns that need a second one.
    pub first_steps: Option<ListTurns<'a>>,
}

impl<W: Layout> Clone for GivenValues<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: Layout> Copy for GivenValues<'_, W> {}

impl<W: Layout> Default for GivenValues<'_, W> {
    fn default() -> Self {
        GivenValues {
            unit: None,
            target: None,
            owner: Color::White,
            number: 1,
            previous: None,
            captures: None,
            becomes: None,
            parent: None,
            first_steps: None,
        }
    }
}
