//! The kinds of play: whether the sides work with or against each other, and what ends a line.

/// The maximum number of moves of a stipulation.
pub const MAX_MOVES: u32 = 99;

/// The kind of turn that ends a line of help or series play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A turn of the side that is to reach the goal.
    Goal,
    /// A turn after which every answer reaches the goal for the side that answers.
    Forced,
    /// A turn after which the opponent can reach the goal, and must. Neither side may play another turn while
    /// one of its turns reaches the goal.
    Reflex,
}

/// The kind of play: whether the sides work with or against each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    /// The side to move reaches the goal against any defense.
    Direct,
    /// The side to move forces the opponent to reach the goal.
    Selfplay,
    /// Like [`Play::Selfplay`], but a side that can reach the goal in one turn must do so.
    Reflex,
    /// Like [`Play::Reflex`], but the obligation to reach the goal binds only the opponent.
    SemiReflex,
    /// Both sides work together, alternating.
    Help(Ending),
    /// The side to move makes a series of turns. If the opponent is to reach the goal, the opponent makes the
    /// last turn. The flag is whether that last turn is made to help (`ser-h`).
    Series(Ending, bool),
}
