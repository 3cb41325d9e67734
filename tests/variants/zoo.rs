//! Zoo Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::{HOME, shared_clauses};
use crate::hand::{after, at, refused};

const V: &str = "zoo";

shared_clauses! {
    V:
    king_may_be_left_attacked,
    king_may_be_captured,
    castling_does_not_exist(HOME, "KQkq"),
    two_kings_are_refused,
    pawn_promotes_to("bnqr"),
}

#[test]
fn fourth_kind_wins() {
    let board = "4k3/8/8/8/3q4/4P3/8/4K3 w - - 0 1 taken=PNB/-";
    let seen = after(V, board, "e3d4");
    assert_eq!(seen.fen, "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1 taken=PNBQ/-");
    assert_eq!(seen.outcome, "white-wins four-kinds");
}

#[test]
fn each_of_the_six_kinds_is_collected() {
    for kind in ["p", "n", "b", "r", "q", "k"] {
        let board = format!("8/8/8/8/3{kind}4/4P3/8/4K3 w - - 0 1");
        let taken = format!(" taken={}/-", kind.to_uppercase());
        assert!(after(V, &board, "e3d4").fen.ends_with(&taken), "{kind}");
    }
}

#[test]
fn kind_captured_before_adds_nothing() {
    let board = "4k3/8/8/8/3b4/4P3/8/4K3 w - - 0 1 taken=PNB/PN";
    let seen = after(V, board, "e3d4");
    assert_eq!(seen.fen, "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1 taken=PNB/PN");
    assert_eq!(seen.outcome, "ongoing");
}

#[test]
fn king_and_pawn_taken_en_passant_count() {
    let king = "8/8/8/8/3k4/4P3/8/4K3 w - - 0 1 taken=PNB/-";
    assert_eq!(after(V, king, "e3d4").outcome, "white-wins four-kinds");
    let pawn = "k7/8/8/3pP3/8/8/8/K7 w - d6 0 1 taken=NBR/-";
    assert_eq!(after(V, pawn, "e5d6").outcome, "white-wins four-kinds");
}

#[test]
fn promoted_unit_counts_as_what_it_is() {
    let board = "4k3/8/8/8/8/8/6p1/4K2R b - - 0 1";
    assert!(after(V, board, "g2g1q h1g1").fen.ends_with(" taken=Q/-"));
}

#[test]
fn each_side_counts_its_own_kinds() {
    let board = "4k3/8/8/4p3/3Q4/8/8/4K3 b - - 0 1 taken=PNB/PN";
    let seen = after(V, board, "e5d4");
    assert_eq!(seen.fen, "4k3/8/8/8/3p4/8/8/4K3 w - - 0 2 taken=PNB/PNQ");
    assert_eq!(seen.outcome, "ongoing");
}

#[test]
fn impossible_collections_are_refused() {
    for bad in [
        "PNBRQ/-", "-/PNBR", "NP/-", "PP/-", "P", "/", "P/", "-P/-", "p/-", "X/-", "P/-/-",
    ] {
        assert!(refused(
            V,
            &format!("4k3/8/8/8/8/8/8/4K3 b - - 0 1 taken={bad}")
        ));
    }
    assert_eq!(
        at(V, "4k3/8/8/8/8/8/8/4K3 b - - 0 1 taken=PNBR/RQK").outcome,
        "white-wins four-kinds"
    );
    assert_eq!(
        after(V, "4k3/8/8/8/8/8/8/4K3 b - - 0 1 taken=-/-", "").fen,
        "4k3/8/8/8/8/8/8/4K3 b - - 0 1"
    );
}

#[test]
fn no_turn_is_a_draw() {
    assert_eq!(at(V, "k/p/P/K w - - 0 1").outcome, "draw stalemate");
}
