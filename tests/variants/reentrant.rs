//! Reentrant Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::{after, at, can, legal_from, refused, why_refused};

const V: &str = "reentrant";

#[test]
fn start_has_king_and_queen_in_different_halves_and_no_bishops() {
    let fen = "rnq2knr/pppppppp/8/8/8/8/PPPPPPPP/RNQ2KNR w - - 0 1";
    assert_eq!(after(V, "start", "").fen, fen);
}

#[test]
fn castling_does_not_exist() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert!(can(V, fen, "e1f1"));
    assert!(!can(V, fen, "e1g1"));
}

#[test]
fn nobody_steps_into_the_other_half() {
    let fen = "4k3/q7/8/8/8/8/Q7/3rK3 w - - 0 1";
    assert_eq!(
        at(V, fen).turns,
        ["a2a3", "a2b2", "a2b3", "e1e2", "e1f1", "e1f2"]
    );
}

#[test]
fn rook_and_knight_stay_in_their_half() {
    let fen = "4k3/8/8/8/3R4/8/8/2N1K3 w - - 0 1";
    assert_eq!(legal_from(V, fen, "c1"), ["c1a2", "c1b3", "c1d3"]);
    assert!(
        legal_from(V, fen, "d4")
            .iter()
            .all(|t| t < &"d4e".to_string())
    );
}

#[test]
fn pawn_goes_one_square_any_straight_way() {
    let fen = "4k3/8/8/8/8/2P5/8/4K3 w - - 0 1";
    assert_eq!(legal_from(V, fen, "c3"), ["c3b3", "c3c2", "c3c4", "c3d3"]);
    let fen = "4k3/8/8/8/8/3P4/8/4K3 w - - 0 1";
    assert_eq!(legal_from(V, fen, "d3"), ["d3c3", "d3d2", "d3d4"]);
}

#[test]
fn pawn_captures_diagonally_any_way_not_straight() {
    let fen = "4k3/8/8/8/2pp4/2P5/1p6/4K3 w - - 0 1";
    assert_eq!(
        legal_from(V, fen, "c3"),
        ["c3b2", "c3b3", "c3c2", "c3d3", "c3d4"]
    );
    let fen = "4k3/8/8/8/4p3/3P4/8/4K3 w - - 0 1";
    assert!(!can(V, fen, "d3e4"));
}

#[test]
fn pawn_attacks_backwards_too() {
    let fen = "4k3/8/8/8/8/8/8/4Kp2 w - - 0 1";
    assert!(!can(V, fen, "e1e2"), "f1 attacks e2");
    assert!(can(V, fen, "e1f1"));
}

#[test]
fn pawn_and_queen_attack_nothing_in_the_other_half() {
    assert!(can(V, "7k/8/8/8/8/3p4/8/5K2 w - - 0 1", "f1e2"));
    assert!(can(V, "7k/8/8/3q4/5K2/8/8/8 w - - 0 1", "f4e4"));
}

#[test]
fn pawn_stays_a_pawn_on_the_last_rank_and_has_no_double_step() {
    let fen = "4k3/P7/8/8/8/8/1P6/4K3 w - - 0 1";
    assert!(can(V, fen, "a7a8"));
    assert!(!can(V, fen, "b2b4"));
}

#[test]
fn captured_unit_may_be_dropped_in_the_other_half() {
    let fen = "4k3/8/8/8/3p4/2P5/8/4K3 w - - 5 1";
    let there = "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1 hand=-/P/-/-";
    assert_eq!(after(V, fen, "c3d4").fen, there);
    let fen = "4k3/8/8/5r2/5R2/8/8/4K3 b - - 5 1 hand=-/-/N/-";
    let there = "4k3/8/8/8/5r2/8/8/4K3 w - - 0 2 hand=-/-/RN/-";
    assert_eq!(after(V, fen, "f5f4").fen, there);
}

#[test]
fn captured_knight_goes_to_the_hand_too() {
    let fen = "4k3/8/8/8/3n4/2P5/8/4K3 w - - 5 1";
    let there = "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1 hand=-/N/-/-";
    assert_eq!(after(V, fen, "c3d4").fen, there);
}

#[test]
fn hand_holds_several_units_of_a_kind() {
    let fen = "4k3/8/8/8/3p4/2P5/8/4K3 w - - 5 1 hand=-/P/-/-";
    let there = "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1 hand=-/PP/-/-";
    assert_eq!(after(V, fen, "c3d4").fen, there);
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 3 1 hand=-/PP/-/-";
    let there = "4k2P/8/8/8/8/8/8/4K3 b - - 4 1 hand=-/P/-/-";
    assert_eq!(after(V, fen, "P@h8").fen, there);
}

#[test]
fn unit_pinned_to_the_queen_stays_in_line() {
    let fen = "r3k3/8/8/8/8/8/N7/Q3K3 w - - 0 1";
    assert_eq!(legal_from(V, fen, "a2").len(), 0);
}

#[test]
fn second_queen_and_mover_with_attacked_monarch_are_refused() {
    assert!(refused(V, "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1"));
    assert!(refused(V, "r3k3/8/8/8/8/8/8/Q3K3 b - - 0 1"));
    assert!(refused(V, "4k2r/8/8/8/8/8/8/Q6K b - - 0 1"));
    assert!(!refused(V, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
}

#[test]
fn drop_goes_to_any_vacant_square_of_its_half() {
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 3 1 hand=-/P/-/-";
    let drops = legal_from(V, fen, "P@");
    assert_eq!(drops.len(), 30);
    assert!(drops.contains(&"P@h8".to_string()));
    assert!(!drops.contains(&"P@d4".to_string()));
    let there = "4k2P/8/8/8/8/8/8/4K3 b - - 4 1";
    assert_eq!(after(V, fen, "P@h8").fen, there);
}

#[test]
fn second_player_drops_from_the_second_pair_of_hands() {
    let fen = "4k3/8/8/8/8/8/8/4K3 b - - 0 1 hand=-/-/P/-";
    let drops = legal_from(V, fen, "P@");
    assert_eq!(drops.len(), 32);
    assert!(drops.contains(&"P@d1".to_string()));
    assert!(!drops.contains(&"P@e5".to_string()));
}

#[test]
fn hand_of_the_opponent_is_not_used() {
    let fen = "4k3/8/8/8/8/8/8/4K3 b - - 0 1 hand=-/P/-/-";
    assert_eq!(legal_from(V, fen, "P@").len(), 0);
}

#[test]
fn drop_may_meet_an_attack_and_must() {
    let fen = "4k3/8/8/8/8/8/8/4K2r w - - 0 1 hand=-/R/-/-";
    assert_eq!(at(V, fen).turns, ["R@f1", "R@g1", "e1e2", "e1f2"]);
}

#[test]
fn attacked_queen_without_turn_is_mate() {
    let fen = "rr2k3/8/8/8/8/8/8/Q3K3 w - - 0 1";
    assert_eq!(at(V, fen).outcome, "black-wins checkmate");
    let fen = "rr2k3/8/8/8/8/8/8/Q3K3 w - - 0 1 hand=P/-/-/-";
    assert_eq!(at(V, fen).outcome, "ongoing");
}

#[test]
fn stalemate_is_a_draw() {
    let fen = "4k1r1/8/8/8/8/5n2/8/7K w - - 0 1";
    assert_eq!(at(V, fen).outcome, "draw stalemate");
}

#[test]
fn odd_number_of_files_is_refused() {
    let why = why_refused(V, "4k2/7/7/7/7/7/7/4K2 w - - 0 1");
    assert!(why.contains("7 files"), "{why}");
}

#[test]
fn hands_are_written_in_one_way() {
    let fen = |hand: &str| format!("4k3/8/8/8/8/8/8/4K3 w - - 0 1 hand={hand}");
    assert!(refused(V, &fen("PN/-/-/-")));
    assert!(refused(V, &fen("-/-/-")));
    assert!(refused(V, &fen("//-/-")));
    assert!(refused(V, &fen("Q/-/-/-")));
    assert!(refused(V, &fen(&format!("{}/-/-/-", "R".repeat(32)))));
    assert!(!refused(V, &fen(&format!("{}/-/-/-", "P".repeat(63)))));
    assert!(!refused(V, &fen("-/-/-/-")));
}
