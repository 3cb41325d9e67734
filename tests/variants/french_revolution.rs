//! French Revolution Chess, checked by hand: for each clause a test that fails without it.

use crate::hand::{after, at, can, ends, positions, refused};

const V: &str = "french-revolution";

/// French Revolution Chess with these options.
fn fr(options: &str) -> String {
    format!("{V}:{options}")
}

/// Returns the second steps that may follow a first one.
fn seconds(variant: &str, text: &str, first: &str) -> Vec<String> {
    let turns = at(variant, text).turns;
    let rest = turns.iter().filter_map(|t| t.strip_prefix(first));
    rest.filter_map(|t| t.strip_prefix('+'))
        .map(str::to_string)
        .collect()
}

// The start.

positions! {
    V:
    white_begins_with_a_pawn_step_alone {
        "start":
            fen "rnbqkbnr/8/8/PPPPPPPP/pppppppp/8/8/RNBQKBNR w KQkq - 0 1 first=1",
            turns "a5a6 b5b6 c5c6 d5d6 e5e6 f5f6 g5g6 h5h6";
    }

    black_answers_with_two_steps_and_first_is_over {
        "start" after "a5a6":
            fen "rnbqkbnr/8/P7/1PPPPPPP/pppppppp/8/8/RNBQKBNR b KQkq - 0 1", legal "b8c6+a4a3",
            illegal "a4a3 b8c6";
        "start" after "a5a6 a8a6+b4b3":
            fen "1nbqkbnr/8/r7/1PPPPPPP/p1pppppp/1p6/8/RNBQKBNR w KQk - 0 2", legal "b1c3+h5h6",
            illegal "h5h6";
    }

    ten_rows_add_two_vacant_ranks {
        "start" in "french-revolution:ten-rows":
            fen "rnbqkbnr/8/8/8/PPPPPPPP/pppppppp/8/8/8/RNBQKBNR w KQkq - 0 1 first=1",
            turns "a6a7 b6b7 c6c7 d6d7 e6e7 f6f7 g6g7 h6h7";
    }

    avalanche_begins_with_a_push_of_a_black_pawn {
        "start" in "french-revolution:avalanche": turns "a4a3 b4b3 c4c3 d4d3 e4e3 f4f3 g4g3 h4h3";
        "start" in "french-revolution:avalanche" after "a4a3":
            fen "rnbqkbnr/8/8/PPPPPPPP/1ppppppp/p7/8/RNBQKBNR b KQkq - 0 1", legal "b8c6+a5a6",
            illegal "b8c6+b4b3";
    }
}

#[test]
fn options_combine() {
    let all = &fr("weak-loss,no-promotion,ten-rows,avalanche");
    assert_eq!(
        at(all, "start").turns.join(" "),
        "a5a4 b5b4 c5c4 d5d4 e5e4 f5f4 g5g4 h5h4"
    );
    // The pawn pushed to its last rank stays a pawn; then Black has none to push.
    let tall = "4k3/8/8/8/8/8/8/8/p7/4K3 w - - 0 1";
    for v in ["no-promotion,ten-rows", "no-promotion,avalanche"] {
        let pushes = v.contains("avalanche");
        let text = if pushes {
            "4k3/8/8/8/8/8/p7/4K3 w - - 0 1"
        } else {
            "4k3/P7/8/8/8/8/8/8/8/4K3 w - - 0 1"
        };
        let second = if pushes { "a2a1" } else { "a9a10" };
        assert_eq!(seconds(&fr(v), text, "e1e2"), [second], "{v}");
    }
    let stayed = after(all, tall, "e1d1+a2a1");
    assert_eq!(stayed.fen, "4k3/8/8/8/8/8/8/8/8/p2K4 b - - 0 1");
    assert_eq!(stayed.outcome, "white-wins-weakly no-turn");
}

#[test]
fn weak_loss_combines_with_each_other_option() {
    let text = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    for other in ["avalanche", "no-promotion", "ten-rows"] {
        ends(&fr(other), text, "", "draw no-turn");
        let weakly = "black-wins-weakly no-turn";
        ends(&fr(&format!("weak-loss,{other}")), text, "", weakly);
    }
}

// The two steps.

positions! {
    V:
    turn_is_a_piece_step_and_then_a_single_pawn_step {
        "4k3/8/8/8/8/8/P7/4K3 w - - 0 1":
            turns "e1d1+a2a3 e1d2+a2a3 e1e2+a2a3 e1f1+a2a3 e1f2+a2a3";
        "4k3/p7/8/8/8/8/8/4K3 b - - 0 1":
            turns "e8d7+a7a6 e8d8+a7a6 e8e7+a7a6 e8f7+a7a6 e8f8+a7a6";
    }
}

#[test]
fn every_piece_makes_first_steps() {
    let text = "6k1/8/8/8/8/8/P7/QRBNK3 w - - 0 1";
    for first in ["a1b2", "b1b8", "c1h6", "d1c3", "e1f1"] {
        assert_eq!(seconds(V, text, first), ["a2a3"], "{first}");
    }
}

positions! {
    V:
    pawn_may_step_to_the_square_just_left {
        "4k3/8/8/8/8/N7/P7/4K3 w - - 0 1": goes "e1d1+" "";
        "4k3/8/8/8/8/N7/P7/4K3 w - - 0 1" after "a3b5+a2a3":
            fen "4k3/8/8/1N6/8/P7/8/4K3 b - - 0 1";
    }

    en_passant_does_not_exist {
        "4k3/8/8/8/Pp6/8/8/4K3 b - a3 0 1":
            fen "4k3/8/8/8/Pp6/8/8/4K3 b - - 0 1", goes "e8e7+" "b4b3";
    }

    castling_is_a_first_step {
        "4k3/8/8/8/8/8/P7/R3K2R w KQ - 0 1" after "e1g1+a2a3":
            fen "4k3/8/8/8/8/P7/8/R4RK1 b - - 0 1";
        "4k3/8/8/8/8/8/P7/R3K2R w KQ - 0 1" after "e1c1+a2a3":
            fen "4k3/8/8/8/8/P7/8/2KR3R b - - 0 1";
    }
}

#[test]
fn castling_has_its_conditions() {
    for (text, short, long) in [
        ("k4r2/8/8/8/8/8/P7/R3K2R w KQ - 0 1", false, true),
        ("k5r1/8/8/8/8/8/P7/R3K2R w KQ - 0 1", false, true),
        ("k3r3/8/8/8/8/8/P7/R3K2R w KQ - 0 1", false, false),
        ("k7/8/8/8/8/8/P7/RN2K2R w KQ - 0 1", true, false),
        ("k7/8/8/8/8/8/P7/R3K2R w Q - 0 1", false, true),
    ] {
        assert_eq!(can(V, text, "e1g1+a2a3"), short, "{text}");
        assert_eq!(can(V, text, "e1c1+a2a3"), long, "{text}");
    }
}

positions! {
    V:
    castling_into_check_is_not_mended_by_the_pawn {
        "4k3/b7/8/8/8/3P4/8/4K2R w K - 0 1": goes "e1g1+" "", goes "e1e2+" "d3d4";
    }

    castling_of_ten_rows_is_on_the_first_and_the_tenth_rank {
        "4k3/8/8/8/8/8/8/8/P7/R3K2R w KQ - 0 1" in "french-revolution:ten-rows":
            legal "e1c1+a2a3";
        "r3k2r/p7/8/8/8/8/8/8/8/4K3 b kq - 0 1" in "french-revolution:ten-rows" after "e10g10+a9a8":
            fen "r4rk1/8/p7/8/8/8/8/8/8/4K3 w - - 0 2";
    }
}

#[test]
fn castling_rights_end_with_king_and_rook() {
    let text = "r3k2r/3p4/8/8/8/8/3P4/R3K2R w KQkq - 0 1";
    for (turn, rights) in [
        ("a1a8+d2d3", " b Kk "),
        ("e1e2+d2d3", " b kq "),
        ("h1g1+d2d3", " b Qkq "),
    ] {
        assert!(after(V, text, turn).fen.contains(rights), "{turn}");
    }
    for (text, rights) in [
        ("4k3/8/8/8/8/8/P7/R2K3R w KQ - 0 1", " w - "),
        ("4k3/8/8/8/8/8/P7/R3K3 w KQ - 0 1", " w Q "),
    ] {
        assert!(at(V, text).fen.contains(rights), "{text}");
    }
}

positions! {
    V:
    clock_starts_anew_with_every_turn {
        "4k3/8/8/8/8/8/P7/4K3 w - - 7 9" after "e1d1+a2a3": fen_ends_with " b - - 0 9";
        // Pushed.
        "4k3/8/8/8/8/8/P7/4K3 b - - 7 9" in "french-revolution:avalanche" after "e8d8+a2a3":
            fen_ends_with " w - - 0 10";
    }

    // Each step is legal by itself.

    check_is_met_by_the_first_step {
        "k7/8/8/8/8/K6r/3P4/6N1 w - - 0 1":
            goes "g1e2+" "", goes "g1f3+" "d2d3", goes "g1h3+" "d2d3", goes "a3a2+" "d2d3";
        // Pushing.
        "k7/8/8/8/3p4/K6r/8/6N1 w - - 0 1" in "french-revolution:avalanche":
            goes "g1e2+" "", goes "a3a2+" "d4d3";
    }

    first_step_may_not_open_a_line_that_the_pawn_would_close {
        "k7/8/8/8/8/K1N4r/3P4/8 w - - 0 1": goes "c3e4+" "", goes "a3a2+" "d2d3";
    }

    pawn_step_may_not_open_a_line_to_the_own_king {
        "k7/8/8/8/3b4/8/1P5P/K6N w - - 0 1": goes "h1g3+" "h2h3", goes "a1a2+" "b2b3 h2h3";
    }

    pawn_step_is_judged_after_the_first_step {
        // Once castled the king stands behind the pawn on f2.
        "4k3/8/8/2b5/8/8/P4P2/4K2R w K - 0 1": goes "e1g1+" "a2a3", goes "e1d1+" "a2a3 f2f3";
    }

    king_does_not_step_into_an_attack {
        "3rk3/8/8/8/8/8/P7/4K3 w - - 0 1": turns "e1e2+a2a3 e1f1+a2a3 e1f2+a2a3";
    }

    king_alone_answers_a_double_check {
        // Knight and pawn together could shut out rook and bishop.
        "k7/b7/8/8/8/3PK2r/8/6N1 w - - 0 1": turns "e3d2+d3d4 e3e2+d3d4 e3e4+d3d4 e3f4+d3d4";
    }
}

// The ranks where pawns are safe.

#[test]
fn pawns_of_either_side_on_fourth_and_fifth_rank_cannot_be_captured() {
    let black = "4k3/7p/r2P4/r2P4/r2P4/r2P4/8/4K3 b - - 0 1";
    let white = "4k3/8/R2p4/R2p4/R2p4/R2p4/7P/4K3 w - - 0 1";
    for (text, pawn) in [(black, "+h7h6"), (white, "+h2h3")] {
        for (rank, safe) in [(3, false), (4, true), (5, true), (6, false)] {
            let turn = format!("a{rank}d{rank}{pawn}");
            assert_eq!(!can(V, text, &turn), safe, "{text} {turn}");
        }
    }
}

#[test]
fn pawns_are_safe_on_the_two_middle_ranks_or_the_one() {
    let ten = "4k3/8/8/R2p4/R2p4/R2p4/R2p4/8/7P/4K3 w - - 0 1";
    let seven = "4k3/8/R2p4/R2p4/R2p4/7P/4K3 w - - 0 1";
    let six = "4k3/R2p4/R2p4/R2p4/7P/4K3 w - - 0 1";
    for (text, ranks) in [
        (ten, &[(4, false), (5, true), (6, true), (7, false)][..]),
        (seven, &[(3, false), (4, true), (5, false)]),
        (six, &[(3, true), (4, true), (5, false)]),
    ] {
        for (rank, safe) in ranks {
            let turn = format!("a{rank}d{rank}+h2h3");
            assert_eq!(!can(V, text, &turn), *safe, "{text} {turn}");
        }
    }
    assert!(!can(&fr("ten-rows"), ten, "a5d5+h2h3"));
}

#[test]
fn no_piece_captures_a_safe_pawn_whatever_the_options() {
    // Queen, bishop and knight all reach d4.
    let text = "6k1/p7/8/8/Q2p4/5N2/P4B2/4K3 w - - 0 1";
    for v in ["avalanche", "no-promotion", "weak-loss"] {
        for first in ["a4d4", "f2d4", "f3d4"] {
            assert!(seconds(&fr(v), text, first).is_empty(), "{v} {first}");
        }
    }
    let free = "4k3/p7/8/Q7/8/3p1N2/P7/1B2K3 w - - 0 1";
    assert_eq!(seconds(V, free, "b1d3"), ["a2a3"]);
}

positions! {
    V:
    safe_pawns_are_pushed_all_the_same {
        "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1" in "french-revolution:avalanche": goes "e1d1+" "d5d4";
        "4k3/8/8/8/3p4/8/8/R3K3 w Q - 0 1" in "french-revolution:avalanche": goes "e1c1+" "d4d3";
    }

    neither_king_nor_pawn_captures_a_safe_pawn {
        // King.
        "4k3/8/8/8/3p4/3K4/7P/8 w - - 0 1": illegal "d3d4+h2h3", legal "d3e4+h2h3";
        // Pawn.
        "4k3/8/8/8/4p3/3P4/8/6K1 w - - 0 1": goes "g1h1+" "d3d4";
    }

    king_and_pawn_capture_pawns_elsewhere {
        // King.
        "4k3/8/8/8/8/3p4/3K3P/8 w - - 0 1": legal "d2d3+h2h3";
        // Pawn.
        "4k3/8/8/8/8/4p3/3P4/6K1 w - - 0 1": goes "g1h1+" "d2d3 d2e3";
    }

    pieces_on_the_middle_ranks_are_captured {
        "4k3/8/8/8/4n3/3P4/8/6K1 w - - 0 1": goes "g1h1+" "d3d4 d3e4";
    }
}

#[test]
fn safe_pawn_gives_a_check_that_no_capture_meets() {
    let text = "4k3/8/8/8/4p2R/3K4/7P/8 w - - 0 1";
    assert!(!can(V, text, "h4e4+h2h3") && can(V, text, "d3d2+h2h3"));
    assert!(at(V, text).turns.iter().all(|t| t.starts_with("d3")));
}

// Promotion.

positions! {
    V:
    pawn_promotes_to_queen_rook_bishop_or_knight {
        "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1":
            goes "e1d1+" "a7a8b a7a8n a7a8q a7a8r a7b8b a7b8n a7b8q a7b8r";
        "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1" after "e1d1+a7b8n":
            fen "1N2k3/8/8/8/8/8/8/3K4 b - - 0 1";
    }

    promoted_unit_is_a_piece_from_the_next_turn_on {
        "4k3/P6p/8/8/8/8/7P/4K3 w - - 0 1" after "e1d1+a7a8n e8d7+h7h6":
            legal "a8b6+h2h3 d1c1+h2h3", illegal "d1c1+a8b6";
    }
}

#[test]
fn pawn_without_promotion_stays_for_good() {
    let v = &fr("no-promotion");
    let seen = after(v, "4k3/P6p/8/8/8/8/7P/4K3 w - - 0 1", "e1d1+a7a8");
    assert_eq!(seen.fen, "P3k3/7p/8/8/8/8/7P/3K4 b - - 0 1");
    let text = "P3k3/8/8/8/8/8/7P/3K4 w - - 0 1";
    assert_eq!(seconds(v, text, "d1c1"), ["h2h3"]);
    ends(v, "P3k3/8/8/8/8/8/8/3K4 w - - 0 1", "", "draw no-turn");
    let seen = at(v, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    assert!(seen.turns.iter().all(|t| t.ends_with("+a7a8")));
}

#[test]
fn without_promotion_pawns_may_stand_on_first_and_last_rank() {
    let v = &fr("no-promotion");
    for pawn in ["P3k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/P3K3"] {
        for unit in ["P", "p"] {
            let text = format!("{} w - - 0 1", pawn.replace('P', unit));
            assert!(!refused(v, &text), "{text}");
            assert!(refused(V, &text), "{text}");
        }
    }
    let first = "4k3/8/8/8/8/8/8/P3K3 w - - 0 1";
    assert_eq!(seconds(v, first, "e1d1"), ["a1a2"]);
}

// Avalanche.

#[test]
fn avalanche_pushes_a_pawn_of_the_opponent() {
    let v = &fr("avalanche");
    let seen = at(v, "4k3/p7/1N6/8/8/8/P7/4K3 w - - 0 1");
    let king = seen.turns.iter().filter(|t| t.starts_with("e1"));
    assert_eq!(
        king.map(String::as_str).collect::<Vec<_>>().join(" "),
        "e1d1+a7a6 e1d2+a7a6 e1e2+a7a6 e1f1+a7a6 e1f2+a7a6"
    );
    let seen = after(v, "4k3/p7/8/8/8/8/P7/4K3 b - - 0 1", "e8d8+a2a3");
    assert_eq!(seen.fen, "3k4/p7/8/8/8/P7/8/4K3 w - - 0 2");
}

positions! {
    V:
    avalanche_pushes_onto_vacant_squares_only {
        "4k3/pp6/Nn6/8/8/8/8/4K3 w - - 0 1" in "french-revolution:avalanche":
            goes "e1d1+" "", goes "a6b4+" "a7a6";
    }

    pusher_chooses_the_promotion_and_keeps_his_king_safe {
        "4k3/8/8/8/8/8/p7/4K3 w - - 0 1" in "french-revolution:avalanche":
            goes "e1e2+" "a2a1b a2a1n a2a1q a2a1r", goes "e1d1+" "a2a1b a2a1n";
        "4k3/8/8/8/8/8/p7/4K3 w - - 0 1" in "french-revolution:avalanche" after "e1e2+a2a1n":
            fen "4k3/8/8/8/8/8/4K3/n7 b - - 0 1";
    }

    push_may_not_open_a_line_to_the_pushers_king {
        "k7/8/6p1/4b3/8/2p5/8/K6N w - - 0 1" in "french-revolution:avalanche":
            goes "h1g3+" "g6g5", goes "a1a2+" "c3c2 g6g5";
    }

    push_may_give_check {
        "4k3/8/2p5/8/B7/8/8/4K3 w - - 0 1" in "french-revolution:avalanche": legal "e1d1+c6c5";
    }

    avalanche_needs_a_pawn_of_the_opponent {
        "4k3/8/8/8/8/8/P7/4K3 w - - 0 1" in "french-revolution:avalanche": outcome "draw no-turn";
    }

    // Outcomes.

    check_without_a_legal_first_step_is_checkmate {
        // The pawn could shut out the rook, but only as a second step.
        "8/7K/3p4/R6k/R7/8/8/8 b - - 0 1": outcome "white-wins checkmate";
        "8/7K/3p4/R6k/R7/8/8/8 b - - 0 1" in "french-revolution:weak-loss":
            outcome "white-wins checkmate";
    }

    check_with_only_the_pawn_step_missing_is_no_turn {
        "4k3/8/8/8/8/8/8/r3K3 w - - 0 1": outcome "draw no-turn";
        "4k3/8/8/8/8/8/8/r3K3 w - - 0 1" in "french-revolution:weak-loss":
            outcome "black-wins-weakly no-turn";
    }

    no_first_step_without_check_is_no_turn {
        "k7/8/1Q6/8/8/8/7p/4K3 b - - 0 1": outcome "draw no-turn";
        "k7/8/1Q6/8/8/8/7p/4K3 b - - 0 1" in "french-revolution:weak-loss":
            outcome "white-wins-weakly no-turn";
    }

    pawns_that_cannot_go_are_no_turn {
        "4k3/8/8/p7/P7/8/8/4K3 w - - 0 1": outcome "draw no-turn";
        "4k3/8/8/p7/P7/8/8/4K3 w - - 0 1" in "french-revolution:weak-loss":
            outcome "black-wins-weakly no-turn";
    }

    first_pawn_step_is_the_first_step {
        // The king could leave, but it is not yet his turn to step.
        "4k3/8/8/8/8/8/7P/r3K3 w - - 0 1 first=1": outcome "black-wins checkmate";
        "4k3/8/8/8/8/8/7P/r3K3 w - - 0 1 first=1" in "french-revolution:weak-loss":
            outcome "black-wins checkmate";
        // Pushing.
        "4k3/7p/8/8/8/8/8/r3K3 w - - 0 1 first=1" in "french-revolution:avalanche":
            outcome "black-wins checkmate";
        "4k3/8/8/8/8/K6r/3P3P/8 w - - 0 1 first=1": turns "d2d3";
        // Quiet.
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 first=1": outcome "draw no-turn";
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 first=1" in "french-revolution:weak-loss":
            outcome "black-wins-weakly no-turn";
    }
}

// What a FEN must satisfy.

#[test]
fn first_is_a_flag_of_white_to_move() {
    let text = |side: &str, state: &str| format!("4k3/p7/8/8/8/8/P7/4K3 {side} - - 0 1 {state}");
    assert!(!refused(V, &text("w", "first=1")));
    assert!(refused(V, &text("b", "first=1")));
    for state in ["first=0", "first=2", "first=", "first", "last=1"] {
        assert!(refused(V, &text("w", state)), "{state}");
    }
    assert!(refused(V, &text("w", "first=1;first=1")));
}

#[test]
fn kings_are_one_each_and_not_left_attacked() {
    for v in [V, &fr("avalanche"), &fr("no-promotion")] {
        assert!(refused(v, "4k3/8/8/8/8/8/P7/8 w - - 0 1"), "{v}");
        assert!(refused(v, "4k3/8/8/8/8/8/P7/K3K3 w - - 0 1"), "{v}");
        assert!(refused(v, "4k3/8/8/8/8/8/P7/r3K3 b - - 0 1"), "{v}");
        assert!(!refused(v, "4k3/8/8/8/8/8/P7/r3K3 w - - 0 1"), "{v}");
    }
}
