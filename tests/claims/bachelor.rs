//! The claims of Bachelor's page, found again with the naive second implementation, and run on what
//! is deliberately wrong.

use crate::evidence::{check, column, fen_of, narrow, numbers, replay};
use fairyproof::claims::{Effort, Verdict, bachelor};
use fairyproof::notation::game_lines;

#[test]
fn sample_needs_the_first_turns_that_the_naive_search_finds() {
    let found = check("bachelor/sample-legal");
    let [line] = &column(&found.evidence, "turns")[..] else {
        panic!("{}", found.summary);
    };
    let rest: Vec<&str> = line.split(' ').skip(2).collect();
    let mut pairs = Vec::new();
    for (white, after) in naive::read("bachelor", &naive::start("bachelor"))
        .expect("a game")
        .turns()
    {
        for (black, mut game) in after.turns() {
            let legal = rest.iter().all(|text| {
                let next = game.turns().into_iter().find(|(t, _)| t == text);
                next.map(|(_, next)| game = next).is_some()
            });
            if legal {
                pairs.push(format!("{white} {black}"));
            }
        }
    }
    let said: Vec<String> = column(&found.evidence, "turns")
        .iter()
        .map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(pairs, said);
    assert_eq!(
        rest.len(),
        game_lines::read(bachelor::PRINTED).expect("a game").len()
    );
}

#[test]
fn game_with_a_wrong_turn_is_refuted() {
    let wrong = bachelor::PRINTED.replace("Kc5-b5", "Kc5-a5");
    let printed = game_lines::read(&wrong).expect("a game");
    assert_eq!(bachelor::legality(&printed).verdict, Verdict::Refuted);
}

#[test]
fn sample_ends_where_the_naive_replay_does() {
    let legal = check("bachelor/sample-legal");
    let line = &column(&legal.evidence, "turns")[0];
    let outcomes = replay("bachelor", &naive::start("bachelor"), line);
    let said = column(&check("bachelor/sample-ending").evidence, "outcome");
    assert_eq!(outcomes[2..], said);
    let (last, before) = outcomes.split_last().expect("turns");
    assert!(before.iter().all(|o| o == "ongoing"));
    assert_eq!(last, "black-wins marriage");
}

#[test]
fn wins_in_one_are_those_of_the_naive_search() {
    let found = check("bachelor/sample-missed");
    let legal = check("bachelor/sample-legal");
    let line = &column(&legal.evidence, "turns")[0];
    let mut game = naive::read("bachelor", &naive::start("bachelor")).expect("a game");
    let (mut wins, mut missed) = (Vec::new(), 0);
    for (i, text) in line.split(' ').enumerate() {
        let winner = if i % 2 == 0 {
            "white-wins"
        } else {
            "black-wins"
        };
        let turns = game.turns();
        let winning: Vec<String> = turns
            .iter()
            .filter(|(_, after)| after.outcome().starts_with(winner))
            .map(|(text, _)| text.clone())
            .collect();
        missed += usize::from(!winning.is_empty() && !winning.iter().any(|t| t == text));
        wins.extend(winning);
        game = turns.into_iter().find(|(t, _)| t == text).expect("legal").1;
    }
    assert_eq!(column(&found.evidence, "winning_turn"), wins);
    assert_eq!(found.verdict == Verdict::Confirmed, missed == 0);
}

#[test]
fn marriages_on_a_small_board_are_counted_again() {
    let game = narrow("bachelor", "3/3/2k/K2 w - - 0 1");
    let found = bachelor::marriages(game.as_ref(), &Effort::SMALL);
    let said: (u64, u64) = (
        numbers(&found.evidence, "positions").iter().sum(),
        numbers(&found.evidence, "marrying_turns").iter().sum(),
    );
    let (mut positions, mut marrying) = (0, 0);
    let n = 12;
    for (side, own, enemies) in [("w", "KQ", "kpnbrq"), ("b", "kq", "KPNBRQ")] {
        let own: Vec<char> = own.chars().collect();
        let enemies: Vec<char> = enemies.chars().collect();
        for code in 0..n * n * n * n {
            let at = [code % n, code / n % n, code / n / n % n, code / n / n / n];
            if (0..4).any(|i| at[i + 1..].contains(&at[i])) {
                continue;
            }
            for &unit in &enemies[1..] {
                let mut cells = vec!['.'; n];
                for (square, letter) in at.iter().zip([own[0], own[1], enemies[0], unit]) {
                    cells[*square] = letter;
                }
                let fen = format!("{} {side} - - 0 1", fen_of(&cells, 3));
                let Ok(position) = naive::read("bachelor", &fen) else {
                    continue;
                };
                if position.outcome().ends_with("marriage") {
                    continue;
                }
                positions += 1;
                let won = if side == "w" {
                    "white-wins marriage"
                } else {
                    "black-wins marriage"
                };
                marrying += position
                    .turns()
                    .iter()
                    .filter(|(_, p)| p.outcome() == won)
                    .count() as u64;
            }
        }
    }
    assert_eq!(said, (positions, marrying));
    assert_eq!(found.verdict, Verdict::Confirmed);
}
