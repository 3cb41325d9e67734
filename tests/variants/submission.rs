//! Submission Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::{after, at, ends};

const V: &str = "submission";

#[test]
fn checkmating_is_illegal() {
    assert!(!after(V, "start", "f2f4 e7e6 g2g4").can("d8h4"));
}

#[test]
fn check_with_a_king_step_as_only_answer_wins() {
    let line = "f2f4 e7e6 g2g4 b8c6 e2e4 d8h4";
    ends(V, "start", line, "black-wins submission");
    // With the knight on f3 the queen can be taken.
    ends(V, "start", "f2f4 e7e6 g2g4 b8c6 g1f3 d8h4", "ongoing");
}

#[test]
fn answers_that_checkmate_do_not_count() {
    // After g7g6 the capture h5g6 would mate from h4, so h5h6 is the only answer.
    let text = "7k/6p1/5p2/7K/2B3PR/8/4n3/8 b - - 0 1";
    ends(V, text, "g7g6", "black-wins submission");
    // With h6 guarded by a pinned bishop the check is as forbidden as a checkmate.
    let guarded = "R4b1k/6p1/5p2/7K/2B3PR/8/8/8 b - - 0 1";
    assert!(!at(V, guarded).can("g7g6"));
    assert!(at("fide", guarded).can("g7g6"));
}

#[test]
fn king_capture_as_only_answer_is_no_submission() {
    let text = "7k/1q6/8/8/8/8/8/K7 b - - 0 1";
    ends(V, text, "b7b2", "ongoing");
    assert_eq!(after(V, text, "b7b2").turns, ["a1b2"]);
}

#[test]
fn block_as_only_answer_is_no_submission() {
    let text = "6k1/5ppp/8/8/8/8/3r4/R6K w - - 0 1";
    ends(V, text, "a1a8", "ongoing");
    assert_eq!(after(V, text, "a1a8").turns, ["d2d8"]);
}

#[test]
fn several_king_steps_as_answers_are_no_submission() {
    let text = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    ends(V, text, "a1a8", "ongoing");
    assert_eq!(after(V, text, "a1a8").turns, ["e8d7", "e8e7", "e8f7"]);
}

#[test]
fn single_king_step_without_check_is_no_submission() {
    let text = "k7/8/8/8/8/8/8/1R5K b - - 0 1";
    ends(V, text, "", "ongoing");
}

#[test]
fn only_checkmates_left_is_checkmate_in_check_and_else_stalemate() {
    let checked = "R4b1k/8/5pp1/7K/2B3PR/8/8/8 w - - 0 1";
    assert_eq!(at("fide", checked).turns, ["h5g6"]);
    ends(V, checked, "", "black-wins checkmate");
    let free = "3k/3P/p1PK/pq2/4 w - - 0 1";
    assert_eq!(at("fide", free).turns, ["c3c4"]);
    ends(V, free, "", "draw stalemate");
}
