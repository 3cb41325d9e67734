//! Decastellation Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::shared_clauses;
use crate::hand::{can, positions};

const V: &str = "decastellation";

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

    capturing_the_king_wins {
        "r3k3/8/8/8/8/8/8/K3R3 w - - 0 1" after "e1e8": outcome "white-wins king-captured";
    }

    capturing_the_last_rook_wins {
        "4k2r/6P1/8/8/8/8/8/4K2R w K - 0 1" after "g7h8r": outcome "white-wins rooks-captured";
        "r3k2r/6P1/8/8/8/8/8/4K2R w K - 0 1" after "g7h8r": outcome "ongoing";
    }

    promoted_rook_counts {
        "4k3/P7/8/8/8/8/6r1/4K1R1 w - - 0 1" after "a7a8r g2g1": outcome "ongoing";
        "4k3/P7/8/8/8/8/6r1/4K1R1 w - - 0 1" after "a7a8q g2g1":
            outcome "black-wins rooks-captured";
    }

    kings_are_looked_at_before_rooks {
        "8/8/8/8/8/8/r7/4K3 w - - 0 1": outcome "white-wins king-captured";
    }

    side_to_move_is_looked_at_first {
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1": outcome "black-wins rooks-captured";
        "8/8/8/8/8/8/8/rR6 b - - 0 1": outcome "white-wins king-captured";
    }
}

#[test]
fn castling_out_of_through_and_into_attack_is_legal() {
    for rook in ["4r3", "5r2", "6r1"] {
        let board = format!("4k3/8/8/8/8/8/{rook}/4K2R w K - 0 1");
        assert!(can(V, &board, "e1g1"), "{board}");
    }
    assert!(!can(V, "r3k3/8/8/8/8/8/8/4KN1R w K - 0 1", "e1g1"));
    assert!(!can(V, "r3k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1"));
}

positions! {
    V:
    no_turn_is_a_draw {
        // One file: every white unit is blocked.
        "k/r/p/P/R/K w - - 0 1": outcome "draw stalemate";
    }
}
