//! Every single step that there can be: each side, kind, square, capture and promotion.
//!
//! A step depends on the moving unit and on at most one enemy unit. So all steps are found on boards with
//! these units alone. En passant captures need two pawns and castling needs its own two units. Steps that are
//! the same with and without an enemy unit count once. Drops are not steps of a unit and do not count.

use super::{Question, Scanned, Tally, Witness, in_pieces};
use board::{Color, Kind, Square, Squares};
use control::Control;
use language::Interrupted;
use notation::{fen, turns};
use per_layout::per_layout;
use position::{Layout, Position, Rights};
use rules::{Action, Game, Turn};

/// Receives the position before a step and the step. Returns whether the visit ends.
pub type StepVisitor<'v, W> = dyn FnMut(&Position<W>, &Turn) -> Result<bool, Interrupted> + 'v;

/// Returns the number of pieces of [`each`]: one for each side, kind and square.
#[per_layout]
pub fn pieces<W: Layout>(game: &dyn Game<W>) -> u64 {
    (2 * game.men().kinds().count() * game.board().geometry().len()) as u64
}

/// Calls `visit` for each step of a unit of one side and kind from one square, until it returns true. Returns
/// whether it did.
///
/// # Errors
/// The error of `visit`.
#[per_layout]
pub fn each<W: Layout>(
    game: &dyn Game<W>,
    piece: u64,
    visit: &mut StepVisitor<'_, W>,
) -> Result<bool, Interrupted> {
    let squares = game.board().geometry().len();
    let kinds: Vec<Kind> = game.men().kinds().collect();
    let piece = piece as usize;
    let from = Square((piece % squares) as u8);
    let kind = kinds[piece / squares % kinds.len()];
    let color = Color::BOTH[piece / squares / kinds.len()];
    if !can_stand(game, color, kind, from) {
        return Ok(false);
    }
    let mut position = Position::<W>::empty();
    position.side = color;
    position.put(color, kind, from);
    let alone = steps(game, &position);
    for turn in &alone {
        if visit(&position, turn)? {
            return Ok(true);
        }
    }
    for square in (0..squares as u8).map(Square) {
        for &enemy in kinds.iter().filter(|kind| **kind != Kind::King) {
            if square == from || !can_stand(game, !color, enemy, square) {
                continue;
            }
            let mut with_enemy = position;
            with_enemy.put(!color, enemy, square);
            for turn in steps(game, &with_enemy) {
                let captures = !game.play(&with_enemy, &turn).color(!color).has(square);
                if (captures || !alone.contains(&turn)) && visit(&with_enemy, &turn)? {
                    return Ok(true);
                }
            }
            if kind == Kind::Pawn && en_passant(game, &with_enemy, visit)? {
                return Ok(true);
            }
        }
    }
    castling(game, color, kind, from, visit)
}

/// Returns whether a unit may stand on a square.
fn can_stand<W: Layout>(game: &dyn Game<W>, color: Color, kind: Kind, square: Square) -> bool {
    game.board().geometry().exists(square)
        && !(kind == Kind::Pawn && game.no_pawns(color).has(square))
}

/// Returns the turns of the unit in their own order, without drops and castling.
fn steps<W: Layout>(game: &dyn Game<W>, position: &Position<W>) -> Vec<Turn> {
    let mut turns = Vec::new();
    game.pseudo_turns(position, &mut turns);
    turns.retain(|turn| !matches!(turn.first().action(), Action::Place | Action::Castle));
    turns.sort_unstable();
    turns.dedup();
    turns
}

/// Visits the en passant captures of a pawn and an enemy unit, wherever the passed square is.
fn en_passant<W: Layout>(
    game: &dyn Game<W>,
    position: &Position<W>,
    visit: &mut StepVisitor<'_, W>,
) -> Result<bool, Interrupted> {
    for passed in (0..game.board().geometry().len() as u8).map(Square) {
        if !fen::qualifies(game, position, passed) {
            continue;
        }
        let mut before = *position;
        match game.carried().fields() {
            Some(carried) => carried.set_passed(&mut before, &[passed]),
            None => before.set_en_passant(Some(passed)),
        }
        for turn in steps(game, &before) {
            if turn.steps().any(|step| step.action() == Action::EnPassant) && visit(&before, &turn)?
            {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Visits the castling turns of a unit with each unit that it can castle with.
fn castling<W: Layout>(
    game: &dyn Game<W>,
    color: Color,
    kind: Kind,
    from: Square,
    visit: &mut StepVisitor<'_, W>,
) -> Result<bool, Interrupted> {
    for higher in [false, true] {
        let Some((king, rook)) = game.castling_homes(color, higher) else {
            continue;
        };
        if king != from || rook == from {
            continue;
        }
        for partner in game.men().kinds() {
            let mut before = Position::<W>::empty();
            before.side = color;
            before.put(color, kind, king);
            before.put(color, partner, rook);
            if !game.has_castling_units(&before, color, higher) {
                continue;
            }
            before.rights = Rights::bit(color, higher);
            let mut turns = Vec::new();
            game.pseudo_turns(&before, &mut turns);
            turns.retain(|turn| turn.first().action() == Action::Castle);
            turns.sort_unstable();
            for turn in turns {
                if visit(&before, &turn)? {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Visits all steps. Returns nothing if `control` stopped it.
#[per_layout]
pub fn scan<W: Layout>(
    game: &dyn Game<W>,
    question: &Question,
    control: &Control<'_>,
) -> Option<Scanned> {
    let stop = || control.check().is_err();
    let work = |piece: u64, tally: &mut Tally<Witness>| -> Result<(), Interrupted> {
        each(game, piece, &mut |before, turn| {
            let subject = language::Subject {
                stop: Some(&stop),
                ..language::Subject::of_turn(game, before, *turn)
            };
            let mut mark = || Witness {
                fen: fen::print(game, before),
                turn: Some(turns::print(game, before, turn)),
                ..Witness::default()
            };
            question.examine(&subject, tally, &mut mark)
        })
        .map(|_| ())
    };
    let tally = in_pieces(pieces(game), control, &work)?;
    Some(Scanned {
        tally,
        limit: None,
        set: "the single steps that there can be".to_owned(),
        games: None,
    })
}
