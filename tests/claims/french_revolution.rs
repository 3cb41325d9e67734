//! The claims of French Revolution's page, found again with the naive second implementation.

use crate::evidence::{check, column, first_instance, replay};
use fairyproof::claims::Verdict;
use std::collections::BTreeMap;

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
    for (id, steps) in [
        ("french-revolution/24-turns", 24),
        ("french-revolution/32-turns", 32),
    ] {
        let evidence = first_instance(id).evidence;
        assert_eq!(column(&evidence, "what")[0], "measure");
        let variant = &column(&evidence, "variant")[0];
        for (pawn, name) in [('P', "measure_white"), ('p', "measure_black")] {
            assert_eq!(steps_in_fen(&naive::start(variant), pawn), steps);
            assert_eq!(column(&evidence, name)[0], steps.to_string());
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
        assert_eq!(found.verdict, Verdict::Confirmed, "{}", found.summary);
        let what = column(&found.evidence, "what");
        let row = what
            .iter()
            .position(|what| what == "longest game found")
            .expect("a long game");
        let variant = &column(&found.evidence, "variant")[row];
        let fen = &column(&found.evidence, "fen")[row];
        assert_eq!(*fen, naive::start(variant));
        let outcomes = replay(variant, fen, &column(&found.evidence, "turns")[row]);
        let (last, before) = outcomes.split_last().expect("turns");
        assert!(before.iter().all(|outcome| outcome == "ongoing"));
        assert_ne!(last, "ongoing");
        assert_eq!(outcomes.len(), plies);
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
    for steps in [1, 2, 4] {
        let found = check(&format!("french-revolution/reduced-boards-{steps}"));
        assert_eq!(found.verdict, Verdict::Confirmed, "{}", found.summary);
        let evidence = &found.evidence;
        let (options, fens) = (column(evidence, "option"), column(evidence, "array"));
        let (plies, lines) = (column(evidence, "value"), column(evidence, "line"));
        let mut compared = 0;
        for row in 0..fens.len() {
            let variant = format!("french-revolution{}", options[row]);
            let game = naive::read(&variant, &fens[row]).expect("a reduced array");
            let replayed = replay(&variant, &fens[row], &lines[row]);
            assert_eq!(replayed.len().to_string(), plies[row], "{}", fens[row]);
            let mut known = BTreeMap::new();
            if steps < 4 || options[row].contains("avalanche") {
                let longest = longest(&game, &mut known);
                assert_eq!(longest.to_string(), plies[row], "{variant} {}", fens[row]);
                compared += 1;
            }
        }
        assert!(compared >= 8, "{steps}: {compared}");
    }
}
