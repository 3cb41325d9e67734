//! Counselor Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::shared_clauses;
use crate::hand::{after, at, can, legal_from, refused};

const V: &str = "counselor";

shared_clauses! {
    V:
    castling_does_not_exist("4k1q1/8/8/8/8/8/8/1Q2K2R", "K"),
    double_step_may_be_taken_in_passing("q3k3", "4K1Q1"),
    each_side_has_exactly_one_king,
    royal_queen_may_be_missing_but_not_doubled,
    mover_with_attacked_king_is_refused,
}

#[test]
fn queen_goes_two_squares_without_leaping() {
    let fen = "7k/8/8/8/8/8/P7/Q6K w - - 0 1";
    assert_eq!(legal_from(V, fen, "a1"), ["a1b1", "a1b2", "a1c1", "a1c3"]);
}

#[test]
fn attack_on_the_queen_has_to_be_met() {
    let fen = "k7/8/8/8/8/8/r7/Q6K w - - 0 1";
    assert_eq!(at(V, fen).turns, ["a1a2", "a1b1", "a1c1", "a1c3"]);
}

#[test]
fn unit_pinned_to_the_queen_stays_in_line() {
    let fen = "r6k/8/8/8/8/8/N7/Q6K w - - 0 1";
    assert_eq!(legal_from(V, fen, "a2").len(), 0);
}

#[test]
fn queen_that_can_be_mated_has_to_be() {
    let fen = "q7/pp6/8/8/8/k7/8/4K1R1 w - - 0 1";
    assert_eq!(at(V, fen).turns, ["g1g8"]);
    let there = after(V, fen, "g1g8").fen;
    assert_eq!(at(V, &there).outcome, "black-wins queen-checkmated");
}

#[test]
fn queen_that_is_mated_together_with_her_king_has_to_be() {
    let fen = "q6k/8/8/8/8/8/8/K3R3 w - - 0 1";
    assert_eq!(at(V, fen).turns, ["e1e8"]);
}

#[test]
fn mates_of_the_queen_by_uncovering_and_promotion_are_duties_too() {
    let fen = "q3N1R1/pp6/8/8/8/k7/8/4K3 w - - 0 1";
    assert_eq!(at(V, fen).turns, ["e8c7", "e8d6", "e8f6", "e8g7"]);
    let fen = "q7/pp4P1/8/8/8/k7/8/4K3 w - - 0 1";
    assert_eq!(at(V, fen).turns, ["g7g8r"]);
}

#[test]
fn attack_on_the_queen_that_is_no_mate_is_no_duty() {
    let fen = "q7/p7/8/8/8/k7/8/4K1R1 w - - 0 1";
    assert!(can(V, fen, "g1g8"));
    assert!(can(V, fen, "e1e2"));
}

#[test]
fn mating_the_king_alone_is_no_duty() {
    let fen = "k7/8/1K6/8/8/8/8/7R w - - 0 1";
    assert!(can(V, fen, "h1h8"));
    assert!(can(V, fen, "h1h2"));
}

#[test]
fn king_and_queen_attacked_without_answer_wins() {
    let fen = "q3R2k/8/8/8/8/8/8/K7 b - - 0 1";
    assert_eq!(at(V, fen).outcome, "black-wins queen-checkmated");
}

#[test]
fn mate_of_the_king_alone_loses() {
    let fen = "k6R/8/1K6/8/8/8/8/8 b - - 0 1";
    assert_eq!(at(V, fen).outcome, "white-wins checkmate");
}

#[test]
fn stalemate_is_a_draw() {
    let fen = "k7/8/1Q6/8/8/8/8/K7 b - - 0 1";
    assert_eq!(at(V, fen).outcome, "draw stalemate");
}

#[test]
fn pawn_promotes_to_rook_bishop_knight() {
    let fen = "8/P6k/8/8/8/8/8/7K w - - 0 1";
    assert_eq!(legal_from(V, fen, "a7"), ["a7a8b", "a7a8n", "a7a8r"]);
}

#[test]
fn mover_with_attacked_queen_is_refused() {
    assert!(refused(V, "r6k/8/8/8/8/8/8/Q6K b - - 0 1"));
}
