//! Playouts: statistics of the outcomes and lengths of games in which both sides choose their turns at
//! random.

use control::Random;
use per_layout::per_layout;
use position::{Layout, Position};
use rules::{Game, Outcome};
use std::collections::BTreeMap;
use std::ops::Range;

/// The statistics of random games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Playouts {
    /// The number of games played.
    pub games: u64,
    /// The number of games that were stopped at the cap.
    pub capped: u64,
    /// The total length in plies of all games that ended.
    pub plies: u64,
    /// The length in plies of the longest game that ended.
    pub max_plies: u32,
    /// The number of games that ended, by their length in plies.
    pub lengths: BTreeMap<u32, u64>,
    /// The number of games that ended, by their outcome.
    pub outcomes: BTreeMap<Outcome, u64>,
}

impl Playouts {
    /// Adds the statistics of other games.
    pub fn add(&mut self, other: &Playouts) {
        self.games += other.games;
        self.capped += other.capped;
        self.plies += other.plies;
        self.max_plies = self.max_plies.max(other.max_plies);
        for (plies, n) in &other.lengths {
            *self.lengths.entry(*plies).or_default() += n;
        }
        for (outcome, n) in &other.outcomes {
            *self.outcomes.entry(*outcome).or_default() += n;
        }
    }

    /// Returns the number of games that ended.
    pub fn ended(&self) -> u64 {
        self.games - self.capped
    }
}

/// Plays the games with these numbers and returns their statistics. Every legal turn is equally likely. A
/// game depends only on the seed and its number, so games can be divided among threads. A game that has not
/// ended after `cap_plies` turns is stopped.
#[per_layout]
pub fn playouts<W: Layout>(
    game: &dyn Game<W>,
    root: &Position<W>,
    seed: u64,
    games: Range<u64>,
    cap_plies: u32,
) -> Playouts {
    let mut found = Playouts::default();
    let mut turns = Vec::new();
    let mut after = Position::empty();
    for number in games {
        let mut random = Random::numbered(seed, number);
        let mut p = *root;
        let mut plies = 0;
        found.games += 1;
        loop {
            turns.clear();
            game.turns(&p, &mut turns);
            if turns.is_empty() {
                found.plies += u64::from(plies);
                found.max_plies = found.max_plies.max(plies);
                *found.lengths.entry(plies).or_default() += 1;
                let outcome = game.outcome_without_turn(&p);
                *found.outcomes.entry(outcome).or_default() += 1;
                break;
            }
            if plies == cap_plies {
                found.capped += 1;
                break;
            }
            // Select by the order of the turns, so that games do not depend on the order of generation.
            let chosen = random.scaled_below(turns.len());
            let (_, turn, _) = turns.select_nth_unstable(chosen);
            game.play_into(&p, turn, &mut after);
            std::mem::swap(&mut p, &mut after);
            plies += 1;
        }
    }
    found
}
