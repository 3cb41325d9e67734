//! Submission Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::positions;

const V: &str = "submission";

positions! {
    V:
    checkmating_is_illegal {
        "start" after "f2f4 e7e6 g2g4": illegal "d8h4";
    }

    check_with_a_king_step_as_only_answer_wins {
        "start" after "f2f4 e7e6 g2g4 b8c6 e2e4 d8h4": outcome "black-wins submission";
        // With the knight on f3 the queen can be taken.
        "start" after "f2f4 e7e6 g2g4 b8c6 g1f3 d8h4": outcome "ongoing";
    }

    answers_that_checkmate_do_not_count {
        // After g7g6 the capture h5g6 would mate from h4, so h5h6 is the only answer.
        "7k/6p1/5p2/7K/2B3PR/8/4n3/8 b - - 0 1" after "g7g6": outcome "black-wins submission";
        // With h6 guarded by a pinned bishop the check is as forbidden as a checkmate.
        // Guarded.
        "R4b1k/6p1/5p2/7K/2B3PR/8/8/8 b - - 0 1": illegal "g7g6";
        "R4b1k/6p1/5p2/7K/2B3PR/8/8/8 b - - 0 1" in "fide": legal "g7g6";
    }

    king_capture_as_only_answer_is_no_submission {
        "7k/1q6/8/8/8/8/8/K7 b - - 0 1" after "b7b2": outcome "ongoing", turns "a1b2";
    }

    block_as_only_answer_is_no_submission {
        "6k1/5ppp/8/8/8/8/3r4/R6K w - - 0 1" after "a1a8": outcome "ongoing", turns "d2d8";
    }

    several_king_steps_as_answers_are_no_submission {
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1" after "a1a8": outcome "ongoing", turns "e8d7 e8e7 e8f7";
    }

    single_king_step_without_check_is_no_submission {
        "k7/8/8/8/8/8/8/1R5K b - - 0 1": outcome "ongoing";
    }

    only_checkmates_left_is_checkmate_in_check_and_else_stalemate {
        // Checked.
        "R4b1k/8/5pp1/7K/2B3PR/8/8/8 w - - 0 1" in "fide": turns "h5g6";
        "R4b1k/8/5pp1/7K/2B3PR/8/8/8 w - - 0 1": outcome "black-wins checkmate";
        // Free.
        "3k/3P/p1PK/pq2/4 w - - 0 1" in "fide": turns "c3c4";
        "3k/3P/p1PK/pq2/4 w - - 0 1": outcome "draw stalemate";
    }
}
