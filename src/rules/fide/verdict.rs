//! Verdicts: the outcome of a position without turns, the safety of the side that has just moved, and the
//! reason why a turn is illegal.

use super::{in_check, moved};
use crate::dyn_rules::shares;
use crate::{Attack, DynRules, Legality, Outcome, Rules, Turn, reason};
use board::{Board, Square, Squares};
use position::{BoardOf, Layout, Position};

/// Returns the outcome of a position without a legal turn: checkmate if the side to move is in check,
/// otherwise a draw by stalemate.
pub fn no_turn<W: Layout, R: Rules<W>>(r: &R, b: &BoardOf<W>, p: &Position<W>) -> Outcome {
    if const { shares::<W, R>() } {
        return no_turn(&DynRules::of(r), b, p);
    }
    if in_check(r, b, p, p.side) {
        Outcome::Win(!p.side, reason::CHECKMATE)
    } else {
        Outcome::Draw(reason::STALEMATE)
    }
}

/// Checks that the side that has just moved is not in check.
///
/// # Errors
/// If a royal unit is attacked or an intruder is left; the error names its square.
pub fn check_no_opposite_check<W: Layout, R: Rules<W>>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
) -> Legality {
    if const { shares::<W, R>() } {
        return check_no_opposite_check(&DynRules::of(r), b, p);
    }
    let mover = !p.side;
    let name = |square| b.geometry().name(square);
    if let Some(square) = r.royals_in_check(b, p, mover).first() {
        return Err(format!(
            "the royal unit on {} of the side that has just moved is attacked",
            name(square)
        )
        .into());
    }
    if let Some(square) = r.intruders(b, p, mover).first() {
        return Err(format!(
            "the side that has just moved has left the intruder on {} standing",
            name(square)
        )
        .into());
    }
    Ok(())
}

/// Returns the reason why a pseudo-legal turn is illegal.
#[cold]
pub fn refusal<W: Layout, R: Rules<W>>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    turn: &Turn,
) -> String {
    if const { shares::<W, R>() } {
        return refusal(&DynRules::of(r), b, p, turn);
    }
    let after = moved(r, b, p, turn);
    let attackers = |royal| {
        let attack = Attack::on(royal, after.side, after.occupied());
        r.attackers(b, &after, attack)
    };
    let royals = r.royals(&after, p.side);
    illegal_because(b, royals, &attackers, r.intruders(b, &after, p.side))
}

/// Returns the reason why a turn is illegal, from the position after it. All rule sets share this code.
#[inline(never)]
fn illegal_because<S: Squares>(
    b: &Board<S>,
    royals: S,
    attackers: &dyn Fn(Square) -> S,
    intruders: S,
) -> String {
    for royal in royals.iter() {
        let by = attackers(royal);
        if !by.is_empty() {
            return leaves_attacked(b, royal, by);
        }
    }
    if let Some(square) = intruders.first() {
        return format!(
            "it leaves the intruder on {} standing",
            b.geometry().name(square)
        );
    }
    "the rules of this variant forbid it here".to_string()
}

fn leaves_attacked<S: Squares>(b: &Board<S>, royal: Square, by: S) -> String {
    let name = |square| b.geometry().name(square);
    let by: Vec<String> = by.iter().map(name).collect();
    format!(
        "it leaves the royal unit on {} attacked from {}",
        name(royal),
        by.join(" and ")
    )
}
