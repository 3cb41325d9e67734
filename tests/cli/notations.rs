//! Positions, turns and games in the notations of other programs and of collections.

use crate::run::{answer, file, holds, refusal, run};

#[test]
fn drops_gates_and_passes_are_read_as_others_write_them() {
    let line = "1. e4 d5 2. exd5 Qxd5 3. @e4 Qd8 4. P@e5";
    let out = answer(&[
        "play",
        "crazyhouse",
        "--fen",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Pp] w KQkq - 0 1",
        line,
    ]);
    assert!(
        out.starts_with("rnbqkbnr/ppp1pppp/8/4P3/4P3/8/PPPP1PPP/RNBQKBNR[pp] b"),
        "{out}"
    );
    // A knight in hand is not what `Nf3` means.
    let fen = "4k3/8/8/8/8/8/8/4K1N1[N] w - - 0 1";
    for (turn, board) in [
        ("Nf3", "4k3/8/8/8/8/5N2/8/4K3[N]"),
        ("N@f3+", "4k3/8/8/8/8/5N2/8/4K1N1[]"),
    ] {
        assert!(
            answer(&["play", "crazyhouse", "--fen", fen, turn]).starts_with(board),
            "{turn}"
        );
    }
    let gates = answer(&[
        "play",
        "seirawan",
        "1. e4 e5 2. Nf3 Nc6/E 3. Bc4 Bc5 4. O-O/Ee1",
    ]);
    assert!(
        gates.starts_with("rebqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQERK1"),
        "{gates}"
    );
    holds(
        &refusal(&["play", "seirawan", "1. e4 e5 2. Nf3/X"]),
        &["turn 3", "Nf3/X"],
    );
    // A `--` of its own ends the options of a command line.
    for pass in ["1. --", "pass", "0000"] {
        let (_folder, name) = file("[passing:chess]\npass = true\n");
        let out = answer(&["--rules", &name, "play", "passing", pass]);
        assert!(out.contains(" b "), "{pass}: {out}");
        holds(&refusal(&["play", "fide", pass]), &["turn 1"]);
    }
}

#[test]
fn boards_alone_are_solved_with_the_side_that_the_stipulation_gives() {
    for (board, stipulation, side) in [
        ("8/8/8/p7/Q7/2Kp4/b2P4/k7", "#2", "w"),
        ("8/8/8/8/8/1K6/7R/k7", "h#1.5", "w"),
        ("8/8/8/8/8/1K6/7R/k7", "h#1", "b"),
    ] {
        let fen = format!("{board} {side} - - 0 1");
        let alone = run(&["solve", "fide", "--fen", board, stipulation, "--keys"]);
        let whole = run(&["solve", "fide", "--fen", &fen, stipulation, "--keys"]);
        assert_eq!(
            (alone.code, &alone.out, &alone.err),
            (whole.code, &whole.out, &whole.err),
            "{board}"
        );
    }
    // S is a knight, as in collections.
    let smothered = "6rk/6pp/7S/8/8/8/8/1K6";
    assert!(
        run(&[
            "solve",
            "fide",
            smothered.replace("7S", "8").as_str(),
            "#1",
            "--keys"
        ])
        .code
            == 1
    );
    let mate = answer(&[
        "solve",
        "fide",
        "--fen",
        "6rk/6pp/8/6S1/8/8/8/1K6",
        "#1",
        "--keys",
    ]);
    assert_eq!(mate, "g5f7\n");
    let wrong = refusal(&["solve", "fide", "--fen", "8/8/9", "#2"]);
    holds(&wrong, &["FEN", "field 1 (board)"]);
}

#[test]
fn castling_of_problems_is_noted_and_allowed() {
    let fen = "4k3/8/8/8/8/8/7P/4K2R w - - 0 1";
    let off = run(&["solve", "fide", "--fen", fen, "zg11", "--keys"]);
    holds(
        &off.err,
        &["note: castling is off", "`--castling` allows `K`"],
    );
    assert!(!off.out.contains("e1g1"), "{off:?}");
    let on = run(&[
        "solve",
        "fide",
        "--fen",
        fen,
        "zg11",
        "--keys",
        "--castling",
    ]);
    assert!(
        on.out.contains("e1g1") && !on.err.contains("castling"),
        "{on:?}"
    );
    // Black has made the last turn, and only king and rook can have made it.
    let moved = "4k2r/6pp/8/8/8/8/8/R3K3 w - - 0 1";
    let run = run(&["solve", "fide", "--fen", moved, "#1", "--keys"]);
    holds(&run.err, &["allows `Q`"]);
}

#[test]
fn partners_turns_fill_the_hands_of_bughouse() {
    let out = answer(&[
        "play", "bughouse", "e4", "b:e4", "d5", "b:d5", "exd5", "b:exd5", "Qxd5", "b:Qxd5",
    ]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 4, "{out}");
    for line in [lines[0], lines[2]] {
        assert!(
            line.starts_with("rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR[Pp] w"),
            "{line}"
        );
    }
    let dropped = answer(&[
        "play", "bughouse", "e4", "b:d4", "d5", "b:e5", "exd5", "b:a3", "Qxd5", "b:P@d6",
    ]);
    assert!(
        dropped
            .lines()
            .nth(2)
            .is_some_and(|line| line.starts_with("rnbqkbnr/pppp1ppp/3p4/4p3/3P4/P7")),
        "{dropped}"
    );
    holds(
        &refusal(&["play", "crazyhouse", "b:e4"]),
        &["one board", "bughouse"],
    );
    holds(&refusal(&["play", "bughouse", "e4", "b:e5"]), &["turn 2"]);
}

#[test]
fn games_are_written_and_played_as_pgn() {
    let pgn = answer(&[
        "play",
        "crazyhouse",
        "--pgn",
        "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxd2+ 4. Bxd2 P@e3",
    ]);
    holds(
        &pgn,
        &[
            "[Variant \"Crazyhouse\"]",
            "[SetUp \"1\"]",
            "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1\"]",
            "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxd2+ 4. Bxd2 @e3 *",
        ],
    );
    let (_folder, name) = file(&pgn);
    assert_eq!(
        answer(&["play", "fide", "--games", &name, "--pgn"]),
        format!("{pgn}\n")
    );
    let played = answer(&["play", "fide", "--games", &name]);
    assert_eq!(played.lines().last(), Some("ongoing"));
    // A check that ends the game is marked like checkmate, any other end not.
    let third = "1n1qk2r/1r2p1bp/p1ppbQ2/1p2P3/P1PP2pR/RN1B2P1/1P3PP1/4K3 w - - 1+2 1 23";
    for (id, fen, turn, line) in [
        ("3check", third, "d3g6", "23. Bg6# 1-0"),
        (
            "3check",
            "4k3/8/8/8/8/8/8/4K2R w - - 2+2 0 1",
            "h1h8",
            "1. Rh8+ *",
        ),
        (
            "kingofthehill",
            "7k/8/8/8/8/3K4/8/8 w - - 0 1",
            "d3d4",
            "1. Kd4 1-0",
        ),
        (
            "fide",
            "7k/5K2/8/8/8/8/6Q1/8 w - - 0 1",
            "g2g6",
            "1. Qg6 1/2-1/2",
        ),
    ] {
        holds(&answer(&["play", id, "--pgn", "--fen", fen, turn]), &[line]);
    }
    let mate = answer(&["play", "fide", "--pgn", "f3 e5 g4 Qh4"]);
    holds(&mate, &["[Result \"0-1\"]", "1. f3 e5 2. g4 Qh4# 0-1"]);
    // Variants with turns of several steps, and positions in which Black begins.
    let several = answer(&["play", "french-revolution", "--pgn"]);
    holds(&several, &["[Variant \"french-revolution\"]"]);
    let black = answer(&[
        "play",
        "fide",
        "--pgn",
        "--fen",
        "4k3/8/8/8/8/8/8/R3K3 b - - 5 9",
        "Kd7",
        "Ra7",
    ]);
    holds(&black, &["9... Kd7 10. Ra7+ *"]);
}

#[test]
fn bad_games_are_errors_in_their_place() {
    let games = "[Event \"a\"]\n\n1. e4 e5 2. Ke3 *\n\n[Event \"b\"]\n[Variant \"unknown\"]\n\n1. e4 *\n\n\
                 [Event \"c\"]\n\n1. e4 {open\n\n[Event \"d\"]\n\n1. e4 (1. d4 d5) e5 $1 *\n";
    let (_folder, name) = file(games);
    let run = run(&["play", "fide", "--games", &name]);
    assert_eq!(run.code, 2);
    holds(
        &run.err,
        &[
            "game at line 1",
            "turn 3",
            "game at line 5",
            "unknown",
            "line 12",
            "not closed",
        ],
    );
    assert_eq!(run.out.lines().count(), 5, "{}", run.out);
    let missing = refusal(&["play", "fide", "--games", "no-such-file.pgn"]);
    holds(&missing, &["no-such-file.pgn"]);
}

#[test]
fn can_win_answers_with_a_line_or_a_proof() {
    let yes = answer(&["can-win", "fide", "8/8/8/8/8/k7/p7/1K6 w - - 0 1", "black"]);
    holds(&yes, &["black-wins checkmate"]);
    let no = run(&[
        "can-win",
        "fide",
        "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1",
        "white",
    ]);
    assert_eq!(no.code, 1);
    assert!(no.out.starts_with("none: "), "{no:?}");
    let open = run(&[
        "can-win",
        "fide",
        "--time",
        "0.000001",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "white",
    ]);
    assert_eq!(open.code, 3, "{open:?}");
    assert!(open.out.starts_with("not settled: "), "{open:?}");
    for (arguments, told) in [
        (&["can-win", "fide", "green"][..], "there is no such side"),
        (&["can-win", "fide", "nonsense", "white"], "not a position"),
        (&["can-win", "fide", "8/8 w - - 0 1", "white"], "FEN"),
    ] {
        holds(&refusal(arguments), &[told]);
    }
}

/// The collection is the test file of the Chess Unwinnability Analyzer (D3-Chess, by M. Ambrona), whose license does
/// not permit a copy here: `tests/test-vector.txt` of its repository. Each line begins with the sides that can still
/// win, such as `W-`.
#[test]
fn answers_agree_with_public_vectors() {
    const VARIABLE: &str = "FAIRYPROOF_UNWINNABLE";
    const VECTORS: usize = 200;
    let Some(path) = std::env::var_os(VARIABLE) else {
        eprintln!(
            "left out: the vectors of D3-Chess, since ${VARIABLE} does not name `test-vector.txt`"
        );
        return;
    };
    let text = std::fs::read_to_string(path).expect("the file of vectors");
    let vectors = text.lines().filter_map(|line| {
        let (sides, fen) = line.split_at_checked(2)?;
        (!line.starts_with('#') && fen.starts_with(' ')).then_some((sides, fen.trim()))
    });
    let mut unsettled = Vec::new();
    for (sides, fen) in vectors.take(VECTORS) {
        for (side, mark) in [("white", 'W'), ("black", 'B')] {
            let run = run(&["can-win", "fide", fen, side, "--time", "20"]);
            match run.code {
                3 => unsettled.push(format!("{fen} {side}")),
                code => assert_eq!(code == 0, sides.contains(mark), "{fen} {side}: {run:?}"),
            }
        }
    }
    assert!(unsettled.len() <= 10, "{unsettled:#?}");
}
