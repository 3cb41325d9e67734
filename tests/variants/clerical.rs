//! Clerical Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::{HOME, shared_clauses};
use crate::hand::{legal_from, positions};

const V: &str = "clerical";

shared_clauses! {
    V:
    king_may_be_left_attacked,
    king_may_be_captured,
    castling_does_not_exist(HOME, "KQkq"),
    pawn_promotes_to("knqr"),
    double_step_may_be_taken_in_passing("k4rb1", "K4RB1"),
}

positions! {
    V:
    two_kings_of_a_side_are_accepted {
        "k1k5/b7/8/8/8/8/B7/K7 w - - 0 1": accepted;
    }

    capturing_the_last_bishop_wins {
        "4k3/8/8/8/3b4/4P3/8/4K1B1 w - - 0 1" after "e3d4": outcome "white-wins bishops-captured";
    }

    capturing_one_of_two_bishops_decides_nothing {
        "4k3/b7/8/8/3b4/4P3/8/4K1B1 w - - 0 1" after "e3d4": outcome "ongoing";
    }

    side_to_move_without_bishop_loses_first {
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1": outcome "black-wins bishops-captured";
        "4k3/8/8/8/8/8/8/4K3 b - - 0 1": outcome "white-wins bishops-captured";
    }

    last_bishops_facing_at_a_distance_cannot_capture_each_other {
        "7b/8/8/8/8/8/8/B7 w - - 0 1": turns "a1b2";
        "7b/8/8/8/8/8/8/B7 b - - 0 1": turns "h8g7";
    }

    last_bishop_under_attack_captures_on_a_neighboring_square {
        "8/8/8/8/8/8/1b6/B7 w - - 0 1": turns "a1b2";
        "b7/8/8/4p3/r2B4/8/8/8 w - - 0 1": goes "d4" "c3 c5 e3 e5";
    }

    unattacked_last_bishop_has_its_full_range {
        "b7/8/8/8/3B4/8/8/8 w - - 0 1": count_from "d4" 13;
    }

    attacked_bishop_that_is_not_the_last_has_its_full_range {
        "b7/8/8/8/r2B4/8/8/7B w - - 0 1": legal "d4g7";
        "b7/8/8/8/r2B4/8/8/8 w - - 0 1": illegal "d4g7";
    }
}

#[test]
fn attack_by_any_unit_shortens_the_last_bishop() {
    // Pawn c5, knight b5, rook and queen d8, king d5.
    for board in [
        "b7/8/8/2p5/3B4/8/8/8",
        "b7/8/8/1n6/3B4/8/8/8",
        "b2r4/8/8/8/3B4/8/8/8",
        "b2q4/8/8/8/3B4/8/8/8",
        "b7/8/8/3k4/3B4/8/8/8",
    ] {
        let board = format!("{board} w - - 0 1");
        assert_eq!(
            legal_from(V, &board, "d4").join(" "),
            "d4c3 d4c5 d4e3 d4e5",
            "{board}"
        );
    }
}

positions! {
    V:
    several_kings_may_stand {
        "KKb5/8/8/8/8/8/8/kk5B w - - 0 1": legal "a8a7";
    }

    capturing_a_king_decides_nothing {
        "3rk3/8/8/b7/B7/8/8/4K3 w - - 0 1" after "a4e8": outcome "ongoing";
    }

    no_turn_is_a_draw {
        "8/7b/8/8/8/1p6/1P6/B7 w - - 0 1": outcome "draw stalemate";
    }
}
