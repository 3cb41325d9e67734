//! Tables of values only: win, draw or loss for each position, without distances, in small files.
//!
//! A file holds for each index a symbol that is at most the value of the position. The value is the best of the
//! symbol and of the turns that lead to less material ([`leaves`]), whose tables are read too. Thus a position
//! whose best turn is such a turn may have any symbol up to its value, and an index without a legal position
//! may have any symbol. The encoder takes the symbol that costs least.
//!
//! The recursion ends, because each step leaves fewer units, or as many with fewer pawns.
//!
//! These tables never yield a distance, so they are apart from [`Table`](crate::Table), whose readers may use
//! distances. They cannot be certified by comparing positions with their successors: without distances, values
//! could support each other in a cycle. Instead, every index is compared with the full table as it is written.
//!
//! * `coder`: the code of a block.
//! * `file`: the files.
//! * `write`: symbols from full tables, and the comparison.
//! * `read`: values of positions.
//! * `stats`: numbers of positions by value.

mod coder;
mod file;
mod read;
mod stats;
mod write;

pub use file::ValuesOnlyTable;
pub(crate) use file::{ENDING, listed};
pub use read::{ValueReader, WorthProbe, WorthTurn};
pub use stats::value_stats;
pub use write::{Written, write_values};

use board::{Color, Kind, Squares};
use position::{Layout, Position};
use rules::with_turns;
use rules::{Game, Turn};
use values::Value;

/// Returns the word for a worth: `loss`, `weak-loss`, `draw`, `weak-win`, `win`.
pub fn word_of(worth: i8) -> &'static str {
    match worth {
        -2 => Value::Loss(0),
        -1 => Value::WeakLoss(0),
        1 => Value::WeakWin(0),
        2 => Value::Win(0),
        _ => Value::Draw,
    }
    .word()
}

/// The lowest worth, which has the symbol 0.
const LOWEST_WORTH: i8 = -2;

fn symbol_of(worth: i8) -> u8 {
    (worth - LOWEST_WORTH) as u8
}

fn worth_of(symbol: u8) -> i8 {
    symbol as i8 + LOWEST_WORTH
}

/// Returns whether a turn leads to less material: to fewer units or, with as many units, to fewer pawns. Units
/// in hands do not count.
fn leaves<W: Layout>(before: &Position<W>, after: &Position<W>) -> bool {
    material(after) < material(before)
}

fn material<W: Layout>(p: &Position<W>) -> (usize, u32) {
    let pawns = Color::BOTH.map(|color| p.units(color, Kind::Pawn).len());
    (
        p.occupied().len() as usize + p.bound_len(),
        pawns.iter().sum(),
    )
}

/// What the rules and the turns to less material say about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// The game is over, with this worth for the side to move.
    Over(i8),
    /// The best worth of the turns to less material, if there are any.
    Leaving(Option<i8>),
}

/// Returns what the rules and the turns to less material say about a position. `worth` returns the worth of a
/// position after such a turn for its side to move. The search ends at the first turn that is worth `enough`.
fn known<W: Layout, E>(
    game: &dyn Game<W>,
    p: &Position<W>,
    enough: i8,
    mut worth: impl FnMut(&Turn, &Position<W>) -> Result<i8, E>,
) -> Result<Known, E> {
    with_turns(|turns| {
        game.turns(p, turns);
        if turns.is_empty() {
            let outcome = game.outcome_without_turn(p);
            return Ok(Known::Over(Value::of_outcome(outcome, p.side).worth()));
        }
        let mut best = None;
        let mut after = *p;
        for turn in turns.iter() {
            if best.is_some_and(|best| best >= enough) {
                break;
            }
            game.play_into(p, turn, &mut after);
            if leaves(p, &after) {
                best = best.max(Some(-worth(turn, &after)?));
            }
        }
        Ok(Known::Leaving(best))
    })
}

#[cfg(test)]
mod tests;
