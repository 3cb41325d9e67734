//! Who works with or against whom.

/// The maximum number of moves of a stipulation.
pub const MAX_MOVES: u32 = 99;

/// What ends a line of help or series play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A turn of the side that is to reach the goal.
    Goal,
    /// A turn after which every answer reaches the goal for the one who answers.
    Forced,
    /// A turn after which the opponent can reach the goal, and so must; neither side may pass over a
    /// turn that reaches the goal.
    Reflex,
}

/// Who works with or against whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    /// The side to move reaches the goal against any defense.
    Direct,
    /// The side to move forces the opponent to reach the goal.
    Selfplay,
    /// Like [`Play::Selfplay`], but a side that can reach the goal with its turn has to.
    Reflex,
    /// Like [`Play::Reflex`], but only the opponent has to.
    SemiReflex,
    /// Both sides work together, alternating.
    Help(Ending),
    /// The side to move makes all turns but, where the goal is the opponent's, the last one. The
    /// flag says whether that last turn is made to help (`ser-h`).
    Series(Ending, bool),
}
