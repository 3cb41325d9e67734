//! Checks the position of a FEN by the hooks of its rule set.

use super::wrong;
use board::{Color, Kind, Square, Squares};
use diagnostics::Diagnostic;
use per_layout::per_layout;
use position::{Layout, Position};
use rules::Game;

/// Checks all requirements on the position of a FEN. The en passant square and the castling rights are not
/// checked, because reading drops invalid ones.
///
/// # Errors
/// If the position does not satisfy a requirement. The error names the requirement and the field.
#[per_layout]
pub fn accept<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> Result<(), Diagnostic> {
    check_units(game, p)?;
    game.check_position(p)
        .map_err(|why| Diagnostic::new("FEN", why))?;
    game.check_no_opposite_check(p).map_err(|why| {
        Diagnostic::new("FEN", why)
            .at("field 1 (board) with field 2 (side to move)")
            .help("give a position in which the side to move cannot capture a royal unit")
    })
}

/// Returns whether a pawn has just passed this square and can be captured en passant there.
#[per_layout]
pub fn qualifies<W: Layout>(game: &dyn Game<W>, p: &Position<W>, square: Square) -> bool {
    if let Some(carried) = game.carried().fields() {
        return carried.double_step_passed(p, square);
    }
    was_passed(game, p, square)
        && !(game.board().pawn_captures(!p.side, square) & p.units(p.side, Kind::Pawn)).is_empty()
}

/// Returns whether a pawn can just have passed this square, in a rule set that is not made from a definition.
pub(super) fn was_passed<W: Layout>(game: &dyn Game<W>, p: &Position<W>, square: Square) -> bool {
    let b = game.board();
    let them = !p.side;
    if !game.en_passant(p) || !b.rank_of(them, 2).has(square) {
        return false;
    }
    let ahead = b.ahead(them);
    let origin = Square((i32::from(square.0) - ahead) as u8);
    let pawn = Square((i32::from(square.0) + ahead) as u8);
    b.geometry().exists(origin)
        && !p.occupied().has(square)
        && !p.occupied().has(origin)
        && p.units(them, Kind::Pawn).has(pawn)
}

/// Returns the squares on which a double step of a side's pawns can end.
pub fn double_stepped<W: Layout>(game: &dyn Game<W>, color: Color) -> W::Set {
    match game.tables() {
        Some(tables) => tables.double_stepped(color),
        None => game.board().rank_of(color, 3),
    }
}

fn check_units<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> Result<(), Diagnostic> {
    let b = game.board();
    for color in Color::BOTH {
        let count = |kind| p.units(color, kind).len() + p.bound_of(color, kind);
        if let Some(found) = game.wrong_count(color, &count) {
            let letter = game.men().letter(color, found.kind);
            let why = format!("{} has {} units `{letter}`", color.name(), found.count);
            return Err(wrong(0, why).help(format!("this variant wants {}", found.allowed())));
        }
    }
    for color in Color::BOTH {
        let bad = (p.units(color, Kind::Pawn) & game.no_pawns_in_fens(color))
            .first()
            .or_else(|| {
                p.bound_units()
                    .find(|u| {
                        u.color == color
                            && u.kind == Kind::Pawn
                            && game.no_pawns_in_fens(color).has(u.square)
                    })
                    .map(|u| u.square)
            });
        if let Some(square) = bad {
            return Err(wrong(
                0,
                format!(
                    "a pawn of {} cannot stand on {}",
                    color.name(),
                    b.geometry().name(square)
                ),
            ));
        }
    }
    Ok(())
}
