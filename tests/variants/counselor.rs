//! Counselor Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::shared_clauses;
use crate::hand::positions;

const V: &str = "counselor";

shared_clauses! {
    V:
    castling_does_not_exist("4k1q1/8/8/8/8/8/8/1Q2K2R", "K"),
    double_step_may_be_taken_in_passing("q3k3", "4K1Q1"),
    each_side_has_exactly_one_king,
    royal_queen_may_be_missing_but_not_doubled,
    mover_with_attacked_king_is_refused,
}

positions! {
    V:
    queen_goes_two_squares_without_leaping {
        "7k/8/8/8/8/8/P7/Q6K w - - 0 1": goes "a1" "b1 b2 c1 c3";
    }

    attack_on_the_queen_has_to_be_met {
        "k7/8/8/8/8/8/r7/Q6K w - - 0 1": turns "a1a2 a1b1 a1c1 a1c3";
    }

    unit_pinned_to_the_queen_stays_in_line {
        "r6k/8/8/8/8/8/N7/Q6K w - - 0 1": goes "a2" "";
    }

    queen_that_can_be_mated_has_to_be {
        "q7/pp6/8/8/8/k7/8/4K1R1 w - - 0 1": turns "g1g8";
        "q7/pp6/8/8/8/k7/8/4K1R1 w - - 0 1" after "g1g8": outcome "black-wins queen-checkmated";
    }

    queen_that_is_mated_together_with_her_king_has_to_be {
        "q6k/8/8/8/8/8/8/K3R3 w - - 0 1": turns "e1e8";
    }

    mates_of_the_queen_by_uncovering_and_promotion_are_duties_too {
        "q3N1R1/pp6/8/8/8/k7/8/4K3 w - - 0 1": turns "e8c7 e8d6 e8f6 e8g7";
        "q7/pp4P1/8/8/8/k7/8/4K3 w - - 0 1": turns "g7g8r";
    }

    attack_on_the_queen_that_is_no_mate_is_no_duty {
        "q7/p7/8/8/8/k7/8/4K1R1 w - - 0 1": legal "g1g8 e1e2";
    }

    mating_the_king_alone_is_no_duty {
        "k7/8/1K6/8/8/8/8/7R w - - 0 1": legal "h1h8 h1h2";
    }

    king_and_queen_attacked_without_answer_wins {
        "q3R2k/8/8/8/8/8/8/K7 b - - 0 1": outcome "black-wins queen-checkmated";
    }

    mate_of_the_king_alone_loses {
        "k6R/8/1K6/8/8/8/8/8 b - - 0 1": outcome "white-wins checkmate";
    }

    stalemate_is_a_draw {
        "k7/8/1Q6/8/8/8/8/K7 b - - 0 1": outcome "draw stalemate";
    }

    pawn_promotes_to_rook_bishop_knight {
        "8/P6k/8/8/8/8/8/7K w - - 0 1": goes "a7" "a8b a8n a8r";
    }

    mover_with_attacked_queen_is_refused {
        "r6k/8/8/8/8/8/8/Q6K b - - 0 1": refused;
    }
}
