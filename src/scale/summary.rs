//! The summary of the values of a graph: the same, however the graph was explored.

use explore::{Exploration, GameGraph, StateId};
use rules::Game;
use values::{BestLine, Census, Certificate, Values, best_line, census};
use values::{Layout, Value};

/// A won state, as far from the end as any.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Farthest {
    /// Its distance in plies.
    pub plies: u16,
    /// Its key.
    pub key: Vec<u64>,
    /// Best play from it.
    pub line: Option<BestLine>,
}

/// Which of several states with the longest win is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// The one with the lowest number: it depends on the order in which turns are generated.
    FirstFound,
    /// Of those that the fewest turns lead to from the root, the one with the least key, words
    /// compared from the first on. Every way to explore reports the same.
    LeastKey,
}

/// What the values of a complete graph come to, each for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolvedSummary {
    /// The value of the root.
    pub root: Value,
    /// Best play from the root.
    pub root_line: Option<BestLine>,
    /// How many states have which value, and the farthest wins; of several as [`Ties::LeastKey`] says.
    pub census: Census<Farthest>,
    /// States whose values were compared with their successors'; none if that was not done.
    pub certified_states: Option<u64>,
    /// The number of states whose value is wrong: 0, or the program is broken.
    pub faulty_states: Option<u64>,
}

impl SolvedSummary {
    /// Returns what the values of an exploration in memory come to.
    pub fn new<W: Layout>(
        game: &dyn Game<W>,
        found: &Exploration,
        graph: &GameGraph,
        values: &Values,
        certificate: Option<&Certificate>,
        ties: Ties,
    ) -> SolvedSummary {
        let census = census(graph, values);
        let farthest = |first: Option<(StateId, u16)>| {
            first.map(|(first, plies)| {
                let state = match ties {
                    Ties::FirstFound => first,
                    Ties::LeastKey => least_key(found, values, first),
                };
                Farthest {
                    plies,
                    key: found.states.key(state).to_vec(),
                    line: best_line(game, found, values, state),
                }
            })
        };
        let longest = [census.longest_win, census.longest_weak_win].map(farthest);
        SolvedSummary {
            root: values.of(0),
            root_line: best_line(game, found, values, 0),
            census: census.with_longest(longest),
            certified_states: certificate.map(|c| c.states),
            faulty_states: certificate.map(|c| c.faulty_states),
        }
    }
}

/// Of the states with the value and the depth of this one, the one with the least key. It is the
/// first with its value: numbers rise with depth.
fn least_key(found: &Exploration, values: &Values, first: StateId) -> StateId {
    let mut level_end = 0;
    for row in &found.summary.depths {
        level_end += row.states;
        if u64::from(first) < level_end {
            break;
        }
    }
    (first..level_end as StateId)
        .filter(|&state| values.of(state) == values.of(first))
        .min_by_key(|&state| found.states.key(state))
        .unwrap_or(first)
}
