//! Contravention Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::shared_clauses;
use crate::hand::{after, positions};

const V: &str = "contravention";

shared_clauses! {
    V:
    double_step_may_be_taken_in_passing("q3k3", "4K1Q1"),
    each_side_has_exactly_one_king,
}

positions! {
    V:
    example_of_the_page_the_check_has_to_be_removed {
        "start" after "d2d3 d7d5 e2e4 d5e4 d3e4 e8d7":
            fen "rnbq1bnr/pppkpppp/8/8/4P3/8/PPP2PPP/RNBQKBNR w KQ - 1 4 into=b", legal "d1e2 f1d3",
            illegal "d1d2 d1d7 a2a3";
    }

    king_in_check_has_to_leave_it {
        "k3r3/8/8/8/8/7N/8/4K3 w - - 0 1": turns "e1d1 e1d2 e1f1 e1f2";
    }

    another_unit_may_expose_the_king_and_is_not_remembered {
        "k3r3/8/8/8/8/8/4N3/4K3 w - - 0 1" after "e2c3": fen "k3r3/8/8/8/8/2N5/8/4K3 b - - 1 1";
    }
}

#[test]
fn king_may_step_into_check_by_knight_bishop_rook_and_queen() {
    // Each attacks g2, not h1.
    for men in ["8/4n3/8/7K", "8/8/8/5b1K", "8/8/1r6/7K", "8/8/1q6/7K"] {
        let fen = format!("k7/8/8/8/{men} w - - 0 1");
        let there = after(V, &fen, "h1g2").fen;
        assert!(there.ends_with(" b - - 1 1 into=w"), "{there}");
    }
}

positions! {
    V:
    check_may_be_given {
        "k7/8/8/8/8/8/8/1R5K w - - 0 1": legal "b1a1";
    }

    turn_into_check_may_give_check_and_both_have_to_end_at_once {
        "kr6/8/8/8/8/8/K7/R7 w - - 0 1" after "a2b2":
            fen "kr6/8/8/8/8/8/1K6/R7 b - - 1 1 into=w", turns "a8b7";
    }

    step_into_check_is_remembered_until_the_next_own_turn {
        "k2r4/8/8/8/8/8/8/4K3 w - - 0 1" after "e1d1 d8c8":
            fen "k1r5/8/8/8/8/8/8/3K4 w - - 2 2 into=w", turns "d1d2 d1e1 d1e2";
    }

    king_may_step_into_double_check_only_by_units_that_may_each_check_it {
        // Rook and bishop attack g2, not h1.
        "k7/8/8/8/8/8/1r6/5b1K w - - 0 1" after "h1g2":
            fen "k7/8/8/8/8/8/1r4K1/5b2 b - - 1 1 into=w";
        // One turn ends both checks: the bishop steps into the rook's line.
        "k7/8/8/8/8/8/1r6/5b1K w - - 0 1" after "h1g2": turns "f1e2";
        // Rook and pawn attack g2: the rook may, the pawn may not.
        "k7/8/8/8/8/5p2/1r6/7K w - - 0 1": turns "h1g1 h1h2";
        "k7/8/8/8/8/8/1r6/7K w - - 0 1": legal "h1g2";
    }

    no_king_step_into_check_by_pawn_or_king {
        "k7/8/8/8/8/3p4/8/4K3 w - - 0 1": turns "e1d1 e1d2 e1f1 e1f2";
        "8/8/8/8/8/4k3/8/4K3 w - - 0 1": turns "e1d1 e1f1";
    }

    no_double_check_with_a_pawn_or_king_in_it {
        // d2 is attacked by the rook and by the pawn.
        "k2r4/8/8/8/8/2p5/8/4K3 w - - 0 1": illegal "e1d2", legal "e1d1";
    }

    king_does_not_step_into_check_twice_running {
        "k2r4/8/8/8/8/8/8/4K3 w - - 0 1": legal "e1d1";
        "k2r4/8/8/8/8/8/8/4K3 w - - 0 1 into=w": turns "e1e2 e1f1 e1f2";
        "k2r4/8/8/8/8/8/8/4K3 w - - 0 1 into=w" after "e1e2":
            fen "k2r4/8/8/8/8/8/4K3/8 b - - 1 1";
    }

    after_a_step_into_check_another_unit_may_expose_the_king {
        "k3r3/8/8/8/8/8/4N3/4K3 w - - 0 1 into=w": legal "e2c3";
    }

    turn_may_give_check_while_own_king_goes_into_check {
        // Black ends the check that White has put himself into.
        "k2r4/8/8/8/4R3/8/8/4K3 w - - 0 1" after "e1d1": legal "d8c8", illegal "a8a7 d8d7";
    }

    check_that_the_enemy_put_himself_into_has_to_end {
        "k7/8/8/8/8/8/8/R3K3 w Q - 0 1": turns "a1b1 a1c1 a1d1 e1c1";
        // Castling with the other rook leaves the check.
        "k7/8/8/8/8/8/8/R3K2R w KQ - 0 1": legal "e1c1", illegal "e1g1";
    }

    castling_into_check_is_remembered {
        "k5r1/8/8/8/8/8/8/4K2R w K - 0 1" after "e1g1":
            fen "k5r1/8/8/8/8/8/8/5RK1 b - - 1 1 into=w";
        "k5r1/8/8/8/8/8/8/4K2R w K - 0 1 into=w": illegal "e1g1";
    }

    no_castling_over_check_or_out_of_it {
        "k4r2/8/8/8/8/8/8/4K2R w K - 0 1": illegal "e1g1";
        "k3r3/8/8/8/8/8/8/4K2R w K - 0 1": illegal "e1g1";
    }

    no_castling_into_check_by_a_pawn {
        "k7/8/8/8/8/7p/8/4K2R w K - 0 1": legal "e1g1";
        "k7/8/8/8/8/8/7p/4K2R w K - 0 1": illegal "e1g1";
    }

    no_turn_out_of_check_is_checkmate {
        "7k/8/8/8/8/8/5PPP/r5K1 w - - 0 1": outcome "black-wins checkmate";
    }

    checkmate_comes_before_a_check_that_cannot_be_removed {
        "kr6/7R/8/8/8/8/1K6/R7 b - - 0 1": outcome "white-wins checkmate";
    }

    check_that_cannot_be_removed_loses {
        "k6R/8/8/8/8/8/8/R3K3 w - - 0 1": outcome "black-wins check-not-removed";
    }

    stalemate_loses {
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1": turns "h8g8";
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1 into=b": outcome "white-wins stalemate";
    }

    mover_attacked_by_pawn_or_king_is_refused {
        "7k/8/8/8/8/8/3p4/4K3 b - - 0 1": refused;
        "8/8/8/8/8/8/3k4/4K3 b - - 0 1": refused;
        "4r2k/8/8/8/8/8/8/4K3 b - - 0 1": accepted;
    }

    state_names_only_what_can_be {
        "4r2k/8/8/8/8/8/8/4K3 b - - 0 1 into=bw": refused;
        "7k/8/8/8/8/8/8/4K3 b - - 0 1 into=w": refused;
        "4r2k/8/8/8/8/8/8/4K3 w - - 0 1 into=w": refused;
        "4r2k/8/8/8/8/8/8/4K3 b - - 0 1 into=wb": accepted;
    }
}
