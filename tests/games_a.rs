//! Hand-checked positions of three games: `fide`, the base of all others, together with what every
//! FEN must satisfy; `bachelor`; `convergent`. For each condition of a rule a test that fails
//! without it.

mod hand;

use hand::{Seen, after, at, ends, refused};

/// Where the unit on a square may go, in the order of the text.
fn from(seen: &Seen, square: &str) -> String {
    let targets: Vec<&str> = seen
        .turns
        .iter()
        .filter_map(|turn| turn.strip_prefix(square))
        .collect();
    targets.join(" ")
}

/// Asserts where a unit may go.
#[track_caller]
fn goes(variant: &str, text: &str, square: &str, targets: &str) {
    assert_eq!(from(&at(variant, text), square), targets, "{text} {square}");
}

/// Asserts that a position is read as it is written.
#[track_caller]
fn kept(variant: &str, text: &str) {
    assert_eq!(at(variant, text).fen, text);
}

/// Asserts what a position is read as.
#[track_caller]
fn read_as(variant: &str, text: &str, fen: &str) {
    assert_eq!(at(variant, text).fen, fen);
}

/// Asserts the position after legal turns.
#[track_caller]
fn leads(variant: &str, text: &str, line: &str, fen: &str) {
    assert_eq!(after(variant, text, line).fen, fen, "{text} {line}");
}

/// Asserts that the game goes on and the side to move has only these turns.
#[track_caller]
fn only(variant: &str, text: &str, turns: &[&str]) {
    assert_eq!(at(variant, text).turns, turns, "{text}");
}

// FEN: the board.

#[test]
fn board_has_at_most_sixteen_files() {
    kept("fide", "k14K w - - 0 1");
    assert!(refused("fide", "k15K w - - 0 1"));
}

#[test]
fn board_has_at_most_sixteen_ranks() {
    kept("fide", "k/1/1/1/1/1/1/1/1/1/1/1/1/1/1/K w - - 0 1");
    assert!(refused(
        "fide",
        "k/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/K w - - 0 1"
    ));
}

#[test]
fn board_has_at_most_128_squares_holes_included() {
    kept("fide", "k15/16/16/16/16/16/16/15K w - - 0 1");
    assert!(refused("fide", "k15/16/16/16/16/16/16/16/15K w - - 0 1"));
    assert!(refused(
        "fide",
        "k***********/12/12/12/12/12/12/12/12/12/11K w - - 0 1"
    ));
}

#[test]
fn digits_in_a_row_are_one_number() {
    kept("fide", "k12K w - - 0 1");
    goes("fide", "k10K1 w - - 0 1", "l1", "k1 m1");
}

#[test]
fn number_of_vacant_squares_has_no_leading_zero() {
    assert!(refused("fide", "k06K w - - 0 1"));
    assert!(refused("fide", "k0K w - - 0 1"));
}

#[test]
fn ranks_are_of_one_length() {
    assert!(refused("fide", "4k3/8/7/4K3 w - - 0 1"));
    assert!(refused("fide", "4k3/8/9/4K3 w - - 0 1"));
    assert!(refused("fide", "4k3//8/4K3 w - - 0 1"));
}

#[test]
fn letter_that_is_no_unit_is_refused() {
    assert!(refused("fide", "4k3/8/8/2X5/8/8/8/4K3 w - - 0 1"));
    assert!(refused("fide", "4k3/8/8/2?5/8/8/8/4K3 w - - 0 1"));
    assert!(refused("fide", "4k3/8/8/2A5/8/8/8/4K3 w - - 0 1"));
}

#[test]
fn upper_case_is_white() {
    kept("fide", "4k3/8/2n5/8/2N5/8/8/4K3 w - - 0 1");
    let seen = at("fide", "4k3/8/2n5/8/2N5/8/8/4K3 w - - 0 1");
    assert!(seen.can("c4a3") && !seen.can("c6a5"));
}

#[test]
fn side_to_move_is_w_or_b() {
    for side in ["x", "W", "wb", "-"] {
        assert!(refused("fide", &format!("4k3/8/8/4K3 {side} - - 0 1")));
    }
}

// FEN: castling.

#[test]
fn rights_are_read_in_any_order_and_printed_in_one() {
    let board = "r3k2r/8/8/8/8/8/8/R3K2R w";
    read_as(
        "fide",
        &format!("{board} qkQK - 0 1"),
        &format!("{board} KQkq - 0 1"),
    );
    kept("fide", &format!("{board} Kq - 0 1"));
}

#[test]
fn right_written_twice_is_refused() {
    let board = "r3k2r/8/8/8/8/8/8/R3K2R w";
    assert!(refused("fide", &format!("{board} KK - 0 1")));
    assert!(refused("fide", &format!("{board} KQkqK - 0 1")));
}

#[test]
fn other_letters_of_rights_are_refused() {
    let board = "r3k2r/8/8/8/8/8/8/R3K2R w";
    for field in ["A", "KX", "K-", "h"] {
        assert!(refused("fide", &format!("{board} {field} - 0 1")));
    }
    assert!(refused("bachelor", "r2k2r/7/7/7/7/R2K2R w K - 0 1"));
    assert!(refused("convergent", "4k3/8/8/8/8/8/8/4K3 w A - 0 1"));
}

#[test]
fn right_without_the_king_at_home_is_dropped() {
    let board = "r3k2r/8/8/8/8/8/8/R2K3R w";
    read_as(
        "fide",
        &format!("{board} KQkq - 0 1"),
        &format!("{board} kq - 0 1"),
    );
    let second = "4k3/8/8/8/8/8/4K3/R6R w";
    read_as(
        "fide",
        &format!("{second} KQ - 0 1"),
        &format!("{second} - - 0 1"),
    );
}

#[test]
fn right_without_its_rook_at_home_is_dropped() {
    let board = "r3k2r/8/8/8/8/8/8/RN2K1R1 w";
    read_as(
        "fide",
        &format!("{board} KQkq - 0 1"),
        &format!("{board} Qkq - 0 1"),
    );
    let bishop = "b3k2r/8/8/8/8/8/8/4K3 w";
    read_as(
        "fide",
        &format!("{bishop} kq - 0 1"),
        &format!("{bishop} k - 0 1"),
    );
}

#[test]
fn rook_of_the_other_side_keeps_no_right() {
    let board = "4k3/8/8/8/8/8/8/4K2r w";
    read_as(
        "fide",
        &format!("{board} K - 0 1"),
        &format!("{board} - - 0 1"),
    );
}

#[test]
fn castling_exists_on_eight_files_only() {
    for board in [
        "4k4/9/9/9/9/9/9/R3K2R1",
        "4k4/9/9/9/9/9/9/R3K3R",
        "4k2/7/7/7/7/7/7/R3K2",
    ] {
        let seen = at("fide", &format!("{board} w KQ - 0 1"));
        assert_eq!(seen.fen, format!("{board} w - - 0 1"));
        assert!(!seen.can("e1g1") && !seen.can("e1c1"), "{board}");
    }
}

#[test]
fn castling_exists_on_any_number_of_ranks() {
    let text = "r3k2r/8/8/R3K2R w KQkq - 0 1";
    leads("fide", text, "e1g1 e4c4", "2kr3r/8/8/R4RK1 w - - 2 2");
    leads("fide", text, "e1c1", "r3k2r/8/8/2KR3R b kq - 1 1");
}

// FEN: en passant.

#[test]
fn en_passant_square_that_qualifies_is_kept() {
    let black = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
    kept("fide", black);
    assert!(at("fide", black).can("d4e3"));
    let white = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    kept("fide", white);
    assert!(at("fide", white).can("e5d6"));
}

/// Asserts that the square in the fourth field is dropped.
#[track_caller]
fn dropped(variant: &str, board: &str, square: &str) {
    let fen = at(variant, &format!("{board} - {square} 0 1")).fen;
    assert_eq!(fen, format!("{board} - - 0 1"));
}

#[test]
fn en_passant_square_has_to_be_empty() {
    dropped("fide", "4k3/8/8/8/3pP3/4N3/8/4K3 b", "e3");
    dropped("fide", "4k3/8/8/8/3pP3/4n3/8/4K3 b", "e3");
}

#[test]
fn hole_is_no_en_passant_square() {
    dropped("fide", "4k3/8/8/8/3pP3/4*3/8/4K3 b", "e3");
}

#[test]
fn origin_of_the_double_step_has_to_be_empty() {
    dropped("fide", "4k3/8/8/8/3pP3/8/4N3/4K3 b", "e3");
    dropped("fide", "4k3/8/8/3pP3/8/8/8/4K3 w", "e6");
    dropped("fide", "4k3/3n4/8/3pP3/8/8/8/4K3 w", "d6");
}

#[test]
fn hole_is_no_origin_of_a_double_step() {
    dropped("fide", "4k3/8/8/8/3pP3/8/4*3/4K3 b", "e3");
}

#[test]
fn pawn_that_made_the_double_step_has_to_be_there() {
    dropped("fide", "4k3/8/8/8/3p4/8/8/4K3 b", "e3");
    dropped("fide", "4k3/8/8/8/3pN3/8/8/4K3 b", "e3");
    dropped("fide", "4k3/8/8/8/3pp3/8/8/4K3 b", "e3");
}

#[test]
fn pawn_that_could_take_has_to_stand_beside() {
    dropped("fide", "4k3/8/8/8/4P3/8/8/4K3 b", "e3");
    dropped("fide", "4k3/8/8/8/3nP3/8/8/4K3 b", "e3");
    dropped("fide", "4k3/8/8/8/2p1P3/8/8/4K3 b", "e3");
    dropped("fide", "4k3/8/8/8/3PP3/8/8/4K3 b", "e3");
}

#[test]
fn en_passant_square_lies_on_the_third_rank() {
    dropped("fide", "4k3/8/8/3pP3/8/8/8/4K3 b", "e4");
}

#[test]
fn en_passant_square_asks_for_the_double_step() {
    kept("fide", "4k3/8/3pP3/8/8/4K3 b - e3 0 1");
    dropped("fide", "4k3/3pP3/8/8/4K3 b", "e3");
    dropped("bachelor", "3k3/7/3pP2/7/7/3K3 b", "e3");
    dropped("convergent", "4k3/8/8/8/3pP3/8/8/4K3 b", "e3");
}

#[test]
fn en_passant_field_is_a_square_of_the_board() {
    for field in ["e9", "i3", "e", "33", "E3", "e03"] {
        let text = format!("4k3/8/8/8/3pP3/8/8/4K3 b - {field} 0 1");
        assert!(refused("fide", &text), "{field}");
    }
}

// FEN: clocks and state.

#[test]
fn clock_and_number_may_be_left_out_together() {
    read_as("fide", "4k3/8/8/4K3 w - -", "4k3/8/8/4K3 w - - 0 1");
    assert!(refused("fide", "4k3/8/8/4K3 w - - 0"));
    assert!(refused("fide", "4k3/8/8/4K3 w -"));
}

#[test]
fn clock_and_number_are_whole_numbers_without_leading_zeros() {
    kept("fide", "4k3/8/8/4K3 w - - 120 300");
    for clocks in ["00 1", "07 1", "0 01", "-1 1", "x 1", "0 1.5", "+1 1"] {
        let text = format!("4k3/8/8/4K3 w - - {clocks}");
        assert!(refused("fide", &text), "{clocks}");
    }
}

#[test]
fn number_is_at_least_one() {
    assert!(refused("fide", "4k3/8/8/4K3 w - - 0 0"));
}

#[test]
fn these_games_have_no_state() {
    for variant in ["fide", "bachelor", "convergent"] {
        for state in ["x=1", "checks=0,0", "over=", "-"] {
            let text = format!("3k3/7/7/7/7/3K3 w - - 0 1 {state}");
            assert!(refused(variant, &text), "{variant} {state}");
        }
    }
}

#[test]
fn state_is_the_last_field() {
    let text = "4k3/8/8/4K3 w - - 0 1 blunder=1";
    assert!(!refused("blunder-mate", text));
    assert!(refused("blunder-mate", &format!("{text} x")));
    assert!(refused("blunder-mate", "4k3/8/8/4K3 w - - blunder=1"));
}

#[test]
fn clock_counts_turns_without_capture_or_pawn() {
    let text = "r3k3/8/8/8/8/8/P7/4K3 w - - 5 7";
    leads("fide", text, "e1d1", "r3k3/8/8/8/8/8/P7/3K4 b - - 6 7");
    leads("fide", text, "e1d1 e8d8", "r2k4/8/8/8/8/8/P7/3K4 w - - 7 8");
    leads("fide", text, "a2a3", "r3k3/8/8/8/8/P7/8/4K3 b - - 0 7");
    leads("fide", text, "e1d1 a8a2", "4k3/8/8/8/8/8/r7/3K4 w - - 0 8");
}

// FEN: what a position must satisfy.

#[test]
fn each_side_has_one_king() {
    for variant in ["fide", "bachelor", "convergent"] {
        for (top, bottom) in [
            ("3k3", "7"),
            ("7", "3K3"),
            ("3k3", "1K3K1"),
            ("1k3k1", "3K3"),
        ] {
            let text = format!("{top}/7/7/7/7/{bottom} w - - 0 1");
            assert!(refused(variant, &text), "{variant} {text}");
        }
        assert!(!refused(variant, "3k3/7/7/7/7/3K3 w - - 0 1"));
    }
}

#[test]
fn other_units_may_be_any_number() {
    for variant in ["fide", "bachelor"] {
        kept(variant, "3k3/7/7/7/7/QQ4K w - - 0 1");
    }
}

#[test]
fn pawns_do_not_stand_on_their_first_or_last_rank() {
    for variant in ["fide", "bachelor"] {
        for text in [
            "3k2P/7/7/7/7/3K3 w - - 0 1",
            "3k2p/7/7/7/7/3K3 w - - 0 1",
            "3k3/7/7/7/7/3K2P w - - 0 1",
            "3k3/7/7/7/7/3K2p w - - 0 1",
        ] {
            assert!(refused(variant, text), "{variant} {text}");
        }
    }
}

#[test]
fn side_that_has_just_moved_is_not_in_check() {
    for variant in ["fide", "bachelor"] {
        assert!(refused(variant, "3k3/7/7/7/7/r2K3 b - - 0 1"));
        assert!(!refused(variant, "3k3/7/7/7/7/r2K3 w - - 0 1"));
    }
    assert!(refused("convergent", "4k3/8/8/8/4r3/8/8/4K3 b - - 0 1"));
    assert!(!refused("convergent", "4k3/8/8/8/4r3/8/8/4K3 w - - 0 1"));
}

#[test]
fn kings_do_not_stand_side_by_side() {
    for variant in ["fide", "bachelor", "convergent"] {
        for side in ["w", "b"] {
            assert!(refused(variant, &format!("7/7/3k3/2K4/7/7 {side} - - 0 1")));
        }
    }
}

// fide: men.

#[test]
fn orthodox_array() {
    kept(
        "fide",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    );
    let seen = at("fide", "start");
    assert_eq!(seen.turns.len(), 20);
    assert_eq!(
        seen.fen,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
}

#[test]
fn knight_has_eight_leaps() {
    let all = "b3 b5 c2 c6 e2 e6 f3 f5";
    goes("fide", "k7/8/8/8/3N4/8/8/7K w - - 0 1", "d4", all);
}

#[test]
fn leaps_pass_units_and_holes() {
    let all = "b4 b6 c3 c7 e3 e7 f4 f6";
    let holes = "k7/8/2***3/2*N*3/2***3/8/8/7K w - - 0 1";
    goes("fide", holes, "d5", all);
    let pawns = "k7/8/2ppp3/2pNp3/2ppp3/8/8/7K w - - 0 1";
    goes("fide", pawns, "d5", all);
}

#[test]
fn rook_goes_up_to_own_units_enemy_units_and_holes() {
    let text = "k7/8/3p4/8/1P1R4/8/3*4/7K w - - 0 1";
    goes("fide", text, "d4", "c4 d3 d5 d6 e4 f4 g4 h4");
}

#[test]
fn bishop_goes_up_to_own_units_enemy_units_and_holes() {
    let text = "k7/6p1/8/8/3B4/2P1*3/8/7K w - - 0 1";
    goes("fide", text, "d4", "a7 b6 c5 e5 f6 g7");
}

#[test]
fn queen_goes_as_rook_and_bishop() {
    let text = "k7/8/8/8/8/8/1Q6/7K w - - 0 1";
    let all = "a1 a2 a3 b1 b3 b4 b5 b6 b7 b8 c1 c2 c3 d2 d4 e2 e5 f2 f6 g2 g7 h2 h8";
    goes("fide", text, "b2", all);
}

#[test]
fn king_goes_one_square_any_way() {
    let text = "k7/8/8/8/3K4/8/8/8 w - - 0 1";
    goes("fide", text, "d4", "c3 c4 c5 d3 d5 e3 e4 e5");
}

#[test]
fn king_does_not_capture_own_units() {
    let text = "k7/8/8/2N5/3K4/8/8/8 w - - 0 1";
    goes("fide", text, "d4", "c3 c4 d3 d5 e3 e4 e5");
}

#[test]
fn lines_reach_across_wide_boards() {
    let text = "k15/16/16/16/16/16/16/1R13K w - - 0 1";
    let seen = at("fide", text);
    assert!(seen.can("b1o1") && seen.can("b1b8") && seen.can("b1a1"));
    assert!(!seen.can("b1p1"));
}

// fide: pawns.

#[test]
fn pawn_goes_one_or_from_its_second_rank_two() {
    goes("fide", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2", "a3 a4");
    goes("fide", "4k3/p7/8/8/8/8/8/4K3 b - - 0 1", "a7", "a5 a6");
    goes("fide", "4k3/8/8/8/8/P7/8/4K3 w - - 0 1", "a3", "a4");
    goes("fide", "4k3/8/p7/8/8/8/8/4K3 b - - 0 1", "a6", "a5");
    goes(
        "fide",
        "4k3/P7/8/8/8/8/p7/4K3 w - - 0 1",
        "a7",
        "a8b a8n a8q a8r",
    );
}

#[test]
fn double_step_exists_on_six_or_more_ranks() {
    goes("fide", "k3/4/4/4/P3/3K w - - 0 1", "a2", "a3 a4");
    goes("fide", "3k/p3/4/4/4/K3 b - - 0 1", "a5", "a3 a4");
    goes("fide", "k3/4/4/P3/3K w - - 0 1", "a2", "a3");
    goes("fide", "3k/p3/4/4/K3 b - - 0 1", "a4", "a3");
    let wide = "k15/16/16/16/16/16/P15/15K w - - 0 1";
    goes("fide", wide, "a2", "a3 a4");
}

#[test]
fn double_step_passes_an_empty_square() {
    for unit in ["p", "P", "*"] {
        let text = format!("4k3/8/8/8/8/{unit}7/P7/4K3 w - - 0 1");
        goes("fide", &text, "a2", "");
    }
}

#[test]
fn double_step_ends_on_an_empty_square() {
    for unit in ["n", "N", "*"] {
        let text = format!("4k3/8/8/8/{unit}7/8/P7/4K3 w - - 0 1");
        goes("fide", &text, "a2", "a3");
    }
}

#[test]
fn double_step_can_block_a_check() {
    goes("fide", "4k3/8/8/8/r6K/8/2P5/8 w - - 0 1", "c2", "c4");
}

#[test]
fn pawn_captures_diagonally_ahead_and_no_other_way() {
    let text = "4k3/8/8/8/8/1n1Nn3/2P3P1/4K3 w - - 0 1";
    goes("fide", text, "c2", "b3 c3 c4");
    goes("fide", text, "g2", "g3 g4");
    goes("fide", "4k3/8/8/8/8/2n5/2P5/4K3 w - - 0 1", "c2", "");
    goes(
        "fide",
        "4k3/2p5/1N1n4/8/8/8/8/4K3 b - - 0 1",
        "c7",
        "b6 c5 c6",
    );
    goes("fide", "4k3/8/8/8/2PP4/1n3n2/8/3K4 w - - 0 1", "c4", "c5");
}

#[test]
fn pawn_on_the_edge_captures_on_one_side() {
    goes("fide", "4k3/8/8/8/8/8/P6n/4K3 w - - 0 1", "a2", "a3 a4");
    goes("fide", "4k3/8/8/8/n7/8/7P/4K3 w - - 0 1", "h2", "h3 h4");
    goes("fide", "4k3/N6p/8/8/8/8/8/4K3 b - - 0 1", "h7", "h5 h6");
    goes("fide", "4k3/p7/8/7N/8/8/8/4K3 b - - 0 1", "a7", "a5 a6");
}

#[test]
fn pawn_facing_a_hole_stays() {
    goes("fide", "*3k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7", "");
}

#[test]
fn pawn_must_become_queen_rook_bishop_or_knight() {
    let all = "b8b b8n b8q b8r";
    goes("fide", "4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7", all);
    let black = "4k3/8/8/8/8/8/1p6/4K3 b - - 0 1";
    goes("fide", black, "b2", "b1b b1n b1q b1r");
    leads("fide", black, "b2b1q", "4k3/8/8/8/8/8/8/1q2K3 w - - 0 2");
    let white = "7k/1P6/8/8/8/8/8/4K3 w - - 0 1";
    leads("fide", white, "b7b8n", "1N5k/8/8/8/8/8/8/4K3 b - - 0 1");
}

#[test]
fn capturing_pawn_promotes_too() {
    let text = "rn2k3/1P6/8/8/8/8/8/4K3 w - - 0 1";
    goes("fide", text, "b7", "a8b a8n a8q a8r");
}

#[test]
fn last_rank_is_the_boards() {
    let low = "3k/P3/4/4/3K w - - 0 1";
    goes("fide", low, "a4", "a5b a5n a5q a5r");
    let high = "3k/4/P3/4/4/4/4/4/3K w - - 0 1";
    goes("fide", high, "a7", "a8");
    let two_digits = "3k/P3/4/4/4/4/4/4/4/3K w - - 0 1";
    goes("fide", two_digits, "a9", "a10b a10n a10q a10r");
}

// fide: en passant.

#[test]
fn double_step_beside_a_pawn_is_taken_in_passing() {
    let text = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
    leads("fide", text, "e2e4", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    leads("fide", text, "e2e4 d4e3", "4k3/8/8/8/8/4p3/8/4K3 w - - 0 2");
    let black = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 4 1";
    leads(
        "fide",
        black,
        "d7d5 e5d6",
        "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2",
    );
}

#[test]
fn double_step_without_a_pawn_beside_sets_no_square() {
    for row in ["8", "2p5", "3n4", "3P4"] {
        let text = format!("4k3/8/8/8/{row}/8/4P3/4K3 w - - 0 1");
        assert!(after("fide", &text, "e2e4").fen.ends_with(" b - - 0 1"));
    }
}

#[test]
fn pawns_on_both_sides_may_take_in_passing() {
    let text = "4k3/8/8/8/3pPp2/8/8/4K3 b - e3 0 1";
    goes("fide", text, "d4", "d3 e3");
    goes("fide", text, "f4", "e3 f3");
}

#[test]
fn single_step_is_not_taken_in_passing() {
    let text = "4k3/8/8/8/3p4/4P3/8/4K3 w - - 0 1";
    let seen = after("fide", text, "e3e4");
    assert!(seen.fen.contains(" b - - ") && !seen.can("d4e3"));
}

#[test]
fn en_passant_is_for_the_next_turn_only() {
    let text = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
    let seen = after("fide", text, "e2e4 e8d8 e1d1");
    assert!(seen.fen.contains(" b - - ") && !seen.can("d4e3"));
}

#[test]
fn en_passant_does_not_uncover_the_own_king() {
    let rank = "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1";
    goes("fide", rank, "d4", "d3");
    let file = "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1";
    let seen = after("fide", file, "e2e4");
    assert!(seen.fen.contains(" b - e3 "), "pins take no attack away");
    assert_eq!(from(&seen, "d4"), "d3");
}

#[test]
fn pinned_pawn_takes_in_passing_along_the_pin() {
    let text = "8/8/1k6/8/3pP3/8/8/4K1B1 b - e3 0 1";
    goes("fide", text, "d4", "e3");
}

#[test]
fn en_passant_removes_a_checking_pawn() {
    let text = "8/8/8/5k2/3pP3/8/8/4K3 b - e3 0 1";
    goes("fide", text, "d4", "e3");
}

#[test]
fn en_passant_can_block_a_check() {
    let text = "8/8/7k/8/3pP3/8/8/2B1K3 b - e3 0 1";
    goes("fide", text, "d4", "e3");
}

#[test]
fn en_passant_does_not_leave_the_king_in_another_check() {
    let text = "8/8/8/8/3pP3/8/k6R/4K3 b - e3 0 1";
    goes("fide", text, "d4", "");
}

// fide: castling.

const OPEN: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

#[test]
fn king_castles_two_squares_either_way() {
    leads("fide", OPEN, "e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1");
    leads("fide", OPEN, "e1c1", "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1");
    let short = "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2";
    leads("fide", OPEN, "e1c1 e8g8", short);
    let long = "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2";
    leads("fide", OPEN, "e1g1 e8c8", long);
}

/// Which castlings White has, on a board with all rights that its units allow.
fn castlings(board: &str) -> (bool, bool) {
    let seen = at("fide", &format!("{board} w KQ - 0 1"));
    (seen.can("e1g1"), seen.can("e1c1"))
}

#[test]
fn castling_takes_the_right() {
    let short = at("fide", "r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1");
    assert!(short.can("e1g1") && !short.can("e1c1"));
    let long = at("fide", "r3k2r/8/8/8/8/8/8/R3K2R b KQq - 0 1");
    assert!(long.can("e8c8") && !long.can("e8g8"));
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
    let black = at("fide", "r3k2r/8/8/8/8/8/2K5/5R2 b kq - 0 1");
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

/// The castling field after one turn from the open position.
fn rights(turns: &str) -> String {
    let fen = after("fide", OPEN, turns).fen;
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
    leads("fide", pawn, "g7h8q", promoted);
}

// fide: the own king's safety.

#[test]
fn check_has_to_be_met() {
    goes("fide", "k3r3/8/8/8/8/8/7R/4K3 w - - 0 1", "h2", "e2");
    goes("fide", "k3r2R/8/8/8/8/8/8/4K3 w - - 0 1", "h8", "e8");
    goes("fide", "k3r3/8/8/8/8/8/7P/4K3 w - - 0 1", "h2", "");
}

#[test]
fn queen_checks_along_lines_of_both_kinds() {
    goes("fide", "4k3/8/8/8/4Q3/7p/8/K7 b - - 0 1", "h3", "");
    goes("fide", "4k3/8/8/8/Q7/7p/8/K7 b - - 0 1", "h3", "");
    goes("fide", "4k3/8/8/8/5Q2/7p/8/K7 b - - 0 1", "h3", "h2");
}

#[test]
fn check_of_a_leaper_cannot_be_blocked() {
    goes("fide", "k7/8/8/3R4/8/8/2n5/4K3 w - - 0 1", "d5", "");
    goes("fide", "k7/8/8/2R5/8/8/2n5/4K3 w - - 0 1", "c5", "c2");
}

#[test]
fn check_of_a_pawn_comes_from_diagonally_ahead() {
    goes("fide", "k7/8/8/3p4/4K3/8/7P/8 w - - 0 1", "h2", "");
    goes("fide", "k7/8/8/4p3/4K3/8/7P/8 w - - 0 1", "h2", "h3 h4");
    goes("fide", "k7/8/8/8/4K3/3p4/7P/8 w - - 0 1", "h2", "h3 h4");
}

#[test]
fn double_check_is_met_by_the_king_alone() {
    let text = "k3r3/8/8/8/8/8/2n4R/4K3 w - - 0 1";
    goes("fide", text, "h2", "");
    goes("fide", text, "e1", "d1 d2 f1 f2");
}

#[test]
fn pinned_unit_stays_on_the_line() {
    let rook = "k3r3/8/8/8/8/4R3/8/4K3 w - - 0 1";
    goes("fide", rook, "e3", "e2 e4 e5 e6 e7 e8");
    goes("fide", "k3r3/8/8/8/8/4N3/8/4K3 w - - 0 1", "e3", "");
}

#[test]
fn several_units_can_be_pinned() {
    let text = "k3r3/8/8/8/7b/4R3/5B2/4K3 w - - 0 1";
    goes("fide", text, "e3", "e2 e4 e5 e6 e7 e8");
    goes("fide", text, "f2", "g3 h4");
}

#[test]
fn two_units_on_a_line_are_not_pinned() {
    let text = "k3r3/8/8/4N3/8/4R3/8/4K3 w - - 0 1";
    goes("fide", text, "e3", "a3 b3 c3 d3 e2 e4 f3 g3 h3");
}

#[test]
fn pinned_pawn_stays_on_the_line() {
    let file = "k3r3/8/8/8/8/3p4/4P3/4K3 w - - 0 1";
    goes("fide", file, "e2", "e3 e4");
    let diagonal = "k7/8/8/8/8/6b1/5P2/4K3 w - - 0 1";
    goes("fide", diagonal, "f2", "g3");
}

#[test]
fn pinned_unit_does_not_meet_another_check() {
    goes("fide", "k3r3/8/8/8/8/4R3/2n5/4K3 w - - 0 1", "e3", "");
    goes("fide", "k3r3/8/8/8/8/8/2n1P3/4K3 w - - 0 1", "e2", "");
}

#[test]
fn pinned_unit_attacks_all_the_same() {
    let text = "k7/r7/6K1/8/8/8/8/R7 w - - 0 1";
    goes("fide", text, "g6", "f5 f6 g5 h5 h6");
}

#[test]
fn king_captures_what_is_not_protected() {
    let text = "k7/8/8/8/3Kp3/8/8/8 w - - 0 1";
    goes("fide", text, "d4", "c3 c4 c5 d5 e3 e4 e5");
    let protected = "k7/8/8/5p2/3Kp3/8/8/8 w - - 0 1";
    goes("fide", protected, "d4", "c3 c4 c5 d5 e3 e5");
}

#[test]
fn king_goes_to_no_attacked_square() {
    let rook = "k7/8/8/8/3K4/7r/8/8 w - - 0 1";
    goes("fide", rook, "d4", "c4 c5 d5 e4 e5");
    let knight = "k7/8/8/8/3K4/8/1n6/8 w - - 0 1";
    goes("fide", knight, "d4", "c3 c5 d5 e3 e4 e5");
    let pawn = "k7/8/3p4/8/3K4/8/8/8 w - - 0 1";
    goes("fide", pawn, "d4", "c3 c4 d3 d5 e3 e4");
    let king = "8/8/3k4/8/3K4/8/8/8 w - - 0 1";
    goes("fide", king, "d4", "c3 c4 d3 e3 e4");
}

#[test]
fn king_does_not_hide_behind_himself() {
    let text = "k2r4/8/8/8/3K4/8/8/8 w - - 0 1";
    goes("fide", text, "d4", "c3 c4 c5 e3 e4 e5");
}

// fide: outcomes.

#[test]
fn checkmate_loses() {
    let text = "R3k3/8/4K3/8/8/8/8/8 b - - 0 1";
    ends("fide", text, "", "white-wins checkmate");
    only("fide", text, &[]);
    let white = "8/8/8/8/8/4k3/8/r3K3 w - - 0 1";
    ends("fide", white, "", "black-wins checkmate");
}

#[test]
fn stalemate_is_a_draw() {
    let text = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    ends("fide", text, "", "draw stalemate");
    let pawn = "7k/5Q2/6K1/8/8/p7/8/8 b - - 0 1";
    ends("fide", pawn, "", "ongoing");
}

#[test]
fn neither_clock_nor_repetition_nor_bare_kings_end_the_game() {
    ends("fide", "4k3/8/8/8/8/8/8/R3K3 w - - 200 300", "", "ongoing");
    let round = "g1f3 g8f6 f3g1 f6g8 ".repeat(5);
    ends("fide", "start", &round, "ongoing");
    ends("fide", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", "ongoing");
}

// Bachelor: board, pawns, castling.

#[test]
fn bachelor_array() {
    let seen = at("bachelor", "start");
    assert_eq!(seen.fen, "rnnkbbr/ppppppp/7/7/PPPPPPP/RNNKBBR w AGag - 0 1");
    let turns = "a2a3 b1a3 b1c3 b2b3 c1b3 c1d3 c2c3 d2d3 e2e3 f2f3 g2g3";
    assert_eq!(seen.turns.join(" "), turns);
}

#[test]
fn bachelor_pawns_must_promote() {
    let all = "a6b a6n a6q a6r";
    goes("bachelor", "3k3/P6/7/7/7/3K3 w - - 0 1", "a5", all);
    let black = "3k3/7/7/7/6p/3K1R1 b - - 0 1";
    goes("bachelor", black, "g2", "f1b f1n f1q f1r g1b g1n g1q g1r");
}

#[test]
fn bachelor_castles_from_the_d_file() {
    let text = "r2k2r/7/7/7/7/R2K2R w AGag - 0 1";
    leads("bachelor", text, "d1b1", "r2k2r/7/7/7/7/1KR3R b ag - 1 1");
    leads("bachelor", text, "d1f1", "r2k2r/7/7/7/7/R3RK1 b ag - 1 1");
    let bishops = "r3rk1/7/7/7/7/1KR3R w - - 2 2";
    leads("bachelor", text, "d1b1 d6f6", bishops);
    let knights = "1kr3r/7/7/7/7/R3RK1 w - - 2 2";
    leads("bachelor", text, "d1f1 d6b6", knights);
}

#[test]
fn bachelor_rights_are_the_files_of_the_rooks() {
    let board = "r2k2r/7/7/7/7/R2K2R w";
    read_as(
        "bachelor",
        &format!("{board} gaGA - 0 1"),
        &format!("{board} AGag - 0 1"),
    );
    let knights = at("bachelor", &format!("{board} Ag - 0 1"));
    assert!(knights.can("d1b1") && !knights.can("d1f1"));
    assert!(refused("bachelor", &format!("{board} AGA - 0 1")));
}

#[test]
fn bachelor_rights_need_king_and_rook_at_home_on_seven_files() {
    for board in [
        "3k3/7/7/7/7/R3K1R",
        "3k3/7/7/7/7/1R1K1R1",
        "3k4/8/8/8/8/R2K2R1",
        "3k2/6/6/6/6/R2K1R",
    ] {
        let seen = at("bachelor", &format!("{board} w AG - 0 1"));
        assert_eq!(seen.fen, format!("{board} w - - 0 1"));
    }
    let ranks = at("bachelor", "3k3/7/7/R2K2R w AG - 0 1");
    assert!(ranks.can("d1b1") && ranks.can("d1f1"));
}

#[test]
fn bachelor_castling_has_the_orthodox_conditions() {
    for (board, knights, bishops) in [
        ("4k2/7/7/7/7/R1NK2R", false, true),
        ("4k2/7/7/7/7/RN1K2R", false, true),
        ("4k2/7/7/7/7/R2KB1R", true, false),
        ("4k2/7/7/7/7/R2K1BR", true, false),
        ("2r1k2/7/7/7/7/R2K2R", false, true),
        ("1r3k1/7/7/7/7/R2K2R", false, true),
        ("1k2r2/7/7/7/7/R2K2R", true, false),
        ("1k3r1/7/7/7/7/R2K2R", true, false),
        ("1k1r3/7/7/7/7/R2K2R", false, false),
    ] {
        let seen = at("bachelor", &format!("{board} w AG - 0 1"));
        assert_eq!(seen.can("d1b1"), knights, "{board}");
        assert_eq!(seen.can("d1f1"), bishops, "{board}");
    }
}

// Bachelor: changes on the last rank.

#[test]
fn bachelor_knight_may_change_on_the_last_rank() {
    let text = "3k3/7/N6/7/7/4K2 w - - 3 5";
    goes("bachelor", text, "a4", "b2 b6 b6b b6q b6r c3 c5");
    leads("bachelor", text, "a4b6r", "1R1k3/7/7/7/7/4K2 b - - 4 5");
    leads("bachelor", text, "a4b6", "1N1k3/7/7/7/7/4K2 b - - 4 5");
}

#[test]
fn bachelor_bishop_may_change_on_the_last_rank() {
    let text = "7/7/1B5/6k/7/K6 w - - 0 1";
    let all = "a3 a5 c3 c5 d2 d6 d6n d6q d6r e1";
    goes("bachelor", text, "b4", all);
}

#[test]
fn bachelor_queen_may_change_on_the_last_rank() {
    let text = "7/3*3/1*Q*3/1***3/6k/K6 w - - 0 1";
    goes(
        "bachelor",
        text,
        "c4",
        "a6 a6b a6n a6r b5 c5 c6 c6b c6n c6r",
    );
}

#[test]
fn bachelor_rook_may_change_on_leaving_the_last_rank_for_it() {
    let text = "R*5/7/*6/6k/7/K6 w - - 0 1";
    goes("bachelor", text, "a6", "a5");
    let along = "R1*4/*6/7/6k/7/K6 w - - 0 1";
    goes("bachelor", along, "a6", "b6 b6b b6n b6q");
}

#[test]
fn bachelor_king_does_not_change() {
    let text = "7/K6/7/6k/7/7 w - - 0 1";
    goes("bachelor", text, "a5", "a4 a6 b4 b5 b6");
}

#[test]
fn bachelor_units_change_on_the_owners_last_rank_only() {
    let black = "3k3/7/7/7/n6/4K2 b - - 0 1";
    goes("bachelor", black, "a2", "b4 c1 c1b c1q c1r c3");
    let white = "7/k6/7/2N4/7/5K1 w - - 0 1";
    goes("bachelor", white, "c3", "a2 a4 b1 b5 d1 d5 e2 e4");
    let back = "7/2n4/7/6k/7/4K2 b - - 0 1";
    goes("bachelor", back, "c5", "a4 a6 b3 d3 e4 e6");
}

#[test]
fn bachelor_unit_that_captures_may_change() {
    let text = "1r1k3/7/N6/7/7/4K2 w - - 3 5";
    goes("bachelor", text, "a4", "b2 b6 b6b b6q b6r c3 c5");
    leads("bachelor", text, "a4b6q", "1Q1k3/7/7/7/7/4K2 b - - 0 5");
}

#[test]
fn bachelor_pinned_unit_may_change() {
    let text = "r6/7/6k/R6/7/K6 w - - 0 1";
    goes("bachelor", text, "a3", "a2 a4 a5 a6 a6b a6n a6q");
}

// Bachelor: marriage.

#[test]
fn bachelor_marries_by_the_queens_step() {
    let text = "3k3/Q6/7/7/7/3K3 w - - 0 1";
    ends("bachelor", text, "a5e1", "white-wins marriage");
    ends("bachelor", text, "a5d2", "white-wins marriage");
    only("bachelor", "3k3/7/7/7/7/3KQ2 b - - 0 1", &[]);
}

#[test]
fn bachelor_marries_by_the_kings_step() {
    let text = "1k5/7/7/3Q3/7/3K3 w - - 0 1";
    for turn in ["d1c2", "d1d2", "d1e2"] {
        ends("bachelor", text, turn, "white-wins marriage");
    }
    ends("bachelor", text, "d1c1", "ongoing");
    ends("bachelor", text, "d3d4", "ongoing");
    let corner = "3k3/Q6/7/7/7/K6 w - - 0 1";
    ends("bachelor", corner, "a5b5", "ongoing");
}

#[test]
fn bachelor_marries_on_all_eight_sides() {
    for rows in [
        "2Q4/3K3/7",
        "3Q3/3K3/7",
        "4Q2/3K3/7",
        "7/2QK3/7",
        "7/3KQ2/7",
        "7/3K3/2Q4",
        "7/3K3/3Q3",
        "7/3K3/4Q2",
    ] {
        let text = format!("2k4/7/7/{rows} b - - 0 1");
        let white = "white-wins marriage";
        ends("bachelor", &text, "", white);
    }
}

#[test]
fn bachelor_marries_by_promotion_change_and_castling() {
    let pawn = "7/3PK2/7/7/7/k6 w - - 0 1";
    ends("bachelor", pawn, "d5d6q", "white-wins marriage");
    ends("bachelor", pawn, "d5d6r", "ongoing");
    let knight = "7/4K2/2N4/7/7/k6 w - - 0 1";
    ends("bachelor", knight, "c4d6q", "white-wins marriage");
    ends("bachelor", knight, "c4d6", "ongoing");
    let rook = "3k3/7/7/7/Q6/R2K3 w A - 0 1";
    ends("bachelor", rook, "d1b1", "white-wins marriage");
}

#[test]
fn bachelor_black_marries_too() {
    let text = "3k3/7/7/7/q6/5K1 b - - 0 1";
    ends("bachelor", text, "a2e6", "black-wins marriage");
    ends("bachelor", text, "a2b3", "ongoing");
}

#[test]
fn bachelor_side_to_move_that_stands_married_plays_on() {
    let text = "k6/7/7/7/3Q3/3K3 w - - 0 1";
    ends("bachelor", text, "", "ongoing");
    ends("bachelor", text, "d2g2", "ongoing");
    ends("bachelor", text, "d1c1", "white-wins marriage");
}

#[test]
fn bachelor_does_not_marry_in_check() {
    let text = "3r3/k6/7/7/6Q/3K3 w - - 0 1";
    assert!(!at("bachelor", text).can("g2e2"));
    ends("bachelor", text, "g2d2", "white-wins marriage");
}

#[test]
fn bachelor_marriage_comes_before_checkmate() {
    let text = "k6/2K4/7/7/7/1Q5 w - - 0 1";
    ends("bachelor", text, "b1b5", "white-wins marriage");
    ends("fide", text, "b1b5", "white-wins checkmate");
}

#[test]
fn bachelor_marriage_comes_before_stalemate() {
    let text = "k1K4/7/7/7/7/3Q3 w - - 0 1";
    ends("bachelor", text, "d1d5", "white-wins marriage");
    ends("fide", text, "d1d5", "draw stalemate");
}

#[test]
fn bachelor_knows_checkmate_and_stalemate() {
    let mate = "k6/7/1K5/7/7/6R w - - 0 1";
    ends("bachelor", mate, "g1g6", "white-wins checkmate");
    let stalemate = "k6/7/K6/7/7/2R4 w - - 0 1";
    ends("bachelor", stalemate, "c1b1", "draw stalemate");
}

// Convergent: array and men.

#[test]
fn convergent_array() {
    let seen = at("convergent", "start");
    assert_eq!(
        seen.fen,
        "***qk***/*rnbbnr*/*pppppp*/*6*/*6*/*PPPPPP*/*RNBBNR*/***QK*** w - - 0 1"
    );
    let turns = "b3b4 b3c4 c2b4 c2d4 c3b4 c3c4 c3d4 d3c4 d3d4 d3e4 \
        e3d4 e3e4 e3f4 f2e4 f2g4 f3e4 f3f4 f3g4 g3f4 g3g4";
    assert_eq!(seen.turns.join(" "), turns);
}

#[test]
fn convergent_pawn_goes_ahead_or_diagonally() {
    let white = "***1k***/*6*/*6*/*6*/*1P4*/*6*/*6*/***1K*** w - - 0 1";
    goes("convergent", white, "c4", "b5 c5 d5");
    let black = "***1k***/*6*/*6*/*1p4*/*6*/*6*/*6*/***1K*** b - - 0 1";
    goes("convergent", black, "c5", "b4 c4 d4");
}

#[test]
fn convergent_pawn_captures_diagonally_only() {
    let enemies = "***1k***/*6*/*6*/*nn4*/*1P4*/*6*/*6*/***1K*** w - - 0 1";
    goes("convergent", enemies, "c4", "b5 d5");
    let own = "***1k***/*6*/*6*/*NN4*/*1P4*/*6*/*6*/***1K*** w - - 0 1";
    goes("convergent", own, "c4", "d5");
    leads(
        "convergent",
        enemies,
        "c4b5",
        "***1k***/*6*/*6*/*Pn4*/*6*/*6*/*6*/***1K*** b - - 0 1",
    );
}

#[test]
fn convergent_pawn_on_a_corner_goes_sideways() {
    for (rank_7, rank_2, square, white, black) in [
        ("6", "P5", "b2", "b3 c2 c3", "c2"),
        ("6", "5P", "g2", "f2 f3 g3", "f2"),
        ("P5", "6", "b7", "c7", "b6 c6 c7"),
        ("5P", "6", "g7", "f7", "f6 f7 g6"),
        ("6", "1P4", "c2", "b3 c3 d3", "d1"),
        ("4P1", "6", "f7", "e8", "e6 f6 g6"),
    ] {
        let board = format!("***2***/*{rank_7}*/*6*/*1k4*/*6*/*3K2*/*{rank_2}*/***2***");
        goes("convergent", &format!("{board} w - - 0 1"), square, white);
        let swapped = board.replace('P', "p");
        goes("convergent", &format!("{swapped} b - - 0 1"), square, black);
    }
}

#[test]
fn convergent_pawn_captures_nothing_sideways() {
    let enemy = "***1k***/*6*/*6*/*6*/*6*/*6*/*Pb4*/***1K*** w - - 0 1";
    goes("convergent", enemy, "b2", "b3 c3");
    let own = "***1k***/*6*/*6*/*6*/*6*/*6*/*PB4*/***1K*** w - - 0 1";
    goes("convergent", own, "b2", "b3 c3");
}

#[test]
fn convergent_corners_are_the_ends_of_two_ranks_on_any_board() {
    let full = "4k3/8/8/8/8/8/P6P/4K3 w - - 0 1";
    goes("convergent", full, "a2", "a3 b2 b3");
    goes("convergent", full, "h2", "g2 g3 h3");
    let inner = "4k3/8/8/8/8/8/1P6/4K3 w - - 0 1";
    goes("convergent", inner, "b2", "a3 b3 c3");
    let first = "4k3/8/8/8/8/P7/8/P3K3 w - - 0 1";
    goes("convergent", first, "a1", "a2 b2");
    goes("convergent", first, "a3", "a4 b4");
    kept("convergent", "k3K w - - 0 1");
}

#[test]
fn convergent_pawn_neither_promotes_nor_goes_two_squares() {
    let text = "***2***/*2P2k*/*6*/*6*/*6*/*1P4*/*6*/***1K*** w - - 0 1";
    goes("convergent", text, "d7", "d8 e8");
    goes("convergent", text, "c3", "b4 c4 d4");
}

#[test]
fn convergent_pawn_may_stand_on_the_edge_and_stays_there() {
    let last = "P6k/8/8/8/8/8/8/4K3 w - - 0 1";
    kept("convergent", last);
    goes("convergent", last, "a8", "");
    let first = "7k/8/8/8/8/8/8/P3K3 w - - 0 1";
    goes("convergent", first, "a1", "a2 b2");
    kept("convergent", "p6k/8/8/8/8/8/8/p5K1 b - - 0 1");
}

#[test]
fn convergent_has_no_castling() {
    let board = "4k3/8/8/8/8/8/8/R3K2R w";
    let seen = at("convergent", &format!("{board} KQkq - 0 1"));
    assert_eq!(seen.fen, format!("{board} - - 0 1"));
    assert!(!seen.can("e1g1") && !seen.can("e1c1"));
}

#[test]
fn convergent_knight_is_orthodox() {
    let text = "***1k***/*6*/*6*/*6*/*2N3*/*6*/*6*/***1K*** w - - 0 1";
    goes("convergent", text, "d4", "b3 b5 c2 c6 e2 e6 f3 f5");
}

#[test]
fn convergent_rook_and_bishop_go_three_squares() {
    let rook = "4k3/8/8/8/8/8/8/R6K w - - 0 1";
    goes("convergent", rook, "a1", "a2 a3 a4 b1 c1 d1");
    let bishop = "4k3/8/8/8/8/8/8/B6K w - - 0 1";
    goes("convergent", bishop, "a1", "b2 c3 d4");
    let blocked = "4k3/8/8/8/8/n1P5/8/RN5K w - - 0 1";
    goes("convergent", blocked, "a1", "a2 a3");
}

#[test]
fn convergent_rook_and_bishop_check_from_three_squares() {
    for (text, targets) in [
        ("k7/8/8/8/4r3/8/7P/4K3 w - - 0 1", ""),
        ("k7/8/8/4r3/8/8/7P/4K3 w - - 0 1", "g2 g3 h3"),
        ("k7/8/8/8/1b6/8/7P/4K3 w - - 0 1", ""),
        ("k7/8/8/b7/8/8/7P/4K3 w - - 0 1", "g2 g3 h3"),
    ] {
        goes("convergent", text, "h2", targets);
    }
}

#[test]
fn convergent_pin_reaches_three_squares() {
    let near = "k7/8/8/8/4r3/4N3/8/4K3 w - - 0 1";
    goes("convergent", near, "e3", "");
    let far = "k7/8/8/4r3/8/4N3/8/4K3 w - - 0 1";
    goes("convergent", far, "e3", "c2 c4 d1 d5 f1 f5 g2 g4");
}

#[test]
fn convergent_queen_leaps_one_or_two_squares() {
    let text = "k7/8/8/8/3Q4/8/8/4K3 w - - 0 1";
    let all = "b2 b4 b6 c3 c4 c5 d2 d3 d5 d6 e3 e4 e5 f2 f4 f6";
    goes("convergent", text, "d4", all);
}

#[test]
fn convergent_queen_leaps_over_units_and_holes() {
    let units = "k7/8/8/2PPP3/2PQP3/2PPP3/8/4K3 w - - 0 1";
    goes("convergent", units, "d4", "b2 b4 b6 d2 d6 f2 f4 f6");
    let hole = "k7/8/8/2PPP3/2PQ*3/2P**3/8/4K3 w - - 0 1";
    goes("convergent", hole, "d4", "b2 b4 b6 d2 d6 f2 f4 f6");
}

#[test]
fn convergent_queen_checks_over_a_unit() {
    let text = "k7/8/8/8/8/4q3/4P2P/4K3 w - - 0 1";
    goes("convergent", text, "h2", "");
    goes("convergent", text, "e2", "");
}

#[test]
fn convergent_king_keeps_away_from_the_other_king() {
    let text = "8/8/4k3/8/4K3/8/8/8 w - - 0 1";
    goes("convergent", text, "e4", "d3 d4 e3 f3 f4");
}

#[test]
fn convergent_pawn_attacks_diagonally_only() {
    let diagonal = "k7/8/8/3p4/4K3/8/8/6P1 w - - 0 1";
    goes("convergent", diagonal, "g1", "");
    let ahead = "k7/8/8/4p3/4K3/8/8/6P1 w - - 0 1";
    goes("convergent", ahead, "g1", "f2 g2 h2");
    let corner = "7k/pK6/8/8/8/8/8/6P1 w - - 0 1";
    goes("convergent", corner, "g1", "f2 g2 h2");
}

// Convergent: intruders.

#[test]
fn convergent_intruder_has_to_be_captured() {
    let d1 = "***1k***/*6*/*6*/*6*/*6*/*4B1*/*5K*/***n1*** w - - 0 1";
    only("convergent", d1, &["f3d1"]);
    let e1 = "***1k***/*6*/*6*/*6*/*6*/*5B*/*K5*/***1n*** w - - 0 1";
    only("convergent", e1, &["g3e1"]);
    let d8 = "***B1***/*k5*/*6*/*2r3*/*6*/*6*/*6*/***1K*** b - - 0 1";
    only("convergent", d8, &["d5d8"]);
    let e8 = "***1B***/*5k*/*6*/*3r2*/*6*/*6*/*6*/***1K*** b - - 0 1";
    only("convergent", e8, &["e5e8"]);
}

#[test]
fn convergent_own_units_do_not_intrude() {
    let text = "***rk***/*6*/*6*/*6*/*6*/*6*/*5K*/***NN*** w - - 0 1";
    goes("convergent", text, "d1", "b2 c3 e3 f2");
}

#[test]
fn convergent_any_unit_intrudes() {
    for unit in ["n", "b", "r", "q", "p"] {
        let text = format!("***1k***/*6*/*6*/*6*/*6*/*5K*/*6*/***{unit}1*** w - - 0 1");
        ends("convergent", &text, "", "black-wins checkmate");
    }
}

#[test]
fn convergent_king_captures_an_intruder_that_is_not_protected() {
    let bare = "***1k***/*6*/*6*/*6*/*6*/*6*/*1K4*/***n1*** w - - 0 1";
    only("convergent", bare, &["c2d1"]);
    let protected = "***1k***/*6*/*6*/*6*/*2r3*/*6*/*1K4*/***n1*** w - - 0 1";
    ends("convergent", protected, "", "black-wins checkmate");
}

#[test]
fn convergent_two_intruders_are_one_too_many() {
    let text = "***1k***/*6*/*6*/*6*/*6*/*5B*/*1K4*/***nb*** w - - 0 1";
    ends("convergent", text, "", "black-wins checkmate");
    let far = "***1k***/*6*/*6*/*6*/*K5*/*5B*/*6*/***nb*** w - - 0 1";
    ends("convergent", far, "", "black-wins checkmate");
}

#[test]
fn convergent_intruder_and_check_are_one_too_many() {
    let text = "***1k***/*5r*/*6*/*5K*/*6*/*4B1*/*6*/***b1*** w - - 0 1";
    ends("convergent", text, "", "black-wins checkmate");
    let no_check = "***1k***/*4r1*/*6*/*5K*/*6*/*4B1*/*6*/***b1*** w - - 0 1";
    only("convergent", no_check, &["f3d1"]);
}

#[test]
fn convergent_pinned_unit_does_not_capture_an_intruder() {
    let text = "***1k***/*6*/*6*/*4K1*/*6*/*4B1*/*4r1*/***n1*** w - - 0 1";
    ends("convergent", text, "", "black-wins checkmate");
    let free = "***1k***/*6*/*6*/*4K1*/*6*/*4B1*/*6*/***n1*** w - - 0 1";
    only("convergent", free, &["f3d1"]);
}

#[test]
fn convergent_check_of_the_intruder_is_not_blocked() {
    let text = "***1k***/*6*/*6*/*6*/*2K3*/*5R*/*6*/***r1*** w - - 0 1";
    ends("convergent", text, "", "black-wins checkmate");
}

#[test]
fn convergent_king_checkmates_by_intruding() {
    let text = "***2***/*6*/*6*/*6*/*6*/*6*/*1k3K*/***2*** b - - 0 1";
    ends("convergent", text, "c2d1", "black-wins checkmate");
    let white = "***2***/*1K3k*/*6*/*6*/*6*/*6*/*6*/***2*** w - - 0 1";
    ends("convergent", white, "c7d8", "white-wins checkmate");
    let guarded = "***2***/*6*/*6*/*6*/*6*/*4B1*/*1k3K*/***2*** b - - 0 1";
    assert!(!at("convergent", guarded).can("c2d1"));
}

#[test]
fn convergent_mover_leaves_no_intruder() {
    let text = "***B1***/*k5*/*6*/*2r3*/*6*/*6*/*6*/***1K*** w - - 0 1";
    assert!(refused("convergent", text));
    let far = "***B1***/*6*/*k5*/*2r3*/*6*/*6*/*6*/***1K*** b - - 0 1";
    assert!(!refused("convergent", far));
}

#[test]
fn convergent_odd_rank_has_one_royal_square() {
    let middle = "3k3/7/7/K6/7/3n3 w - - 0 1";
    ends("convergent", middle, "", "black-wins checkmate");
    ends(
        "convergent",
        "3k3/7/7/K6/7/4n2 w - - 0 1",
        "a3a4",
        "ongoing",
    );
    ends(
        "convergent",
        "3k3/7/K6/7/7/2n4 w - - 0 1",
        "a4a5",
        "ongoing",
    );
}

#[test]
fn convergent_royal_squares_are_counted_among_existing_squares() {
    for (row, outcome) in [
        ("****b3", "ongoing"),
        ("****1b2", "black-wins checkmate"),
        ("****2b1", "black-wins checkmate"),
        ("****3b", "ongoing"),
    ] {
        let text = format!("4k3/8/8/8/8/K7/8/{row} w - - 0 1");
        ends("convergent", &text, "", outcome);
    }
}

#[test]
fn convergent_rank_without_squares_has_no_royal_squares() {
    let text = "4k3/8/8/8/8/8/K2n4/******** w - - 0 1";
    ends("convergent", text, "a2a3", "ongoing");
}

// Convergent: outcomes.

#[test]
fn convergent_stalemate_loses() {
    let black = "k7/2Q5/8/8/8/8/8/4K3 b - - 0 1";
    ends("convergent", black, "", "white-wins stalemate");
    let white = "4k3/8/8/8/8/8/2q5/K7 w - - 0 1";
    ends("convergent", white, "", "black-wins stalemate");
}

#[test]
fn convergent_checkmate_by_attack_loses() {
    let text = "k7/8/Q7/1R6/8/8/8/4K3 b - - 0 1";
    ends("convergent", text, "", "white-wins checkmate");
    let free = "k7/8/Q7/8/8/8/8/4K3 b - - 0 1";
    only("convergent", free, &["a8b8"]);
}
