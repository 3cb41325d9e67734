//! Blunder-Mate Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::shared_clauses;
use crate::hand::{after, ends, refused};

const V: &str = "blunder-mate";

shared_clauses! {
    V:
    double_step_may_be_taken_in_passing("4k3", "4K3"),
    each_side_has_exactly_one_king,
    mover_with_attacked_king_is_refused,
}

#[test]
fn blunder_mate_after_any_other_turn_than_the_blunder() {
    let pointed = after(V, "start", "f2f4 e7e6 e2e3");
    assert!(pointed.fen.ends_with(" blunder=1"));
    assert_eq!(pointed.outcome, "black-wins blunder-mate");
    assert!(pointed.turns.is_empty());
    ends(V, "start", "e2e3 e7e5 d1h5 b8c6", "white-wins blunder-mate");
}

#[test]
fn the_blunder_itself_is_answered_by_checkmate_only() {
    ends(V, "start", "f2f4 e7e6 g2g4", "ongoing");
    ends(V, "start", "f2f4 e7e6 g2g4 d8h4", "black-wins checkmate");
    ends(
        V,
        "start",
        "e2e3 e7e5 d1h5 e8e7 h5e5",
        "white-wins checkmate",
    );
}

#[test]
fn checkmated_side_cannot_blunder_mate() {
    let mated = "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1 blunder=1";
    ends(V, mated, "", "white-wins checkmate");
}

#[test]
fn stalemated_side_can_blunder_mate() {
    ends(V, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "", "draw stalemate");
    ends(
        V,
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1 blunder=1",
        "",
        "black-wins blunder-mate",
    );
}

#[test]
fn promotions_of_one_pawn_are_different_turns() {
    // Only the capture on a8 opens the file for b8b1; each of its four promotions does.
    let text = "nr6/1P6/8/4k3/8/8/6PP/7K w - - 0 1";
    ends(V, text, "b7a8q", "black-wins blunder-mate");
    let quiet = "1r6/1P6/8/4k3/8/8/6PP/7K w - - 0 1";
    ends(V, quiet, "h2h3", "ongoing");
}

#[test]
fn blunder_flag_knows_one_value() {
    assert!(refused(V, "7k/8/8/8/8/8/8/K7 w - - 0 1 blunder=0"));
    assert!(!refused(V, "7k/8/8/8/8/8/8/K7 w - - 0 1 blunder=1"));
}

#[test]
fn illegal_turn_is_no_blunder() {
    // With g2 empty Black could mate, but the pawn is pinned.
    let text = "k7/1b6/8/2b5/8/8/6PP/7K w - - 0 1";
    ends(V, text, "h2h3", "ongoing");
}

#[test]
fn mate_that_is_an_illegal_turn_was_not_allowed() {
    // The rook e7, which would mate on e1, is pinned.
    let text = "3k4/4r3/8/8/7B/6P1/5PPP/6K1 w - - 0 1";
    ends(V, text, "g3g4", "ongoing");
    let free = "2k5/4r3/8/8/7B/6P1/5PPP/6K1 w - - 0 1";
    ends(V, free, "h4e7", "black-wins blunder-mate");
}
