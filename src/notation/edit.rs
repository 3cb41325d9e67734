//! Changes a FEN square by square, for position editors.
//!
//! Reads only the board, so the FENs between two changes need not be legal positions. A change resets fields
//! that may no longer be valid: castling rights, the en passant square and the counters. Hands and state are
//! kept.

use super::fen;
use board::field::{Cell, FieldWriter, completed};
use board::{Geometry, Square};
use diagnostics::Diagnostic;
use std::fmt::Write;

/// A unit of a board field: its square, and its text in the FEN, such as `N` or `+p`.
pub type Placed = (Square, String);

/// A change of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change<'a> {
    /// Puts a unit on a square, or clears the square if the unit is `None`.
    Put {
        /// The name of the square.
        square: &'a str,
        /// The unit's text in the FEN.
        unit: Option<&'a str>,
    },
    /// Changes the side to move.
    Side,
    /// Removes all units except those with the letter `K`.
    Clear,
}

/// A changed FEN, which may not be a legal position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edited {
    /// The text.
    pub fen: String,
    /// The shape of its board.
    pub geometry: Geometry,
    /// The units on its board.
    pub units: Vec<Placed>,
}

/// Makes a change in a FEN and returns the new FEN.
///
/// # Errors
/// If the board field is malformed, or the board has no such square.
pub fn edit(text: &str, change: Change<'_>) -> Result<Edited, Diagnostic> {
    let completed = completed(text.split_ascii_whitespace().collect());
    let fields = completed.fields;
    let field = fen::board_field(fields.first().copied().unwrap_or(""))?;
    let geometry = fen::geometry_of(&field)?;
    let cells = fen::squares(&field);
    let mut units: Vec<Placed> = cells
        .filter_map(|(square, cell, _)| match cell {
            Cell::Unit(unit) => Some((square, unit.to_string())),
            Cell::Vacant | Cell::Hole => None,
        })
        .collect();
    let mut side = fields.get(1).copied().unwrap_or("w");
    match change {
        Change::Put { square, unit } => {
            let at = geometry.named(square).ok_or_else(|| {
                Diagnostic::new(
                    format!("square `{square}`"),
                    "this board has no such square",
                )
                .help("a letter for the file and a number for the rank, such as `e4`")
            })?;
            units.retain(|(square, _)| *square != at);
            units.extend(unit.map(|unit| (at, unit.to_string())));
        }
        Change::Side => side = if side == "w" { "b" } else { "w" },
        Change::Clear => units.retain(|(_, letter)| letter.eq_ignore_ascii_case("k")),
    }
    units.sort();
    let mut fen = board_text(geometry, &units);
    if let Some(hand) = field.hand {
        let _ = write!(fen, "[{hand}]");
    }
    let _ = write!(fen, " {side} - -");
    if let Some([white, black]) = completed.checks {
        let _ = write!(fen, " {white}+{black}");
    }
    fen.push_str(" 0 1");
    for state in fields.iter().skip(6) {
        let _ = write!(fen, " {state}");
    }
    Ok(Edited {
        fen,
        geometry,
        units,
    })
}

/// Returns the board field with these units.
fn board_text(geometry: Geometry, units: &[Placed]) -> String {
    let mut field = FieldWriter::default();
    for rank in (0..geometry.ranks()).rev() {
        for file in 0..geometry.files() {
            let square = geometry.square(file, rank);
            match units.iter().find(|(at, _)| *at == square) {
                Some((_, unit)) => field.occupied(unit),
                None if geometry.exists(square) => field.vacant(),
                None => field.occupied("*"),
            }
        }
        if rank > 0 {
            field.next_rank();
        }
    }
    field.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str, change: Change<'_>) -> String {
        edit(text, change).expect("a board").fen
    }

    #[test]
    fn units_are_put_and_removed_square_by_square() {
        let put = |square, unit| Change::Put { square, unit };
        let start = "4k3/8/2+P5/8/8/8/P~7/4K2R[Nn] w K - 3 9 x=1";
        for (change, fen) in [
            (
                put("b7", Some("r")),
                "4k3/1r6/2+P5/8/8/8/P~7/4K2R[Nn] w - - 0 1 x=1",
            ),
            (put("c6", None), "4k3/8/8/8/8/8/P~7/4K2R[Nn] w - - 0 1 x=1"),
            (
                put("e8", Some("+p")),
                "4+p3/8/2+P5/8/8/8/P~7/4K2R[Nn] w - - 0 1 x=1",
            ),
            (Change::Side, "4k3/8/2+P5/8/8/8/P~7/4K2R[Nn] b - - 0 1 x=1"),
            (Change::Clear, "4k3/8/8/8/8/8/8/4K3[Nn] w - - 0 1 x=1"),
        ] {
            assert_eq!(edited(start, change), fen, "{change:?}");
        }
        assert_eq!(
            edited("*2/3/2*", put("b2", Some("K"))),
            "*2/1K1/2* w - - 0 1"
        );
        assert!(edit(start, put("i1", None)).is_err());
        assert!(edit("4k3/8x", Change::Clear).is_err());
    }
}
