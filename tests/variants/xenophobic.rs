//! Xenophobic Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::{after, at, ends, refused};

const V: &str = "xenophobic";

#[test]
fn intruder_that_cannot_be_captured_mates() {
    let text = "7k/8/4N3/8/8/8/8/K7 w - - 0 1";
    ends(V, text, "e6d8", "white-wins checkmate");
}

#[test]
fn intruder_must_be_captured_at_once() {
    let text = "r6k/8/4N3/8/8/8/8/1K6 w - - 0 1";
    assert_eq!(after(V, text, "e6d8").turns, ["a8d8"]);
}

#[test]
fn intruder_is_captured_by_the_king_too_and_no_castling_evades_it() {
    let text = "3Nk2r/8/8/8/8/8/8/K7 b k - 0 1";
    assert_eq!(at(V, text).turns, ["e8d8"]);
    // With one captured the other would stay.
    let two = "3NkN2/8/8/8/8/8/8/K7 b - - 0 1";
    ends(V, two, "", "white-wins checkmate");
}

#[test]
fn only_the_four_middle_squares_are_guarded() {
    ends(V, "8/8/2N5/8/8/8/7k/K7 w - - 0 1", "c6b8", "ongoing");
    ends(V, "8/4N3/8/8/8/8/7k/K7 w - - 0 1", "e7g8", "ongoing");
    ends(
        V,
        "8/4N3/8/8/8/8/7k/K7 w - - 0 1",
        "e7c8",
        "white-wins checkmate",
    );
    // Own units may stand there, and enemies on one's last rank.
    ends(V, "7k/8/8/8/8/8/8/K3N3 w - - 0 1", "a1b1", "ongoing");
}

#[test]
fn two_intruders_are_mate() {
    let text = "r2NN2k/8/8/8/8/8/8/1K6 b - - 0 1";
    ends(V, text, "", "white-wins checkmate");
}

#[test]
fn intruder_together_with_a_check_is_mate() {
    let text = "r2N3k/8/8/8/8/8/8/1K5R b - - 0 1";
    ends(V, text, "", "white-wins checkmate");
}

#[test]
fn pinned_unit_does_not_capture_the_intruder_nor_the_king_a_supported_one() {
    let pinned = "3N4/R2r3k/8/8/8/8/8/K7 b - - 0 1";
    ends(V, pinned, "", "white-wins checkmate");
    let free = "3N4/3r3k/8/8/8/8/8/K7 b - - 0 1";
    assert_eq!(at(V, free).turns, ["d7d8"]);
    let supported = "R2Nk3/8/8/8/8/8/8/K7 b - - 0 1";
    ends(V, supported, "", "white-wins checkmate");
}

#[test]
fn white_is_guarded_on_his_own_first_rank() {
    ends(
        V,
        "7k/8/8/8/8/8/K7/2n5 w - - 0 1",
        "",
        "black-wins checkmate",
    );
    ends(V, "7k/8/8/8/8/8/K7/6n1 w - - 0 1", "", "ongoing");
}

#[test]
fn intruding_king_mates() {
    let text = "8/4K3/8/8/8/8/7k/8 w - - 0 1";
    ends(V, text, "e7e8", "white-wins checkmate");
}

#[test]
fn side_that_left_an_intruder_is_refused() {
    let text = |side| format!("3N3k/8/8/8/8/8/8/K7 {side} - - 0 1");
    assert!(refused(V, &text("w")));
    ends(V, &text("b"), "", "white-wins checkmate");
}

#[test]
fn middle_squares_on_other_widths() {
    // Six files: b to e. Five: a to d. Three: all.
    ends(V, "N5/6/5k/6/6/K5 b - - 0 1", "", "ongoing");
    ends(V, "1N4/6/5k/6/6/K5 b - - 0 1", "", "white-wins checkmate");
    ends(V, "4N1/6/5k/6/6/K5 b - - 0 1", "", "white-wins checkmate");
    ends(V, "4N/5/5/k4/5/4K b - - 0 1", "", "ongoing");
    ends(V, "N4/5/5/4k/5/K4 b - - 0 1", "", "white-wins checkmate");
    ends(V, "2N/3/k2/3/2K b - - 0 1", "", "white-wins checkmate");
}

#[test]
fn stalemate_without_an_intruder_is_a_draw() {
    let text = "k7/8/1Q6/8/8/8/8/7K b - - 0 1";
    ends(V, text, "", "draw stalemate");
}
