//! Clerical Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::{HOME, shared_clauses};
use crate::hand::{after, at, can, legal_from, refused};

const V: &str = "clerical";

shared_clauses! {
    V:
    king_may_be_left_attacked,
    king_may_be_captured,
    castling_does_not_exist(HOME, "KQkq"),
    pawn_promotes_to("knqr"),
    double_step_may_be_taken_in_passing("k4rb1", "K4RB1"),
}

#[test]
fn two_kings_of_a_side_are_accepted() {
    assert!(!refused(V, "k1k5/b7/8/8/8/8/B7/K7 w - - 0 1"));
}

#[test]
fn capturing_the_last_bishop_wins() {
    let board = "4k3/8/8/8/3b4/4P3/8/4K1B1 w - - 0 1";
    assert_eq!(
        after(V, board, "e3d4").outcome,
        "white-wins bishops-captured"
    );
}

#[test]
fn capturing_one_of_two_bishops_decides_nothing() {
    let board = "4k3/b7/8/8/3b4/4P3/8/4K1B1 w - - 0 1";
    assert_eq!(after(V, board, "e3d4").outcome, "ongoing");
}

#[test]
fn side_to_move_without_bishop_loses_first() {
    assert_eq!(
        at(V, "4k3/8/8/8/8/8/8/4K3 w - - 0 1").outcome,
        "black-wins bishops-captured"
    );
    assert_eq!(
        at(V, "4k3/8/8/8/8/8/8/4K3 b - - 0 1").outcome,
        "white-wins bishops-captured"
    );
}

#[test]
fn last_bishops_facing_at_a_distance_cannot_capture_each_other() {
    assert_eq!(at(V, "7b/8/8/8/8/8/8/B7 w - - 0 1").turns.join(" "), "a1b2");
    assert_eq!(at(V, "7b/8/8/8/8/8/8/B7 b - - 0 1").turns.join(" "), "h8g7");
}

#[test]
fn last_bishop_under_attack_captures_on_a_neighboring_square() {
    assert_eq!(
        at(V, "8/8/8/8/8/8/1b6/B7 w - - 0 1").turns.join(" "),
        "a1b2"
    );
    assert_eq!(
        legal_from(V, "b7/8/8/4p3/r2B4/8/8/8 w - - 0 1", "d4").join(" "),
        "d4c3 d4c5 d4e3 d4e5"
    );
}

#[test]
fn unattacked_last_bishop_has_its_full_range() {
    assert_eq!(
        legal_from(V, "b7/8/8/8/3B4/8/8/8 w - - 0 1", "d4").len(),
        13
    );
}

#[test]
fn attacked_bishop_that_is_not_the_last_has_its_full_range() {
    assert!(can(V, "b7/8/8/8/r2B4/8/8/7B w - - 0 1", "d4g7"));
    assert!(!can(V, "b7/8/8/8/r2B4/8/8/8 w - - 0 1", "d4g7"));
}

#[test]
fn attack_by_any_unit_shortens_the_last_bishop() {
    // Pawn c5, knight b5, rook and queen d8, king d5.
    for board in [
        "b7/8/8/2p5/3B4/8/8/8",
        "b7/8/8/1n6/3B4/8/8/8",
        "b2r4/8/8/8/3B4/8/8/8",
        "b2q4/8/8/8/3B4/8/8/8",
        "b7/8/8/3k4/3B4/8/8/8",
    ] {
        let board = format!("{board} w - - 0 1");
        assert_eq!(
            legal_from(V, &board, "d4").join(" "),
            "d4c3 d4c5 d4e3 d4e5",
            "{board}"
        );
    }
}

#[test]
fn several_kings_may_stand() {
    assert!(can(V, "KKb5/8/8/8/8/8/8/kk5B w - - 0 1", "a8a7"));
}

#[test]
fn capturing_a_king_decides_nothing() {
    let board = "3rk3/8/8/b7/B7/8/8/4K3 w - - 0 1";
    assert_eq!(after(V, board, "a4e8").outcome, "ongoing");
}

#[test]
fn no_turn_is_a_draw() {
    assert_eq!(
        at(V, "8/7b/8/8/8/1p6/1P6/B7 w - - 0 1").outcome,
        "draw stalemate"
    );
}
