//! Xenophobic Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::{ends, positions, refused};

const V: &str = "xenophobic";

positions! {
    V:
    intruder_that_cannot_be_captured_mates {
        "7k/8/4N3/8/8/8/8/K7 w - - 0 1" after "e6d8": outcome "white-wins checkmate";
    }

    intruder_must_be_captured_at_once {
        "r6k/8/4N3/8/8/8/8/1K6 w - - 0 1" after "e6d8": turns "a8d8";
    }

    intruder_is_captured_by_the_king_too_and_no_castling_evades_it {
        "3Nk2r/8/8/8/8/8/8/K7 b k - 0 1": turns "e8d8";
        // With one captured the other would stay.
        "3NkN2/8/8/8/8/8/8/K7 b - - 0 1": outcome "white-wins checkmate";
    }

    only_the_four_middle_squares_are_guarded {
        "8/8/2N5/8/8/8/7k/K7 w - - 0 1" after "c6b8": outcome "ongoing";
        "8/4N3/8/8/8/8/7k/K7 w - - 0 1" after "e7g8": outcome "ongoing";
        "8/4N3/8/8/8/8/7k/K7 w - - 0 1" after "e7c8": outcome "white-wins checkmate";
        // Own units may stand there, and enemies on one's last rank.
        "7k/8/8/8/8/8/8/K3N3 w - - 0 1" after "a1b1": outcome "ongoing";
    }

    two_intruders_are_mate {
        "r2NN2k/8/8/8/8/8/8/1K6 b - - 0 1": outcome "white-wins checkmate";
    }

    intruder_together_with_a_check_is_mate {
        "r2N3k/8/8/8/8/8/8/1K5R b - - 0 1": outcome "white-wins checkmate";
    }

    pinned_unit_does_not_capture_the_intruder_nor_the_king_a_supported_one {
        // Pinned.
        "3N4/R2r3k/8/8/8/8/8/K7 b - - 0 1": outcome "white-wins checkmate";
        // Free.
        "3N4/3r3k/8/8/8/8/8/K7 b - - 0 1": turns "d7d8";
        // Supported.
        "R2Nk3/8/8/8/8/8/8/K7 b - - 0 1": outcome "white-wins checkmate";
    }

    white_is_guarded_on_his_own_first_rank {
        "7k/8/8/8/8/8/K7/2n5 w - - 0 1": outcome "black-wins checkmate";
        "7k/8/8/8/8/8/K7/6n1 w - - 0 1": outcome "ongoing";
    }

    intruding_king_mates {
        "8/4K3/8/8/8/8/7k/8 w - - 0 1" after "e7e8": outcome "white-wins checkmate";
    }
}

#[test]
fn side_that_left_an_intruder_is_refused() {
    let text = |side| format!("3N3k/8/8/8/8/8/8/K7 {side} - - 0 1");
    assert!(refused(V, &text("w")));
    ends(V, &text("b"), "", "white-wins checkmate");
}

positions! {
    V:
    middle_squares_on_other_widths {
        // Six files: b to e. Five: a to d. Three: all.
        "N5/6/5k/6/6/K5 b - - 0 1": outcome "ongoing";
        "1N4/6/5k/6/6/K5 b - - 0 1": outcome "white-wins checkmate";
        "4N1/6/5k/6/6/K5 b - - 0 1": outcome "white-wins checkmate";
        "4N/5/5/k4/5/4K b - - 0 1": outcome "ongoing";
        "N4/5/5/4k/5/K4 b - - 0 1": outcome "white-wins checkmate";
        "2N/3/k2/3/2K b - - 0 1": outcome "white-wins checkmate";
    }

    stalemate_without_an_intruder_is_a_draw {
        "k7/8/1Q6/8/8/8/8/7K b - - 0 1": outcome "draw stalemate";
    }
}
