//! The functions that this crate compiles once for each layout, so that no crate above compiles them
//! again.

use crate::{BestLine, Values};
use explore::{Exploration, StateId};
use rules::Game;
use std::sync::atomic::AtomicBool;

position::compiled_for_each_layout! {
    /// The layouts, with the values of graphs compiled for each.
    pub trait Layout: explore::Layout {
        fn solve_game(
            game: &dyn Game<Self>,
            found: &Exploration,
            memory_bytes: u64,
            stop: Option<&AtomicBool>,
            observer: &dyn crate::Observer,
        ) -> Result<Values, crate::Stopped> = crate::values::solve_game_generic;
        fn certify_game(
            game: &dyn Game<Self>,
            found: &Exploration,
            values: &Values,
            stop: Option<&AtomicBool>,
            observer: &dyn crate::Observer,
        ) -> Result<crate::Certificate, crate::Stopped> = crate::certify::certify_game_generic;
        fn best_line(
            game: &dyn Game<Self>,
            found: &Exploration,
            values: &Values,
            from: StateId,
        ) -> Option<BestLine> = crate::line::best_line_generic;
    }
}
