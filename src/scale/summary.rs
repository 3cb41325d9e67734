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

/// A won state while values are counted: its distance in plies, its depth and its key.
pub type Far = (u16, u64, Vec<u64>);

/// What values come to while they are counted. Of several farthest states, it has that of the least depth, then
/// key.
pub type Counts = Census<Far>;

/// Keeps the farther of two states.
fn keep_farther(longest: &mut Option<Far>, plies: u16, depth: u64, key: &[u64]) {
    let is_farther = |far: &Far| (far.0, depth, key) < (plies, far.1, &far.2[..]);
    if longest.as_ref().is_none_or(is_farther) {
        *longest = Some((plies, depth, key.to_vec()));
    }
}

/// Counts a state, of whose turns `keeping` keep a win.
pub(crate) fn count(counts: &mut Counts, key: &[u64], depth: u64, value: Value, keeping: u16) {
    let Some(longest) = counts.count(value) else {
        return;
    };
    keep_farther(longest, value.distance_plies().unwrap_or(0), depth, key);
    counts.one_winning_turn += u64::from(keeping == 1);
}

/// Adds the counts of other states.
pub(crate) fn add(counts: &mut Counts, others: Counts) {
    counts.wins += others.wins;
    counts.weak_wins += others.weak_wins;
    counts.draws += others.draws;
    counts.weak_losses += others.weak_losses;
    counts.losses += others.losses;
    counts.one_winning_turn += others.one_winning_turn;
    for (longest, other) in [
        (&mut counts.longest_win, others.longest_win),
        (&mut counts.longest_weak_win, others.longest_weak_win),
    ] {
        if let Some((plies, depth, key)) = other {
            keep_farther(longest, plies, depth, &key);
        }
    }
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
