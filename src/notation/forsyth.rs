//! Positions as collections of chess problems print them: a board without the other fields of a FEN, `S` for
//! the knight, and castling allowed by convention.

use crate::fen;
use board::field::{BoardField, Cell, Dialect, FieldWriter};
use board::{Color, Squares};
use diagnostics::Diagnostic;
use per_layout::per_layout;
use position::{Layout, Position, Rights};
use rules::{Game, Variant, with_game};
use std::borrow::Cow;

/// Returns a FEN for a position that a problem collection may have printed. A board alone gets the side
/// that `first_side` returns for its shape, and the usual other fields. In the board, `S` becomes `N` if the
/// variant has a unit `N` and no unit `S`. Other texts are returned unchanged.
///
/// # Errors
/// If the text is a board alone and cannot be read, or `first_side` fails.
pub fn completed<'t>(
    variant: &Variant,
    text: &'t str,
    first_side: impl FnOnce(board::Geometry) -> Result<Color, Diagnostic>,
) -> Result<Cow<'t, str>, Diagnostic> {
    if text == crate::START {
        return Ok(text.into());
    }
    let (board, rest) = match text.trim().split_once(char::is_whitespace) {
        Some((board, rest)) => (board, Some(rest)),
        None => (text.trim(), None),
    };
    let board = with_knights(variant, board);
    Ok(match (rest, &board) {
        (Some(_), Cow::Borrowed(_)) => text.into(),
        (Some(rest), Cow::Owned(board)) => format!("{board} {rest}").into(),
        (None, board) => {
            let side = first_side(fen::shape(board)?)?;
            format!("{board} {} - - 0 1", side.letter()).into()
        }
    })
}

/// Returns a board field in which `S` is replaced by `N`, if the variant has a unit `N` and no unit `S`.
fn with_knights<'t>(variant: &Variant, field: &'t str) -> Cow<'t, str> {
    let board = field.split('[').next().unwrap_or("");
    if !board.contains(['S', 's']) {
        return field.into();
    }
    let (Ok(read), Ok(geometry)) = (
        BoardField::read(field, Dialect::POSITION),
        fen::shape(&variant.start()),
    ) else {
        return field.into();
    };
    let Ok(game) = variant.on(geometry) else {
        return field.into();
    };
    let has = |name: &str| with_game!(&game, game => game.men().named(name).is_some());
    if has("S") || !has("N") {
        return field.into();
    }
    let mut writer = FieldWriter::default();
    for (n, rank) in read.ranks.iter().enumerate() {
        if n > 0 {
            writer.next_rank();
        }
        for (cell, _) in &rank.cells {
            match cell {
                Cell::Vacant => writer.vacant(),
                Cell::Hole => writer.occupied("*"),
                Cell::Unit(unit) => {
                    writer.occupied(&unit.to_string().replace('S', "N").replace('s', "n"));
                }
            }
        }
    }
    let hand = read.hand.map_or(String::new(), |hand| format!("[{hand}]"));
    (writer.finish() + &hand).into()
}

/// Returns the castling rights of a position by the convention of problems: castling is allowed if king and
/// rook are on their home squares, unless the position shows that one of them has moved.
///
/// One case is recognized: in orthodox chess, the side that is not to move has made the last turn. If it has
/// only its king, one rook and pawns on their home squares, then the king or the rook has made that turn.
/// Deeper retrograde analysis is left to the reader of the problem.
#[per_layout]
pub fn usual_rights<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> Rights {
    let mut rights = Rights::default();
    if game.castling_letters().is_none() {
        return rights;
    }
    for color in Color::BOTH {
        for higher in [true, false] {
            if game.has_castling_units(p, color, higher) && !has_moved(game, p, color, higher) {
                rights.0 |= Rights::bit(color, higher).0;
            }
        }
    }
    rights
}

/// Returns whether the last turn must have been one of the king or the rook of this castling right, which
/// are on their home squares.
fn has_moved<W: Layout>(game: &dyn Game<W>, p: &Position<W>, color: Color, higher: bool) -> bool {
    let is_orthodox = matches!(game.variant().rule_set.id(), "fide" | "chess");
    const KING_AND_ROOK: u32 = 2;
    if game.castling_homes(color, higher).is_none() {
        return false;
    }
    let pawns = p.units(color, board::Kind::Pawn) & game.board().rank_of(color, 1);
    is_orthodox && p.side != color && p.color(color).len() == pawns.len() + KING_AND_ROOK
}
