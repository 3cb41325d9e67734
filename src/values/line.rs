//! Lines of best play from a state of a solved state space.

use super::SolvedStates;
use explore::Expander;
use rules::Outcome;
use rustc_hash::FxHashMap;

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

/// Returns the line from the state with key `from` in which both sides always play their best turn, the first in
/// byte order among equal ones. The line goes to the end of the game, or to the first position that repeats.
/// Returns `None` if a turn leads out of the graph.
///
/// # Errors
/// If values cannot be read.
pub fn best_line<S: SolvedStates>(
    graph: &Expander<'_>,
    states: &mut S,
    from: &[u64],
) -> Result<Option<BestLine>, S::Error> {
    let mut line = Vec::new();
    let mut passed = FxHashMap::default();
    let mut key = from.to_vec();
    let end = loop {
        if let Some(&at) = passed.get(&key) {
            break LineEnd::Repeats(at);
        }
        passed.insert(key.clone(), line.len());
        let turns = graph.turns(&key);
        let keys: Vec<u64> = turns.iter().flat_map(|(_, to)| to).copied().collect();
        let values: Option<Vec<_>> = states.values(&keys)?.into_iter().collect();
        let Some(values) = values else {
            return Ok(None);
        };
        // The values are the opponent's, so the lowest one is best.
        let choices = values.into_iter().zip(turns);
        let Some((_, (text, to))) = choices.min_by_key(|(value, _)| *value) else {
            break LineEnd::Outcome(graph.outcome(&key));
        };
        line.push(text);
        key = to;
    };
    Ok(Some(BestLine { turns: line, end }))
}
