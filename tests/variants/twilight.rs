//! Twilight Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::{after, ends, refused};

const V: &str = "twilight";

#[test]
fn capturing_the_last_of_a_class_wins() {
    let minor = after(V, "4k3/8/8/3n4/4B3/8/8/4K3 w - - 0 1", "e4d5");
    assert_eq!(minor.outcome, "white-wins minors-eliminated");
    assert!(minor.fen.ends_with(" over=minors-eliminated"));
    let passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    ends(V, passant, "e5d6", "white-wins pawns-eliminated");
    let rook = "4k3/8/8/8/8/8/r7/K7 w - - 0 1";
    ends(V, rook, "a1a2", "white-wins majors-eliminated");
}

#[test]
fn another_unit_of_the_class_goes_on() {
    ends(V, "3qk3/8/8/8/8/8/r7/K7 w - - 0 1", "a1a2", "ongoing");
    ends(V, "4k2b/8/8/3n4/4B3/8/8/4K3 w - - 0 1", "e4d5", "ongoing");
    ends(V, "4k3/7p/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "ongoing");
}

#[test]
fn promoting_the_last_pawn_loses_nothing() {
    let text = "7r/P6k/8/8/8/8/8/K7 w - - 0 1";
    ends(V, text, "a7a8n", "ongoing");
    // The promoted knight is a minor piece, and his last.
    ends(V, text, "a7a8n h8a8", "black-wins minors-eliminated");
}

#[test]
fn class_that_was_never_there_is_not_eliminated() {
    ends(V, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", "ongoing");
}

#[test]
fn elimination_comes_before_checkmate() {
    let text = "k7/p7/1K6/8/8/8/8/Q7 w - - 0 1";
    ends(V, text, "a1a7", "white-wins pawns-eliminated");
}

#[test]
fn stalemate_and_checkmate_lose() {
    ends(
        V,
        "k7/8/1Q6/8/8/8/8/7K b - - 0 1",
        "",
        "white-wins stalemate",
    );
    ends(
        V,
        "k6R/8/1K6/8/8/8/8/8 b - - 0 1",
        "",
        "white-wins checkmate",
    );
}

#[test]
fn over_needs_a_side_to_move_without_the_class() {
    let text = |side, reason| format!("4k3/4p3/8/8/8/8/8/4K3 {side} - - 0 1 over={reason}");
    assert!(refused(V, &text("b", "pawns-eliminated")));
    assert!(refused(V, &text("w", "kings-eliminated")));
    let won = text("w", "pawns-eliminated");
    ends(V, &won, "", "black-wins pawns-eliminated");
}
