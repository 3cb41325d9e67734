//! The claims of the GOAL page: what each finds is replayed, recounted, or asked of a line or a
//! diagram of which it is not true.

use fairyproof::board::{Color, Kind};
use fairyproof::catalog::Catalog;
use fairyproof::claims::goal::{double_check, lines, lost_units, tables};
use fairyproof::claims::{self, Effort, Finding, Verdict};
use fairyproof::notation::{Setup, fen, turns};
use fairyproof::rules::Outcome;
use fairyproof::variants::spartan::{Ending, MatchResult, match_result};
use fairyproof::with_setup;

fn found(id: &str) -> Finding {
    let claim = claims::all()
        .into_iter()
        .find(|claim| claim.id == id)
        .unwrap_or_else(|| panic!("no claim {id}"));
    (claim.check)(&Effort::SMALL)
}

fn column(finding: &Finding, name: &str) -> Vec<String> {
    let at = finding.evidence.columns.iter().position(|c| c == name);
    let at = at.unwrap_or_else(|| panic!("no column {name}"));
    finding
        .evidence
        .rows
        .iter()
        .map(|r| r[at].clone())
        .collect()
}

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
    assert_eq!(finding.verdict, Verdict::ConfirmedAsAmended);
    let fen = &column(&finding, "fen")[0];
    assert_eq!(column(&finding, "turn"), legal("deadline", fen));
    assert!(
        finding.summary.contains("Nf6/Nd7 for Nf3/Nd7"),
        "{}",
        finding.summary
    );
}

#[test]
fn deadline_lists_that_are_right_or_beyond_mending_are_told_apart() {
    let line = "e2e3 d7d6 f1b5";
    let right = "a6/b5, Be6/Bd7, Bf5/Bd7, Bg4/Bd7, Bh3/Bd7, Nf6/Nd7";
    let judge = |list| lines::replies(line, list).expect("legal").verdict;
    assert_eq!(judge(right), Verdict::Confirmed);
    assert_eq!(
        judge("a6/b5, Be6/Bd7, Bf5/Bd7, Bg4/Bd7, Bh3/Bd7"),
        Verdict::Refuted
    );
    assert_eq!(
        judge("a6/b5, Be6/Bd7, Bf5/Bd7, Bg3/Bd7, Bh3/Bd7, Nf3/Nd7"),
        Verdict::ConfirmedAsAmended
    );
}

#[test]
fn lost_units_that_fit_replay() {
    let finding = found("submission/example-2");
    let (fens, both) = (column(&finding, "fen"), column(&finding, "both"));
    let fits: Vec<&String> = fens
        .iter()
        .zip(&both)
        .filter(|(_, b)| *b == "true")
        .map(|(f, _)| f)
        .collect();
    assert_eq!(
        finding.verdict == Verdict::ConfirmedAsAmended,
        !fits.is_empty()
    );
    for fen in fits {
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
    // The squares of the knight that the first statement names are recounted.
    for (row, fen) in finding.evidence.rows.iter().zip(&fens) {
        let submits = legal("submission", fen).contains(&"g7g6".to_string())
            && after("submission", fen, &["g7g6"]).1 == "black-wins submission";
        assert!(submits || row[2] == "false", "{fen}");
    }
}

#[test]
fn lost_units_are_no_more_than_needed_and_none_mend_another_diagram() {
    let finding = lost_units::lost_units(lost_units::PRINTED);
    let added = column(&finding, "added_units");
    let both = column(&finding, "both");
    let least = added
        .iter()
        .zip(&both)
        .filter(|(_, b)| *b == "true")
        .map(|(n, _)| n)
        .min();
    let most = added
        .iter()
        .zip(&both)
        .filter(|(_, b)| *b == "true")
        .map(|(n, _)| n)
        .max();
    assert_eq!(least, most);
    // A diagram in which nothing can be as said.
    let far = lost_units::lost_units("7k/6p1/5p2/8/2B5/8/8/K7 b - - 0 1");
    assert_eq!(far.verdict, Verdict::Refuted);
}

#[test]
fn spartan_matches_are_judged_as_the_page_says() {
    let finding = found("spartan/match");
    assert_eq!(finding.verdict, Verdict::Confirmed, "{}", finding.summary);
    let pairs: u64 = column(&finding, "pairs").iter().map(|n| number(n)).sum();
    assert_eq!(pairs, 121 * 121);
    fn swapped(moves: u32, first: Ending, second: Ending) -> MatchResult {
        match_result(moves, second, first)
    }
    assert_eq!(tables::matches(swapped).verdict, Verdict::Refuted);
    fn lenient(moves: u32, first: Ending, second: Ending) -> MatchResult {
        let milder = |game| match game {
            Ending::BlackMated(_) => Ending::Unmated,
            other => other,
        };
        match_result(moves, milder(first), milder(second))
    }
    assert_eq!(tables::matches(lenient).verdict, Verdict::Refuted);
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
        let Setup::Narrow(s) = setup("contravention", &row[8]) else {
            panic!("wide");
        };
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
