//! Convergent Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::shared_clauses;
use crate::hand::{ends, goes, positions};

const V: &str = "convergent";

shared_clauses! {
    V:
    each_side_has_exactly_one_king,
    kings_side_by_side_are_refused,
    there_is_no_state,
}

// Array and men.

positions! {
    V:
    array_at_the_start {
        "start":
            fen "***qk***/*rnbbnr*/*pppppp*/*6*/*6*/*PPPPPP*/*RNBBNR*/***QK*** w - - 0 1",
            turns "b3b4 b3c4 c2b4 c2d4 c3b4 c3c4 c3d4 d3c4 d3d4 d3e4 \
                e3d4 e3e4 e3f4 f2e4 f2g4 f3e4 f3f4 f3g4 g3f4 g3g4";
    }

    pawn_goes_ahead_or_diagonally {
        "***1k***/*6*/*6*/*6*/*1P4*/*6*/*6*/***1K*** w - - 0 1": goes "c4" "b5 c5 d5";
        "***1k***/*6*/*6*/*1p4*/*6*/*6*/*6*/***1K*** b - - 0 1": goes "c5" "b4 c4 d4";
    }

    pawn_captures_diagonally_only {
        // Enemies.
        "***1k***/*6*/*6*/*nn4*/*1P4*/*6*/*6*/***1K*** w - - 0 1": goes "c4" "b5 d5";
        // Own.
        "***1k***/*6*/*6*/*NN4*/*1P4*/*6*/*6*/***1K*** w - - 0 1": goes "c4" "d5";
        // Enemies.
        "***1k***/*6*/*6*/*nn4*/*1P4*/*6*/*6*/***1K*** w - - 0 1" after "c4b5":
            fen "***1k***/*6*/*6*/*Pn4*/*6*/*6*/*6*/***1K*** b - - 0 1";
    }
}

#[test]
fn pawn_on_a_corner_goes_sideways() {
    for (rank_7, rank_2, square, white, black) in [
        ("6", "P5", "b2", "b3 c2 c3", "c2"),
        ("6", "5P", "g2", "f2 f3 g3", "f2"),
        ("P5", "6", "b7", "c7", "b6 c6 c7"),
        ("5P", "6", "g7", "f7", "f6 f7 g6"),
        ("6", "1P4", "c2", "b3 c3 d3", "d1"),
        ("4P1", "6", "f7", "e8", "e6 f6 g6"),
    ] {
        let board = format!("***2***/*{rank_7}*/*6*/*1k4*/*6*/*3K2*/*{rank_2}*/***2***");
        goes(V, &format!("{board} w - - 0 1"), square, white);
        let swapped = board.replace('P', "p");
        goes(V, &format!("{swapped} b - - 0 1"), square, black);
    }
}

positions! {
    V:
    pawn_captures_nothing_sideways {
        // Enemy.
        "***1k***/*6*/*6*/*6*/*6*/*6*/*Pb4*/***1K*** w - - 0 1": goes "b2" "b3 c3";
        // Own.
        "***1k***/*6*/*6*/*6*/*6*/*6*/*PB4*/***1K*** w - - 0 1": goes "b2" "b3 c3";
    }

    corners_are_the_ends_of_two_ranks_on_any_board {
        // Full.
        "4k3/8/8/8/8/8/P6P/4K3 w - - 0 1": goes "a2" "a3 b2 b3", goes "h2" "g2 g3 h3";
        // Inner.
        "4k3/8/8/8/8/8/1P6/4K3 w - - 0 1": goes "b2" "a3 b3 c3";
        "4k3/8/8/8/8/P7/8/P3K3 w - - 0 1": goes "a1" "a2 b2", goes "a3" "a4 b4";
        "k3K w - - 0 1": kept;
    }

    pawn_neither_promotes_nor_goes_two_squares {
        "***2***/*2P2k*/*6*/*6*/*6*/*1P4*/*6*/***1K*** w - - 0 1":
            goes "d7" "d8 e8", goes "c3" "b4 c4 d4";
    }

    pawn_may_stand_on_the_edge_and_stays_there {
        // Last.
        "P6k/8/8/8/8/8/8/4K3 w - - 0 1": kept, goes "a8" "";
        "7k/8/8/8/8/8/8/P3K3 w - - 0 1": goes "a1" "a2 b2";
        "p6k/8/8/8/8/8/8/p5K1 b - - 0 1": kept;
    }

    castling_does_not_exist {
        "4k3/8/8/8/8/8/8/R3K2R w KQkq - 0 1":
            fen "4k3/8/8/8/8/8/8/R3K2R w - - 0 1", illegal "e1g1 e1c1";
    }

    knight_is_orthodox {
        "***1k***/*6*/*6*/*6*/*2N3*/*6*/*6*/***1K*** w - - 0 1":
            goes "d4" "b3 b5 c2 c6 e2 e6 f3 f5";
    }

    rook_and_bishop_go_three_squares {
        // Rook.
        "4k3/8/8/8/8/8/8/R6K w - - 0 1": goes "a1" "a2 a3 a4 b1 c1 d1";
        // Bishop.
        "4k3/8/8/8/8/8/8/B6K w - - 0 1": goes "a1" "b2 c3 d4";
        // Blocked.
        "4k3/8/8/8/8/n1P5/8/RN5K w - - 0 1": goes "a1" "a2 a3";
    }
}

#[test]
fn rook_and_bishop_check_from_three_squares() {
    for (text, targets) in [
        ("k7/8/8/8/4r3/8/7P/4K3 w - - 0 1", ""),
        ("k7/8/8/4r3/8/8/7P/4K3 w - - 0 1", "g2 g3 h3"),
        ("k7/8/8/8/1b6/8/7P/4K3 w - - 0 1", ""),
        ("k7/8/8/b7/8/8/7P/4K3 w - - 0 1", "g2 g3 h3"),
    ] {
        goes(V, text, "h2", targets);
    }
}

positions! {
    V:
    pin_reaches_three_squares {
        // Near.
        "k7/8/8/8/4r3/4N3/8/4K3 w - - 0 1": goes "e3" "";
        // Far.
        "k7/8/8/4r3/8/4N3/8/4K3 w - - 0 1": goes "e3" "c2 c4 d1 d5 f1 f5 g2 g4";
    }

    queen_leaps_one_or_two_squares {
        "k7/8/8/8/3Q4/8/8/4K3 w - - 0 1":
            goes "d4" "b2 b4 b6 c3 c4 c5 d2 d3 d5 d6 e3 e4 e5 f2 f4 f6";
    }

    queen_leaps_over_units_and_holes {
        // Units.
        "k7/8/8/2PPP3/2PQP3/2PPP3/8/4K3 w - - 0 1": goes "d4" "b2 b4 b6 d2 d6 f2 f4 f6";
        // Hole.
        "k7/8/8/2PPP3/2PQ*3/2P**3/8/4K3 w - - 0 1": goes "d4" "b2 b4 b6 d2 d6 f2 f4 f6";
    }

    queen_checks_over_a_unit {
        "k7/8/8/8/8/4q3/4P2P/4K3 w - - 0 1": goes "h2" "", goes "e2" "";
    }

    king_keeps_away_from_the_other_king {
        "8/8/4k3/8/4K3/8/8/8 w - - 0 1": goes "e4" "d3 d4 e3 f3 f4";
    }

    pawn_attacks_diagonally_only {
        // Diagonal.
        "k7/8/8/3p4/4K3/8/8/6P1 w - - 0 1": goes "g1" "";
        // Ahead.
        "k7/8/8/4p3/4K3/8/8/6P1 w - - 0 1": goes "g1" "f2 g2 h2";
        // Corner.
        "7k/pK6/8/8/8/8/8/6P1 w - - 0 1": goes "g1" "f2 g2 h2";
    }

    // Intruders.

    intruder_has_to_be_captured {
        // D1.
        "***1k***/*6*/*6*/*6*/*6*/*4B1*/*5K*/***n1*** w - - 0 1": turns "f3d1";
        // E1.
        "***1k***/*6*/*6*/*6*/*6*/*5B*/*K5*/***1n*** w - - 0 1": turns "g3e1";
        // D8.
        "***B1***/*k5*/*6*/*2r3*/*6*/*6*/*6*/***1K*** b - - 0 1": turns "d5d8";
        // E8.
        "***1B***/*5k*/*6*/*3r2*/*6*/*6*/*6*/***1K*** b - - 0 1": turns "e5e8";
    }

    own_units_do_not_intrude {
        "***rk***/*6*/*6*/*6*/*6*/*6*/*5K*/***NN*** w - - 0 1": goes "d1" "b2 c3 e3 f2";
    }
}

#[test]
fn any_unit_intrudes() {
    for unit in ["n", "b", "r", "q", "p"] {
        let text = format!("***1k***/*6*/*6*/*6*/*6*/*5K*/*6*/***{unit}1*** w - - 0 1");
        ends(V, &text, "", "black-wins checkmate");
    }
}

positions! {
    V:
    king_captures_an_intruder_that_is_not_protected {
        // Bare.
        "***1k***/*6*/*6*/*6*/*6*/*6*/*1K4*/***n1*** w - - 0 1": turns "c2d1";
        // Protected.
        "***1k***/*6*/*6*/*6*/*2r3*/*6*/*1K4*/***n1*** w - - 0 1": outcome "black-wins checkmate";
    }

    two_intruders_are_one_too_many {
        "***1k***/*6*/*6*/*6*/*6*/*5B*/*1K4*/***nb*** w - - 0 1": outcome "black-wins checkmate";
        // Far.
        "***1k***/*6*/*6*/*6*/*K5*/*5B*/*6*/***nb*** w - - 0 1": outcome "black-wins checkmate";
    }

    intruder_and_check_are_one_too_many {
        "***1k***/*5r*/*6*/*5K*/*6*/*4B1*/*6*/***b1*** w - - 0 1": outcome "black-wins checkmate";
        // No check.
        "***1k***/*4r1*/*6*/*5K*/*6*/*4B1*/*6*/***b1*** w - - 0 1": turns "f3d1";
    }

    pinned_unit_does_not_capture_an_intruder {
        "***1k***/*6*/*6*/*4K1*/*6*/*4B1*/*4r1*/***n1*** w - - 0 1":
            outcome "black-wins checkmate";
        // Free.
        "***1k***/*6*/*6*/*4K1*/*6*/*4B1*/*6*/***n1*** w - - 0 1": turns "f3d1";
    }

    check_of_the_intruder_is_not_blocked {
        "***1k***/*6*/*6*/*6*/*2K3*/*5R*/*6*/***r1*** w - - 0 1": outcome "black-wins checkmate";
    }

    king_checkmates_by_intruding {
        "***2***/*6*/*6*/*6*/*6*/*6*/*1k3K*/***2*** b - - 0 1" after "c2d1":
            outcome "black-wins checkmate";
        "***2***/*1K3k*/*6*/*6*/*6*/*6*/*6*/***2*** w - - 0 1" after "c7d8":
            outcome "white-wins checkmate";
        // Guarded.
        "***2***/*6*/*6*/*6*/*6*/*4B1*/*1k3K*/***2*** b - - 0 1": illegal "c2d1";
    }

    mover_leaves_no_intruder {
        "***B1***/*k5*/*6*/*2r3*/*6*/*6*/*6*/***1K*** w - - 0 1": refused;
        // Far.
        "***B1***/*6*/*k5*/*2r3*/*6*/*6*/*6*/***1K*** b - - 0 1": accepted;
    }

    odd_rank_has_one_royal_square {
        // Middle.
        "3k3/7/7/K6/7/3n3 w - - 0 1": outcome "black-wins checkmate";
        "3k3/7/7/K6/7/4n2 w - - 0 1" after "a3a4": outcome "ongoing";
        "3k3/7/K6/7/7/2n4 w - - 0 1" after "a4a5": outcome "ongoing";
    }
}

#[test]
fn royal_squares_are_counted_among_existing_squares() {
    for (row, outcome) in [
        ("****b3", "ongoing"),
        ("****1b2", "black-wins checkmate"),
        ("****2b1", "black-wins checkmate"),
        ("****3b", "ongoing"),
    ] {
        let text = format!("4k3/8/8/8/8/K7/8/{row} w - - 0 1");
        ends(V, &text, "", outcome);
    }
}

positions! {
    V:
    rank_without_squares_has_no_royal_squares {
        "4k3/8/8/8/8/8/K2n4/******** w - - 0 1" after "a2a3": outcome "ongoing";
    }

    // Outcomes.

    stalemate_loses {
        "k7/2Q5/8/8/8/8/8/4K3 b - - 0 1": outcome "white-wins stalemate";
        "4k3/8/8/8/8/8/2q5/K7 w - - 0 1": outcome "black-wins stalemate";
    }

    checkmate_by_attack_loses {
        "k7/8/Q7/1R6/8/8/8/4K3 b - - 0 1": outcome "white-wins checkmate";
        // Free.
        "k7/8/Q7/8/8/8/8/4K3 b - - 0 1": turns "a8b8";
    }

    // What a FEN must satisfy.

    mover_with_attacked_king_is_refused {
        "4k3/8/8/8/4r3/8/8/4K3 b - - 0 1": refused;
        "4k3/8/8/8/4r3/8/8/4K3 w - - 0 1": accepted;
    }

    other_letters_of_rights_are_refused {
        "4k3/8/8/8/8/8/8/4K3 w A - 0 1": refused;
    }

    en_passant_square_is_dropped {
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1": fen "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1";
    }
}
