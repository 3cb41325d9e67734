//! Hand-checked positions of French Revolution Chess with its options and of Chromopolis: for each
//! clause of their rules, outcomes, state and FEN a test that fails without it.

mod hand;

use hand::{after, at, ends, refused};

const FR: &str = "french-revolution";
const CH: &str = "chromopolis";

/// French Revolution Chess with these options.
fn fr(options: &str) -> String {
    format!("{FR}:{options}")
}

/// Whether a turn is legal.
fn can(variant: &str, text: &str, turn: &str) -> bool {
    at(variant, text).can(turn)
}

/// The second steps that may follow a first one.
fn seconds(variant: &str, text: &str, first: &str) -> Vec<String> {
    let turns = at(variant, text).turns;
    let rest = turns.iter().filter_map(|t| t.strip_prefix(first));
    rest.filter_map(|t| t.strip_prefix('+'))
        .map(str::to_string)
        .collect()
}

/// A FEN of Chromopolis's own board from units such as `Na4 pd5`.
fn city(units: &str, rest: &str) -> String {
    let mut rows = [['1'; 7]; 6];
    (rows[0][0], rows[5][0]) = ('*', '*');
    for unit in units.split_whitespace() {
        let [letter, file, rank] = unit.as_bytes() else {
            panic!("{unit}");
        };
        rows[usize::from(b'6' - rank)][usize::from(file - b'a')] = char::from(*letter);
    }
    // Runs of vacant squares are one number.
    let board = rows.map(|row| {
        let row: String = row.iter().collect();
        (2..=7).rev().fold(row, |row, n: usize| {
            row.replace(&"1".repeat(n), &n.to_string())
        })
    });
    format!("{} {rest}", board.join("/"))
}

/// What lies bound after turns from a position with White to move, as the state says.
fn bound(units: &str, lying: &str, line: &str) -> String {
    let lying = if lying.is_empty() {
        String::new()
    } else {
        format!(" bound={lying}")
    };
    let seen = after(CH, &city(units, &format!("w - - 0 1{lying}")), line);
    let state = seen.fen.split_once("bound=");
    state.map_or(String::new(), |(_, lying)| lying.to_string())
}

/// White's turns.
fn roams(units: &str) -> String {
    at(CH, &city(units, "w - - 0 1")).turns.join(" ")
}

// French Revolution Chess: the start.

#[test]
fn white_begins_with_a_pawn_step_alone() {
    let start = at(FR, "start");
    let array = "rnbqkbnr/8/8/PPPPPPPP/pppppppp/8/8/RNBQKBNR w KQkq - 0 1 first=1";
    assert_eq!(start.fen, array);
    assert_eq!(
        start.turns.join(" "),
        "a5a6 b5b6 c5c6 d5d6 e5e6 f5f6 g5g6 h5h6"
    );
}

#[test]
fn black_answers_with_two_steps_and_first_is_over() {
    let seen = after(FR, "start", "a5a6");
    let fen = "rnbqkbnr/8/P7/1PPPPPPP/pppppppp/8/8/RNBQKBNR b KQkq - 0 1";
    assert_eq!(seen.fen, fen);
    assert!(seen.can("b8c6+a4a3") && !seen.can("a4a3") && !seen.can("b8c6"));
    let seen = after(FR, "start", "a5a6 a8a6+b4b3");
    let fen = "1nbqkbnr/8/r7/1PPPPPPP/p1pppppp/1p6/8/RNBQKBNR w KQk - 0 2";
    assert_eq!(seen.fen, fen);
    assert!(seen.can("b1c3+h5h6") && !seen.can("h5h6"));
}

#[test]
fn ten_rows_add_two_vacant_ranks() {
    let start = at(&fr("ten-rows"), "start");
    let array = "rnbqkbnr/8/8/8/PPPPPPPP/pppppppp/8/8/8/RNBQKBNR w KQkq - 0 1 first=1";
    assert_eq!(start.fen, array);
    assert_eq!(
        start.turns.join(" "),
        "a6a7 b6b7 c6c7 d6d7 e6e7 f6f7 g6g7 h6h7"
    );
}

#[test]
fn avalanche_begins_with_a_push_of_a_black_pawn() {
    let v = &fr("avalanche");
    assert_eq!(
        at(v, "start").turns.join(" "),
        "a4a3 b4b3 c4c3 d4d3 e4e3 f4f3 g4g3 h4h3"
    );
    let seen = after(v, "start", "a4a3");
    let fen = "rnbqkbnr/8/8/PPPPPPPP/1ppppppp/p7/8/RNBQKBNR b KQkq - 0 1";
    assert_eq!(seen.fen, fen);
    assert!(seen.can("b8c6+a5a6") && !seen.can("b8c6+b4b3"));
}

#[test]
fn options_of_french_revolution_combine() {
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

// French Revolution Chess: the two steps.

#[test]
fn turn_is_a_piece_step_and_then_a_single_pawn_step() {
    let seen = at(FR, "4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
    assert_eq!(
        seen.turns.join(" "),
        "e1d1+a2a3 e1d2+a2a3 e1e2+a2a3 e1f1+a2a3 e1f2+a2a3"
    );
    let seen = at(FR, "4k3/p7/8/8/8/8/8/4K3 b - - 0 1");
    assert_eq!(
        seen.turns.join(" "),
        "e8d7+a7a6 e8d8+a7a6 e8e7+a7a6 e8f7+a7a6 e8f8+a7a6"
    );
}

#[test]
fn every_piece_makes_first_steps() {
    let text = "6k1/8/8/8/8/8/P7/QRBNK3 w - - 0 1";
    for first in ["a1b2", "b1b8", "c1h6", "d1c3", "e1f1"] {
        assert_eq!(seconds(FR, text, first), ["a2a3"], "{first}");
    }
}

#[test]
fn pawn_may_step_to_the_square_just_left() {
    let text = "4k3/8/8/8/8/N7/P7/4K3 w - - 0 1";
    assert!(seconds(FR, text, "e1d1").is_empty());
    let seen = after(FR, text, "a3b5+a2a3");
    assert_eq!(seen.fen, "4k3/8/8/1N6/8/P7/8/4K3 b - - 0 1");
}

#[test]
fn french_revolution_has_no_en_passant() {
    let text = "4k3/8/8/8/Pp6/8/8/4K3 b - a3 0 1";
    let seen = at(FR, text);
    assert_eq!(seen.fen, "4k3/8/8/8/Pp6/8/8/4K3 b - - 0 1");
    assert_eq!(seconds(FR, text, "e8e7"), ["b4b3"]);
}

#[test]
fn castling_is_a_first_step() {
    let text = "4k3/8/8/8/8/8/P7/R3K2R w KQ - 0 1";
    let short = after(FR, text, "e1g1+a2a3");
    assert_eq!(short.fen, "4k3/8/8/8/8/P7/8/R4RK1 b - - 0 1");
    let long = after(FR, text, "e1c1+a2a3");
    assert_eq!(long.fen, "4k3/8/8/8/8/P7/8/2KR3R b - - 0 1");
}

#[test]
fn castling_in_french_revolution_has_its_conditions() {
    for (text, short, long) in [
        ("k4r2/8/8/8/8/8/P7/R3K2R w KQ - 0 1", false, true),
        ("k5r1/8/8/8/8/8/P7/R3K2R w KQ - 0 1", false, true),
        ("k3r3/8/8/8/8/8/P7/R3K2R w KQ - 0 1", false, false),
        ("k7/8/8/8/8/8/P7/RN2K2R w KQ - 0 1", true, false),
        ("k7/8/8/8/8/8/P7/R3K2R w Q - 0 1", false, true),
    ] {
        assert_eq!(can(FR, text, "e1g1+a2a3"), short, "{text}");
        assert_eq!(can(FR, text, "e1c1+a2a3"), long, "{text}");
    }
}

#[test]
fn castling_into_check_is_not_mended_by_the_pawn() {
    let text = "4k3/b7/8/8/8/3P4/8/4K2R w K - 0 1";
    assert!(seconds(FR, text, "e1g1").is_empty());
    assert_eq!(seconds(FR, text, "e1e2"), ["d3d4"]);
}

#[test]
fn castling_of_ten_rows_is_on_the_first_and_the_tenth_rank() {
    let v = &fr("ten-rows");
    let white = "4k3/8/8/8/8/8/8/8/P7/R3K2R w KQ - 0 1";
    assert!(can(v, white, "e1c1+a2a3"));
    let black = "r3k2r/p7/8/8/8/8/8/8/8/4K3 b kq - 0 1";
    assert_eq!(
        after(v, black, "e10g10+a9a8").fen,
        "r4rk1/8/p7/8/8/8/8/8/8/4K3 w - - 0 2"
    );
}

#[test]
fn castling_rights_end_with_king_and_rook() {
    let text = "r3k2r/3p4/8/8/8/8/3P4/R3K2R w KQkq - 0 1";
    for (turn, rights) in [
        ("a1a8+d2d3", " b Kk "),
        ("e1e2+d2d3", " b kq "),
        ("h1g1+d2d3", " b Qkq "),
    ] {
        assert!(after(FR, text, turn).fen.contains(rights), "{turn}");
    }
    for (text, rights) in [
        ("4k3/8/8/8/8/8/P7/R2K3R w KQ - 0 1", " w - "),
        ("4k3/8/8/8/8/8/P7/R3K3 w KQ - 0 1", " w Q "),
    ] {
        assert!(at(FR, text).fen.contains(rights), "{text}");
    }
}

#[test]
fn clock_starts_anew_with_every_turn_of_french_revolution() {
    let seen = after(FR, "4k3/8/8/8/8/8/P7/4K3 w - - 7 9", "e1d1+a2a3");
    assert!(seen.fen.ends_with(" b - - 0 9"));
    let pushed = "4k3/8/8/8/8/8/P7/4K3 b - - 7 9";
    let seen = after(&fr("avalanche"), pushed, "e8d8+a2a3");
    assert!(seen.fen.ends_with(" w - - 0 10"));
}

// French Revolution Chess: each step is legal by itself.

#[test]
fn check_is_met_by_the_first_step() {
    let text = "k7/8/8/8/8/K6r/3P4/6N1 w - - 0 1";
    assert!(seconds(FR, text, "g1e2").is_empty());
    assert_eq!(seconds(FR, text, "g1f3"), ["d2d3"]);
    assert_eq!(seconds(FR, text, "g1h3"), ["d2d3"]);
    assert_eq!(seconds(FR, text, "a3a2"), ["d2d3"]);
    let pushing = "k7/8/8/8/3p4/K6r/8/6N1 w - - 0 1";
    let v = &fr("avalanche");
    assert!(seconds(v, pushing, "g1e2").is_empty());
    assert_eq!(seconds(v, pushing, "a3a2"), ["d4d3"]);
}

#[test]
fn first_step_may_not_open_a_line_that_the_pawn_would_close() {
    let text = "k7/8/8/8/8/K1N4r/3P4/8 w - - 0 1";
    assert!(seconds(FR, text, "c3e4").is_empty());
    assert_eq!(seconds(FR, text, "a3a2"), ["d2d3"]);
}

#[test]
fn pawn_step_may_not_open_a_line_to_the_own_king() {
    let text = "k7/8/8/8/3b4/8/1P5P/K6N w - - 0 1";
    assert_eq!(seconds(FR, text, "h1g3"), ["h2h3"]);
    assert_eq!(seconds(FR, text, "a1a2"), ["b2b3", "h2h3"]);
}

#[test]
fn pawn_step_is_judged_after_the_first_step() {
    // Once castled the king stands behind the pawn on f2.
    let text = "4k3/8/8/2b5/8/8/P4P2/4K2R w K - 0 1";
    assert_eq!(seconds(FR, text, "e1g1"), ["a2a3"]);
    assert_eq!(seconds(FR, text, "e1d1"), ["a2a3", "f2f3"]);
}

#[test]
fn king_does_not_step_into_an_attack() {
    let seen = at(FR, "3rk3/8/8/8/8/8/P7/4K3 w - - 0 1");
    assert_eq!(seen.turns.join(" "), "e1e2+a2a3 e1f1+a2a3 e1f2+a2a3");
}

#[test]
fn king_alone_answers_a_double_check() {
    // Knight and pawn together could shut out rook and bishop.
    let seen = at(FR, "k7/b7/8/8/8/3PK2r/8/6N1 w - - 0 1");
    assert_eq!(
        seen.turns.join(" "),
        "e3d2+d3d4 e3e2+d3d4 e3e4+d3d4 e3f4+d3d4"
    );
}

// French Revolution Chess: the ranks where pawns are safe.

#[test]
fn pawns_of_either_side_on_fourth_and_fifth_rank_cannot_be_captured() {
    let black = "4k3/7p/r2P4/r2P4/r2P4/r2P4/8/4K3 b - - 0 1";
    let white = "4k3/8/R2p4/R2p4/R2p4/R2p4/7P/4K3 w - - 0 1";
    for (text, pawn) in [(black, "+h7h6"), (white, "+h2h3")] {
        for (rank, safe) in [(3, false), (4, true), (5, true), (6, false)] {
            let turn = format!("a{rank}d{rank}{pawn}");
            assert_eq!(!can(FR, text, &turn), safe, "{text} {turn}");
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
            assert_eq!(!can(FR, text, &turn), *safe, "{text} {turn}");
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
    assert_eq!(seconds(FR, free, "b1d3"), ["a2a3"]);
}

#[test]
fn safe_pawns_are_pushed_all_the_same() {
    let text = "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1";
    let v = &fr("avalanche");
    assert_eq!(seconds(v, text, "e1d1"), ["d5d4"]);
    let text = "4k3/8/8/8/3p4/8/8/R3K3 w Q - 0 1";
    assert_eq!(seconds(v, text, "e1c1"), ["d4d3"]);
}

#[test]
fn neither_king_nor_pawn_captures_a_safe_pawn() {
    let king = "4k3/8/8/8/3p4/3K4/7P/8 w - - 0 1";
    assert!(!can(FR, king, "d3d4+h2h3") && can(FR, king, "d3e4+h2h3"));
    let pawn = "4k3/8/8/8/4p3/3P4/8/6K1 w - - 0 1";
    assert_eq!(seconds(FR, pawn, "g1h1"), ["d3d4"]);
}

#[test]
fn king_and_pawn_capture_pawns_elsewhere() {
    let king = "4k3/8/8/8/8/3p4/3K3P/8 w - - 0 1";
    assert!(can(FR, king, "d2d3+h2h3"));
    let pawn = "4k3/8/8/8/8/4p3/3P4/6K1 w - - 0 1";
    assert_eq!(seconds(FR, pawn, "g1h1"), ["d2d3", "d2e3"]);
}

#[test]
fn pieces_on_the_middle_ranks_are_captured() {
    let text = "4k3/8/8/8/4n3/3P4/8/6K1 w - - 0 1";
    assert_eq!(seconds(FR, text, "g1h1"), ["d3d4", "d3e4"]);
}

#[test]
fn safe_pawn_gives_a_check_that_no_capture_meets() {
    let text = "4k3/8/8/8/4p2R/3K4/7P/8 w - - 0 1";
    assert!(!can(FR, text, "h4e4+h2h3") && can(FR, text, "d3d2+h2h3"));
    assert!(at(FR, text).turns.iter().all(|t| t.starts_with("d3")));
}

// French Revolution Chess: promotion.

#[test]
fn pawn_promotes_to_queen_rook_bishop_or_knight() {
    let text = "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    let all = [
        "a7a8b", "a7a8n", "a7a8q", "a7a8r", "a7b8b", "a7b8n", "a7b8q", "a7b8r",
    ];
    assert_eq!(seconds(FR, text, "e1d1"), all);
    let seen = after(FR, text, "e1d1+a7b8n");
    assert_eq!(seen.fen, "1N2k3/8/8/8/8/8/8/3K4 b - - 0 1");
}

#[test]
fn promoted_unit_is_a_piece_from_the_next_turn_on() {
    let text = "4k3/P6p/8/8/8/8/7P/4K3 w - - 0 1";
    let seen = after(FR, text, "e1d1+a7a8n e8d7+h7h6");
    assert!(seen.can("a8b6+h2h3") && seen.can("d1c1+h2h3") && !seen.can("d1c1+a8b6"));
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
            assert!(refused(FR, &text), "{text}");
        }
    }
    let first = "4k3/8/8/8/8/8/8/P3K3 w - - 0 1";
    assert_eq!(seconds(v, first, "e1d1"), ["a1a2"]);
}

// French Revolution Chess: avalanche.

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

#[test]
fn avalanche_pushes_onto_vacant_squares_only() {
    let v = &fr("avalanche");
    let text = "4k3/pp6/Nn6/8/8/8/8/4K3 w - - 0 1";
    assert!(seconds(v, text, "e1d1").is_empty());
    assert_eq!(seconds(v, text, "a6b4"), ["a7a6"]);
}

#[test]
fn pusher_chooses_the_promotion_and_keeps_his_king_safe() {
    let v = &fr("avalanche");
    let text = "4k3/8/8/8/8/8/p7/4K3 w - - 0 1";
    assert_eq!(
        seconds(v, text, "e1e2"),
        ["a2a1b", "a2a1n", "a2a1q", "a2a1r"]
    );
    assert_eq!(seconds(v, text, "e1d1"), ["a2a1b", "a2a1n"]);
    let seen = after(v, text, "e1e2+a2a1n");
    assert_eq!(seen.fen, "4k3/8/8/8/8/8/4K3/n7 b - - 0 1");
}

#[test]
fn push_may_not_open_a_line_to_the_pushers_king() {
    let text = "k7/8/6p1/4b3/8/2p5/8/K6N w - - 0 1";
    let v = &fr("avalanche");
    assert_eq!(seconds(v, text, "h1g3"), ["g6g5"]);
    assert_eq!(seconds(v, text, "a1a2"), ["c3c2", "g6g5"]);
}

#[test]
fn push_may_give_check() {
    let text = "4k3/8/2p5/8/B7/8/8/4K3 w - - 0 1";
    assert!(can(&fr("avalanche"), text, "e1d1+c6c5"));
}

#[test]
fn avalanche_needs_a_pawn_of_the_opponent() {
    let text = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1";
    ends(&fr("avalanche"), text, "", "draw no-turn");
}

// French Revolution Chess: outcomes.

#[test]
fn check_without_a_legal_first_step_is_checkmate() {
    // The pawn could shut out the rook, but only as a second step.
    let text = "8/7K/3p4/R6k/R7/8/8/8 b - - 0 1";
    ends(FR, text, "", "white-wins checkmate");
    ends(&fr("weak-loss"), text, "", "white-wins checkmate");
}

#[test]
fn check_with_only_the_pawn_step_missing_is_no_turn() {
    let text = "4k3/8/8/8/8/8/8/r3K3 w - - 0 1";
    ends(FR, text, "", "draw no-turn");
    ends(&fr("weak-loss"), text, "", "black-wins-weakly no-turn");
}

#[test]
fn no_first_step_without_check_is_no_turn() {
    let text = "k7/8/1Q6/8/8/8/7p/4K3 b - - 0 1";
    ends(FR, text, "", "draw no-turn");
    ends(&fr("weak-loss"), text, "", "white-wins-weakly no-turn");
}

#[test]
fn pawns_that_cannot_go_are_no_turn() {
    let text = "4k3/8/8/p7/P7/8/8/4K3 w - - 0 1";
    ends(FR, text, "", "draw no-turn");
    ends(&fr("weak-loss"), text, "", "black-wins-weakly no-turn");
}

#[test]
fn first_pawn_step_is_the_first_step() {
    // The king could leave, but it is not yet his turn to step.
    let text = "4k3/8/8/8/8/8/7P/r3K3 w - - 0 1 first=1";
    ends(FR, text, "", "black-wins checkmate");
    ends(&fr("weak-loss"), text, "", "black-wins checkmate");
    let pushing = "4k3/7p/8/8/8/8/8/r3K3 w - - 0 1 first=1";
    ends(&fr("avalanche"), pushing, "", "black-wins checkmate");
    let shut = at(FR, "4k3/8/8/8/8/K6r/3P3P/8 w - - 0 1 first=1");
    assert_eq!(shut.turns, ["d2d3"]);
    let quiet = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 first=1";
    ends(FR, quiet, "", "draw no-turn");
    ends(&fr("weak-loss"), quiet, "", "black-wins-weakly no-turn");
}

// French Revolution Chess: what a FEN must satisfy.

#[test]
fn first_is_a_flag_of_white_to_move() {
    let text = |side: &str, state: &str| format!("4k3/p7/8/8/8/8/P7/4K3 {side} - - 0 1 {state}");
    assert!(!refused(FR, &text("w", "first=1")));
    assert!(refused(FR, &text("b", "first=1")));
    for state in ["first=0", "first=2", "first=", "first", "last=1"] {
        assert!(refused(FR, &text("w", state)), "{state}");
    }
    assert!(refused(FR, &text("w", "first=1;first=1")));
}

#[test]
fn kings_of_french_revolution_are_one_each_and_not_left_attacked() {
    for v in [FR, &fr("avalanche"), &fr("no-promotion")] {
        assert!(refused(v, "4k3/8/8/8/8/8/P7/8 w - - 0 1"), "{v}");
        assert!(refused(v, "4k3/8/8/8/8/8/P7/K3K3 w - - 0 1"), "{v}");
        assert!(refused(v, "4k3/8/8/8/8/8/P7/r3K3 b - - 0 1"), "{v}");
        assert!(!refused(v, "4k3/8/8/8/8/8/P7/r3K3 w - - 0 1"), "{v}");
    }
}

// Chromopolis: the start, and how units step.

#[test]
fn start_of_chromopolis_has_forty_squares_and_twelve_turns() {
    let start = at(CH, "start");
    assert_eq!(start.fen, "*alnkla/1pppppp/7/7/1PPPPPP/*ALNKLA w - - 0 1");
    assert_eq!(
        start.turns.join(" "),
        "b1a2 b1b3 b2b3 c2c3 d1c3 d1e3 d2d3 e2e3 f2f3 g1a2 g1g3 g2g3"
    );
    assert_eq!(
        after(CH, "start", "b1a2").turns.join(" "),
        "b5b4 b6a5 b6b4 c5c4 d5d4 d6c4 d6e4 e5e4 f5f4 g5g4 g6a5 g6g4"
    );
}

#[test]
fn units_step_round_the_cylinder() {
    assert_eq!(roams("Ka3"), "a3a2 a3a4 a3b2 a3b3 a3b4 a3g2 a3g3 a3g4");
    assert_eq!(roams("Na3"), "a3b1 a3b5 a3c2 a3c4 a3f2 a3f4 a3g1 a3g5");
    assert_eq!(roams("Aa3"), "a3a5 a3b2 a3b4 a3c3 a3f3 a3g2 a3g4");
    assert_eq!(roams("La3"), "a3b2 a3b4 a3g2 a3g4");
    assert_eq!(roams("Pa2"), "a2a3");
    let black = at(CH, &city("pg5", "b - - 0 1"));
    assert_eq!(black.turns, ["g5g4"]);
}

#[test]
fn cylinder_is_kept_on_other_sizes() {
    let turns = |text: &str| at(CH, text).turns.join(" ");
    assert_eq!(turns("8/8/K7 w - - 0 1"), "a1a2 a1b1 a1b2 a1h1 a1h2");
    assert_eq!(turns("2/2/K1 w - - 0 1"), "a1a2 a1b1 a1b2");
    assert_eq!(turns("2/2/N1 w - - 0 1"), "a1a2 a1b3");
    assert_eq!(turns("2/2/A1 w - - 0 1"), "a1a3 a1b2");
    assert_eq!(turns("1/1/K w - - 0 1"), "a1a2");
}

#[test]
fn advocate_leaps_over_missing_squares_and_over_units() {
    assert_eq!(roams("Ab1"), "b1a2 b1b3 b1c2 b1d1 b1g1");
    assert!(can(CH, &city("Ad3 pd4 Nc3", "w - - 0 1"), "d3d5"));
    assert!(can(CH, &city("Ad3 pd4 Nc3", "w - - 0 1"), "d3b3"));
}

#[test]
fn no_step_ends_on_an_unbound_unit() {
    assert!(!can(CH, &city("Kd3 ne3", "w - - 0 1"), "d3e3"));
    assert!(!can(CH, &city("Kd3 Ne3", "w - - 0 1"), "d3e3"));
    assert_eq!(roams("Pb2 nc3"), "b2b3");
}

#[test]
fn steps_may_end_on_bound_units() {
    for lying in ["d4n", "d4N", "d4PPp"] {
        let text = city("Pd3", &format!("w - - 0 1 bound={lying}"));
        let seen = after(CH, &text, "d3d4");
        let fen = city("Pd4", &format!("b - - 0 1 bound={lying}"));
        assert_eq!(seen.fen, fen);
    }
}

#[test]
fn kings_may_be_exposed() {
    let text = city("Kd2 nb4 ne5 pg5", "w - - 0 1");
    let seen = after(CH, &text, "d2d3");
    assert_eq!(seen.fen, city("Kd3 nb4 ne5 pg5", "b - - 1 1"));
    ends(CH, &text, "d2d3 g5g4", "black-wins king-captured");
    assert!(!refused(CH, &city("Kd3 ne5", "b - - 0 1")));
    assert!(!refused(CH, &city("Kd3 kd4", "b - - 0 1")));
}

// Chromopolis: force and binding.

#[test]
fn force_of_two_units_binds() {
    // The knight on b2 is one of them.
    for (other, binds) in [
        ("", false),
        ("Kd4", true),
        ("Kc2", true),
        ("Kd5", false),
        ("Ne5", true),
        ("Nd4", false),
        ("Ac2", true),
        ("Ad5", true),
        ("Af3", true),
        ("Ad4", false),
        ("Ld4", true),
        ("Lc3", true),
        ("Le5", true),
        ("Lf4", true),
        ("Lc2", false),
        ("Ld5", false),
        ("Pc2", true),
        ("Pe2", true),
        ("Pd2", false),
        ("Pc4", false),
    ] {
        let units = format!("Na4 {other} nd3");
        let lying = if binds { "d3n" } else { "" };
        assert_eq!(bound(&units, "", "a4b2"), lying, "{other}");
    }
}

#[test]
fn force_goes_round_the_cylinder() {
    for other in ["Ka3", "Nb4", "Aa4", "Ab3", "La3", "Lb4", "Pa2"] {
        let units = format!("Nd2 {other} ng3");
        assert_eq!(bound(&units, "", "d2f1"), "g3n", "{other}");
    }
}

#[test]
fn advocate_has_force_beyond_a_missing_square() {
    assert_eq!(bound("Nc3 Ab1 ng1", "", "c3e2"), "g1n");
}

#[test]
fn unit_has_one_force_even_where_two_ways_lead() {
    let seen = after(CH, "2/2/Kn w - - 0 1", "a1a2");
    assert_eq!(seen.fen, "2/K1/1n b - - 1 1");
    let seen = after(CH, "2/1n/2/P1 w - - 0 1", "a1a2");
    assert_eq!(seen.fen, "2/1n/P1/2 b - - 0 1");
}

#[test]
fn bound_units_have_no_force() {
    assert_eq!(bound("Na4 nd3", "c2P", "a4b2"), "c2P");
    assert_eq!(bound("Na4 Pc2 nd3", "c2P", "a4b2"), "c2P,d3n");
}

#[test]
fn all_units_under_double_force_are_bound_at_once() {
    assert_eq!(bound("Na4 Kd2 nd3 ad1", "", "a4b2"), "d1a,d3n");
}

#[test]
fn only_enemies_of_the_mover_are_bound() {
    // The knight walks into double force; it is bound when White has moved, whatever he moves.
    let text = city("Kd2 Pc2 Pg2 ne5", "b - - 0 1");
    let walked = after(CH, &text, "e5d3");
    assert_eq!(walked.fen, city("Kd2 Pc2 Pg2 nd3", "w - - 1 2"));
    let bound = after(CH, &text, "e5d3 g2g3");
    let fen = city("Kd2 Pc2 Pg3", "b - - 0 2 bound=d3n");
    assert_eq!(bound.fen, fen);
}

// Chromopolis: promotion.

#[test]
fn pawn_becomes_knight_advocate_or_prelate() {
    assert_eq!(roams("Pb5"), "b5b6a b5b6l b5b6n");
    let black = at(CH, &city("pb2", "b - - 0 1"));
    assert_eq!(black.turns.join(" "), "b2b1a b2b1l b2b1n");
    let seen = after(CH, &city("Pb5", "w - - 3 1"), "b5b6l");
    assert_eq!(seen.fen, city("Lb6", "b - - 0 1"));
}

#[test]
fn promotion_comes_before_binding() {
    assert_eq!(bound("Pb5 Kd4 nd5", "", "b5b6n"), "d5n");
    assert_eq!(bound("Pb5 Kd4 nd5", "", "b5b6a"), "");
}

#[test]
fn pawn_facing_a_missing_square_stays() {
    ends(CH, &city("Pa5", "w - - 0 1"), "", "draw stalemate");
    ends(CH, &city("pa2", "b - - 0 1"), "", "draw stalemate");
}

// Chromopolis: what is freed.

#[test]
fn force_of_two_units_frees() {
    let text = city("Kc3 Pb2", "w - - 0 1 bound=c4N");
    let seen = after(CH, &text, "b2b3");
    assert_eq!(seen.fen, city("Kc3 Pb3 Nc4", "b - - 0 1"));
    assert_eq!(bound("Kc3 Pg2", "c4N", "g2g3"), "c4N");
    for other in ["Kd5", "Ne5", "Ab5", "Lc5", "Pd3"] {
        assert_eq!(bound(&format!("Pb2 {other}"), "c4N", "b2b3"), "", "{other}");
    }
}

#[test]
fn black_frees_as_white_does() {
    let text = city("kc4 pb5", "b - - 0 1 bound=c3n");
    let seen = after(CH, &text, "b5b4");
    assert_eq!(seen.fen, city("kc4 pb4 nc3", "w - - 0 2"));
    let choice = city("kc4 pb5", "b - - 0 1 bound=c3np");
    assert!(can(CH, &choice, "b5b4+P@c3") && !can(CH, &choice, "b5b4"));
}

#[test]
fn force_of_one_unbound_enemy_keeps_bound() {
    assert_eq!(bound("Kc3 Pb2 ne5", "c4N", "b2b3"), "c4N");
    assert_eq!(bound("Kc3 Pb2", "c4N,e5n", "b2b3"), "e5n");
}

#[test]
fn enemy_bound_in_the_same_turn_hinders_nothing() {
    let units = "Kc3 Pb3 Nb6 Ng2 pd5";
    assert_eq!(bound(units, "c4N", "c3c2"), "c4N");
    assert_eq!(bound(units, "c4N", "g2e3"), "d5p");
}

#[test]
fn unit_is_freed_where_an_enemy_has_just_been_bound() {
    let text = city("Kc3 Pb2 lc4", "w - - 0 1 bound=c4N");
    let seen = after(CH, &text, "b2b3");
    assert_eq!(seen.fen, city("Kc3 Pb3 Nc4", "b - - 0 1 bound=c4l"));
}

#[test]
fn nothing_is_freed_under_an_unbound_unit() {
    assert_eq!(bound("Kc3 Pb2 Ac4", "c4N", "b2b3"), "c4N");
}

#[test]
fn bound_units_free_nothing() {
    assert_eq!(bound("Kc3 Pg2", "b3P,c4N", "g2g3"), "b3P,c4N");
}

#[test]
fn only_units_of_the_mover_are_freed() {
    assert_eq!(bound("Kc3 Pb2", "c4Np", "b2b3"), "c4p");
    assert_eq!(bound("Kc3 Pb2", "c4p", "b2b3"), "c4p");
    let text = city("Kc3 Pb3 pg5", "b - - 0 1 bound=c4N");
    let kept = after(CH, &text, "g5g4");
    assert!(kept.fen.ends_with(" bound=c4N"));
}

#[test]
fn exactly_one_unit_is_freed_on_a_square() {
    assert_eq!(bound("Kc3 Pb2", "c4NN", "b2b3"), "c4N");
    assert_eq!(bound("Kc3 Pb2", "c4NNA", "b2b3+A@c4"), "c4NN");
}

#[test]
fn mover_chooses_between_kinds() {
    let turns = |lying: &str| {
        let text = city("Pb2 Kc3", &format!("w - - 0 1 bound={lying}"));
        let all = at(CH, &text).turns;
        let pawn = all.into_iter().filter(|t| t.starts_with("b2"));
        pawn.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(turns("c4NNA"), "b2b3+A@c4 b2b3+N@c4");
    assert_eq!(turns("c4ALP"), "b2b3+A@c4 b2b3+L@c4 b2b3+P@c4");
    assert_eq!(turns("c4NN"), "b2b3");
    assert_eq!(turns("c5NA"), "b2b3");
}

#[test]
fn all_squares_that_free_do_so_at_once() {
    let text = city("Kd4 Pd2", "w - - 0 1 bound=c4NA,e4LP");
    let all = at(CH, &text).turns;
    let pawn = all.into_iter().filter(|t| t.starts_with("d2"));
    let expected = "d2d3+A@c4+L@e4 d2d3+A@c4+P@e4 d2d3+N@c4+L@e4 d2d3+N@c4+P@e4";
    assert_eq!(pawn.collect::<Vec<_>>().join(" "), expected);
    let seen = after(CH, &text, "d2d3+N@c4+P@e4");
    let fen = city("Kd4 Pd3 Nc4 Pe4", "b - - 0 1 bound=c4A,e4L");
    assert_eq!(seen.fen, fen);
    assert_eq!(bound("Kd4 Pd2", "c4NA,e4L", "d2d3+N@c4"), "c4A");
}

#[test]
fn freed_unit_neither_frees_nor_binds_in_the_same_turn() {
    assert_eq!(bound("Kd4 Pd2", "c4N,e5A", "d2d3"), "e5A");
    assert_eq!(bound("Kd4 Pd2 pe5", "c4N", "d2d3"), "");
}

// Chromopolis: outcomes.

#[test]
fn bound_king_loses() {
    let text = city("Na4 Pc2 kd3", "w - - 0 1");
    ends(CH, &text, "a4b2", "white-wins king-captured");
    assert!(after(CH, &text, "a4b2").turns.is_empty());
    for side in ["w", "b"] {
        let lies = |lying: &str| city("Na4 ne5", &format!("{side} - - 0 1 bound={lying}"));
        ends(CH, &lies("d3K"), "", "black-wins king-captured");
        ends(CH, &lies("d3k"), "", "white-wins king-captured");
    }
}

#[test]
fn of_two_bound_kings_the_side_to_move_loses() {
    let lies = |side: &str| city("", &format!("{side} - - 0 1 bound=d3Kk"));
    ends(CH, &lies("w"), "", "black-wins king-captured");
    ends(CH, &lies("b"), "", "white-wins king-captured");
}

#[test]
fn game_without_kings_goes_on_until_there_is_no_turn() {
    ends(CH, &city("Na4", "w - - 0 1"), "", "ongoing");
    ends(CH, &city("Pb2 pb3", "w - - 0 1"), "", "draw stalemate");
}

// Chromopolis: clock, state, and what a FEN must satisfy.

#[test]
fn pawns_and_binding_start_the_clock_anew_and_freeing_does_not() {
    let clock = |units: &str, lying: &str, line: &str| {
        let fen = after(CH, &city(units, &format!("w - - 5 1{lying}")), line).fen;
        fen.split(' ').nth(4).map(str::to_string)
    };
    assert_eq!(clock("Na4", "", "a4b2").as_deref(), Some("6"));
    assert_eq!(clock("Na4 Pc2 nd3", "", "a4b2").as_deref(), Some("0"));
    assert_eq!(clock("Pb2", "", "b2b3").as_deref(), Some("0"));
    let freeing = clock("Kc2 Pb3", " bound=c4N", "c2c3");
    assert_eq!(freeing.as_deref(), Some("6"));
    assert_eq!(bound("Kc2 Pb3", "c4N", "c2c3"), "");
}

#[test]
fn bound_units_print_as_they_are_read() {
    for lying in [
        "c3Nn,d4Pp",
        "c3KNALPknalp",
        "d4PP",
        "b1PPaa",
        "d3N,c4N",
        "g1n,a2A",
    ] {
        let text = city("Pg2", &format!("w - - 0 1 bound={lying}"));
        assert_eq!(at(CH, &text).fen, text);
    }
    let tall = "7/7/7/7/7/7/7/7/7/7/7/7 w - - 0 1 bound=a9N,a10Nn,b12a";
    assert_eq!(at(CH, tall).fen, tall);
}

#[test]
fn bound_units_in_another_order_are_refused() {
    for lying in [
        "c4N,d3N", "d3N,d3N", "d3n,d3N", "c3nN", "c3AN", "c3PL", "c3LA", "c3NK", "c3", "c3N,d4",
        "", "a1N", "a6n", "h3N", "c7N", "c3Q", "c3r", "c3N,", "N",
    ] {
        let text = city("Pg2", &format!("w - - 0 1 bound={lying}"));
        assert!(refused(CH, &text), "{lying}");
    }
}

#[test]
fn each_side_of_chromopolis_has_at_most_one_king_bound_ones_counted() {
    let lies = |units: &str, lying: &str| city(units, &format!("w - - 0 1 bound={lying}"));
    assert!(!refused(CH, &city("Kd3", "w - - 0 1")));
    assert!(refused(CH, &city("Kd3 Kf3", "w - - 0 1")));
    assert!(refused(CH, &lies("Kd3", "b1K")));
    assert!(!refused(CH, &lies("Kd3", "b1k")));
    assert!(refused(CH, &lies("", "b1KK")));
}

#[test]
fn pawns_of_chromopolis_stand_on_their_first_rank_but_not_on_their_last() {
    let lies = |lying: &str| city("", &format!("w - - 0 1 bound={lying}"));
    for unit in ["Pb1", "pb6"] {
        assert!(!refused(CH, &city(unit, "w - - 0 1")), "{unit}");
    }
    for unit in ["Pb6", "pb1"] {
        assert!(refused(CH, &city(unit, "w - - 0 1")), "{unit}");
    }
    assert!(!refused(CH, &lies("b1P")) && !refused(CH, &lies("b6p")));
    assert!(refused(CH, &lies("b6P")) && refused(CH, &lies("b1p")));
}

#[test]
fn chromopolis_knows_five_letters() {
    for letter in ["Q", "R", "B", "q", "r", "b"] {
        assert!(refused(CH, &city(&format!("{letter}d3"), "w - - 0 1")));
    }
}

#[test]
fn position_of_up_to_64_squares_holds_64_units() {
    let lies = |units: &str, n: usize| city(units, &format!("w - - 0 1 bound=b1{}", "N".repeat(n)));
    assert!(!refused(CH, &lies("", 64)) && refused(CH, &lies("", 65)));
    assert!(!refused(CH, &lies("Kd3", 63)) && refused(CH, &lies("Kd3", 64)));
}

#[test]
fn chromopolis_has_neither_castling_nor_double_step_nor_en_passant() {
    let home = at(CH, "8/8/8/8/8/L3K2L w KQkq - 0 1");
    assert_eq!(home.fen, "8/8/8/8/8/L3K2L w - - 0 1");
    assert_eq!(roams("Pb2"), "b2b3");
    let passed = at(CH, &city("Pb4 pc4", "b - b3 0 1"));
    assert_eq!(passed.fen, city("Pb4 pc4", "b - - 0 1"));
    assert_eq!(passed.turns, ["c4c3"]);
}
