//! Linkage Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::{can, positions};

const V: &str = "linkage";

positions! {
    V:
    example_of_the_page_is_linkage_mate {
        "start" after "g2g3 d7d5 c2c3 e7e6": outcome "black-wins linkage-mate";
    }

    either_threat_of_the_example_alone_can_be_met {
        "start" after "g2g3 d7d5 h2h3 e7e6": outcome "ongoing", illegal "a2a3", legal "g3g4 f2f3";
        // The queen would enter the row by taking the pawn.
        "start" after "g2g3 d7d5 h2h3 e7e6": illegal "h3h4";
    }

    row_of_four_through_a_step_to_its_end_has_to_be_prevented {
        // Danger.
        "3r3k/8/8/8/8/8/P7/KBN5 w - - 0 1": illegal "a2a3", legal "c1d3";
        // No danger.
        "4r2k/8/8/8/8/8/P7/KBN5 w - - 0 1": legal "a2a3";
    }

    row_along_a_file_counts_too {
        "7k/8/8/8/7r/N7/B6P/K7 w - - 0 1": illegal "h2h3";
        "7k/8/8/7r/8/N7/B6P/K7 w - - 0 1": legal "h2h3";
    }
}

#[test]
fn other_two_units_of_a_row_may_be_of_either_color() {
    for two in ["BN", "Bn", "nB", "bn"] {
        let fen = format!("3r3k/8/8/8/8/8/P7/K{two}5 w - - 0 1");
        assert!(!can(V, &fen, "a2a3"), "{two}");
    }
}

positions! {
    V:
    row_that_merely_stands_is_no_danger {
        // The rook is in the row; nobody can enter it.
        "7k/8/8/8/8/8/P7/KBNr4 w - - 0 1": legal "a2a3";
    }

    unit_that_steps_within_a_row_leaves_a_gap {
        "7k/8/8/8/8/8/P7/KB1r4 w - - 0 1": legal "a2a3";
    }

    step_between_two_ends_makes_five {
        // With the black king on e1 the row would go from a1 to e1.
        "8/8/8/8/8/8/7P/nBKN1k2 w - - 0 1": legal "h2h3";
        "8/8/8/8/8/8/7P/1BKN1k2 w - - 0 1": illegal "h2h3";
    }

    pinned_unit_completes_a_row_too {
        "R2r3k/8/8/8/8/8/P7/KBN5 w - - 0 1": illegal "a2a3";
    }

    castling_may_lead_out_of_linkage_danger {
        // The rook threatens to complete e1-f2-g3-h4.
        "4k2r/8/8/8/8/6P1/5P2/R3K3 w Q - 0 1": illegal "a1a2", legal "e1c1";
    }

    checkmate_comes_before_linkage_mate {
        // The rook on d8 could complete g1-f2-e3-d4.
        "3r3k/8/8/8/8/4P3/5PPP/r5K1 w - - 0 1": outcome "black-wins checkmate";
    }

    row_of_five_does_not_count {
        "3r3k/8/8/8/8/8/P7/KBN1R3 w - - 0 1": legal "a2a3";
    }

    row_of_three_does_not_count {
        "2r4k/8/8/8/8/8/P7/KB6 w - - 0 1": legal "a2a3";
    }

    unit_beyond_the_end_may_be_the_one_that_steps {
        "7k/8/8/8/8/8/P7/KBN1r3 w - - 0 1": illegal "a2a3";
    }

    enemy_king_completes_a_row_too {
        "8/8/8/8/8/8/P2k4/KBN5 w - - 0 1": illegal "a2a3";
    }

    pawn_completes_a_row_by_its_push_not_by_an_empty_capture {
        "7k/8/8/8/8/8/P2p4/KBN5 w - - 0 1": illegal "a2a3";
        "7k/8/8/8/8/8/P3p3/KBN5 w - - 0 1": legal "a2a3";
    }

    white_pawn_completes_a_row_on_its_last_rank {
        "kbn5/p2P4/8/8/8/8/8/7K b - - 0 1": illegal "a7a6";
        "kbn5/p3P3/8/8/8/8/8/7K b - - 0 1": legal "a7a6";
    }
}

#[test]
fn pawn_completes_a_row_by_its_double_step() {
    let fen = |rank: &str| format!("k7/{rank}/8/KBN5/8/8/P7/8 w - - 0 1");
    assert!(!can(V, &fen("3p4"), "a2a3"));
    assert!(can(V, &fen("8"), "a2a3"));
    let blocked = "k7/3p4/3P4/KBN5/8/8/P7/8 w - - 0 1";
    assert!(can(V, blocked, "a2a3"));
}

positions! {
    V:
    row_that_stands_is_entered_by_a_capture {
        "3r3k/8/8/8/8/8/P7/KBNN4 w - - 0 1": illegal "a2a3";
        "4r2k/8/8/8/8/8/P7/KBNN4 w - - 0 1": legal "a2a3";
        // An enemy unit may be in it already.
        "3r3k/8/8/8/8/8/P7/KnNB4 w - - 0 1": illegal "a2a3";
    }

    en_passant_capture_completes_a_row {
        "k7/8/8/8/3p4/5NPK/4P3/8 w - - 0 1": illegal "e2e4";
        "k7/8/8/8/2p5/5NPK/4P3/8 w - - 0 1": legal "e2e4";
    }

    units_of_the_kings_own_side_complete_nothing {
        "6k1/8/8/8/8/8/P7/KBN4R w - - 0 1": legal "h1d1";
    }

    hole_ends_a_row {
        "3r3k/8/8/8/8/8/P7/KB*5 w - - 0 1": legal "a2a3";
        // Four squares between edge and hole.
        "3r3k/8/8/8/8/8/P7/KBN1*3 w - - 0 1": illegal "a2a3";
    }

    castling_conditions_ask_for_attacks_only {
        // With the king on f1 the rook would complete f1-e2-d3-c4.
        "k1r5/8/8/8/8/3N4/4P3/4K2R w K - 0 1": illegal "e1f1", legal "e1g1";
    }

    attacked_king_without_turn_is_checkmate {
        "7k/8/8/8/8/8/5PPP/r5K1 w - - 0 1": outcome "black-wins checkmate";
    }

    stalemate_is_a_draw {
        "7k/5Q2/8/8/8/8/8/K7 b - - 0 1": outcome "draw stalemate";
    }

    mover_linkage_attacked_is_refused {
        "3r3k/8/8/8/8/8/P7/KBN5 b - - 0 1": refused;
    }
}
