//! Donnybrook Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::{HOME, shared_clauses};
use crate::hand::{after, at, legal_from, positions};

const V: &str = "donnybrook";

shared_clauses! {
    V:
    king_may_be_left_attacked,
    king_may_be_captured,
    castling_does_not_exist(HOME, "KQkq"),
    two_kings_are_refused,
    pawn_promotes_to("bnr"),
    double_step_may_be_taken_in_passing("k4rb1", "K4RB1"),
}

positions! {
    V:
    second_queen_of_a_side_is_refused {
        "k7/8/8/8/8/8/8/KQQ5 w - - 0 1": refused;
    }
}

#[test]
fn captured_knight_is_re_entered_before_a_step() {
    let board = "k7/8/8/3n4/4P3/8/8/K7 w - - 0 1";
    assert_eq!(
        after(V, board, "e4d5").fen,
        "k7/8/8/3P4/8/8/8/K7 b - - 0 1 return=N"
    );
    let returned = "k7/8/8/3P4/8/8/8/K7 b - - 0 1 return=N";
    let turns = at(V, returned).turns;
    // 58 squares leave the king three steps, the three beside him two.
    assert_eq!(turns.len(), 58 * 3 + 3 * 2);
    assert!(turns.iter().all(|t| t.starts_with("N@")));
    assert_eq!(
        after(V, returned, "N@h1+a8b8").fen,
        "1k6/8/8/3P4/8/8/8/K6n w - - 1 2"
    );
}

#[test]
fn re_entered_unit_may_not_step_in_the_same_turn() {
    let returned = "k7/8/8/3P4/8/8/8/K7 b - - 0 1 return=N";
    let turns = legal_from(V, returned, "N@h1+");
    assert!(!turns.is_empty() && turns.iter().all(|turn| turn.starts_with("N@h1+a8")));
}

positions! {
    V:
    captured_bishop_returns_only_to_a_side_with_queen {
        // With.
        "k6q/8/8/3b4/4P3/8/8/K7 w - - 0 1" after "e4d5": fen_ends_with " return=B";
        // Without.
        "k7/8/8/3b4/4P3/8/8/K7 w - - 0 1" after "e4d5": fen_ends_with " 0 1";
    }

    captured_knight_returns_only_to_a_side_with_king {
        // Without.
        "7q/8/8/3n4/4P3/8/8/K7 w - - 0 1" after "e4d5": fen_ends_with " 0 1";
    }
}

#[test]
fn captured_rook_returns_to_a_side_with_either_monarch() {
    for monarch in ["k7", "q7"] {
        let board = format!("{monarch}/8/8/3r4/4P3/8/8/K7 w - - 0 1");
        assert!(after(V, &board, "e4d5").fen.ends_with(" return=R"));
    }
}

positions! {
    V:
    captured_pawn_and_queen_do_not_return {
        // Pawn.
        "k7/8/8/3p4/4P3/8/8/K7 w - - 0 1" after "e4d5": fen_ends_with " 0 1";
        // Queen.
        "k7/8/8/3q4/4P3/8/8/K7 w - - 0 1" after "e4d5": fen_ends_with " 0 1";
    }

    capture_in_a_turn_with_re_entry_sets_the_next_return {
        "k7/8/8/3n4/4P3/8/8/K7 w - - 0 1 return=R" after "R@h1+e4d5":
            fen "k7/8/8/3P4/8/8/8/K6R b - - 0 1 return=N";
    }

    double_step_after_re_entry_may_be_taken_en_passant {
        "k7/8/8/8/3p4/8/4P3/K7 w - - 0 1 return=R" after "R@h1+e2e4":
            fen "k7/8/8/8/3pP3/8/8/K6R b - e3 0 1";
        "k7/8/8/8/3pP3/8/8/K6R b - e3 0 1": legal "d4e3";
    }

    en_passant_square_falls_while_a_return_is_due {
        "k7/8/8/8/3pP3/8/8/K7 b - e3 0 1 return=R": fen "k7/8/8/8/3pP3/8/8/K7 b - - 0 1 return=R";
    }

    return_that_the_owner_cannot_have_is_refused {
        "k7/8/8/8/8/8/8/K7 w - - 0 1 return=B": refused;
        "k7/8/8/8/8/8/8/Q7 w - - 0 1 return=N": refused;
        "k7/8/8/8/8/8/8/KQ6 w - - 0 1 return=Q": refused;
        "k7/8/8/8/8/8/8/KQ6 w - - 0 1 return=r": refused;
        "k7/8/8/8/8/8/8/Q7 w - - 0 1 return=B": accepted;
        "k7/8/8/8/8/8/8/K7 w - - 0 1 return=N": accepted;
    }

    no_vacant_square_or_no_other_step_is_a_draw {
        // Without the return, the rook could capture.
        "kr/KR w - - 0 1 return=R": outcome "draw stalemate";
        "kr/KR w - - 0 1": outcome "ongoing";
        // The rook could go on from a4, but it is not another unit.
        "k/1/1/p/P/K w - - 0 1 return=R": outcome "draw stalemate";
    }

    queen_steps_like_a_king {
        "k7/8/8/8/3Q4/8/8/8 w - - 0 1": turns "d4c3 d4c4 d4c5 d4d3 d4d5 d4e3 d4e4 d4e5";
    }

    both_monarchs_must_be_captured {
        "k6q/8/8/8/8/8/8/K6R w - - 0 1" after "h1h8": outcome "ongoing";
        "k6q/8/8/8/8/8/8/K6R w - - 0 1" after "h1h8 a8b8 h8b8":
            outcome "white-wins monarchs-captured";
    }

    side_to_move_without_monarchs_loses_first {
        "r7/8/8/8/8/8/8/R7 w - - 0 1": outcome "black-wins monarchs-captured";
    }
}
