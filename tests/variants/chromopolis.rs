//! Chromopolis, checked by hand: for each clause a test that fails without it.

use crate::hand::{after, at, can, ends, positions, refused};

const V: &str = "chromopolis";

/// Returns a FEN of Chromopolis's own board from units such as `Na4 pd5`.
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

/// Returns what lies bound after turns from a position with White to move, as the state says.
fn bound(units: &str, lying: &str, line: &str) -> String {
    let lying = if lying.is_empty() {
        String::new()
    } else {
        format!(" bound={lying}")
    };
    let seen = after(V, &city(units, &format!("w - - 0 1{lying}")), line);
    let state = seen.fen.split_once("bound=");
    state.map_or(String::new(), |(_, lying)| lying.to_string())
}

/// White's turns.
fn roams(units: &str) -> String {
    at(V, &city(units, "w - - 0 1")).turns.join(" ")
}

// The start, and how units step.

positions! {
    V:
    start_has_forty_squares_and_twelve_turns {
        "start":
            fen "*alnkla/1pppppp/7/7/1PPPPPP/*ALNKLA w - - 0 1",
            turns "b1a2 b1b3 b2b3 c2c3 d1c3 d1e3 d2d3 e2e3 f2f3 g1a2 g1g3 g2g3";
        "start" after "b1a2": turns "b5b4 b6a5 b6b4 c5c4 d5d4 d6c4 d6e4 e5e4 f5f4 g5g4 g6a5 g6g4";
    }
}

#[test]
fn units_step_round_the_cylinder() {
    assert_eq!(roams("Ka3"), "a3a2 a3a4 a3b2 a3b3 a3b4 a3g2 a3g3 a3g4");
    assert_eq!(roams("Na3"), "a3b1 a3b5 a3c2 a3c4 a3f2 a3f4 a3g1 a3g5");
    assert_eq!(roams("Aa3"), "a3a5 a3b2 a3b4 a3c3 a3f3 a3g2 a3g4");
    assert_eq!(roams("La3"), "a3b2 a3b4 a3g2 a3g4");
    assert_eq!(roams("Pa2"), "a2a3");
    let black = at(V, &city("pg5", "b - - 0 1"));
    assert_eq!(black.turns, ["g5g4"]);
}

#[test]
fn cylinder_is_kept_on_other_sizes() {
    let turns = |text: &str| at(V, text).turns.join(" ");
    assert_eq!(turns("8/8/K7 w - - 0 1"), "a1a2 a1b1 a1b2 a1h1 a1h2");
    assert_eq!(turns("2/2/K1 w - - 0 1"), "a1a2 a1b1 a1b2");
    assert_eq!(turns("2/2/N1 w - - 0 1"), "a1a2 a1b3");
    assert_eq!(turns("2/2/A1 w - - 0 1"), "a1a3 a1b2");
    assert_eq!(turns("1/1/K w - - 0 1"), "a1a2");
}

#[test]
fn advocate_leaps_over_missing_squares_and_over_units() {
    assert_eq!(roams("Ab1"), "b1a2 b1b3 b1c2 b1d1 b1g1");
    assert!(can(V, &city("Ad3 pd4 Nc3", "w - - 0 1"), "d3d5"));
    assert!(can(V, &city("Ad3 pd4 Nc3", "w - - 0 1"), "d3b3"));
}

#[test]
fn no_step_ends_on_an_unbound_unit() {
    assert!(!can(V, &city("Kd3 ne3", "w - - 0 1"), "d3e3"));
    assert!(!can(V, &city("Kd3 Ne3", "w - - 0 1"), "d3e3"));
    assert_eq!(roams("Pb2 nc3"), "b2b3");
}

#[test]
fn steps_may_end_on_bound_units() {
    for lying in ["d4n", "d4N", "d4PPp"] {
        let text = city("Pd3", &format!("w - - 0 1 bound={lying}"));
        let seen = after(V, &text, "d3d4");
        let fen = city("Pd4", &format!("b - - 0 1 bound={lying}"));
        assert_eq!(seen.fen, fen);
    }
}

#[test]
fn kings_may_be_exposed() {
    let text = city("Kd2 nb4 ne5 pg5", "w - - 0 1");
    let seen = after(V, &text, "d2d3");
    assert_eq!(seen.fen, city("Kd3 nb4 ne5 pg5", "b - - 1 1"));
    ends(V, &text, "d2d3 g5g4", "black-wins king-captured");
    assert!(!refused(V, &city("Kd3 ne5", "b - - 0 1")));
    assert!(!refused(V, &city("Kd3 kd4", "b - - 0 1")));
}

// Force and binding.

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

positions! {
    V:
    unit_has_one_force_even_where_two_ways_lead {
        "2/2/Kn w - - 0 1" after "a1a2": fen "2/K1/1n b - - 1 1";
        "2/1n/2/P1 w - - 0 1" after "a1a2": fen "2/1n/P1/2 b - - 0 1";
    }
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
    let walked = after(V, &text, "e5d3");
    assert_eq!(walked.fen, city("Kd2 Pc2 Pg2 nd3", "w - - 1 2"));
    let bound = after(V, &text, "e5d3 g2g3");
    let fen = city("Kd2 Pc2 Pg3", "b - - 0 2 bound=d3n");
    assert_eq!(bound.fen, fen);
}

// Promotion.

#[test]
fn pawn_becomes_knight_advocate_or_prelate() {
    assert_eq!(roams("Pb5"), "b5b6a b5b6l b5b6n");
    let black = at(V, &city("pb2", "b - - 0 1"));
    assert_eq!(black.turns.join(" "), "b2b1a b2b1l b2b1n");
    let seen = after(V, &city("Pb5", "w - - 3 1"), "b5b6l");
    assert_eq!(seen.fen, city("Lb6", "b - - 0 1"));
}

#[test]
fn promotion_comes_before_binding() {
    assert_eq!(bound("Pb5 Kd4 nd5", "", "b5b6n"), "d5n");
    assert_eq!(bound("Pb5 Kd4 nd5", "", "b5b6a"), "");
}

#[test]
fn pawn_facing_a_missing_square_stays() {
    ends(V, &city("Pa5", "w - - 0 1"), "", "draw stalemate");
    ends(V, &city("pa2", "b - - 0 1"), "", "draw stalemate");
}

// What is freed.

#[test]
fn force_of_two_units_frees() {
    let text = city("Kc3 Pb2", "w - - 0 1 bound=c4N");
    let seen = after(V, &text, "b2b3");
    assert_eq!(seen.fen, city("Kc3 Pb3 Nc4", "b - - 0 1"));
    assert_eq!(bound("Kc3 Pg2", "c4N", "g2g3"), "c4N");
    for other in ["Kd5", "Ne5", "Ab5", "Lc5", "Pd3"] {
        assert_eq!(bound(&format!("Pb2 {other}"), "c4N", "b2b3"), "", "{other}");
    }
}

#[test]
fn black_frees_as_white_does() {
    let text = city("kc4 pb5", "b - - 0 1 bound=c3n");
    let seen = after(V, &text, "b5b4");
    assert_eq!(seen.fen, city("kc4 pb4 nc3", "w - - 0 2"));
    let choice = city("kc4 pb5", "b - - 0 1 bound=c3np");
    assert!(can(V, &choice, "b5b4+P@c3") && !can(V, &choice, "b5b4"));
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
    let seen = after(V, &text, "b2b3");
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
    let kept = after(V, &text, "g5g4");
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
        let all = at(V, &text).turns;
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
    let all = at(V, &text).turns;
    let pawn = all.into_iter().filter(|t| t.starts_with("d2"));
    let expected = "d2d3+A@c4+L@e4 d2d3+A@c4+P@e4 d2d3+N@c4+L@e4 d2d3+N@c4+P@e4";
    assert_eq!(pawn.collect::<Vec<_>>().join(" "), expected);
    let seen = after(V, &text, "d2d3+N@c4+P@e4");
    let fen = city("Kd4 Pd3 Nc4 Pe4", "b - - 0 1 bound=c4A,e4L");
    assert_eq!(seen.fen, fen);
    assert_eq!(bound("Kd4 Pd2", "c4NA,e4L", "d2d3+N@c4"), "c4A");
}

#[test]
fn freed_unit_neither_frees_nor_binds_in_the_same_turn() {
    assert_eq!(bound("Kd4 Pd2", "c4N,e5A", "d2d3"), "e5A");
    assert_eq!(bound("Kd4 Pd2 pe5", "c4N", "d2d3"), "");
}

// Outcomes.

#[test]
fn bound_king_loses() {
    let text = city("Na4 Pc2 kd3", "w - - 0 1");
    ends(V, &text, "a4b2", "white-wins king-captured");
    assert!(after(V, &text, "a4b2").turns.is_empty());
    for side in ["w", "b"] {
        let lies = |lying: &str| city("Na4 ne5", &format!("{side} - - 0 1 bound={lying}"));
        ends(V, &lies("d3K"), "", "black-wins king-captured");
        ends(V, &lies("d3k"), "", "white-wins king-captured");
    }
}

#[test]
fn of_two_bound_kings_the_side_to_move_loses() {
    let lies = |side: &str| city("", &format!("{side} - - 0 1 bound=d3Kk"));
    ends(V, &lies("w"), "", "black-wins king-captured");
    ends(V, &lies("b"), "", "white-wins king-captured");
}

#[test]
fn game_without_kings_goes_on_until_there_is_no_turn() {
    ends(V, &city("Na4", "w - - 0 1"), "", "ongoing");
    ends(V, &city("Pb2 pb3", "w - - 0 1"), "", "draw stalemate");
}

// Clock, state, and what a FEN must satisfy.

#[test]
fn pawns_and_binding_start_the_clock_anew_and_freeing_does_not() {
    let clock = |units: &str, lying: &str, line: &str| {
        let fen = after(V, &city(units, &format!("w - - 5 1{lying}")), line).fen;
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
        assert_eq!(at(V, &text).fen, text);
    }
    let tall = "7/7/7/7/7/7/7/7/7/7/7/7 w - - 0 1 bound=a9N,a10Nn,b12a";
    assert_eq!(at(V, tall).fen, tall);
}

#[test]
fn bound_units_in_another_order_are_refused() {
    for lying in [
        "c4N,d3N", "d3N,d3N", "d3n,d3N", "c3nN", "c3AN", "c3PL", "c3LA", "c3NK", "c3", "c3N,d4",
        "", "a1N", "a6n", "h3N", "c7N", "c3Q", "c3r", "c3N,", "N",
    ] {
        let text = city("Pg2", &format!("w - - 0 1 bound={lying}"));
        assert!(refused(V, &text), "{lying}");
    }
}

#[test]
fn each_side_has_at_most_one_king_bound_ones_counted() {
    let lies = |units: &str, lying: &str| city(units, &format!("w - - 0 1 bound={lying}"));
    assert!(!refused(V, &city("Kd3", "w - - 0 1")));
    assert!(refused(V, &city("Kd3 Kf3", "w - - 0 1")));
    assert!(refused(V, &lies("Kd3", "b1K")));
    assert!(!refused(V, &lies("Kd3", "b1k")));
    assert!(refused(V, &lies("", "b1KK")));
}

#[test]
fn pawns_stand_on_their_first_rank_but_not_on_their_last() {
    let lies = |lying: &str| city("", &format!("w - - 0 1 bound={lying}"));
    for unit in ["Pb1", "pb6"] {
        assert!(!refused(V, &city(unit, "w - - 0 1")), "{unit}");
    }
    for unit in ["Pb6", "pb1"] {
        assert!(refused(V, &city(unit, "w - - 0 1")), "{unit}");
    }
    assert!(!refused(V, &lies("b1P")) && !refused(V, &lies("b6p")));
    assert!(refused(V, &lies("b6P")) && refused(V, &lies("b1p")));
}

#[test]
fn only_five_letters_are_known() {
    for letter in ["Q", "R", "B", "q", "r", "b"] {
        assert!(refused(V, &city(&format!("{letter}d3"), "w - - 0 1")));
    }
}

#[test]
fn position_of_up_to_64_squares_holds_64_units() {
    let lies = |units: &str, n: usize| city(units, &format!("w - - 0 1 bound=b1{}", "N".repeat(n)));
    assert!(!refused(V, &lies("", 64)) && refused(V, &lies("", 65)));
    assert!(!refused(V, &lies("Kd3", 63)) && refused(V, &lies("Kd3", 64)));
}

#[test]
fn neither_castling_nor_double_step_nor_en_passant_exists() {
    let home = at(V, "8/8/8/8/8/L3K2L w KQkq - 0 1");
    assert_eq!(home.fen, "8/8/8/8/8/L3K2L w - - 0 1");
    assert_eq!(roams("Pb2"), "b2b3");
    let passed = at(V, &city("Pb4 pc4", "b - b3 0 1"));
    assert_eq!(passed.fen, city("Pb4 pc4", "b - - 0 1"));
    assert_eq!(passed.turns, ["c4c3"]);
}
