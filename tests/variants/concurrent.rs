//! Concurrent Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::shared_clauses;
use crate::hand::{at, can, legal_from, positions, refused};

const V: &str = "concurrent";

shared_clauses! {
    V:
    castling_does_not_exist("4k1q1/8/8/8/8/8/8/1Q2K2R", "K"),
    each_side_has_exactly_one_king,
    royal_queen_may_be_missing_but_not_doubled,
    mover_with_attacked_king_is_refused,
}

positions! {
    V:
    start_has_pawn_steps_only {
        "start": count 14;
    }

    king_and_queen_step_one_square_diagonally {
        "7k/8/8/8/8/8/8/1Q3K2 w - - 0 1": turns "b1a2 b1c2 f1e2 f1g2";
    }
}

#[test]
fn rook_goes_even_numbers_over_vacant_squares_or_one_diagonally() {
    let fen = "7k/8/8/p7/8/8/8/RN2K3 w - - 0 1";
    let mut steps = legal_from(V, fen, "a1");
    steps.retain(|turn| !turn.contains('+'));
    assert_eq!(steps, ["a1a3", "a1a5", "a1b2"]);
}

#[test]
fn knight_goes_three_and_one_over_vacant_squares() {
    let fen = "k7/3p4/8/8/3N4/8/8/7K w - - 0 1";
    let steps = legal_from(V, fen, "d4");
    let plain: Vec<_> = steps.iter().filter(|t| !t.contains('+')).collect();
    assert_eq!(plain, ["d4a3", "d4a5", "d4c1", "d4e1", "d4g3", "d4g5"]);
}

#[test]
fn each_of_the_three_squares_stops_a_knight() {
    for rank in ["2PN4", "1P1N4", "P2N4"] {
        let fen = format!("7k/8/8/8/{rank}/8/8/7K w - - 0 1");
        assert!(!can(V, &fen, "d4a3"), "{rank}");
        assert!(!can(V, &fen, "d4a5"), "{rank}");
        assert!(can(V, &fen, "d4g3"), "{rank}");
        // And its attack.
        let rank = rank.replace('N', "n");
        assert!(!refused(V, &format!("7k/8/8/8/{rank}/K7/8/8 b - - 0 1")));
    }
    assert!(refused(V, "7k/8/8/8/3n4/K7/8/8 b - - 0 1"));
}

#[test]
fn units_attack_as_they_step() {
    // Next to a1 diagonally; from a3 two squares, along the long diagonal.
    for rank in ["1p6", "1b6", "1r6", "1q6"] {
        assert!(refused(V, &format!("4k3/8/8/8/8/8/{rank}/K7 b - - 0 1")));
    }
    assert!(refused(V, "8/8/8/8/8/8/1k6/K7 b - - 0 1"));
    assert!(refused(V, "4k3/8/8/8/8/r7/8/K7 b - - 0 1"));
    assert!(refused(V, "4k3/6b1/8/8/8/8/8/K7 b - - 0 1"));
    // Next to a1 along the file, and three squares from it.
    for rank in ["p7", "b7", "r7", "q7"] {
        assert!(!refused(V, &format!("4k3/8/8/8/8/8/{rank}/K7 b - - 0 1")));
    }
    assert!(!refused(V, "8/8/8/8/8/8/k7/K7 b - - 0 1"));
    assert!(!refused(V, "4k3/8/8/8/r7/8/8/K7 b - - 0 1"));
}

positions! {
    V:
    knight_captures_on_its_target_only {
        "k7/8/8/6p1/3N4/8/8/7K w - - 0 1": legal "d4g5";
        "k7/8/8/6p1/3N2p1/8/8/7K w - - 0 1": illegal "d4g5";
    }
}

#[test]
fn pawn_goes_diagonally_capturing_or_not() {
    let fen = "7k/8/8/2pp4/3P4/8/8/K7 w - - 0 1";
    let plain: Vec<_> = legal_from(V, fen, "d4d5")
        .into_iter()
        .chain(legal_from(V, fen, "d4c5"))
        .chain(legal_from(V, fen, "d4e5"))
        .collect();
    assert_eq!(plain, ["d4c5", "d4e5"]);
}

positions! {
    V:
    pawn_promotes_to_rook_bishop_knight_and_has_no_double_step {
        "7k/P7/8/8/8/8/8/K7 w - - 0 1": goes "a7b8" "b n r";
        "7k/8/8/8/8/8/P7/7K w - - 0 1": goes "a2c4" "";
    }

    one_unit_may_be_mirrored_before_the_step_also_the_one_that_steps {
        "7k/8/8/8/8/8/P7/4K3 w - - 0 1": turns "a2b3 a2h2+e1d2 a2h2+e1f2 a2h2+h2g3 e1d2 e1f2";
        "7k/8/8/8/8/8/P7/4K3 w - - 0 1" after "a2h2+h2g3": fen "7k/8/8/8/8/6P1/8/4K3 b - - 0 1";
    }
}

#[test]
fn mirroring_needs_a_vacant_square_that_exists() {
    let fen = "7k/8/8/8/8/8/P6P/4K3 w - - 0 1";
    assert!(at(V, fen).turns.iter().all(|t| !t.contains('+')));
    let fen = "7k/8/8/8/8/8/P6*/4K3 w - - 0 1";
    assert!(at(V, fen).turns.iter().all(|t| !t.contains('+')));
}

#[test]
fn every_unit_but_king_and_queen_may_be_mirrored() {
    for unit in ["P", "N", "B", "R"] {
        let fen = format!("3k4/8/8/8/8/8/{unit}7/4K3 w - - 0 1");
        assert!(can(V, &fen, "a2h2+e1d2"), "{unit}");
    }
    let fen = "3k4/8/8/8/8/8/Q7/4K3 w - - 0 1";
    assert!(at(V, fen).turns.iter().all(|t| !t.contains('+')));
}

#[test]
fn mirroring_captures_nothing() {
    let fen = "7k/8/8/8/8/8/P6p/4K3 w - - 0 1";
    assert!(at(V, fen).turns.iter().all(|t| !t.contains('+')));
}

positions! {
    V:
    unit_on_a_middle_file_cannot_be_mirrored {
        "4k/5/5/2P2/5/K4 w - - 0 1": turns "a1b2 c3b4 c3d4";
    }

    mirroring_may_meet_a_check {
        "k7/8/8/8/7b/8/P1N5/4K3 w - - 0 1": illegal "a2b3", legal "c2f2+a2b3";
    }

    mirroring_a_pawn_resets_the_clock {
        "7k/8/8/8/8/8/P7/4K3 w - - 9 5" after "a2h2+e1d2": fen "7k/8/8/8/8/8/3K3P/8 b - - 0 5";
    }

    mirrored_unit_may_not_itself_attack_a_monarch {
        "k7/8/8/8/8/8/8/B3K3 w - - 0 1": goes "a1h1+" "";
        "k7/8/8/3p4/8/8/8/B3K3 w - - 0 1": legal "a1h1+e1d2";
        "q5k1/8/8/8/8/8/8/B3K3 w - - 0 1": goes "a1h1+" "";
    }
}

#[test]
fn mirrored_pawn_knight_and_rook_may_not_attack_a_monarch() {
    // The pawn attacks h3, not h4; the knight a5, not a6; the rook h8, not h7.
    for (attacked, free, mirrored, step) in [
        (
            "8/8/8/8/8/7k/1P6/K7",
            "8/8/8/8/7k/8/1P6/K7",
            "b2g2+",
            "a1b2",
        ),
        (
            "8/8/8/k7/4N3/8/8/7K",
            "8/8/k7/8/4N3/8/8/7K",
            "e4d4+",
            "h1g2",
        ),
        (
            "7k/8/8/8/8/8/R7/4K3",
            "8/7k/8/8/8/8/R7/4K3",
            "a2h2+",
            "e1d2",
        ),
    ] {
        let turns = legal_from(V, &format!("{attacked} w - - 0 1"), mirrored);
        assert_eq!(turns.len(), 0, "{attacked}");
        let turn = format!("{mirrored}{step}");
        assert!(can(V, &format!("{free} w - - 0 1"), &turn), "{free}");
    }
}

positions! {
    V:
    mirrored_unit_sees_across_the_square_that_it_left {
        // From d3 the rook attacks f3 over e3.
        "8/8/8/8/8/4Rk2/8/K7 w - - 0 1": goes "e3d3+" "";
        "8/8/8/5k2/8/4R3/8/K7 w - - 0 1": legal "e3d3+a1b2";
    }

    mirroring_may_uncover_an_attack {
        "k7/8/8/8/4N3/8/8/4K2B w - - 0 1": legal "e4d4+e1d2";
    }
}

#[test]
fn monarch_whose_attack_was_uncovered_is_not_captured() {
    for men in ["k7", "q6k"] {
        let fen = format!("{men}/8/8/8/4N3/8/8/4K2B w - - 0 1");
        assert!(can(V, &fen, "e4d4+h1b7"), "{men}");
        assert!(!can(V, &fen, "e4d4+h1a8"), "{men}");
    }
}

#[test]
fn own_safety_is_asked_at_the_end_of_the_turn() {
    let fen = "k7/8/8/8/7b/8/5N2/4K3 w - - 0 1";
    let all = legal_from(V, fen, "f2c2");
    assert_eq!(all, ["f2c2+e1d2"]);
}

positions! {
    V:
    attacked_queen_mates_as_an_attacked_king_does {
        "k7/8/8/4b3/8/8/8/K1b5 w - - 0 1": outcome "black-wins checkmate";
        "k7/8/8/4b3/8/8/8/Q1b4K w - - 0 1": outcome "black-wins checkmate";
    }

    stalemate_is_a_draw {
        "7k/8/8/8/8/8/8/K1b5 w - - 0 1": outcome "draw stalemate";
    }

    mover_with_attacked_queen_is_refused {
        "k7/8/8/4b3/8/8/8/Q6K b - - 0 1": refused;
    }
}
