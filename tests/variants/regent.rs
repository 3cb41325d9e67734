//! Regent Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::positions;

const V: &str = "regent";

positions! {
    V:
    attacked_along_a_file_the_queen_keeps_her_diagonals {
        "1q2r2k/8/8/8/8/8/8/4Q2K w - - 0 1": turns "e1a5 e1c3 e1d2 e1f2 e1h4";
    }

    attacked_along_a_diagonal_the_queen_keeps_rank_and_file {
        "1q5k/8/8/8/7b/8/8/4Q2K w - - 0 1": turns "e1a1 e1c1 e1d1 e1e2 e1e3 e1e4 e1e6 e1f1 e1g1";
    }

    attacks_by_pawn_and_neighboring_king_count_as_what_they_are {
        "1q5k/8/8/8/8/8/3p4/4Q2K w - - 0 1": illegal "e1d2", legal "e1e2";
        "1q6/8/8/8/8/8/4k3/4Q3 w - - 0 1": illegal "e1e2", legal "e1h4";
    }

    attacked_by_a_knight_the_queen_stays {
        "1q5k/8/8/8/8/5n2/6P1/4Q2K w - - 0 1": turns "g2f3";
    }

    attacked_both_ways_the_queen_stays {
        // By the rook along the file, by the bishop along the diagonal.
        "1q2r2k/8/8/8/7b/8/8/4Q2K w - - 0 1": outcome "black-wins checkmate";
    }

    no_castling_and_one_queen_of_each_side {
        "1q5k/8/8/8/8/8/Q7/4K2R w K - 0 1": legal "e1f1", illegal "e1g1";
        "1q5k/8/8/8/8/8/8/4QQ1K w - - 0 1": refused;
        "1q5k/8/8/8/8/8/8/7K w - - 0 1": refused;
    }

    queens_may_not_face_each_other {
        "q6k/8/8/8/N7/8/8/Q6K w - - 0 1": goes "a4" "";
        "q6k/8/8/8/8/8/8/Q6K w - - 0 1": refused;
    }

    king_may_be_taken_and_left_attacked {
        "1q5k/8/8/8/8/8/6R1/4Q2K b - - 0 1": legal "h8g8";
        "1q5k/7R/8/8/8/8/8/4Q2K w - - 0 1": legal "h7h8";
    }

    pawn_promotes_to_king_rook_bishop_knight {
        "6qk/P7/8/8/8/8/8/4Q2K w - - 0 1": goes "a7" "a8b a8k a8n a8r";
    }

    attacked_queen_without_turn_is_mate {
        "1q5k/8/8/8/8/5n2/8/4Q2K w - - 0 1": outcome "black-wins checkmate";
    }

    stalemate_is_a_draw {
        "2q/Q2 w - - 0 1": outcome "draw stalemate";
    }
}
