//! A position together with the game that it belongs to.

use super::fen;
use diagnostics::InputError;
use position::{Layout, Narrow, NarrowBound, Open, Position, Wide};
use rules::{Game, Variant};
use std::sync::Arc;

/// A game and a position of it.
pub struct Start<W: Layout> {
    /// The rules on this board.
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

/// A game and a position, in the layout that the board needs.
#[derive(Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "there are few of them at a time, and most are matched at once"
)]
pub enum Setup {
    /// Up to 64 squares.
    Narrow(Start<Narrow>),
    /// Up to 64 squares, with bound units.
    NarrowBound(Start<NarrowBound>),
    /// Up to 64 squares and many kinds of unit.
    Open(Start<Open>),
    /// Up to 128 squares.
    Wide(Start<Wide>),
}

/// Evaluates an expression with a setup of any layout: `with_setup!(setup, start => expression)`.
#[macro_export]
macro_rules! with_setup {
    ($setup:expr, $start:ident => $body:expr) => {
        match $setup {
            $crate::Setup::Narrow($start) => $body,
            $crate::Setup::NarrowBound($start) => $body,
            $crate::Setup::Open($start) => $body,
            $crate::Setup::Wide($start) => $body,
        }
    };
}

/// The word for the start position, as engines use it.
pub const START: &str = "startpos";

impl Setup {
    /// Reads a FEN. Without one, or for `startpos`, returns the start position.
    ///
    /// # Errors
    /// If the text is not a FEN of a position of this variant.
    pub fn read(variant: &Variant, fen: Option<&str>) -> Result<Setup, InputError> {
        match fen {
            None | Some(START) => fen::read(variant, &variant.start()),
            Some(text) => fen::read(variant, text),
        }
    }
}
