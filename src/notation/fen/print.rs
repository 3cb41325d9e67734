//! Prints the canonical FEN of a position, and its fields.

use board::Color;
use board::field::FieldWriter;
use per_layout::per_layout;
use position::{Layout, Position, Rights};
use rules::Game;

/// Returns the board field.
#[per_layout]
pub fn board_text<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> String {
    let (geometry, men) = (game.board().geometry(), game.men());
    let mut field = FieldWriter::default();
    for rank in (0..geometry.ranks()).rev() {
        for file in 0..geometry.files() {
            let square = geometry.square(file, rank);
            match p.unit(square) {
                _ if !geometry.exists(square) => field.occupied("*"),
                Some((color, kind)) => field.occupied(&men.name(color, kind)),
                None => field.vacant(),
            }
        }
        if rank > 0 {
            field.next_rank();
        }
    }
    field.finish()
}

/// Returns the castling field.
pub fn rights_text<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> String {
    let mut rights = String::new();
    if let Some(letters) = game.castling_letters() {
        let mut known = [(letters[0], true), (letters[1], false)];
        known.sort_unstable();
        for color in Color::BOTH {
            for (letter, higher) in known {
                if p.rights.has(Rights::bit(color, higher)) {
                    rights.push(color.letter_of_unit(letter));
                }
            }
        }
    }
    if let Some(gates) = game.carried().fields().and_then(|carried| carried.gates(p)) {
        // Gates of kings and rooks with rights need no letters of their own. White's letters come first.
        let all = rights + &gates;
        let (white, black): (String, String) = all.chars().partition(char::is_ascii_uppercase);
        rights = white + &black;
    }
    if rights.is_empty() {
        rights.push('-');
    }
    rights
}

/// Returns the canonical FEN.
#[per_layout]
pub fn print<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> String {
    let en_passant = p.en_passant().map_or("-".to_string(), |square| {
        game.board().geometry().name(square)
    });
    let (mut hand, mut checks, mut passed) = (String::new(), String::new(), en_passant);
    if let Some(carried) = game.carried().fields() {
        if let Some(letters) = carried.hand(p) {
            hand = format!("[{letters}]");
        }
        if let Some(left) = carried.checks(p) {
            checks = format!(" {left}");
        }
        let squares = carried.passed(p);
        if !squares.is_empty() {
            let geometry = game.board().geometry();
            passed = squares
                .iter()
                .map(|&square| geometry.name(square))
                .collect();
        }
    }
    let mut text = format!(
        "{}{hand} {} {} {passed}{checks} {} {}",
        board_text(game, p),
        p.side.letter(),
        rights_text(game, p),
        game.carried().clock(p),
        game.carried().number(p)
    );
    let state = state_text(game, p);
    if !state.is_empty() {
        text.push(' ');
        text += &state;
    }
    text
}

/// Returns the state field, which is empty if the state has its default value.
pub fn state_text<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> String {
    game.carried()
        .state_text(game.board(), p)
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect::<Vec<_>>()
        .join(";")
}
