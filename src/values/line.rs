//! Lines of best play from a state of a solved graph.

use super::Values;
use crate::Value;
use explore::{Exploration, StateId};
use notation::turns;
use per_layout::per_layout;
use position::{KEY_WORDS, Layout};
use rules::{Game, Outcome};

/// The end of a line of best play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineEnd {
    /// The game is over.
    Outcome(Outcome),
    /// The line returns to its position after this number of turns. Neither side can do better than repeat
    /// forever.
    Repeats(usize),
}

/// A line of best play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BestLine {
    /// The turns in coordinate notation.
    pub turns: Vec<String>,
    /// The end of the line.
    pub end: LineEnd,
}

/// Returns the line from a state in which both sides always play their best turn, the first in byte order
/// among equal ones. The line goes to the end of the game, or to the first position that repeats. Returns
/// `None` if a turn leads out of the graph.
#[per_layout]
pub fn best_line<W: Layout>(
    game: &dyn Game<W>,
    found: &Exploration,
    values: &Values,
    from: StateId,
) -> Option<BestLine> {
    let mut line = Vec::new();
    let mut passed = rustc_hash::FxHashMap::default();
    let mut state = from;
    loop {
        if let Some(&at) = passed.get(&state) {
            return Some(BestLine {
                turns: line,
                end: LineEnd::Repeats(at),
            });
        }
        passed.insert(state, line.len());
        let p = found.position::<W>(state);
        let mut best: Option<(Value, String, StateId)> = None;
        for (text, turn) in turns::sorted(game, &p) {
            let mut key = [0; KEY_WORDS];
            found.codec.encode(&game.play(&p, &turn), &mut key);
            let to = found.states.find(&key[..found.states.words()])?;
            let value = values.of(to);
            // The value is the opponent's, so the lowest one is best.
            if best.as_ref().is_none_or(|(least, ..)| value < *least) {
                best = Some((value, text, to));
            }
        }
        let Some((_, text, to)) = best else {
            return Some(BestLine {
                turns: line,
                end: LineEnd::Outcome(game.outcome(&p)),
            });
        };
        line.push(text);
        state = to;
    }
}
