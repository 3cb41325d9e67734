//! Perft: counts the lines of a given number of turns, on the threads of the caller's rayon pool.

use control::{Control, Progress, Stopped};
use notation::turns;
use per_layout::per_layout;
use position::{Layout, Position};
use rayon::prelude::*;
use rules::{Game, Turn};
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of turns from the root whose lines are split among threads. Each deeper subtree is counted by
/// one thread in 64 bits, which no count that ends in a lifetime overflows. The counts are summed in 128
/// bits.
const SPLIT_TURNS: u32 = 2;

/// The minimum depth in turns at which lines are worth splitting.
const MIN_SPLIT_DEPTH: u32 = 3;

/// The number of lines that begin with each first turn, and of all lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divide {
    /// First turns in byte order, each with the number of lines that begin with it.
    pub turns: Vec<(String, u128)>,
    /// The number of all lines; 1 for depth 0, where there are no first turns.
    pub nodes: u128,
}

/// Returns the number of lines of `depth` turns. Lines in which the game ends earlier do not count. The
/// recursion depth is `depth`.
#[per_layout]
pub fn count<W: Layout>(game: &dyn Game<W>, p: &Position<W>, depth: u32) -> u128 {
    split(game, p, depth, SPLIT_TURNS)
}

/// Returns the number of lines of `depth` turns that begin with each first turn, and their sum.
#[per_layout]
pub fn divide<W: Layout>(game: &dyn Game<W>, p: &Position<W>, depth: u32) -> Divide {
    if depth == 0 {
        return Divide {
            turns: Vec::new(),
            nodes: 1,
        };
    }
    let turns: Vec<(String, u128)> = turns::sorted(game, p)
        .into_par_iter()
        .map(|(text, turn)| {
            let after = game.play(p, &turn);
            (text, split(game, &after, depth - 1, SPLIT_TURNS - 1))
        })
        .collect();
    let nodes = turns.iter().map(|(_, nodes)| nodes).sum();
    Divide { turns, nodes }
}

/// The maximum depth in turns of subtrees that are counted without checking the control. Such a subtree takes
/// some milliseconds.
const UNCHECKED_DEPTH: u32 = 3;

/// Like [`divide`], but reports the first turns that are done, and ends early if the control requires it.
///
/// # Errors
/// If a stop was requested or the deadline has passed.
#[per_layout]
pub fn divide_within<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    depth: u32,
    control: &Control<'_>,
) -> Result<Divide, Stopped> {
    if depth == 0 {
        return Ok(divide(game, p, depth));
    }
    let first_turns = turns::sorted(game, p);
    let (total, done, lines) = (
        first_turns.len() as u64,
        AtomicU64::new(0),
        AtomicU64::new(0),
    );
    // The first turn may take hours.
    control.report_done("counting", 0, total, "first turns");
    let turns: Vec<(String, u128)> = first_turns
        .into_par_iter()
        .map(|(text, turn)| {
            let after = game.play(p, &turn);
            let nodes = split_within(game, &after, depth - 1, SPLIT_TURNS - 1, control)?;
            let lines = lines.fetch_add(nodes as u64, Ordering::Relaxed) + nodes as u64;
            control.report(&Progress {
                phase: "counting",
                done: done.fetch_add(1, Ordering::Relaxed) + 1,
                total: Some(total),
                unit: "first turns",
                detail: format_args!("{lines} lines"),
            });
            Ok((text, nodes))
        })
        .collect::<Result<_, Stopped>>()?;
    let nodes = turns.iter().map(|(_, nodes)| nodes).sum();
    Ok(Divide { turns, nodes })
}

/// Counts lines until the control stops it. The first `levels` turns of lines are split among threads.
fn split_within<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    depth: u32,
    levels: u32,
    control: &Control<'_>,
) -> Result<u128, Stopped> {
    control.check()?;
    if depth <= UNCHECKED_DEPTH {
        return Ok(u128::from(game.perft(p, depth)));
    }
    let mut turns: Vec<Turn> = Vec::new();
    game.turns(p, &mut turns);
    let count = |turn: &Turn| {
        let after = game.play(p, turn);
        split_within(game, &after, depth - 1, levels.saturating_sub(1), control)
    };
    match levels {
        0 => turns.iter().map(count).sum(),
        _ => turns.par_iter().map(count).sum(),
    }
}

fn split<W: Layout>(game: &dyn Game<W>, p: &Position<W>, depth: u32, levels: u32) -> u128 {
    if levels == 0 || depth < MIN_SPLIT_DEPTH {
        return u128::from(game.perft(p, depth));
    }
    let mut turns: Vec<Turn> = Vec::new();
    game.turns(p, &mut turns);
    turns
        .par_iter()
        .map(|turn| split(game, &game.play(p, turn), depth - 1, levels - 1))
        .sum()
}
