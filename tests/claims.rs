//! The ledger: what its checks say is found again by other means. Lines in the evidence are
//! replayed, counts are recounted with the naive second implementation, and checks are run on
//! what is deliberately wrong.

mod common;
mod naive;

use common::board_of;
use fairyproof::claims::{self, Effort, Evidence, Finding, Scope, Verdict, bachelor, convergent};
use fairyproof::notation::{Setup, game_lines, turns};
use fairyproof::position::Narrow;
use fairyproof::rules::Game;
use fairyproof::sets;
use fairyproof::with_setup;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn check(id: &str) -> Finding {
    let claim = claims::all().into_iter().find(|c| c.id == id).expect(id);
    (claim.check)(&Effort::SMALL)
}

/// The cells of one column.
fn column(evidence: &Evidence, name: &str) -> Vec<String> {
    let at = evidence.columns.iter().position(|c| c == name).expect(name);
    evidence.rows.iter().map(|row| row[at].clone()).collect()
}

fn numbers(evidence: &Evidence, name: &str) -> Vec<u64> {
    column(evidence, name)
        .iter()
        .map(|n| n.parse().expect(n))
        .collect()
}

/// Replays turns with the naive implementation; the outcome after each.
fn replay(variant: &str, fen: &str, line: &str) -> Vec<String> {
    let mut game = naive::read(variant, fen).expect(fen);
    let mut outcomes = Vec::new();
    for text in line.split_ascii_whitespace() {
        let after = game.turns().into_iter().find(|(t, _)| t == text);
        let Some((_, next)) = after else {
            panic!("{variant}: {text} is not legal in {}", game.fen());
        };
        game = next;
        outcomes.push(game.outcome());
    }
    outcomes
}

/// A game without bound units on a narrow board.
fn narrow(variant: &str, fen: &str) -> Arc<dyn Game<Narrow>> {
    let variant = sets::parse(variant).expect(variant);
    match Setup::read(&variant, Some(fen)).expect(fen) {
        Setup::Narrow(start) => start.game,
        _ => panic!("{fen} is not narrow"),
    }
}

/// Existing squares of a FEN's board.
fn squares_of(fen: &str) -> usize {
    let board = fen.split(' ').next().expect("a board");
    board
        .chars()
        .map(|c| match c {
            '/' | '*' => 0,
            c => c.to_digit(10).map_or(1, |n| n as usize),
        })
        .sum()
}

#[test]
fn ids_are_unique_and_evidence_is_rectangular() {
    let all = claims::all();
    let ids: BTreeSet<&str> = all.iter().map(|c| c.id).collect();
    assert_eq!(ids.len(), all.len());
    for id in [
        "bachelor/squares",
        "french-revolution/first-turn",
        "chromopolis/colours",
    ] {
        let finding = check(id);
        let width = finding.evidence.columns.len();
        assert!(!finding.evidence.rows.is_empty(), "{id}");
        assert!(
            finding.evidence.rows.iter().all(|row| row.len() == width),
            "{id}"
        );
        assert!(finding.scope != Scope::Sample || finding.verdict != Verdict::Confirmed);
    }
}

#[test]
fn findings_do_not_depend_on_threads() {
    for id in [
        "bachelor/no-married-check",
        "convergent/king-no-direct",
        "french-revolution/24-tight",
        "french-revolution/32-turns",
    ] {
        let claim = claims::all().into_iter().find(|c| c.id == id).expect(id);
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let effort = Effort {
                threads,
                ..Effort::SMALL
            };
            pool.expect("a pool").install(|| (claim.check)(&effort))
        };
        assert_eq!(on(1), on(3), "{id}");
    }
}

#[test]
fn stopped_checks_end_soon() {
    let stop = AtomicBool::new(true);
    let effort = Effort {
        stop: Some(&stop),
        ..Effort::SMALL
    };
    let begun = std::time::Instant::now();
    for claim in claims::all() {
        (claim.check)(&effort);
    }
    assert!(begun.elapsed().as_secs() < 60);
}

// ---- squares and counts of the arrays

#[test]
fn squares_are_those_of_the_start_positions() {
    for (id, variant, column_name) in [
        ("bachelor/squares", "bachelor", "squares"),
        ("convergent/squares", "convergent", "squares"),
        ("chromopolis/squares", "chromopolis", "squares"),
    ] {
        let found = check(id);
        let sum: u64 = numbers(&found.evidence, column_name).iter().sum();
        assert_eq!(sum as usize, squares_of(&naive::start(variant)), "{id}");
    }
}

#[test]
fn convergent_units_are_those_of_the_start_position() {
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

// ---- Bachelor

#[test]
fn bachelor_sample_needs_the_first_turns_that_the_naive_search_finds() {
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
fn bachelor_game_with_a_wrong_turn_is_refuted() {
    let wrong = bachelor::PRINTED.replace("Kc5-b5", "Kc5-a5");
    let printed = game_lines::read(&wrong).expect("a game");
    assert_eq!(bachelor::legality(&printed).verdict, Verdict::Refuted);
    let wrong = bachelor::PRINTED.replace("Bc4xf1=QE", "Bc4xf1=RE");
    let printed = game_lines::read(&wrong).expect("a game");
    assert!(bachelor::marks(&printed).verdict != Verdict::Confirmed);
}

#[test]
fn bachelor_marks_that_are_changed_are_found_out() {
    let faults = |text: &str| -> BTreeSet<(String, String, String)> {
        let evidence = bachelor::marks(&game_lines::read(text).expect("a game")).evidence;
        column(&evidence, "move")
            .into_iter()
            .zip(column(&evidence, "wrong"))
            .zip(column(&evidence, "missing"))
            .map(|((place, wrong), missing)| (place, wrong, missing))
            .filter(|(_, wrong, missing)| !(wrong.is_empty() && missing.is_empty()))
            .collect()
    };
    let before = faults(bachelor::PRINTED);
    for (text, instead, place, wrong, missing) in [
        ("d4xe3+", "d4xe3", "9...", "", "+"),
        ("=QE\n14", "=Q\n14", "13...", "", "E"),
        ("Ra1-d1 ", "Ra1-d1E ", "11.", "E", ""),
        ("Qe1-b4M", "Qe1-b4", "27...", "", "M"),
        ("Ke3xe4", "Ke3-e4", "12.", "", "x"),
        ("a5-a4", "a5xa4", "16...", "x", ""),
    ] {
        let changed = bachelor::PRINTED.replacen(text, instead, 1);
        assert_ne!(changed, bachelor::PRINTED);
        let mut expected = before.clone();
        expected.insert((place.to_string(), wrong.to_string(), missing.to_string()));
        assert_eq!(faults(&changed), expected, "{instead}");
    }
}

#[test]
fn bachelor_checks_are_those_that_a_king_could_be_taken_by() {
    // A side is in check if, the board given to the other side, a naive reader refuses it.
    let found = check("bachelor/sample-marks");
    let fens = column(&found.evidence, "fen_before");
    let marks = column(&found.evidence, "computed_marks");
    let mut checks = 0;
    // The position before the next turn is the one after this.
    for (mark, after) in marks.iter().zip(&fens[1..]) {
        let flipped = match after.contains(" w ") {
            true => after.replace(" w ", " b "),
            false => after.replace(" b ", " w "),
        };
        let in_check = naive::read("bachelor", &flipped).is_err();
        assert_eq!(mark.contains('+'), in_check, "{after}");
        checks += usize::from(in_check);
    }
    assert!(checks > 5);
}

#[test]
fn bachelor_sample_ends_where_the_naive_replay_does() {
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
fn bachelor_wins_in_one_are_those_of_the_naive_search() {
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

/// The board of a FEN from letters, the first rank first.
fn fen_of(cells: &[char], files: usize) -> String {
    let rows: Vec<&[char]> = cells.chunks(files).rev().collect();
    board_of(&rows)
}

#[test]
fn bachelor_marriages_on_a_small_board_are_counted_again() {
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

// ---- Convergent

#[test]
fn convergent_pawns_walk_as_the_naive_rules_say() {
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
fn convergent_mean_targets_are_counted_again() {
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
fn convergent_checks_replay() {
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
fn convergent_king_enters_and_mates_in_the_naive_game_too() {
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
fn convergent_intrusions_of_three_units_are_counted_again() {
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

// ---- French Revolution

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
fn french_revolution_steps_at_the_start_are_those_of_the_fen() {
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
fn french_revolution_long_games_replay_to_the_last_pawn_step() {
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
fn french_revolution_longest_games_of_small_boards_are_found_again() {
    /// The longest game by plain recursion.
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

#[test]
fn french_revolution_first_turns_are_those_of_the_naive_game() {
    let found = check("french-revolution/first-turn");
    let variants = column(&found.evidence, "variant");
    let alone = numbers(&found.evidence, "turns_of_a_pawn_step_alone");
    for (variant, alone) in variants.iter().zip(alone).step_by(3) {
        let turns = naive::read(variant, &naive::start(variant))
            .expect("a game")
            .turns();
        assert!(turns.iter().all(|(text, _)| !text.contains('+')));
        assert_eq!(turns.len() as u64, alone);
        for (_, after) in turns {
            assert!(after.turns().iter().all(|(text, _)| text.contains('+')));
        }
    }
}

// ---- Chromopolis

/// Parts into which steps divide a cylinder or a flat board, by flooding.
fn parts(files: i32, ranks: i32, wraps: bool, missing: bool, offsets: &[(i32, i32)]) -> usize {
    let there = |f: i32, r: i32| {
        (0..files).contains(&f)
            && (0..ranks).contains(&r)
            && !(missing && f == 0 && (r == 0 || r == ranks - 1))
    };
    let mut unseen: BTreeSet<(i32, i32)> = (0..files)
        .flat_map(|f| (0..ranks).map(move |r| (f, r)))
        .filter(|&(f, r)| there(f, r))
        .collect();
    let mut parts = 0;
    while let Some(first) = unseen.pop_first() {
        parts += 1;
        let mut edge = vec![first];
        while let Some((f, r)) = edge.pop() {
            for (df, dr) in offsets {
                let to = if wraps {
                    (f + df).rem_euclid(files)
                } else {
                    f + df
                };
                if there(to, r + dr) && unseen.remove(&(to, r + dr)) {
                    edge.push((to, r + dr));
                }
            }
        }
    }
    parts
}

#[test]
fn chromopolis_parts_are_found_again_by_flooding() {
    let evidence = check("chromopolis/colours").evidence;
    let diagonal = vec![(1, 1), (-1, 1), (1, -1), (-1, -1)];
    let mut advocate = diagonal.clone();
    advocate.extend([(2, 0), (-2, 0), (0, 2), (0, -2)]);
    let rows = column(&evidence, "board")
        .into_iter()
        .zip(column(&evidence, "unit"));
    let mut odd = 0;
    for ((board, unit), components) in rows.zip(numbers(&evidence, "components")) {
        let files = board
            .split(&[' ', 'x'][..])
            .find_map(|w| w.parse().ok())
            .expect("files");
        let offsets = if unit == "A" { &advocate } else { &diagonal };
        let wraps = board.starts_with("cylinder");
        let found = parts(files, 6, wraps, board.contains("without"), offsets);
        assert_eq!(components as usize, found, "{board} {unit}");
        odd += usize::from(found == 1);
    }
    assert!(odd > 0);
}

#[test]
fn chromopolis_pairs_of_the_cycle_are_counted_again() {
    let evidence = check("chromopolis/dominance").evidence;
    let row = |a: &str, l: &str| -> (u64, u64) {
        let rows = column(&evidence, "board")
            .into_iter()
            .zip(column(&evidence, "advocate_on"))
            .zip(column(&evidence, "prelate_on"));
        let at = rows
            .into_iter()
            .position(|((board, x), y)| board == "flat 8x6" && x == a && y == l)
            .expect("a row");
        (
            numbers(&evidence, "advocate_attacks")[at],
            numbers(&evidence, "prelate_attacks")[at],
        )
    };
    let mut counts: BTreeMap<(bool, bool), (u64, u64)> = BTreeMap::new();
    for a in 0..48i32 {
        for l in (0..48).filter(|&l| l != a) {
            let (df, dr) = ((a % 8 - l % 8).abs(), (a / 8 - l / 8).abs());
            let dark = |s: i32| (s % 8 + s / 8) % 2 == 0;
            let count = counts.entry((dark(a), dark(l))).or_default();
            count.0 += u64::from(matches!((df, dr), (1, 1) | (2, 0) | (0, 2)));
            count.1 += u64::from(matches!((df, dr), (1, 2) | (2, 1) | (1, 0) | (0, 1)));
        }
    }
    for (a, x) in [("dark", true), ("light", false)] {
        for (l, y) in [("dark", true), ("light", false)] {
            assert_eq!(row(a, l), counts[&(x, y)], "A on {a}, L on {l}");
        }
    }
}

#[test]
fn chromopolis_pawns_promote_on_their_file_in_the_naive_game_too() {
    let evidence = check("chromopolis/pawn-file").evidence;
    let in_array = column(&evidence, "in_array");
    let reached = numbers(&evidence, "squares_reached");
    for (i, from) in column(&evidence, "from").iter().enumerate() {
        if in_array[i] == "true" {
            // From the second rank to the sixth, by files b to g.
            assert!(('b'..='g').any(|f| from.starts_with(f)));
            assert_eq!(reached[i], 5, "{from}");
        }
    }
    let mut game = naive::read("chromopolis", "*5k/7/7/7/1P5/*5K w - - 0 1").expect("a game");
    for text in ["b2b3", "b3b4", "b4b5", "b5b6n"] {
        let pawn: Vec<String> = game
            .turns()
            .into_iter()
            .map(|(t, _)| t)
            .filter(|t| t.starts_with('b'))
            .collect();
        assert!(pawn.iter().all(|t| t[2..].starts_with('b')), "{pawn:?}");
        game = game
            .turns()
            .into_iter()
            .find(|(t, _)| t == text)
            .expect(text)
            .1;
        // Black's king stays out of the way.
        game = game
            .turns()
            .into_iter()
            .find(|(t, _)| matches!(t.as_bytes()[2], b'f' | b'g'))
            .expect("a king step")
            .1;
    }
}

// ---- the evidence as a whole

#[test]
fn lines_in_the_evidence_replay_with_the_program() {
    for (id, named) in [
        ("bachelor/sample-legal", false),
        ("french-revolution/32-tight", true),
    ] {
        let evidence = check(id).evidence;
        let lines = column(&evidence, "turns");
        for (row, fen) in column(&evidence, "fen").iter().enumerate() {
            let variant = match named {
                true => column(&evidence, "variant")[row].clone(),
                false => "bachelor".to_string(),
            };
            let setup = Setup::read(&sets::parse(&variant).expect("an id"), Some(fen)).expect(fen);
            with_setup!(setup, start => {
                let mut p = start.position;
                for (i, text) in lines[row].split(' ').enumerate() {
                    let turn = turns::find(start.game.as_ref(), &p, text, i + 1).expect(text);
                    p = start.game.play(&p, &turn);
                }
                assert_eq!(!named, start.game.outcome(&p).reason() == Some("marriage"));
            });
        }
    }
}
