//! `fairyproof compare`: two rule sets at one position.

use crate::run::{EMPTY_BOARD, answer, holds, refusal, run, run_with};

#[test]
fn the_same_variant_does_not_differ() {
    let out = answer(&["compare", "fide", "fide"]);
    holds(&out, &["fide and fide at rnbqkbnr/", "\nno difference\n"]);
    assert_eq!(
        answer(&["compare", "fide", "fide", "--format", "json"]),
        "[]\n"
    );
}

#[test]
fn compare_tells_turns_of_one_variant_and_other_effects() {
    let fen = "3k3/P6/7/7/P6/3K3 w - - 0 1";
    let run = run(&["compare", "fide", "bachelor", fen, "--format", "csv"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    let mut reader = csv::Reader::from_reader(run.out.as_bytes());
    let header = reader.headers().expect("a header").clone();
    assert_eq!(
        header.iter().collect::<Vec<_>>().join(","),
        "first_variant,second_variant,fen,turn,difference,first_fen,first_outcome,second_fen,\
         second_outcome"
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(|r| r.expect("a row")).collect();
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(
        rows[0].iter().collect::<Vec<_>>(),
        [
            "fide",
            "bachelor",
            fen,
            "a2a4",
            "only-first",
            "3k3/P6/P6/7/7/3K3 b - - 0 1",
            "ongoing",
            "",
            ""
        ]
    );
}

#[test]
fn compare_tells_another_outcome_after_a_turn() {
    let fen = "6k/Q6/7/7/7/3K3 w - - 0 1";
    let run = run(&["compare", "fide", "bachelor", fen, "--format", "json"]);
    assert_eq!(run.code, 1);
    let rows: Vec<serde_json::Value> = serde_json::from_str(&run.out).expect("JSON");
    let row = rows
        .iter()
        .find(|row| row["turn"] == "a5e1")
        .expect("the marriage");
    assert_eq!(row["difference"], "effect");
    assert_eq!(row["first_fen"], row["second_fen"]);
    assert_eq!(row["first_outcome"], "ongoing");
    assert_eq!(row["second_outcome"], "white-wins marriage");
    let change = rows
        .iter()
        .find(|row| row["turn"] == "a5a6r")
        .expect("the change");
    assert_eq!(change["difference"], "only-second");
    assert_eq!(change["first_fen"], serde_json::Value::Null);
}

#[test]
fn compare_tells_castling_rights_once_and_another_outcome_of_the_position() {
    for (fen, told) in [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1 only in fide\n"),
        ("k7/8/1Q6/8/8/8/8/1K6 b - - 0 1", "draw stalemate\n"),
    ] {
        let run = run(&["compare", "fide", "convergent", fen]);
        assert_eq!(run.code, 1);
        holds(&run.out, &["the position is read differently\n", told]);
        assert!(!run.out.contains("e1d1 "), "{}", run.out);
    }
}

#[test]
fn compare_drops_from_the_start_what_the_second_does_not_know() {
    let run = run(&["compare", "bachelor", "fide"]);
    assert_eq!(run.code, 1);
    assert_eq!(
        run.err,
        "note: `fide` does not know `AGag` of the start of `bachelor` and reads it without\n"
    );
    holds(&run.out, &["a2a4 only in fide\n"]);
}

#[test]
fn compare_drops_a_state_that_the_second_does_not_know() {
    let run = run(&["compare", "french-revolution", "fide"]);
    assert_eq!(run.code, 1);
    holds(&run.err, &["note: `fide` does not know `first=1`"]);
    holds(
        &run.out,
        &["the position is read differently\n", "b1c3 only in fide\n"],
    );
    assert!(!run.out.contains("a5a6"), "legal in both:\n{}", run.out);
    let err = refusal(&[
        "compare",
        "french-revolution",
        "fide",
        &format!("{EMPTY_BOARD} first=1"),
    ]);
    holds(&err, &["FEN as `fide` reads it, field 7 (state)"]);
}

#[test]
fn compare_refuses_a_fen_that_one_of_them_cannot_read() {
    let fen = "3k3/7/7/7/7/3K3 w AGag - 0 1";
    holds(
        &refusal(&["compare", "bachelor", "fide", fen]),
        &["error: FEN as `fide` reads it, field 3 (castling)"],
    );
}

#[test]
fn compare_takes_lines_and_gathers_their_rows() {
    let fen = "3k3/P6/7/7/P6/3K3 w - - 0 1";
    let input = format!("{fen}\nbad\n{fen}\n");
    let arguments = ["compare", "fide", "bachelor", "-", "--format", "csv"];
    let run = run_with(&arguments, input.as_bytes());
    assert_eq!(run.code, 2);
    assert_eq!(run.out.lines().count(), 3);
    holds(&run.err, &["error: line 2: FEN as `fide` reads it"]);
    let texts = run_with(&arguments[..4], input.as_bytes());
    assert_eq!(texts.out.matches("a2a4 only in fide\n").count(), 2);
    holds(&texts.out, &["\n\nfide and bachelor at "]);
}
