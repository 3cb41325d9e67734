//! Regent Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::{at, can, legal_from, refused};

const V: &str = "regent";

#[test]
fn attacked_along_a_file_the_queen_keeps_her_diagonals() {
    let fen = "1q2r2k/8/8/8/8/8/8/4Q2K w - - 0 1";
    assert_eq!(at(V, fen).turns, ["e1a5", "e1c3", "e1d2", "e1f2", "e1h4"]);
}

#[test]
fn attacked_along_a_diagonal_the_queen_keeps_rank_and_file() {
    let fen = "1q5k/8/8/8/7b/8/8/4Q2K w - - 0 1";
    assert_eq!(
        at(V, fen).turns,
        [
            "e1a1", "e1c1", "e1d1", "e1e2", "e1e3", "e1e4", "e1e6", "e1f1", "e1g1"
        ]
    );
}

#[test]
fn attacks_by_pawn_and_neighboring_king_count_as_what_they_are() {
    let fen = "1q5k/8/8/8/8/8/3p4/4Q2K w - - 0 1";
    assert!(!can(V, fen, "e1d2"));
    assert!(can(V, fen, "e1e2"));
    let fen = "1q6/8/8/8/8/8/4k3/4Q3 w - - 0 1";
    assert!(!can(V, fen, "e1e2"));
    assert!(can(V, fen, "e1h4"));
}

#[test]
fn attacked_by_a_knight_the_queen_stays() {
    let fen = "1q5k/8/8/8/8/5n2/6P1/4Q2K w - - 0 1";
    assert_eq!(at(V, fen).turns, ["g2f3"]);
}

#[test]
fn attacked_both_ways_the_queen_stays() {
    // By the rook along the file, by the bishop along the diagonal.
    let fen = "1q2r2k/8/8/8/7b/8/8/4Q2K w - - 0 1";
    assert_eq!(at(V, fen).outcome, "black-wins checkmate");
}

#[test]
fn no_castling_and_one_queen_of_each_side() {
    let fen = "1q5k/8/8/8/8/8/Q7/4K2R w K - 0 1";
    assert!(can(V, fen, "e1f1"));
    assert!(!can(V, fen, "e1g1"));
    assert!(refused(V, "1q5k/8/8/8/8/8/8/4QQ1K w - - 0 1"));
    assert!(refused(V, "1q5k/8/8/8/8/8/8/7K w - - 0 1"));
}

#[test]
fn queens_may_not_face_each_other() {
    let fen = "q6k/8/8/8/N7/8/8/Q6K w - - 0 1";
    assert_eq!(legal_from(V, fen, "a4").len(), 0);
    assert!(refused(V, "q6k/8/8/8/8/8/8/Q6K w - - 0 1"));
}

#[test]
fn king_may_be_taken_and_left_attacked() {
    let fen = "1q5k/8/8/8/8/8/6R1/4Q2K b - - 0 1";
    assert!(can(V, fen, "h8g8"));
    let fen = "1q5k/7R/8/8/8/8/8/4Q2K w - - 0 1";
    assert!(can(V, fen, "h7h8"));
}

#[test]
fn pawn_promotes_to_king_rook_bishop_knight() {
    let fen = "6qk/P7/8/8/8/8/8/4Q2K w - - 0 1";
    assert_eq!(
        legal_from(V, fen, "a7"),
        ["a7a8b", "a7a8k", "a7a8n", "a7a8r"]
    );
}

#[test]
fn attacked_queen_without_turn_is_mate() {
    let fen = "1q5k/8/8/8/8/5n2/8/4Q2K w - - 0 1";
    assert_eq!(at(V, fen).outcome, "black-wins checkmate");
}

#[test]
fn stalemate_is_a_draw() {
    assert_eq!(at(V, "2q/Q2 w - - 0 1").outcome, "draw stalemate");
}
