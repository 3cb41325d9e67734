//! FENs from standard input, one a line, for every command that takes one.

use crate::run::{EMPTY_BOARD, answer, holds, run_with, started};
use std::io::{BufRead, BufReader, Write};

#[test]
fn lines_of_standard_input_are_answered_in_order() {
    let input = format!("{EMPTY_BOARD}\r\nk7/1Q6/1K6/8/8/8/8/8 b - - 0 1");
    let run = run_with(&["outcome", "fide", "-"], input.as_bytes());
    assert_eq!(run.out, "ongoing\nwhite-wins checkmate\n");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
}

#[test]
fn several_lists_of_turns_are_set_apart_by_an_empty_line() {
    let mate = "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1";
    let few = "7k/8/8/8/8/8/r7/K7 w - - 0 1";
    let input = format!("{few}\n{mate}\n{few}\n");
    let run = run_with(&["turns", "fide", "-"], input.as_bytes());
    assert_eq!(run.out, "a1a2\na1b1\n\n\na1a2\na1b1\n");
    let boards = run_with(&["show", "fide", "-"], format!("{few}\n{few}\n").as_bytes());
    assert_eq!(boards.out.matches("White to move\n").count(), 2);
    holds(&boards.out, &["White to move\n\n8 "]);
}

#[test]
fn bad_lines_are_told_with_their_number_and_the_others_answered() {
    let input = format!("{EMPTY_BOARD}\nnonsense\n\n{EMPTY_BOARD}\n\u{ff}");
    let mut bytes = input.into_bytes();
    bytes.extend(b"\xff\n");
    bytes.extend(EMPTY_BOARD.as_bytes());
    let run = run_with(&["outcome", "fide", "-"], &bytes);
    assert_eq!(run.code, 2);
    assert_eq!(run.out, "ongoing\n".repeat(3));
    holds(
        &run.err,
        &[
            "error: line 2: FEN: 1 field, it takes",
            "error: line 3: FEN, ",
            "error: line 5: FEN: it is no text in UTF-8",
        ],
    );
    assert!(!run.err.contains("line 1:") && !run.err.contains("line 4:"));
}

#[test]
fn no_line_at_all_is_no_answer() {
    assert_eq!(answer(&["turns", "fide", "-"]), "");
}

#[test]
fn a_line_without_end_is_refused() {
    let input = vec![b'8'; 3 << 20];
    let run = run_with(&["turns", "fide", "-"], &input);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    holds(&run.err, &["error: standard input, line 1: more than"]);
}

#[test]
fn answers_come_line_by_line() {
    let mut child = started(&["outcome", "fide", "-"]);
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    for _ in 0..3 {
        writeln!(input, "{EMPTY_BOARD}").expect("it reads");
        assert_eq!(output.next().expect("a line").expect("text"), "ongoing");
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn play_and_perft_take_lines_too() {
    let input = format!("{EMPTY_BOARD}\nbad\n{EMPTY_BOARD}\n");
    let run = run_with(&["play", "fide", "--fen", "-", "e1e2"], input.as_bytes());
    assert_eq!(run.code, 2);
    assert_eq!(
        run.out,
        "4k3/8/8/8/8/8/4K3/8 b - - 1 1\nongoing\n".repeat(2)
    );
    let run = run_with(&["perft", "fide", "2", "--fen", "-"], input.as_bytes());
    assert_eq!((run.code, run.out.as_str()), (2, "25\n25\n"));
    let run = run_with(
        &["perft", "fide", "0", "--divide", "--fen", "-"],
        input.as_bytes(),
    );
    assert_eq!(run.out, "\nNodes searched: 1\n\n\nNodes searched: 1\n");
}

#[cfg(unix)]
#[test]
fn devices_without_end_are_refused_wherever_a_file_is_named() {
    for arguments in [
        &["puzzles", "/dev/zero"][..],
        &["puzzles", "import", "/dev/zero"],
        &["perft", "--suite", "/dev/zero"],
        &["solve", "--suite", "/dev/zero"],
        &["solve", "--check", "/dev/zero"],
        &["rules", "check", "/dev/zero"],
        &["start", "fide", "--rules", "/dev/zero"],
        &["explore", "fide", "--hosts", "/dev/zero", "--process", "0"],
    ] {
        crate::run::holds(
            &crate::run::refusal(arguments),
            &["/dev/zero", "more than "],
        );
    }
    crate::run::holds(
        &crate::run::refusal(&["prove", "check", "/dev/zero"]),
        &["not a certificate"],
    );
}

#[test]
fn texts_that_are_too_long_are_refused_in_short_messages() {
    let long = "k".repeat(100_000);
    let suite = format!("variant,fen,depth,nodes\nfide,{long},1,1\n");
    let (_folder, path) = crate::run::file(&suite);
    let fen = crate::run::refusal(&["perft", "--suite", &path]);
    crate::run::holds(&fen, &["100000 bytes"]);
    let id = crate::run::refusal(&["start", &long]);
    let puzzle = format!(
        "[[puzzle]]\nid = \"{long}\"\nvariant = \"fide\"\nfen = \"7k/8/5K2/8/8/8/8/6R1 w - - 0 1\"\n\
         stipulation = \"#1\"\nkeys = \"none\"\n"
    );
    let (_folder, path) = crate::run::file(&puzzle);
    let puzzle = crate::run::refusal(&["puzzles", &path]);
    crate::run::holds(&puzzle, &["200"]);
    let (_folder, hosts) = crate::run::file(&long);
    let hosts = crate::run::refusal(&["explore", "fide", "--hosts", &hosts, "--process", "0"]);
    for message in [fen, id, puzzle, hosts] {
        assert!(message.len() < 2000, "{} bytes", message.len());
    }
}
