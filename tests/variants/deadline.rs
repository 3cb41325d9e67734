//! Deadline Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::shared_clauses;
use crate::hand::{after, at, can, legal_from};

const V: &str = "deadline";

shared_clauses! {
    V:
    double_step_may_be_taken_in_passing("q3k3", "4K1Q1"),
    each_side_has_exactly_one_king,
    mover_with_attacked_king_is_refused,
}

#[test]
fn example_of_the_page_has_six_answers() {
    let fen = after(V, "start", "e2e3 d7d6 f1b5").fen;
    let six = [
        "a7a6+a6b5",
        "c8e6+e6d7",
        "c8f5+f5d7",
        "c8g4+g4d7",
        "c8h3+h3d7",
        "g8f6+f6d7",
    ];
    assert_eq!(at(V, &fen).turns, six);
}

#[test]
fn first_step_may_not_check_the_enemy_king() {
    let fen = "4k3/8/8/5n2/8/8/8/4R2K b - - 0 1";
    assert!(can(V, fen, "f5d4+d4e2"));
    assert_eq!(legal_from(V, fen, "f5g3").len(), 0);
}

#[test]
fn first_step_may_not_end_the_check() {
    let fen = "4k3/8/8/5n2/8/8/8/4R2K b - - 0 1";
    assert_eq!(legal_from(V, fen, "f5e3").len(), 0);
}

#[test]
fn capturing_the_checking_unit_in_one_step_is_no_answer() {
    let fen = "4k3/8/8/8/8/3n4/8/4R2K b - - 0 1";
    assert_eq!(legal_from(V, fen, "d3e1").len(), 0);
    assert!(can(V, fen, "d3c1+c1e2"));
}

#[test]
fn first_step_may_capture_and_second_may_give_check() {
    let fen = "4r2k/B7/8/8/8/8/8/4K3 w - - 0 1";
    assert!(can(V, fen, "a7b8+b8e5"));
    let fen = "1n2r2k/B7/8/8/8/8/8/4K3 w - - 0 1";
    assert!(can(V, fen, "a7b8+b8e5"));
}

#[test]
fn two_steps_may_meet_a_double_check() {
    // The bishop takes the knight, then stands before the rook.
    let fen = "4r2k/8/8/8/8/8/2n5/3BK3 w - - 0 1";
    assert_eq!(legal_from(V, fen, "d1"), ["d1c2+c2e4"]);
}

#[test]
fn capture_with_either_step_resets_the_clock() {
    let answer = "a7b8+b8e5";
    let fen = "1n2r2k/B7/8/8/8/8/8/4K3 w - - 7 9";
    let there = "4r2k/8/8/4B3/8/8/8/4K3 b - - 0 9";
    assert_eq!(after(V, fen, answer).fen, there);
    let fen = "7k/B7/8/4r3/8/8/8/4K3 w - - 7 9";
    let there = "7k/8/8/4B3/8/8/8/4K3 b - - 0 9";
    assert_eq!(after(V, fen, answer).fen, there);
    let fen = "4r2k/B7/8/8/8/8/8/4K3 w - - 7 9";
    let there = "4r2k/8/8/4B3/8/8/8/4K3 b - - 8 9";
    assert_eq!(after(V, fen, answer).fen, there);
}

#[test]
fn first_step_may_uncover_another_check() {
    // With the knight gone the rook attacks, until the bishop is back on the rank.
    let fen = "7k/8/8/8/8/8/2n5/r2BK3 w - - 0 1";
    assert_eq!(legal_from(V, fen, "d1c2"), ["d1c2+c2b1", "d1c2+c2d1"]);
}

#[test]
fn king_answers_in_one_step_and_may_capture() {
    let fen = "4k3/4R3/8/8/8/8/8/7K b - - 0 1";
    assert_eq!(at(V, fen).turns, ["e8d8", "e8e7", "e8f8"]);
}

#[test]
fn castling_is_no_answer() {
    let fen = "6k1/8/8/8/8/8/4r3/R3K2R w KQ - 0 1";
    assert_eq!(legal_from(V, fen, "e1"), ["e1d1", "e1e2", "e1f1"]);
}

#[test]
fn en_passant_is_taken_with_the_first_step() {
    let fen = "7k/2n5/8/1K1pP3/8/8/8/8 w - d6 0 1";
    assert_eq!(legal_from(V, fen, "e5"), ["e5d6+d6c7"]);
    let there = "7k/2P5/8/1K6/8/8/8/8 b - - 0 1";
    assert_eq!(after(V, fen, "e5d6+d6c7").fen, there);
}

#[test]
fn en_passant_is_no_second_step() {
    // From c5 the pawn could take the checking pawn d5 in passing.
    let fen = "7k/8/8/3pP3/2P1K3/8/8/8 w - d6 0 1";
    assert!(after(V, fen, "").fen.contains(" d6 "));
    assert_eq!(legal_from(V, fen, "c4").len(), 0);
}

#[test]
fn pawn_goes_on_as_what_it_has_become() {
    let fen = "r7/4P3/7k/8/8/8/8/K7 w - - 0 1";
    assert_eq!(
        legal_from(V, fen, "e7"),
        ["e7e8b+e8a4", "e7e8q+e8a4", "e7e8q+e8a8", "e7e8r+e8a8"]
    );
}

#[test]
fn double_step_and_another_leave_nothing_to_take_in_passing() {
    let fen = "7k/8/8/K6r/3p4/8/4P3/8 w - - 0 1";
    let there = "7k/8/8/K3P2r/3p4/8/8/8 b - - 0 1";
    assert_eq!(after(V, fen, "e2e4+e4e5").fen, there);
}

#[test]
fn out_of_check_turns_are_orthodox() {
    assert_eq!(at(V, "start").turns.len(), 20);
    let fen = "6k1/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    assert!(can(V, fen, "e1c1"));
}

#[test]
fn check_without_answer_is_mate() {
    let fen = "4R1k1/5ppp/8/8/8/8/8/K7 b - - 0 1";
    assert_eq!(at(V, fen).outcome, "white-wins checkmate");
    // A knight that could only capture at once does not help.
    let fen = "4R1k1/2n2ppp/8/8/8/8/8/K7 b - - 0 1";
    assert_eq!(legal_from(V, fen, "c7e8").len(), 0);
}

#[test]
fn stalemate_is_a_draw() {
    let fen = "7k/5Q2/8/8/8/8/8/K7 b - - 0 1";
    assert_eq!(at(V, fen).outcome, "draw stalemate");
}
