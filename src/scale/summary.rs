//! The summary of a solved graph, which is independent of how the graph was explored.

use explore::{Expander, Exploration, GameGraph, StateId};
use values::{BestLine, Census, Certificate, GraphStates, Value, Values, best_line, census};

/// A won state at the greatest distance from the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Farthest {
    /// The distance in plies.
    pub plies: u16,
    /// The key of the state.
    pub key: Vec<u64>,
    /// Best play from the state.
    pub line: Option<BestLine>,
}

/// A won state: its distance from the end in plies, its depth and its key.
pub type Far = (u16, u64, Vec<u64>);

/// The number of states with each value, and the longest wins. Of several longest wins, the one at the smallest
/// depth is kept, and of these the one with the lowest key.
pub type Counts = Census<Far>;

/// Replaces `longest` by a won state that is farther from the end.
fn keep_farther(longest: &mut Option<Far>, plies: u16, depth: u64, key: &[u64]) {
    let is_farther = |far: &Far| (far.0, depth, key) < (plies, far.1, &far.2[..]);
    if longest.as_ref().is_none_or(is_farther) {
        *longest = Some((plies, depth, key.to_vec()));
    }
}

/// Counts a state. `keeping` is the number of its turns that keep a win.
pub(crate) fn count(counts: &mut Counts, key: &[u64], depth: u64, value: Value, keeping: u16) {
    let Some(longest) = counts.count(value) else {
        return;
    };
    keep_farther(longest, value.distance_plies().unwrap_or(0), depth, key);
    counts.one_winning_turn += u64::from(keeping == 1);
}

/// The choice among several states with the longest win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// The state with the lowest number, which depends on the order in which turns are generated.
    FirstFound,
    /// Of the states at the smallest depth, the one with the lowest key, compared word by word from the
    /// first. All ways to explore report this state.
    LeastKey,
}

/// The summary of a complete solved graph. Each value is for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolvedSummary {
    /// The value of the root.
    pub root: Value,
    /// Best play from the root.
    pub root_line: Option<BestLine>,
    /// The number of states with each value, and the longest wins. [`Ties`] describes the choice among
    /// several.
    pub census: Census<Farthest>,
    /// Number of states whose values were compared with those of their successors, if the values were
    /// certified.
    pub certified_states: Option<u64>,
    /// Number of states whose value is wrong, if the values were certified. A number above 0 means a bug in
    /// the program.
    pub faulty_states: Option<u64>,
}

impl SolvedSummary {
    /// Returns the summary of a solved state space from the value of its root and the counts of its values.
    /// `line` returns best play from the state with a key.
    ///
    /// # Errors
    /// If `line` fails.
    pub fn new<E>(
        (root, value): (&[u64], Value),
        counts: &Counts,
        certificate: Option<&Certificate>,
        mut line: impl FnMut(&[u64]) -> Result<Option<BestLine>, E>,
    ) -> Result<SolvedSummary, E> {
        let root_line = line(root)?;
        let mut farthest = |longest: &Option<Far>| {
            let Some((plies, _, key)) = longest else {
                return Ok(None);
            };
            Ok(Some(Farthest {
                plies: *plies,
                line: line(key)?,
                key: key.clone(),
            }))
        };
        let longest = [
            farthest(&counts.longest_win)?,
            farthest(&counts.longest_weak_win)?,
        ];
        Ok(SolvedSummary {
            root: value,
            root_line,
            census: counts.with_longest(longest),
            certified_states: certificate.map(|c| c.states),
            faulty_states: certificate.map(|c| c.faulty_states),
        })
    }

    /// Returns the summary of an exploration in memory.
    pub fn of_graph(
        expander: &Expander<'_>,
        found: &Exploration,
        graph: &GameGraph,
        values: &Values,
        certificate: Option<&Certificate>,
        ties: Ties,
    ) -> SolvedSummary {
        let census = census(graph, values);
        let far = |first: Option<(StateId, u16)>| {
            first.map(|(first, plies)| {
                let state = match ties {
                    Ties::FirstFound => first,
                    Ties::LeastKey => least_key(found, values, first),
                };
                // All states with this value that are reported have one depth, so it is not compared.
                (plies, 0, found.states.key(state).to_vec())
            })
        };
        let counts = census.with_longest([census.longest_win, census.longest_weak_win].map(far));
        let mut states = GraphStates { found, values };
        let root = (found.states.key(0), values.of(0));
        let line = |key: &[u64]| best_line(expander, &mut states, key);
        match SolvedSummary::new(root, &counts, certificate, line) {
            Ok(summary) => summary,
            Err(never) => match never {},
        }
    }
}

/// Returns the state with the lowest key among those with the value and the depth of `first`. `first` has the
/// lowest number of all states with its value, and numbers rise with depth.
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
