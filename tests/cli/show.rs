//! `fairyproof show`: the board as text.

use crate::run::{answer, holds};

#[test]
fn show_draws_board_coordinates_side_and_rights() {
    assert_eq!(
        answer(&["show", "fide", "4k3/8/8/8/3pP3/8/8/R3K2R b KQ e3 0 1"]),
        "8  . . . . k . . .\n7  . . . . . . . .\n6  . . . . . . . .\n5  . . . . . . . .\n\
         4  . . . p P . . .\n3  . . . . . . . .\n2  . . . . . . . .\n1  R . . . K . . R\n   \
         a b c d e f g h\nBlack to move\ncastling: KQ\nen passant: e3\n"
    );
}

#[test]
fn show_leaves_holes_blank() {
    let out = answer(&["show", "convergent"]);
    assert_eq!(out.lines().next(), Some("8        q k"));
    holds(&out, &["White to move"]);
}

#[test]
fn show_aligns_ranks_of_two_digits() {
    let out = answer(&["show", "fide", "k3/4/4/4/4/4/4/4/4/K3 w - - 0 1"]);
    holds(
        &out,
        &["10  k . . .\n", "\n 9  . . . .\n", "\n    a b c d\n"],
    );
}

#[test]
fn state_and_bound_units_are_shown() {
    let fen = "*k5/7/7/7/7/*5K w - - 0 1 bound=c3Nn,d3P";
    let out = answer(&["show", "chromopolis", fen]);
    holds(
        &out,
        &[
            "3  . . + + . . .\n",
            "bound: c3:Nn d3:P\n",
            "state: bound=c3Nn,d3P\n",
        ],
    );
    assert_eq!(
        answer(&["play", "chromopolis", "--fen", fen])
            .lines()
            .next(),
        Some(fen)
    );
}
