//! Orthodox chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::{self, shared_clauses};
use crate::hand::{after, at, ends, goes, leads, positions, refused};

const V: &str = "fide";

shared_clauses! {
    V:
    each_side_has_exactly_one_king,
    pawns_on_first_or_last_rank_are_refused,
    kings_side_by_side_are_refused,
    there_is_no_state,
}

// Men.

positions! {
    V:
    array_at_the_start {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": kept;
        "start": count 20, fen "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    }

    knight_has_eight_leaps {
        "k7/8/8/8/3N4/8/8/7K w - - 0 1": goes "d4" "b3 b5 c2 c6 e2 e6 f3 f5";
    }

    leaps_pass_units_and_holes {
        // Holes.
        "k7/8/2***3/2*N*3/2***3/8/8/7K w - - 0 1": goes "d5" "b4 b6 c3 c7 e3 e7 f4 f6";
        // Pawns.
        "k7/8/2ppp3/2pNp3/2ppp3/8/8/7K w - - 0 1": goes "d5" "b4 b6 c3 c7 e3 e7 f4 f6";
    }

    rook_goes_up_to_own_units_enemy_units_and_holes {
        "k7/8/3p4/8/1P1R4/8/3*4/7K w - - 0 1": goes "d4" "c4 d3 d5 d6 e4 f4 g4 h4";
    }

    bishop_goes_up_to_own_units_enemy_units_and_holes {
        "k7/6p1/8/8/3B4/2P1*3/8/7K w - - 0 1": goes "d4" "a7 b6 c5 e5 f6 g7";
    }

    queen_goes_as_rook_and_bishop {
        "k7/8/8/8/8/8/1Q6/7K w - - 0 1":
            goes "b2" "a1 a2 a3 b1 b3 b4 b5 b6 b7 b8 c1 c2 c3 d2 d4 e2 e5 f2 f6 g2 g7 h2 h8";
    }

    king_goes_one_square_any_way {
        "k7/8/8/8/3K4/8/8/8 w - - 0 1": goes "d4" "c3 c4 c5 d3 d5 e3 e4 e5";
    }

    king_does_not_capture_own_units {
        "k7/8/8/2N5/3K4/8/8/8 w - - 0 1": goes "d4" "c3 c4 d3 d5 e3 e4 e5";
    }

    lines_reach_across_wide_boards {
        "k15/16/16/16/16/16/16/1R13K w - - 0 1": legal "b1o1 b1b8 b1a1", illegal "b1p1";
    }

    // Pawns.

    pawn_goes_one_or_from_its_second_rank_two {
        "4k3/8/8/8/8/8/P7/4K3 w - - 0 1": goes "a2" "a3 a4";
        "4k3/p7/8/8/8/8/8/4K3 b - - 0 1": goes "a7" "a5 a6";
        "4k3/8/8/8/8/P7/8/4K3 w - - 0 1": goes "a3" "a4";
        "4k3/8/p7/8/8/8/8/4K3 b - - 0 1": goes "a6" "a5";
        "4k3/P7/8/8/8/8/p7/4K3 w - - 0 1": goes "a7" "a8b a8n a8q a8r";
    }

    double_step_exists_on_six_or_more_ranks {
        "k3/4/4/4/P3/3K w - - 0 1": goes "a2" "a3 a4";
        "3k/p3/4/4/4/K3 b - - 0 1": goes "a5" "a3 a4";
        "k3/4/4/P3/3K w - - 0 1": goes "a2" "a3";
        "3k/p3/4/4/K3 b - - 0 1": goes "a4" "a3";
        // Wide.
        "k15/16/16/16/16/16/P15/15K w - - 0 1": goes "a2" "a3 a4";
    }
}

#[test]
fn double_step_passes_an_empty_square() {
    for unit in ["p", "P", "*"] {
        let text = format!("4k3/8/8/8/8/{unit}7/P7/4K3 w - - 0 1");
        goes(V, &text, "a2", "");
    }
}

#[test]
fn double_step_ends_on_an_empty_square() {
    for unit in ["n", "N", "*"] {
        let text = format!("4k3/8/8/8/{unit}7/8/P7/4K3 w - - 0 1");
        goes(V, &text, "a2", "a3");
    }
}

positions! {
    V:
    double_step_can_block_a_check {
        "4k3/8/8/8/r6K/8/2P5/8 w - - 0 1": goes "c2" "c4";
    }

    pawn_captures_diagonally_ahead_and_no_other_way {
        "4k3/8/8/8/8/1n1Nn3/2P3P1/4K3 w - - 0 1": goes "c2" "b3 c3 c4", goes "g2" "g3 g4";
        "4k3/8/8/8/8/2n5/2P5/4K3 w - - 0 1": goes "c2" "";
        "4k3/2p5/1N1n4/8/8/8/8/4K3 b - - 0 1": goes "c7" "b6 c5 c6";
        "4k3/8/8/8/2PP4/1n3n2/8/3K4 w - - 0 1": goes "c4" "c5";
    }

    pawn_on_the_edge_captures_on_one_side {
        "4k3/8/8/8/8/8/P6n/4K3 w - - 0 1": goes "a2" "a3 a4";
        "4k3/8/8/8/n7/8/7P/4K3 w - - 0 1": goes "h2" "h3 h4";
        "4k3/N6p/8/8/8/8/8/4K3 b - - 0 1": goes "h7" "h5 h6";
        "4k3/p7/8/7N/8/8/8/4K3 b - - 0 1": goes "a7" "a5 a6";
    }

    pawn_facing_a_hole_stays {
        "*3k3/P7/8/8/8/8/8/4K3 w - - 0 1": goes "a7" "";
    }

    pawn_must_become_queen_rook_bishop_or_knight {
        "4k3/1P6/8/8/8/8/8/4K3 w - - 0 1": goes "b7" "b8b b8n b8q b8r";
        "4k3/8/8/8/8/8/1p6/4K3 b - - 0 1": goes "b2" "b1b b1n b1q b1r";
        "4k3/8/8/8/8/8/1p6/4K3 b - - 0 1" after "b2b1q": fen "4k3/8/8/8/8/8/8/1q2K3 w - - 0 2";
        "7k/1P6/8/8/8/8/8/4K3 w - - 0 1" after "b7b8n": fen "1N5k/8/8/8/8/8/8/4K3 b - - 0 1";
    }

    capturing_pawn_promotes_too {
        "rn2k3/1P6/8/8/8/8/8/4K3 w - - 0 1": goes "b7" "a8b a8n a8q a8r";
    }

    last_rank_is_the_boards {
        // Low.
        "3k/P3/4/4/3K w - - 0 1": goes "a4" "a5b a5n a5q a5r";
        // High.
        "3k/4/P3/4/4/4/4/4/3K w - - 0 1": goes "a7" "a8";
        // Two digits.
        "3k/P3/4/4/4/4/4/4/4/3K w - - 0 1": goes "a9" "a10b a10n a10q a10r";
    }

    // En passant.

    double_step_beside_a_pawn_is_taken_in_passing {
        "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1" after "e2e4": fen "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
        "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1" after "e2e4 d4e3":
            fen "4k3/8/8/8/8/4p3/8/4K3 w - - 0 2";
        "4k3/3p4/8/4P3/8/8/8/4K3 b - - 4 1" after "d7d5 e5d6":
            fen "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2";
    }
}

#[test]
fn double_step_without_a_pawn_beside_sets_no_square() {
    for row in ["8", "2p5", "3n4", "3P4"] {
        let text = format!("4k3/8/8/8/{row}/8/4P3/4K3 w - - 0 1");
        assert!(after(V, &text, "e2e4").fen.ends_with(" b - - 0 1"));
    }
}

positions! {
    V:
    pawns_on_both_sides_may_take_in_passing {
        "4k3/8/8/8/3pPp2/8/8/4K3 b - e3 0 1": goes "d4" "d3 e3", goes "f4" "e3 f3";
    }

    single_step_is_not_taken_in_passing {
        "4k3/8/8/8/3p4/4P3/8/4K3 w - - 0 1" after "e3e4": fen_contains " b - - ", illegal "d4e3";
    }

    en_passant_is_for_the_next_turn_only {
        "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1" after "e2e4 e8d8 e1d1":
            fen_contains " b - - ", illegal "d4e3";
    }

    en_passant_does_not_uncover_the_own_king {
        // Rank.
        "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1": goes "d4" "d3";
        // Pins take no attack away.
        // File.
        "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1" after "e2e4":
            fen_contains " b - e3 ", goes "d4" "d3";
    }

    pinned_pawn_takes_in_passing_along_the_pin {
        "8/8/1k6/8/3pP3/8/8/4K1B1 b - e3 0 1": goes "d4" "e3";
    }

    en_passant_removes_a_checking_pawn {
        "8/8/8/5k2/3pP3/8/8/4K3 b - e3 0 1": goes "d4" "e3";
    }

    en_passant_can_block_a_check {
        "8/8/7k/8/3pP3/8/8/2B1K3 b - e3 0 1": goes "d4" "e3";
    }

    en_passant_does_not_leave_the_king_in_another_check {
        "8/8/8/8/3pP3/8/k6R/4K3 b - e3 0 1": goes "d4" "";
    }
}

// Castling.

const OPEN: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

#[test]
fn king_castles_two_squares_either_way() {
    leads(V, OPEN, "e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1");
    leads(V, OPEN, "e1c1", "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1");
    let short = "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2";
    leads(V, OPEN, "e1c1 e8g8", short);
    let long = "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2";
    leads(V, OPEN, "e1g1 e8c8", long);
}

/// Returns which castlings White has, on a board with all rights that its units allow.
fn castlings(board: &str) -> (bool, bool) {
    let seen = at(V, &format!("{board} w KQ - 0 1"));
    (seen.can("e1g1"), seen.can("e1c1"))
}

positions! {
    V:
    castling_takes_the_right {
        "r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1": legal "e1g1", illegal "e1c1";
        "r3k2r/8/8/8/8/8/8/R3K2R b KQq - 0 1": legal "e8c8", illegal "e8g8";
    }
}

#[test]
fn squares_between_king_and_rook_are_empty() {
    for unit in ["N", "n"] {
        let row = |row: &str| castlings(&format!("4k3/8/8/8/8/8/8/{}", row.replace('x', unit)));
        assert_eq!(row("Rx2K2R"), (true, false));
        assert_eq!(row("R3Kx1R"), (false, true));
    }
    assert_eq!(castlings("4k3/8/8/8/8/8/8/R3K1NR"), (false, true));
    assert_eq!(castlings("4k3/8/8/8/8/8/8/R1B1K2R"), (true, false));
    assert_eq!(castlings("4k3/8/8/8/8/8/8/R2QK2R"), (true, false));
}

#[test]
fn hole_between_king_and_rook_stops_castling() {
    assert_eq!(castlings("4k3/8/8/8/8/8/8/R*2K2R"), (true, false));
    assert_eq!(castlings("4k3/8/8/8/8/8/8/R2*K2R"), (true, false));
    assert_eq!(castlings("4k3/8/8/8/8/8/8/R3K*1R"), (false, true));
    assert_eq!(castlings("4k3/8/8/8/8/8/8/R3K1*R"), (false, true));
}

#[test]
fn king_in_check_does_not_castle() {
    assert_eq!(castlings("4r3/2k5/8/8/8/8/8/R3K2R"), (false, false));
    assert_eq!(castlings("8/2k5/8/8/8/5n2/8/R3K2R"), (false, false));
}

#[test]
fn king_passes_no_attacked_square() {
    assert_eq!(castlings("5r2/2k5/8/8/8/8/8/R3K2R"), (false, true));
    assert_eq!(castlings("3r4/2k5/8/8/8/8/8/R3K2R"), (true, false));
    let black = at(V, "r3k2r/8/8/8/8/8/2K5/5R2 b kq - 0 1");
    assert!(black.can("e8c8") && !black.can("e8g8"));
}

#[test]
fn king_lands_on_no_attacked_square() {
    assert_eq!(castlings("6r1/2k5/8/8/8/8/8/R3K2R"), (false, true));
    assert_eq!(castlings("2r5/4k3/8/8/8/8/8/R3K2R"), (true, false));
}

#[test]
fn rook_may_be_attacked_and_pass_an_attacked_square() {
    assert_eq!(castlings("r3k2r/8/8/8/8/8/8/R3K2R"), (true, true));
    assert_eq!(castlings("1r2k3/8/8/8/8/8/8/R3K2R"), (true, true));
}

/// Returns the castling field after one turn from the open position.
fn rights(turns: &str) -> String {
    let fen = after(V, OPEN, turns).fen;
    fen.split(' ').nth(2).expect("a third field").to_string()
}

#[test]
fn king_that_moves_loses_both_rights() {
    assert_eq!(rights("e1e2"), "kq");
    assert_eq!(rights("e1e2 e8d8"), "-");
    assert_eq!(rights("e1e2 e8e7 e2e1"), "-");
}

#[test]
fn rook_that_moves_loses_its_right() {
    assert_eq!(rights("h1g1"), "Qkq");
    assert_eq!(rights("a1b1"), "Kkq");
    assert_eq!(rights("a1b1 h8g8"), "Kq");
    assert_eq!(rights("a1b1 a8b8 b1a1"), "Kk");
}

#[test]
fn captured_rook_loses_its_right() {
    assert_eq!(rights("h1h8"), "Qq");
    assert_eq!(rights("a1a8"), "Kk");
    let pawn = "r3k2r/6P1/8/8/8/8/8/4K3 w kq - 0 1";
    let promoted = "r3k2Q/8/8/8/8/8/8/4K3 b q - 0 1";
    leads(V, pawn, "g7h8q", promoted);
}

// The own king's safety.

positions! {
    V:
    check_has_to_be_met {
        "k3r3/8/8/8/8/8/7R/4K3 w - - 0 1": goes "h2" "e2";
        "k3r2R/8/8/8/8/8/8/4K3 w - - 0 1": goes "h8" "e8";
        "k3r3/8/8/8/8/8/7P/4K3 w - - 0 1": goes "h2" "";
    }

    queen_checks_along_lines_of_both_kinds {
        "4k3/8/8/8/4Q3/7p/8/K7 b - - 0 1": goes "h3" "";
        "4k3/8/8/8/Q7/7p/8/K7 b - - 0 1": goes "h3" "";
        "4k3/8/8/8/5Q2/7p/8/K7 b - - 0 1": goes "h3" "h2";
    }

    check_of_a_leaper_cannot_be_blocked {
        "k7/8/8/3R4/8/8/2n5/4K3 w - - 0 1": goes "d5" "";
        "k7/8/8/2R5/8/8/2n5/4K3 w - - 0 1": goes "c5" "c2";
    }

    check_of_a_pawn_comes_from_diagonally_ahead {
        "k7/8/8/3p4/4K3/8/7P/8 w - - 0 1": goes "h2" "";
        "k7/8/8/4p3/4K3/8/7P/8 w - - 0 1": goes "h2" "h3 h4";
        "k7/8/8/8/4K3/3p4/7P/8 w - - 0 1": goes "h2" "h3 h4";
    }

    double_check_is_met_by_the_king_alone {
        "k3r3/8/8/8/8/8/2n4R/4K3 w - - 0 1": goes "h2" "", goes "e1" "d1 d2 f1 f2";
    }

    pinned_unit_stays_on_the_line {
        // Rook.
        "k3r3/8/8/8/8/4R3/8/4K3 w - - 0 1": goes "e3" "e2 e4 e5 e6 e7 e8";
        "k3r3/8/8/8/8/4N3/8/4K3 w - - 0 1": goes "e3" "";
    }

    several_units_can_be_pinned {
        "k3r3/8/8/8/7b/4R3/5B2/4K3 w - - 0 1": goes "e3" "e2 e4 e5 e6 e7 e8", goes "f2" "g3 h4";
    }

    two_units_on_a_line_are_not_pinned {
        "k3r3/8/8/4N3/8/4R3/8/4K3 w - - 0 1": goes "e3" "a3 b3 c3 d3 e2 e4 f3 g3 h3";
    }

    pinned_pawn_stays_on_the_line {
        // File.
        "k3r3/8/8/8/8/3p4/4P3/4K3 w - - 0 1": goes "e2" "e3 e4";
        // Diagonal.
        "k7/8/8/8/8/6b1/5P2/4K3 w - - 0 1": goes "f2" "g3";
    }

    pinned_unit_does_not_meet_another_check {
        "k3r3/8/8/8/8/4R3/2n5/4K3 w - - 0 1": goes "e3" "";
        "k3r3/8/8/8/8/8/2n1P3/4K3 w - - 0 1": goes "e2" "";
    }

    pinned_unit_attacks_all_the_same {
        "k7/r7/6K1/8/8/8/8/R7 w - - 0 1": goes "g6" "f5 f6 g5 h5 h6";
    }

    king_captures_what_is_not_protected {
        "k7/8/8/8/3Kp3/8/8/8 w - - 0 1": goes "d4" "c3 c4 c5 d5 e3 e4 e5";
        // Protected.
        "k7/8/8/5p2/3Kp3/8/8/8 w - - 0 1": goes "d4" "c3 c4 c5 d5 e3 e5";
    }

    king_goes_to_no_attacked_square {
        // Rook.
        "k7/8/8/8/3K4/7r/8/8 w - - 0 1": goes "d4" "c4 c5 d5 e4 e5";
        // Knight.
        "k7/8/8/8/3K4/8/1n6/8 w - - 0 1": goes "d4" "c3 c5 d5 e3 e4 e5";
        // Pawn.
        "k7/8/3p4/8/3K4/8/8/8 w - - 0 1": goes "d4" "c3 c4 d3 d5 e3 e4";
        // King.
        "8/8/3k4/8/3K4/8/8/8 w - - 0 1": goes "d4" "c3 c4 d3 e3 e4";
    }

    king_does_not_hide_behind_himself {
        "k2r4/8/8/8/3K4/8/8/8 w - - 0 1": goes "d4" "c3 c4 c5 e3 e4 e5";
    }

    // Outcomes.

    checkmate_loses {
        "R3k3/8/4K3/8/8/8/8/8 b - - 0 1": outcome "white-wins checkmate", turns "";
        "8/8/8/8/8/4k3/8/r3K3 w - - 0 1": outcome "black-wins checkmate";
    }

    stalemate_is_a_draw {
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1": outcome "draw stalemate";
        // Pawn.
        "7k/5Q2/6K1/8/8/p7/8/8 b - - 0 1": outcome "ongoing";
    }
}

#[test]
fn neither_clock_nor_repetition_nor_bare_kings_end_the_game() {
    ends(V, "4k3/8/8/8/8/8/8/R3K3 w - - 200 300", "", "ongoing");
    let round = "g1f3 g8f6 f3g1 f6g8 ".repeat(5);
    ends(V, "start", &round, "ongoing");
    ends(V, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", "ongoing");
}

// What a FEN must satisfy.

positions! {
    V:
    other_units_may_be_any_number {
        "3k3/7/7/7/7/QQ4K w - - 0 1": kept;
    }
}

#[test]
fn mover_with_attacked_king_is_refused() {
    clauses::mover_with_attacked_king_is_refused(V);
    assert!(refused(V, "3k3/7/7/7/7/r2K3 b - - 0 1"));
    assert!(!refused(V, "3k3/7/7/7/7/r2K3 w - - 0 1"));
}
