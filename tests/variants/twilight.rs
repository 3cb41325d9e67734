//! Twilight Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::{ends, positions, refused};

const V: &str = "twilight";

positions! {
    V:
    capturing_the_last_of_a_class_wins {
        "4k3/8/8/3n4/4B3/8/8/4K3 w - - 0 1" after "e4d5":
            outcome "white-wins minors-eliminated", fen_ends_with " over=minors-eliminated";
        // Passant.
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1" after "e5d6": outcome "white-wins pawns-eliminated";
        // Rook.
        "4k3/8/8/8/8/8/r7/K7 w - - 0 1" after "a1a2": outcome "white-wins majors-eliminated";
    }

    another_unit_of_the_class_goes_on {
        "3qk3/8/8/8/8/8/r7/K7 w - - 0 1" after "a1a2": outcome "ongoing";
        "4k2b/8/8/3n4/4B3/8/8/4K3 w - - 0 1" after "e4d5": outcome "ongoing";
        "4k3/7p/8/3p4/4P3/8/8/4K3 w - - 0 1" after "e4d5": outcome "ongoing";
    }

    promoting_the_last_pawn_loses_nothing {
        "7r/P6k/8/8/8/8/8/K7 w - - 0 1" after "a7a8n": outcome "ongoing";
        // The promoted knight is a minor piece, and his last.
        "7r/P6k/8/8/8/8/8/K7 w - - 0 1" after "a7a8n h8a8":
            outcome "black-wins minors-eliminated";
    }

    class_that_was_never_there_is_not_eliminated {
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1": outcome "ongoing";
    }

    elimination_comes_before_checkmate {
        "k7/p7/1K6/8/8/8/8/Q7 w - - 0 1" after "a1a7": outcome "white-wins pawns-eliminated";
    }

    stalemate_and_checkmate_lose {
        "k7/8/1Q6/8/8/8/8/7K b - - 0 1": outcome "white-wins stalemate";
        "k6R/8/1K6/8/8/8/8/8 b - - 0 1": outcome "white-wins checkmate";
    }
}

#[test]
fn over_needs_a_side_to_move_without_the_class() {
    let text = |side, reason| format!("4k3/4p3/8/8/8/8/8/4K3 {side} - - 0 1 over={reason}");
    assert!(refused(V, &text("b", "pawns-eliminated")));
    assert!(refused(V, &text("w", "kings-eliminated")));
    let won = text("w", "pawns-eliminated");
    ends(V, &won, "", "black-wins pawns-eliminated");
}
