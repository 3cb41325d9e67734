//! The collection against the naive second implementation of the rules: a plain search over its
//! turns, sharing nothing with the solver, finds the same first turns.
//!
//! Every puzzle of up to three plies is solved, those in two moves among them; longer ones as far as
//! `FAIRYPROOF_NAIVE_NODES` (positions for each, 8,000 by default) let it.

use fairyproof::catalog::Catalog;
use fairyproof::puzzle::{Puzzle, read};
use fairyproof::variants;
use naive::problem::{Search, Stipulation};
use naive::{RuleSets, Unverified};
use rayon::prelude::*;
use std::collections::BTreeSet;

fn mined() -> Vec<(String, Puzzle)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles");
    let mut puzzles = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the collection") {
        let path = entry.expect("an entry").path();
        let stem = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .to_string();
        if path.extension().is_none_or(|e| e != "toml") || stem == "orthodox" {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a puzzle file");
        let list = read::parse(&Catalog::new(), &stem, &text).unwrap_or_else(|e| panic!("{e}"));
        puzzles.extend(list.into_iter().map(|puzzle| (stem.clone(), puzzle)));
    }
    puzzles.sort_by(|a, b| (&a.0, &a.1.id).cmp(&(&b.0, &b.1.id)));
    puzzles
}

#[test]
fn plain_search_over_the_naive_rules_finds_the_same() {
    let nodes =
        std::env::var("FAIRYPROOF_NAIVE_NODES").map_or(8_000, |n| n.parse().expect("a number"));
    let solved: Vec<bool> = mined()
        .par_iter()
        .map(|(stem, puzzle)| {
            let asked = puzzle.open(&Catalog::new()).expect("a puzzle").stipulation;
            let short = asked.plies() <= 3;
            let rule_sets = RuleSets::default();
            let positions = if short { u64::MAX } else { nodes };
            let stipulation = Stipulation::read(&puzzle.stipulation).expect("a known goal");
            let search = Search::new(&rule_sets, stipulation, positions);
            let name = format!("{stem}/{} {}", puzzle.id, puzzle.stipulation);
            let position = rule_sets.read(&puzzle.variant, Some(&puzzle.fen));
            match search.solve(&position.unwrap_or_else(|e| panic!("{name}: {e}"))) {
                Ok((keys, count, _)) => {
                    assert_eq!(Some(keys), puzzle.keys, "{name}");
                    assert_eq!(Some(count), puzzle.solutions, "{name}");
                    true
                }
                Err(Unverified::Unchecked(_)) => false,
                Err(Unverified::Wrong(why)) => panic!("{name}: {why}"),
            }
        })
        .collect();
    let done = solved.iter().filter(|done| **done).count();
    assert!(
        done * 3 > solved.len() * 2,
        "only {done} of {} are short enough",
        solved.len()
    );
}

#[test]
fn every_rule_set_has_four_puzzles_of_several_kinds() {
    let puzzles = mined();
    for info in variants::all().iter().filter(|info| info.id != "fide") {
        let of: Vec<&Puzzle> = puzzles
            .iter()
            .map(|(_, puzzle)| puzzle)
            .filter(|puzzle| puzzle.variant.split(':').next() == Some(info.id))
            .collect();
        assert!(of.len() >= 4, "{} has {} puzzles", info.id, of.len());
        let asked: BTreeSet<&str> = of.iter().map(|puzzle| &*puzzle.stipulation).collect();
        assert!(asked.len() >= 2, "{} asks only for {asked:?}", info.id);
        for puzzle in of {
            assert_eq!(puzzle.solutions, Some(1), "{}", puzzle.id);
            let asked = puzzle.open(&Catalog::new()).expect("a puzzle").stipulation;
            let turns = asked.plies().div_ceil(2).max(asked.moves);
            assert!((2..=4).contains(&turns), "{} {asked}", puzzle.id);
        }
    }
}
