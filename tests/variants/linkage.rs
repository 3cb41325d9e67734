//! Linkage Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::{after, at, can, refused};

const V: &str = "linkage";

#[test]
fn example_of_the_page_is_linkage_mate() {
    let fen = after(V, "start", "g2g3 d7d5 c2c3 e7e6").fen;
    assert_eq!(at(V, &fen).outcome, "black-wins linkage-mate");
}

#[test]
fn either_threat_of_the_example_alone_can_be_met() {
    let fen = after(V, "start", "g2g3 d7d5 h2h3 e7e6").fen;
    assert_eq!(at(V, &fen).outcome, "ongoing");
    assert!(!can(V, &fen, "a2a3"));
    assert!(can(V, &fen, "g3g4"));
    assert!(can(V, &fen, "f2f3"));
    // The queen would enter the row by taking the pawn.
    assert!(!can(V, &fen, "h3h4"));
}

#[test]
fn row_of_four_through_a_step_to_its_end_has_to_be_prevented() {
    let danger = "3r3k/8/8/8/8/8/P7/KBN5 w - - 0 1";
    assert!(!can(V, danger, "a2a3"));
    assert!(can(V, danger, "c1d3"));
    let no_danger = "4r2k/8/8/8/8/8/P7/KBN5 w - - 0 1";
    assert!(can(V, no_danger, "a2a3"));
}

#[test]
fn row_along_a_file_counts_too() {
    assert!(!can(V, "7k/8/8/8/7r/N7/B6P/K7 w - - 0 1", "h2h3"));
    assert!(can(V, "7k/8/8/7r/8/N7/B6P/K7 w - - 0 1", "h2h3"));
}

#[test]
fn other_two_units_of_a_row_may_be_of_either_color() {
    for two in ["BN", "Bn", "nB", "bn"] {
        let fen = format!("3r3k/8/8/8/8/8/P7/K{two}5 w - - 0 1");
        assert!(!can(V, &fen, "a2a3"), "{two}");
    }
}

#[test]
fn row_that_merely_stands_is_no_danger() {
    // The rook is in the row; nobody can enter it.
    assert!(can(V, "7k/8/8/8/8/8/P7/KBNr4 w - - 0 1", "a2a3"));
}

#[test]
fn unit_that_steps_within_a_row_leaves_a_gap() {
    assert!(can(V, "7k/8/8/8/8/8/P7/KB1r4 w - - 0 1", "a2a3"));
}

#[test]
fn step_between_two_ends_makes_five() {
    // With the black king on e1 the row would go from a1 to e1.
    assert!(can(V, "8/8/8/8/8/8/7P/nBKN1k2 w - - 0 1", "h2h3"));
    assert!(!can(V, "8/8/8/8/8/8/7P/1BKN1k2 w - - 0 1", "h2h3"));
}

#[test]
fn pinned_unit_completes_a_row_too() {
    assert!(!can(V, "R2r3k/8/8/8/8/8/P7/KBN5 w - - 0 1", "a2a3"));
}

#[test]
fn castling_may_lead_out_of_linkage_danger() {
    // The rook threatens to complete e1-f2-g3-h4.
    let fen = "4k2r/8/8/8/8/6P1/5P2/R3K3 w Q - 0 1";
    assert!(!can(V, fen, "a1a2"));
    assert!(can(V, fen, "e1c1"));
}

#[test]
fn checkmate_comes_before_linkage_mate() {
    // The rook on d8 could complete g1-f2-e3-d4.
    let fen = "3r3k/8/8/8/8/4P3/5PPP/r5K1 w - - 0 1";
    assert_eq!(at(V, fen).outcome, "black-wins checkmate");
}

#[test]
fn row_of_five_does_not_count() {
    assert!(can(V, "3r3k/8/8/8/8/8/P7/KBN1R3 w - - 0 1", "a2a3"));
}

#[test]
fn row_of_three_does_not_count() {
    assert!(can(V, "2r4k/8/8/8/8/8/P7/KB6 w - - 0 1", "a2a3"));
}

#[test]
fn unit_beyond_the_end_may_be_the_one_that_steps() {
    assert!(!can(V, "7k/8/8/8/8/8/P7/KBN1r3 w - - 0 1", "a2a3"));
}

#[test]
fn enemy_king_completes_a_row_too() {
    assert!(!can(V, "8/8/8/8/8/8/P2k4/KBN5 w - - 0 1", "a2a3"));
}

#[test]
fn pawn_completes_a_row_by_its_push_not_by_an_empty_capture() {
    assert!(!can(V, "7k/8/8/8/8/8/P2p4/KBN5 w - - 0 1", "a2a3"));
    assert!(can(V, "7k/8/8/8/8/8/P3p3/KBN5 w - - 0 1", "a2a3"));
}

#[test]
fn white_pawn_completes_a_row_on_its_last_rank() {
    assert!(!can(V, "kbn5/p2P4/8/8/8/8/8/7K b - - 0 1", "a7a6"));
    assert!(can(V, "kbn5/p3P3/8/8/8/8/8/7K b - - 0 1", "a7a6"));
}

#[test]
fn pawn_completes_a_row_by_its_double_step() {
    let fen = |rank: &str| format!("k7/{rank}/8/KBN5/8/8/P7/8 w - - 0 1");
    assert!(!can(V, &fen("3p4"), "a2a3"));
    assert!(can(V, &fen("8"), "a2a3"));
    let blocked = "k7/3p4/3P4/KBN5/8/8/P7/8 w - - 0 1";
    assert!(can(V, blocked, "a2a3"));
}

#[test]
fn row_that_stands_is_entered_by_a_capture() {
    assert!(!can(V, "3r3k/8/8/8/8/8/P7/KBNN4 w - - 0 1", "a2a3"));
    assert!(can(V, "4r2k/8/8/8/8/8/P7/KBNN4 w - - 0 1", "a2a3"));
    // An enemy unit may be in it already.
    assert!(!can(V, "3r3k/8/8/8/8/8/P7/KnNB4 w - - 0 1", "a2a3"));
}

#[test]
fn en_passant_capture_completes_a_row() {
    assert!(!can(V, "k7/8/8/8/3p4/5NPK/4P3/8 w - - 0 1", "e2e4"));
    assert!(can(V, "k7/8/8/8/2p5/5NPK/4P3/8 w - - 0 1", "e2e4"));
}

#[test]
fn units_of_the_kings_own_side_complete_nothing() {
    assert!(can(V, "6k1/8/8/8/8/8/P7/KBN4R w - - 0 1", "h1d1"));
}

#[test]
fn hole_ends_a_row() {
    assert!(can(V, "3r3k/8/8/8/8/8/P7/KB*5 w - - 0 1", "a2a3"));
    // Four squares between edge and hole.
    assert!(!can(V, "3r3k/8/8/8/8/8/P7/KBN1*3 w - - 0 1", "a2a3"));
}

#[test]
fn castling_conditions_ask_for_attacks_only() {
    // With the king on f1 the rook would complete f1-e2-d3-c4.
    let fen = "k1r5/8/8/8/8/3N4/4P3/4K2R w K - 0 1";
    assert!(!can(V, fen, "e1f1"));
    assert!(can(V, fen, "e1g1"));
}

#[test]
fn attacked_king_without_turn_is_checkmate() {
    let fen = "7k/8/8/8/8/8/5PPP/r5K1 w - - 0 1";
    assert_eq!(at(V, fen).outcome, "black-wins checkmate");
}

#[test]
fn stalemate_is_a_draw() {
    let fen = "7k/5Q2/8/8/8/8/8/K7 b - - 0 1";
    assert_eq!(at(V, fen).outcome, "draw stalemate");
}

#[test]
fn mover_linkage_attacked_is_refused() {
    assert!(refused(V, "3r3k/8/8/8/8/8/P7/KBN5 b - - 0 1"));
}
