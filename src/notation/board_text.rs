//! Boards as text for human readers.

use super::fen;
use board::Color;
use per_layout::per_layout;
use position::{BoundUnits, Layout, Position};
use rules::Game;

/// Returns the board with coordinates: `.` for vacant squares, blanks for holes, `+` for squares with only
/// bound units. The lines below the board show bound units, the side to move, castling rights, the en passant
/// square and the state.
pub fn print<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> String {
    draw(game, p, |letter| letter)
}

/// Like [`print()`], but shows orthodox pieces as figures: `♔` for `K`, `♟` for `p`. Other letters are not
/// replaced.
pub fn print_figures<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> String {
    draw(game, p, |letter| {
        let figures = "KQRBNPkqrbnp".chars().zip("♔♕♖♗♘♙♚♛♜♝♞♟".chars());
        figures
            .into_iter()
            .find(|(known, _)| *known == letter)
            .map_or(letter, |(_, figure)| figure)
    })
}

/// Draws a board. `unit` converts the letter of each unit.
#[per_layout]
fn draw<W: Layout>(game: &dyn Game<W>, p: &Position<W>, unit: fn(char) -> char) -> String {
    let geometry = game.board().geometry();
    let width = geometry.ranks().to_string().len();
    let mut text = String::new();
    for rank in (0..geometry.ranks()).rev() {
        text += &format!("{:>width$} ", rank + 1);
        for file in 0..geometry.files() {
            let square = geometry.square(file, rank);
            text.push(' ');
            text.push(if !geometry.exists(square) {
                ' '
            } else if let Some((color, kind)) = p.unit(square) {
                unit(game.men().letter(color, kind))
            } else if p.bound.units().any(|u| u.square == square) {
                '+'
            } else {
                '.'
            });
        }
        text = text.trim_end().to_string();
        text.push('\n');
    }
    text += &" ".repeat(width + 1);
    for file in 0..geometry.files() {
        text.push(' ');
        text.push((b'a' + file) as char);
    }
    text.push('\n');
    let mut piles: Vec<String> = Vec::new();
    for unit in p.bound.units() {
        let letter = game.men().letter(unit.color, unit.kind);
        let name = geometry.name(unit.square);
        match piles.last_mut() {
            Some(last) if last.starts_with(&format!("{name}:")) => last.push(letter),
            _ => piles.push(format!("{name}:{letter}")),
        }
    }
    if !piles.is_empty() {
        text += &format!("bound: {}\n", piles.join(" "));
    }
    text += match p.side {
        Color::White => "White to move\n",
        Color::Black => "Black to move\n",
    };
    let rights = fen::rights_text(game, p);
    if rights != "-" {
        text += &format!("castling: {rights}\n");
    }
    if let Some(square) = p.en_passant() {
        text += &format!("en passant: {}\n", geometry.name(square));
    }
    let state = fen::state_text(game, p);
    if !state.is_empty() {
        text += &format!("state: {state}\n");
    }
    text
}
