//! The claims of French Revolution's page, found again with the naive second implementation.

use crate::evidence::{check, column, numbers, replay};
use fairyproof::claims::Verdict;
use std::collections::{BTreeMap, BTreeSet};

/// Sum of the ranks before a side's pawns, from a FEN's text alone.
fn steps_in_fen(fen: &str, pawn: char) -> usize {
    let board = fen.split(' ').next().expect("a board");
    let rows: Vec<&str> = board.split('/').collect();
    rows.iter()
        .enumerate()
        .map(|(from_top, row)| {
            let before = if pawn == 'P' {
                from_top
            } else {
                rows.len() - 1 - from_top
            };
            before * row.chars().filter(|&c| c == pawn).count()
        })
        .sum()
}

#[test]
fn steps_at_the_start_are_those_of_the_fen() {
    let found = check("french-revolution/pawn-steps");
    let variants = column(&found.evidence, "variant");
    assert_eq!(variants.iter().collect::<BTreeSet<_>>().len(), 16);
    for (pawn, name) in [('P', "white_steps_at_start"), ('p', "black_steps_at_start")] {
        for (variant, steps) in variants.iter().zip(numbers(&found.evidence, name)) {
            assert_eq!(steps_in_fen(&naive::start(variant), pawn) as u64, steps);
        }
    }
}

#[test]
fn long_games_replay_to_the_last_pawn_step() {
    for (id, plies) in [
        ("french-revolution/24-tight", 48),
        ("french-revolution/32-tight", 64),
    ] {
        let found = check(id);
        let variants = column(&found.evidence, "variant");
        let fens = column(&found.evidence, "fen");
        let lines = column(&found.evidence, "turns");
        for ((variant, fen), line) in variants.iter().zip(&fens).zip(&lines) {
            assert_eq!(*fen, naive::start(variant));
            let outcomes = replay(variant, fen, line);
            assert!(
                outcomes[..outcomes.len() - 1]
                    .iter()
                    .all(|o| o == "ongoing")
            );
        }
        let outcomes = replay(&variants[0], &fens[0], &lines[0]);
        let ended = outcomes.last().is_some_and(|o| o != "ongoing");
        assert_eq!(
            found.verdict == Verdict::Confirmed,
            outcomes.len() == plies && ended
        );
    }
}

#[test]
fn longest_games_of_small_boards_are_found_again() {
    /// Returns the longest game by plain recursion.
    fn longest(game: &naive::Game, known: &mut BTreeMap<String, usize>) -> usize {
        let fen = game.fen();
        let key = {
            let fields: Vec<&str> = fen.split(' ').collect();
            [fields[0], fields[1], fields.get(6).copied().unwrap_or("")].join(" ")
        };
        if let Some(&plies) = known.get(&key) {
            return plies;
        }
        let plies = game
            .turns()
            .iter()
            .map(|(_, after)| 1 + longest(after, known))
            .max();
        known.insert(key, plies.unwrap_or(0));
        plies.unwrap_or(0)
    }
    for id in ["french-revolution/24-turns", "french-revolution/avalanche"] {
        let evidence = check(id).evidence;
        let rows = column(&evidence, "variant")
            .into_iter()
            .zip(column(&evidence, "fen"));
        let figures = column(&evidence, "states")
            .into_iter()
            .zip(column(&evidence, "longest_plies"));
        let lines = column(&evidence, "turns");
        let mut compared = 0;
        for (((variant, fen), (states, plies)), line) in rows.zip(figures).zip(&lines) {
            if states.is_empty() {
                assert!(naive::read(&variant, &fen).is_err(), "{fen}");
                continue;
            }
            assert_eq!(replay(&variant, &fen, line).len().to_string(), plies);
            if states.parse::<u64>().expect("a number") <= 700 {
                let mut known = BTreeMap::new();
                let game = naive::read(&variant, &fen).expect(&fen);
                assert_eq!(
                    longest(&game, &mut known).to_string(),
                    plies,
                    "{variant} {fen}"
                );
                assert_eq!(known.len().to_string(), states, "{variant} {fen}");
                compared += 1;
            }
        }
        assert!(compared > 10, "{id}: {compared}");
    }
}
