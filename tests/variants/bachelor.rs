//! Bachelor Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::{self, shared_clauses};
use crate::hand::{at, ends, positions, refused};

const V: &str = "bachelor";

shared_clauses! {
    V:
    each_side_has_exactly_one_king,
    pawns_on_first_or_last_rank_are_refused,
    kings_side_by_side_are_refused,
    there_is_no_state,
}

// Board, pawns, castling.

positions! {
    V:
    array_at_the_start {
        "start":
            fen "rnnkbbr/ppppppp/7/7/PPPPPPP/RNNKBBR w AGag - 0 1",
            turns "a2a3 b1a3 b1c3 b2b3 c1b3 c1d3 c2c3 d2d3 e2e3 f2f3 g2g3";
    }

    pawns_must_promote {
        "3k3/P6/7/7/7/3K3 w - - 0 1": goes "a5" "a6b a6n a6q a6r";
        "3k3/7/7/7/6p/3K1R1 b - - 0 1": goes "g2" "f1b f1n f1q f1r g1b g1n g1q g1r";
    }

    king_castles_from_the_d_file {
        "r2k2r/7/7/7/7/R2K2R w AGag - 0 1" after "d1b1": fen "r2k2r/7/7/7/7/1KR3R b ag - 1 1";
        "r2k2r/7/7/7/7/R2K2R w AGag - 0 1" after "d1f1": fen "r2k2r/7/7/7/7/R3RK1 b ag - 1 1";
        "r2k2r/7/7/7/7/R2K2R w AGag - 0 1" after "d1b1 d6f6": fen "r3rk1/7/7/7/7/1KR3R w - - 2 2";
        "r2k2r/7/7/7/7/R2K2R w AGag - 0 1" after "d1f1 d6b6": fen "1kr3r/7/7/7/7/R3RK1 w - - 2 2";
    }

    rights_are_the_files_of_the_rooks {
        "r2k2r/7/7/7/7/R2K2R w gaGA - 0 1": fen "r2k2r/7/7/7/7/R2K2R w AGag - 0 1";
        "r2k2r/7/7/7/7/R2K2R w Ag - 0 1": legal "d1b1", illegal "d1f1";
        "r2k2r/7/7/7/7/R2K2R w AGA - 0 1": refused;
    }
}

#[test]
fn rights_need_king_and_rook_at_home_on_seven_files() {
    for board in [
        "3k3/7/7/7/7/R3K1R",
        "3k3/7/7/7/7/1R1K1R1",
        "3k4/8/8/8/8/R2K2R1",
        "3k2/6/6/6/6/R2K1R",
    ] {
        let seen = at(V, &format!("{board} w AG - 0 1"));
        assert_eq!(seen.fen, format!("{board} w - - 0 1"));
    }
    let ranks = at(V, "3k3/7/7/R2K2R w AG - 0 1");
    assert!(ranks.can("d1b1") && ranks.can("d1f1"));
}

#[test]
fn castling_has_the_orthodox_conditions() {
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
        let seen = at(V, &format!("{board} w AG - 0 1"));
        assert_eq!(seen.can("d1b1"), knights, "{board}");
        assert_eq!(seen.can("d1f1"), bishops, "{board}");
    }
}

// Changes on the last rank.

positions! {
    V:
    knight_may_change_on_the_last_rank {
        "3k3/7/N6/7/7/4K2 w - - 3 5": goes "a4" "b2 b6 b6b b6q b6r c3 c5";
        "3k3/7/N6/7/7/4K2 w - - 3 5" after "a4b6r": fen "1R1k3/7/7/7/7/4K2 b - - 4 5";
        "3k3/7/N6/7/7/4K2 w - - 3 5" after "a4b6": fen "1N1k3/7/7/7/7/4K2 b - - 4 5";
    }

    bishop_may_change_on_the_last_rank {
        "7/7/1B5/6k/7/K6 w - - 0 1": goes "b4" "a3 a5 c3 c5 d2 d6 d6n d6q d6r e1";
    }

    queen_may_change_on_the_last_rank {
        "7/3*3/1*Q*3/1***3/6k/K6 w - - 0 1": goes "c4" "a6 a6b a6n a6r b5 c5 c6 c6b c6n c6r";
    }

    rook_may_change_on_leaving_the_last_rank_for_it {
        "R*5/7/*6/6k/7/K6 w - - 0 1": goes "a6" "a5";
        // Along.
        "R1*4/*6/7/6k/7/K6 w - - 0 1": goes "a6" "b6 b6b b6n b6q";
    }

    king_does_not_change {
        "7/K6/7/6k/7/7 w - - 0 1": goes "a5" "a4 a6 b4 b5 b6";
    }

    units_change_on_the_owners_last_rank_only {
        "3k3/7/7/7/n6/4K2 b - - 0 1": goes "a2" "b4 c1 c1b c1q c1r c3";
        "7/k6/7/2N4/7/5K1 w - - 0 1": goes "c3" "a2 a4 b1 b5 d1 d5 e2 e4";
        // Back.
        "7/2n4/7/6k/7/4K2 b - - 0 1": goes "c5" "a4 a6 b3 d3 e4 e6";
    }

    unit_that_captures_may_change {
        "1r1k3/7/N6/7/7/4K2 w - - 3 5": goes "a4" "b2 b6 b6b b6q b6r c3 c5";
        "1r1k3/7/N6/7/7/4K2 w - - 3 5" after "a4b6q": fen "1Q1k3/7/7/7/7/4K2 b - - 0 5";
    }

    pinned_unit_may_change {
        "r6/7/6k/R6/7/K6 w - - 0 1": goes "a3" "a2 a4 a5 a6 a6b a6n a6q";
    }

    // Marriage.

    marries_by_the_queens_step {
        "3k3/Q6/7/7/7/3K3 w - - 0 1" after "a5e1": outcome "white-wins marriage";
        "3k3/Q6/7/7/7/3K3 w - - 0 1" after "a5d2": outcome "white-wins marriage";
        "3k3/7/7/7/7/3KQ2 b - - 0 1": turns "";
    }
}

#[test]
fn marries_by_the_kings_step() {
    let text = "1k5/7/7/3Q3/7/3K3 w - - 0 1";
    for turn in ["d1c2", "d1d2", "d1e2"] {
        ends(V, text, turn, "white-wins marriage");
    }
    ends(V, text, "d1c1", "ongoing");
    ends(V, text, "d3d4", "ongoing");
    let corner = "3k3/Q6/7/7/7/K6 w - - 0 1";
    ends(V, corner, "a5b5", "ongoing");
}

#[test]
fn marries_on_all_eight_sides() {
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
        ends(V, &text, "", white);
    }
}

positions! {
    V:
    marries_by_promotion_change_and_castling {
        // Pawn.
        "7/3PK2/7/7/7/k6 w - - 0 1" after "d5d6q": outcome "white-wins marriage";
        "7/3PK2/7/7/7/k6 w - - 0 1" after "d5d6r": outcome "ongoing";
        // Knight.
        "7/4K2/2N4/7/7/k6 w - - 0 1" after "c4d6q": outcome "white-wins marriage";
        "7/4K2/2N4/7/7/k6 w - - 0 1" after "c4d6": outcome "ongoing";
        // Rook.
        "3k3/7/7/7/Q6/R2K3 w A - 0 1" after "d1b1": outcome "white-wins marriage";
    }

    black_marries_too {
        "3k3/7/7/7/q6/5K1 b - - 0 1" after "a2e6": outcome "black-wins marriage";
        "3k3/7/7/7/q6/5K1 b - - 0 1" after "a2b3": outcome "ongoing";
    }

    side_to_move_that_stands_married_plays_on {
        "k6/7/7/7/3Q3/3K3 w - - 0 1": outcome "ongoing";
        "k6/7/7/7/3Q3/3K3 w - - 0 1" after "d2g2": outcome "ongoing";
        "k6/7/7/7/3Q3/3K3 w - - 0 1" after "d1c1": outcome "white-wins marriage";
    }

    nobody_marries_in_check {
        "3r3/k6/7/7/6Q/3K3 w - - 0 1": illegal "g2e2";
        "3r3/k6/7/7/6Q/3K3 w - - 0 1" after "g2d2": outcome "white-wins marriage";
    }

    marriage_comes_before_checkmate {
        "k6/2K4/7/7/7/1Q5 w - - 0 1" after "b1b5": outcome "white-wins marriage";
        "k6/2K4/7/7/7/1Q5 w - - 0 1" in "fide" after "b1b5": outcome "white-wins checkmate";
    }

    marriage_comes_before_stalemate {
        "k1K4/7/7/7/7/3Q3 w - - 0 1" after "d1d5": outcome "white-wins marriage";
        "k1K4/7/7/7/7/3Q3 w - - 0 1" in "fide" after "d1d5": outcome "draw stalemate";
    }

    checkmate_and_stalemate_are_orthodox {
        // Mate.
        "k6/7/1K5/7/7/6R w - - 0 1" after "g1g6": outcome "white-wins checkmate";
        // Stalemate.
        "k6/7/K6/7/7/2R4 w - - 0 1" after "c1b1": outcome "draw stalemate";
    }

    // What a FEN must satisfy.

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

positions! {
    V:
    other_letters_of_rights_are_refused {
        "r2k2r/7/7/7/7/R2K2R w K - 0 1": refused;
    }

    en_passant_square_is_dropped {
        "3k3/7/3pP2/7/7/3K3 b - e3 0 1": fen "3k3/7/3pP2/7/7/3K3 b - - 0 1";
    }
}
