//! A compiled clause: its expression, and the rules that the expression uses.
//!
//! An evaluation that is stopped unwinds with [`Interrupted`]: the turns and outcomes of rules cannot say so.

use board::{Color, Kind, Square};
use interpreter::{Captured, Place, Play};
use language::{Expression, GivenValues, Interrupted, Step, Subject};
use position::{Layout, Position};
use rules::Game;
use std::sync::Arc;

/// A compiled clause.
pub struct Rule<W: Layout> {
    /// The expression.
    pub expression: Expression,
    /// The rules of the stage before.
    pub game: Arc<dyn Game<W>>,
    /// The rules without the clauses of its section, if the expression names `parent`.
    pub parent: Option<Arc<dyn Game<W>>>,
    /// The clause as it is written, for messages.
    pub text: String,
}

/// What a clause is about.
#[derive(Clone, Copy)]
pub enum Of<'a, W: Layout> {
    /// A position.
    Position(&'a Position<W>),
    /// A turn or a step.
    Play(&'a Play<'a, W>),
}

/// Returns the square of the moved unit before a turn; `None` for a drop.
fn moved<W: Layout>(play: &Play<'_, W>) -> Option<Square> {
    let step = play.turn.first();
    (step.action() != rules::Action::Place).then_some(step.from)
}

/// Returns the values that the place of a step gives.
pub fn of_place<'a, W: Layout>(place: Place<'a, W>) -> GivenValues<'a, W> {
    GivenValues {
        number: place.n.into(),
        previous: place.previous.map(|previous| Step {
            before: previous.before,
            turn: previous.turn,
            after: previous.after,
            captures: previous.captures,
            becomes: previous.becomes,
        }),
        ..GivenValues::default()
    }
}

/// Returns the values of a clause about a position.
pub fn of_position<W: Layout>(p: &Position<W>) -> GivenValues<'static, W> {
    GivenValues {
        owner: p.side,
        ..GivenValues::default()
    }
}

/// Returns the values of a clause about a turn. The owner is that of the moved unit before it.
pub fn of_turn<'a, W: Layout>(play: &'a Play<'a, W>) -> GivenValues<'a, W> {
    let unit = moved(play);
    let side = unit.and_then(|unit| play.before.unit(unit));
    GivenValues {
        unit,
        owner: side.map_or(play.before.side, |(color, _)| color),
        captures: Some(play.captures),
        becomes: Some(play.becomes),
        ..of_place(play.place)
    }
}

/// Returns the values of a clause about a unit.
pub fn of_unit<'a, W: Layout>(p: &Position<W>, unit: Square) -> GivenValues<'a, W> {
    GivenValues {
        unit: Some(unit),
        owner: p.unit(unit).map_or(p.side, |(color, _)| color),
        ..GivenValues::default()
    }
}

/// Returns the values of a clause about a captured unit.
pub fn of_captured<'a, W: Layout>(play: &'a Play<'a, W>, unit: Captured) -> GivenValues<'a, W> {
    GivenValues {
        unit: Some(unit.square),
        owner: unit.side,
        ..of_turn(play)
    }
}

impl<W: Layout> Rule<W> {
    /// Calls `work` with the subject of a clause.
    fn with<R>(
        &self,
        of: Of<'_, W>,
        given: GivenValues<'_, W>,
        work: impl FnOnce(&Subject<'_, W>) -> R,
    ) -> R {
        let game = self.game.as_ref();
        let parent = self.parent.as_deref();
        let subject = match of {
            Of::Position(p) => Subject::new(game, p),
            Of::Play(play) => Subject {
                after: Some(play.after),
                ..Subject::of_turn(game, play.before, play.turn)
            },
        };
        work(&Subject {
            given: GivenValues { parent, ..given },
            ..subject
        })
    }

    /// Returns the value of a condition or number about a position, with these values.
    pub fn number_at(&self, p: &Position<W>, given: GivenValues<'_, W>) -> i64 {
        self.with(Of::Position(p), given, |subject| {
            self.expression
                .number(subject)
                .unwrap_or_else(Interrupted::unwind)
        })
    }

    /// Returns the value of a condition or number about a turn or a step.
    pub fn number_of(&self, play: &Play<'_, W>) -> i64 {
        self.number_with(play, of_turn(play))
    }

    /// Like [`number_of`](Self::number_of), with other values.
    pub fn number_with(&self, play: &Play<'_, W>, given: GivenValues<'_, W>) -> i64 {
        self.with(Of::Play(play), given, |subject| {
            self.expression
                .number(subject)
                .unwrap_or_else(Interrupted::unwind)
        })
    }

    /// Returns a condition about a position at the end of a turn, whose mover is the opponent of the side to move.
    pub fn holds_at_end(&self, p: &Position<W>, given: GivenValues<'_, W>) -> bool {
        self.with(Of::Position(p), given, |subject| {
            let subject = Subject {
                mover: !p.side,
                ..copied(subject)
            };
            self.expression
                .number(&subject)
                .unwrap_or_else(Interrupted::unwind)
                != 0
        })
    }

    /// Returns a list of squares or units about a position.
    pub fn squares_at(&self, p: &Position<W>, given: GivenValues<'_, W>) -> u128 {
        self.with(Of::Position(p), given, |subject| {
            self.expression
                .squares(subject)
                .unwrap_or_else(Interrupted::unwind)
        })
    }

    /// Returns a list of squares or units about a turn.
    pub fn squares_of(&self, play: &Play<'_, W>) -> u128 {
        self.squares_with(play, of_turn(play))
    }

    /// Like [`squares_of`](Self::squares_of), with other values.
    pub fn squares_with(&self, play: &Play<'_, W>, given: GivenValues<'_, W>) -> u128 {
        self.with(Of::Play(play), given, |subject| {
            self.expression
                .squares(subject)
                .unwrap_or_else(Interrupted::unwind)
        })
    }

    /// Returns a list of units about a turn: those of the position before it, and those of the position after it.
    pub fn units_of(&self, play: &Play<'_, W>) -> [u128; 2] {
        self.with(Of::Play(play), of_turn(play), |subject| {
            self.expression
                .units(subject)
                .unwrap_or_else(Interrupted::unwind)
        })
    }

    /// Returns a kind or kinds about a turn, with these values.
    pub fn kinds_with(&self, play: &Play<'_, W>, given: GivenValues<'_, W>) -> Vec<Kind> {
        self.with(Of::Play(play), given, |subject| {
            self.expression
                .kinds(subject)
                .unwrap_or_else(Interrupted::unwind)
        })
    }

    /// Returns kinds about a position.
    pub fn kinds_at(&self, p: &Position<W>, given: GivenValues<'_, W>) -> Vec<Kind> {
        self.with(Of::Position(p), given, |subject| {
            self.expression
                .kinds(subject)
                .unwrap_or_else(Interrupted::unwind)
        })
    }

    /// Returns a word about a position.
    pub fn word_at(&self, p: &Position<W>, given: GivenValues<'_, W>) -> String {
        self.with(Of::Position(p), given, |subject| {
            self.expression
                .words(subject)
                .unwrap_or_else(Interrupted::unwind)
        })
    }

    /// Returns a word about a turn.
    pub fn word_of(&self, play: &Play<'_, W>) -> String {
        self.word_with(play, of_turn(play))
    }
}

impl<W: Layout> Rule<W> {
    /// Returns a word about a turn, with other values.
    pub fn word_with(&self, play: &Play<'_, W>, given: GivenValues<'_, W>) -> String {
        self.with(Of::Play(play), given, |subject| {
            self.expression
                .words(subject)
                .unwrap_or_else(Interrupted::unwind)
        })
    }
}

/// Returns a copy of a subject.
fn copied<'s, W: Layout>(subject: &Subject<'s, W>) -> Subject<'s, W> {
    Subject {
        given: subject.given,
        ..Subject::new(subject.game, subject.position)
    }
}

/// Returns the side that a number of the language means.
pub fn side(number: i64) -> Option<Color> {
    match number {
        0 => Some(Color::White),
        1 => Some(Color::Black),
        _ => None,
    }
}

/// Returns the square that a number of the language means.
pub fn square(number: i64) -> Option<Square> {
    u8::try_from(number).ok().map(Square)
}
