//! Dynastic Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::{HOME, shared_clauses};
use crate::hand::{after, at, attackers, can, legal_from, refused};

const V: &str = "dynastic";

shared_clauses! {
    V:
    king_may_be_left_attacked,
    king_may_be_captured,
    castling_does_not_exist(HOME, "KQkq"),
    two_kings_are_refused,
    pawn_promotes_to("bnr"),
    double_step_may_be_taken_in_passing("k4rb1", "K4RB1"),
}

#[test]
fn second_queen_of_a_side_is_refused() {
    assert!(refused(V, "k7/8/8/8/8/8/8/KQQ5 w - - 0 1"));
}

#[test]
fn monarchs_apart_leap_like_knights() {
    assert_eq!(
        at(V, "k7/8/8/8/8/8/8/K2Q4 w - - 0 1").turns.join(" "),
        "a1b3 a1c2 d1b2 d1c3 d1e3 d1f2"
    );
}

#[test]
fn monarchs_side_by_side_move_like_queens() {
    let board = "8/8/8/8/8/8/8/KQ5k w - - 0 1";
    let turns = at(V, board).turns;
    // a1: file and long diagonal. b1: file, rank to h1, two diagonals.
    assert_eq!(turns.len(), 14 + 20);
    assert!(turns.contains(&"a1h8".to_string()));
    assert!(turns.contains(&"b1h1".to_string()));
    assert!(!turns.contains(&"a1b3".to_string()));
    // Diagonal neighbors are neighbors, two squares are not.
    assert!(can(V, "8/8/8/8/8/8/1Q6/K6k w - - 0 1", "a1g1"));
    assert!(!can(V, "8/8/8/8/8/1Q6/8/K6k w - - 0 1", "a1g1"));
}

#[test]
fn monarchs_moving_like_queens_are_blocked() {
    assert_eq!(
        legal_from(V, "8/8/8/8/8/P7/1P6/KQ5k w - - 0 1", "a1").join(" "),
        "a1a2"
    );
}

#[test]
fn enemy_monarch_next_to_ours_does_not_count() {
    assert_eq!(
        legal_from(V, "8/8/8/8/8/8/1k6/K6Q w - - 0 1", "a1").join(" "),
        "a1b3 a1c2"
    );
}

#[test]
fn surviving_monarch_steps_like_a_king() {
    let board = "8/8/8/8/8/8/7q/KQ5k b - - 0 1";
    let text = after(V, board, "h1b1").fen;
    assert_eq!(text, "8/8/8/8/8/8/7q/Kk6 w - - 0 2");
    assert_eq!(at(V, &text).turns.join(" "), "a1a2 a1b1 a1b2");
    assert_eq!(
        at(V, "7k/8/8/8/8/8/8/Q7 w - - 0 1").turns.join(" "),
        "a1a2 a1b1 a1b2"
    );
}

#[test]
fn capturing_both_monarchs_wins() {
    let board = "kr6/8/8/8/8/8/8/R3K3 w - - 0 1";
    assert_eq!(
        after(V, board, "a1a8").outcome,
        "white-wins monarchs-captured"
    );
    let two = "kq6/8/8/8/8/8/8/R3K3 w - - 0 1";
    assert_eq!(after(V, two, "a1a8").outcome, "ongoing");
}

#[test]
fn side_to_move_without_monarchs_loses_first() {
    assert_eq!(
        at(V, "r7/8/8/8/8/8/8/R7 b - - 0 1").outcome,
        "white-wins monarchs-captured"
    );
}

#[test]
fn no_turn_is_a_draw() {
    // King and queen stand apart, and one rank is too narrow for a leap.
    assert_eq!(at(V, "K1Qk w - - 0 1").outcome, "draw stalemate");
    assert_eq!(at(V, "KQ1k w - - 0 1").outcome, "ongoing");
}

#[test]
fn monarchs_attack_as_they_move() {
    let apart = "7k/8/8/8/8/8/8/K2Q4 w - - 0 1";
    assert_eq!(attackers(V, apart, "c3"), "d1");
    assert_eq!(attackers(V, apart, "d2"), "");
    let beside = "7k/8/8/8/8/8/8/KQ6 w - - 0 1";
    assert_eq!(attackers(V, beside, "b2"), "a1 b1");
    assert_eq!(attackers(V, beside, "h8"), "a1");
}
