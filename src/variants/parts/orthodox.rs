//! Judges positions by the rules of orthodox chess, for rule sets that refer to these rules.
//!
//! Relies on a board with orthodox pieces and castling. Never considers the state or the outcomes of the
//! variant.

use board::{Color, Kind, Square, Squares};
use position::{BoardOf, Layout, Position};
use rules::fide::Fide;
use rules::{Attack, Consumer, Each, Flow, Rules, Turn, fide};

/// Generates the orthodox legal turns.
pub fn turns<W: Layout, K: Consumer<W::Set>>(
    b: &BoardOf<W>,
    p: &Position<W>,
    consumer: &mut K,
) -> Flow {
    fide::generate(&Fide, b, p, consumer)
}

/// Returns whether there is an orthodox legal turn.
pub fn has_turn<W: Layout>(b: &BoardOf<W>, p: &Position<W>) -> bool {
    fide::has_unfiltered(&Fide, b, p)
}

/// Returns whether the king of a side is attacked.
pub fn in_check<W: Layout>(b: &BoardOf<W>, p: &Position<W>, color: Color) -> bool {
    fide::in_check(&Fide, b, p, color)
}

/// Returns the units that give check to the king of the side to move.
pub fn checkers<W: Layout>(b: &BoardOf<W>, p: &Position<W>) -> W::Set {
    let kings = Rules::<W>::royals(&Fide, p, p.side);
    kings.iter().fold(W::Set::EMPTY, |found, king| {
        found | Fide.attackers(b, p, Attack::on(king, !p.side, p.occupied()))
    })
}

/// Returns whether the side to move is checkmated.
pub fn is_checkmate<W: Layout>(b: &BoardOf<W>, p: &Position<W>) -> bool {
    in_check(b, p, p.side) && !has_turn(b, p)
}

/// Returns the position after a turn, with the opponent to move.
pub fn moved<W: Layout>(b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> Position<W> {
    fide::moved(&Fide, b, p, turn)
}

/// Returns whether a legal turn gives checkmate.
pub fn checkmates<W: Layout>(b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> bool {
    is_checkmate(b, &moved(b, p, turn))
}

/// Calls a closure with each orthodox legal turn.
pub fn each_turn<W: Layout>(
    b: &BoardOf<W>,
    p: &Position<W>,
    work: impl FnMut(Turn) -> Flow,
) -> Flow {
    turns(b, p, &mut Each(work))
}

/// Returns whether an orthodox legal turn satisfies a condition.
pub fn any_turn<W: Layout>(
    b: &BoardOf<W>,
    p: &Position<W>,
    mut condition: impl FnMut(&Turn) -> bool,
) -> bool {
    let found = each_turn(b, p, |turn| match condition(&turn) {
        true => Flow::Break(()),
        false => Flow::Continue(()),
    });
    found.is_break()
}

/// Returns whether the side to move has a legal turn that captures the unit on this square.
pub fn can_capture<W: Layout>(b: &BoardOf<W>, p: &Position<W>, target: Square) -> bool {
    let mut movers = Fide.attackers(b, p, Attack::on(target, p.side, p.occupied()));
    if p.en_passant().is_some() {
        movers |= p.units(p.side, Kind::Pawn);
    }
    if movers.is_empty() {
        return false;
    }
    let mut found = false;
    let _ = fide::unfiltered_by_pins(
        &Fide,
        b,
        p,
        movers,
        &mut Each(|turn: Turn| {
            found = fide::captured_on(b, p, &turn) == Some(target);
            if found {
                Flow::Break(())
            } else {
                Flow::Continue(())
            }
        }),
    );
    found
}
