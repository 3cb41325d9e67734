//! The claims of Bachelor's page, found again with the naive second implementation.

use crate::evidence::{check, column, fen_of, narrow, numbers, replay};
use fairyproof::claims::compiled::marriages;
use fairyproof::claims::{Effort, Verdict};

/// Returns the game with the first turns that the page lacks.
fn sample() -> String {
    let found = check("bachelor/sample-legal");
    assert_eq!(found.verdict, Verdict::ConfirmedAsAmended);
    let [line] = &column(&found.evidence, "turns")[..] else {
        panic!("{}", found.summary);
    };
    line.clone()
}

#[test]
fn sample_needs_the_first_turns_that_the_naive_search_finds() {
    let line = sample();
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
    let first: Vec<&str> = line.split(' ').take(2).collect();
    assert_eq!(pairs, [first.join(" ")]);
    assert_eq!(rest.len(), 52);
}

#[test]
fn sample_ends_where_the_naive_replay_does() {
    let outcomes = replay("bachelor", &naive::start("bachelor"), &sample());
    let found = check("bachelor/sample-ending");
    assert_eq!(found.verdict, Verdict::Confirmed);
    assert_eq!(column(&found.evidence, "outcome_after"), outcomes);
    let (last, before) = outcomes.split_last().expect("turns");
    assert!(before.iter().all(|o| o == "ongoing"));
    assert_eq!(last, "black-wins marriage");
}

#[test]
fn wins_in_one_are_those_of_the_naive_search() {
    let found = check("bachelor/sample-missed");
    let line = sample();
    let mut game = naive::read("bachelor", &naive::start("bachelor")).expect("a game");
    let mut missed = 0;
    for (i, text) in line.split(' ').enumerate() {
        let winner = if i % 2 == 0 {
            "white-wins"
        } else {
            "black-wins"
        };
        let turns = game.turns();
        let mut winning = turns
            .iter()
            .filter(|(_, after)| after.outcome().starts_with(winner))
            .peekable();
        missed += usize::from(winning.peek().is_some() && !winning.any(|(t, _)| t == text));
        game = turns.into_iter().find(|(t, _)| t == text).expect("legal").1;
    }
    assert_eq!(numbers(&found.evidence, "positions"), [54]);
    assert_eq!(found.verdict == Verdict::Confirmed, missed == 0);
}

#[test]
fn marriages_on_a_small_board_are_counted_again() {
    let game = narrow("bachelor", "3/3/2k/K2 w - - 0 1");
    let found = marriages::marriages(game.as_ref(), &Effort::SMALL);
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
