//! The functions that this crate compiles once for each layout, so that no crate above compiles them
//! again.

use crate::perft::{self, Divide};
use crate::{Beam, Expander, Exploration, Limits, Observer, Playouts, StateId};
use crate::{beam, playouts, search, successors};
use position::Position;
use rules::{Game, Turn};
use std::ops::Range;

position::compiled_for_each_layout! {
    /// The layouts, with searches of the graph compiled for each.
    pub trait Layout: notation::Layout {
        fn explore(
            game: &dyn Game<Self>,
            root: &Position<Self>,
            limits: &Limits<'_>,
            observer: &dyn Observer,
        ) -> Exploration = search::explore_generic;
        fn position(found: &Exploration, id: StateId) -> Position<Self>
            = Exploration::position_generic;
        fn turns_along(found: &Exploration, game: &dyn Game<Self>, path: &[StateId]) -> Vec<Turn>
            = Exploration::turns_along_generic;
        fn keyed<'g>(game: &'g dyn Game<Self>, root: &Position<Self>) -> Expander<'g>
            = successors::keyed_generic;
        fn count_lines(game: &dyn Game<Self>, p: &Position<Self>, depth: u32) -> u128
            = perft::count_generic;
        fn divide_lines(game: &dyn Game<Self>, p: &Position<Self>, depth: u32) -> Divide
            = perft::divide_generic;
        fn playouts(
            game: &dyn Game<Self>,
            root: &Position<Self>,
            seed: u64,
            games: Range<u64>,
            cap_plies: u32,
        ) -> Playouts = playouts::playouts_generic;
        fn beam(
            game: &dyn Game<Self>,
            root: &Position<Self>,
            how: &Beam<'_>,
            score: &(dyn Fn(&Position<Self>, usize) -> Option<i64> + Sync),
        ) -> Vec<Turn> = beam::beam_generic;
    }
}
