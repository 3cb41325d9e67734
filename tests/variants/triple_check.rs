//! Triple Check Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::positions;

const V: &str = "triple-check";

positions! {
    V:
    safe_supported_quiet_check_wins {
        "start" after "b1c3 d7d5 e2e4 d5d4 f1b5":
            outcome "white-wins triple-check", fen_ends_with " over=triple-check", turns "";
    }

    check_needs_one_of_three_conditions {
        // A capture, unsupported, that the king can answer by capturing.
        "4k3/3p4/8/8/8/8/8/3QK3 w - - 0 1": illegal "d1d7";
        // Quiet alone.
        "4k3/8/8/8/8/8/8/3QK3 w - - 0 1" after "d1d7": outcome "ongoing";
        // Safe alone.
        "n3k3/8/8/8/8/8/8/Q3K3 w - - 0 1" after "a1a8": outcome "ongoing";
        // Supported alone.
        // Supported.
        "3rk3/3p4/8/8/8/8/3Q4/3RK3 w - - 0 1" after "d2d7": outcome "ongoing";
    }

    two_of_three_conditions_do_not_win {
        // Safe and quiet, quiet and supported, safe and supported.
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1" after "a1a8": outcome "ongoing";
        // Unsafe check.
        "3rk3/8/8/8/8/8/3Q4/3RK3 w - - 0 1" after "d2d7": outcome "ongoing";
        // Capture.
        "4k3/3p4/8/8/8/8/3Q4/3RK3 w - - 0 1" after "d2d7": outcome "ongoing";
    }

    pinned_unit_cannot_capture_the_checking_one {
        // Pinned.
        "4k3/8/2n5/1B4B1/8/8/8/3RK3 w - - 0 1" after "d1d8": outcome "white-wins triple-check";
        // Free.
        "4k3/8/2n5/6B1/8/8/8/3RK3 w - - 0 1" after "d1d8": outcome "ongoing";
    }

    pinned_unit_and_king_support {
        // Pinned.
        "4k1r1/8/2n5/1B4B1/8/8/8/3R2K1 w - - 0 1" after "d1d8": outcome "white-wins triple-check";
        // King.
        "4k3/8/4K3/8/1Q6/8/8/8 w - - 0 1" after "b4e7": outcome "white-wins triple-check";
    }

    triple_check_comes_before_checkmate {
        "4k3/4Q3/4K3/8/8/8/8/8 b - - 0 1": outcome "white-wins checkmate";
        // Over.
        "4k3/4Q3/4K3/8/8/8/8/8 b - - 0 1 over=triple-check": outcome "white-wins triple-check";
    }

    every_unit_of_a_double_check_must_satisfy_a_condition {
        // The rook's check on e1 is safe, the bishop's is not.
        "4k3/3p4/4B3/8/8/8/8/4R1K1 w - - 0 1": illegal "e6d7";
    }

    every_unit_of_a_double_check_must_be_safe_and_supported_to_win {
        // The queen supports the knight, the pawn the queen.
        // Both.
        "4k3/8/4N3/4Q3/3P4/8/8/4K3 w - - 0 1" after "e6c7": outcome "white-wins triple-check";
        "4k3/8/4N3/4Q3/8/8/8/3K4 w - - 0 1" after "e6c7": outcome "ongoing";
    }

    pawn_that_en_passant_can_take_is_not_safe {
        "8/8/8/5k2/3p4/3P4/4P3/4K3 w - - 0 1" after "e2e4": outcome "ongoing", legal "d4e3";
        // Alone.
        "8/8/8/5k2/8/3P4/4P3/4K3 w - - 0 1" after "e2e4": outcome "white-wins triple-check";
    }

    capture_in_passing_is_not_quiet {
        // The king could take the pawn.
        "8/2k5/8/3pP3/8/8/8/K7 w - d6 0 1" in "fide": legal "e5d6";
        "8/2k5/8/3pP3/8/8/8/K7 w - d6 0 1": illegal "e5d6";
        // Safe and supported, but a capture.
        // Supported.
        "8/2k5/8/3pP3/8/B7/8/K7 w - d6 0 1" after "e5d6": outcome "ongoing";
    }

    only_forbidden_checks_left_loses {
        "8/8/8/7k/5pp1/1q3P2/8/K7 w - - 0 1" in "fide": turns "f3g4";
        "8/8/8/7k/5pp1/1q3P2/8/K7 w - - 0 1": outcome "black-wins forced-check";
        // Bare.
        "8/8/8/7k/5pp1/1q6/8/K7 w - - 0 1": outcome "draw stalemate";
        // In check, with a forbidden check as the only way out.
        // Checked.
        "1r4b1/8/8/8/8/2k5/2n4R/K7 w - - 0 1" in "fide": turns "h2c2";
        "1r4b1/8/8/8/8/2k5/2n4R/K7 w - - 0 1": outcome "black-wins checkmate";
    }
}
