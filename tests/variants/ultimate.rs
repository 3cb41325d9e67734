//! Ultimate Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::{after, at, ends};

const V: &str = "ultimate";

#[test]
fn pawn_check_wins() {
    let text = "8/8/8/3k4/8/4P3/8/4K3 w - - 0 1";
    ends(V, text, "e3e4", "white-wins ultimate-mate");
}

#[test]
fn checkmate_comes_before_ultimate_mate() {
    let text = "6bk/7p/6PK/8/8/8/8/8 w - - 0 1";
    ends(V, text, "g6g7", "white-wins checkmate");
}

#[test]
fn knight_check_with_exactly_one_answer_wins() {
    let one = "7k/6pp/8/4N3/8/8/8/K7 w - - 0 1";
    ends(V, one, "e5f7", "white-wins ultimate-mate");
    let two = "7k/7p/8/4N3/8/8/8/K7 w - - 0 1";
    ends(V, two, "e5f7", "ongoing");
}

#[test]
fn only_answer_to_a_knight_may_be_any_turn() {
    // Only the bishop can answer, by taking.
    let text = "6rk/6pp/8/3bN3/8/8/8/K7 w - - 0 1";
    ends(V, text, "e5f7", "white-wins ultimate-mate");
}

#[test]
fn promotions_are_several_answers_to_a_knight() {
    let text = "8/8/8/8/1K6/8/kp6/nbN5 b - - 0 1";
    let seen = at(V, text);
    assert_eq!(seen.outcome, "ongoing");
    assert_eq!(seen.turns, ["b2c1b", "b2c1n", "b2c1q", "b2c1r"]);
}

#[test]
fn bishop_check_that_drives_the_king_away_wins() {
    let text = "4k3/8/8/8/8/8/4B3/4K3 w - - 0 1";
    ends(V, text, "e2b5", "white-wins ultimate-mate");
    let block = "4k3/2p5/8/8/8/8/4B3/4K3 w - - 0 1";
    ends(V, block, "e2b5", "ongoing");
}

#[test]
fn king_that_can_capture_the_bishop_need_not_flee() {
    ends(V, "4k3/8/8/8/6B1/8/8/4K3 w - - 0 1", "g4d7", "ongoing");
    // Capturing something else does not help.
    let other = "4k3/5N2/8/8/8/8/4B3/4K3 w - - 0 1";
    ends(V, other, "e2b5", "white-wins ultimate-mate");
}

#[test]
fn rook_check_that_drives_the_king_into_loneliness_wins() {
    let text = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    ends(V, text, "a1a8", "white-wins ultimate-mate");
}

#[test]
fn rook_check_next_to_own_unit_is_no_mate() {
    let text = "4k3/8/3p4/8/8/8/8/R3K3 w - - 0 1";
    ends(V, text, "a1a8", "ongoing");
    let block = "4k3/8/8/2r5/8/8/8/R3K3 w - - 0 1";
    ends(V, block, "a1a8", "ongoing");
}

#[test]
fn next_to_own_unit_means_by_rank_file_or_diagonal() {
    // On d7 the king stands beside c7, or touches c6 at the corner.
    ends(V, "4k3/2p5/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "ongoing");
    ends(V, "4k3/8/2p5/8/8/8/8/R3K3 w - - 0 1", "a1a8", "ongoing");
    // b6 is too far away.
    let far = "4k3/8/1p6/8/8/8/8/R3K3 w - - 0 1";
    ends(V, far, "a1a8", "white-wins ultimate-mate");
}

#[test]
fn king_that_captures_the_rook_alone_is_lost_too() {
    let text = "4k3/R7/8/8/8/8/8/7K w - - 0 1";
    ends(V, text, "a7e7", "white-wins ultimate-mate");
}

#[test]
fn any_unit_of_a_double_check_is_enough() {
    // The knight leaves several answers; the rook drives the king into loneliness.
    let text = "4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1";
    ends(V, text, "e4d6", "white-wins ultimate-mate");
}

#[test]
fn queen_check_and_stalemate_are_as_in_orthodox_chess() {
    // A single answer to a queen is enough.
    let single = "6k1/5ppp/8/8/8/8/3r4/Q6K w - - 0 1";
    ends(V, single, "a1a8", "ongoing");
    assert_eq!(after(V, single, "a1a8").turns, ["d2d8"]);
    ends(V, "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "a1a8", "ongoing");
    ends(V, "k7/8/1Q6/8/8/8/8/7K b - - 0 1", "", "draw stalemate");
}
