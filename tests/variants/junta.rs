//! Junta Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::{HOME, shared_clauses};
use crate::hand::{after, positions, refused};

const V: &str = "junta";

shared_clauses! {
    V:
    king_may_be_left_attacked,
    king_may_be_captured,
    castling_does_not_exist(HOME, "KQkq"),
    two_kings_are_refused,
    pawn_promotes_to("bqr"),
    double_step_may_be_taken_in_passing("k4rb1", "K4RB1"),
}

#[test]
fn second_knight_or_king_and_knight_win() {
    for (before, after_it) in [("N", "NN"), ("K", "KN")] {
        let board = format!("8/8/8/8/3n4/4P3/8/K7 w - - 0 1 taken={before}/-");
        let seen = after(V, &board, "e3d4");
        assert_eq!(
            seen.fen,
            format!("8/8/8/8/3P4/8/8/K7 b - - 0 1 taken={after_it}/-")
        );
        assert_eq!(seen.outcome, "white-wins junta-captured");
    }
    let king = "8/8/8/8/3k4/4P3/8/K7 w - - 0 1 taken=N/-";
    let seen = after(V, king, "e3d4");
    assert_eq!(seen.fen, "8/8/8/8/3P4/8/8/K7 b - - 0 1 taken=KN/-");
    assert_eq!(seen.outcome, "white-wins junta-captured");
}

positions! {
    V:
    first_knight_or_king_alone_decides_nothing {
        "7r/8/8/8/3n4/4P3/8/K7 w - - 0 1" after "e3d4":
            fen "7r/8/8/8/3P4/8/8/K7 b - - 0 1 taken=N/-", outcome "ongoing";
        "7r/8/8/8/3k4/4P3/8/K7 w - - 0 1 taken=-/N" after "e3d4":
            fen "7r/8/8/8/3P4/8/8/K7 b - - 0 1 taken=K/N", outcome "ongoing";
    }

    each_side_counts_its_own_captures {
        "7r/8/8/8/3n4/4P3/8/K7 w - - 0 1 taken=-/N" after "e3d4": outcome "ongoing";
        "k7/8/8/4p3/3N4/8/8/K7 b - - 0 1 taken=-/N" after "e5d4":
            outcome "black-wins junta-captured";
    }
}

#[test]
fn other_captures_do_not_count() {
    for unit in ["p", "b", "r", "q"] {
        let board = format!("k7/8/8/8/3{unit}4/4P3/8/K7 w - - 0 1 taken=N/N");
        assert!(after(V, &board, "e3d4").fen.ends_with(" taken=N/N"));
    }
}

#[test]
fn impossible_shares_are_refused() {
    for bad in [
        "NN/KN", "NK/-", "KK/-", "NNN/-", "/N", "N", "N/-/-", "n/-", "Q/-",
    ] {
        let bad = format!("8/8/8/8/8/8/R7/1r6 w - - 0 1 taken={bad}");
        assert!(refused(V, &bad));
    }
    // The king that was taken still stands.
    assert!(refused(V, "k7/8/8/8/8/8/8/K7 w - - 0 1 taken=K/-"));
    assert!(refused(V, "8/8/8/8/8/8/8/K7 w - - 0 1 taken=-/KN"));
    assert!(!refused(V, "8/8/8/8/8/8/8/K7 w - - 0 1 taken=K/-"));
    assert!(!refused(V, "k7/8/8/8/8/8/8/K7 w - - 0 1 taken=-/-"));
}

positions! {
    V:
    no_turn_is_a_draw {
        "k/p/P/K w - - 0 1": outcome "draw stalemate";
    }
}
