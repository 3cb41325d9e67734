//! What the values of a graph come to.

use super::Values;
use crate::Value;
use explore::{GameGraph, StateId};

/// How many states have which value, each for the side to move there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Census {
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
    /// The first state whose win is the farthest, and its distance in plies.
    pub longest_win: Option<(StateId, u16)>,
    /// The same for weak wins.
    pub longest_weak_win: Option<(StateId, u16)>,
    /// States won, or won weakly, of whose turns exactly one keeps that, however slowly.
    pub one_winning_turn: u64,
}

/// Counts values, and turns that keep a win.
pub fn census(graph: &GameGraph, values: &Values) -> Census {
    let mut census = Census::default();
    for (state, value) in (0..).zip(values.iter()) {
        let longest = match value {
            Value::Loss(_) => {
                census.losses += 1;
                continue;
            }
            Value::WeakLoss(_) => {
                census.weak_losses += 1;
                continue;
            }
            Value::Draw => {
                census.draws += 1;
                continue;
            }
            Value::WeakWin(_) => {
                census.weak_wins += 1;
                &mut census.longest_weak_win
            }
            Value::Win(_) => {
                census.wins += 1;
                &mut census.longest_win
            }
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
