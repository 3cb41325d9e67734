//! Contravention Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::shared_clauses;
use crate::hand::{after, at, can, refused};

const V: &str = "contravention";

shared_clauses! {
    V:
    double_step_may_be_taken_in_passing("q3k3", "4K1Q1"),
    each_side_has_exactly_one_king,
}

#[test]
fn example_of_the_page_the_check_has_to_be_removed() {
    let there = after(V, "start", "d2d3 d7d5 e2e4 d5e4 d3e4 e8d7").fen;
    assert_eq!(
        there,
        "rnbq1bnr/pppkpppp/8/8/4P3/8/PPP2PPP/RNBQKBNR w KQ - 1 4 into=b"
    );
    assert!(can(V, &there, "d1e2"));
    assert!(can(V, &there, "f1d3"));
    assert!(!can(V, &there, "d1d2"));
    assert!(!can(V, &there, "d1d7"));
    assert!(!can(V, &there, "a2a3"));
}

#[test]
fn king_in_check_has_to_leave_it() {
    let fen = "k3r3/8/8/8/8/7N/8/4K3 w - - 0 1";
    assert_eq!(at(V, fen).turns, ["e1d1", "e1d2", "e1f1", "e1f2"]);
}

#[test]
fn another_unit_may_expose_the_king_and_is_not_remembered() {
    let fen = "k3r3/8/8/8/8/8/4N3/4K3 w - - 0 1";
    let there = "k3r3/8/8/8/8/2N5/8/4K3 b - - 1 1";
    assert_eq!(after(V, fen, "e2c3").fen, there);
}

#[test]
fn king_may_step_into_check_by_knight_bishop_rook_and_queen() {
    // Each attacks g2, not h1.
    for men in ["8/4n3/8/7K", "8/8/8/5b1K", "8/8/1r6/7K", "8/8/1q6/7K"] {
        let fen = format!("k7/8/8/8/{men} w - - 0 1");
        let there = after(V, &fen, "h1g2").fen;
        assert!(there.ends_with(" b - - 1 1 into=w"), "{there}");
    }
}

#[test]
fn check_may_be_given() {
    assert!(can(V, "k7/8/8/8/8/8/8/1R5K w - - 0 1", "b1a1"));
}

#[test]
fn turn_into_check_may_give_check_and_both_have_to_end_at_once() {
    let fen = "kr6/8/8/8/8/8/K7/R7 w - - 0 1";
    let there = after(V, fen, "a2b2").fen;
    assert_eq!(there, "kr6/8/8/8/8/8/1K6/R7 b - - 1 1 into=w");
    assert_eq!(at(V, &there).turns, ["a8b7"]);
}

#[test]
fn step_into_check_is_remembered_until_the_next_own_turn() {
    let fen = "k2r4/8/8/8/8/8/8/4K3 w - - 0 1";
    let there = after(V, fen, "e1d1 d8c8").fen;
    assert_eq!(there, "k1r5/8/8/8/8/8/8/3K4 w - - 2 2 into=w");
    assert_eq!(at(V, &there).turns, ["d1d2", "d1e1", "d1e2"]);
}

#[test]
fn king_may_step_into_double_check_only_by_units_that_may_each_check_it() {
    // Rook and bishop attack g2, not h1.
    let fen = "k7/8/8/8/8/8/1r6/5b1K w - - 0 1";
    let there = after(V, fen, "h1g2").fen;
    assert_eq!(there, "k7/8/8/8/8/8/1r4K1/5b2 b - - 1 1 into=w");
    // One turn ends both checks: the bishop steps into the rook's line.
    assert_eq!(at(V, &there).turns, ["f1e2"]);
    // Rook and pawn attack g2: the rook may, the pawn may not.
    assert_eq!(
        at(V, "k7/8/8/8/8/5p2/1r6/7K w - - 0 1").turns,
        ["h1g1", "h1h2"]
    );
    assert!(can(V, "k7/8/8/8/8/8/1r6/7K w - - 0 1", "h1g2"));
}

#[test]
fn no_king_step_into_check_by_pawn_or_king() {
    let fen = "k7/8/8/8/8/3p4/8/4K3 w - - 0 1";
    assert_eq!(at(V, fen).turns, ["e1d1", "e1d2", "e1f1", "e1f2"]);
    let fen = "8/8/8/8/8/4k3/8/4K3 w - - 0 1";
    assert_eq!(at(V, fen).turns, ["e1d1", "e1f1"]);
}

#[test]
fn no_double_check_with_a_pawn_or_king_in_it() {
    // d2 is attacked by the rook and by the pawn.
    let fen = "k2r4/8/8/8/8/2p5/8/4K3 w - - 0 1";
    assert!(!can(V, fen, "e1d2"));
    assert!(can(V, fen, "e1d1"));
}

#[test]
fn king_does_not_step_into_check_twice_running() {
    let fen = "k2r4/8/8/8/8/8/8/4K3 w - - 0 1";
    assert!(can(V, fen, "e1d1"));
    let fen = "k2r4/8/8/8/8/8/8/4K3 w - - 0 1 into=w";
    assert_eq!(at(V, fen).turns, ["e1e2", "e1f1", "e1f2"]);
    assert_eq!(after(V, fen, "e1e2").fen, "k2r4/8/8/8/8/8/4K3/8 b - - 1 1");
}

#[test]
fn after_a_step_into_check_another_unit_may_expose_the_king() {
    let fen = "k3r3/8/8/8/8/8/4N3/4K3 w - - 0 1 into=w";
    assert!(can(V, fen, "e2c3"));
}

#[test]
fn turn_may_give_check_while_own_king_goes_into_check() {
    let fen = "k2r4/8/8/8/4R3/8/8/4K3 w - - 0 1";
    let fen = after(V, fen, "e1d1").fen;
    // Black ends the check that White has put himself into.
    assert!(can(V, &fen, "d8c8"));
    assert!(!can(V, &fen, "a8a7"));
    assert!(!can(V, &fen, "d8d7"));
}

#[test]
fn check_that_the_enemy_put_himself_into_has_to_end() {
    let fen = "k7/8/8/8/8/8/8/R3K3 w Q - 0 1";
    assert_eq!(at(V, fen).turns, ["a1b1", "a1c1", "a1d1", "e1c1"]);
    // Castling with the other rook leaves the check.
    let fen = "k7/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    assert!(can(V, fen, "e1c1"));
    assert!(!can(V, fen, "e1g1"));
}

#[test]
fn castling_into_check_is_remembered() {
    let fen = "k5r1/8/8/8/8/8/8/4K2R w K - 0 1";
    let there = "k5r1/8/8/8/8/8/8/5RK1 b - - 1 1 into=w";
    assert_eq!(after(V, fen, "e1g1").fen, there);
    assert!(!can(V, &format!("{fen} into=w"), "e1g1"));
}

#[test]
fn no_castling_over_check_or_out_of_it() {
    assert!(!can(V, "k4r2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"));
    assert!(!can(V, "k3r3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"));
}

#[test]
fn no_castling_into_check_by_a_pawn() {
    assert!(can(V, "k7/8/8/8/8/7p/8/4K2R w K - 0 1", "e1g1"));
    assert!(!can(V, "k7/8/8/8/8/8/7p/4K2R w K - 0 1", "e1g1"));
}

#[test]
fn no_turn_out_of_check_is_checkmate() {
    let fen = "7k/8/8/8/8/8/5PPP/r5K1 w - - 0 1";
    assert_eq!(at(V, fen).outcome, "black-wins checkmate");
}

#[test]
fn checkmate_comes_before_a_check_that_cannot_be_removed() {
    let fen = "kr6/7R/8/8/8/8/1K6/R7 b - - 0 1";
    assert_eq!(at(V, fen).outcome, "white-wins checkmate");
}

#[test]
fn check_that_cannot_be_removed_loses() {
    let fen = "k6R/8/8/8/8/8/8/R3K3 w - - 0 1";
    assert_eq!(at(V, fen).outcome, "black-wins check-not-removed");
}

#[test]
fn stalemate_loses() {
    let fen = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    assert_eq!(at(V, fen).turns, ["h8g8"]);
    let fen = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1 into=b";
    assert_eq!(at(V, fen).outcome, "white-wins stalemate");
}

#[test]
fn mover_attacked_by_pawn_or_king_is_refused() {
    assert!(refused(V, "7k/8/8/8/8/8/3p4/4K3 b - - 0 1"));
    assert!(refused(V, "8/8/8/8/8/8/3k4/4K3 b - - 0 1"));
    assert!(!refused(V, "4r2k/8/8/8/8/8/8/4K3 b - - 0 1"));
}

#[test]
fn state_names_only_what_can_be() {
    assert!(refused(V, "4r2k/8/8/8/8/8/8/4K3 b - - 0 1 into=bw"));
    assert!(refused(V, "7k/8/8/8/8/8/8/4K3 b - - 0 1 into=w"));
    assert!(refused(V, "4r2k/8/8/8/8/8/8/4K3 w - - 0 1 into=w"));
    assert!(!refused(V, "4r2k/8/8/8/8/8/8/4K3 b - - 0 1 into=wb"));
}
