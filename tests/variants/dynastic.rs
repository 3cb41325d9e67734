//! Dynastic Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::{HOME, shared_clauses};
use crate::hand::{at, can, positions};

const V: &str = "dynastic";

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

    monarchs_apart_leap_like_knights {
        "k7/8/8/8/8/8/8/K2Q4 w - - 0 1": turns "a1b3 a1c2 d1b2 d1c3 d1e3 d1f2";
    }
}

#[test]
fn monarchs_side_by_side_move_like_queens() {
    let board = "8/8/8/8/8/8/8/KQ5k w - - 0 1";
    let turns = at(V, board).turns;
    // a1: file and long diagonal. b1: file, rank to h1, two diagonals.
    assert_eq!(turns.len(), 14 + 20);
    assert!(turns.contains(&"a1h8".to_string()));
    assert!(turns.contains(&"b1h1".to_string()));
    assert!(!turns.contains(&"a1b3".to_string()));
    // Diagonal neighbors are neighbors, two squares are not.
    assert!(can(V, "8/8/8/8/8/8/1Q6/K6k w - - 0 1", "a1g1"));
    assert!(!can(V, "8/8/8/8/8/1Q6/8/K6k w - - 0 1", "a1g1"));
}

positions! {
    V:
    monarchs_moving_like_queens_are_blocked {
        "8/8/8/8/8/P7/1P6/KQ5k w - - 0 1": goes "a1" "a2";
    }

    enemy_monarch_next_to_ours_does_not_count {
        "8/8/8/8/8/8/1k6/K6Q w - - 0 1": goes "a1" "b3 c2";
    }

    surviving_monarch_steps_like_a_king {
        "8/8/8/8/8/8/7q/KQ5k b - - 0 1" after "h1b1":
            fen "8/8/8/8/8/8/7q/Kk6 w - - 0 2", turns "a1a2 a1b1 a1b2";
        "7k/8/8/8/8/8/8/Q7 w - - 0 1": turns "a1a2 a1b1 a1b2";
    }

    capturing_both_monarchs_wins {
        "kr6/8/8/8/8/8/8/R3K3 w - - 0 1" after "a1a8": outcome "white-wins monarchs-captured";
        "kq6/8/8/8/8/8/8/R3K3 w - - 0 1" after "a1a8": outcome "ongoing";
    }

    side_to_move_without_monarchs_loses_first {
        "r7/8/8/8/8/8/8/R7 b - - 0 1": outcome "white-wins monarchs-captured";
    }

    no_turn_is_a_draw {
        // King and queen stand apart, and one rank is too narrow for a leap.
        "K1Qk w - - 0 1": outcome "draw stalemate";
        "KQ1k w - - 0 1": outcome "ongoing";
    }

    monarchs_attack_as_they_move {
        // Apart.
        "7k/8/8/8/8/8/8/K2Q4 w - - 0 1": attacked "c3" "d1", attacked "d2" "";
        // Beside.
        "7k/8/8/8/8/8/8/KQ6 w - - 0 1": attacked "b2" "a1 b1", attacked "h8" "a1";
    }
}
