//! Kingmaker Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::{after, at, can, legal_from, refused};

const V: &str = "kingmaker";

#[test]
fn nobody_has_a_king_at_the_start() {
    let fen = "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1";
    assert_eq!(after(V, "start", "").fen, fen);
}

#[test]
fn made_kings_do_not_castle() {
    let fen = "4k3/p7/8/8/8/8/P7/4K2R w K - 0 1";
    assert!(can(V, fen, "e1f1"));
    assert!(!can(V, fen, "e1g1"));
}

#[test]
fn first_pawn_becomes_a_king_of_the_opponent() {
    let fen = "8/P7/8/8/8/8/7p/6R1 w - - 0 1";
    assert_eq!(legal_from(V, fen, "a7"), ["a7a8k"]);
    let there = "k7/8/8/8/8/8/7p/6R1 b - - 0 1";
    assert_eq!(after(V, fen, "a7a8k").fen, there);
}

#[test]
fn new_king_may_come_of_a_capture() {
    let fen = "1n6/P7/8/8/8/8/7p/6R1 w - - 0 1";
    assert_eq!(legal_from(V, fen, "a7"), ["a7a8k", "a7b8k"]);
}

#[test]
fn new_king_may_not_be_attacked() {
    let fen = "7R/P7/8/8/8/8/7p/8 w - - 0 1";
    assert_eq!(legal_from(V, fen, "a7").len(), 0);
    let fen = "8/PP6/8/8/8/8/7p/8 w - - 0 1";
    assert_eq!(legal_from(V, fen, "a7").len(), 0);
}

#[test]
fn new_king_may_not_be_attacked_over_the_square_that_the_pawn_leaves() {
    let fen = "8/P7/8/8/8/8/7p/R7 w - - 0 1";
    assert_eq!(legal_from(V, fen, "a7").len(), 0);
}

#[test]
fn pawn_that_makes_a_king_may_not_expose_its_own() {
    let fen = "8/r2P3K/8/8/8/8/8/8 w - - 0 1";
    assert_eq!(legal_from(V, fen, "d7").len(), 0);
    let fen = "8/3P3K/8/8/8/8/r7/8 w - - 0 1";
    assert_eq!(legal_from(V, fen, "d7"), ["d7d8k"]);
}

#[test]
fn against_a_king_pawns_promote_as_usual() {
    let fen = "k7/7P/8/8/8/8/8/8 w - - 0 1";
    assert_eq!(at(V, fen).turns, ["h7h8b", "h7h8n", "h7h8q", "h7h8r"]);
}

#[test]
fn side_that_can_only_move_its_king_has_lost() {
    let fen = "k7/8/8/8/8/8/8/K6R b - - 0 1";
    assert_eq!(at(V, fen).outcome, "white-wins king-forced");
    assert_eq!(at(V, fen).turns.len(), 0);
    let fen = "k7/7p/8/8/8/8/8/K6R b - - 0 1";
    assert_eq!(at(V, fen).outcome, "ongoing");
}

#[test]
fn making_a_king_is_no_king_step() {
    let fen = "k7/8/8/8/8/8/7p/8 b - - 0 1";
    assert_eq!(at(V, fen).outcome, "ongoing");
}

#[test]
fn checkmate_comes_before_forced_king() {
    let fen = "k6R/8/1K6/8/8/8/8/8 b - - 0 1";
    assert_eq!(at(V, fen).outcome, "white-wins checkmate");
    let fen = "k6R/8/8/8/8/8/8/1K6 b - - 0 1";
    assert_eq!(at(V, fen).outcome, "white-wins king-forced");
}

#[test]
fn side_without_turn_has_lost() {
    let fen = "k7/8/1Q6/8/8/8/8/K7 b - - 0 1";
    assert_eq!(at(V, fen).outcome, "white-wins no-turn");
    let fen = "8/8/8/8/8/8/8/R7 b - - 0 1";
    assert_eq!(at(V, fen).outcome, "white-wins no-turn");
}

#[test]
fn kings_are_royal() {
    let fen = "k7/r7/8/8/8/8/R7/K7 b - - 0 1";
    assert!(!can(V, fen, "a7b7"));
    assert!(refused(V, "k7/8/8/8/8/8/8/R7 w - - 0 1"));
    assert!(refused(V, "kk6/8/8/8/8/8/8/R7 b - - 0 1"));
}
