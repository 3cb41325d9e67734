//! Society Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::{at, positions};

const V: &str = "society";

positions! {
    V:
    captures_need_a_pawn_on_one_side {
        "7k/6q1/5Q2/8/8/8/8/K7 w - - 0 1": illegal "f6g7";
        "k7/8/8/3q4/4P3/8/8/7K w - - 0 1": legal "e4d5";
        "k7/8/8/3p4/4Q3/8/8/7K w - - 0 1": legal "e4d5";
        "k7/8/8/3p4/4P3/8/8/7K w - - 0 1": legal "e4d5";
        "k7/8/8/3pP3/8/8/8/7K w - d6 0 1": legal "e5d6";
        "1n6/P6k/8/8/8/8/8/7K w - - 0 1": legal "a7b8q";
        "k7/8/8/8/8/8/6n1/7K w - - 0 1": illegal "h1g2";
    }

    pieces_attack_squares_where_they_may_not_capture {
        // The rook on b1 guards b8, though it may never take there.
        "k7/8/8/8/8/8/8/1R5K b - - 0 1": turns "a8a7";
    }
}

#[test]
fn pieces_stop_castling_and_kings_keep_apart() {
    let castling = |text| at(V, text).can("e1g1");
    assert!(castling("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
    assert!(!castling("4kr2/8/8/8/8/8/8/4K2R w K - 0 1"));
    assert!(!castling("4k1r1/8/8/8/8/8/8/4K2R w K - 0 1"));
    assert!(!castling("k3r3/8/8/8/8/8/8/4K2R w K - 0 1"));
    assert!(!at(V, "8/8/8/8/8/k7/8/K7 w - - 0 1").can("a1a2"));
}

positions! {
    V:
    check_cannot_be_met_by_capturing_a_piece_with_a_piece {
        "k1R5/ppr5/8/8/8/8/8/7K b - - 0 1": outcome "white-wins checkmate";
        "k1R5/ppr5/8/8/8/8/8/7K b - - 0 1" in "fide": turns "c7c8";
    }

    only_forbidden_captures_left_loses {
        "k7/8/1Q6/8/8/6R1/5B2/K6n b - - 0 1": outcome "white-wins forced-capture";
        // Bare.
        "k7/8/1Q6/8/8/6R1/5B2/K7 b - - 0 1": outcome "draw stalemate";
    }
}
