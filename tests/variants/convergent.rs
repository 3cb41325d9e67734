//! Convergent Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::shared_clauses;
use crate::hand::{at, dropped, ends, goes, kept, leads, only, refused};

const V: &str = "convergent";

shared_clauses! {
    V:
    each_side_has_exactly_one_king,
    kings_side_by_side_are_refused,
    there_is_no_state,
}

// Array and men.

#[test]
fn array_at_the_start() {
    let seen = at(V, "start");
    assert_eq!(
        seen.fen,
        "***qk***/*rnbbnr*/*pppppp*/*6*/*6*/*PPPPPP*/*RNBBNR*/***QK*** w - - 0 1"
    );
    let turns = "b3b4 b3c4 c2b4 c2d4 c3b4 c3c4 c3d4 d3c4 d3d4 d3e4 \
        e3d4 e3e4 e3f4 f2e4 f2g4 f3e4 f3f4 f3g4 g3f4 g3g4";
    assert_eq!(seen.turns.join(" "), turns);
}

#[test]
fn pawn_goes_ahead_or_diagonally() {
    let white = "***1k***/*6*/*6*/*6*/*1P4*/*6*/*6*/***1K*** w - - 0 1";
    goes(V, white, "c4", "b5 c5 d5");
    let black = "***1k***/*6*/*6*/*1p4*/*6*/*6*/*6*/***1K*** b - - 0 1";
    goes(V, black, "c5", "b4 c4 d4");
}

#[test]
fn pawn_captures_diagonally_only() {
    let enemies = "***1k***/*6*/*6*/*nn4*/*1P4*/*6*/*6*/***1K*** w - - 0 1";
    goes(V, enemies, "c4", "b5 d5");
    let own = "***1k***/*6*/*6*/*NN4*/*1P4*/*6*/*6*/***1K*** w - - 0 1";
    goes(V, own, "c4", "d5");
    leads(
        V,
        enemies,
        "c4b5",
        "***1k***/*6*/*6*/*Pn4*/*6*/*6*/*6*/***1K*** b - - 0 1",
    );
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

#[test]
fn pawn_captures_nothing_sideways() {
    let enemy = "***1k***/*6*/*6*/*6*/*6*/*6*/*Pb4*/***1K*** w - - 0 1";
    goes(V, enemy, "b2", "b3 c3");
    let own = "***1k***/*6*/*6*/*6*/*6*/*6*/*PB4*/***1K*** w - - 0 1";
    goes(V, own, "b2", "b3 c3");
}

#[test]
fn corners_are_the_ends_of_two_ranks_on_any_board() {
    let full = "4k3/8/8/8/8/8/P6P/4K3 w - - 0 1";
    goes(V, full, "a2", "a3 b2 b3");
    goes(V, full, "h2", "g2 g3 h3");
    let inner = "4k3/8/8/8/8/8/1P6/4K3 w - - 0 1";
    goes(V, inner, "b2", "a3 b3 c3");
    let first = "4k3/8/8/8/8/P7/8/P3K3 w - - 0 1";
    goes(V, first, "a1", "a2 b2");
    goes(V, first, "a3", "a4 b4");
    kept(V, "k3K w - - 0 1");
}

#[test]
fn pawn_neither_promotes_nor_goes_two_squares() {
    let text = "***2***/*2P2k*/*6*/*6*/*6*/*1P4*/*6*/***1K*** w - - 0 1";
    goes(V, text, "d7", "d8 e8");
    goes(V, text, "c3", "b4 c4 d4");
}

#[test]
fn pawn_may_stand_on_the_edge_and_stays_there() {
    let last = "P6k/8/8/8/8/8/8/4K3 w - - 0 1";
    kept(V, last);
    goes(V, last, "a8", "");
    let first = "7k/8/8/8/8/8/8/P3K3 w - - 0 1";
    goes(V, first, "a1", "a2 b2");
    kept(V, "p6k/8/8/8/8/8/8/p5K1 b - - 0 1");
}

#[test]
fn castling_does_not_exist() {
    let board = "4k3/8/8/8/8/8/8/R3K2R w";
    let seen = at(V, &format!("{board} KQkq - 0 1"));
    assert_eq!(seen.fen, format!("{board} - - 0 1"));
    assert!(!seen.can("e1g1") && !seen.can("e1c1"));
}

#[test]
fn knight_is_orthodox() {
    let text = "***1k***/*6*/*6*/*6*/*2N3*/*6*/*6*/***1K*** w - - 0 1";
    goes(V, text, "d4", "b3 b5 c2 c6 e2 e6 f3 f5");
}

#[test]
fn rook_and_bishop_go_three_squares() {
    let rook = "4k3/8/8/8/8/8/8/R6K w - - 0 1";
    goes(V, rook, "a1", "a2 a3 a4 b1 c1 d1");
    let bishop = "4k3/8/8/8/8/8/8/B6K w - - 0 1";
    goes(V, bishop, "a1", "b2 c3 d4");
    let blocked = "4k3/8/8/8/8/n1P5/8/RN5K w - - 0 1";
    goes(V, blocked, "a1", "a2 a3");
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

#[test]
fn pin_reaches_three_squares() {
    let near = "k7/8/8/8/4r3/4N3/8/4K3 w - - 0 1";
    goes(V, near, "e3", "");
    let far = "k7/8/8/4r3/8/4N3/8/4K3 w - - 0 1";
    goes(V, far, "e3", "c2 c4 d1 d5 f1 f5 g2 g4");
}

#[test]
fn queen_leaps_one_or_two_squares() {
    let text = "k7/8/8/8/3Q4/8/8/4K3 w - - 0 1";
    let all = "b2 b4 b6 c3 c4 c5 d2 d3 d5 d6 e3 e4 e5 f2 f4 f6";
    goes(V, text, "d4", all);
}

#[test]
fn queen_leaps_over_units_and_holes() {
    let units = "k7/8/8/2PPP3/2PQP3/2PPP3/8/4K3 w - - 0 1";
    goes(V, units, "d4", "b2 b4 b6 d2 d6 f2 f4 f6");
    let hole = "k7/8/8/2PPP3/2PQ*3/2P**3/8/4K3 w - - 0 1";
    goes(V, hole, "d4", "b2 b4 b6 d2 d6 f2 f4 f6");
}

#[test]
fn queen_checks_over_a_unit() {
    let text = "k7/8/8/8/8/4q3/4P2P/4K3 w - - 0 1";
    goes(V, text, "h2", "");
    goes(V, text, "e2", "");
}

#[test]
fn king_keeps_away_from_the_other_king() {
    let text = "8/8/4k3/8/4K3/8/8/8 w - - 0 1";
    goes(V, text, "e4", "d3 d4 e3 f3 f4");
}

#[test]
fn pawn_attacks_diagonally_only() {
    let diagonal = "k7/8/8/3p4/4K3/8/8/6P1 w - - 0 1";
    goes(V, diagonal, "g1", "");
    let ahead = "k7/8/8/4p3/4K3/8/8/6P1 w - - 0 1";
    goes(V, ahead, "g1", "f2 g2 h2");
    let corner = "7k/pK6/8/8/8/8/8/6P1 w - - 0 1";
    goes(V, corner, "g1", "f2 g2 h2");
}

// Intruders.

#[test]
fn intruder_has_to_be_captured() {
    let d1 = "***1k***/*6*/*6*/*6*/*6*/*4B1*/*5K*/***n1*** w - - 0 1";
    only(V, d1, &["f3d1"]);
    let e1 = "***1k***/*6*/*6*/*6*/*6*/*5B*/*K5*/***1n*** w - - 0 1";
    only(V, e1, &["g3e1"]);
    let d8 = "***B1***/*k5*/*6*/*2r3*/*6*/*6*/*6*/***1K*** b - - 0 1";
    only(V, d8, &["d5d8"]);
    let e8 = "***1B***/*5k*/*6*/*3r2*/*6*/*6*/*6*/***1K*** b - - 0 1";
    only(V, e8, &["e5e8"]);
}

#[test]
fn own_units_do_not_intrude() {
    let text = "***rk***/*6*/*6*/*6*/*6*/*6*/*5K*/***NN*** w - - 0 1";
    goes(V, text, "d1", "b2 c3 e3 f2");
}

#[test]
fn any_unit_intrudes() {
    for unit in ["n", "b", "r", "q", "p"] {
        let text = format!("***1k***/*6*/*6*/*6*/*6*/*5K*/*6*/***{unit}1*** w - - 0 1");
        ends(V, &text, "", "black-wins checkmate");
    }
}

#[test]
fn king_captures_an_intruder_that_is_not_protected() {
    let bare = "***1k***/*6*/*6*/*6*/*6*/*6*/*1K4*/***n1*** w - - 0 1";
    only(V, bare, &["c2d1"]);
    let protected = "***1k***/*6*/*6*/*6*/*2r3*/*6*/*1K4*/***n1*** w - - 0 1";
    ends(V, protected, "", "black-wins checkmate");
}

#[test]
fn two_intruders_are_one_too_many() {
    let text = "***1k***/*6*/*6*/*6*/*6*/*5B*/*1K4*/***nb*** w - - 0 1";
    ends(V, text, "", "black-wins checkmate");
    let far = "***1k***/*6*/*6*/*6*/*K5*/*5B*/*6*/***nb*** w - - 0 1";
    ends(V, far, "", "black-wins checkmate");
}

#[test]
fn intruder_and_check_are_one_too_many() {
    let text = "***1k***/*5r*/*6*/*5K*/*6*/*4B1*/*6*/***b1*** w - - 0 1";
    ends(V, text, "", "black-wins checkmate");
    let no_check = "***1k***/*4r1*/*6*/*5K*/*6*/*4B1*/*6*/***b1*** w - - 0 1";
    only(V, no_check, &["f3d1"]);
}

#[test]
fn pinned_unit_does_not_capture_an_intruder() {
    let text = "***1k***/*6*/*6*/*4K1*/*6*/*4B1*/*4r1*/***n1*** w - - 0 1";
    ends(V, text, "", "black-wins checkmate");
    let free = "***1k***/*6*/*6*/*4K1*/*6*/*4B1*/*6*/***n1*** w - - 0 1";
    only(V, free, &["f3d1"]);
}

#[test]
fn check_of_the_intruder_is_not_blocked() {
    let text = "***1k***/*6*/*6*/*6*/*2K3*/*5R*/*6*/***r1*** w - - 0 1";
    ends(V, text, "", "black-wins checkmate");
}

#[test]
fn king_checkmates_by_intruding() {
    let text = "***2***/*6*/*6*/*6*/*6*/*6*/*1k3K*/***2*** b - - 0 1";
    ends(V, text, "c2d1", "black-wins checkmate");
    let white = "***2***/*1K3k*/*6*/*6*/*6*/*6*/*6*/***2*** w - - 0 1";
    ends(V, white, "c7d8", "white-wins checkmate");
    let guarded = "***2***/*6*/*6*/*6*/*6*/*4B1*/*1k3K*/***2*** b - - 0 1";
    assert!(!at(V, guarded).can("c2d1"));
}

#[test]
fn mover_leaves_no_intruder() {
    let text = "***B1***/*k5*/*6*/*2r3*/*6*/*6*/*6*/***1K*** w - - 0 1";
    assert!(refused(V, text));
    let far = "***B1***/*6*/*k5*/*2r3*/*6*/*6*/*6*/***1K*** b - - 0 1";
    assert!(!refused(V, far));
}

#[test]
fn odd_rank_has_one_royal_square() {
    let middle = "3k3/7/7/K6/7/3n3 w - - 0 1";
    ends(V, middle, "", "black-wins checkmate");
    ends(V, "3k3/7/7/K6/7/4n2 w - - 0 1", "a3a4", "ongoing");
    ends(V, "3k3/7/K6/7/7/2n4 w - - 0 1", "a4a5", "ongoing");
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

#[test]
fn rank_without_squares_has_no_royal_squares() {
    let text = "4k3/8/8/8/8/8/K2n4/******** w - - 0 1";
    ends(V, text, "a2a3", "ongoing");
}

// Outcomes.

#[test]
fn stalemate_loses() {
    let black = "k7/2Q5/8/8/8/8/8/4K3 b - - 0 1";
    ends(V, black, "", "white-wins stalemate");
    let white = "4k3/8/8/8/8/8/2q5/K7 w - - 0 1";
    ends(V, white, "", "black-wins stalemate");
}

#[test]
fn checkmate_by_attack_loses() {
    let text = "k7/8/Q7/1R6/8/8/8/4K3 b - - 0 1";
    ends(V, text, "", "white-wins checkmate");
    let free = "k7/8/Q7/8/8/8/8/4K3 b - - 0 1";
    only(V, free, &["a8b8"]);
}

// What a FEN must satisfy.

#[test]
fn mover_with_attacked_king_is_refused() {
    assert!(refused(V, "4k3/8/8/8/4r3/8/8/4K3 b - - 0 1"));
    assert!(!refused(V, "4k3/8/8/8/4r3/8/8/4K3 w - - 0 1"));
}

#[test]
fn other_letters_of_rights_are_refused() {
    assert!(refused(V, "4k3/8/8/8/8/8/8/4K3 w A - 0 1"));
}

#[test]
fn en_passant_square_is_dropped() {
    dropped(V, "4k3/8/8/8/3pP3/8/8/4K3 b", "e3");
}
