//! Zoo Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::{HOME, shared_clauses};
use crate::hand::{after, at, positions, refused};

const V: &str = "zoo";

shared_clauses! {
    V:
    king_may_be_left_attacked,
    king_may_be_captured,
    castling_does_not_exist(HOME, "KQkq"),
    two_kings_are_refused,
    pawn_promotes_to("bnqr"),
}

positions! {
    V:
    fourth_kind_wins {
        "4k3/8/8/8/3q4/4P3/8/4K3 w - - 0 1 taken=PNB/-" after "e3d4":
            fen "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1 taken=PNBQ/-", outcome "white-wins four-kinds";
    }
}

#[test]
fn each_of_the_six_kinds_is_collected() {
    for kind in ["p", "n", "b", "r", "q", "k"] {
        let board = format!("8/8/8/8/3{kind}4/4P3/8/4K3 w - - 0 1");
        let taken = format!(" taken={}/-", kind.to_uppercase());
        assert!(after(V, &board, "e3d4").fen.ends_with(&taken), "{kind}");
    }
}

positions! {
    V:
    kind_captured_before_adds_nothing {
        "4k3/8/8/8/3b4/4P3/8/4K3 w - - 0 1 taken=PNB/PN" after "e3d4":
            fen "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1 taken=PNB/PN", outcome "ongoing";
    }

    king_and_pawn_taken_en_passant_count {
        // King.
        "8/8/8/8/3k4/4P3/8/4K3 w - - 0 1 taken=PNB/-" after "e3d4":
            outcome "white-wins four-kinds";
        // Pawn.
        "k7/8/8/3pP3/8/8/8/K7 w - d6 0 1 taken=NBR/-" after "e5d6":
            outcome "white-wins four-kinds";
    }

    promoted_unit_counts_as_what_it_is {
        "4k3/8/8/8/8/8/6p1/4K2R b - - 0 1" after "g2g1q h1g1": fen_ends_with " taken=Q/-";
    }

    each_side_counts_its_own_kinds {
        "4k3/8/8/4p3/3Q4/8/8/4K3 b - - 0 1 taken=PNB/PN" after "e5d4":
            fen "4k3/8/8/8/3p4/8/8/4K3 w - - 0 2 taken=PNB/PNQ", outcome "ongoing";
    }
}

#[test]
fn impossible_collections_are_refused() {
    for bad in [
        "PNBRQ/-", "-/PNBR", "NP/-", "PP/-", "P", "/", "P/", "-P/-", "p/-", "X/-", "P/-/-",
    ] {
        assert!(refused(
            V,
            &format!("4k3/8/8/8/8/8/8/4K3 b - - 0 1 taken={bad}")
        ));
    }
    assert_eq!(
        at(V, "4k3/8/8/8/8/8/8/4K3 b - - 0 1 taken=PNBR/RQK").outcome,
        "white-wins four-kinds"
    );
    assert_eq!(
        after(V, "4k3/8/8/8/8/8/8/4K3 b - - 0 1 taken=-/-", "").fen,
        "4k3/8/8/8/8/8/8/4K3 b - - 0 1"
    );
}

positions! {
    V:
    no_turn_is_a_draw {
        "k/p/P/K w - - 0 1": outcome "draw stalemate";
    }
}
