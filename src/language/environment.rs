//! What an expression is checked against, and what it is evaluated on.

use crate::view::Oracle;
use board::{Color, Geometry};
use diagnostics::Diagnostic;
use position::{Layout, Position};
use rules::{AnyGame, Game, Turn};

/// What an expression is about, and what is known of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct About {
    /// Whether it is about a turn: then members of turns are bare names.
    pub turn: bool,
    /// Whether the bare names of positions refer to the position after the turn, not to the one before it.
    /// Only for expressions about a turn.
    pub after: bool,
    /// Whether the values of positions are known: `value`, `plies`, `flip`.
    pub values: bool,
    /// Whether the position is a state of a graph: `depth`, `out_degree`.
    pub graph: bool,
    /// Whether there is a side `mover`.
    pub mover: bool,
}

impl About {
    /// A position, of which nothing else is known.
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

/// The names that exist for an expression, and the rule set that gives them their meaning.
pub struct Environment<'a> {
    /// The rule set on its board.
    pub game: &'a AnyGame,
    /// What the expression is about.
    pub about: About,
    /// Names of kinds that other rule sets have. Such a kind is allowed and counts no units.
    pub kinds_elsewhere: Vec<&'static str>,
    /// Opens another rule set on a board of this shape, for `under`.
    pub open: &'a dyn Fn(&str, Geometry) -> Result<AnyGame, Diagnostic>,
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
        }
    }
}

/// What an expression is evaluated on.
pub struct Subject<'a, W: Layout> {
    /// The rule set that the expression was compiled for.
    pub game: &'a dyn Game<W>,
    /// The position; for an expression about a turn, the position before it.
    pub position: &'a Position<W>,
    /// The turn, for an expression about a turn.
    pub turn: Option<Turn>,
    /// The position after the turn, if it is known.
    pub after: Option<&'a Position<W>>,
    /// The values of positions.
    pub oracle: Option<&'a dyn Oracle<W>>,
    /// The distance from the root of a graph, in plies.
    pub depth: u32,
    /// The number of turns of a state of a graph.
    pub out_degree: u32,
    /// The side whose turns are counted.
    pub mover: Color,
    /// Returns whether evaluation has to stop. Called now and then.
    pub stop: Option<&'a dyn Fn() -> bool>,
}

impl<'a, W: Layout> Subject<'a, W> {
    /// Returns a position as a subject, with nothing else known of it.
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
