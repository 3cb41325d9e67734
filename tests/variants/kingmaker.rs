//! Kingmaker Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::positions;

const V: &str = "kingmaker";

positions! {
    V:
    nobody_has_a_king_at_the_start {
        "start": fen "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1";
    }

    made_kings_do_not_castle {
        "4k3/p7/8/8/8/8/P7/4K2R w K - 0 1": legal "e1f1", illegal "e1g1";
    }

    first_pawn_becomes_a_king_of_the_opponent {
        "8/P7/8/8/8/8/7p/6R1 w - - 0 1": goes "a7" "a8k";
        "8/P7/8/8/8/8/7p/6R1 w - - 0 1" after "a7a8k": fen "k7/8/8/8/8/8/7p/6R1 b - - 0 1";
    }

    new_king_may_come_of_a_capture {
        "1n6/P7/8/8/8/8/7p/6R1 w - - 0 1": goes "a7" "a8k b8k";
    }

    new_king_may_not_be_attacked {
        "7R/P7/8/8/8/8/7p/8 w - - 0 1": goes "a7" "";
        "8/PP6/8/8/8/8/7p/8 w - - 0 1": goes "a7" "";
    }

    new_king_may_not_be_attacked_over_the_square_that_the_pawn_leaves {
        "8/P7/8/8/8/8/7p/R7 w - - 0 1": goes "a7" "";
    }

    pawn_that_makes_a_king_may_not_expose_its_own {
        "8/r2P3K/8/8/8/8/8/8 w - - 0 1": goes "d7" "";
        "8/3P3K/8/8/8/8/r7/8 w - - 0 1": goes "d7" "d8k";
    }

    against_a_king_pawns_promote_as_usual {
        "k7/7P/8/8/8/8/8/8 w - - 0 1": turns "h7h8b h7h8n h7h8q h7h8r";
    }

    side_that_can_only_move_its_king_has_lost {
        "k7/8/8/8/8/8/8/K6R b - - 0 1": outcome "white-wins king-forced", count 0;
        "k7/7p/8/8/8/8/8/K6R b - - 0 1": outcome "ongoing";
    }

    making_a_king_is_no_king_step {
        "k7/8/8/8/8/8/7p/8 b - - 0 1": outcome "ongoing";
    }

    checkmate_comes_before_forced_king {
        "k6R/8/1K6/8/8/8/8/8 b - - 0 1": outcome "white-wins checkmate";
        "k6R/8/8/8/8/8/8/1K6 b - - 0 1": outcome "white-wins king-forced";
    }

    side_without_turn_has_lost {
        "k7/8/1Q6/8/8/8/8/K7 b - - 0 1": outcome "white-wins no-turn";
        "8/8/8/8/8/8/8/R7 b - - 0 1": outcome "white-wins no-turn";
    }

    kings_are_royal {
        "k7/r7/8/8/8/8/R7/K7 b - - 0 1": illegal "a7b7";
        "k7/8/8/8/8/8/8/R7 w - - 0 1": refused;
        "kk6/8/8/8/8/8/8/R7 b - - 0 1": refused;
    }
}
