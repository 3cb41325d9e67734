//! Glory Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::shared_clauses;
use crate::hand::{at, positions};

const V: &str = "glory";

shared_clauses! {
    V:
    each_side_has_exactly_one_king,
    mover_with_attacked_king_is_refused,
}

positions! {
    V:
    pawn_on_last_rank_but_one_left_standing_wins {
        "7k/8/P7/8/8/8/8/K7 w - - 0 1" after "a6a7": outcome "ongoing";
        "7k/8/P7/8/8/8/8/K7 w - - 0 1" after "a6a7 h8g8": outcome "white-wins glory";
        "k7/8/8/8/8/p7/8/7K b - - 0 1" after "a3a2 h1g1": outcome "black-wins glory";
    }

    pawn_on_last_rank_but_one_can_be_captured {
        "8/P6k/8/8/8/r7/8/1K6 b - - 0 1" after "a3a7": outcome "ongoing";
        "8/P6k/8/8/8/r7/8/1K6 b - - 0 1" after "h7h8": outcome "white-wins glory";
    }

    checkmate_comes_before_glory {
        "2r5/7P/8/8/8/1k6/8/K7 b - - 0 1" after "c8c1": outcome "black-wins checkmate";
    }

    checkmate_beside_a_pawn_on_the_second_rank_is_checkmate {
        "R5k1/P4ppp/8/8/8/8/8/K7 b - - 0 1": outcome "white-wins checkmate";
    }

    side_in_check_wins_by_its_pawn_if_not_checkmated {
        "7k/P7/8/8/8/8/8/K6r w - - 0 1": outcome "white-wins glory";
    }

    glory_comes_before_own_stalemate {
        "7n/7P/8/8/8/1q6/8/K6k w - - 0 1": outcome "white-wins glory";
    }

    no_turn_against_a_pawn_on_the_second_rank_loses {
        "k7/P7/1K6/8/8/8/8/8 b - - 0 1": outcome "white-wins glory";
        "k7/8/1Q6/8/8/8/8/7K b - - 0 1": outcome "draw stalemate";
    }

    double_step_does_not_exist {
        "start": illegal "e2e4";
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1": illegal "d4e3", fen_contains " b - - ";
    }
}

#[test]
fn boards_of_few_ranks_are_accepted() {
    for text in ["k1K w - - 0 1", "k2/2K w - - 0 1", "k2/1P1/2K b - - 0 1"] {
        at(V, text);
    }
}
