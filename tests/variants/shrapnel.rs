//! Shrapnel Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::{HOME, shared_clauses};
use crate::hand::positions;

const V: &str = "shrapnel";

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
    diagonal_capture_removes_the_nearest_along_rank_and_file {
        "3n4/8/8/r2p2P1/8/1B6/3K4/7k w - - 0 1" after "b3d5": fen "8/8/8/3B4/8/8/8/7k b - - 0 1";
    }

    only_the_nearest_units_are_removed {
        "3n4/3n4/8/r1rp1PP1/8/1B1K4/3N4/7k w - - 0 1" after "b3d5":
            fen "3n4/8/8/r2B2P1/8/8/3N4/7k b - - 0 1";
    }

    capture_along_rank_or_file_removes_the_nearest_diagonally {
        // Next to d5 on its diagonals stand a8, g8, b3, f3; d8 and a5 (or d1) stand across.
        // File.
        "r2n2b1/8/8/r2p4/8/1N3N2/8/3R3k w - - 0 1" after "d1d5":
            fen "3n4/8/8/r2R4/8/8/8/7k b - - 0 1";
        // Rank.
        "r2n2b1/8/8/R2p4/8/1N3N2/8/3b3k w - - 0 1" after "a5d5":
            fen "3n4/8/8/3R4/8/8/8/3b3k b - - 0 1";
    }

    king_and_pawn_burst_by_the_way_they_went {
        // Straight.
        "k7/8/8/8/3p4/2nK1n2/8/8 w - - 0 1" after "d3d4": fen "k7/8/8/8/3K4/5n2/8/8 b - - 0 1";
        // Diagonal.
        "k7/8/8/8/n2pn3/2K5/3n4/8 w - - 0 1" after "c3d4": fen "k7/8/8/8/3K4/8/8/8 b - - 0 1";
        // Pawn.
        "k7/8/8/8/n2pn3/2P5/3n4/8 w - - 0 1" after "c3d4": fen "k7/8/8/8/3P4/8/8/8 b - - 0 1";
    }

    queen_bursts_by_the_way_she_went {
        // Straight.
        "k7/8/8/8/3p4/2n2n2/8/3Q4 w - - 0 1" after "d1d4": fen "k7/8/8/8/3Q4/5n2/8/8 b - - 0 1";
        // Diagonal.
        "k7/8/8/8/n2pn3/8/3n4/Q7 w - - 0 1" after "a1d4": fen "k7/8/8/8/3Q4/8/8/8 b - - 0 1";
    }

    knight_capture_and_quiet_step_remove_nothing_more {
        // Knight.
        "k7/8/8/8/n2pn3/1N6/3n4/8 w - - 0 1" after "b3d4": fen "k7/8/8/8/n2Nn3/8/3n4/8 b - - 0 1";
        // Quiet.
        "k7/8/8/8/n3n3/2K5/3n4/8 w - - 0 1" after "c3d4": fen "k7/8/8/8/n2Kn3/8/3n4/8 b - - 1 1";
    }

    own_units_are_removed_too {
        "k7/8/8/8/3p4/8/8/B2R2b1 w - - 0 1" after "d1d4": fen "k7/8/8/8/3R4/8/8/8 b - - 0 1";
    }

    en_passant_bursts_after_both_pawns_have_gone {
        // e5xd6: d5 and e5 are empty then, so below d6 the next unit is d2.
        "3n3k/8/1n6/3pP3/8/8/3N4/7K w - d6 0 1" after "e5d6": fen "7k/8/3P4/8/8/8/8/7K b - - 0 1";
    }

    pawn_promoting_to_a_knight_bursts_as_a_pawn {
        "n2n3k/2P5/8/8/3b4/8/8/7K w - - 0 1" after "c7d8n": fen "3N4/8/8/8/8/8/8/7K b - - 0 1";
    }

    hole_stops_shrapnel {
        "3n3k/3*4/8/3p4/8/1B6/8/7K w - - 0 1" after "b3d5":
            fen "3n3k/3*4/8/3B4/8/8/8/7K b - - 0 1";
    }

    removing_the_last_enemy_units_wins {
        "8/8/8/k2p4/8/1B6/8/8 w - - 0 1" after "b3d5": outcome "white-wins annihilated";
        // Far.
        "8/8/k7/3p4/8/1B6/8/8 w - - 0 1" after "b3d5": outcome "ongoing";
    }

    side_to_move_without_units_loses_first {
        "8/8/8/8/8/8/8/8 w - - 0 1": outcome "black-wins annihilated";
        "8/8/8/8/8/8/8/8 b - - 0 1": outcome "white-wins annihilated";
    }

    mover_without_units_has_lost {
        "8/8/8/8/8/8/8/K7 w - - 0 1": outcome "white-wins annihilated";
    }

    no_turn_is_a_draw {
        "k/p/P/K w - - 0 1": outcome "draw stalemate";
    }
}
