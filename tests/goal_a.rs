//! Positions checked by hand against the rule book: the capture games Clerical, Decastellation,
//! Donnybrook, Dynastic, Entourage, Junta, Prop, Shrapnel, Tyrant, Zoo.

use fairyproof::board::{Color, Squares};
use fairyproof::notation::{Setup, fen, turns};
use fairyproof::sets;
use fairyproof::with_setup;

fn read(variant: &str, fen: &str) -> Result<Setup, String> {
    let variant = sets::parse(variant).expect("a variant");
    Setup::read(&variant, Some(fen)).map_err(|e| e.to_string())
}

fn setup(variant: &str, fen: &str) -> Setup {
    read(variant, fen).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn start(variant: &str) -> Setup {
    Setup::read(&sets::parse(variant).expect("a variant"), None).expect("a start position")
}

/// The legal turns, in byte order.
fn legal(setup: &Setup) -> Vec<String> {
    with_setup!(setup, s => turns::sorted(s.game.as_ref(), &s.position)
        .into_iter()
        .map(|(text, _)| text)
        .collect())
}

fn listed(variant: &str, fen: &str) -> String {
    legal(&setup(variant, fen)).join(" ")
}

fn has(variant: &str, fen: &str, turn: &str) -> bool {
    legal(&setup(variant, fen)).iter().any(|t| t == turn)
}

/// The turns that begin with this text.
fn beginning(variant: &str, fen: &str, text: &str) -> String {
    let turns = legal(&setup(variant, fen));
    let found: Vec<&str> = turns
        .iter()
        .map(String::as_str)
        .filter(|t| t.starts_with(text))
        .collect();
    found.join(" ")
}

fn outcome(variant: &str, fen: &str) -> String {
    with_setup!(&setup(variant, fen), s => s.game.outcome(&s.position).to_string())
}

/// The FEN and the outcome after these turns.
fn after(variant: &str, fen: &str, played: &[&str]) -> (String, String) {
    with_setup!(&setup(variant, fen), s => {
        let game = s.game.as_ref();
        let mut p = s.position;
        for (i, text) in played.iter().enumerate() {
            let turn = turns::find(game, &p, text, i + 1).unwrap_or_else(|e| panic!("{e}"));
            p = game.play(&p, &turn);
        }
        (fen::print(game, &p), game.outcome(&p).to_string())
    })
}

fn fen_after(variant: &str, fen: &str, played: &[&str]) -> String {
    after(variant, fen, played).0
}

fn outcome_after(variant: &str, fen: &str, played: &[&str]) -> String {
    after(variant, fen, played).1
}

fn refused(variant: &str, fen: &str) -> String {
    match read(variant, fen) {
        Ok(_) => panic!("{fen} is accepted"),
        Err(why) => why,
    }
}

const CAPTURE_GAMES: [&str; 10] = [
    "clerical",
    "decastellation",
    "donnybrook",
    "dynastic",
    "entourage",
    "junta",
    "prop",
    "shrapnel",
    "tyrant",
    "zoo",
];

// ---- all of them

#[test]
fn king_may_be_left_attacked_and_captured_in_every_capture_game() {
    // The king on e1 may step to e2 in front of the rook, and the rook a1 may take the king a8.
    // (In Dynastic it steps like a king because there is no queen; in Prop it needs support; in
    // Tyrant only king and queen capture.)
    let board = "k3r3/b7/8/8/8/5N2/B7/1R2K3 w - - 0 1";
    let rook = "k3r3/8/7b/8/8/8/1B6/R3K3 w - - 0 1";
    for variant in CAPTURE_GAMES {
        if variant != "prop" {
            assert!(has(variant, board, "e1e2"), "{variant}");
        }
        if !matches!(variant, "prop" | "tyrant") {
            assert!(has(variant, rook, "a1a8"), "{variant}");
        }
    }
    // With support, and forward.
    assert!(has("prop", "k3r3/8/8/8/8/8/1R6/4K3 w - - 0 1", "e1e2"));
    assert!(has(
        "tyrant",
        "k3r3/7p/8/8/8/8/7P/Q3K3 w - - 0 1",
        "a1a8+K@c1"
    ));
}

#[test]
fn castling_is_kept_only_where_the_variant_has_it() {
    let board = "r3k2r/8/2b2b2/8/8/2B2B2/8/R3K2R w KQkq - 0 1";
    for variant in CAPTURE_GAMES {
        let castles = matches!(variant, "decastellation" | "entourage" | "prop");
        let text =
            with_setup!(&setup(variant, board), s => fen::print(s.game.as_ref(), &s.position));
        assert_eq!(text.contains(" KQkq "), castles, "{variant}");
        if variant != "prop" {
            assert_eq!(has(variant, board, "e1g1"), castles, "{variant}");
        }
    }
}

#[test]
fn two_kings_of_a_side_are_refused_outside_clerical() {
    let board = "k1k5/b7/8/8/8/8/B7/K7 w - - 0 1";
    for variant in CAPTURE_GAMES {
        assert_eq!(
            read(variant, board).is_ok(),
            variant == "clerical",
            "{variant}"
        );
    }
}

#[test]
fn promotions_are_those_of_each_variant() {
    let board = "7k/P7/8/1b1r4/1B1R4/8/8/K7 w - - 0 1";
    for (variant, letters) in [
        ("clerical", "knqr"),
        ("decastellation", "bnqr"),
        ("donnybrook", "bnr"),
        ("dynastic", "bnr"),
        ("entourage", "bnqr"),
        ("junta", "bqr"),
        ("shrapnel", "bnqr"),
        ("tyrant", "bnr"),
        ("zoo", "bnqr"),
    ] {
        let right: Vec<String> = letters.chars().map(|c| format!("a7a8{c}")).collect();
        assert_eq!(
            beginning(variant, board, "a7a8"),
            right.join(" "),
            "{variant}"
        );
    }
    // In Prop the promotion square needs support.
    let supported = "8/P6k/8/8/R7/8/8/K6R w - - 0 1";
    assert_eq!(beginning("prop", supported, "a7a8"), "");
    let supported = "8/P6k/1N6/8/8/8/8/K7 w - - 0 1";
    assert_eq!(
        beginning("prop", supported, "a7a8"),
        "a7a8b a7a8n a7a8q a7a8r"
    );
}

#[test]
fn double_step_and_en_passant_stay_in_capture_games() {
    let board = "k4rb1/8/8/8/3p4/8/4P3/K4RB1 w - - 0 1";
    let there = "k4rb1/8/8/8/3pP3/8/8/K4RB1 b - e3 0 1";
    for variant in [
        "clerical",
        "decastellation",
        "donnybrook",
        "dynastic",
        "entourage",
        "junta",
    ] {
        assert_eq!(fen_after(variant, board, &["e2e4"]), there, "{variant}");
        assert!(has(variant, there, "d4e3"), "{variant}");
    }
}

// ---- clerical

#[test]
fn capturing_the_last_bishop_wins_clerical() {
    let board = "4k3/8/8/8/3b4/4P3/8/4K1B1 w - - 0 1";
    assert_eq!(
        outcome_after("clerical", board, &["e3d4"]),
        "white-wins bishops-captured"
    );
}

#[test]
fn capturing_one_of_two_bishops_decides_nothing_in_clerical() {
    let board = "4k3/b7/8/8/3b4/4P3/8/4K1B1 w - - 0 1";
    assert_eq!(outcome_after("clerical", board, &["e3d4"]), "ongoing");
}

#[test]
fn side_to_move_without_bishop_loses_clerical_first() {
    assert_eq!(
        outcome("clerical", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        "black-wins bishops-captured"
    );
    assert_eq!(
        outcome("clerical", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        "white-wins bishops-captured"
    );
}

#[test]
fn last_bishops_facing_at_a_distance_cannot_capture_each_other() {
    assert_eq!(listed("clerical", "7b/8/8/8/8/8/8/B7 w - - 0 1"), "a1b2");
    assert_eq!(listed("clerical", "7b/8/8/8/8/8/8/B7 b - - 0 1"), "h8g7");
}

#[test]
fn last_bishop_under_attack_captures_on_a_neighboring_square() {
    assert_eq!(listed("clerical", "8/8/8/8/8/8/1b6/B7 w - - 0 1"), "a1b2");
    assert_eq!(
        beginning("clerical", "b7/8/8/4p3/r2B4/8/8/8 w - - 0 1", "d4"),
        "d4c3 d4c5 d4e3 d4e5"
    );
}

#[test]
fn unattacked_last_bishop_has_its_full_range() {
    assert_eq!(
        beginning("clerical", "b7/8/8/8/3B4/8/8/8 w - - 0 1", "d4").len(),
        13 * 5 - 1
    );
}

#[test]
fn attacked_bishop_that_is_not_the_last_has_its_full_range() {
    assert!(has("clerical", "b7/8/8/8/r2B4/8/8/7B w - - 0 1", "d4g7"));
    assert!(!has("clerical", "b7/8/8/8/r2B4/8/8/8 w - - 0 1", "d4g7"));
}

#[test]
fn attack_by_any_unit_shortens_the_last_bishop() {
    // Pawn c5, knight b5, rook and queen d8, king d5.
    for board in [
        "b7/8/8/2p5/3B4/8/8/8",
        "b7/8/8/1n6/3B4/8/8/8",
        "b2r4/8/8/8/3B4/8/8/8",
        "b2q4/8/8/8/3B4/8/8/8",
        "b7/8/8/3k4/3B4/8/8/8",
    ] {
        let board = format!("{board} w - - 0 1");
        assert_eq!(
            beginning("clerical", &board, "d4"),
            "d4c3 d4c5 d4e3 d4e5",
            "{board}"
        );
    }
}

#[test]
fn several_kings_may_stand_in_clerical() {
    assert!(has("clerical", "KKb5/8/8/8/8/8/8/kk5B w - - 0 1", "a8a7"));
}

#[test]
fn capturing_a_king_decides_nothing_in_clerical() {
    let board = "3rk3/8/8/b7/B7/8/8/4K3 w - - 0 1";
    assert_eq!(outcome_after("clerical", board, &["a4e8"]), "ongoing");
}

#[test]
fn no_turn_is_a_draw_in_clerical() {
    assert_eq!(
        outcome("clerical", "8/7b/8/8/8/1p6/1P6/B7 w - - 0 1"),
        "draw stalemate"
    );
}

// ---- decastellation

#[test]
fn capturing_the_king_wins_decastellation() {
    let board = "r3k3/8/8/8/8/8/8/K3R3 w - - 0 1";
    assert_eq!(
        outcome_after("decastellation", board, &["e1e8"]),
        "white-wins king-captured"
    );
}

#[test]
fn capturing_the_last_rook_wins_decastellation() {
    let board = "4k2r/6P1/8/8/8/8/8/4K2R w K - 0 1";
    assert_eq!(
        outcome_after("decastellation", board, &["g7h8r"]),
        "white-wins rooks-captured"
    );
    let two = "r3k2r/6P1/8/8/8/8/8/4K2R w K - 0 1";
    assert_eq!(outcome_after("decastellation", two, &["g7h8r"]), "ongoing");
}

#[test]
fn promoted_rook_counts_in_decastellation() {
    let board = "4k3/P7/8/8/8/8/6r1/4K1R1 w - - 0 1";
    assert_eq!(
        outcome_after("decastellation", board, &["a7a8r", "g2g1"]),
        "ongoing"
    );
    assert_eq!(
        outcome_after("decastellation", board, &["a7a8q", "g2g1"]),
        "black-wins rooks-captured"
    );
}

#[test]
fn kings_are_looked_at_before_rooks_in_decastellation() {
    assert_eq!(
        outcome("decastellation", "8/8/8/8/8/8/r7/4K3 w - - 0 1"),
        "white-wins king-captured"
    );
}

#[test]
fn side_to_move_is_looked_at_first_in_decastellation() {
    assert_eq!(
        outcome("decastellation", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        "black-wins rooks-captured"
    );
    assert_eq!(
        outcome("decastellation", "8/8/8/8/8/8/8/rR6 b - - 0 1"),
        "white-wins king-captured"
    );
}

#[test]
fn castling_out_of_through_and_into_attack_is_legal_in_decastellation() {
    for rook in ["4r3", "5r2", "6r1"] {
        let board = format!("4k3/8/8/8/8/8/{rook}/4K2R w K - 0 1");
        assert!(has("decastellation", &board, "e1g1"), "{board}");
    }
    assert!(!has(
        "decastellation",
        "r3k3/8/8/8/8/8/8/4KN1R w K - 0 1",
        "e1g1"
    ));
    assert!(!has(
        "decastellation",
        "r3k3/8/8/8/8/8/8/4K2R w - - 0 1",
        "e1g1"
    ));
}

#[test]
fn no_turn_is_a_draw_in_decastellation() {
    // One file: every white unit is blocked.
    assert_eq!(
        outcome("decastellation", "k/r/p/P/R/K w - - 0 1"),
        "draw stalemate"
    );
}

// ---- donnybrook

#[test]
fn captured_knight_is_re_entered_before_a_step() {
    let board = "k7/8/8/3n4/4P3/8/8/K7 w - - 0 1";
    assert_eq!(
        fen_after("donnybrook", board, &["e4d5"]),
        "k7/8/8/3P4/8/8/8/K7 b - - 0 1 return=N"
    );
    let returned = "k7/8/8/3P4/8/8/8/K7 b - - 0 1 return=N";
    let turns = legal(&setup("donnybrook", returned));
    // 58 squares leave the king three steps, the three beside him two.
    assert_eq!(turns.len(), 58 * 3 + 3 * 2);
    assert!(turns.iter().all(|t| t.starts_with("N@")));
    assert_eq!(
        fen_after("donnybrook", returned, &["N@h1+a8b8"]),
        "1k6/8/8/3P4/8/8/8/K6n w - - 1 2"
    );
}

#[test]
fn re_entered_unit_may_not_step_in_the_same_turn() {
    let returned = "k7/8/8/3P4/8/8/8/K7 b - - 0 1 return=N";
    assert!(
        beginning("donnybrook", returned, "N@h1+")
            .split(' ')
            .all(|turn| turn.starts_with("N@h1+a8"))
    );
}

#[test]
fn captured_bishop_returns_only_to_a_side_with_queen() {
    let with = "k6q/8/8/3b4/4P3/8/8/K7 w - - 0 1";
    assert!(fen_after("donnybrook", with, &["e4d5"]).ends_with(" return=B"));
    let without = "k7/8/8/3b4/4P3/8/8/K7 w - - 0 1";
    assert!(fen_after("donnybrook", without, &["e4d5"]).ends_with(" 0 1"));
}

#[test]
fn captured_knight_returns_only_to_a_side_with_king() {
    let without = "7q/8/8/3n4/4P3/8/8/K7 w - - 0 1";
    assert!(fen_after("donnybrook", without, &["e4d5"]).ends_with(" 0 1"));
}

#[test]
fn captured_rook_returns_to_a_side_with_either_monarch() {
    for monarch in ["k7", "q7"] {
        let board = format!("{monarch}/8/8/3r4/4P3/8/8/K7 w - - 0 1");
        assert!(fen_after("donnybrook", &board, &["e4d5"]).ends_with(" return=R"));
    }
}

#[test]
fn captured_pawn_and_queen_do_not_return() {
    let pawn = "k7/8/8/3p4/4P3/8/8/K7 w - - 0 1";
    assert!(fen_after("donnybrook", pawn, &["e4d5"]).ends_with(" 0 1"));
    let queen = "k7/8/8/3q4/4P3/8/8/K7 w - - 0 1";
    assert!(fen_after("donnybrook", queen, &["e4d5"]).ends_with(" 0 1"));
}

#[test]
fn capture_in_a_turn_with_re_entry_sets_the_next_return() {
    let board = "k7/8/8/3n4/4P3/8/8/K7 w - - 0 1 return=R";
    assert_eq!(
        fen_after("donnybrook", board, &["R@h1+e4d5"]),
        "k7/8/8/3P4/8/8/8/K6R b - - 0 1 return=N"
    );
}

#[test]
fn double_step_after_re_entry_may_be_taken_en_passant() {
    let board = "k7/8/8/8/3p4/8/4P3/K7 w - - 0 1 return=R";
    assert_eq!(
        fen_after("donnybrook", board, &["R@h1+e2e4"]),
        "k7/8/8/8/3pP3/8/8/K6R b - e3 0 1"
    );
    assert!(has(
        "donnybrook",
        "k7/8/8/8/3pP3/8/8/K6R b - e3 0 1",
        "d4e3"
    ));
}

#[test]
fn en_passant_square_falls_while_a_return_is_due() {
    let board = "k7/8/8/8/3pP3/8/8/K7 b - e3 0 1 return=R";
    assert_eq!(
        fen_after("donnybrook", board, &[]),
        "k7/8/8/8/3pP3/8/8/K7 b - - 0 1 return=R"
    );
}

#[test]
fn return_that_the_owner_cannot_have_is_refused() {
    refused("donnybrook", "k7/8/8/8/8/8/8/K7 w - - 0 1 return=B");
    refused("donnybrook", "k7/8/8/8/8/8/8/Q7 w - - 0 1 return=N");
    refused("donnybrook", "k7/8/8/8/8/8/8/KQ6 w - - 0 1 return=Q");
    refused("donnybrook", "k7/8/8/8/8/8/8/KQ6 w - - 0 1 return=r");
    assert!(read("donnybrook", "k7/8/8/8/8/8/8/Q7 w - - 0 1 return=B").is_ok());
    assert!(read("donnybrook", "k7/8/8/8/8/8/8/K7 w - - 0 1 return=N").is_ok());
}

#[test]
fn no_vacant_square_or_no_other_step_is_a_draw_in_donnybrook() {
    // Without the return, the rook could capture.
    assert_eq!(
        outcome("donnybrook", "kr/KR w - - 0 1 return=R"),
        "draw stalemate"
    );
    assert_eq!(outcome("donnybrook", "kr/KR w - - 0 1"), "ongoing");
    // The rook could go on from a4, but it is not another unit.
    assert_eq!(
        outcome("donnybrook", "k/1/1/p/P/K w - - 0 1 return=R"),
        "draw stalemate"
    );
}

#[test]
fn donnybrook_queen_steps_like_a_king() {
    assert_eq!(
        listed("donnybrook", "k7/8/8/8/3Q4/8/8/8 w - - 0 1"),
        "d4c3 d4c4 d4c5 d4d3 d4d5 d4e3 d4e4 d4e5"
    );
}

#[test]
fn both_monarchs_must_be_captured_in_donnybrook() {
    let board = "k6q/8/8/8/8/8/8/K6R w - - 0 1";
    assert_eq!(outcome_after("donnybrook", board, &["h1h8"]), "ongoing");
    assert_eq!(
        outcome_after("donnybrook", board, &["h1h8", "a8b8", "h8b8"]),
        "white-wins monarchs-captured"
    );
}

#[test]
fn side_to_move_without_monarchs_loses_donnybrook_first() {
    assert_eq!(
        outcome("donnybrook", "r7/8/8/8/8/8/8/R7 w - - 0 1"),
        "black-wins monarchs-captured"
    );
}

#[test]
fn second_queen_of_a_side_is_refused_in_donnybrook_and_dynastic() {
    for variant in ["donnybrook", "dynastic"] {
        refused(variant, "k7/8/8/8/8/8/8/KQQ5 w - - 0 1");
    }
}

// ---- dynastic

#[test]
fn monarchs_apart_leap_like_knights() {
    assert_eq!(
        listed("dynastic", "k7/8/8/8/8/8/8/K2Q4 w - - 0 1"),
        "a1b3 a1c2 d1b2 d1c3 d1e3 d1f2"
    );
}

#[test]
fn monarchs_side_by_side_move_like_queens() {
    let board = "8/8/8/8/8/8/8/KQ5k w - - 0 1";
    let turns = legal(&setup("dynastic", board));
    // a1: file and long diagonal. b1: file, rank to h1, two diagonals.
    assert_eq!(turns.len(), 14 + 20);
    assert!(turns.contains(&"a1h8".to_string()));
    assert!(turns.contains(&"b1h1".to_string()));
    assert!(!turns.contains(&"a1b3".to_string()));
    // Diagonal neighbors are neighbors, two squares are not.
    assert!(has("dynastic", "8/8/8/8/8/8/1Q6/K6k w - - 0 1", "a1g1"));
    assert!(!has("dynastic", "8/8/8/8/8/1Q6/8/K6k w - - 0 1", "a1g1"));
}

#[test]
fn monarchs_moving_like_queens_are_blocked() {
    assert_eq!(
        beginning("dynastic", "8/8/8/8/8/P7/1P6/KQ5k w - - 0 1", "a1"),
        "a1a2"
    );
}

#[test]
fn enemy_monarch_next_to_ours_does_not_count() {
    assert_eq!(
        beginning("dynastic", "8/8/8/8/8/8/1k6/K6Q w - - 0 1", "a1"),
        "a1b3 a1c2"
    );
}

#[test]
fn surviving_monarch_steps_like_a_king() {
    let board = "8/8/8/8/8/8/7q/KQ5k b - - 0 1";
    let (text, _) = after("dynastic", board, &["h1b1"]);
    assert_eq!(text, "8/8/8/8/8/8/7q/Kk6 w - - 0 2");
    assert_eq!(listed("dynastic", &text), "a1a2 a1b1 a1b2");
    assert_eq!(
        listed("dynastic", "7k/8/8/8/8/8/8/Q7 w - - 0 1"),
        "a1a2 a1b1 a1b2"
    );
}

#[test]
fn capturing_both_monarchs_wins_dynastic() {
    let board = "kr6/8/8/8/8/8/8/R3K3 w - - 0 1";
    assert_eq!(
        outcome_after("dynastic", board, &["a1a8"]),
        "white-wins monarchs-captured"
    );
    let two = "kq6/8/8/8/8/8/8/R3K3 w - - 0 1";
    assert_eq!(outcome_after("dynastic", two, &["a1a8"]), "ongoing");
}

#[test]
fn side_to_move_without_monarchs_loses_dynastic_first() {
    assert_eq!(
        outcome("dynastic", "r7/8/8/8/8/8/8/R7 b - - 0 1"),
        "white-wins monarchs-captured"
    );
}

#[test]
fn no_turn_is_a_draw_in_dynastic() {
    // King and queen stand apart, and one rank is too narrow for a leap.
    assert_eq!(outcome("dynastic", "K1Qk w - - 0 1"), "draw stalemate");
    assert_eq!(outcome("dynastic", "KQ1k w - - 0 1"), "ongoing");
}

#[test]
fn monarchs_attack_as_they_move() {
    let attacked_by = |variant: &str, fen: &str, square: &str| {
        with_setup!(&setup(variant, fen), s => {
            let geometry = s.game.board().geometry();
            let target = geometry.named(square).expect("a square");
            let by = s.game.attackers(&s.position, target, Color::White);
            by.iter().map(|at| geometry.name(at)).collect::<Vec<_>>().join(" ")
        })
    };
    let apart = "7k/8/8/8/8/8/8/K2Q4 w - - 0 1";
    assert_eq!(attacked_by("dynastic", apart, "c3"), "d1");
    assert_eq!(attacked_by("dynastic", apart, "d2"), "");
    let beside = "7k/8/8/8/8/8/8/KQ6 w - - 0 1";
    assert_eq!(attacked_by("dynastic", beside, "b2"), "a1 b1");
    assert_eq!(attacked_by("dynastic", beside, "h8"), "a1");
    // In Tyrant nothing else attacks.
    let rooks = "k7/8/8/8/8/8/1PR5/K7 w - - 0 1";
    assert_eq!(attacked_by("tyrant", rooks, "b2"), "a1");
    assert_eq!(attacked_by("zoo", rooks, "b2"), "a1 c2");
}

// ---- entourage

#[test]
fn capturing_a_piece_next_to_the_king_wins_entourage() {
    for piece in ["q", "r", "b", "n"] {
        let board = format!("3{piece}k3/8/8/8/8/8/8/3RK3 w - - 0 1");
        let (text, outcome) = after("entourage", &board, &["d1d8"]);
        assert_eq!(
            text,
            "3Rk3/8/8/8/8/8/8/4K3 b - - 0 1 over=entourage-captured"
        );
        assert_eq!(outcome, "white-wins entourage-captured");
    }
}

#[test]
fn next_to_the_king_is_along_rank_file_and_diagonal() {
    for (board, turn) in [
        ("3nk3/8/8/8/8/8/8/3RK3 w - - 0 1", "d1d8"),
        ("4k3/4n3/8/8/8/8/8/K3R3 w - - 0 1", "e1e7"),
        ("4k3/3n4/8/8/8/8/8/3RK3 w - - 0 1", "d1d7"),
    ] {
        assert_eq!(
            outcome_after("entourage", board, &[turn]),
            "white-wins entourage-captured",
            "{board}"
        );
    }
}

#[test]
fn capturing_a_pawn_next_to_the_king_decides_nothing() {
    let board = "4k3/3p4/8/8/8/8/8/3RK3 w - - 0 1";
    assert_eq!(outcome_after("entourage", board, &["d1d7"]), "ongoing");
}

#[test]
fn capturing_a_piece_two_squares_from_the_king_decides_nothing() {
    let board = "2q1k3/8/8/8/8/8/8/2R1K3 w - - 0 1";
    assert_eq!(outcome_after("entourage", board, &["c1c8"]), "ongoing");
}

#[test]
fn capturing_a_piece_next_to_the_own_king_decides_nothing() {
    let board = "4k3/8/8/8/8/8/3q4/3RK3 w - - 0 1";
    assert_eq!(outcome_after("entourage", board, &["d1d2"]), "ongoing");
}

#[test]
fn capturing_the_king_wins_entourage() {
    let board = "4k3/8/8/8/8/8/8/K3R3 w - - 0 1";
    let (text, outcome) = after("entourage", board, &["e1e8"]);
    assert_eq!(text, "4R3/8/8/8/8/8/8/K7 b - - 0 1");
    assert_eq!(outcome, "white-wins king-captured");
}

#[test]
fn missing_king_is_looked_at_before_the_entourage() {
    assert_eq!(
        outcome(
            "entourage",
            "4k3/8/8/8/8/8/8/8 b - - 0 1 over=entourage-captured"
        ),
        "black-wins king-captured"
    );
    assert_eq!(
        outcome("entourage", "8/8/8/8/8/8/8/Q7 b - - 0 1"),
        "white-wins king-captured"
    );
    assert_eq!(
        outcome("entourage", "8/8/8/8/8/8/8/Q7 w - - 0 1"),
        "black-wins king-captured"
    );
}

#[test]
fn castling_through_attack_is_legal_in_entourage() {
    assert!(has("entourage", "4k3/8/8/8/8/8/5r2/4K2R w K - 0 1", "e1g1"));
}

#[test]
fn other_reasons_in_over_are_refused() {
    refused(
        "entourage",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 over=king-captured",
    );
    refused("entourage", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 over=1");
}

#[test]
fn no_turn_is_a_draw_in_entourage() {
    assert_eq!(outcome("entourage", "k/p/P/K w - - 0 1"), "draw stalemate");
}

// ---- junta

#[test]
fn second_knight_or_king_and_knight_win_junta() {
    for (before, after_it) in [("N", "NN"), ("K", "KN")] {
        let board = format!("8/8/8/8/3n4/4P3/8/K7 w - - 0 1 taken={before}/-");
        let (text, outcome) = after("junta", &board, &["e3d4"]);
        assert_eq!(
            text,
            format!("8/8/8/8/3P4/8/8/K7 b - - 0 1 taken={after_it}/-")
        );
        assert_eq!(outcome, "white-wins junta-captured");
    }
    let king = "8/8/8/8/3k4/4P3/8/K7 w - - 0 1 taken=N/-";
    assert_eq!(
        after("junta", king, &["e3d4"]),
        (
            "8/8/8/8/3P4/8/8/K7 b - - 0 1 taken=KN/-".to_string(),
            "white-wins junta-captured".to_string()
        )
    );
}

#[test]
fn first_knight_or_king_alone_decides_nothing_in_junta() {
    assert_eq!(
        after("junta", "7r/8/8/8/3n4/4P3/8/K7 w - - 0 1", &["e3d4"]),
        (
            "7r/8/8/8/3P4/8/8/K7 b - - 0 1 taken=N/-".to_string(),
            "ongoing".to_string()
        )
    );
    assert_eq!(
        after(
            "junta",
            "7r/8/8/8/3k4/4P3/8/K7 w - - 0 1 taken=-/N",
            &["e3d4"]
        ),
        (
            "7r/8/8/8/3P4/8/8/K7 b - - 0 1 taken=K/N".to_string(),
            "ongoing".to_string()
        )
    );
}

#[test]
fn each_side_counts_its_own_captures_in_junta() {
    let board = "7r/8/8/8/3n4/4P3/8/K7 w - - 0 1 taken=-/N";
    assert_eq!(outcome_after("junta", board, &["e3d4"]), "ongoing");
    let black = "k7/8/8/4p3/3N4/8/8/K7 b - - 0 1 taken=-/N";
    assert_eq!(
        outcome_after("junta", black, &["e5d4"]),
        "black-wins junta-captured"
    );
}

#[test]
fn other_captures_do_not_count_in_junta() {
    for unit in ["p", "b", "r", "q"] {
        let board = format!("k7/8/8/8/3{unit}4/4P3/8/K7 w - - 0 1 taken=N/N");
        assert!(fen_after("junta", &board, &["e3d4"]).ends_with(" taken=N/N"));
    }
}

#[test]
fn impossible_shares_are_refused_in_junta() {
    for bad in [
        "NN/KN", "NK/-", "KK/-", "NNN/-", "/N", "N", "N/-/-", "n/-", "Q/-",
    ] {
        let bad = format!("8/8/8/8/8/8/R7/1r6 w - - 0 1 taken={bad}");
        refused("junta", &bad);
    }
    // The king that was taken still stands.
    refused("junta", "k7/8/8/8/8/8/8/K7 w - - 0 1 taken=K/-");
    refused("junta", "8/8/8/8/8/8/8/K7 w - - 0 1 taken=-/KN");
    assert!(read("junta", "8/8/8/8/8/8/8/K7 w - - 0 1 taken=K/-").is_ok());
    assert!(read("junta", "k7/8/8/8/8/8/8/K7 w - - 0 1 taken=-/-").is_ok());
}

#[test]
fn no_turn_is_a_draw_in_junta() {
    assert_eq!(outcome("junta", "k/p/P/K w - - 0 1"), "draw stalemate");
}

// ---- prop

#[test]
fn only_supported_squares_may_be_entered() {
    assert_eq!(
        legal(&start("prop")).join(" "),
        "a2a3 b1a3 b1c3 c2c3 f2f3 g1f3 g1h3 h2h3"
    );
}

#[test]
fn pawn_supports_ahead_but_diagonally_only_to_capture() {
    // d3: pawn and knight. c3: the pawns b2, d2 could not capture there.
    let quiet = "k7/8/8/8/8/8/1P1P4/1N3N1K w - - 0 1";
    assert!(!has("prop", quiet, "b1c3"));
    let capture = "k7/8/8/8/8/2p5/3P4/1N5K w - - 0 1";
    assert!(has("prop", capture, "b1c3"));
    assert!(has("prop", capture, "d2c3"));
    // The pawn's double step supports too.
    let double = "k7/8/8/8/8/1N6/3P4/7K w - - 0 1";
    assert!(has("prop", double, "b3d4"));
    assert!(has("prop", double, "d2d4"));
}

#[test]
fn possible_en_passant_capture_supports() {
    let board = "k7/8/8/3pP3/8/B7/8/7K w - d6 0 1";
    assert_eq!(listed("prop", board), "a3d6 e5d6");
    let without = "k7/8/8/3pP3/8/B7/8/7K w - - 0 1";
    assert_eq!(listed("prop", without), "");
}

#[test]
fn forward_turns_are_compulsory() {
    // Rook and knight have a5 (forward for both) and e3 in common.
    assert_eq!(
        listed("prop", "k7/8/8/8/2N5/R7/8/7K w - - 0 1"),
        "a3a5 c4a5"
    );
    // Forward for Black is down the board.
    assert_eq!(listed("prop", "K7/8/8/8/2n5/r7/8/7k b - - 0 1"), "c4e3");
}

#[test]
fn support_by_a_step_that_is_not_legal_itself_counts() {
    // On e5 and e7 rook and knight support each other, but to e5 the knight would go backward.
    assert_eq!(
        listed("prop", "k7/8/2N5/8/8/8/8/4R2K w - - 0 1"),
        "c6e7 e1e5 e1e7"
    );
}

#[test]
fn backward_turns_are_legal_without_a_forward_one() {
    // The own pawn on a5 takes the one forward square that rook and knight have in common.
    let board = "7k/8/8/P7/2N5/R7/8/7K w - - 0 1";
    assert_eq!(listed("prop", board), "a3e3 c4e3");
}

#[test]
fn castling_needs_its_target_supported_by_the_rook() {
    assert_eq!(
        listed("prop", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        "e1f1 e1g1 h1f1"
    );
}

#[test]
fn castling_passes_attacked_squares_in_prop() {
    assert!(has("prop", "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"));
}

#[test]
fn castling_is_not_forward() {
    // Knight and pawn both reach d4, so castling has to wait.
    let board = "4k3/8/8/8/8/1N6/3P4/4K2R w K - 0 1";
    assert!(has("prop", board, "b3d4"));
    assert!(!has("prop", board, "e1g1"));
}

#[test]
fn no_turn_loses_prop() {
    assert_eq!(
        outcome("prop", "k7/8/8/8/8/8/8/7K w - - 0 1"),
        "black-wins no-turn"
    );
    assert_eq!(
        outcome("prop", "k7/8/8/8/8/8/8/7K b - - 0 1"),
        "white-wins no-turn"
    );
}

#[test]
fn capturing_the_king_decides_nothing_in_prop() {
    // The queen supports the rook on a8.
    let board = "k7/8/1n6/2n5/4Q3/R7/8/4K3 w - - 0 1";
    let (text, outcome) = after("prop", board, &["a3a8"]);
    assert_eq!(text, "R7/8/1n6/2n5/4Q3/8/8/4K3 b - - 0 1");
    assert_eq!(outcome, "ongoing");
}

#[test]
fn fifty_half_moves_without_capture_draw_prop() {
    let at = |clock| format!("k7/8/8/8/2N5/R7/8/7K w - - {clock} 60");
    assert_eq!(outcome("prop", &at(49)), "ongoing");
    assert_eq!(outcome("prop", &at(50)), "draw fifty-half-moves");
    assert_eq!(outcome("prop", &at(77)), "draw fifty-half-moves");
    assert_eq!(
        outcome_after("prop", &at(49), &["a3a5"]),
        "draw fifty-half-moves"
    );
}

#[test]
fn fifty_half_moves_come_before_no_turn_in_prop() {
    assert_eq!(
        outcome("prop", "k7/8/8/8/8/8/8/7K w - - 50 60"),
        "draw fifty-half-moves"
    );
}

#[test]
fn only_captures_reset_the_clock_in_prop() {
    let board = "k7/8/8/8/8/1N6/3P4/7K w - - 20 60";
    assert!(fen_after("prop", board, &["d2d4"]).ends_with(" 21 60"));
    let capture = "k7/8/8/8/3p4/1N6/8/3R3K w - - 20 60";
    assert!(fen_after("prop", capture, &["b3d4"]).ends_with(" 0 60"));
    let en_passant = "k7/8/8/3pP3/8/B7/8/7K w - d6 20 60";
    assert!(fen_after("prop", en_passant, &["e5d6"]).ends_with(" 0 60"));
}

#[test]
fn clock_belongs_to_the_position_in_prop_alone() {
    for (variant, equal) in [("prop", false), ("zoo", true)] {
        let board = |clock| setup(variant, &format!("k7/8/8/8/2N5/R7/8/7K w - - {clock} 60"));
        let (Setup::Narrow(a), Setup::Narrow(b)) = (board(3), board(4)) else {
            panic!("a board of 64 squares is narrow");
        };
        assert_eq!(a.position == b.position, equal, "{variant}");
    }
    // A position restored from its key shows its clock.
    let Setup::Narrow(s) = setup("prop", "k7/8/8/8/2N5/R7/8/7K w - - 37 1") else {
        panic!("a board of 64 squares is narrow");
    };
    let codec = s.game.codec(&s.position);
    let mut key = [0; fairyproof::position::KEY_WORDS];
    codec.encode(&s.position, &mut key);
    assert_eq!(
        fen::print(s.game.as_ref(), &codec.decode(&key)),
        "k7/8/8/8/2N5/R7/8/7K w - - 37 1"
    );
}

#[test]
fn refusals_of_prop_say_what_is_missing() {
    let why = |fen: &str, text: &str| {
        with_setup!(&setup("prop", fen), s => {
            turns::find(s.game.as_ref(), &s.position, text, 1)
                .expect_err("an illegal turn")
                .to_string()
        })
    };
    let board = "k7/8/8/8/2N5/R7/8/7K w - - 0 1";
    assert!(why(board, "a3a6").contains("no other unit"));
    assert!(why(board, "a3e3").contains("forward"));
}

// ---- shrapnel

#[test]
fn diagonal_capture_removes_the_nearest_along_rank_and_file() {
    let board = "3n4/8/8/r2p2P1/8/1B6/3K4/7k w - - 0 1";
    assert_eq!(
        fen_after("shrapnel", board, &["b3d5"]),
        "8/8/8/3B4/8/8/8/7k b - - 0 1"
    );
}

#[test]
fn only_the_nearest_units_are_removed() {
    let board = "3n4/3n4/8/r1rp1PP1/8/1B1K4/3N4/7k w - - 0 1";
    assert_eq!(
        fen_after("shrapnel", board, &["b3d5"]),
        "3n4/8/8/r2B2P1/8/8/3N4/7k b - - 0 1"
    );
}

#[test]
fn capture_along_rank_or_file_removes_the_nearest_diagonally() {
    // Next to d5 on its diagonals stand a8, g8, b3, f3; d8 and a5 (or d1) stand across.
    let file = "r2n2b1/8/8/r2p4/8/1N3N2/8/3R3k w - - 0 1";
    assert_eq!(
        fen_after("shrapnel", file, &["d1d5"]),
        "3n4/8/8/r2R4/8/8/8/7k b - - 0 1"
    );
    let rank = "r2n2b1/8/8/R2p4/8/1N3N2/8/3b3k w - - 0 1";
    assert_eq!(
        fen_after("shrapnel", rank, &["a5d5"]),
        "3n4/8/8/3R4/8/8/8/3b3k b - - 0 1"
    );
}

#[test]
fn king_and_pawn_burst_by_the_way_they_went() {
    let straight = "k7/8/8/8/3p4/2nK1n2/8/8 w - - 0 1";
    assert_eq!(
        fen_after("shrapnel", straight, &["d3d4"]),
        "k7/8/8/8/3K4/5n2/8/8 b - - 0 1"
    );
    let diagonal = "k7/8/8/8/n2pn3/2K5/3n4/8 w - - 0 1";
    assert_eq!(
        fen_after("shrapnel", diagonal, &["c3d4"]),
        "k7/8/8/8/3K4/8/8/8 b - - 0 1"
    );
    let pawn = "k7/8/8/8/n2pn3/2P5/3n4/8 w - - 0 1";
    assert_eq!(
        fen_after("shrapnel", pawn, &["c3d4"]),
        "k7/8/8/8/3P4/8/8/8 b - - 0 1"
    );
}

#[test]
fn queen_bursts_by_the_way_she_went() {
    let straight = "k7/8/8/8/3p4/2n2n2/8/3Q4 w - - 0 1";
    assert_eq!(
        fen_after("shrapnel", straight, &["d1d4"]),
        "k7/8/8/8/3Q4/5n2/8/8 b - - 0 1"
    );
    let diagonal = "k7/8/8/8/n2pn3/8/3n4/Q7 w - - 0 1";
    assert_eq!(
        fen_after("shrapnel", diagonal, &["a1d4"]),
        "k7/8/8/8/3Q4/8/8/8 b - - 0 1"
    );
}

#[test]
fn knight_capture_and_quiet_step_remove_nothing_more() {
    let knight = "k7/8/8/8/n2pn3/1N6/3n4/8 w - - 0 1";
    assert_eq!(
        fen_after("shrapnel", knight, &["b3d4"]),
        "k7/8/8/8/n2Nn3/8/3n4/8 b - - 0 1"
    );
    let quiet = "k7/8/8/8/n3n3/2K5/3n4/8 w - - 0 1";
    assert_eq!(
        fen_after("shrapnel", quiet, &["c3d4"]),
        "k7/8/8/8/n2Kn3/8/3n4/8 b - - 1 1"
    );
}

#[test]
fn own_units_are_removed_too() {
    let board = "k7/8/8/8/3p4/8/8/B2R2b1 w - - 0 1";
    assert_eq!(
        fen_after("shrapnel", board, &["d1d4"]),
        "k7/8/8/8/3R4/8/8/8 b - - 0 1"
    );
}

#[test]
fn en_passant_bursts_after_both_pawns_have_gone() {
    // e5xd6: d5 and e5 are empty then, so below d6 the next unit is d2.
    let board = "3n3k/8/1n6/3pP3/8/8/3N4/7K w - d6 0 1";
    assert_eq!(
        fen_after("shrapnel", board, &["e5d6"]),
        "7k/8/3P4/8/8/8/8/7K b - - 0 1"
    );
}

#[test]
fn pawn_promoting_to_a_knight_bursts_as_a_pawn() {
    let board = "n2n3k/2P5/8/8/3b4/8/8/7K w - - 0 1";
    assert_eq!(
        fen_after("shrapnel", board, &["c7d8n"]),
        "3N4/8/8/8/8/8/8/7K b - - 0 1"
    );
}

#[test]
fn hole_stops_shrapnel() {
    let board = "3n3k/3*4/8/3p4/8/1B6/8/7K w - - 0 1";
    assert_eq!(
        fen_after("shrapnel", board, &["b3d5"]),
        "3n3k/3*4/8/3B4/8/8/8/7K b - - 0 1"
    );
}

#[test]
fn removing_the_last_enemy_units_wins_shrapnel() {
    let board = "8/8/8/k2p4/8/1B6/8/8 w - - 0 1";
    assert_eq!(
        outcome_after("shrapnel", board, &["b3d5"]),
        "white-wins annihilated"
    );
    let far = "8/8/k7/3p4/8/1B6/8/8 w - - 0 1";
    assert_eq!(outcome_after("shrapnel", far, &["b3d5"]), "ongoing");
}

#[test]
fn side_to_move_without_units_loses_shrapnel_first() {
    assert_eq!(
        outcome("shrapnel", "8/8/8/8/8/8/8/8 w - - 0 1"),
        "black-wins annihilated"
    );
    assert_eq!(
        outcome("shrapnel", "8/8/8/8/8/8/8/8 b - - 0 1"),
        "white-wins annihilated"
    );
}

#[test]
fn mover_without_units_has_lost_shrapnel() {
    assert_eq!(
        outcome("shrapnel", "8/8/8/8/8/8/8/K7 w - - 0 1"),
        "white-wins annihilated"
    );
}

#[test]
fn no_turn_is_a_draw_in_shrapnel() {
    assert_eq!(outcome("shrapnel", "k/p/P/K w - - 0 1"), "draw stalemate");
}

// ---- tyrant

#[test]
fn only_king_and_queen_capture_in_tyrant() {
    let board = "k7/8/2p1p3/3P4/r1p1p3/3N4/6p1/R4B1K w - - 0 1";
    let turns = legal(&setup("tyrant", board));
    for capture in ["a1a4", "d5c6", "d5e6", "f1g2"] {
        assert!(!turns.contains(&capture.to_string()), "{capture}");
    }
    assert!(turns.contains(&"h1g2".to_string()));
    assert!(turns.contains(&"a1a3".to_string()));
    assert!(has("tyrant", "k7/p7/8/8/8/8/P7/Q6K w - - 0 1", "a1h8"));
    assert!(has("tyrant", "k6r/p7/8/8/8/8/P7/Q6K w - - 0 1", "a1h8"));
}

#[test]
fn captured_monarch_goes_where_no_monarch_attacks() {
    let board = "q3k3/7p/8/8/8/8/7P/Q3K3 w - - 0 1";
    let turns: Vec<String> = beginning("tyrant", board, "a1a8")
        .split(' ')
        .map(str::to_string)
        .collect();
    assert_eq!(turns.len(), 37);
    for (square, free) in [
        ("b1", true),
        // On its own last rank and on the other side's: any rank will do.
        ("c1", true),
        ("h8", true),
        ("d5", false),
        ("a1", false),
        ("d8", false),
        ("d1", false),
    ] {
        let turn = format!("a1a8+Q@{square}");
        assert_eq!(turns.contains(&turn), free, "{turn}");
    }
    assert_eq!(
        fen_after("tyrant", board, &["a1a8+Q@b1"]),
        "Q3k3/7p/8/8/8/8/7P/1q2K3 b - - 0 1"
    );
}

#[test]
fn captured_king_is_put_back_as_well() {
    let board = "4k3/4Q2p/8/8/8/8/7P/K7 w - - 0 1";
    assert_eq!(
        fen_after("tyrant", board, &["e7e8+K@c2"]),
        "4Q3/7p/8/8/8/8/2k4P/K7 b - - 0 1"
    );
}

#[test]
fn attack_by_other_units_does_not_matter_to_the_exile() {
    // Rook h3 and pawn h2 guard nothing here.
    let board = "4k3/4Q2p/8/8/8/7R/7P/K7 w - - 0 1";
    assert!(has("tyrant", board, "e7e8+K@g3"));
    assert!(has("tyrant", board, "e7e8+K@c3"));
}

#[test]
fn lines_opened_by_the_capture_count_for_the_exile() {
    // When the king has left the a-file the queen sees down to a1.
    let board = "Q7/7p/8/8/1q6/K7/7P/8 w - - 0 1";
    assert!(has("tyrant", board, "a3b4+Q@d1"));
    assert!(!has("tyrant", board, "a3b4+Q@a1"));
    assert!(!has("tyrant", board, "a3b4+Q@a2"));
}

#[test]
fn capture_without_a_square_for_the_exile_is_illegal() {
    assert_eq!(listed("tyrant", "kr/QR w - - 0 1"), "a1b2");
}

#[test]
fn en_passant_does_not_exist_in_tyrant() {
    let board = "k7/8/8/3pP3/8/8/8/K7 w - d6 0 1";
    assert!(!has("tyrant", board, "e5d6"));
    assert_eq!(
        fen_after("tyrant", board, &[]),
        "k7/8/8/3pP3/8/8/8/K7 w - - 0 1"
    );
    let step = "k7/8/8/8/3p4/8/4P3/K7 w - - 0 1";
    assert_eq!(
        fen_after("tyrant", step, &["e2e4"]),
        "k7/8/8/8/3pP3/8/8/K7 b - - 0 1"
    );
}

#[test]
fn capturing_all_but_king_and_queen_wins_tyrant() {
    let board = "k6q/8/8/8/8/8/p6P/K7 w - - 0 1";
    assert_eq!(
        outcome_after("tyrant", board, &["a1a2"]),
        "white-wins annihilated"
    );
    let two = "k6q/p7/8/8/8/8/p6P/K7 w - - 0 1";
    assert_eq!(outcome_after("tyrant", two, &["a1a2"]), "ongoing");
}

#[test]
fn side_to_move_with_monarchs_alone_loses_tyrant_first() {
    assert_eq!(
        outcome("tyrant", "k6q/8/8/8/8/8/8/K6Q w - - 0 1"),
        "black-wins annihilated"
    );
}

#[test]
fn mover_with_monarchs_alone_has_lost_tyrant() {
    assert_eq!(
        outcome("tyrant", "k6q/8/8/8/8/8/P7/K6Q w - - 0 1"),
        "white-wins annihilated"
    );
}

#[test]
fn no_turn_is_a_draw_in_tyrant() {
    assert_eq!(outcome("tyrant", "k/p/P/K w - - 0 1"), "draw stalemate");
}

// ---- zoo

#[test]
fn fourth_kind_wins_zoo() {
    let board = "4k3/8/8/8/3q4/4P3/8/4K3 w - - 0 1 taken=PNB/-";
    assert_eq!(
        after("zoo", board, &["e3d4"]),
        (
            "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1 taken=PNBQ/-".to_string(),
            "white-wins four-kinds".to_string()
        )
    );
}

#[test]
fn each_of_the_six_kinds_is_collected_in_zoo() {
    for kind in ["p", "n", "b", "r", "q", "k"] {
        let board = format!("8/8/8/8/3{kind}4/4P3/8/4K3 w - - 0 1");
        let taken = format!(" taken={}/-", kind.to_uppercase());
        assert!(
            fen_after("zoo", &board, &["e3d4"]).ends_with(&taken),
            "{kind}"
        );
    }
}

#[test]
fn kind_captured_before_adds_nothing_in_zoo() {
    let board = "4k3/8/8/8/3b4/4P3/8/4K3 w - - 0 1 taken=PNB/PN";
    assert_eq!(
        after("zoo", board, &["e3d4"]),
        (
            "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1 taken=PNB/PN".to_string(),
            "ongoing".to_string()
        )
    );
}

#[test]
fn king_and_pawn_taken_en_passant_count_in_zoo() {
    let king = "8/8/8/8/3k4/4P3/8/4K3 w - - 0 1 taken=PNB/-";
    assert_eq!(
        outcome_after("zoo", king, &["e3d4"]),
        "white-wins four-kinds"
    );
    let pawn = "k7/8/8/3pP3/8/8/8/K7 w - d6 0 1 taken=NBR/-";
    assert_eq!(
        outcome_after("zoo", pawn, &["e5d6"]),
        "white-wins four-kinds"
    );
}

#[test]
fn promoted_unit_counts_as_what_it_is_in_zoo() {
    let board = "4k3/8/8/8/8/8/6p1/4K2R b - - 0 1";
    assert!(fen_after("zoo", board, &["g2g1q", "h1g1"]).ends_with(" taken=Q/-"));
}

#[test]
fn each_side_counts_its_own_kinds_in_zoo() {
    let board = "4k3/8/8/4p3/3Q4/8/8/4K3 b - - 0 1 taken=PNB/PN";
    assert_eq!(
        after("zoo", board, &["e5d4"]),
        (
            "4k3/8/8/8/3p4/8/8/4K3 w - - 0 2 taken=PNB/PNQ".to_string(),
            "ongoing".to_string()
        )
    );
}

#[test]
fn impossible_collections_are_refused_in_zoo() {
    for bad in [
        "PNBRQ/-", "-/PNBR", "NP/-", "PP/-", "P", "/", "P/", "-P/-", "p/-", "X/-", "P/-/-",
    ] {
        refused("zoo", &format!("4k3/8/8/8/8/8/8/4K3 b - - 0 1 taken={bad}"));
    }
    assert_eq!(
        outcome("zoo", "4k3/8/8/8/8/8/8/4K3 b - - 0 1 taken=PNBR/RQK"),
        "white-wins four-kinds"
    );
    assert_eq!(
        fen_after("zoo", "4k3/8/8/8/8/8/8/4K3 b - - 0 1 taken=-/-", &[]),
        "4k3/8/8/8/8/8/8/4K3 b - - 0 1"
    );
}

#[test]
fn no_turn_is_a_draw_in_zoo() {
    assert_eq!(outcome("zoo", "k/p/P/K w - - 0 1"), "draw stalemate");
}
