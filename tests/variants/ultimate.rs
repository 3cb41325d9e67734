//! Ultimate Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::positions;

const V: &str = "ultimate";

positions! {
    V:
    pawn_check_wins {
        "8/8/8/3k4/8/4P3/8/4K3 w - - 0 1" after "e3e4": outcome "white-wins ultimate-mate";
    }

    checkmate_comes_before_ultimate_mate {
        "6bk/7p/6PK/8/8/8/8/8 w - - 0 1" after "g6g7": outcome "white-wins checkmate";
    }

    knight_check_with_exactly_one_answer_wins {
        "7k/6pp/8/4N3/8/8/8/K7 w - - 0 1" after "e5f7": outcome "white-wins ultimate-mate";
        "7k/7p/8/4N3/8/8/8/K7 w - - 0 1" after "e5f7": outcome "ongoing";
    }

    only_answer_to_a_knight_may_be_any_turn {
        // Only the bishop can answer, by taking.
        "6rk/6pp/8/3bN3/8/8/8/K7 w - - 0 1" after "e5f7": outcome "white-wins ultimate-mate";
    }

    promotions_are_several_answers_to_a_knight {
        "8/8/8/8/1K6/8/kp6/nbN5 b - - 0 1": outcome "ongoing", turns "b2c1b b2c1n b2c1q b2c1r";
    }

    bishop_check_that_drives_the_king_away_wins {
        "4k3/8/8/8/8/8/4B3/4K3 w - - 0 1" after "e2b5": outcome "white-wins ultimate-mate";
        // Block.
        "4k3/2p5/8/8/8/8/4B3/4K3 w - - 0 1" after "e2b5": outcome "ongoing";
    }

    king_that_can_capture_the_bishop_need_not_flee {
        "4k3/8/8/8/6B1/8/8/4K3 w - - 0 1" after "g4d7": outcome "ongoing";
        // Capturing something else does not help.
        "4k3/5N2/8/8/8/8/4B3/4K3 w - - 0 1" after "e2b5": outcome "white-wins ultimate-mate";
    }

    rook_check_that_drives_the_king_into_loneliness_wins {
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1" after "a1a8": outcome "white-wins ultimate-mate";
    }

    rook_check_next_to_own_unit_is_no_mate {
        "4k3/8/3p4/8/8/8/8/R3K3 w - - 0 1" after "a1a8": outcome "ongoing";
        // Block.
        "4k3/8/8/2r5/8/8/8/R3K3 w - - 0 1" after "a1a8": outcome "ongoing";
    }

    next_to_own_unit_means_by_rank_file_or_diagonal {
        // On d7 the king stands beside c7, or touches c6 at the corner.
        "4k3/2p5/8/8/8/8/8/R3K3 w - - 0 1" after "a1a8": outcome "ongoing";
        "4k3/8/2p5/8/8/8/8/R3K3 w - - 0 1" after "a1a8": outcome "ongoing";
        // b6 is too far away.
        // Far.
        "4k3/8/1p6/8/8/8/8/R3K3 w - - 0 1" after "a1a8": outcome "white-wins ultimate-mate";
    }

    king_that_captures_the_rook_alone_is_lost_too {
        "4k3/R7/8/8/8/8/8/7K w - - 0 1" after "a7e7": outcome "white-wins ultimate-mate";
    }

    any_unit_of_a_double_check_is_enough {
        // The knight leaves several answers; the rook drives the king into loneliness.
        "4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1" after "e4d6": outcome "white-wins ultimate-mate";
    }

    queen_check_and_stalemate_are_as_in_orthodox_chess {
        // A single answer to a queen is enough.
        // Single.
        "6k1/5ppp/8/8/8/8/3r4/Q6K w - - 0 1" after "a1a8": outcome "ongoing", turns "d2d8";
        "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1" after "a1a8": outcome "ongoing";
        "k7/8/1Q6/8/8/8/8/7K b - - 0 1": outcome "draw stalemate";
    }
}
