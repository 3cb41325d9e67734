//! `fairyproof turns`: the legal turns.

use crate::run::{answer, holds};

#[test]
fn turns_come_one_a_line_in_byte_order() {
    let out = answer(&["turns", "fide", "4k3/P7/8/8/8/8/8/R3K3 w Q - 0 1"]);
    let turns: Vec<&str> = out.lines().collect();
    assert!(turns.is_sorted());
    assert_eq!(turns.len(), 18);
    holds(&out, &["a7a8q\n", "e1c1\n"]);
}

#[test]
fn turns_of_the_start_without_a_fen() {
    assert_eq!(answer(&["turns", "fide"]).lines().count(), 20);
}

#[test]
fn turns_of_a_terminal_position_are_nothing() {
    assert_eq!(
        answer(&["turns", "fide", "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"]),
        ""
    );
}

#[test]
fn turns_of_several_positions_are_rows() {
    let fens = b"4k3/8/8/8/8/8/8/K7 b - - 0 1\nnonsense\n7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n";
    let run = crate::run::run_with(&["turns", "fide", "-", "--format", "csv"], fens);
    assert_eq!(run.code, 2);
    let rows = "fen,legal_turns\n\
                4k3/8/8/8/8/8/8/K7 b - - 0 1,e8d7 e8d8 e8e7 e8f7 e8f8\n\
                7k/5Q2/6K1/8/8/8/8/8 b - - 0 1,\n";
    assert_eq!(run.out, rows);
    crate::run::holds(&run.err, &["line 2"]);
    let json = crate::run::answer(&[
        "turns",
        "fide",
        "4k3/8/8/8/8/8/8/K7 b - - 0 1",
        "--format",
        "json",
    ]);
    crate::run::holds(&json, &["\"legal_turns\": \"e8d7 e8d8 e8e7 e8f7 e8f8\""]);
}
