//! Series Helpmate Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::positions;

const V: &str = "series-helpmate";

positions! {
    V:
    being_mateable_in_one_wins {
        "start" after "f2f3 e7e5": outcome "ongoing";
        "start" after "f2f3 e7e5 g2g4": outcome "white-wins series-mate";
    }

    mate_by_the_only_turn_is_enough {
        // White, in check, has h5g6 alone: no second turn is needed, none could be prepared.
        "R4b1k/8/5pp1/7K/2B3PR/8/8/8 w - - 0 1": outcome "black-wins series-mate";
    }

    being_mateable_in_two_turns_in_a_row_wins {
        "1r6/8/8/8/8/5k2/8/7K b - - 0 1": outcome "white-wins series-mate";
    }

    first_of_two_turns_in_a_row_gives_no_check {
        // Only a6f1, a check, and then f1d1 would mate.
        "k7/8/q7/8/8/8/6PP/3R1N1K b - - 0 1": outcome "ongoing";
        // Unguarded.
        "k7/8/q7/8/8/8/6PP/5N1K b - - 0 1": outcome "white-wins series-mate";
    }

    en_passant_is_gone_for_the_second_turn_in_a_row {
        // After b8b5 the capture d4e3 would mate by the rook on a4.
        "1r6/8/8/8/r2pP2K/8/7k/8 b - e3 0 1": outcome "ongoing";
        "8/8/8/1r6/r2pP2K/8/7k/8 b - e3 0 1": outcome "white-wins series-mate";
    }

    checkmating_loses {
        "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1": outcome "black-wins gave-checkmate";
        // Stalemate.
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1": outcome "draw stalemate";
    }
}
