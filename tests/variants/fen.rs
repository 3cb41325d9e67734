//! What every FEN must satisfy, shown with orthodox chess.

use crate::hand::{at, kept, positions, refused};

const V: &str = "fide";

// The board.

positions! {
    V:
    board_has_at_most_sixteen_files {
        "k14K w - - 0 1": kept;
        "k15K w - - 0 1": refused;
    }

    board_has_at_most_sixteen_ranks {
        "k/1/1/1/1/1/1/1/1/1/1/1/1/1/1/K w - - 0 1": kept;
        "k/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/K w - - 0 1": refused;
    }

    board_has_at_most_128_squares_holes_included {
        "k15/16/16/16/16/16/16/15K w - - 0 1": kept;
        "k15/16/16/16/16/16/16/16/15K w - - 0 1": refused;
        "k***********/12/12/12/12/12/12/12/12/12/11K w - - 0 1": refused;
    }

    digits_in_a_row_are_one_number {
        "k12K w - - 0 1": kept;
        "k10K1 w - - 0 1": goes "l1" "k1 m1";
    }

    number_of_vacant_squares_has_no_leading_zero {
        "k06K w - - 0 1": refused;
        "k0K w - - 0 1": refused;
    }

    ranks_are_of_one_length {
        "4k3/8/7/4K3 w - - 0 1": refused;
        "4k3/8/9/4K3 w - - 0 1": refused;
        "4k3//8/4K3 w - - 0 1": refused;
    }

    letter_that_is_no_unit_is_refused {
        "4k3/8/8/2X5/8/8/8/4K3 w - - 0 1": refused;
        "4k3/8/8/2?5/8/8/8/4K3 w - - 0 1": refused;
        "4k3/8/8/2A5/8/8/8/4K3 w - - 0 1": refused;
    }

    upper_case_is_white {
        "4k3/8/2n5/8/2N5/8/8/4K3 w - - 0 1": kept, legal "c4a3", illegal "c6a5";
    }
}

#[test]
fn side_to_move_is_w_or_b() {
    for side in ["x", "W", "wb", "-"] {
        assert!(refused(V, &format!("4k3/8/8/4K3 {side} - - 0 1")));
    }
}

// Castling.

positions! {
    V:
    rights_are_read_in_any_order_and_printed_in_one {
        "r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1": fen "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1": kept;
    }

    right_written_twice_is_refused {
        "r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1": refused;
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkqK - 0 1": refused;
    }
}

#[test]
fn other_letters_of_rights_are_refused() {
    let board = "r3k2r/8/8/8/8/8/8/R3K2R w";
    for field in ["A", "KX", "K-", "h", "HAha"] {
        assert!(refused(V, &format!("{board} {field} - 0 1")));
    }
}

positions! {
    V:
    right_without_the_king_at_home_is_dropped {
        "r3k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1": fen "r3k2r/8/8/8/8/8/8/R2K3R w kq - 0 1";
        "4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1": fen "4k3/8/8/8/8/8/4K3/R6R w - - 0 1";
    }

    right_without_its_rook_at_home_is_dropped {
        "r3k2r/8/8/8/8/8/8/RN2K1R1 w KQkq - 0 1": fen "r3k2r/8/8/8/8/8/8/RN2K1R1 w Qkq - 0 1";
        "b3k2r/8/8/8/8/8/8/4K3 w kq - 0 1": fen "b3k2r/8/8/8/8/8/8/4K3 w k - 0 1";
    }

    rook_of_the_other_side_keeps_no_right {
        "4k3/8/8/8/8/8/8/4K2r w K - 0 1": fen "4k3/8/8/8/8/8/8/4K2r w - - 0 1";
    }
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

positions! {
    V:
    castling_exists_on_any_number_of_ranks {
        "r3k2r/8/8/R3K2R w KQkq - 0 1" after "e1g1 e4c4": fen "2kr3r/8/8/R4RK1 w - - 2 2";
        "r3k2r/8/8/R3K2R w KQkq - 0 1" after "e1c1": fen "r3k2r/8/8/2KR3R b kq - 1 1";
    }

    // En passant.

    en_passant_square_that_qualifies_is_kept {
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1": kept, legal "d4e3";
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1": kept, legal "e5d6";
    }

    en_passant_square_has_to_be_empty {
        "4k3/8/8/8/3pP3/4N3/8/4K3 b - e3 0 1": fen "4k3/8/8/8/3pP3/4N3/8/4K3 b - - 0 1";
        "4k3/8/8/8/3pP3/4n3/8/4K3 b - e3 0 1": fen "4k3/8/8/8/3pP3/4n3/8/4K3 b - - 0 1";
    }

    hole_is_no_en_passant_square {
        "4k3/8/8/8/3pP3/4*3/8/4K3 b - e3 0 1": fen "4k3/8/8/8/3pP3/4*3/8/4K3 b - - 0 1";
    }

    origin_of_the_double_step_has_to_be_empty {
        "4k3/8/8/8/3pP3/8/4N3/4K3 b - e3 0 1": fen "4k3/8/8/8/3pP3/8/4N3/4K3 b - - 0 1";
        "4k3/8/8/3pP3/8/8/8/4K3 w - e6 0 1": fen "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1";
        "4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1": fen "4k3/3n4/8/3pP3/8/8/8/4K3 w - - 0 1";
    }

    hole_is_no_origin_of_a_double_step {
        "4k3/8/8/8/3pP3/8/4*3/4K3 b - e3 0 1": fen "4k3/8/8/8/3pP3/8/4*3/4K3 b - - 0 1";
    }

    pawn_that_made_the_double_step_has_to_be_there {
        "4k3/8/8/8/3p4/8/8/4K3 b - e3 0 1": fen "4k3/8/8/8/3p4/8/8/4K3 b - - 0 1";
        "4k3/8/8/8/3pN3/8/8/4K3 b - e3 0 1": fen "4k3/8/8/8/3pN3/8/8/4K3 b - - 0 1";
        "4k3/8/8/8/3pp3/8/8/4K3 b - e3 0 1": fen "4k3/8/8/8/3pp3/8/8/4K3 b - - 0 1";
    }

    pawn_that_could_take_has_to_stand_beside {
        "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1": fen "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1";
        "4k3/8/8/8/3nP3/8/8/4K3 b - e3 0 1": fen "4k3/8/8/8/3nP3/8/8/4K3 b - - 0 1";
        "4k3/8/8/8/2p1P3/8/8/4K3 b - e3 0 1": fen "4k3/8/8/8/2p1P3/8/8/4K3 b - - 0 1";
        "4k3/8/8/8/3PP3/8/8/4K3 b - e3 0 1": fen "4k3/8/8/8/3PP3/8/8/4K3 b - - 0 1";
    }

    en_passant_square_lies_on_the_third_rank {
        "4k3/8/8/3pP3/8/8/8/4K3 b - e4 0 1": fen "4k3/8/8/3pP3/8/8/8/4K3 b - - 0 1";
    }

    en_passant_square_asks_for_the_double_step {
        "4k3/8/3pP3/8/8/4K3 b - e3 0 1": kept;
        "4k3/3pP3/8/8/4K3 b - e3 0 1": fen "4k3/3pP3/8/8/4K3 b - - 0 1";
    }
}

#[test]
fn en_passant_field_is_a_square_of_the_board() {
    for field in ["e9", "i3", "e", "33", "E3", "e03"] {
        let text = format!("4k3/8/8/8/3pP3/8/8/4K3 b - {field} 0 1");
        assert!(refused(V, &text), "{field}");
    }
}

// Clocks and state.

positions! {
    V:
    clock_and_number_may_be_left_out_together {
        "4k3/8/8/4K3 w - -": fen "4k3/8/8/4K3 w - - 0 1";
        "4k3/8/8/4K3 w - - 0": refused;
        "4k3/8/8/4K3 w -": refused;
    }
}

#[test]
fn clock_and_number_are_whole_numbers_without_leading_zeros() {
    kept(V, "4k3/8/8/4K3 w - - 120 300");
    for clocks in ["00 1", "07 1", "0 01", "-1 1", "x 1", "0 1.5", "+1 1"] {
        let text = format!("4k3/8/8/4K3 w - - {clocks}");
        assert!(refused(V, &text), "{clocks}");
    }
}

positions! {
    V:
    number_zero_is_read_as_one {
        "4k3/8/8/4K3 w - - 0 0": fen "4k3/8/8/4K3 w - - 0 1";
    }

    state_is_the_last_field {
        "4k3/8/8/4K3 w - - 0 1 blunder=1" in "blunder-mate": accepted;
        "4k3/8/8/4K3 w - - 0 1 blunder=1 x" in "blunder-mate": refused;
        "4k3/8/8/4K3 w - - blunder=1" in "blunder-mate": refused;
    }

    clock_counts_turns_without_capture_or_pawn {
        "r3k3/8/8/8/8/8/P7/4K3 w - - 5 7" after "e1d1": fen "r3k3/8/8/8/8/8/P7/3K4 b - - 6 7";
        "r3k3/8/8/8/8/8/P7/4K3 w - - 5 7" after "e1d1 e8d8": fen "r2k4/8/8/8/8/8/P7/3K4 w - - 7 8";
        "r3k3/8/8/8/8/8/P7/4K3 w - - 5 7" after "a2a3": fen "r3k3/8/8/8/8/P7/8/4K3 b - - 0 7";
        "r3k3/8/8/8/8/8/P7/4K3 w - - 5 7" after "e1d1 a8a2": fen "4k3/8/8/8/8/8/r7/3K4 w - - 0 8";
    }
}
