//! Positions together with their games, the entry point for most uses of a rule set.

use super::{fen, turns};
use board::Color;
use diagnostics::Diagnostic;
use position::{Family, ForLayout, Layout, Position};
use rules::{AnyGame, Game, Outcome, Variant};
use std::sync::Arc;

/// A game and one of its positions.
pub struct Start<W: Layout> {
    /// The rules on the position's board.
    pub game: Arc<dyn Game<W>>,
    /// The position.
    pub position: Position<W>,
}

impl<W: Layout> Clone for Start<W> {
    fn clone(&self) -> Start<W> {
        Start {
            game: Arc::clone(&self.game),
            position: self.position,
        }
    }
}

/// The family of games with a position.
pub enum Starts {}

impl Family for Starts {
    type Of<W: Layout> = Start<W>;
}

/// A game and a position, in the layout that the board and the units need.
#[derive(Clone)]
pub struct Setup(pub ForLayout<Starts>);

impl<W: Layout> From<Start<W>> for Setup {
    fn from(start: Start<W>) -> Setup {
        Setup(W::wrap::<Starts>(start))
    }
}

/// Evaluates an expression with a setup of any layout: `with_setup!(setup, start => expression)`.
#[macro_export]
macro_rules! with_setup {
    ($setup:expr, $start:ident => $body:expr) => {
        $crate::for_layout!($crate::Setup: $setup, $start => $body)
    };
}

/// The word for the start position, as in the UCI protocol of chess engines.
pub const START: &str = "startpos";

impl Setup {
    /// Reads a FEN. Without one, or for `startpos`, returns the start position.
    ///
    /// # Errors
    /// If the text is not a FEN of a position of this variant.
    pub fn read(variant: &Variant, fen: Option<&str>) -> Result<Setup, Diagnostic> {
        fen::Reader::new(variant).read(fen)
    }

    /// Returns the game.
    pub fn game(&self) -> AnyGame {
        with_setup!(self, start => Arc::clone(&start.game).into())
    }

    /// Returns the game and the position if they are of this layout.
    pub fn get<W: Layout>(&self) -> Option<&Start<W>> {
        W::get::<Starts>(&self.0)
    }

    /// Returns the variant with its options.
    pub fn variant(&self) -> &Variant {
        with_setup!(self, start => start.game.variant())
    }

    /// Returns the side to move.
    pub fn side(&self) -> Color {
        with_setup!(self, start => start.position.side)
    }

    /// Returns the position as a FEN.
    pub fn fen(&self) -> String {
        with_setup!(self, start => fen::print(start.game.as_ref(), &start.position))
    }

    /// Returns the outcome of the position, which is `ongoing` if the game is not over.
    pub fn outcome(&self) -> Outcome {
        with_setup!(self, start => start.game.outcome(&start.position))
    }

    /// Returns whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        with_setup!(self, start => start.game.in_check(&start.position, start.position.side))
    }

    /// Returns the legal turns in coordinate notation, in byte order.
    pub fn turns(&self) -> Vec<String> {
        with_setup!(self, start => {
            let sorted = turns::sorted(start.game.as_ref(), &start.position);
            sorted.into_iter().map(|(text, _)| text).collect()
        })
    }

    /// Returns the position after a turn, which is written in coordinate notation (`g1f3`) or in algebraic
    /// notation (`Nf3`).
    ///
    /// # Errors
    /// If the text is not a legal turn, or fits several legal turns. The error contains the reason.
    pub fn play(&self, turn: &str) -> Result<Setup, Diagnostic> {
        self.play_numbered(turn, 1).map(|(_, after)| after)
    }

    /// Like [`play`](Self::play), but also returns the turn in coordinate notation. `number` is the number of
    /// the turn in the user's input, from 1.
    ///
    /// # Errors
    /// As for [`play`](Self::play).
    pub fn play_numbered(&self, turn: &str, number: usize) -> Result<(String, Setup), Diagnostic> {
        with_setup!(self, start => {
            let game = start.game.as_ref();
            let turn = turns::read(game, &start.position, turn, number)?;
            let after = Start {
                position: game.play(&start.position, &turn),
                game: Arc::clone(&start.game),
            };
            Ok((turns::print(game, &start.position, &turn), after.into()))
        })
    }

    /// Returns the number of lines of `depth` turns (perft). Lines in which the game ends earlier are not
    /// counted.
    pub fn perft(&self, depth: u32) -> u64 {
        with_setup!(self, start => start.game.perft(&start.position, depth))
    }

    /// Calls a function that is generic over the layout of positions.
    pub fn visit<V: SetupVisitor>(&self, visitor: V) -> V::Output {
        with_setup!(self, start => visitor.visit(start))
    }
}

/// A function of a setup that is generic over the layout of positions, for [`Setup::visit`].
pub trait SetupVisitor {
    /// The result of the function.
    type Output;

    /// Calls the function.
    fn visit<W: Layout>(self, start: &Start<W>) -> Self::Output;
}
