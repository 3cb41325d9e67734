//! The claims of Convergent's page, found again with the naive second implementation.

use crate::evidence::{check, column, fen_of, narrow, numbers, replay, squares_of};
use fairyproof::claims::{Effort, Verdict, convergent};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn units_are_those_of_the_start_position() {
    let found = check("convergent/density");
    let fen = naive::start("convergent");
    let board = fen.split(' ').next().expect("a board");
    let units = board.chars().filter(char::is_ascii_alphabetic).count();
    assert_eq!(
        numbers(&found.evidence, "units").iter().sum::<u64>(),
        units as u64
    );
    assert_eq!(
        found.verdict == Verdict::Confirmed,
        units * 10 == squares_of(&fen) * 7
    );
}

#[test]
fn pawns_walk_as_the_naive_rules_say() {
    // Breadth first with the naive turns of one pawn, the enemy king out of the way.
    let found = check("convergent/pawn-access");
    let rows: Vec<(String, String, String)> = column(&found.evidence, "pawn")
        .into_iter()
        .zip(column(&found.evidence, "royal_square"))
        .zip(column(&found.evidence, "fewest_steps_without_capture"))
        .map(|((pawn, royal), steps)| (pawn, royal, steps))
        .collect();
    assert_eq!(rows.len(), 24);
    let name = |at: usize| format!("{}{}", (b'a' + (at % 8) as u8) as char, at / 8 + 1);
    for (pawn, royal, steps) in rows.iter().filter(|(_, royal, _)| royal.ends_with('8')) {
        let (mut reached, mut edge, mut depth) =
            (BTreeSet::from([pawn.clone()]), vec![pawn.clone()], 0);
        while !edge.contains(royal) {
            depth += 1;
            let mut next = Vec::new();
            for at in &edge {
                let square =
                    (at.as_bytes()[0] - b'a') as usize + 8 * (at.as_bytes()[1] - b'1') as usize;
                let mut cells: Vec<char> = (0..64)
                    .map(|i| {
                        let (file, rank) = (i % 8, i / 8);
                        let inside = (1..7).contains(&file) && (1..7).contains(&rank);
                        let royal = (rank == 0 || rank == 7) && (file == 3 || file == 4);
                        if inside || royal { '.' } else { '*' }
                    })
                    .collect();
                cells[square] = 'P';
                // Kings where they neither block nor forbid this pawn's steps.
                for king in ['K', 'k'] {
                    let free = (0..40usize).find(|&i| {
                        let i = if king == 'K' { i } else { 39 - i };
                        let file_apart = (i % 8).abs_diff(square % 8) > 1;
                        let rank_apart = (i / 8).abs_diff(square / 8) > 1;
                        let other = cells.iter().position(|&c| c == 'K');
                        let apart = other.is_none_or(|o| {
                            (o % 8).abs_diff(i % 8) > 1 || (o / 8).abs_diff(i / 8) > 1
                        });
                        cells[i] == '.' && (file_apart || rank_apart) && i / 8 > 0 && apart
                    });
                    let free = free.map(|i| if king == 'K' { i } else { 39 - i });
                    cells[free.expect("room")] = king;
                }
                let fen = format!("{} w - - 0 1", fen_of(&cells, 8));
                let Ok(game) = naive::read("convergent", &fen) else {
                    panic!("{fen}: {:?}", naive::read("convergent", &fen).err());
                };
                for (text, _) in game.turns() {
                    if text.starts_with(&name(square)) && reached.insert(text[2..].to_string()) {
                        next.push(text[2..].to_string());
                    }
                }
            }
            assert!(!next.is_empty(), "{pawn} does not reach {royal}");
            edge = next;
        }
        assert_eq!(*steps, depth.to_string(), "{pawn} {royal}");
    }
}

#[test]
fn mean_targets_are_counted_again() {
    let found = check("convergent/weaker");
    let there = |file: i32, rank: i32| {
        ((1..7).contains(&file) && (1..7).contains(&rank))
            || ((file == 3 || file == 4) && (rank == 0 || rank == 7))
    };
    let squares: Vec<(i32, i32)> = (0..64)
        .map(|i| (i % 8, i / 8))
        .filter(|&(f, r)| there(f, r))
        .collect();
    // Rays of a length, stopped by what is missing; leaps not.
    let rays = |directions: &[(i32, i32)], most: i32| -> u64 {
        let mut n = 0;
        for &(f, r) in &squares {
            for &(df, dr) in directions {
                n += (1..=most)
                    .take_while(|k| there(f + k * df, r + k * dr))
                    .count() as u64;
            }
        }
        n
    };
    let leaps = |offsets: &[(i32, i32)]| -> u64 {
        let to = |&(f, r): &(i32, i32)| {
            offsets
                .iter()
                .filter(|(df, dr)| there(f + df, r + dr))
                .count()
        };
        squares.iter().map(|square| to(square) as u64).sum()
    };
    let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    let diagonal = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
    let all: Vec<(i32, i32)> = straight.iter().chain(&diagonal).copied().collect();
    let far: Vec<(i32, i32)> = all
        .iter()
        .flat_map(|&(f, r)| [(f, r), (2 * f, 2 * r)])
        .collect();
    let by_unit: BTreeMap<String, (u64, u64)> = column(&found.evidence, "unit")
        .into_iter()
        .zip(column(&found.evidence, "way"))
        .filter(|(unit, way)| unit != "P" && way == "going")
        .map(|(unit, _)| unit)
        .zip(
            numbers(&found.evidence, "targets_sum")
                .into_iter()
                .zip(numbers(&found.evidence, "orthodox_targets_sum"))
                .skip(2),
        )
        .collect();
    assert_eq!(by_unit["B"], (rays(&diagonal, 3), rays(&diagonal, 7)));
    assert_eq!(by_unit["R"], (rays(&straight, 3), rays(&straight, 7)));
    assert_eq!(by_unit["Q"], (leaps(&far), rays(&all, 7)));
    assert_eq!(by_unit["K"], (leaps(&all), leaps(&all)));
}

#[test]
fn checks_replay() {
    let evidence = check("convergent/every-unit-checks").evidence;
    let rows: Vec<Vec<String>> = ["unit", "way", "fen", "turn", "outcome"]
        .iter()
        .map(|name| column(&evidence, name))
        .collect();
    let mut checks = 0;
    let n = rows[0].len();
    let cells = (0..n).map(|i| [0, 1, 2, 3, 4].map(|c| rows[c][i].as_str()));
    for [unit, way, fen, turn, outcome] in cells {
        if fen == "none" {
            assert_eq!((unit, way), ("K", "attacking the king"));
            continue;
        }
        let game = naive::read("convergent", fen).expect(fen);
        let (_, after) = game
            .turns()
            .into_iter()
            .find(|(t, _)| t == turn)
            .expect(turn);
        assert_eq!(after.outcome(), outcome);
        // In check: were it the mover's turn again, the position could not be.
        assert!(
            naive::read("convergent", &after.fen().replace(" b ", " w ")).is_err(),
            "{fen}"
        );
        checks += 1;
    }
    assert_eq!(checks, 11);
}

#[test]
fn king_enters_and_mates_in_the_naive_game_too() {
    let found = check("convergent/king-no-direct");
    let at = found.summary.rfind("such as ").expect("a witness") + 8;
    let (fen, turn) = found.summary[at..].rsplit_once(' ').expect("a turn");
    let outcomes = replay("convergent", fen, turn);
    assert!(outcomes[0].ends_with("-wins checkmate"), "{outcomes:?}");
    assert_eq!(
        numbers(&found.evidence, "kings_attacking_a_king")
            .iter()
            .sum::<u64>(),
        0
    );
}

#[test]
fn intrusions_of_three_units_are_counted_again() {
    let fen = naive::start("convergent");
    let game = narrow("convergent", &fen);
    let found = convergent::intrusions(game.as_ref(), 3, &Effort::SMALL);
    let said: u64 = numbers(&found.evidence, "positions").iter().sum();
    let mates: u64 = numbers(&found.evidence, "not_capturable_and_mate")
        .iter()
        .sum();
    // White to move, an intruder on d1 or e1; Black's half is the same upside down.
    let empty: Vec<char> = (0..64)
        .map(|i| {
            let (file, rank) = (i % 8, i / 8);
            let inside = (1..7).contains(&file) && (1..7).contains(&rank);
            let royal = (rank == 0 || rank == 7) && (file == 3 || file == 4);
            if inside || royal { '.' } else { '*' }
        })
        .collect();
    let squares: Vec<usize> = (0..64).filter(|&i| empty[i] == '.').collect();
    let royal = [3, 4];
    let (mut positions, mut mated) = (0, 0);
    let mut count = |cells: &[char]| {
        let fen = format!("{} w - - 0 1", fen_of(cells, 8));
        if let Ok(game) = naive::read("convergent", &fen) {
            positions += 1;
            mated += u64::from(game.outcome() == "black-wins checkmate");
        }
    };
    for &king in &squares {
        for &other in squares.iter().filter(|&&s| s != king) {
            let mut cells = empty.clone();
            cells[king] = 'K';
            cells[other] = 'k';
            if royal.contains(&other) {
                count(&cells);
            }
            // A sample of the third unit's kinds keeps this short: knight and pawn.
            for &third in squares.iter().filter(|&&s| s != king && s != other) {
                for letter in ['n', 'N', 'b', 'B', 'r', 'R', 'q', 'Q', 'p', 'P'] {
                    let enters = letter.is_ascii_lowercase() && royal.contains(&third);
                    if enters || royal.contains(&other) {
                        let mut cells = cells.clone();
                        cells[third] = letter;
                        count(&cells);
                    }
                }
            }
        }
    }
    assert_eq!((said, mates), (2 * positions, 2 * mated));
}
