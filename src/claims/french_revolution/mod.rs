//! Claims about French Revolution Chess (Hans Bodlaender, The Chess Variant Pages, 2000).
//!
//! A turn in the page's sense, of which there are at most 24, is one of White and one of Black:
//! each side has 24 pawn steps and every one of its turns takes one, so that a side makes at most
//! 24 turns. Single turns of either side are called plies here.
//!
//! The ranking function of the proofs is [`steps_left`]: the ranks that a side's pawns still have
//! before them. Every turn of a side lowers its own (in Avalanche fashion the opponent's) by one
//! or more and raises none, which is tested on every pawn step there can be: what a pawn step does
//! depends on nothing but its square and the three squares ahead.
//!
//! | file | what it says |
//! |---|---|
//! | `ranking.rs` | how every pawn step there can be changes the ranking |
//! | `reduced.rs` | arrays on smaller boards |
//! | `graphs.rs` | their game graphs, and what these say about the bound |
//! | `joint.rs` | the graphs of several arrays of one board, made at once |
//! | `bounds.rs` | the claims about the bounds |
//! | `long_games.rs` | games that reach the bounds |

/// Evaluates an expression with a setup of French Revolution, whose boards need two layouts alone.
macro_rules! with_setup {
    ($setup:expr, $start:ident => $body:expr) => {
        match $setup {
            notation::Setup::Narrow($start) => $body,
            notation::Setup::Wide($start) => $body,
            notation::Setup::NarrowBound(_) | notation::Setup::Open(_) => {
                unreachable!("six kinds of unit, and none is bound")
            }
        }
    };
}

mod bounds;
mod graphs;
mod joint;
mod long_games;
mod ranking;
mod reduced;

pub(crate) use ranking::Rankings;

use super::Claim;
use board::{Board, Color, Kind, Squares};
use notation::turns;
use position::Position;
use rules::{Game, Turn};
use values::Layout;

const PAGE: &str = "French Revolution Chess, The Chess Variant Pages, 2000";
const BEYOND: &str = "beyond the page French Revolution Chess, The Chess Variant Pages, 2000";
const ID: &str = "french-revolution";

/// The claims of this page.
pub static CLAIMS: &[Claim] = &[
    Claim {
        id: "french-revolution/pawn-steps",
        source: PAGE,
        claim: "each side's pawns can make 24 steps at most",
        check: ranking::pawn_steps,
    },
    Claim {
        id: "french-revolution/24-turns",
        source: PAGE,
        claim: "no game is longer than 24 turns",
        check: |effort| bounds::longest(false, 24, effort),
    },
    Claim {
        id: "french-revolution/24-tight",
        source: BEYOND,
        claim: "a legal game of 24 turns exists",
        check: |effort| long_games::tight(false, 24, effort),
    },
    Claim {
        id: "french-revolution/32-turns",
        source: PAGE,
        claim: "with two more ranks no game is longer than 32 turns",
        check: |effort| bounds::longest(true, 32, effort),
    },
    Claim {
        id: "french-revolution/32-tight",
        source: BEYOND,
        claim: "with two more ranks a legal game of 32 turns exists",
        check: |effort| long_games::tight(true, 32, effort),
    },
    Claim {
        id: "french-revolution/avalanche",
        source: BEYOND,
        claim: "the bounds of 24 and 32 turns hold in Avalanche fashion too",
        check: bounds::avalanche,
    },
];

/// Returns the ranks that the pawns of a side still have before them.
pub fn steps_left<W: Layout>(board: &Board<W::Set>, p: &Position<W>, color: Color) -> u32 {
    let pawns = p.units(color, Kind::Pawn);
    let ranks = board.geometry().ranks();
    let mut steps = 0;
    for ahead in 1..ranks {
        let rank = match color {
            Color::White => ranks - 1 - ahead,
            Color::Black => ahead,
        };
        steps += u32::from(ahead) * (pawns & board.rank_set(rank)).len();
    }
    steps
}

/// Returns the page's turns for a number of plies; the last may be White's alone.
fn full_turns(plies: usize) -> usize {
    plies.div_ceil(2)
}

/// Returns every combination of options, as ids.
fn variants(wanted: impl Fn(&[&str]) -> bool) -> Vec<String> {
    const OPTIONS: [&str; 4] = ["weak-loss", "no-promotion", "ten-rows", "avalanche"];
    (0..1u32 << OPTIONS.len())
        .map(|bits| {
            let set = (0..OPTIONS.len()).filter(|i| bits >> i & 1 == 1);
            set.map(|i| OPTIONS[i]).collect::<Vec<_>>()
        })
        .filter(|set| wanted(set))
        .map(|set| named(&set))
        .collect()
}

fn named(options: &[&str]) -> String {
    if options.is_empty() {
        ID.to_string()
    } else {
        format!("{ID}:{}", options.join(","))
    }
}

const PLAIN: [&[&str]; 2] = [&[], &["no-promotion"]];
const PUSHED: [&[&str]; 2] = [&["avalanche"], &["no-promotion", "avalanche"]];

/// Returns a line as text, and the position after it.
fn played<W: Layout>(
    game: &dyn Game<W>,
    start: &Position<W>,
    line: &[Turn],
) -> (String, Position<W>) {
    let (mut p, mut texts) = (*start, Vec::new());
    for turn in line {
        texts.push(turns::print(game, &p, turn));
        p = game.play(&p, turn);
    }
    (texts.join(" "), p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_combinations_of_options_are_tried_once() {
        let ids = variants(|_| true);
        let mut distinct = ids.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!((ids.len(), distinct.len()), (16, 16));
        assert!(
            ids.iter()
                .all(|id| catalog::Catalog::new().open(id).is_ok())
        );
    }
}
