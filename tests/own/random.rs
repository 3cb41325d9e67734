//! Definitions made at random, played at random.
//!
//! `OWN_RANDOM_DEFINITIONS=10000` draws that many instead of 2,000.

use crate::drawn::{Drawn, Random};
use crate::naive::Outcome;
use quickcheck::{Gen, QuickCheck};
use std::collections::BTreeMap;

/// Turns of a random game at most.
const PLIES: usize = 20;

fn definitions() -> u64 {
    match std::env::var("OWN_RANDOM_DEFINITIONS") {
        Ok(text) => text.parse().expect("OWN_RANDOM_DEFINITIONS is a number"),
        Err(_) => 2_000,
    }
}

/// Printing and reading again changes nothing, in the naive implementation itself.
#[test]
fn random_positions_are_read_as_they_are_printed() {
    fn holds(drawn: Drawn) -> Result<bool, String> {
        let mut random = Random(drawn.seed);
        let mut state = drawn.naive()?;
        for _ in 0..PLIES {
            let again = state.read_again()?;
            if again.fen() != state.fen() {
                return Err(format!(
                    "{}\n{}\n{}",
                    drawn.text(),
                    state.fen(),
                    again.fen()
                ));
            }
            let texts = |state: &crate::naive::State| -> Vec<String> {
                state.turns().into_iter().map(|(text, _)| text).collect()
            };
            let (own, other) = (texts(&state), texts(&again));
            let mut once = own.clone();
            once.dedup();
            if own != other || once != own {
                return Err(format!(
                    "{}\n{}\n{own:?}\n{other:?}",
                    drawn.text(),
                    state.fen()
                ));
            }
            let turns = state.turns();
            if turns.is_empty() {
                break;
            }
            state = turns[random.below(turns.len())].1.clone();
        }
        Ok(true)
    }
    let count = definitions() / 10;
    QuickCheck::new()
        .tests(count)
        .max_tests(count)
        .quickcheck(holds as fn(Drawn) -> Result<bool, String>);
}

/// What random definitions come to: every key is drawn, games end in every way.
#[test]
fn random_definitions_use_every_clause() {
    let mut keys: BTreeMap<String, usize> = BTreeMap::new();
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    let mut g = Gen::new(10);
    for _ in 0..300 {
        let drawn: Drawn = quickcheck::Arbitrary::arbitrary(&mut g);
        for (key, _) in &drawn.keys {
            *keys.entry(key.clone()).or_default() += 1;
        }
        let mut random = Random(drawn.seed);
        let mut state = drawn.naive().expect("a drawn definition");
        for _ in 0..PLIES {
            let turns = state.turns();
            if turns.is_empty() {
                break;
            }
            state = turns[random.below(turns.len())].1.clone();
        }
        let outcome: Outcome = state.outcome();
        *ends.entry(format!("{outcome:?}")).or_default() += 1;
    }
    println!("{keys:#?}\n{ends:#?}");
    assert!(ends.len() >= 4, "{ends:?}");
}
