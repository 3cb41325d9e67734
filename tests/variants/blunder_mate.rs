//! Blunder-Mate Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::shared_clauses;
use crate::hand::positions;

const V: &str = "blunder-mate";

shared_clauses! {
    V:
    double_step_may_be_taken_in_passing("4k3", "4K3"),
    each_side_has_exactly_one_king,
    mover_with_attacked_king_is_refused,
}

positions! {
    V:
    blunder_mate_after_any_other_turn_than_the_blunder {
        "start" after "f2f4 e7e6 e2e3":
            fen_ends_with " blunder=1", outcome "black-wins blunder-mate", turns "";
        "start" after "e2e3 e7e5 d1h5 b8c6": outcome "white-wins blunder-mate";
    }

    the_blunder_itself_is_answered_by_checkmate_only {
        "start" after "f2f4 e7e6 g2g4": outcome "ongoing";
        "start" after "f2f4 e7e6 g2g4 d8h4": outcome "black-wins checkmate";
        "start" after "e2e3 e7e5 d1h5 e8e7 h5e5": outcome "white-wins checkmate";
    }

    checkmated_side_cannot_blunder_mate {
        // Mated.
        "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1 blunder=1": outcome "white-wins checkmate";
    }

    stalemated_side_can_blunder_mate {
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1": outcome "draw stalemate";
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1 blunder=1": outcome "black-wins blunder-mate";
    }

    promotions_of_one_pawn_are_different_turns {
        // Only the capture on a8 opens the file for b8b1; each of its four promotions does.
        "nr6/1P6/8/4k3/8/8/6PP/7K w - - 0 1" after "b7a8q": outcome "black-wins blunder-mate";
        // Quiet.
        "1r6/1P6/8/4k3/8/8/6PP/7K w - - 0 1" after "h2h3": outcome "ongoing";
    }

    blunder_flag_knows_one_value {
        "7k/8/8/8/8/8/8/K7 w - - 0 1 blunder=0": refused;
        "7k/8/8/8/8/8/8/K7 w - - 0 1 blunder=1": accepted;
    }

    illegal_turn_is_no_blunder {
        // With g2 empty Black could mate, but the pawn is pinned.
        "k7/1b6/8/2b5/8/8/6PP/7K w - - 0 1" after "h2h3": outcome "ongoing";
    }

    mate_that_is_an_illegal_turn_was_not_allowed {
        // The rook e7, which would mate on e1, is pinned.
        "3k4/4r3/8/8/7B/6P1/5PPP/6K1 w - - 0 1" after "g3g4": outcome "ongoing";
        // Free.
        "2k5/4r3/8/8/7B/6P1/5PPP/6K1 w - - 0 1" after "h4e7": outcome "black-wins blunder-mate";
    }
}
