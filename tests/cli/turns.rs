//! `fairyproof turns`: the legal turns.

use crate::run::{answer, holds, run};

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

#[test]
fn an_en_passant_square_that_is_set_aside_has_no_effect() {
    let black = "4k3/8/8/3pP3/8/8/8/4K3 b - e4 0 1";
    let white = "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1";
    for (id, fen, square, turn) in [
        ("fide", black, "e4", "d5e4"),
        ("fide-text", black, "e4", "d5e4"),
        ("chess", black, "e4", "d5e4"),
        ("crazyhouse", black, "e4", "d5e4"),
        ("society-text", black, "e4", "d5e4"),
        ("glory", white, "d6", "c5d6"),
        ("glory-text", white, "d6", "c5d6"),
    ] {
        let note = format!(
            "note: the en passant square `{square}` is read without: no pawn has just passed it\n"
        );
        let turns = run(&["turns", id, fen]);
        assert_eq!(turns.err, note, "{id}");
        assert!(!turns.out.contains(turn), "{id}: {}", turns.out);
        let shown = run(&["show", id, fen]);
        assert!(!shown.out.contains("en passant"), "{id}: {}", shown.out);
        let played = run(&["play", id, "--fen", fen]);
        assert!(played.out.contains(" - - 0 1"), "{id}: {}", played.out);
    }
    // A square that counts, whether or not a pawn can capture on it.
    for fen in [
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
        "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1",
    ] {
        assert_eq!(run(&["turns", "chess", fen]).err, "", "{fen}");
    }
}

#[test]
fn a_counter_that_a_rule_text_does_not_read_is_noted() {
    let fen = "3k/4/4/KR2 w - - 50 1";
    assert_eq!(
        answer(&["play", "prop", "--fen", fen]),
        format!("{fen}\ndraw fifty-half-moves\n")
    );
    let text = run(&["play", "prop-text", "--fen", fen]);
    assert_eq!(
        text.err,
        "note: the halfmove clock `50` has no effect: `prop-text` counts in its state, quiet\n"
    );
    for (id, fen) in [
        ("prop-text", "3k/4/4/KR2 w - - 0 1 quiet=50"),
        ("fide-text", fen),
        ("spartan-text", "4k3/8/8/8/8/8/8/4K3 w - - 0 9"),
    ] {
        assert_eq!(run(&["play", id, "--fen", fen]).err, "", "{id}");
    }
}
