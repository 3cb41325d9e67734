//! Corrections of random positions, compared with every corrected claim judged by itself.

use super::{cells, says, verified, verified_with};
use catalog::Catalog;
use control::Random;
use fairyproof_claims::Verdict;
use notation::Setup;
use std::collections::BTreeSet;

const FILES: usize = 4;

/// Returns the FEN of a board with White to move.
fn fen(cells: &[char]) -> String {
    let ranks: Vec<String> = cells
        .chunks(FILES)
        .map(|rank| {
            let groups = rank.chunk_by(|a, b| *a == ' ' && *b == ' ');
            let text = |group: &[char]| match group[0] {
                ' ' => group.len().to_string(),
                unit => unit.to_string(),
            };
            groups.map(text).collect()
        })
        .collect();
    format!("{} w - - 0 1", ranks.join("/"))
}

fn random_board(random: &mut Random, units: &[char]) -> Vec<char> {
    let mut cells = vec![' '; FILES * 4];
    for &unit in units {
        let vacant: Vec<usize> = (0..cells.len()).filter(|&at| cells[at] == ' ').collect();
        cells[vacant[random.scaled_below(vacant.len())]] = unit;
    }
    cells
}

/// Returns all boards with one unit on another square.
fn moved(cells: &[char]) -> Vec<Vec<char>> {
    let mut boards = Vec::new();
    for from in (0..cells.len()).filter(|&at| cells[at] != ' ') {
        for to in (0..cells.len()).filter(|&at| cells[at] == ' ') {
            let mut board = cells.to_vec();
            board.swap(from, to);
            boards.push(board);
        }
    }
    boards
}

/// Returns all boards with one of these units more.
fn added(cells: &[char], letters: &str) -> Vec<Vec<char>> {
    let mut boards = Vec::new();
    for unit in letters.chars() {
        for at in (0..cells.len()).filter(|&at| cells[at] == ' ') {
            let mut board = cells.to_vec();
            board[at] = unit;
            boards.push(board);
        }
    }
    boards
}

#[test]
fn corrections_are_those_that_make_the_claim_true() {
    let variant = Catalog::new().open("fide").expect("a variant");
    let checks = [
        "always = '!check || size(turns) == 1'\nnonvacuous = 'check'",
        "exists = '!check'\nnonvacuous = 'check'",
        "always = 'turns.filter(t, size(t.captures) > 0).all(t, t.checks)'",
        "always = '!check || over'",
        "never = '!(!check || turns.exists(t, size(t.captures) > 0))'",
        "sum = 'size(turns)'\nis = 3",
        "solve = '#1'\nsound = true",
    ];
    let mut random = Random::numbered(59, 1);
    let (mut amended, mut refuted) = (0, 0);
    for round in 0..24 {
        let board = random_board(&mut random, &['K', 'k', 'r', 'N']);
        let (amend, candidates) = match round % 2 {
            0 => ("{ move_unit = 1 }", moved(&board)),
            _ => ("{ add_unit = 1, of = 'RQr' }", added(&board, "RQr")),
        };
        let fens: BTreeSet<String> = candidates
            .iter()
            .map(|board| fen(board))
            .filter(|fen| Setup::read(&variant, Some(fen)).is_ok())
            .collect();
        let printed = fen(&board);
        if Setup::read(&variant, Some(&printed)).is_err() {
            continue;
        }
        let check = checks[random.scaled_below(checks.len())];
        let claim = |n: usize, fen: &str, amend: &str| {
            format!("[[claim]]\nid = '{n}'\nsays = 'a'\nfen = '{fen}'\n{check}\n{amend}\n")
        };
        let alone: String = (fens.iter().enumerate())
            .map(|(n, fen)| claim(n, fen, ""))
            .collect();
        let truths = verified_with(&alone, "");
        let right: BTreeSet<&str> = (fens.iter().zip(&truths))
            .filter(|(_, found)| found.verdict == Verdict::Confirmed)
            .map(|(fen, _)| fen.as_str())
            .collect();
        let as_printed = verified_with(&claim(0, &printed, ""), "").remove(0);
        let found =
            verified_with(&claim(0, &printed, &format!("amend = [ {amend} ]")), "").remove(0);
        if as_printed.verdict != Verdict::Refuted {
            assert_eq!(found.verdict, as_printed.verdict, "{printed} {check}");
            continue;
        }
        let why = format!("{printed} {check} {amend}: {}", found.summary);
        if right.is_empty() {
            assert_eq!(found.verdict, Verdict::Refuted, "{why}");
            refuted += 1;
        } else {
            assert_eq!(found.verdict, Verdict::ConfirmedAsAmended, "{why}");
            let fits: BTreeSet<&str> = cells(&found, 1).into_iter().collect();
            assert_eq!(fits, right, "{why}");
            amended += 1;
        }
    }
    assert!(amended > 2 && refuted > 0, "{amended} {refuted}");
}

#[test]
fn corrections_that_are_too_many_are_counted_before_they_are_built() {
    let found = verified(
        "fen = 'r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 1'\n\
         line = 'Qxa8 Qxa1 Kxe8'\namend = [ { insert_turns = 6 } ]\nlimits = { positions = 2000 }",
    );
    assert_eq!(found.verdict, Verdict::Open, "{}", found.summary);
    says(&found, "there are more than 2000 to try");
}

#[test]
fn correction_that_reaches_a_limit_leaves_the_claim_open() {
    // Some positions with another unit moved have no end of a game among the first states.
    let found = verified(
        "fen = '7k/8/6K1/8/8/8/R7/8 w - - 0 1'\nover = 'graph'\nnever = 'over'\n\
         amend = [ { move_unit = 1 } ]\nlimits = { states = 300, positions = 1000 }",
    );
    assert_eq!(found.verdict, Verdict::Open, "{}", found.summary);
    says(&found, "with 1 correction, some reach a limit of the claim");
}
