//! Diagrams as text for terminals: with letters, with chess symbols, or with chess symbols on colored
//! squares.

use crate::diagram::{Diagram, Mark, Unit, side_name};
use board::{Color, Square};

/// The appearance of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// Letters only.
    Plain,
    /// Chess symbols for the units of the standard set, without colors.
    Figures,
    /// Chess symbols on colored squares.
    Colors,
}

impl Look {
    /// Chooses the appearance for an environment: whether the output is a terminal, the value of `TERM`,
    /// whether `NO_COLOR` is set and not empty, and the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set.
    pub fn of(terminal: bool, term: Option<&str>, no_color: bool, locale: Option<&str>) -> Look {
        let utf8 = locale.is_some_and(|l| {
            let l = l.to_ascii_lowercase();
            l.contains("utf-8") || l.contains("utf8")
        });
        match (terminal && utf8, term, no_color) {
            (false, ..) => Look::Plain,
            (_, None | Some("dumb" | ""), _) | (.., true) => Look::Figures,
            _ => Look::Colors,
        }
    }

    /// Chooses the appearance for the environment of this process.
    pub fn of_environment(terminal: bool) -> Look {
        let var = |name: &str| {
            let value = std::env::var_os(name)?.to_string_lossy().into_owned();
            Some(value).filter(|value| !value.is_empty())
        };
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(var);
        let no_color = var("NO_COLOR").is_some();
        Look::of(
            terminal,
            var("TERM").as_deref(),
            no_color,
            locale.as_deref(),
        )
    }
}

/// Returns the chess symbol of a unit, or its letter if Unicode has no symbol for it.
fn figure(unit: Unit, solid: bool) -> char {
    let letter = match solid {
        true => unit.letter.to_ascii_lowercase(),
        false => unit.fen_letter(),
    };
    "KQRBNPkqrbnp"
        .chars()
        .zip("♔♕♖♗♘♙♚♛♜♝♞♟".chars())
        .find(|(known, _)| *known == letter)
        .map_or(unit.fen_letter(), |(_, figure)| figure)
}

/// Returns the board with coordinates, followed by the notes of the diagram. Marks are letters in front of
/// their squares and are explained below the board.
pub fn print(diagram: &Diagram, look: Look) -> String {
    let g = diagram.geometry;
    let width = g.ranks().to_string().len();
    let mut text = String::new();
    for rank in (0..g.ranks()).rev() {
        let mut line = format!("{:>width$} ", rank + 1);
        for file in 0..g.files() {
            cell(diagram, g.square(file, rank), look, &mut line);
        }
        text += line.trim_end();
        text.push('\n');
    }
    text += &" ".repeat(width + 1);
    for file in 0..g.files() {
        text.push(' ');
        text.push((b'a' + file) as char);
        if look == Look::Colors {
            text.push(' ');
        }
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    let piles: Vec<String> = diagram
        .squares()
        .filter(|(_, cell)| !cell.bound.is_empty())
        .map(|(square, cell)| {
            let letters: String = cell.bound.iter().map(|unit| unit.fen_letter()).collect();
            format!("{}:{letters}", g.name(square))
        })
        .collect();
    if !piles.is_empty() {
        text += &format!("bound: {}\n", piles.join(" "));
    }
    text += &format!("{} to move\n", side_name(diagram.side));
    for (name, value) in &diagram.notes {
        text += &format!("{name}: {value}\n");
    }
    for mark in Mark::TARGETS {
        let marked = diagram.marks.iter().filter(|marked| marked.mark == mark);
        let squares: Vec<String> = marked.map(|marked| g.name(marked.square)).collect();
        if !squares.is_empty() {
            let (letter, meaning) = (mark.letter(), mark.meaning());
            text += &format!("{letter}: {meaning}: {}\n", squares.join(" "));
        }
    }
    for marked in &diagram.marks {
        if marked.mark == Mark::Forbidden {
            text += &format!("{}\n", marked.tip);
        }
    }
    text
}

/// Appends a square, which takes two columns, or three with colors.
fn cell(diagram: &Diagram, square: Square, look: Look, line: &mut String) {
    let cell = &diagram.cells[square.index()];
    let marked = diagram.marks.iter().find(|marked| marked.square == square);
    let mark = marked.map_or(' ', |marked| marked.mark.letter());
    if !cell.exists {
        line.push_str(if look == Look::Colors { "   " } else { "  " });
        return;
    }
    let vacant = match (cell.bound.is_empty(), look) {
        (false, _) => '+',
        (true, Look::Colors) => ' ',
        (true, _) => '.',
    };
    let shown = cell.unit.map_or(vacant, |unit| match look {
        Look::Plain => unit.fen_letter(),
        Look::Figures => figure(unit, false),
        Look::Colors => figure(unit, true),
    });
    // The sign of a promoted unit replaces the mark. Marked squares are also listed below the board.
    let mark = match cell.unit {
        Some(unit) if unit.promoted => '+',
        _ => mark,
    };
    if look != Look::Colors {
        line.push(mark);
        line.push(shown);
        return;
    }
    // Use the 256 colors that most terminals support: two browns for squares, and white and black for units.
    let ground = match (diagram.geometry.file(square) + diagram.geometry.rank(square)) % 2 {
        _ if cell.checked => 167,
        0 => 137,
        _ => 180,
    };
    let ink = match cell.unit.map(|unit| unit.color) {
        Some(Color::White) => 231,
        _ => 16,
    };
    line.push_str(&format!(
        "\x1b[48;5;{ground};38;5;16m{mark}\x1b[1;38;5;{ink}m{shown} \x1b[0m"
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_need_a_terminal_that_wants_them() {
        let utf8 = Some("en_US.UTF-8");
        assert_eq!(Look::of(true, Some("xterm"), false, utf8), Look::Colors);
        assert_eq!(Look::of(true, Some("xterm"), true, utf8), Look::Figures);
        assert_eq!(Look::of(true, Some("dumb"), false, utf8), Look::Figures);
        assert_eq!(Look::of(true, None, false, utf8), Look::Figures);
        assert_eq!(Look::of(true, Some("xterm"), false, Some("C")), Look::Plain);
        assert_eq!(Look::of(true, Some("xterm"), false, None), Look::Plain);
        assert_eq!(Look::of(false, Some("xterm"), false, utf8), Look::Plain);
    }
}
