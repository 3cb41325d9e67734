//! What every FEN must satisfy, shown with orthodox chess.

use crate::hand::{at, dropped, goes, kept, leads, read_as, refused};

const V: &str = "fide";

// The board.

#[test]
fn board_has_at_most_sixteen_files() {
    kept(V, "k14K w - - 0 1");
    assert!(refused(V, "k15K w - - 0 1"));
}

#[test]
fn board_has_at_most_sixteen_ranks() {
    kept(V, "k/1/1/1/1/1/1/1/1/1/1/1/1/1/1/K w - - 0 1");
    assert!(refused(V, "k/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/K w - - 0 1"));
}

#[test]
fn board_has_at_most_128_squares_holes_included() {
    kept(V, "k15/16/16/16/16/16/16/15K w - - 0 1");
    assert!(refused(V, "k15/16/16/16/16/16/16/16/15K w - - 0 1"));
    assert!(refused(
        V,
        "k***********/12/12/12/12/12/12/12/12/12/11K w - - 0 1"
    ));
}

#[test]
fn digits_in_a_row_are_one_number() {
    kept(V, "k12K w - - 0 1");
    goes(V, "k10K1 w - - 0 1", "l1", "k1 m1");
}

#[test]
fn number_of_vacant_squares_has_no_leading_zero() {
    assert!(refused(V, "k06K w - - 0 1"));
    assert!(refused(V, "k0K w - - 0 1"));
}

#[test]
fn ranks_are_of_one_length() {
    assert!(refused(V, "4k3/8/7/4K3 w - - 0 1"));
    assert!(refused(V, "4k3/8/9/4K3 w - - 0 1"));
    assert!(refused(V, "4k3//8/4K3 w - - 0 1"));
}

#[test]
fn letter_that_is_no_unit_is_refused() {
    assert!(refused(V, "4k3/8/8/2X5/8/8/8/4K3 w - - 0 1"));
    assert!(refused(V, "4k3/8/8/2?5/8/8/8/4K3 w - - 0 1"));
    assert!(refused(V, "4k3/8/8/2A5/8/8/8/4K3 w - - 0 1"));
}

#[test]
fn upper_case_is_white() {
    kept(V, "4k3/8/2n5/8/2N5/8/8/4K3 w - - 0 1");
    let seen = at(V, "4k3/8/2n5/8/2N5/8/8/4K3 w - - 0 1");
    assert!(seen.can("c4a3") && !seen.can("c6a5"));
}

#[test]
fn side_to_move_is_w_or_b() {
    for side in ["x", "W", "wb", "-"] {
        assert!(refused(V, &format!("4k3/8/8/4K3 {side} - - 0 1")));
    }
}

// Castling.

#[test]
fn rights_are_read_in_any_order_and_printed_in_one() {
    let board = "r3k2r/8/8/8/8/8/8/R3K2R w";
    read_as(
        V,
        &format!("{board} qkQK - 0 1"),
        &format!("{board} KQkq - 0 1"),
    );
    kept(V, &format!("{board} Kq - 0 1"));
}

#[test]
fn right_written_twice_is_refused() {
    let board = "r3k2r/8/8/8/8/8/8/R3K2R w";
    assert!(refused(V, &format!("{board} KK - 0 1")));
    assert!(refused(V, &format!("{board} KQkqK - 0 1")));
}

#[test]
fn other_letters_of_rights_are_refused() {
    let board = "r3k2r/8/8/8/8/8/8/R3K2R w";
    for field in ["A", "KX", "K-", "h", "HAha"] {
        assert!(refused(V, &format!("{board} {field} - 0 1")));
    }
}

#[test]
fn right_without_the_king_at_home_is_dropped() {
    let board = "r3k2r/8/8/8/8/8/8/R2K3R w";
    read_as(
        V,
        &format!("{board} KQkq - 0 1"),
        &format!("{board} kq - 0 1"),
    );
    let second = "4k3/8/8/8/8/8/4K3/R6R w";
    read_as(
        V,
        &format!("{second} KQ - 0 1"),
        &format!("{second} - - 0 1"),
    );
}

#[test]
fn right_without_its_rook_at_home_is_dropped() {
    let board = "r3k2r/8/8/8/8/8/8/RN2K1R1 w";
    read_as(
        V,
        &format!("{board} KQkq - 0 1"),
        &format!("{board} Qkq - 0 1"),
    );
    let bishop = "b3k2r/8/8/8/8/8/8/4K3 w";
    read_as(
        V,
        &format!("{bishop} kq - 0 1"),
        &format!("{bishop} k - 0 1"),
    );
}

#[test]
fn rook_of_the_other_side_keeps_no_right() {
    let board = "4k3/8/8/8/8/8/8/4K2r w";
    read_as(V, &format!("{board} K - 0 1"), &format!("{board} - - 0 1"));
}

#[test]
fn castling_exists_on_eight_files_only() {
    for board in [
        "4k4/9/9/9/9/9/9/R3K2R1",
        "4k4/9/9/9/9/9/9/R3K3R",
        "4k2/7/7/7/7/7/7/R3K2",
    ] {
        let seen = at(V, &format!("{board} w KQ - 0 1"));
        assert_eq!(seen.fen, format!("{board} w - - 0 1"));
        assert!(!seen.can("e1g1") && !seen.can("e1c1"), "{board}");
    }
}

#[test]
fn castling_exists_on_any_number_of_ranks() {
    let text = "r3k2r/8/8/R3K2R w KQkq - 0 1";
    leads(V, text, "e1g1 e4c4", "2kr3r/8/8/R4RK1 w - - 2 2");
    leads(V, text, "e1c1", "r3k2r/8/8/2KR3R b kq - 1 1");
}

// En passant.

#[test]
fn en_passant_square_that_qualifies_is_kept() {
    let black = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
    kept(V, black);
    assert!(at(V, black).can("d4e3"));
    let white = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    kept(V, white);
    assert!(at(V, white).can("e5d6"));
}

#[test]
fn en_passant_square_has_to_be_empty() {
    dropped(V, "4k3/8/8/8/3pP3/4N3/8/4K3 b", "e3");
    dropped(V, "4k3/8/8/8/3pP3/4n3/8/4K3 b", "e3");
}

#[test]
fn hole_is_no_en_passant_square() {
    dropped(V, "4k3/8/8/8/3pP3/4*3/8/4K3 b", "e3");
}

#[test]
fn origin_of_the_double_step_has_to_be_empty() {
    dropped(V, "4k3/8/8/8/3pP3/8/4N3/4K3 b", "e3");
    dropped(V, "4k3/8/8/3pP3/8/8/8/4K3 w", "e6");
    dropped(V, "4k3/3n4/8/3pP3/8/8/8/4K3 w", "d6");
}

#[test]
fn hole_is_no_origin_of_a_double_step() {
    dropped(V, "4k3/8/8/8/3pP3/8/4*3/4K3 b", "e3");
}

#[test]
fn pawn_that_made_the_double_step_has_to_be_there() {
    dropped(V, "4k3/8/8/8/3p4/8/8/4K3 b", "e3");
    dropped(V, "4k3/8/8/8/3pN3/8/8/4K3 b", "e3");
    dropped(V, "4k3/8/8/8/3pp3/8/8/4K3 b", "e3");
}

#[test]
fn pawn_that_could_take_has_to_stand_beside() {
    dropped(V, "4k3/8/8/8/4P3/8/8/4K3 b", "e3");
    dropped(V, "4k3/8/8/8/3nP3/8/8/4K3 b", "e3");
    dropped(V, "4k3/8/8/8/2p1P3/8/8/4K3 b", "e3");
    dropped(V, "4k3/8/8/8/3PP3/8/8/4K3 b", "e3");
}

#[test]
fn en_passant_square_lies_on_the_third_rank() {
    dropped(V, "4k3/8/8/3pP3/8/8/8/4K3 b", "e4");
}

#[test]
fn en_passant_square_asks_for_the_double_step() {
    kept(V, "4k3/8/3pP3/8/8/4K3 b - e3 0 1");
    dropped(V, "4k3/3pP3/8/8/4K3 b", "e3");
}

#[test]
fn en_passant_field_is_a_square_of_the_board() {
    for field in ["e9", "i3", "e", "33", "E3", "e03"] {
        let text = format!("4k3/8/8/8/3pP3/8/8/4K3 b - {field} 0 1");
        assert!(refused(V, &text), "{field}");
    }
}

// Clocks and state.

#[test]
fn clock_and_number_may_be_left_out_together() {
    read_as(V, "4k3/8/8/4K3 w - -", "4k3/8/8/4K3 w - - 0 1");
    assert!(refused(V, "4k3/8/8/4K3 w - - 0"));
    assert!(refused(V, "4k3/8/8/4K3 w -"));
}

#[test]
fn clock_and_number_are_whole_numbers_without_leading_zeros() {
    kept(V, "4k3/8/8/4K3 w - - 120 300");
    for clocks in ["00 1", "07 1", "0 01", "-1 1", "x 1", "0 1.5", "+1 1"] {
        let text = format!("4k3/8/8/4K3 w - - {clocks}");
        assert!(refused(V, &text), "{clocks}");
    }
}

#[test]
fn number_is_at_least_one() {
    assert!(refused(V, "4k3/8/8/4K3 w - - 0 0"));
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
    leads(V, text, "e1d1", "r3k3/8/8/8/8/8/P7/3K4 b - - 6 7");
    leads(V, text, "e1d1 e8d8", "r2k4/8/8/8/8/8/P7/3K4 w - - 7 8");
    leads(V, text, "a2a3", "r3k3/8/8/8/8/P7/8/4K3 b - - 0 7");
    leads(V, text, "e1d1 a8a2", "4k3/8/8/8/8/8/r7/3K4 w - - 0 8");
}
