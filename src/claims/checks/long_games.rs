//! Long games: a beam search for a game in which a side makes as many turns as its measure allows.

use super::bound_turns::turns_possible;
use super::shares::Shares;
use crate::single_steps::{Unit, units_of};
use board::{Square, Squares};
use control::Control;
use explore::{Beam, beam};
use position::{Layout, Position};
use rules::{Game, Turn};
use rustc_hash::FxHashMap;

/// Beam widths in positions for each ply. A wider search follows if a narrower one fails.
const WIDTHS: [usize; 3] = [100, 400, 1600];

/// A request for a long game.
pub struct LongGame<'a, W: Layout> {
    /// The rules of the game.
    pub game: &'a dyn Game<W>,
    /// The start position.
    pub start: &'a Position<W>,
    /// The measures of both sides in the start position.
    pub values: [i64; 2],
    /// The number of turns that the first side must make.
    pub turns: u64,
    /// The shares of the units in the measures.
    pub shares: &'a Shares,
    /// For each unit, the vacant squares that it can reach by a step that lowers a measure.
    pub targets: &'a FxHashMap<Unit, Vec<Square>>,
    /// Stops the search.
    pub control: &'a Control<'a>,
}

/// Returns a game of the requested length, continued to its end, if the search finds one.
///
/// A position is discarded if a measure is too small for the remaining turns. The score of any other position
/// is the number of units with a vacant square on which they lower a measure, minus the number of units whose
/// shares are zero.
pub fn long_game<W: Layout>(wanted: &LongGame<'_, W>) -> Option<Vec<Turn>> {
    let first = wanted.start.side;
    let possible = turns_possible(wanted.values, first);
    if possible.first < wanted.turns {
        return None;
    }
    let plies = usize::try_from(wanted.turns.checked_mul(2)?.checked_sub(1)?).ok()?;
    // Prefer a game in which the other side makes one more turn at the end.
    let whole = plies + usize::from(possible.second >= wanted.turns);
    let mut best: Option<Vec<Turn>> = None;
    for width in WIDTHS {
        let how = Beam {
            width,
            plies: whole,
        };
        let score = |p: &Position<W>, ply: usize| {
            let left = whole.checked_sub(ply)?;
            let values = wanted.shares.total(p)?;
            let enough = |side: board::Color, turns: usize| {
                i64::try_from(turns).is_ok_and(|turns| values[side.index()] >= turns)
            };
            if !enough(p.side, left.div_ceil(2)) || !enough(!p.side, left / 2) {
                return None;
            }
            let (mut free, mut idle) = (0, 0);
            for unit in units_of(p) {
                if wanted.shares.of(unit) == Some([0; 2]) {
                    idle += 1;
                } else if let Some(targets) = wanted.targets.get(&unit) {
                    free += i64::from(targets.iter().any(|&to| !p.occupied().has(to)));
                }
            }
            Some(free - idle)
        };
        let line = beam(wanted.game, wanted.start, &how, wanted.control, &score);
        let is_whole = line.len() == whole;
        if best.as_ref().is_none_or(|best| line.len() > best.len()) {
            best = Some(line);
        }
        if is_whole {
            break;
        }
    }
    let line = best.filter(|line| line.len() >= plies)?;
    Some(played_on(wanted, line))
}

/// Extends a line by the first legal turn of each position, until the game ends or the measures allow no
/// further ply.
fn played_on<W: Layout>(wanted: &LongGame<'_, W>, mut line: Vec<Turn>) -> Vec<Turn> {
    let game = wanted.game;
    let possible = turns_possible(wanted.values, wanted.start.side);
    let play = |p: Position<W>, turn: &Turn| game.play(&p, turn);
    let mut p = line.iter().fold(*wanted.start, play);
    while (line.len() as u64) < possible.first + possible.second {
        let mut turns = Vec::new();
        game.turns(&p, &mut turns);
        turns.sort_unstable();
        let Some(&turn) = turns.first() else {
            break;
        };
        p = game.play(&p, &turn);
        line.push(turn);
    }
    line
}
