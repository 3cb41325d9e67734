//! Separation Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::{legal_from, positions};

const V: &str = "separation";

positions! {
    V:
    king_and_queen_do_not_enter_the_same_quadrant {
        "4k3/8/8/8/8/8/8/3QK3 w - - 0 1": turns "d1b2 d1c3 e1e2 e1f1 e1f2";
    }

    nor_do_they_step_within_a_quadrant_that_they_share {
        "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1": turns "e1d1 e1d2 f1d2";
    }
}

#[test]
fn middle_file_and_rank_belong_to_the_right_and_upper_part() {
    // 5x5: c1 lies in the lower right quadrant, c3 in the upper right.
    let fen = "k4/5/5/5/Q1K2 w - - 0 1";
    let king = legal_from(V, fen, "c1");
    assert_eq!(king, ["c1c2", "c1d1", "c1d2"]);
    let fen = "4k/5/2K2/5/Q4 w - - 0 1";
    assert_eq!(legal_from(V, fen, "a1"), ["a1b3", "a1c2"]);
}

positions! {
    V:
    knight_goes_as_a_queen {
        "k7/8/8/8/8/8/1N6/7K w - - 0 1": legal "b2b8 b2h8", illegal "b2d3";
    }

    attack_on_the_queen_alone_has_to_be_met {
        "k2r4/8/8/8/8/8/8/3QK3 w - - 0 1": turns "d1b2 d1c3";
    }

    with_both_attacked_the_queen_may_stay_so_but_is_not_captured {
        "k2rr3/8/8/8/8/8/8/3QK3 w - - 0 1": turns "e1f1 e1f2";
        "k2rr3/8/8/8/8/8/8/3QK3 w - - 0 1" after "e1f1": illegal "d8d1";
    }

    with_both_attacked_the_queen_does_not_step_to_an_attacked_square {
        "k1r1r3/8/8/8/2Q5/8/8/4K3 w - - 0 1": turns "e1f1 e1f2";
    }

    pawn_promotes_to_knight_rook_bishop {
        "8/P6k/8/8/8/8/8/7K w - - 0 1": goes "a7" "a8b a8n a8r";
    }

    attacked_king_or_queen_without_turn_is_mate {
        "k6R/8/1K6/8/8/8/8/8 b - - 0 1": outcome "white-wins checkmate";
        "rrr4k/8/8/8/8/8/8/Q6K w - - 0 1": outcome "black-wins checkmate";
    }

    unit_that_shields_the_queen_may_not_leave_even_to_end_a_check {
        "r6k/8/8/8/R7/8/8/Q3K3 w - - 0 1": illegal "a4e4";
        "r3r2k/8/8/8/R7/8/8/Q3K3 w - - 0 1": illegal "a4e4";
        "4r2k/8/8/8/R7/8/8/Q3K3 w - - 0 1": legal "a4e4";
    }

    no_castling_and_one_queen_at_most {
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1": legal "e1f1", illegal "e1g1";
        "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1": refused;
    }

    check_that_only_a_turn_into_the_same_quadrant_ends_is_checkmate {
        // The king could go to a2; the queen would be attacked on b3.
        "kr/2/2/QK w - - 0 1": outcome "black-wins checkmate";
    }

    queen_that_can_only_join_the_king_loses {
        // b3 is free of attacks; a2 and b2 are attacked.
        "k1/2/2/bp/2/QK w - - 0 1": outcome "black-wins same-quadrant";
    }

    turn_that_is_illegal_for_an_attack_too_does_not_lose {
        // The pawn attacks a2, the bishop b2, the king b3.
        "k1/bp/2/QK w - - 0 1": outcome "draw stalemate";
    }

    only_turns_into_the_same_quadrant_lose {
        "k1/b1/2/QK w - - 0 1": outcome "black-wins same-quadrant";
    }

    stalemate_is_a_draw {
        "7k/5N2/8/8/8/8/8/K7 b - - 0 1": outcome "draw stalemate";
    }

    mover_with_attacked_queen_is_accepted_with_attacked_king_refused {
        "3r3k/8/8/8/8/8/8/3Q3K b - - 0 1": accepted;
        "7k/8/8/8/8/8/7r/Q6K b - - 0 1": refused;
    }
}
