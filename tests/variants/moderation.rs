//! Moderation Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::{after, at, ends, positions, refused};

const V: &str = "moderation";

positions! {
    V:
    each_turn_that_checks_counts_once {
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1" after "a1a8": fen_ends_with " checks=1,0";
        "4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1" after "e4d6": fen_ends_with " checks=1,0";
        "4k3/r7/8/8/8/8/8/4K3 b - - 0 1 checks=2,1" after "a7a1": fen_ends_with " checks=2,2";
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1" after "a1a7": fen_ends_with " 1 1";
    }

    fourth_check_is_legal_only_as_checkmate {
        "6k1/8/4K3/8/8/8/8/R7 w - - 0 1 checks=2,3": legal "a1a8";
        "6k1/8/4K3/8/8/8/8/R7 w - - 0 1 checks=3,0": illegal "a1a8 a1g1", legal "a1a7";
        "4k3/8/4K3/8/8/8/8/R7 w - - 0 1 checks=3,0" after "a1a8":
            outcome "white-wins checkmate", fen_ends_with " checks=3,0";
    }
}

#[test]
fn every_way_to_check_counts_and_is_spent_at_three() {
    // Castling, a discovered check, a promotion, a capture in passing.
    for (text, turn) in [
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
        ("4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "e4c3"),
        ("6k1/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q"),
        ("8/2k5/8/3pP3/8/8/8/K7 w - d6 0 1", "e5d6"),
    ] {
        let checked = after(V, text, turn);
        assert!(checked.fen.ends_with(" checks=1,0"), "{turn}");
        let spent = at(V, &format!("{text} checks=3,0"));
        assert!(!spent.can(turn), "{turn}");
    }
}

#[test]
fn fourth_check_that_only_a_spent_check_answers_is_no_checkmate() {
    // Black's one orthodox reply, b7d8, checks.
    let text = |state| format!("7k/1n4pp/4K3/8/8/8/8/R7 w - - 0 1 checks={state}");
    assert!(!at(V, &text("3,3")).can("a1a8"));
    ends(V, &text("2,2"), "a1a8", "ongoing");
    ends(V, &text("2,3"), "a1a8", "white-wins checkmate");
}

#[test]
fn only_a_spent_check_left_is_stalemate() {
    let text = |state| format!("8/8/8/7k/8/1q4P1/8/K7 w - - 0 1 checks={state}");
    ends(V, &text("3,0"), "", "draw stalemate");
    assert_eq!(at(V, &text("2,0")).turns, ["g3g4"]);
}

#[test]
fn counts_of_checks_are_read_strictly() {
    let text = |state: &str| format!("7k/8/8/8/8/8/8/K7 w - - 0 1 checks={state}");
    for bad in ["4,0", "0", "0,0,0", "00,1", "1,", "-,1"] {
        assert!(refused(V, &text(bad)), "{bad}");
    }
    assert!(at(V, &text("0,0")).fen.ends_with(" 0 1"));
}
