//! Printed lines.

use super::{cells, judged, refused, says, verified};
use fairyproof_claims::Verdict;

#[test]
fn legal_line_ends_as_stated() {
    let found = verified("line = '1. f3 e5 2. g4 Qh4#'\nends = 'black-wins checkmate'");
    judged(&found, Verdict::Confirmed);
    let turns = cells(&found, 2);
    assert_eq!(turns, ["f2f3", "e7e5", "g2g4", "d8h4"]);
    for (ends, verdict) in [
        ("black-wins", Verdict::Confirmed),
        ("white-wins", Verdict::Refuted),
        ("ongoing", Verdict::Refuted),
        ("draw stalemate", Verdict::Refuted),
    ] {
        let found = verified(&format!("line = 'f3 e5 g4 Qh4'\nends = '{ends}'"));
        assert_eq!(found.verdict, verdict, "{ends}: {}", found.summary);
    }
}

#[test]
fn illegal_turn_is_named_with_the_reason() {
    let line = "line = '1. e4 e5 2. Ke3'";
    let found = verified(line);
    judged(&found, Verdict::Refuted);
    says(&found, "turn 3 (`Ke3`)");
    let found = verified(&format!("{line}\nlegal = false"));
    judged(&found, Verdict::Confirmed);
    assert_eq!(found.evidence.rows.len(), 3);
    assert_eq!(
        verified("line = 'e4'\nlegal = false").verdict,
        Verdict::Refuted
    );
    // A text that cannot be parsed is not a legal turn.
    assert_eq!(
        verified("line = 'e4 %%'\nlegal = false").verdict,
        Verdict::Confirmed
    );
    // Nothing is legal after the end.
    assert_eq!(
        verified("line = 'f3 e5 g4 Qh4 a3'\nlegal = false").verdict,
        Verdict::Confirmed
    );
}

#[test]
fn turn_that_fits_several_is_read_so_that_the_line_is_legal() {
    // Both knights can go to d2; only the one from b1 leaves the other to go to e5.
    let fen = "fen = '4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1'";
    let found = verified(&format!("{fen}\nline = 'Nd2 Kd8 Ne5'"));
    judged(&found, Verdict::Confirmed);
    assert_eq!(found.evidence.rows[0][2], "b1d2");
}

#[test]
fn marks_are_printed_exactly_where_their_conditions_hold() {
    let marks = "marks = { '+' = 'check && !over', '#' = 'over', 'x' = 'size(captures) > 0' }";
    let line = |line: &str| verified(&format!("line = '{line}'\n{marks}"));
    let found = line("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#");
    judged(&found, Verdict::Confirmed);
    let found = line("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7");
    judged(&found, Verdict::Refuted);
    says(&found, "`#` is missing after turn 7");
    let found = line("e4 d5 Bb5");
    says(&found, "`+` is missing after turn 3");
    let found = line("e4+ d5 Bb5+");
    says(&found, "`+` is printed without reason after turn 1");
    let found = line("e2e4 d7d5 e4d5");
    says(&found, "`x` is missing after turn 3");
}

#[test]
fn wrong_values_are_refused_with_their_place() {
    for (claim, why) in [
        (
            "line = 'e4'\nends = 'white-won'",
            "did you mean `white-wins`?",
        ),
        (
            "line = 'e4'\nends = 'draw checkmat'",
            "did you mean `checkmate`?",
        ),
        ("line = '1. 1-0'", "the line has no turn"),
        (
            "line = 'e5'\nlegal = false\nends = 'draw'",
            "a line with an illegal turn has no end",
        ),
        (
            "line = 'e4'\nmarks = { '+' = 'chek' }",
            "did you mean `check`?",
        ),
        (
            "line = 'e4'\nmarks = { '+' = '1' }",
            "a condition, true or false, is wanted here",
        ),
        ("line = 'e4'\nmarks = { '' = 'check' }", "cannot be a mark"),
    ] {
        let error = refused(claim);
        assert!(
            error.contains(why) && error.contains("a.toml, line "),
            "{claim}: {error}"
        );
    }
}

#[test]
fn list_of_replies_is_exactly_that_of_the_legal_turns() {
    let fen = "fen = '7k/8/6K1/8/8/8/8/7R b - - 0 1'";
    let found = verified(&format!("{fen}\nreplies = 'Kg8'"));
    judged(&found, Verdict::Confirmed);
    let found = verified(&format!("{fen}\nreplies = 'Kg8, Kg7'"));
    judged(&found, Verdict::Refuted);
    let found = verified("replies = 'e4 d4'");
    assert!(
        found.summary.starts_with("20 legal turns, 2 printed"),
        "{}",
        found.summary
    );
}
