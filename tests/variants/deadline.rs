//! Deadline Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::shared_clauses;
use crate::hand::positions;

const V: &str = "deadline";

shared_clauses! {
    V:
    double_step_may_be_taken_in_passing("q3k3", "4K1Q1"),
    each_side_has_exactly_one_king,
    mover_with_attacked_king_is_refused,
}

positions! {
    V:
    example_of_the_page_has_six_answers {
        "start" after "e2e3 d7d6 f1b5":
            turns "a7a6+a6b5 c8e6+e6d7 c8f5+f5d7 c8g4+g4d7 c8h3+h3d7 g8f6+f6d7";
    }

    first_step_may_not_check_the_enemy_king {
        "4k3/8/8/5n2/8/8/8/4R2K b - - 0 1": legal "f5d4+d4e2", goes "f5g3" "";
    }

    first_step_may_not_end_the_check {
        "4k3/8/8/5n2/8/8/8/4R2K b - - 0 1": goes "f5e3" "";
    }

    capturing_the_checking_unit_in_one_step_is_no_answer {
        "4k3/8/8/8/8/3n4/8/4R2K b - - 0 1": goes "d3e1" "", legal "d3c1+c1e2";
    }

    first_step_may_capture_and_second_may_give_check {
        "4r2k/B7/8/8/8/8/8/4K3 w - - 0 1": legal "a7b8+b8e5";
        "1n2r2k/B7/8/8/8/8/8/4K3 w - - 0 1": legal "a7b8+b8e5";
    }

    two_steps_may_meet_a_double_check {
        // The bishop takes the knight, then stands before the rook.
        "4r2k/8/8/8/8/8/2n5/3BK3 w - - 0 1": goes "d1" "c2+c2e4";
    }

    capture_with_either_step_resets_the_clock {
        "1n2r2k/B7/8/8/8/8/8/4K3 w - - 7 9" after "a7b8+b8e5":
            fen "4r2k/8/8/4B3/8/8/8/4K3 b - - 0 9";
        "7k/B7/8/4r3/8/8/8/4K3 w - - 7 9" after "a7b8+b8e5": fen "7k/8/8/4B3/8/8/8/4K3 b - - 0 9";
        "4r2k/B7/8/8/8/8/8/4K3 w - - 7 9" after "a7b8+b8e5":
            fen "4r2k/8/8/4B3/8/8/8/4K3 b - - 8 9";
    }

    first_step_may_uncover_another_check {
        // With the knight gone the rook attacks, until the bishop is back on the rank.
        "7k/8/8/8/8/8/2n5/r2BK3 w - - 0 1": goes "d1c2" "+c2b1 +c2d1";
    }

    king_answers_in_one_step_and_may_capture {
        "4k3/4R3/8/8/8/8/8/7K b - - 0 1": turns "e8d8 e8e7 e8f8";
    }

    castling_is_no_answer {
        "6k1/8/8/8/8/8/4r3/R3K2R w KQ - 0 1": goes "e1" "d1 e2 f1";
    }

    en_passant_is_taken_with_the_first_step {
        "7k/2n5/8/1K1pP3/8/8/8/8 w - d6 0 1": goes "e5" "d6+d6c7";
        "7k/2n5/8/1K1pP3/8/8/8/8 w - d6 0 1" after "e5d6+d6c7":
            fen "7k/2P5/8/1K6/8/8/8/8 b - - 0 1";
    }

    en_passant_is_no_second_step {
        // From c5 the pawn could take the checking pawn d5 in passing.
        "7k/8/8/3pP3/2P1K3/8/8/8 w - d6 0 1": fen_contains " d6 ", goes "c4" "";
    }

    pawn_goes_on_as_what_it_has_become {
        "r7/4P3/7k/8/8/8/8/K7 w - - 0 1": goes "e7" "e8b+e8a4 e8q+e8a4 e8q+e8a8 e8r+e8a8";
    }

    double_step_and_another_leave_nothing_to_take_in_passing {
        "7k/8/8/K6r/3p4/8/4P3/8 w - - 0 1" after "e2e4+e4e5":
            fen "7k/8/8/K3P2r/3p4/8/8/8 b - - 0 1";
    }

    out_of_check_turns_are_orthodox {
        "start": count 20;
        "6k1/8/8/8/8/8/8/R3K2R w KQ - 0 1": legal "e1c1";
    }

    check_without_answer_is_mate {
        "4R1k1/5ppp/8/8/8/8/8/K7 b - - 0 1": outcome "white-wins checkmate";
        // A knight that could only capture at once does not help.
        "4R1k1/2n2ppp/8/8/8/8/8/K7 b - - 0 1": goes "c7e8" "";
    }

    stalemate_is_a_draw {
        "7k/5Q2/8/8/8/8/8/K7 b - - 0 1": outcome "draw stalemate";
    }
}
