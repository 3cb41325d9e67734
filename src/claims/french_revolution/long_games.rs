//! Games that reach the bounds.

use super::{PLAIN, PUSHED, named, played, steps_left};
use crate::{Effort, Evidence, Finding, Scope, Verdict, opened};
use board::{Color, Kind, Squares};
use explore::{Beam, beam};
use notation::fen;
use position::Position;
use rules::{Game, Outcome};
use values::Layout;

/// A long game and how it was looked for.
struct Long {
    fen: String,
    plies: usize,
    wanted: usize,
    width: usize,
    outcome: Outcome,
    line: String,
}

/// Searches for a game in which all pawn steps of both sides are made, by beams of growing width:
/// no step may be lost; among positions where none is, those with few pieces and many pawns free
/// to step come first.
fn long_game<W: Layout>(game: &dyn Game<W>, start: &Position<W>, effort: &Effort) -> Long {
    let board = game.board();
    let left = |p: &Position<W>| {
        let [white, black] = [Color::White, Color::Black];
        (steps_left(board, p, white) + steps_left(board, p, black)) as usize
    };
    let wanted = left(start);
    let widths: &[usize] = if effort.deep {
        &[100, 400, 1600, 6400]
    } else {
        &[100, 400, 1600]
    };
    let (mut best, mut best_width) = (Vec::new(), 0);
    for &width in widths {
        let how = Beam {
            width,
            plies: wanted,
        };
        let line = beam(
            game,
            start,
            &how,
            &effort.control,
            &|p: &Position<_>, ply| {
                if left(p) + ply != wanted {
                    return None;
                }
                let mut free = 0;
                for color in Color::BOTH {
                    let ahead = board.pushed(p.units(color, Kind::Pawn), color);
                    free += (ahead & !p.occupied()).len();
                }
                let pieces = (p.occupied() & !p.kind(Kind::Pawn)).len();
                Some(i64::from(free) - i64::from(pieces))
            },
        );
        if line.len() > best.len() {
            (best, best_width) = (line, width);
        }
        if best.len() == wanted {
            break;
        }
    }
    let (line, end) = played(game, start, &best);
    Long {
        fen: fen::print(game, start),
        plies: best.len(),
        wanted,
        width: best_width,
        outcome: game.outcome(&end),
        line,
    }
}

pub(super) fn tight(ten: bool, bound: usize, effort: &Effort) -> Finding {
    let mut evidence = Evidence::new(&[
        "variant",
        "fen",
        "turns",
        "plies",
        "plies_at_most",
        "outcome",
        "beam_width",
    ]);
    let mut found = Vec::new();
    for option in PLAIN.into_iter().chain(PUSHED) {
        let mut options = option.to_vec();
        if ten {
            options.push("ten-rows");
        }
        // In the order of the registry.
        options.sort_by_key(|o| {
            ["no-promotion", "ten-rows", "avalanche"]
                .iter()
                .position(|k| k == o)
        });
        let id = named(&options);
        let long = with_setup!(opened(&id, None), start => {
            long_game(start.game.as_ref(), &start.position, effort)
        });
        evidence.row([
            id.clone(),
            long.fen.clone(),
            long.line.clone(),
            long.plies.to_string(),
            long.wanted.to_string(),
            long.outcome.to_string(),
            long.width.to_string(),
        ]);
        found.push((id, long));
    }
    let full = |long: &Long| long.plies == 2 * bound && !long.outcome.is_ongoing();
    let others: Vec<String> = found[1..]
        .iter()
        .map(|(id, long)| format!("{id} {}", long.plies))
        .collect();
    let main = &found[0].1;
    let summary = format!(
        "beam search found a game of {} plies of {} that are possible at most, that is {} turns \
         of White and {} of Black, ending with `{}`{}; with options, plies found: {}",
        main.plies,
        main.wanted,
        main.plies.div_ceil(2),
        main.plies / 2,
        main.outcome,
        if full(main) {
            ""
        } else {
            "; whether a longer one exists is open"
        },
        others.join(", "),
    );
    Finding {
        verdict: if full(main) {
            Verdict::Confirmed
        } else {
            Verdict::Open
        },
        scope: Scope::Witness,
        summary,
        evidence,
    }
}
