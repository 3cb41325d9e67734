//! What this layer compiles once for each layout, so that no layer above compiles it again.

use crate::game_lines::PrintedTurn;
use crate::{board_text, fen, san, turns};
use board::Square;
use diagnostics::InputError;
use position::Position;
use rules::{Game, Turn};

position::compiled_for_each_layout! {
    /// The layouts, with reading and printing compiled for each.
    pub trait Layout: position::Layout {
        fn draw(game: &dyn Game<Self>, p: &Position<Self>, unit: fn(char) -> char) -> String
            = board_text::draw;
        fn print_fen(game: &dyn Game<Self>, p: &Position<Self>) -> String = fen::print_generic;
        fn print_board_field(game: &dyn Game<Self>, p: &Position<Self>) -> String
            = fen::board_text_generic;
        fn read_position(game: &dyn Game<Self>, text: &str) -> Result<Position<Self>, InputError>
            = fen::read_position_generic;
        fn accept(game: &dyn Game<Self>, p: &Position<Self>) -> Result<(), InputError>
            = fen::accept_generic;
        fn qualifies(game: &dyn Game<Self>, p: &Position<Self>, square: Square) -> bool
            = fen::qualifies_generic;
        fn print_turn(game: &dyn Game<Self>, p: &Position<Self>, turn: &Turn) -> String
            = turns::print_generic;
        fn sorted_turns(game: &dyn Game<Self>, p: &Position<Self>) -> Vec<(String, Turn)>
            = turns::sorted_generic;
        fn find_turn(
            game: &dyn Game<Self>,
            p: &Position<Self>,
            text: &str,
            number: usize,
        ) -> Result<Turn, InputError> = turns::find_generic;
        fn find_san(
            game: &dyn Game<Self>,
            p: &Position<Self>,
            text: &str,
        ) -> Result<Turn, InputError> = san::find_generic;
        fn find_printed(
            printed: &PrintedTurn,
            game: &dyn Game<Self>,
            p: &Position<Self>,
        ) -> Option<Turn> = PrintedTurn::find_generic;
    }
}
