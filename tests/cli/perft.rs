//! `fairyproof perft`: counts of lines.

use crate::run::{answer, holds, refusal};

#[test]
fn perft_counts_lines() {
    assert_eq!(answer(&["perft", "fide", "0"]), "1\n");
    assert_eq!(answer(&["perft", "fide", "1"]), "20\n");
    assert_eq!(answer(&["perft", "fide", "4"]), "197281\n");
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_eq!(
        answer(&["perft", "fide", "3", "--fen", kiwipete]),
        "97862\n"
    );
}

#[test]
fn perft_beyond_the_end_is_zero() {
    let mate = "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1";
    assert_eq!(answer(&["perft", "fide", "0", "--fen", mate]), "1\n");
    assert_eq!(answer(&["perft", "fide", "5", "--fen", mate]), "0\n");
}

#[test]
fn perft_divide_has_the_shape_of_stockfish() {
    let fen = "7k/8/8/8/8/8/r7/K7 w - - 0 1";
    assert_eq!(
        answer(&["perft", "fide", "2", "--fen", fen, "--divide"]),
        "a1a2: 3\na1b1: 17\n\nNodes searched: 20\n"
    );
    let out = answer(&["perft", "fide", "2", "--divide"]);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[..20].is_sorted());
    assert_eq!(lines[11], "e2e4: 20");
    assert_eq!(lines[20..], ["", "Nodes searched: 400"]);
    assert_eq!(
        answer(&["perft", "fide", "0", "--divide"]),
        "\nNodes searched: 1\n"
    );
}

#[test]
fn perft_is_the_same_on_any_number_of_threads() {
    let one = answer(&["perft", "bachelor", "4", "--divide", "--threads", "1"]);
    for threads in ["2", "5"] {
        assert_eq!(
            answer(&["perft", "bachelor", "4", "--divide", "--threads", threads]),
            one
        );
    }
}

#[test]
fn perft_of_a_thousand_forced_turns_is_one() {
    let shuttle = "K1*k1 w - - 0 1";
    assert_eq!(answer(&["perft", "fide", "1000", "--fen", shuttle]), "1\n");
}

#[test]
fn wrong_numbers_are_told() {
    for depth in ["-1", "1001", "x", "1.5", "01", "99999999999999999999", ""] {
        let err = refusal(&["perft", "fide", depth]);
        holds(
            &err,
            &[&format!("'{depth}'"), "whole number from 0 to 1000"],
        );
    }
    for threads in ["0", "-2", "x", "100000"] {
        let err = refusal(&["perft", "fide", "1", "--threads", threads]);
        holds(
            &err,
            &[
                &format!("'{threads}'"),
                "--threads",
                "whole number from 1 to 1024",
            ],
        );
    }
}

#[test]
fn every_command_refuses_zero_threads_with_the_reason() {
    for command in [
        &["explore", "fide"][..],
        &["perft", "fide", "1"],
        &["prove", "fide"],
        &["puzzles"],
        &["puzzles", "mine", "bachelor"],
        &["report", "atlas"],
        &["report", "endgames"],
        &["serve"],
        &["solve", "fide", "#1"],
        &["table", "build", "fide", "KRvK"],
        &["table", "check", "fide", "KRvK"],
        &["verify"],
    ] {
        let err = refusal(&[command, &["--threads", "0"]].concat());
        holds(&err, &["'0'", "--threads", "whole number from 1 to 1024"]);
    }
}

#[test]
fn perft_takes_a_suite_or_a_position_but_not_both() {
    holds(
        &refusal(&["perft", "fide", "2", "--suite", "x.csv"]),
        &["cannot be used with"],
    );
    holds(
        &refusal(&["perft", "--suite", "x.csv", "--divide"]),
        &["cannot be used with"],
    );
}
