//! The environment against which an expression is checked, and the subject on which it is evaluated.

use crate::rule_text::{GivenValues, RuleText};
use crate::view::Oracle;
use board::{Color, Geometry};
use diagnostics::Diagnostic;
use position::{Layout, Position};
use rules::{AnyGame, Game, Turn};

/// The subject of an expression: the names that the expression may use beyond those of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct About {
    /// Whether the expression is about a turn. Members of turns are then bare names.
    pub turn: bool,
    /// Whether bare names of positions refer to the position after the turn instead of the position before
    /// it. Used only for expressions about a turn.
    pub after: bool,
    /// Whether `value`, `plies` and `flip` are available.
    pub values: bool,
    /// Whether the position is a state of a graph, so `depth` and `out_degree` are available.
    pub graph: bool,
    /// Whether `mover` is available.
    pub mover: bool,
}

impl About {
    /// A position without values, outside any graph.
    pub const POSITION: About = About {
        turn: false,
        after: false,
        values: false,
        graph: false,
        mover: false,
    };

    /// A turn.
    pub const TURN: About = About {
        turn: true,
        ..About::POSITION
    };

    /// A position whose value is known.
    pub const VALUED: About = About {
        values: true,
        ..About::POSITION
    };
}

/// The names that an expression may use, and the rule set that defines their meaning.
pub struct Environment<'a> {
    /// The rule set with its board.
    pub game: &'a AnyGame,
    /// The subject of the expression.
    pub about: About,
    /// Names of kinds that only other rule sets have. Such a kind is allowed and has no units.
    pub kinds_elsewhere: Vec<&'static str>,
    /// Opens another rule set on a board of the given shape, for `under`.
    pub open: &'a dyn Fn(&str, Geometry) -> Result<AnyGame, Diagnostic>,
    /// What the expression knows as a clause of a rule text.
    pub text: Option<&'a RuleText<'a>>,
}

impl<'a> Environment<'a> {
    /// Returns the environment of an expression, without kinds of other rule sets and without other rule sets.
    pub fn new(game: &'a AnyGame, about: About) -> Environment<'a> {
        Environment {
            game,
            about,
            kinds_elsewhere: Vec::new(),
            open: &|name, _| {
                let why = "other rule sets cannot be named here";
                Err(Diagnostic::new(format!("rule set `{name}`"), why))
            },
            text: None,
        }
    }
}

/// The position or turn on which an expression is evaluated.
pub struct Subject<'a, W: Layout> {
    /// The rule set for which the expression was compiled.
    pub game: &'a dyn Game<W>,
    /// The position. For an expression about a turn, the position before the turn.
    pub position: &'a Position<W>,
    /// The turn, for an expression about a turn.
    pub turn: Option<Turn>,
    /// The position after the turn, if the caller already has it.
    pub after: Option<&'a Position<W>>,
    /// The source of the values of positions.
    pub oracle: Option<&'a dyn Oracle<W>>,
    /// The distance from the root of a graph, in plies.
    pub depth: u32,
    /// The number of turns from a state of a graph.
    pub out_degree: u32,
    /// The side whose turns are counted, for `mover`.
    pub mover: Color,
    /// Returns whether evaluation must stop. Called at intervals.
    pub stop: Option<&'a dyn Fn() -> bool>,
    /// What a clause of a rule text is given.
    pub given: GivenValues<'a, W>,
}

impl<'a, W: Layout> Subject<'a, W> {
    /// Returns a position as a subject without turn, values and graph.
    pub fn new(game: &'a dyn Game<W>, position: &'a Position<W>) -> Subject<'a, W> {
        Subject {
            game,
            position,
            turn: None,
            after: None,
            oracle: None,
            depth: 0,
            out_degree: 0,
            mover: position.side,
            stop: None,
            given: GivenValues::default(),
        }
    }

    /// Returns a turn from a position as a subject.
    pub fn of_turn(game: &'a dyn Game<W>, before: &'a Position<W>, turn: Turn) -> Self {
        Subject {
            turn: Some(turn),
            ..Subject::new(game, before)
        }
    }
}
