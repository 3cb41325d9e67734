//! Entourage Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::shared_clauses;
use crate::hand::{after, positions};

const V: &str = "entourage";

shared_clauses! {
    V:
    king_may_be_left_attacked,
    king_may_be_captured,
    two_kings_are_refused,
    pawn_promotes_to("bnqr"),
    double_step_may_be_taken_in_passing("k4rb1", "K4RB1"),
}

positions! {
    V:
    castling_is_kept {
        "r3k2r/8/2b2b2/8/8/2B2B2/8/R3K2R w KQkq - 0 1": fen_contains " KQkq ", legal "e1g1";
    }
}

#[test]
fn capturing_a_piece_next_to_the_king_wins() {
    for piece in ["q", "r", "b", "n"] {
        let board = format!("3{piece}k3/8/8/8/8/8/8/3RK3 w - - 0 1");
        let seen = after(V, &board, "d1d8");
        assert_eq!(
            seen.fen,
            "3Rk3/8/8/8/8/8/8/4K3 b - - 0 1 over=entourage-captured"
        );
        assert_eq!(seen.outcome, "white-wins entourage-captured");
    }
}

#[test]
fn next_to_the_king_is_along_rank_file_and_diagonal() {
    for (board, turn) in [
        ("3nk3/8/8/8/8/8/8/3RK3 w - - 0 1", "d1d8"),
        ("4k3/4n3/8/8/8/8/8/K3R3 w - - 0 1", "e1e7"),
        ("4k3/3n4/8/8/8/8/8/3RK3 w - - 0 1", "d1d7"),
    ] {
        assert_eq!(
            after(V, board, turn).outcome,
            "white-wins entourage-captured",
            "{board}"
        );
    }
}

positions! {
    V:
    capturing_a_pawn_next_to_the_king_decides_nothing {
        "4k3/3p4/8/8/8/8/8/3RK3 w - - 0 1" after "d1d7": outcome "ongoing";
    }

    capturing_a_piece_two_squares_from_the_king_decides_nothing {
        "2q1k3/8/8/8/8/8/8/2R1K3 w - - 0 1" after "c1c8": outcome "ongoing";
    }

    capturing_a_piece_next_to_the_own_king_decides_nothing {
        "4k3/8/8/8/8/8/3q4/3RK3 w - - 0 1" after "d1d2": outcome "ongoing";
    }

    capturing_the_king_wins {
        "4k3/8/8/8/8/8/8/K3R3 w - - 0 1" after "e1e8":
            fen "4R3/8/8/8/8/8/8/K7 b - - 0 1", outcome "white-wins king-captured";
    }

    missing_king_is_looked_at_before_the_entourage {
        "4k3/8/8/8/8/8/8/8 b - - 0 1 over=entourage-captured": outcome "black-wins king-captured";
        "8/8/8/8/8/8/8/Q7 b - - 0 1": outcome "white-wins king-captured";
        "8/8/8/8/8/8/8/Q7 w - - 0 1": outcome "black-wins king-captured";
    }

    castling_through_attack_is_legal {
        "4k3/8/8/8/8/8/5r2/4K2R w K - 0 1": legal "e1g1";
    }

    other_reasons_in_over_are_refused {
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 over=king-captured": refused;
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 over=1": refused;
    }

    no_turn_is_a_draw {
        "k/p/P/K w - - 0 1": outcome "draw stalemate";
    }
}
