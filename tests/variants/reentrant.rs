//! Reentrant Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::{after, legal_from, positions, refused, why_refused};

const V: &str = "reentrant";

positions! {
    V:
    start_has_king_and_queen_in_different_halves_and_no_bishops {
        "start": fen "rnq2knr/pppppppp/8/8/8/8/PPPPPPPP/RNQ2KNR w - - 0 1";
    }

    castling_does_not_exist {
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1": legal "e1f1", illegal "e1g1";
    }

    nobody_steps_into_the_other_half {
        "4k3/q7/8/8/8/8/Q7/3rK3 w - - 0 1": turns "a2a3 a2b2 a2b3 e1e2 e1f1 e1f2";
    }
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

positions! {
    V:
    pawn_goes_one_square_any_straight_way {
        "4k3/8/8/8/8/2P5/8/4K3 w - - 0 1": goes "c3" "b3 c2 c4 d3";
        "4k3/8/8/8/8/3P4/8/4K3 w - - 0 1": goes "d3" "c3 d2 d4";
    }

    pawn_captures_diagonally_any_way_not_straight {
        "4k3/8/8/8/2pp4/2P5/1p6/4K3 w - - 0 1": goes "c3" "b2 b3 c2 d3 d4";
        "4k3/8/8/8/4p3/3P4/8/4K3 w - - 0 1": illegal "d3e4";
    }

    pawn_attacks_backwards_too {
        // F1 attacks e2.
        "4k3/8/8/8/8/8/8/4Kp2 w - - 0 1": illegal "e1e2", legal "e1f1";
    }

    pawn_and_queen_attack_nothing_in_the_other_half {
        "7k/8/8/8/8/3p4/8/5K2 w - - 0 1": legal "f1e2";
        "7k/8/8/3q4/5K2/8/8/8 w - - 0 1": legal "f4e4";
    }

    pawn_stays_a_pawn_on_the_last_rank_and_has_no_double_step {
        "4k3/P7/8/8/8/8/1P6/4K3 w - - 0 1": legal "a7a8", illegal "b2b4";
    }

    captured_unit_may_be_dropped_in_the_other_half {
        "4k3/8/8/8/3p4/2P5/8/4K3 w - - 5 1" after "c3d4":
            fen "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1 hand=-/P/-/-";
        "4k3/8/8/5r2/5R2/8/8/4K3 b - - 5 1 hand=-/-/N/-" after "f5f4":
            fen "4k3/8/8/8/5r2/8/8/4K3 w - - 0 2 hand=-/-/RN/-";
    }

    captured_knight_goes_to_the_hand_too {
        "4k3/8/8/8/3n4/2P5/8/4K3 w - - 5 1" after "c3d4":
            fen "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1 hand=-/N/-/-";
    }

    hand_holds_several_units_of_a_kind {
        "4k3/8/8/8/3p4/2P5/8/4K3 w - - 5 1 hand=-/P/-/-" after "c3d4":
            fen "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1 hand=-/PP/-/-";
        "4k3/8/8/8/8/8/8/4K3 w - - 3 1 hand=-/PP/-/-" after "P@h8":
            fen "4k2P/8/8/8/8/8/8/4K3 b - - 4 1 hand=-/P/-/-";
    }

    unit_pinned_to_the_queen_stays_in_line {
        "r3k3/8/8/8/8/8/N7/Q3K3 w - - 0 1": goes "a2" "";
    }

    second_queen_and_mover_with_attacked_monarch_are_refused {
        "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1": refused;
        "r3k3/8/8/8/8/8/8/Q3K3 b - - 0 1": refused;
        "4k2r/8/8/8/8/8/8/Q6K b - - 0 1": refused;
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1": accepted;
    }
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

positions! {
    V:
    hand_of_the_opponent_is_not_used {
        "4k3/8/8/8/8/8/8/4K3 b - - 0 1 hand=-/P/-/-": goes "P@" "";
    }

    drop_may_meet_an_attack_and_must {
        "4k3/8/8/8/8/8/8/4K2r w - - 0 1 hand=-/R/-/-": turns "R@f1 R@g1 e1e2 e1f2";
    }

    attacked_queen_without_turn_is_mate {
        "rr2k3/8/8/8/8/8/8/Q3K3 w - - 0 1": outcome "black-wins checkmate";
        "rr2k3/8/8/8/8/8/8/Q3K3 w - - 0 1 hand=P/-/-/-": outcome "ongoing";
    }

    stalemate_is_a_draw {
        "4k1r1/8/8/8/8/5n2/8/7K w - - 0 1": outcome "draw stalemate";
    }
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
