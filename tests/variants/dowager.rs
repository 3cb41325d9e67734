//! Dowager Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::shared_clauses;
use crate::hand::{legal_from, positions};

const V: &str = "dowager";

shared_clauses! {
    V:
    castling_does_not_exist("4k1q1/8/8/8/8/8/8/1Q2K2R", "K"),
    double_step_may_be_taken_in_passing("q3k3", "4K1Q1"),
}

#[test]
fn queen_steps_as_the_highest_of_her_men() {
    let queen = |men: &str| legal_from(V, &format!("1q5k/8/8/8/8/8/{men} w - - 0 1"), "a1");
    assert_eq!(queen("8/Q3KR2"), ["a1a2", "a1b1", "a1b2"]);
    assert_eq!(
        queen("8/Q3RB2"),
        [
            "a1a2", "a1a3", "a1a4", "a1a5", "a1a6", "a1b1", "a1c1", "a1d1"
        ]
    );
    assert_eq!(
        queen("8/Q3NB2"),
        ["a1b2", "a1c3", "a1d4", "a1e5", "a1f6"],
        "the king attacks g7"
    );
    assert_eq!(queen("3P4/Q3N3"), ["a1b3", "a1c2"]);
    assert_eq!(queen("3P4/Q7"), ["a1a2"]);
}

positions! {
    V:
    queen_may_not_pass_an_attacked_square {
        // The rook on d8 attacks d1, the queen on b8 (a king in power) a7.
        "1q1r3k/8/8/8/8/8/7R/Q7 w - - 0 1": goes "a1" "a2 a3 a4 a5 a6 b1 c1";
    }
}

#[test]
fn queen_does_not_pass_what_pawn_knight_or_queen_attacks() {
    // Pawn b5, knight b6, and on b6 a queen who goes as a knight attack a4.
    let rook = |men: &str| legal_from(V, &format!("{men}/Q5R1 w - - 0 1"), "a1");
    for men in ["7q/8/8/1p6/8/8/8", "7q/8/1n6/8/8/8/8", "7n/8/1q6/8/8/8/8"] {
        assert_eq!(
            rook(men),
            ["a1a2", "a1a3", "a1b1", "a1c1", "a1d1", "a1e1", "a1f1"],
            "{men}"
        );
    }
}

positions! {
    V:
    queen_does_not_pass_an_attacked_square_to_capture {
        // The pawn b5 attacks a4.
        "7q/8/n7/1p6/8/8/8/Q5R1 w - - 0 1": illegal "a1a6";
        "7q/8/n7/1p6/n7/8/8/Q5R1 w - - 0 1": illegal "a1a4";
        "7q/8/n7/7p/8/8/8/Q5R1 w - - 0 1": legal "a1a6";
    }

    queen_attacks_beyond_squares_that_she_may_not_pass {
        // The rook on e1 keeps the black queen from passing e4, but she attacks a4.
        "7r/8/8/8/7q/8/8/Q3R3 w - - 0 1": goes "a1" "a2 a3 b1 c1 d1";
        "7r/8/8/8/Q6q/8/8/4R3 b - - 0 1": refused;
    }

    attacked_queen_passes_what_is_not_attacked {
        "1qr4k/8/8/8/8/8/R7/2Q5 w - - 0 1": turns "a2c2 c1a1 c1b1 c1d1 c1e1 c1f1 c1g1 c1h1";
    }

    queen_as_a_pawn_captures_diagonally_and_has_no_double_step {
        "q6k/8/8/8/8/8/Pp6/Q7 w - - 0 1": turns "a1b2";
        "q6k/8/8/8/8/P7/1Q6/8 w - - 0 1": goes "b2" "b3";
        "q6k/1Q6/8/8/8/P7/8/8 b - - 0 1": refused;
    }

    queen_as_a_pawn_captures_neither_ahead_nor_in_passing {
        "q6k/8/8/8/8/1n5P/1Q6/8 w - - 0 1": turns "h3h4";
        "q6k/8/8/2PpQ3/8/8/8/8 w - d6 0 1": legal "c5d6", goes "e5" "e6";
    }

    queen_as_a_pawn_attacks_diagonally_ahead {
        // Of a2, b1, b2 the queen on b3 attacks a2.
        "8/7p/8/8/8/1q6/8/Q6K w - - 0 1": goes "a1" "b1 b2";
    }

    queen_as_a_pawn_does_not_promote {
        "7k/4Q3/8/8/q7/P7/8/8 w - - 0 1": goes "e7" "e8";
    }

    capture_that_gives_the_enemy_queen_more_power_may_be_illegal {
        "q6r/8/8/8/3N4/1k6/8/Q6K w - - 0 1": illegal "d4b3";
        "q6r/8/7k/8/3N4/1k6/8/Q6K w - - 0 1": legal "d4b3";
    }

    king_may_be_taken {
        "q6k/8/8/8/8/8/8/QK5R w - - 0 1": legal "h1h8";
    }

    pawn_promotes_to_king_rook_bishop_knight {
        "q6k/4P3/8/8/8/8/8/Q7 w - - 0 1": turns "a1a2 e7e8b e7e8k e7e8n e7e8r";
    }

    attacked_queen_without_turn_is_mate {
        "q6k/8/8/8/8/8/r7/Q7 w - - 0 1": outcome "black-wins checkmate";
    }

    lone_queen_is_stalemated_and_loses {
        "q6k/8/8/8/8/8/8/Q7 w - - 0 1": outcome "black-wins stalemate";
    }

    two_queens_or_none_are_refused {
        "q6k/8/8/8/8/8/8/QQ5K w - - 0 1": refused;
        "q6k/8/8/8/8/8/8/7K w - - 0 1": refused;
        "q5kk/8/8/8/8/8/8/Q7 w - - 0 1": accepted;
    }
}
