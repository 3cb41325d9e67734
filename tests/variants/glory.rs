//! Glory Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::shared_clauses;
use crate::hand::{at, ends};

const V: &str = "glory";

shared_clauses! {
    V:
    each_side_has_exactly_one_king,
    mover_with_attacked_king_is_refused,
}

#[test]
fn pawn_on_last_rank_but_one_left_standing_wins() {
    let text = "7k/8/P7/8/8/8/8/K7 w - - 0 1";
    ends(V, text, "a6a7", "ongoing");
    ends(V, text, "a6a7 h8g8", "white-wins glory");
    let black = "k7/8/8/8/8/p7/8/7K b - - 0 1";
    ends(V, black, "a3a2 h1g1", "black-wins glory");
}

#[test]
fn pawn_on_last_rank_but_one_can_be_captured() {
    let text = "8/P6k/8/8/8/r7/8/1K6 b - - 0 1";
    ends(V, text, "a3a7", "ongoing");
    ends(V, text, "h7h8", "white-wins glory");
}

#[test]
fn checkmate_comes_before_glory() {
    let text = "2r5/7P/8/8/8/1k6/8/K7 b - - 0 1";
    ends(V, text, "c8c1", "black-wins checkmate");
}

#[test]
fn checkmate_beside_a_pawn_on_the_second_rank_is_checkmate() {
    let text = "R5k1/P4ppp/8/8/8/8/8/K7 b - - 0 1";
    ends(V, text, "", "white-wins checkmate");
}

#[test]
fn side_in_check_wins_by_its_pawn_if_not_checkmated() {
    let text = "7k/P7/8/8/8/8/8/K6r w - - 0 1";
    ends(V, text, "", "white-wins glory");
}

#[test]
fn glory_comes_before_own_stalemate() {
    let text = "7n/7P/8/8/8/1q6/8/K6k w - - 0 1";
    ends(V, text, "", "white-wins glory");
}

#[test]
fn no_turn_against_a_pawn_on_the_second_rank_loses() {
    ends(V, "k7/P7/1K6/8/8/8/8/8 b - - 0 1", "", "white-wins glory");
    ends(V, "k7/8/1Q6/8/8/8/8/7K b - - 0 1", "", "draw stalemate");
}

#[test]
fn double_step_does_not_exist() {
    assert!(!at(V, "start").can("e2e4"));
    let text = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
    let seen = at(V, text);
    assert!(!seen.can("d4e3") && seen.fen.contains(" b - - "));
}

#[test]
fn boards_of_few_ranks_are_accepted() {
    for text in ["k1K w - - 0 1", "k2/2K w - - 0 1", "k2/1P1/2K b - - 0 1"] {
        at(V, text);
    }
}
