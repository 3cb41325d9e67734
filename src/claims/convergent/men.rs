//! How many squares pieces attack.

use super::start;
use crate::{Effort, Evidence, Finding, Scope, Verdict};
use board::{Color, Kind, Square, Squares};
use notation::Start;
use position::{Narrow, Position};
use rules::{AnyGame, Game, Variant, with_turns};
use std::sync::Arc;

/// Returns where a pawn alone on the board can step; with `capturing`, only where it can capture.
fn pawn_targets(game: &dyn Game<Narrow>, color: Color, from: Square, capturing: bool) -> u64 {
    let board = game.board();
    let mut p = Position::<Narrow>::empty();
    p.side = color;
    if capturing {
        for square in board.squares().without(from).iter() {
            p.put(!color, Kind::Knight, square);
        }
    }
    p.put(color, Kind::Pawn, from);
    with_turns(|turns| {
        game.pseudo_turns(&p, turns);
        turns
            .iter()
            .fold(0, |set: u64, turn| set.with(turn.first().to))
    })
}

/// Returns where a unit can go on the empty board.
fn targets(game: &dyn Game<Narrow>, kind: Kind, from: Square) -> u64 {
    match kind {
        Kind::Pawn => pawn_targets(game, Color::White, from, false),
        kind => game.reach(&Position::empty(), kind, from),
    }
}

pub(super) fn weaker(_: &Effort) -> Finding {
    let start = start();
    let game = start.game.as_ref();
    let board = game.board();
    let fide = match Variant::from(&variants::fide::INFO).on(board.geometry()) {
        AnyGame::Narrow(fide) => fide,
        _ => unreachable!("orthodox chess is played on any board"),
    };
    compared(&start, fide)
}

/// From what share of targets missing a piece counts as much weaker, in hundredths. The page has
/// no figure; this one is ours.
const MUCH_PERCENT: u32 = 20;

/// Compares the men of a game with orthodox ones on the same board.
fn compared(start: &Start<Narrow>, fide: Arc<dyn Game<Narrow>>) -> Finding {
    let game = start.game.as_ref();
    let board = game.board();
    let squares = board.squares().len();
    let mut evidence = Evidence::new(&[
        "unit",
        "way",
        "units_in_array",
        "targets_sum",
        "targets_mean",
        "orthodox_targets_sum",
        "orthodox_targets_mean",
        "ratio",
    ]);
    let (mut weaker, mut much, mut pieces, mut pawns_stronger) = (0, 0, 0, false);
    let mut ratios = Vec::new();
    for kind in Kind::ALL {
        let units = start.position.units(Color::White, kind).len();
        let letter = game.men().letter(Color::White, kind);
        let mut row = |way: &str, of: &dyn Fn(&dyn Game<Narrow>, Square) -> u64| -> [u32; 2] {
            let sums = [game, fide.as_ref()].map(|game| {
                board
                    .squares()
                    .iter()
                    .map(|from| of(game, from).len())
                    .sum::<u32>()
            });
            let mean = |sum: u32| format!("{:.3}", f64::from(sum) / f64::from(squares));
            let ratio = format!("{:.3}", f64::from(sums[0]) / f64::from(sums[1]));
            evidence.row([
                letter.to_string(),
                way.to_string(),
                units.to_string(),
                sums[0].to_string(),
                mean(sums[0]),
                sums[1].to_string(),
                mean(sums[1]),
                ratio.clone(),
            ]);
            ratios.push(format!("{letter} {way} {ratio}"));
            sums
        };
        if kind == Kind::Pawn {
            let [quiet, orthodox] = row("going", &|game, from| targets(game, kind, from));
            let [takes, orthodox_takes] = row("capturing", &|game, from| {
                pawn_targets(game, Color::White, from, true)
            });
            pawns_stronger = quiet > orthodox && takes >= orthodox_takes;
        } else {
            let [ours, orthodox] = row("going", &|game, from| targets(game, kind, from));
            pieces += units;
            weaker += if ours < orthodox { units } else { 0 };
            much += if ours * 100 <= orthodox * (100 - MUCH_PERCENT) {
                units
            } else {
                0
            };
        }
    }
    let most = |n: u32| 2 * n > pieces;
    let (verdict, reading) = if !most(weaker) || !pawns_stronger {
        (Verdict::Refuted, "")
    } else if most(much) {
        (Verdict::Confirmed, "")
    } else {
        (
            Verdict::ConfirmedAsAmended,
            "; amended: most pieces are weaker, not most of them much weaker",
        )
    };
    Finding {
        verdict,
        scope: Scope::Exhaustive,
        summary: format!(
            "mean number of targets on the empty board (for captures on a board full of enemies), \
             in parts of the orthodox unit's on the same {squares} squares: {}; of a side's \
             {pieces} pieces {weaker} have fewer targets, {much} at least {MUCH_PERCENT} % fewer, \
             which is taken for `much`{reading}",
            ratios.join(", ")
        ),
        evidence,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;
    use crate::convergent::orthodox;

    #[test]
    fn orthodox_men_are_not_weaker_than_themselves() {
        let (position, game) = (start().position, orthodox());
        let found = compared(
            &Start {
                position,
                game: game.clone(),
            },
            game,
        );
        assert_eq!(found.verdict, Verdict::Refuted, "{}", found.summary);
    }
}
