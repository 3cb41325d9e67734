//! The claims of the GOAL page: what each finds is replayed, recounted, or asked of a line or a
//! diagram of which it is not true.

use crate::evidence::{check as found, column, judged};
use fairyproof::board::{Color, Kind};
use fairyproof::catalog::Catalog;
use fairyproof::claims::compiled::{double_check, spartan_match, words};
use fairyproof::claims::{Effort, Verdict};
use fairyproof::notation::{Setup, fen, turns};
use fairyproof::position::Narrow;
use fairyproof::rules::Outcome;
use fairyproof::variants::spartan::{Ending, MatchResult, match_result};
use fairyproof::with_setup;

fn number(field: &str) -> u64 {
    field.parse().unwrap_or_else(|_| panic!("{field}"))
}

fn setup(id: &str, fen: &str) -> Setup {
    let variant = Catalog::new().open(id).expect("a variant");
    Setup::read(&variant, Some(fen)).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Returns the legal turns in byte order.
fn legal(id: &str, fen: &str) -> Vec<String> {
    with_setup!(setup(id, fen), s => turns::sorted(s.game.as_ref(), &s.position)
        .into_iter()
        .map(|(text, _)| text)
        .collect())
}

/// FEN and outcome after turns.
fn after(id: &str, from: &str, played: &[&str]) -> (String, String) {
    with_setup!(setup(id, from), s => {
        let game = s.game.as_ref();
        let mut p = s.position;
        for (i, text) in played.iter().enumerate() {
            let turn = turns::find(game, &p, text, i + 1).unwrap_or_else(|e| panic!("{from}: {e}"));
            p = game.play(&p, &turn);
        }
        (fen::print(game, &p), game.outcome(&p).to_string())
    })
}

#[test]
fn deadline_list_is_mended_to_the_legal_replies() {
    let finding = found("deadline/example");
    judged(
        &finding,
        Verdict::ConfirmedAsAmended,
        "g8f6+f6d7 for Nf3/Nd7",
    );
    let fen = &column(&finding.evidence, "fen")[0];
    let mut turns = column(&finding.evidence, "turn");
    turns.retain(|turn| !turn.is_empty());
    turns.sort();
    assert_eq!(turns, legal("deadline", fen));
}

#[test]
fn lost_units_that_fit_replay() {
    let finding = found("submission/example-2");
    judged(
        &finding,
        Verdict::ConfirmedAsAmended,
        "true with 2 corrections",
    );
    let fits = column(&finding.evidence, "fen");
    assert_eq!(fits.len(), 6);
    for fen in &fits {
        let (next, outcome) = after("submission", fen, &["g7g6"]);
        assert_eq!(outcome, "black-wins submission", "{fen}");
        let replies = legal("fide", &next);
        assert!(replies.contains(&"h5h6".to_string()), "{fen}");
        assert!(
            after("fide", &next, &["h5g6"]).1.ends_with("checkmate"),
            "{fen}"
        );
        let knights = |turns: &[String]| {
            turns
                .iter()
                .filter(|t| t.ends_with("g3") && ["e2", "e4", "f1", "f5", "h1"].contains(&&t[..2]))
                .cloned()
                .collect::<Vec<_>>()
        };
        let (orthodox, allowed) = (
            knights(&legal("fide", fen)),
            knights(&legal("submission", fen)),
        );
        assert!(orthodox.iter().any(|t| !allowed.contains(t)), "{fen}");
    }
}

#[test]
fn spartan_matches_are_judged_as_the_page_says() {
    let finding = found("spartan/match");
    judged(&finding, Verdict::Confirmed, "");
    let pairs: u64 = column(&finding.evidence, "pairs")
        .iter()
        .map(|n| number(n))
        .sum();
    assert_eq!(pairs, 121 * 121);
    fn swapped(moves: u32, first: Ending, second: Ending) -> MatchResult {
        match_result(moves, second, first)
    }
    assert_eq!(spartan_match::matches(swapped).verdict, Verdict::Refuted);
    fn lenient(moves: u32, first: Ending, second: Ending) -> MatchResult {
        let milder = |game| match game {
            Ending::BlackMated(_) => Ending::Unmated,
            other => other,
        };
        match_result(moves, milder(first), milder(second))
    }
    assert_eq!(spartan_match::matches(lenient).verdict, Verdict::Refuted);
}

#[test]
fn double_checks_mostly_win_and_examples_are_what_they_say() {
    let finding = double_check::double_checks(&[4], &Effort::SMALL);
    let whole: Vec<&Vec<String>> = finding
        .evidence
        .rows
        .iter()
        .filter(|row| row[0] == "8x8")
        .collect();
    let sum = |column: usize| whole.iter().map(|row| number(&row[column])).sum::<u64>();
    let mostly = sum(3) * 2 > sum(2);
    assert_eq!(finding.verdict == Verdict::Confirmed, mostly);
    let mut seen = 0;
    for row in &finding.evidence.rows {
        let ends: Vec<u64> = row[2..7].iter().map(|n| n.parse().unwrap_or(0)).collect();
        if row[7] == "true" {
            assert_eq!(ends[0], ends[2] + ends[3] + ends[4], "{row:?}");
            assert!(ends[1] <= ends[2]);
        }
        assert!(ends[1] <= ends[0]);
        if row[1].len() < 3 {
            assert_eq!(ends[0], 0, "one unit gives no double check");
        }
        if row[8].is_empty() {
            continue;
        }
        seen += 1;
        let setup = setup("contravention", &row[8]);
        let s = setup.get::<Narrow>().expect("64 squares");
        let king = fairyproof::board::Squares::first(s.position.units(Color::Black, Kind::King));
        let by = s
            .game
            .attackers(&s.position, king.expect("a king"), Color::White);
        assert!(
            by.count_ones() >= 2 && s.position.side == Color::White,
            "{}",
            row[8]
        );
        let outcome = s.game.outcome(&s.position);
        assert!(
            !matches!(outcome, Outcome::Win(Color::Black, _)),
            "{}",
            row[8]
        );
    }
    assert!(seen > 0);
}

#[test]
fn description_of_401_words_is_too_long() {
    let text = |n: usize| format!("A Chess {}", "word ".repeat(n - 2));
    assert_eq!(words::counted(&text(400)).verdict, Verdict::Confirmed);
    assert_eq!(words::counted(&text(401)).verdict, Verdict::Refuted);
    assert_eq!(words::counted("").verdict, Verdict::Refuted);
    assert_eq!(words::DESCRIPTIONS.lines().count(), 31);
}
