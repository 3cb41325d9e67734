//! A census of a solved graph: the number of states with each value, and the longest wins.

use super::Values;
use crate::Value;
use explore::{GameGraph, StateId};
use serde::{Deserialize, Serialize};

/// The number of states with each value, for the side to move, and the won states that are farthest from the
/// end.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Census<Farthest> {
    /// States won.
    pub wins: u64,
    /// States won weakly.
    pub weak_wins: u64,
    /// States drawn.
    pub draws: u64,
    /// States lost weakly.
    pub weak_losses: u64,
    /// States lost.
    pub losses: u64,
    /// The longest win.
    pub longest_win: Option<Farthest>,
    /// The longest weak win.
    pub longest_weak_win: Option<Farthest>,
    /// States won, or won weakly, in which exactly one turn keeps that result, at any distance. Turns that
    /// lead to one state count separately.
    pub one_winning_turn: u64,
}

impl<Farthest> Census<Farthest> {
    /// Counts a value. Returns the slot of the longest win or weak win so far, or `None` if the value is
    /// neither.
    pub fn count(&mut self, value: Value) -> Option<&mut Option<Farthest>> {
        let (count, longest) = match value {
            Value::Loss(_) => (&mut self.losses, None),
            Value::WeakLoss(_) => (&mut self.weak_losses, None),
            Value::Draw => (&mut self.draws, None),
            Value::WeakWin(_) => (&mut self.weak_wins, Some(&mut self.longest_weak_win)),
            Value::Win(_) => (&mut self.wins, Some(&mut self.longest_win)),
        };
        *count += 1;
        longest
    }

    /// Returns the numbers of states by value, wins first.
    pub fn counts(&self) -> [u64; 5] {
        [
            self.wins,
            self.weak_wins,
            self.draws,
            self.weak_losses,
            self.losses,
        ]
    }

    /// Returns the counts with other descriptions of the longest win and weak win.
    pub fn with_longest<Other>(&self, longest: [Option<Other>; 2]) -> Census<Other> {
        let [longest_win, longest_weak_win] = longest;
        Census {
            wins: self.wins,
            weak_wins: self.weak_wins,
            draws: self.draws,
            weak_losses: self.weak_losses,
            losses: self.losses,
            longest_win,
            longest_weak_win,
            one_winning_turn: self.one_winning_turn,
        }
    }
}

/// Returns the census of a graph. Of several longest wins, the first state is reported, with its distance in
/// plies.
pub fn census(graph: &GameGraph, values: &Values) -> Census<(StateId, u16)> {
    let mut census = Census::default();
    for (state, value) in (0..).zip(values.iter()) {
        let Some(longest) = census.count(value) else {
            continue;
        };
        let plies = value.distance_plies().unwrap_or(0);
        if longest.is_none_or(|(_, most)| plies > most) {
            *longest = Some((state, plies));
        }
        let keeping = graph
            .successors(state)
            .iter()
            .filter(|&&to| values.of(to).worth() == -value.worth())
            .count();
        census.one_winning_turn += u64::from(keeping == 1);
    }
    census
}
