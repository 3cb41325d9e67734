//! `fairyproof play`: turns made, and why a turn cannot be.

use crate::run::{answer, holds, refusal, run};

const FOOLS_MATE: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];

#[test]
fn play_prints_position_and_outcome() {
    let arguments = [&["play", "fide"], FOOLS_MATE.as_slice()].concat();
    let after = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\n";
    assert_eq!(answer(&arguments), format!("{after}black-wins checkmate\n"));
    let one = FOOLS_MATE.join(" ");
    assert_eq!(answer(&["play", "fide", &one]), answer(&arguments));
}

#[test]
fn impossible_turn_refused_with_its_number() {
    holds(
        &refusal(&["play", "fide", "e2e4", "e7e4"]),
        &[
            "error: turn 2 (`e7e4`): the unit on e7 cannot go to e4",
            "\nhelp: ",
        ],
    );
    for turn in ["nonsense", "e2", "e2e9", "", "e2e4q"] {
        let run = run(&["play", "fide", "e2e4", turn]);
        assert_eq!(run.code, if turn.is_empty() { 0 } else { 2 }, "{turn}");
    }
}

#[test]
fn what_is_no_turn_refused_with_what_is_wrong_with_it() {
    let pawn = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    let check = "3r3k/8/8/8/8/8/8/4K3 w - - 0 1";
    let exile = "3qk3/p7/8/8/8/8/Pp6/3QK3 w - - 0 1";
    let hand = "rnq2knr/pppppppp/8/8/8/8/PPPPPPPP/RNQ2KNR w - - 0 1 hand=N/-/-/-";
    let full = "rnq2knr/pppppppp/8/8/3pP3/8/PPPP1PPP/RNQ2KNR w - - 0 1 hand=N/-/-/-";
    for (variant, fen, refused) in [
        (
            "fide",
            pawn,
            &[
                ("b2b3", "b2 is vacant"),
                ("h7h6", "the unit on h7 is not the mover's"),
                ("a7a8", "has to become another there, as in `a7a8b`"),
                ("a7a8k", "cannot become `k` there"),
                ("a1a4", "the unit on a1 cannot go to a4"),
                ("a1a9", "there is no square `a9`"),
                ("i1a1", "there is no square `i1`"),
                ("nonsense", "a step is written as in `e2e4`"),
                ("Ka3", "no `K` can go to a3"),
                ("N1xe3", "no `N` on rank 1 can capture on e3"),
                ("Kcxb2", "no `K` on file c can capture on b2"),
                ("a6", "no pawn can go to a6"),
                ("a9=Q", "there is no square `a9`"),
                ("axb8=Q", "no pawn on file a can capture on b8"),
                ("a1\u{e9}2", "a step is written as in `e2e4`"),
                ("a1a2+a7a8q", "nothing can follow `a1a2` here"),
                ("N@e4", "no `N` can be placed here"),
            ][..],
        ),
        (
            "fide",
            check,
            &[
                (
                    "Kd1",
                    "illegal: it leaves the royal unit on d1 attacked from d8",
                ),
                ("Rxa3", "no `R` can capture on a3"),
            ],
        ),
        (
            "tyrant",
            exile,
            &[
                ("d1d8", "the turn has to go on, as in `d1d8+Q@a1`"),
                ("d1d8+Q@d2", "`d1d8` cannot go on with `Q@d2` here"),
            ],
        ),
        (
            "reentrant",
            hand,
            &[
                (
                    "N@f4",
                    "`N` can be placed on a3 a4 a5 a6 b3 b4 b5 b6 and 10 more",
                ),
                ("N@j4", "there is no square `j4`"),
            ],
        ),
        ("reentrant", full, &[("P@a4", "no `P` can be placed here")]),
    ] {
        for (turn, why) in refused {
            let told = refusal(&["play", variant, "--fen", fen, turn]);
            holds(&told, &["error: turn 1 (", why]);
        }
    }
    let one = "rnq2knr/pppppppp/PPPP4/PPPP4/PPPP4/PPP5/PPPPPPPP/RNQ2KNR w - - 0 1 hand=N/-/-/-";
    holds(
        &refusal(&["play", "reentrant", "--fen", one, "N@e5"]),
        &["`N` can be placed on d1 d3 d8 alone"],
    );
}

#[test]
fn pseudo_legal_turn_refused_with_the_reason() {
    let pinned = "4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1";
    holds(
        &refusal(&["play", "fide", "--fen", pinned, "e2a2"]),
        &["error: turn 1 (`e2a2`): illegal: ", "e1 attacked from e8"],
    );
    let whole_board = "7k/8/8/8/8/8/8/K2q2R1 w - - 0 1";
    let told = run(&["play", "convergent", "--fen", whole_board, "g1g2"]);
    assert_eq!(told.code, 2, "{told:?}");
    holds(
        &told.err,
        &[
            "error: turn 1 (`g1g2`): illegal: ",
            "intruder on d1",
            "note: the board is 8x8; that of `convergent` is 8x8 with other holes",
        ],
    );
}

#[test]
fn turn_after_the_end_refused_with_the_outcome() {
    let arguments = [&["play", "fide"], FOOLS_MATE.as_slice(), &["e2e3"]].concat();
    holds(
        &refusal(&arguments),
        &["error: turn 5 (`e2e3`): the game is over before it: black-wins checkmate"],
    );
}

#[test]
fn turns_are_read_as_people_write_them() {
    let plain = answer(&[
        "play", "fide", "e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "g8f6", "e1g1",
    ]);
    for turns in [
        &["e4", "e5", "Nf3", "Nc6", "Bb5", "Nf6", "O-O"][..],
        &[
            "e2-e4", "e7-e5", "Ng1-f3", "Nb8-c6", "Bf1-b5", "Ng8-f6", "0-0",
        ],
        &["1.e4", "e5", "2.", "Nf3", "Nc6", "3.Bb5", "Nf6", "4.0-0"],
        &["1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O *"],
        &["e2e4 e7e5", "g1f3,b8c6,f1b5", "g8f6 e1g1"],
    ] {
        assert_eq!(
            answer(&[&["play", "fide"][..], turns].concat()),
            plain,
            "{turns:?}"
        );
    }
    let line = "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O";
    let shown = answer(&["show", "fide", "--play", line]);
    let fen = plain.lines().next().expect("a FEN");
    assert_eq!(shown, answer(&["show", "fide", fen]));
    let err = refusal(&["play", "fide", "1. e4 e5 2. Nd2"]);
    assert!(err.contains("turn 3 (`Nd2`)"), "{err}");
}
