//! Triple Check Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::{after, at, ends};

const V: &str = "triple-check";

#[test]
fn safe_supported_quiet_check_wins() {
    let seen = after(V, "start", "b1c3 d7d5 e2e4 d5d4 f1b5");
    assert_eq!(seen.outcome, "white-wins triple-check");
    assert!(seen.fen.ends_with(" over=triple-check"));
    assert!(seen.turns.is_empty());
}

#[test]
fn check_needs_one_of_three_conditions() {
    // A capture, unsupported, that the king can answer by capturing.
    assert!(!at(V, "4k3/3p4/8/8/8/8/8/3QK3 w - - 0 1").can("d1d7"));
    // Quiet alone.
    ends(V, "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1d7", "ongoing");
    // Safe alone.
    ends(V, "n3k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "a1a8", "ongoing");
    // Supported alone.
    let supported = "3rk3/3p4/8/8/8/8/3Q4/3RK3 w - - 0 1";
    ends(V, supported, "d2d7", "ongoing");
}

#[test]
fn two_of_three_conditions_do_not_win() {
    // Safe and quiet, quiet and supported, safe and supported.
    ends(V, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "ongoing");
    let unsafe_check = "3rk3/8/8/8/8/8/3Q4/3RK3 w - - 0 1";
    ends(V, unsafe_check, "d2d7", "ongoing");
    let capture = "4k3/3p4/8/8/8/8/3Q4/3RK3 w - - 0 1";
    ends(V, capture, "d2d7", "ongoing");
}

#[test]
fn pinned_unit_cannot_capture_the_checking_one() {
    let pinned = "4k3/8/2n5/1B4B1/8/8/8/3RK3 w - - 0 1";
    ends(V, pinned, "d1d8", "white-wins triple-check");
    let free = "4k3/8/2n5/6B1/8/8/8/3RK3 w - - 0 1";
    ends(V, free, "d1d8", "ongoing");
}

#[test]
fn pinned_unit_and_king_support() {
    let pinned = "4k1r1/8/2n5/1B4B1/8/8/8/3R2K1 w - - 0 1";
    ends(V, pinned, "d1d8", "white-wins triple-check");
    let king = "4k3/8/4K3/8/1Q6/8/8/8 w - - 0 1";
    ends(V, king, "b4e7", "white-wins triple-check");
}

#[test]
fn triple_check_comes_before_checkmate() {
    let text = "4k3/4Q3/4K3/8/8/8/8/8 b - - 0 1";
    ends(V, text, "", "white-wins checkmate");
    let over = format!("{text} over=triple-check");
    ends(V, &over, "", "white-wins triple-check");
}

#[test]
fn every_unit_of_a_double_check_must_satisfy_a_condition() {
    // The rook's check on e1 is safe, the bishop's is not.
    let text = "4k3/3p4/4B3/8/8/8/8/4R1K1 w - - 0 1";
    assert!(!at(V, text).can("e6d7"));
}

#[test]
fn every_unit_of_a_double_check_must_be_safe_and_supported_to_win() {
    // The queen supports the knight, the pawn the queen.
    let both = "4k3/8/4N3/4Q3/3P4/8/8/4K3 w - - 0 1";
    ends(V, both, "e6c7", "white-wins triple-check");
    let one = "4k3/8/4N3/4Q3/8/8/8/3K4 w - - 0 1";
    ends(V, one, "e6c7", "ongoing");
}

#[test]
fn pawn_that_en_passant_can_take_is_not_safe() {
    let text = "8/8/8/5k2/3p4/3P4/4P3/4K3 w - - 0 1";
    ends(V, text, "e2e4", "ongoing");
    assert!(after(V, text, "e2e4").can("d4e3"));
    let alone = "8/8/8/5k2/8/3P4/4P3/4K3 w - - 0 1";
    ends(V, alone, "e2e4", "white-wins triple-check");
}

#[test]
fn capture_in_passing_is_not_quiet() {
    // The king could take the pawn.
    let text = "8/2k5/8/3pP3/8/8/8/K7 w - d6 0 1";
    assert!(at("fide", text).can("e5d6") && !at(V, text).can("e5d6"));
    // Safe and supported, but a capture.
    let supported = "8/2k5/8/3pP3/8/B7/8/K7 w - d6 0 1";
    ends(V, supported, "e5d6", "ongoing");
}

#[test]
fn only_forbidden_checks_left_loses() {
    let text = "8/8/8/7k/5pp1/1q3P2/8/K7 w - - 0 1";
    assert_eq!(at("fide", text).turns, ["f3g4"]);
    ends(V, text, "", "black-wins forced-check");
    let bare = "8/8/8/7k/5pp1/1q6/8/K7 w - - 0 1";
    ends(V, bare, "", "draw stalemate");
    // In check, with a forbidden check as the only way out.
    let checked = "1r4b1/8/8/8/8/2k5/2n4R/K7 w - - 0 1";
    assert_eq!(at("fide", checked).turns, ["h2c2"]);
    ends(V, checked, "", "black-wins checkmate");
}
