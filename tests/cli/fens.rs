//! What is wrong with a FEN, field by field, and what is dropped on reading.

use crate::run::{EMPTY_BOARD, answer, holds, refusal, run};

/// The FEN is refused by `turns`, at this place, with these words.
#[track_caller]
fn fen_refused(variant: &str, fen: &str, words: &[&str]) {
    let err = refusal(&["turns", variant, fen]);
    assert!(err.starts_with("error: FEN"), "{fen}: {err}");
    holds(&err, words);
}

/// The FEN is refused because of this field and its text.
#[track_caller]
fn field_refused(fen: &str, field: &str, text: &str) {
    fen_refused("fide", fen, &[field, &format!("`{text}`")]);
}

#[test]
fn wrong_letter_on_the_board_refused() {
    fen_refused(
        "fide",
        "4k3/8/8/3x4/8/8/8/4K3 w - - 0 1",
        &[
            "error: FEN, field 1 (board), column 10: `x` is not a unit",
            "\nhelp: its units: PNBRQK",
        ],
    );
    fen_refused(
        "fide",
        "4k3/8/8/3é4/8/8/8/4K3 w - - 0 1",
        &["column 10", "`é`"],
    );
}

#[test]
fn short_rank_refused() {
    fen_refused(
        "fide",
        "4k3/8/7/8/8/8/8/4K3 w - - 0 1",
        &[
            "field 1 (board), column 7",
            "rank 6 has 7 squares, rank 8 has 8",
        ],
    );
    fen_refused(
        "fide",
        "4k3/8//8/8/8/8/4K3 w - - 0 1",
        &["column 7", "rank 6"],
    );
}

#[test]
fn too_many_squares_refused() {
    fen_refused(
        "fide",
        "k16/17/K16 w - - 0 1",
        &["field 1 (board), column 5", "`17`"],
    );
    fen_refused(
        "fide",
        &format!("{}/16 w - - 0 1", ["16"; 8].join("/")),
        &["at most 128"],
    );
    fen_refused(
        "fide",
        &format!("{}/1 w - - 0 1", ["1"; 16].join("/")),
        &["17 ranks"],
    );
    fen_refused(
        "fide",
        "k99999999999999999999999999/K7 w - - 0 1",
        &["column 2", "not a count of vacant squares"],
    );
}

#[test]
fn runs_of_zero_or_with_a_leading_zero_refused() {
    fen_refused(
        "fide",
        "4k3/0/8/8/8/8/8/4K3 w - - 0 1",
        &["column 5", "`0`"],
    );
    fen_refused(
        "fide",
        "4k3/08/8/8/8/8/8/4K3 w - - 0 1",
        &["column 5", "`08`"],
    );
    fen_refused(
        "fide",
        "4k4/09/9/9/9/9/9/4K4 w - - 0 1",
        &["column 5", "`09`", "leading zeros"],
    );
}

#[test]
fn missing_or_second_king_refused() {
    fen_refused(
        "fide",
        "8/8/8/8/8/8/8/4K3 w - - 0 1",
        &["Black has 0 units `k`", "exactly 1"],
    );
    fen_refused(
        "fide",
        "4k3/8/8/8/8/8/8/KK6 w - - 0 1",
        &["White has 2 units `K`"],
    );
}

#[test]
fn pawn_on_the_last_rank_refused() {
    fen_refused(
        "fide",
        "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        &["pawn of White", "a8"],
    );
}

#[test]
fn mover_left_in_check_refused() {
    fen_refused(
        "fide",
        "4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
        &["e8", "attacked"],
    );
}

#[test]
fn wrong_side_to_move_refused() {
    fen_refused(
        "fide",
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        &["field 2 (side to move)", "`x` is neither `w` nor `b`"],
    );
}

#[test]
fn wrong_castling_field_refused() {
    let fen = "4k3/8/8/8/8/8/8/4K3 w X - 0 1";
    field_refused(fen, "field 3 (castling)", "X");
    fen_refused(
        "fide",
        "4k3/8/8/8/8/8/8/4K3 w KK - 0 1",
        &["field 3 (castling)", "twice"],
    );
    fen_refused(
        "bachelor",
        "3k3/7/7/7/7/3K3 w KQkq - 0 1",
        &["field 3 (castling)", "GAga"],
    );
}

#[test]
fn castling_right_without_its_rook_is_dropped() {
    let told = run(&["play", "fide", "--fen", "4k3/8/8/8/8/8/8/R3K3 w KQkq - 0 1"]);
    assert_eq!(told.out, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\nongoing\n");
    assert!(
        told.err
            .starts_with("note: the castling rights `Kkq` are read without")
    );
}

#[test]
fn wrong_en_passant_field_refused() {
    for field in ["e9", "i3", "e", "e03", "33"] {
        let fen = format!("4k3/8/8/8/8/8/8/4K3 w - {field} 0 1");
        field_refused(&fen, "field 4 (en passant)", field);
    }
}

#[test]
fn en_passant_square_without_a_capture_is_dropped() {
    let out = answer(&["play", "fide", "--fen", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"]);
    assert_eq!(out.lines().next(), Some("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"));
}

#[test]
fn wrong_clock_and_number_refused() {
    for clock in ["x", "-1", "01", "1.5", "4294967296"] {
        let fen = format!("4k3/8/8/8/8/8/8/4K3 w - - {clock} 1");
        field_refused(&fen, "field 5 (halfmove clock)", clock);
    }
    for (number, why) in [("x", "whole number"), ("01", "whole number")] {
        let fen = format!("4k3/8/8/8/8/8/8/4K3 w - - 0 {number}");
        fen_refused("fide", &fen, &["field 6 (fullmove number)", why]);
    }
}

#[test]
fn move_number_zero_is_read_as_one() {
    let out = answer(&["play", "fide", "--fen", "4k3/8/8/8/8/8/8/4K3 w - - 3 0"]);
    assert_eq!(out.lines().next(), Some("4k3/8/8/8/8/8/8/4K3 w - - 3 1"));
}

#[test]
fn wrong_state_refused() {
    fen_refused(
        "fide",
        &format!("{EMPTY_BOARD} checks=1,0"),
        &["field 7 (state)", "`checks`"],
    );
    fen_refused(
        "fide",
        &format!("{EMPTY_BOARD} nonsense"),
        &["field 7 (state)", "key=value"],
    );
}

#[test]
fn wrong_state_of_a_variant_with_state_refused() {
    let french = |state: &str, words: &[&str]| {
        fen_refused(
            "french-revolution",
            &format!("{EMPTY_BOARD} {state}"),
            words,
        );
    };
    french("first=2", &["field 7 (state)", "`first=2`"]);
    french("frist=1", &["no key `frist`", "did you mean `first`?"]);
    french("first=1;first=1", &["key `first` occurs twice"]);
    let chromopolis = |state: &str| {
        let fen = format!("k6/7/7/7/7/6K w - - 0 1 {state}");
        fen_refused("chromopolis", &fen, &["field 7 (state)"]);
    };
    for state in [
        "bound=",
        "bound=h9N",
        "bound=c3",
        "bound=c3X",
        "bound=c3nN",
        "bound=d4P,c3N",
    ] {
        chromopolis(state);
    }
}

#[test]
fn wrong_number_of_fields_refused() {
    fen_refused(
        "fide",
        "4k3/8/8/8/8/8/8/4K3 w -",
        &["3 fields, it takes 4, 6 or 7"],
    );
    fen_refused("fide", "4k3/8/8/8/8/8/8/4K3 w - - 0", &["5 fields"]);
    fen_refused("fide", &format!("{EMPTY_BOARD} a=1 b=2"), &["8 fields"]);
    fen_refused("fide", "", &["the field is empty"]);
}

#[test]
fn clocks_may_be_left_out_together() {
    let out = answer(&["play", "fide", "--fen", "4k3/8/8/8/8/8/8/4K3 w - -"]);
    assert_eq!(out, format!("{EMPTY_BOARD}\nongoing\n"));
}

#[test]
fn castling_rights_named_by_files_are_refused_with_the_reason() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";
    let told = refusal(&["play", "fide", &format!("{start} HAha - 0 1")]);
    holds(&told, &["`H` is not a castling right", "Chess960"]);
}

#[test]
fn a_board_of_another_game_is_told() {
    for variant in ["bachelor", "convergent"] {
        let told = run(&["outcome", variant, EMPTY_BOARD]);
        assert_eq!(told.code, 0, "{told:?}");
        assert!(told.err.starts_with("note: the board is "), "{told:?}");
    }
    // Boards of other sizes are made on purpose.
    answer(&["outcome", "fide", "3k/4/4/K3 w - - 0 1"]);
    answer(&["outcome", "fide", "4k4/9/9/9/4K4 w - - 0 1"]);
}

#[test]
fn positions_stand_beside_or_are_named_in_every_command() {
    let fen = "8/8/8/8/8/1k6/1q6/K7 w - - 0 1";
    for (before, after) in [
        (&["show", "fide"][..], &[][..]),
        (&["turns", "fide"], &[]),
        (&["outcome", "fide"], &[]),
        (&["perft", "fide", "1"], &[]),
        (&["compare", "fide", "fide"], &[]),
        (&["play", "fide"], &[]),
        (&["solve", "fide"], &["#1"]),
        (&["explore", "fide"], &[]),
        (&["prove", "fide"], &["win"]),
        (&["table", "probe", "fide"], &[]),
    ] {
        let beside = run(&[before, &[fen], after].concat());
        let named = run(&[before, &["--fen", fen], after].concat());
        assert_eq!(
            (beside.code, &beside.out),
            (named.code, &named.out),
            "{before:?}"
        );
        assert!(!beside.err.contains("Usage"), "{before:?}: {beside:?}");
        let words: Vec<&str> = fen.split(' ').collect();
        let loose = run(&[before, &words[..], after].concat());
        assert_eq!(loose.code, 2, "{before:?}: {loose:?}");
        assert_eq!(
            loose.err.matches("put it into quotes").count(),
            1,
            "{before:?}: {loose:?}"
        );
    }
}

#[test]
fn startpos_is_the_start_position() {
    for id in ["fide", "bachelor", "crazyhouse"] {
        let turns = crate::run::answer(&["turns", id]);
        assert_eq!(crate::run::answer(&["turns", id, "startpos"]), turns);
        let counted = crate::run::answer(&["perft", id, "2"]);
        assert_eq!(
            crate::run::answer(&["perft", id, "2", "--fen", "startpos"]),
            counted
        );
    }
    let run = crate::run::run(&["solve", "fide", "startpos", "#1", "--keys"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    let run = crate::run::run_with(&["outcome", "fide", "-"], b"startpos\nnonsense\n");
    assert_eq!(run.code, 2);
    assert!(run.out.starts_with("ongoing\nerror: FEN: "), "{run:?}");
}
