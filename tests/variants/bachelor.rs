//! Bachelor Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::{self, shared_clauses};
use crate::hand::{at, dropped, ends, goes, kept, leads, only, read_as, refused};

const V: &str = "bachelor";

shared_clauses! {
    V:
    each_side_has_exactly_one_king,
    pawns_on_first_or_last_rank_are_refused,
    kings_side_by_side_are_refused,
    there_is_no_state,
}

// Board, pawns, castling.

#[test]
fn array_at_the_start() {
    let seen = at(V, "start");
    assert_eq!(seen.fen, "rnnkbbr/ppppppp/7/7/PPPPPPP/RNNKBBR w AGag - 0 1");
    let turns = "a2a3 b1a3 b1c3 b2b3 c1b3 c1d3 c2c3 d2d3 e2e3 f2f3 g2g3";
    assert_eq!(seen.turns.join(" "), turns);
}

#[test]
fn pawns_must_promote() {
    let all = "a6b a6n a6q a6r";
    goes(V, "3k3/P6/7/7/7/3K3 w - - 0 1", "a5", all);
    let black = "3k3/7/7/7/6p/3K1R1 b - - 0 1";
    goes(V, black, "g2", "f1b f1n f1q f1r g1b g1n g1q g1r");
}

#[test]
fn king_castles_from_the_d_file() {
    let text = "r2k2r/7/7/7/7/R2K2R w AGag - 0 1";
    leads(V, text, "d1b1", "r2k2r/7/7/7/7/1KR3R b ag - 1 1");
    leads(V, text, "d1f1", "r2k2r/7/7/7/7/R3RK1 b ag - 1 1");
    let bishops = "r3rk1/7/7/7/7/1KR3R w - - 2 2";
    leads(V, text, "d1b1 d6f6", bishops);
    let knights = "1kr3r/7/7/7/7/R3RK1 w - - 2 2";
    leads(V, text, "d1f1 d6b6", knights);
}

#[test]
fn rights_are_the_files_of_the_rooks() {
    let board = "r2k2r/7/7/7/7/R2K2R w";
    read_as(
        V,
        &format!("{board} gaGA - 0 1"),
        &format!("{board} AGag - 0 1"),
    );
    let knights = at(V, &format!("{board} Ag - 0 1"));
    assert!(knights.can("d1b1") && !knights.can("d1f1"));
    assert!(refused(V, &format!("{board} AGA - 0 1")));
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

#[test]
fn knight_may_change_on_the_last_rank() {
    let text = "3k3/7/N6/7/7/4K2 w - - 3 5";
    goes(V, text, "a4", "b2 b6 b6b b6q b6r c3 c5");
    leads(V, text, "a4b6r", "1R1k3/7/7/7/7/4K2 b - - 4 5");
    leads(V, text, "a4b6", "1N1k3/7/7/7/7/4K2 b - - 4 5");
}

#[test]
fn bishop_may_change_on_the_last_rank() {
    let text = "7/7/1B5/6k/7/K6 w - - 0 1";
    let all = "a3 a5 c3 c5 d2 d6 d6n d6q d6r e1";
    goes(V, text, "b4", all);
}

#[test]
fn queen_may_change_on_the_last_rank() {
    let text = "7/3*3/1*Q*3/1***3/6k/K6 w - - 0 1";
    goes(V, text, "c4", "a6 a6b a6n a6r b5 c5 c6 c6b c6n c6r");
}

#[test]
fn rook_may_change_on_leaving_the_last_rank_for_it() {
    let text = "R*5/7/*6/6k/7/K6 w - - 0 1";
    goes(V, text, "a6", "a5");
    let along = "R1*4/*6/7/6k/7/K6 w - - 0 1";
    goes(V, along, "a6", "b6 b6b b6n b6q");
}

#[test]
fn king_does_not_change() {
    let text = "7/K6/7/6k/7/7 w - - 0 1";
    goes(V, text, "a5", "a4 a6 b4 b5 b6");
}

#[test]
fn units_change_on_the_owners_last_rank_only() {
    let black = "3k3/7/7/7/n6/4K2 b - - 0 1";
    goes(V, black, "a2", "b4 c1 c1b c1q c1r c3");
    let white = "7/k6/7/2N4/7/5K1 w - - 0 1";
    goes(V, white, "c3", "a2 a4 b1 b5 d1 d5 e2 e4");
    let back = "7/2n4/7/6k/7/4K2 b - - 0 1";
    goes(V, back, "c5", "a4 a6 b3 d3 e4 e6");
}

#[test]
fn unit_that_captures_may_change() {
    let text = "1r1k3/7/N6/7/7/4K2 w - - 3 5";
    goes(V, text, "a4", "b2 b6 b6b b6q b6r c3 c5");
    leads(V, text, "a4b6q", "1Q1k3/7/7/7/7/4K2 b - - 0 5");
}

#[test]
fn pinned_unit_may_change() {
    let text = "r6/7/6k/R6/7/K6 w - - 0 1";
    goes(V, text, "a3", "a2 a4 a5 a6 a6b a6n a6q");
}

// Marriage.

#[test]
fn marries_by_the_queens_step() {
    let text = "3k3/Q6/7/7/7/3K3 w - - 0 1";
    ends(V, text, "a5e1", "white-wins marriage");
    ends(V, text, "a5d2", "white-wins marriage");
    only(V, "3k3/7/7/7/7/3KQ2 b - - 0 1", &[]);
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

#[test]
fn marries_by_promotion_change_and_castling() {
    let pawn = "7/3PK2/7/7/7/k6 w - - 0 1";
    ends(V, pawn, "d5d6q", "white-wins marriage");
    ends(V, pawn, "d5d6r", "ongoing");
    let knight = "7/4K2/2N4/7/7/k6 w - - 0 1";
    ends(V, knight, "c4d6q", "white-wins marriage");
    ends(V, knight, "c4d6", "ongoing");
    let rook = "3k3/7/7/7/Q6/R2K3 w A - 0 1";
    ends(V, rook, "d1b1", "white-wins marriage");
}

#[test]
fn black_marries_too() {
    let text = "3k3/7/7/7/q6/5K1 b - - 0 1";
    ends(V, text, "a2e6", "black-wins marriage");
    ends(V, text, "a2b3", "ongoing");
}

#[test]
fn side_to_move_that_stands_married_plays_on() {
    let text = "k6/7/7/7/3Q3/3K3 w - - 0 1";
    ends(V, text, "", "ongoing");
    ends(V, text, "d2g2", "ongoing");
    ends(V, text, "d1c1", "white-wins marriage");
}

#[test]
fn nobody_marries_in_check() {
    let text = "3r3/k6/7/7/6Q/3K3 w - - 0 1";
    assert!(!at(V, text).can("g2e2"));
    ends(V, text, "g2d2", "white-wins marriage");
}

#[test]
fn marriage_comes_before_checkmate() {
    let text = "k6/2K4/7/7/7/1Q5 w - - 0 1";
    ends(V, text, "b1b5", "white-wins marriage");
    ends("fide", text, "b1b5", "white-wins checkmate");
}

#[test]
fn marriage_comes_before_stalemate() {
    let text = "k1K4/7/7/7/7/3Q3 w - - 0 1";
    ends(V, text, "d1d5", "white-wins marriage");
    ends("fide", text, "d1d5", "draw stalemate");
}

#[test]
fn checkmate_and_stalemate_are_orthodox() {
    let mate = "k6/7/1K5/7/7/6R w - - 0 1";
    ends(V, mate, "g1g6", "white-wins checkmate");
    let stalemate = "k6/7/K6/7/7/2R4 w - - 0 1";
    ends(V, stalemate, "c1b1", "draw stalemate");
}

// What a FEN must satisfy.

#[test]
fn other_units_may_be_any_number() {
    kept(V, "3k3/7/7/7/7/QQ4K w - - 0 1");
}

#[test]
fn mover_with_attacked_king_is_refused() {
    clauses::mover_with_attacked_king_is_refused(V);
    assert!(refused(V, "3k3/7/7/7/7/r2K3 b - - 0 1"));
    assert!(!refused(V, "3k3/7/7/7/7/r2K3 w - - 0 1"));
}

#[test]
fn other_letters_of_rights_are_refused() {
    assert!(refused(V, "r2k2r/7/7/7/7/R2K2R w K - 0 1"));
}

#[test]
fn en_passant_square_is_dropped() {
    dropped(V, "3k3/7/3pP2/7/7/3K3 b", "e3");
}
