//! Tyrant Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::{self, HOME, shared_clauses};
use crate::hand::{after, at, can, legal_from, positions};

const V: &str = "tyrant";

shared_clauses! {
    V:
    castling_does_not_exist(HOME, "KQkq"),
    two_kings_are_refused,
    pawn_promotes_to("bnr"),
}

#[test]
fn king_may_be_left_attacked_and_captured_by_a_monarch() {
    clauses::king_may_be_left_attacked(V);
    let text = "k3r3/7p/8/8/8/8/7P/Q3K3 w - - 0 1";
    assert!(can(V, text, "a1a8+K@c1"));
}

positions! {
    V:
    only_king_and_queen_attack {
        // Rooks.
        "k7/8/8/8/8/8/1PR5/K7 w - - 0 1": attacked "b2" "a1";
        "k7/8/8/8/8/8/1PR5/K7 w - - 0 1" in "zoo": attacked "b2" "a1 c2";
    }
}

#[test]
fn only_king_and_queen_capture() {
    let board = "k7/8/2p1p3/3P4/r1p1p3/3N4/6p1/R4B1K w - - 0 1";
    let turns = at(V, board).turns;
    for capture in ["a1a4", "d5c6", "d5e6", "f1g2"] {
        assert!(!turns.contains(&capture.to_string()), "{capture}");
    }
    assert!(turns.contains(&"h1g2".to_string()));
    assert!(turns.contains(&"a1a3".to_string()));
    assert!(can(V, "k7/p7/8/8/8/8/P7/Q6K w - - 0 1", "a1h8"));
    assert!(can(V, "k6r/p7/8/8/8/8/P7/Q6K w - - 0 1", "a1h8"));
}

#[test]
fn captured_monarch_goes_where_no_monarch_attacks() {
    let board = "q3k3/7p/8/8/8/8/7P/Q3K3 w - - 0 1";
    let turns = legal_from(V, board, "a1a8");
    assert_eq!(turns.len(), 37);
    for (square, free) in [
        ("b1", true),
        // On its own last rank and on the other side's: any rank will do.
        ("c1", true),
        ("h8", true),
        ("d5", false),
        ("a1", false),
        ("d8", false),
        ("d1", false),
    ] {
        let turn = format!("a1a8+Q@{square}");
        assert_eq!(turns.contains(&turn), free, "{turn}");
    }
    assert_eq!(
        after(V, board, "a1a8+Q@b1").fen,
        "Q3k3/7p/8/8/8/8/7P/1q2K3 b - - 0 1"
    );
}

positions! {
    V:
    captured_king_is_put_back_as_well {
        "4k3/4Q2p/8/8/8/8/7P/K7 w - - 0 1" after "e7e8+K@c2":
            fen "4Q3/7p/8/8/8/8/2k4P/K7 b - - 0 1";
    }

    attack_by_other_units_does_not_matter_to_the_exile {
        // Rook h3 and pawn h2 guard nothing here.
        "4k3/4Q2p/8/8/8/7R/7P/K7 w - - 0 1": legal "e7e8+K@g3 e7e8+K@c3";
    }

    lines_opened_by_the_capture_count_for_the_exile {
        // When the king has left the a-file the queen sees down to a1.
        "Q7/7p/8/8/1q6/K7/7P/8 w - - 0 1": legal "a3b4+Q@d1", illegal "a3b4+Q@a1 a3b4+Q@a2";
    }

    capture_without_a_square_for_the_exile_is_illegal {
        "kr/QR w - - 0 1": turns "a1b2";
    }

    en_passant_does_not_exist {
        "k7/8/8/3pP3/8/8/8/K7 w - d6 0 1": illegal "e5d6", fen "k7/8/8/3pP3/8/8/8/K7 w - - 0 1";
        // Step.
        "k7/8/8/8/3p4/8/4P3/K7 w - - 0 1" after "e2e4": fen "k7/8/8/8/3pP3/8/8/K7 b - - 0 1";
    }

    capturing_all_but_king_and_queen_wins {
        "k6q/8/8/8/8/8/p6P/K7 w - - 0 1" after "a1a2": outcome "white-wins annihilated";
        "k6q/p7/8/8/8/8/p6P/K7 w - - 0 1" after "a1a2": outcome "ongoing";
    }

    side_to_move_with_monarchs_alone_loses_first {
        "k6q/8/8/8/8/8/8/K6Q w - - 0 1": outcome "black-wins annihilated";
    }

    mover_with_monarchs_alone_has_lost {
        "k6q/8/8/8/8/8/P7/K6Q w - - 0 1": outcome "white-wins annihilated";
    }

    no_turn_is_a_draw {
        "k/p/P/K w - - 0 1": outcome "draw stalemate";
    }
}
