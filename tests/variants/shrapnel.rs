//! Shrapnel Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::{HOME, shared_clauses};
use crate::hand::{after, at};

const V: &str = "shrapnel";

shared_clauses! {
    V:
    king_may_be_left_attacked,
    king_may_be_captured,
    castling_does_not_exist(HOME, "KQkq"),
    two_kings_are_refused,
    pawn_promotes_to("bnqr"),
}

#[test]
fn diagonal_capture_removes_the_nearest_along_rank_and_file() {
    let board = "3n4/8/8/r2p2P1/8/1B6/3K4/7k w - - 0 1";
    assert_eq!(after(V, board, "b3d5").fen, "8/8/8/3B4/8/8/8/7k b - - 0 1");
}

#[test]
fn only_the_nearest_units_are_removed() {
    let board = "3n4/3n4/8/r1rp1PP1/8/1B1K4/3N4/7k w - - 0 1";
    assert_eq!(
        after(V, board, "b3d5").fen,
        "3n4/8/8/r2B2P1/8/8/3N4/7k b - - 0 1"
    );
}

#[test]
fn capture_along_rank_or_file_removes_the_nearest_diagonally() {
    // Next to d5 on its diagonals stand a8, g8, b3, f3; d8 and a5 (or d1) stand across.
    let file = "r2n2b1/8/8/r2p4/8/1N3N2/8/3R3k w - - 0 1";
    assert_eq!(
        after(V, file, "d1d5").fen,
        "3n4/8/8/r2R4/8/8/8/7k b - - 0 1"
    );
    let rank = "r2n2b1/8/8/R2p4/8/1N3N2/8/3b3k w - - 0 1";
    assert_eq!(
        after(V, rank, "a5d5").fen,
        "3n4/8/8/3R4/8/8/8/3b3k b - - 0 1"
    );
}

#[test]
fn king_and_pawn_burst_by_the_way_they_went() {
    let straight = "k7/8/8/8/3p4/2nK1n2/8/8 w - - 0 1";
    assert_eq!(
        after(V, straight, "d3d4").fen,
        "k7/8/8/8/3K4/5n2/8/8 b - - 0 1"
    );
    let diagonal = "k7/8/8/8/n2pn3/2K5/3n4/8 w - - 0 1";
    assert_eq!(
        after(V, diagonal, "c3d4").fen,
        "k7/8/8/8/3K4/8/8/8 b - - 0 1"
    );
    let pawn = "k7/8/8/8/n2pn3/2P5/3n4/8 w - - 0 1";
    assert_eq!(after(V, pawn, "c3d4").fen, "k7/8/8/8/3P4/8/8/8 b - - 0 1");
}

#[test]
fn queen_bursts_by_the_way_she_went() {
    let straight = "k7/8/8/8/3p4/2n2n2/8/3Q4 w - - 0 1";
    assert_eq!(
        after(V, straight, "d1d4").fen,
        "k7/8/8/8/3Q4/5n2/8/8 b - - 0 1"
    );
    let diagonal = "k7/8/8/8/n2pn3/8/3n4/Q7 w - - 0 1";
    assert_eq!(
        after(V, diagonal, "a1d4").fen,
        "k7/8/8/8/3Q4/8/8/8 b - - 0 1"
    );
}

#[test]
fn knight_capture_and_quiet_step_remove_nothing_more() {
    let knight = "k7/8/8/8/n2pn3/1N6/3n4/8 w - - 0 1";
    assert_eq!(
        after(V, knight, "b3d4").fen,
        "k7/8/8/8/n2Nn3/8/3n4/8 b - - 0 1"
    );
    let quiet = "k7/8/8/8/n3n3/2K5/3n4/8 w - - 0 1";
    assert_eq!(
        after(V, quiet, "c3d4").fen,
        "k7/8/8/8/n2Kn3/8/3n4/8 b - - 1 1"
    );
}

#[test]
fn own_units_are_removed_too() {
    let board = "k7/8/8/8/3p4/8/8/B2R2b1 w - - 0 1";
    assert_eq!(after(V, board, "d1d4").fen, "k7/8/8/8/3R4/8/8/8 b - - 0 1");
}

#[test]
fn en_passant_bursts_after_both_pawns_have_gone() {
    // e5xd6: d5 and e5 are empty then, so below d6 the next unit is d2.
    let board = "3n3k/8/1n6/3pP3/8/8/3N4/7K w - d6 0 1";
    assert_eq!(after(V, board, "e5d6").fen, "7k/8/3P4/8/8/8/8/7K b - - 0 1");
}

#[test]
fn pawn_promoting_to_a_knight_bursts_as_a_pawn() {
    let board = "n2n3k/2P5/8/8/3b4/8/8/7K w - - 0 1";
    assert_eq!(after(V, board, "c7d8n").fen, "3N4/8/8/8/8/8/8/7K b - - 0 1");
}

#[test]
fn hole_stops_shrapnel() {
    let board = "3n3k/3*4/8/3p4/8/1B6/8/7K w - - 0 1";
    assert_eq!(
        after(V, board, "b3d5").fen,
        "3n3k/3*4/8/3B4/8/8/8/7K b - - 0 1"
    );
}

#[test]
fn removing_the_last_enemy_units_wins() {
    let board = "8/8/8/k2p4/8/1B6/8/8 w - - 0 1";
    assert_eq!(after(V, board, "b3d5").outcome, "white-wins annihilated");
    let far = "8/8/k7/3p4/8/1B6/8/8 w - - 0 1";
    assert_eq!(after(V, far, "b3d5").outcome, "ongoing");
}

#[test]
fn side_to_move_without_units_loses_first() {
    assert_eq!(
        at(V, "8/8/8/8/8/8/8/8 w - - 0 1").outcome,
        "black-wins annihilated"
    );
    assert_eq!(
        at(V, "8/8/8/8/8/8/8/8 b - - 0 1").outcome,
        "white-wins annihilated"
    );
}

#[test]
fn mover_without_units_has_lost() {
    assert_eq!(
        at(V, "8/8/8/8/8/8/8/K7 w - - 0 1").outcome,
        "white-wins annihilated"
    );
}

#[test]
fn no_turn_is_a_draw() {
    assert_eq!(at(V, "k/p/P/K w - - 0 1").outcome, "draw stalemate");
}
