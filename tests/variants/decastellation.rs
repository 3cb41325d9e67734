//! Decastellation Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::{HOME, shared_clauses};
use crate::hand::{after, at, can};

const V: &str = "decastellation";

shared_clauses! {
    V:
    king_may_be_left_attacked,
    king_may_be_captured,
    two_kings_are_refused,
    pawn_promotes_to("bnqr"),
    double_step_may_be_taken_in_passing("k4rb1", "K4RB1"),
}

#[test]
fn castling_is_kept() {
    let seen = at(V, &format!("{} w KQkq - 0 1", HOME));
    assert!(seen.fen.contains(" KQkq "));
    assert!(seen.can("e1g1"));
}

#[test]
fn capturing_the_king_wins() {
    let board = "r3k3/8/8/8/8/8/8/K3R3 w - - 0 1";
    assert_eq!(after(V, board, "e1e8").outcome, "white-wins king-captured");
}

#[test]
fn capturing_the_last_rook_wins() {
    let board = "4k2r/6P1/8/8/8/8/8/4K2R w K - 0 1";
    assert_eq!(
        after(V, board, "g7h8r").outcome,
        "white-wins rooks-captured"
    );
    let two = "r3k2r/6P1/8/8/8/8/8/4K2R w K - 0 1";
    assert_eq!(after(V, two, "g7h8r").outcome, "ongoing");
}

#[test]
fn promoted_rook_counts() {
    let board = "4k3/P7/8/8/8/8/6r1/4K1R1 w - - 0 1";
    assert_eq!(after(V, board, "a7a8r g2g1").outcome, "ongoing");
    assert_eq!(
        after(V, board, "a7a8q g2g1").outcome,
        "black-wins rooks-captured"
    );
}

#[test]
fn kings_are_looked_at_before_rooks() {
    assert_eq!(
        at(V, "8/8/8/8/8/8/r7/4K3 w - - 0 1").outcome,
        "white-wins king-captured"
    );
}

#[test]
fn side_to_move_is_looked_at_first() {
    assert_eq!(
        at(V, "4k3/8/8/8/8/8/8/4K3 w - - 0 1").outcome,
        "black-wins rooks-captured"
    );
    assert_eq!(
        at(V, "8/8/8/8/8/8/8/rR6 b - - 0 1").outcome,
        "white-wins king-captured"
    );
}

#[test]
fn castling_out_of_through_and_into_attack_is_legal() {
    for rook in ["4r3", "5r2", "6r1"] {
        let board = format!("4k3/8/8/8/8/8/{rook}/4K2R w K - 0 1");
        assert!(can(V, &board, "e1g1"), "{board}");
    }
    assert!(!can(V, "r3k3/8/8/8/8/8/8/4KN1R w K - 0 1", "e1g1"));
    assert!(!can(V, "r3k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1"));
}

#[test]
fn no_turn_is_a_draw() {
    // One file: every white unit is blocked.
    assert_eq!(at(V, "k/r/p/P/R/K w - - 0 1").outcome, "draw stalemate");
}
