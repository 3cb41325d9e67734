//! Hand-checked positions of eleven GOAL variants: a test for each reason by which a game ends, and
//! for each condition of a rule one that fails without it.

mod hand;

use fairyproof::notation::{Setup, fen, turns};
use fairyproof::position::KEY_WORDS;
use fairyproof::sets;
use fairyproof::sets::spartan::{Ending, MatchResult, match_result};
use fairyproof::with_setup;
use hand::{after, at, ends, read, refused};

// Blunder-Mate.

#[test]
fn blunder_mate_after_any_other_turn_than_the_blunder() {
    let v = "blunder-mate";
    let pointed = after(v, "start", "f2f4 e7e6 e2e3");
    assert!(pointed.fen.ends_with(" blunder=1"));
    assert_eq!(pointed.outcome, "black-wins blunder-mate");
    assert!(pointed.turns.is_empty());
    ends(v, "start", "e2e3 e7e5 d1h5 b8c6", "white-wins blunder-mate");
}

#[test]
fn the_blunder_itself_is_answered_by_checkmate_only() {
    let v = "blunder-mate";
    ends(v, "start", "f2f4 e7e6 g2g4", "ongoing");
    ends(v, "start", "f2f4 e7e6 g2g4 d8h4", "black-wins checkmate");
    ends(
        v,
        "start",
        "e2e3 e7e5 d1h5 e8e7 h5e5",
        "white-wins checkmate",
    );
}

#[test]
fn checkmated_side_cannot_blunder_mate() {
    let mated = "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1 blunder=1";
    ends("blunder-mate", mated, "", "white-wins checkmate");
}

#[test]
fn stalemated_side_can_blunder_mate() {
    let v = "blunder-mate";
    ends(v, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "", "draw stalemate");
    ends(
        v,
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1 blunder=1",
        "",
        "black-wins blunder-mate",
    );
}

#[test]
fn promotions_of_one_pawn_are_different_turns() {
    // Only the capture on a8 opens the file for b8b1; each of its four promotions does.
    let text = "nr6/1P6/8/4k3/8/8/6PP/7K w - - 0 1";
    ends("blunder-mate", text, "b7a8q", "black-wins blunder-mate");
    let quiet = "1r6/1P6/8/4k3/8/8/6PP/7K w - - 0 1";
    ends("blunder-mate", quiet, "h2h3", "ongoing");
}

#[test]
fn blunder_flag_knows_one_value() {
    assert!(refused(
        "blunder-mate",
        "7k/8/8/8/8/8/8/K7 w - - 0 1 blunder=0"
    ));
    assert!(!refused(
        "blunder-mate",
        "7k/8/8/8/8/8/8/K7 w - - 0 1 blunder=1"
    ));
}

#[test]
fn illegal_turn_is_no_blunder() {
    // With g2 empty Black could mate, but the pawn is pinned.
    let text = "k7/1b6/8/2b5/8/8/6PP/7K w - - 0 1";
    ends("blunder-mate", text, "h2h3", "ongoing");
}

#[test]
fn mate_that_is_an_illegal_turn_was_not_allowed() {
    // The rook e7, which would mate on e1, is pinned.
    let text = "3k4/4r3/8/8/7B/6P1/5PPP/6K1 w - - 0 1";
    ends("blunder-mate", text, "g3g4", "ongoing");
    let free = "2k5/4r3/8/8/7B/6P1/5PPP/6K1 w - - 0 1";
    ends("blunder-mate", free, "h4e7", "black-wins blunder-mate");
}

#[test]
fn en_passant_stays_in_blunder_mate() {
    let seen = after("blunder-mate", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4");
    assert!(seen.fen.contains(" b - e3 ") && seen.can("d4e3"));
}

#[test]
fn kings_of_blunder_mate_and_glory_are_one_each_and_not_left_attacked() {
    for v in ["blunder-mate", "glory"] {
        assert!(refused(v, "k7/8/8/8/8/8/8/7N w - - 0 1"), "{v}");
        assert!(refused(v, "k7/8/8/8/8/8/8/K6K w - - 0 1"), "{v}");
        assert!(refused(v, "7k/8/8/8/8/8/8/K1r5 b - - 0 1"), "{v}");
        assert!(!refused(v, "7k/8/8/8/8/8/8/K1r5 w - - 0 1"), "{v}");
    }
}

// Glory.

#[test]
fn pawn_on_last_rank_but_one_left_standing_wins() {
    let text = "7k/8/P7/8/8/8/8/K7 w - - 0 1";
    ends("glory", text, "a6a7", "ongoing");
    ends("glory", text, "a6a7 h8g8", "white-wins glory");
    let black = "k7/8/8/8/8/p7/8/7K b - - 0 1";
    ends("glory", black, "a3a2 h1g1", "black-wins glory");
}

#[test]
fn pawn_on_last_rank_but_one_can_be_captured() {
    let text = "8/P6k/8/8/8/r7/8/1K6 b - - 0 1";
    ends("glory", text, "a3a7", "ongoing");
    ends("glory", text, "h7h8", "white-wins glory");
}

#[test]
fn checkmate_comes_before_glory() {
    let text = "2r5/7P/8/8/8/1k6/8/K7 b - - 0 1";
    ends("glory", text, "c8c1", "black-wins checkmate");
}

#[test]
fn checkmate_beside_a_pawn_on_the_second_rank_is_checkmate() {
    let text = "R5k1/P4ppp/8/8/8/8/8/K7 b - - 0 1";
    ends("glory", text, "", "white-wins checkmate");
}

#[test]
fn side_in_check_wins_by_its_pawn_if_not_checkmated() {
    let text = "7k/P7/8/8/8/8/8/K6r w - - 0 1";
    ends("glory", text, "", "white-wins glory");
}

#[test]
fn glory_comes_before_own_stalemate() {
    let text = "7n/7P/8/8/8/1q6/8/K6k w - - 0 1";
    ends("glory", text, "", "white-wins glory");
}

#[test]
fn no_turn_against_a_pawn_on_the_second_rank_loses() {
    ends(
        "glory",
        "k7/P7/1K6/8/8/8/8/8 b - - 0 1",
        "",
        "white-wins glory",
    );
    ends(
        "glory",
        "k7/8/1Q6/8/8/8/8/7K b - - 0 1",
        "",
        "draw stalemate",
    );
}

#[test]
fn glory_has_no_double_step() {
    assert!(!at("glory", "start").can("e2e4"));
    let text = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
    let seen = at("glory", text);
    assert!(!seen.can("d4e3") && seen.fen.contains(" b - - "));
}

#[test]
fn glory_on_boards_of_few_ranks() {
    for text in ["k1K w - - 0 1", "k2/2K w - - 0 1", "k2/1P1/2K b - - 0 1"] {
        at("glory", text);
    }
}

// Moderation.

#[test]
fn each_turn_that_checks_counts_once() {
    let v = "moderation";
    let single = after(v, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8");
    assert!(single.fen.ends_with(" checks=1,0"));
    let double = after(v, "4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "e4d6");
    assert!(double.fen.ends_with(" checks=1,0"));
    let black = after(v, "4k3/r7/8/8/8/8/8/4K3 b - - 0 1 checks=2,1", "a7a1");
    assert!(black.fen.ends_with(" checks=2,2"));
    let quiet = after(v, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a7");
    assert!(quiet.fen.ends_with(" 1 1"));
}

#[test]
fn fourth_check_is_legal_only_as_checkmate() {
    let v = "moderation";
    assert!(at(v, "6k1/8/4K3/8/8/8/8/R7 w - - 0 1 checks=2,3").can("a1a8"));
    let spent = at(v, "6k1/8/4K3/8/8/8/8/R7 w - - 0 1 checks=3,0");
    assert!(!spent.can("a1a8") && !spent.can("a1g1") && spent.can("a1a7"));
    let mate = after(v, "4k3/8/4K3/8/8/8/8/R7 w - - 0 1 checks=3,0", "a1a8");
    assert_eq!(mate.outcome, "white-wins checkmate");
    assert!(mate.fen.ends_with(" checks=3,0"));
}

#[test]
fn every_way_to_check_counts_and_is_spent_at_three() {
    // Castling, a discovered check, a promotion, a capture in passing.
    for (text, turn) in [
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
        ("4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "e4c3"),
        ("6k1/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q"),
        ("8/2k5/8/3pP3/8/8/8/K7 w - d6 0 1", "e5d6"),
    ] {
        let checked = after("moderation", text, turn);
        assert!(checked.fen.ends_with(" checks=1,0"), "{turn}");
        let spent = at("moderation", &format!("{text} checks=3,0"));
        assert!(!spent.can(turn), "{turn}");
    }
}

#[test]
fn fourth_check_that_only_a_spent_check_answers_is_no_checkmate() {
    // Black's one orthodox reply, b7d8, checks.
    let text = |state| format!("7k/1n4pp/4K3/8/8/8/8/R7 w - - 0 1 checks={state}");
    assert!(!at("moderation", &text("3,3")).can("a1a8"));
    ends("moderation", &text("2,2"), "a1a8", "ongoing");
    ends("moderation", &text("2,3"), "a1a8", "white-wins checkmate");
}

#[test]
fn only_a_spent_check_left_is_stalemate() {
    let text = |state| format!("8/8/8/7k/8/1q4P1/8/K7 w - - 0 1 checks={state}");
    ends("moderation", &text("3,0"), "", "draw stalemate");
    assert_eq!(at("moderation", &text("2,0")).turns, ["g3g4"]);
}

#[test]
fn counts_of_checks_are_read_strictly() {
    let text = |state: &str| format!("7k/8/8/8/8/8/8/K7 w - - 0 1 checks={state}");
    for bad in ["4,0", "0", "0,0,0", "00,1", "1,", "-,1"] {
        assert!(refused("moderation", &text(bad)), "{bad}");
    }
    assert!(at("moderation", &text("0,0")).fen.ends_with(" 0 1"));
}

// Series Helpmate.

#[test]
fn being_mateable_in_one_wins() {
    let v = "series-helpmate";
    ends(v, "start", "f2f3 e7e5", "ongoing");
    ends(v, "start", "f2f3 e7e5 g2g4", "white-wins series-mate");
}

#[test]
fn mate_by_the_only_turn_is_enough() {
    // White, in check, has h5g6 alone: no second turn is needed, none could be prepared.
    let text = "R4b1k/8/5pp1/7K/2B3PR/8/8/8 w - - 0 1";
    ends("series-helpmate", text, "", "black-wins series-mate");
}

#[test]
fn being_mateable_in_two_turns_in_a_row_wins() {
    let text = "1r6/8/8/8/8/5k2/8/7K b - - 0 1";
    ends("series-helpmate", text, "", "white-wins series-mate");
}

#[test]
fn first_of_two_turns_in_a_row_gives_no_check() {
    // Only a6f1, a check, and then f1d1 would mate.
    let text = "k7/8/q7/8/8/8/6PP/3R1N1K b - - 0 1";
    ends("series-helpmate", text, "", "ongoing");
    let unguarded = "k7/8/q7/8/8/8/6PP/5N1K b - - 0 1";
    ends("series-helpmate", unguarded, "", "white-wins series-mate");
}

#[test]
fn en_passant_is_gone_for_the_second_turn_in_a_row() {
    // After b8b5 the capture d4e3 would mate by the rook on a4.
    let text = "1r6/8/8/8/r2pP2K/8/7k/8 b - e3 0 1";
    ends("series-helpmate", text, "", "ongoing");
    let first = "8/8/8/1r6/r2pP2K/8/7k/8 b - e3 0 1";
    ends("series-helpmate", first, "", "white-wins series-mate");
}

#[test]
fn checkmating_loses() {
    let text = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    ends("series-helpmate", text, "", "black-wins gave-checkmate");
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    ends("series-helpmate", stalemate, "", "draw stalemate");
}

// Society.

#[test]
fn captures_need_a_pawn_on_one_side() {
    let v = "society";
    assert!(!at(v, "7k/6q1/5Q2/8/8/8/8/K7 w - - 0 1").can("f6g7"));
    assert!(at(v, "k7/8/8/3q4/4P3/8/8/7K w - - 0 1").can("e4d5"));
    assert!(at(v, "k7/8/8/3p4/4Q3/8/8/7K w - - 0 1").can("e4d5"));
    assert!(at(v, "k7/8/8/3p4/4P3/8/8/7K w - - 0 1").can("e4d5"));
    assert!(at(v, "k7/8/8/3pP3/8/8/8/7K w - d6 0 1").can("e5d6"));
    assert!(at(v, "1n6/P6k/8/8/8/8/8/7K w - - 0 1").can("a7b8q"));
    assert!(!at(v, "k7/8/8/8/8/8/6n1/7K w - - 0 1").can("h1g2"));
}

#[test]
fn pieces_attack_squares_where_they_may_not_capture() {
    // The rook on b1 guards b8, though it may never take there.
    let seen = at("society", "k7/8/8/8/8/8/8/1R5K b - - 0 1");
    assert_eq!(seen.turns, ["a8a7"]);
}

#[test]
fn pieces_stop_castling_and_kings_keep_apart_in_society() {
    let castling = |text| at("society", text).can("e1g1");
    assert!(castling("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
    assert!(!castling("4kr2/8/8/8/8/8/8/4K2R w K - 0 1"));
    assert!(!castling("4k1r1/8/8/8/8/8/8/4K2R w K - 0 1"));
    assert!(!castling("k3r3/8/8/8/8/8/8/4K2R w K - 0 1"));
    assert!(!at("society", "8/8/8/8/8/k7/8/K7 w - - 0 1").can("a1a2"));
}

#[test]
fn check_cannot_be_met_by_capturing_a_piece_with_a_piece() {
    let text = "k1R5/ppr5/8/8/8/8/8/7K b - - 0 1";
    ends("society", text, "", "white-wins checkmate");
    assert_eq!(at("fide", text).turns, ["c7c8"]);
}

#[test]
fn only_forbidden_captures_left_loses() {
    let text = "k7/8/1Q6/8/8/6R1/5B2/K6n b - - 0 1";
    ends("society", text, "", "white-wins forced-capture");
    let bare = "k7/8/1Q6/8/8/6R1/5B2/K7 b - - 0 1";
    ends("society", bare, "", "draw stalemate");
}

// Spartan.

#[test]
fn white_starts_without_three_units() {
    let start = at("spartan", "start").fen;
    assert_eq!(
        start,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/3QKBNR w Kkq - 0 1"
    );
}

#[test]
fn move_sixty_one_is_too_late() {
    let v = "spartan";
    ends(v, "7k/8/8/8/8/8/8/K7 b - - 0 60", "", "ongoing");
    ends(v, "7k/8/8/8/8/8/8/K7 b - - 0 60", "h8g8", "white-wins time");
    ends(v, "7k/8/8/8/8/8/8/K7 w - - 0 999999", "", "white-wins time");
    ends(v, "7k/8/8/8/8/8/8/K7 b - - 0 61", "", "white-wins time");
}

#[test]
fn checkmate_on_the_last_move_comes_before_time() {
    let text = "K7/8/1k6/8/8/8/8/7r b - - 0 60";
    ends("spartan", text, "h1h8", "black-wins checkmate");
}

#[test]
fn white_wins_by_stalemate_whoever_is_stalemated() {
    let v = "spartan";
    let white = "K7/8/1q6/8/8/8/8/7k w - - 0";
    ends(v, &format!("{white} 9"), "", "white-wins stalemate");
    ends(v, &format!("{white} 61"), "", "white-wins time");
    let black = "k7/8/1Q6/8/8/8/8/7K b - - 0 9";
    ends(v, black, "", "white-wins stalemate");
}

#[test]
fn white_wins_by_checkmate_too() {
    let text = "k7/8/1K6/8/8/8/8/7R w - - 0 3";
    ends("spartan", text, "h1h8", "white-wins checkmate");
}

#[test]
fn number_of_moves_is_an_option() {
    let text = "7k/8/8/8/8/8/8/K7 b - - 0 2";
    ends("spartan:moves=2", text, "h8g8", "white-wins time");
    ends("spartan:moves=3", text, "h8g8", "ongoing");
    for bad in ["spartan:moves", "spartan:moves=0", "spartan:moves=10000"] {
        assert!(sets::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn move_number_belongs_to_the_position_up_to_the_last() {
    let text = |number: u32| format!("7k/8/8/8/8/8/8/K7 w - - 0 {number}");
    let position = |number| match read("spartan", &text(number)) {
        Setup::Narrow(start) => start,
        _ => panic!("64 squares"),
    };
    let five = position(5);
    assert_ne!(five.position, position(6).position);
    assert_eq!(position(61).position, position(700).position);
    // From its key a position comes back with its number, and counts on.
    let game = five.game.as_ref();
    let codec = game.codec(&five.position);
    let mut key = [0; KEY_WORDS];
    codec.encode(&five.position, &mut key);
    let p = codec.decode(&key);
    assert_eq!(fen::print(game, &p), text(5));
    let p = game.play(&p, &turns::find(game, &p, "a1a2", 1).unwrap());
    let p = game.play(&p, &turns::find(game, &p, "h8h7", 2).unwrap());
    assert!(fen::print(game, &p).ends_with(" 6"));
}

#[test]
fn match_of_two_games_is_judged_by_the_games_as_black() {
    use Ending::{BlackMated, Unmated, WhiteMated};
    use MatchResult::{Draw, FirstBlack, SecondBlack};
    let judge = |first, second| match_result(60, first, second);
    assert_eq!(judge(WhiteMated(30), WhiteMated(31)), FirstBlack);
    assert_eq!(judge(WhiteMated(31), WhiteMated(30)), SecondBlack);
    assert_eq!(judge(WhiteMated(30), WhiteMated(30)), Draw);
    assert_eq!(judge(WhiteMated(60), Unmated), FirstBlack);
    assert_eq!(judge(Unmated, Unmated), Draw);
    // No game counts more than 61 moves.
    assert_eq!(judge(WhiteMated(70), Unmated), Draw);
    assert_eq!(judge(BlackMated(59), Unmated), SecondBlack);
    assert_eq!(judge(BlackMated(20), BlackMated(19)), FirstBlack);
    assert_eq!(judge(BlackMated(20), BlackMated(20)), Draw);
    assert_eq!(judge(BlackMated(20), BlackMated(21)), SecondBlack);
}

#[test]
fn endings_are_read_off_the_last_position() {
    let ending = |text: &str| {
        with_setup!(read("spartan", text), start => {
            Ending::of(start.game.outcome(&start.position), start.position.fullmove)
        })
    };
    // Black mated on move 60, White on move 3.
    assert_eq!(
        ending("K6r/8/1k6/8/8/8/8/8 w - - 0 61"),
        Some(Ending::WhiteMated(60))
    );
    assert_eq!(
        ending("k6R/8/1K6/8/8/8/8/8 b - - 0 3"),
        Some(Ending::BlackMated(3))
    );
    assert_eq!(
        ending("7k/8/8/8/8/8/8/K7 w - - 0 61"),
        Some(Ending::Unmated)
    );
    assert_eq!(ending("7k/8/8/8/8/8/8/K7 w - - 0 60"), None);
}

// Submission.

#[test]
fn checkmating_is_illegal() {
    assert!(!after("submission", "start", "f2f4 e7e6 g2g4").can("d8h4"));
}

#[test]
fn check_with_a_king_step_as_only_answer_wins() {
    let v = "submission";
    let line = "f2f4 e7e6 g2g4 b8c6 e2e4 d8h4";
    ends(v, "start", line, "black-wins submission");
    // With the knight on f3 the queen can be taken.
    ends(v, "start", "f2f4 e7e6 g2g4 b8c6 g1f3 d8h4", "ongoing");
}

#[test]
fn answers_that_checkmate_do_not_count() {
    // After g7g6 the capture h5g6 would mate from h4, so h5h6 is the only answer.
    let text = "7k/6p1/5p2/7K/2B3PR/8/4n3/8 b - - 0 1";
    ends("submission", text, "g7g6", "black-wins submission");
    // With h6 guarded by a pinned bishop the check is as forbidden as a checkmate.
    let guarded = "R4b1k/6p1/5p2/7K/2B3PR/8/8/8 b - - 0 1";
    assert!(!at("submission", guarded).can("g7g6"));
    assert!(at("fide", guarded).can("g7g6"));
}

#[test]
fn king_capture_as_only_answer_is_no_submission() {
    let text = "7k/1q6/8/8/8/8/8/K7 b - - 0 1";
    ends("submission", text, "b7b2", "ongoing");
    assert_eq!(after("submission", text, "b7b2").turns, ["a1b2"]);
}

#[test]
fn block_as_only_answer_is_no_submission() {
    let text = "6k1/5ppp/8/8/8/8/3r4/R6K w - - 0 1";
    ends("submission", text, "a1a8", "ongoing");
    assert_eq!(after("submission", text, "a1a8").turns, ["d2d8"]);
}

#[test]
fn several_king_steps_as_answers_are_no_submission() {
    let text = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    ends("submission", text, "a1a8", "ongoing");
    assert_eq!(
        after("submission", text, "a1a8").turns,
        ["e8d7", "e8e7", "e8f7"]
    );
}

#[test]
fn single_king_step_without_check_is_no_submission() {
    let text = "k7/8/8/8/8/8/8/1R5K b - - 0 1";
    ends("submission", text, "", "ongoing");
}

#[test]
fn only_checkmates_left_is_checkmate_in_check_and_else_stalemate() {
    let checked = "R4b1k/8/5pp1/7K/2B3PR/8/8/8 w - - 0 1";
    assert_eq!(at("fide", checked).turns, ["h5g6"]);
    ends("submission", checked, "", "black-wins checkmate");
    let free = "3k/3P/p1PK/pq2/4 w - - 0 1";
    assert_eq!(at("fide", free).turns, ["c3c4"]);
    ends("submission", free, "", "draw stalemate");
}

// Triple Check.

#[test]
fn safe_supported_quiet_check_wins() {
    let seen = after("triple-check", "start", "b1c3 d7d5 e2e4 d5d4 f1b5");
    assert_eq!(seen.outcome, "white-wins triple-check");
    assert!(seen.fen.ends_with(" over=triple-check"));
    assert!(seen.turns.is_empty());
}

#[test]
fn check_needs_one_of_three_conditions() {
    let v = "triple-check";
    // A capture, unsupported, that the king can answer by capturing.
    assert!(!at(v, "4k3/3p4/8/8/8/8/8/3QK3 w - - 0 1").can("d1d7"));
    // Quiet alone.
    ends(v, "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1d7", "ongoing");
    // Safe alone.
    ends(v, "n3k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "a1a8", "ongoing");
    // Supported alone.
    let supported = "3rk3/3p4/8/8/8/8/3Q4/3RK3 w - - 0 1";
    ends(v, supported, "d2d7", "ongoing");
}

#[test]
fn two_of_three_conditions_do_not_win() {
    let v = "triple-check";
    // Safe and quiet, quiet and supported, safe and supported.
    ends(v, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "ongoing");
    let unsafe_check = "3rk3/8/8/8/8/8/3Q4/3RK3 w - - 0 1";
    ends(v, unsafe_check, "d2d7", "ongoing");
    let capture = "4k3/3p4/8/8/8/8/3Q4/3RK3 w - - 0 1";
    ends(v, capture, "d2d7", "ongoing");
}

#[test]
fn pinned_unit_cannot_capture_the_checking_one() {
    let v = "triple-check";
    let pinned = "4k3/8/2n5/1B4B1/8/8/8/3RK3 w - - 0 1";
    ends(v, pinned, "d1d8", "white-wins triple-check");
    let free = "4k3/8/2n5/6B1/8/8/8/3RK3 w - - 0 1";
    ends(v, free, "d1d8", "ongoing");
}

#[test]
fn pinned_unit_and_king_support() {
    let v = "triple-check";
    let pinned = "4k1r1/8/2n5/1B4B1/8/8/8/3R2K1 w - - 0 1";
    ends(v, pinned, "d1d8", "white-wins triple-check");
    let king = "4k3/8/4K3/8/1Q6/8/8/8 w - - 0 1";
    ends(v, king, "b4e7", "white-wins triple-check");
}

#[test]
fn triple_check_comes_before_checkmate() {
    let text = "4k3/4Q3/4K3/8/8/8/8/8 b - - 0 1";
    ends("triple-check", text, "", "white-wins checkmate");
    let over = format!("{text} over=triple-check");
    ends("triple-check", &over, "", "white-wins triple-check");
}

#[test]
fn every_unit_of_a_double_check_must_satisfy_a_condition() {
    // The rook's check on e1 is safe, the bishop's is not.
    let text = "4k3/3p4/4B3/8/8/8/8/4R1K1 w - - 0 1";
    assert!(!at("triple-check", text).can("e6d7"));
}

#[test]
fn every_unit_of_a_double_check_must_be_safe_and_supported_to_win() {
    let v = "triple-check";
    // The queen supports the knight, the pawn the queen.
    let both = "4k3/8/4N3/4Q3/3P4/8/8/4K3 w - - 0 1";
    ends(v, both, "e6c7", "white-wins triple-check");
    let one = "4k3/8/4N3/4Q3/8/8/8/3K4 w - - 0 1";
    ends(v, one, "e6c7", "ongoing");
}

#[test]
fn pawn_that_en_passant_can_take_is_not_safe() {
    let v = "triple-check";
    let text = "8/8/8/5k2/3p4/3P4/4P3/4K3 w - - 0 1";
    ends(v, text, "e2e4", "ongoing");
    assert!(after(v, text, "e2e4").can("d4e3"));
    let alone = "8/8/8/5k2/8/3P4/4P3/4K3 w - - 0 1";
    ends(v, alone, "e2e4", "white-wins triple-check");
}

#[test]
fn capture_in_passing_is_not_quiet() {
    let v = "triple-check";
    // The king could take the pawn.
    let text = "8/2k5/8/3pP3/8/8/8/K7 w - d6 0 1";
    assert!(at("fide", text).can("e5d6") && !at(v, text).can("e5d6"));
    // Safe and supported, but a capture.
    let supported = "8/2k5/8/3pP3/8/B7/8/K7 w - d6 0 1";
    ends(v, supported, "e5d6", "ongoing");
}

#[test]
fn only_forbidden_checks_left_loses() {
    let v = "triple-check";
    let text = "8/8/8/7k/5pp1/1q3P2/8/K7 w - - 0 1";
    assert_eq!(at("fide", text).turns, ["f3g4"]);
    ends(v, text, "", "black-wins forced-check");
    let bare = "8/8/8/7k/5pp1/1q6/8/K7 w - - 0 1";
    ends(v, bare, "", "draw stalemate");
    // In check, with a forbidden check as the only way out.
    let checked = "1r4b1/8/8/8/8/2k5/2n4R/K7 w - - 0 1";
    assert_eq!(at("fide", checked).turns, ["h2c2"]);
    ends(v, checked, "", "black-wins checkmate");
}

// Twilight.

#[test]
fn capturing_the_last_of_a_class_wins() {
    let v = "twilight";
    let minor = after(v, "4k3/8/8/3n4/4B3/8/8/4K3 w - - 0 1", "e4d5");
    assert_eq!(minor.outcome, "white-wins minors-eliminated");
    assert!(minor.fen.ends_with(" over=minors-eliminated"));
    let passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    ends(v, passant, "e5d6", "white-wins pawns-eliminated");
    let rook = "4k3/8/8/8/8/8/r7/K7 w - - 0 1";
    ends(v, rook, "a1a2", "white-wins majors-eliminated");
}

#[test]
fn another_unit_of_the_class_goes_on() {
    let v = "twilight";
    ends(v, "3qk3/8/8/8/8/8/r7/K7 w - - 0 1", "a1a2", "ongoing");
    ends(v, "4k2b/8/8/3n4/4B3/8/8/4K3 w - - 0 1", "e4d5", "ongoing");
    ends(v, "4k3/7p/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "ongoing");
}

#[test]
fn promoting_the_last_pawn_loses_nothing() {
    let text = "7r/P6k/8/8/8/8/8/K7 w - - 0 1";
    ends("twilight", text, "a7a8n", "ongoing");
    // The promoted knight is a minor piece, and his last.
    ends(
        "twilight",
        text,
        "a7a8n h8a8",
        "black-wins minors-eliminated",
    );
}

#[test]
fn class_that_was_never_there_is_not_eliminated() {
    ends("twilight", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", "ongoing");
}

#[test]
fn elimination_comes_before_checkmate() {
    let text = "k7/p7/1K6/8/8/8/8/Q7 w - - 0 1";
    ends("twilight", text, "a1a7", "white-wins pawns-eliminated");
}

#[test]
fn stalemate_and_checkmate_lose() {
    let v = "twilight";
    ends(
        v,
        "k7/8/1Q6/8/8/8/8/7K b - - 0 1",
        "",
        "white-wins stalemate",
    );
    ends(
        v,
        "k6R/8/1K6/8/8/8/8/8 b - - 0 1",
        "",
        "white-wins checkmate",
    );
}

#[test]
fn over_needs_a_side_to_move_without_the_class() {
    let text = |side, reason| format!("4k3/4p3/8/8/8/8/8/4K3 {side} - - 0 1 over={reason}");
    assert!(refused("twilight", &text("b", "pawns-eliminated")));
    assert!(refused("twilight", &text("w", "kings-eliminated")));
    let won = text("w", "pawns-eliminated");
    ends("twilight", &won, "", "black-wins pawns-eliminated");
}

// Ultimate.

#[test]
fn pawn_check_wins() {
    let text = "8/8/8/3k4/8/4P3/8/4K3 w - - 0 1";
    ends("ultimate", text, "e3e4", "white-wins ultimate-mate");
}

#[test]
fn checkmate_comes_before_ultimate_mate() {
    let text = "6bk/7p/6PK/8/8/8/8/8 w - - 0 1";
    ends("ultimate", text, "g6g7", "white-wins checkmate");
}

#[test]
fn knight_check_with_exactly_one_answer_wins() {
    let v = "ultimate";
    let one = "7k/6pp/8/4N3/8/8/8/K7 w - - 0 1";
    ends(v, one, "e5f7", "white-wins ultimate-mate");
    let two = "7k/7p/8/4N3/8/8/8/K7 w - - 0 1";
    ends(v, two, "e5f7", "ongoing");
}

#[test]
fn only_answer_to_a_knight_may_be_any_turn() {
    // Only the bishop can answer, by taking.
    let text = "6rk/6pp/8/3bN3/8/8/8/K7 w - - 0 1";
    ends("ultimate", text, "e5f7", "white-wins ultimate-mate");
}

#[test]
fn promotions_are_several_answers_to_a_knight() {
    let text = "8/8/8/8/1K6/8/kp6/nbN5 b - - 0 1";
    let seen = at("ultimate", text);
    assert_eq!(seen.outcome, "ongoing");
    assert_eq!(seen.turns, ["b2c1b", "b2c1n", "b2c1q", "b2c1r"]);
}

#[test]
fn bishop_check_that_drives_the_king_away_wins() {
    let v = "ultimate";
    let text = "4k3/8/8/8/8/8/4B3/4K3 w - - 0 1";
    ends(v, text, "e2b5", "white-wins ultimate-mate");
    let block = "4k3/2p5/8/8/8/8/4B3/4K3 w - - 0 1";
    ends(v, block, "e2b5", "ongoing");
}

#[test]
fn king_that_can_capture_the_bishop_need_not_flee() {
    let v = "ultimate";
    ends(v, "4k3/8/8/8/6B1/8/8/4K3 w - - 0 1", "g4d7", "ongoing");
    // Capturing something else does not help.
    let other = "4k3/5N2/8/8/8/8/4B3/4K3 w - - 0 1";
    ends(v, other, "e2b5", "white-wins ultimate-mate");
}

#[test]
fn rook_check_that_drives_the_king_into_loneliness_wins() {
    let v = "ultimate";
    let text = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    ends(v, text, "a1a8", "white-wins ultimate-mate");
}

#[test]
fn rook_check_next_to_own_unit_is_no_mate() {
    let v = "ultimate";
    let text = "4k3/8/3p4/8/8/8/8/R3K3 w - - 0 1";
    ends(v, text, "a1a8", "ongoing");
    let block = "4k3/8/8/2r5/8/8/8/R3K3 w - - 0 1";
    ends(v, block, "a1a8", "ongoing");
}

#[test]
fn next_to_own_unit_means_by_rank_file_or_diagonal() {
    let v = "ultimate";
    // On d7 the king stands beside c7, or touches c6 at the corner.
    ends(v, "4k3/2p5/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "ongoing");
    ends(v, "4k3/8/2p5/8/8/8/8/R3K3 w - - 0 1", "a1a8", "ongoing");
    // b6 is too far away.
    let far = "4k3/8/1p6/8/8/8/8/R3K3 w - - 0 1";
    ends(v, far, "a1a8", "white-wins ultimate-mate");
}

#[test]
fn king_that_captures_the_rook_alone_is_lost_too() {
    let text = "4k3/R7/8/8/8/8/8/7K w - - 0 1";
    ends("ultimate", text, "a7e7", "white-wins ultimate-mate");
}

#[test]
fn any_unit_of_a_double_check_is_enough() {
    // The knight leaves several answers; the rook drives the king into loneliness.
    let text = "4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1";
    ends("ultimate", text, "e4d6", "white-wins ultimate-mate");
}

#[test]
fn queen_check_and_stalemate_are_as_in_orthodox_chess() {
    let v = "ultimate";
    // A single answer to a queen is enough.
    let single = "6k1/5ppp/8/8/8/8/3r4/Q6K w - - 0 1";
    ends(v, single, "a1a8", "ongoing");
    assert_eq!(after(v, single, "a1a8").turns, ["d2d8"]);
    ends(v, "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "a1a8", "ongoing");
    ends(v, "k7/8/1Q6/8/8/8/8/7K b - - 0 1", "", "draw stalemate");
}

// Xenophobic.

#[test]
fn intruder_that_cannot_be_captured_mates() {
    let text = "7k/8/4N3/8/8/8/8/K7 w - - 0 1";
    ends("xenophobic", text, "e6d8", "white-wins checkmate");
}

#[test]
fn intruder_must_be_captured_at_once() {
    let text = "r6k/8/4N3/8/8/8/8/1K6 w - - 0 1";
    assert_eq!(after("xenophobic", text, "e6d8").turns, ["a8d8"]);
}

#[test]
fn intruder_is_captured_by_the_king_too_and_no_castling_evades_it() {
    let text = "3Nk2r/8/8/8/8/8/8/K7 b k - 0 1";
    assert_eq!(at("xenophobic", text).turns, ["e8d8"]);
    // With one captured the other would stay.
    let two = "3NkN2/8/8/8/8/8/8/K7 b - - 0 1";
    ends("xenophobic", two, "", "white-wins checkmate");
}

#[test]
fn only_the_four_middle_squares_are_guarded() {
    let v = "xenophobic";
    ends(v, "8/8/2N5/8/8/8/7k/K7 w - - 0 1", "c6b8", "ongoing");
    ends(v, "8/4N3/8/8/8/8/7k/K7 w - - 0 1", "e7g8", "ongoing");
    ends(
        v,
        "8/4N3/8/8/8/8/7k/K7 w - - 0 1",
        "e7c8",
        "white-wins checkmate",
    );
    // Own units may stand there, and enemies on one's last rank.
    ends(v, "7k/8/8/8/8/8/8/K3N3 w - - 0 1", "a1b1", "ongoing");
}

#[test]
fn two_intruders_are_mate() {
    let text = "r2NN2k/8/8/8/8/8/8/1K6 b - - 0 1";
    ends("xenophobic", text, "", "white-wins checkmate");
}

#[test]
fn intruder_together_with_a_check_is_mate() {
    let text = "r2N3k/8/8/8/8/8/8/1K5R b - - 0 1";
    ends("xenophobic", text, "", "white-wins checkmate");
}

#[test]
fn pinned_unit_does_not_capture_the_intruder_nor_the_king_a_supported_one() {
    let v = "xenophobic";
    let pinned = "3N4/R2r3k/8/8/8/8/8/K7 b - - 0 1";
    ends(v, pinned, "", "white-wins checkmate");
    let free = "3N4/3r3k/8/8/8/8/8/K7 b - - 0 1";
    assert_eq!(at(v, free).turns, ["d7d8"]);
    let supported = "R2Nk3/8/8/8/8/8/8/K7 b - - 0 1";
    ends(v, supported, "", "white-wins checkmate");
}

#[test]
fn white_is_guarded_on_his_own_first_rank() {
    let v = "xenophobic";
    ends(
        v,
        "7k/8/8/8/8/8/K7/2n5 w - - 0 1",
        "",
        "black-wins checkmate",
    );
    ends(v, "7k/8/8/8/8/8/K7/6n1 w - - 0 1", "", "ongoing");
}

#[test]
fn intruding_king_mates() {
    let text = "8/4K3/8/8/8/8/7k/8 w - - 0 1";
    ends("xenophobic", text, "e7e8", "white-wins checkmate");
}

#[test]
fn side_that_left_an_intruder_is_refused() {
    let text = |side| format!("3N3k/8/8/8/8/8/8/K7 {side} - - 0 1");
    assert!(refused("xenophobic", &text("w")));
    ends("xenophobic", &text("b"), "", "white-wins checkmate");
}

#[test]
fn middle_squares_on_other_widths() {
    let v = "xenophobic";
    // Six files: b to e. Five: a to d. Three: all.
    ends(v, "N5/6/5k/6/6/K5 b - - 0 1", "", "ongoing");
    ends(v, "1N4/6/5k/6/6/K5 b - - 0 1", "", "white-wins checkmate");
    ends(v, "4N1/6/5k/6/6/K5 b - - 0 1", "", "white-wins checkmate");
    ends(v, "4N/5/5/k4/5/4K b - - 0 1", "", "ongoing");
    ends(v, "N4/5/5/4k/5/K4 b - - 0 1", "", "white-wins checkmate");
    ends(v, "2N/3/k2/3/2K b - - 0 1", "", "white-wins checkmate");
}

#[test]
fn stalemate_without_an_intruder_is_a_draw() {
    let text = "k7/8/1Q6/8/8/8/8/7K b - - 0 1";
    ends("xenophobic", text, "", "draw stalemate");
}
