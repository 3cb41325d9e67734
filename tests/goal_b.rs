//! Rules of ten GOAL variants, one by one, on positions checked by hand against the rule book.

use fairyproof::notation::{Setup, Start, fen, turns};
use fairyproof::sets;
use fairyproof::solve::Layout;
use fairyproof::with_setup;

fn setup(variant: &str, fen: &str) -> Result<Setup, String> {
    let variant = sets::parse(variant).expect("a variant");
    let fen = (fen != "start").then_some(fen);
    Setup::read(&variant, fen).map_err(|e| e.to_string())
}

fn open(variant: &str, fen: &str) -> Setup {
    setup(variant, fen).unwrap_or_else(|e| panic!("{variant} {fen}: {e}"))
}

/// All legal turns, sorted.
fn legal(variant: &str, fen: &str) -> Vec<String> {
    with_setup!(open(variant, fen), s => {
        turns::sorted(s.game.as_ref(), &s.position).into_iter().map(|(text, _)| text).collect()
    })
}

/// The legal turns that begin so.
fn legal_from(variant: &str, fen: &str, start: &str) -> Vec<String> {
    let mut all = legal(variant, fen);
    all.retain(|turn| turn.starts_with(start));
    all
}

fn is_legal(variant: &str, fen: &str, turn: &str) -> bool {
    legal(variant, fen).iter().any(|t| t == turn)
}

fn outcome(variant: &str, fen: &str) -> String {
    with_setup!(open(variant, fen), s => s.game.outcome(&s.position).to_string())
}

/// The position after these turns, as FEN.
fn after(variant: &str, fen: &str, line: &[&str]) -> String {
    fn play<W: Layout>(mut s: Start<W>, line: &[&str]) -> String {
        for (i, text) in line.iter().enumerate() {
            let turn = turns::find(s.game.as_ref(), &s.position, text, i + 1);
            let turn = turn.unwrap_or_else(|e| panic!("{e}"));
            s.position = s.game.play(&s.position, &turn);
        }
        fen::print(s.game.as_ref(), &s.position)
    }
    with_setup!(open(variant, fen), s => play(s, line))
}

/// Why a FEN is refused.
fn refused(variant: &str, fen: &str) -> String {
    match setup(variant, fen) {
        Ok(_) => panic!("{variant} accepts {fen}"),
        Err(why) => why,
    }
}

/// What several of these variants have in common.
mod shared {
    use super::*;

    #[test]
    fn castling_does_not_exist_where_the_page_excludes_it() {
        let fen = "4k1q1/8/8/8/8/8/8/1Q2K2R w K - 0 1";
        for variant in ["concurrent", "counselor", "dowager"] {
            let there = "4k1q1/8/8/8/8/8/8/1Q2K2R w - - 0 1";
            assert_eq!(after(variant, fen, &[]), there, "{variant}");
            assert!(!is_legal(variant, fen, "e1g1"), "{variant}");
        }
    }

    #[test]
    fn double_step_and_en_passant_stay_where_the_page_is_silent() {
        let fen = "q3k3/8/8/8/3p4/8/4P3/4K1Q1 w - - 0 1";
        let there = "q3k3/8/8/8/3pP3/8/8/4K1Q1 b - e3 0 1";
        for variant in ["contravention", "counselor", "deadline", "dowager"] {
            assert_eq!(after(variant, fen, &["e2e4"]), there, "{variant}");
            assert!(is_legal(variant, there, "d4e3"), "{variant}");
        }
    }

    #[test]
    fn each_side_has_exactly_one_royal_king() {
        for variant in ["concurrent", "contravention", "counselor", "deadline"] {
            refused(variant, "k7/8/8/8/8/8/8/7N w - - 0 1");
            refused(variant, "k7/8/8/8/8/8/8/K6K w - - 0 1");
            open(variant, "k7/8/8/8/8/8/8/7K w - - 0 1");
        }
    }

    #[test]
    fn royal_queen_may_be_missing_but_not_doubled() {
        for variant in ["concurrent", "counselor"] {
            refused(variant, "k7/8/8/8/8/8/8/3QQ2K w - - 0 1");
            open(variant, "k7/8/8/8/8/8/8/3Q3K w - - 0 1");
        }
    }

    #[test]
    fn mover_with_attacked_king_is_refused() {
        for variant in ["concurrent", "counselor", "deadline"] {
            refused(variant, "7k/8/8/8/8/8/8/K1r5 b - - 0 1");
            refused(variant, "8/8/8/8/8/8/1k6/K7 b - - 0 1");
        }
    }
}

mod concurrent {
    use super::*;
    const V: &str = "concurrent";

    #[test]
    fn start_has_pawn_steps_only() {
        assert_eq!(legal(V, "start").len(), 14);
    }

    #[test]
    fn king_and_queen_step_one_square_diagonally() {
        let fen = "7k/8/8/8/8/8/8/1Q3K2 w - - 0 1";
        assert_eq!(legal(V, fen), ["b1a2", "b1c2", "f1e2", "f1g2"]);
    }

    #[test]
    fn rook_goes_even_numbers_over_vacant_squares_or_one_diagonally() {
        let fen = "7k/8/8/p7/8/8/8/RN2K3 w - - 0 1";
        let mut steps = legal_from(V, fen, "a1");
        steps.retain(|turn| !turn.contains('+'));
        assert_eq!(steps, ["a1a3", "a1a5", "a1b2"]);
    }

    #[test]
    fn knight_goes_three_and_one_over_vacant_squares() {
        let fen = "k7/3p4/8/8/3N4/8/8/7K w - - 0 1";
        let steps = legal_from(V, fen, "d4");
        let plain: Vec<_> = steps.iter().filter(|t| !t.contains('+')).collect();
        assert_eq!(plain, ["d4a3", "d4a5", "d4c1", "d4e1", "d4g3", "d4g5"]);
    }

    #[test]
    fn each_of_the_three_squares_stops_a_knight() {
        for rank in ["2PN4", "1P1N4", "P2N4"] {
            let fen = format!("7k/8/8/8/{rank}/8/8/7K w - - 0 1");
            assert!(!is_legal(V, &fen, "d4a3"), "{rank}");
            assert!(!is_legal(V, &fen, "d4a5"), "{rank}");
            assert!(is_legal(V, &fen, "d4g3"), "{rank}");
            // And its attack.
            let rank = rank.replace('N', "n");
            open(V, &format!("7k/8/8/8/{rank}/K7/8/8 b - - 0 1"));
        }
        refused(V, "7k/8/8/8/3n4/K7/8/8 b - - 0 1");
    }

    #[test]
    fn units_attack_as_they_step() {
        // Next to a1 diagonally; from a3 two squares, along the long diagonal.
        for rank in ["1p6", "1b6", "1r6", "1q6"] {
            refused(V, &format!("4k3/8/8/8/8/8/{rank}/K7 b - - 0 1"));
        }
        refused(V, "8/8/8/8/8/8/1k6/K7 b - - 0 1");
        refused(V, "4k3/8/8/8/8/r7/8/K7 b - - 0 1");
        refused(V, "4k3/6b1/8/8/8/8/8/K7 b - - 0 1");
        // Next to a1 along the file, and three squares from it.
        for rank in ["p7", "b7", "r7", "q7"] {
            open(V, &format!("4k3/8/8/8/8/8/{rank}/K7 b - - 0 1"));
        }
        open(V, "8/8/8/8/8/8/k7/K7 b - - 0 1");
        open(V, "4k3/8/8/8/r7/8/8/K7 b - - 0 1");
    }

    #[test]
    fn knight_captures_on_its_target_only() {
        let fen = "k7/8/8/6p1/3N4/8/8/7K w - - 0 1";
        assert!(is_legal(V, fen, "d4g5"));
        let fen = "k7/8/8/6p1/3N2p1/8/8/7K w - - 0 1";
        assert!(!is_legal(V, fen, "d4g5"));
    }

    #[test]
    fn pawn_goes_diagonally_capturing_or_not() {
        let fen = "7k/8/8/2pp4/3P4/8/8/K7 w - - 0 1";
        let plain: Vec<_> = legal_from(V, fen, "d4d5")
            .into_iter()
            .chain(legal_from(V, fen, "d4c5"))
            .chain(legal_from(V, fen, "d4e5"))
            .collect();
        assert_eq!(plain, ["d4c5", "d4e5"]);
    }

    #[test]
    fn pawn_promotes_to_rook_bishop_knight_and_has_no_double_step() {
        let fen = "7k/P7/8/8/8/8/8/K7 w - - 0 1";
        assert_eq!(legal_from(V, fen, "a7b8"), ["a7b8b", "a7b8n", "a7b8r"]);
        let fen = "7k/8/8/8/8/8/P7/7K w - - 0 1";
        assert_eq!(legal_from(V, fen, "a2c4").len(), 0);
    }

    #[test]
    fn one_unit_may_be_mirrored_before_the_step_also_the_one_that_steps() {
        let fen = "7k/8/8/8/8/8/P7/4K3 w - - 0 1";
        let all = [
            "a2b3",
            "a2h2+e1d2",
            "a2h2+e1f2",
            "a2h2+h2g3",
            "e1d2",
            "e1f2",
        ];
        assert_eq!(legal(V, fen), all);
        let there = "7k/8/8/8/8/6P1/8/4K3 b - - 0 1";
        assert_eq!(after(V, fen, &["a2h2+h2g3"]), there);
    }

    #[test]
    fn mirroring_needs_a_vacant_square_that_exists() {
        let fen = "7k/8/8/8/8/8/P6P/4K3 w - - 0 1";
        assert!(legal(V, fen).iter().all(|t| !t.contains('+')));
        let fen = "7k/8/8/8/8/8/P6*/4K3 w - - 0 1";
        assert!(legal(V, fen).iter().all(|t| !t.contains('+')));
    }

    #[test]
    fn every_unit_but_king_and_queen_may_be_mirrored() {
        for unit in ["P", "N", "B", "R"] {
            let fen = format!("3k4/8/8/8/8/8/{unit}7/4K3 w - - 0 1");
            assert!(is_legal(V, &fen, "a2h2+e1d2"), "{unit}");
        }
        let fen = "3k4/8/8/8/8/8/Q7/4K3 w - - 0 1";
        assert!(legal(V, fen).iter().all(|t| !t.contains('+')));
    }

    #[test]
    fn mirroring_captures_nothing() {
        let fen = "7k/8/8/8/8/8/P6p/4K3 w - - 0 1";
        assert!(legal(V, fen).iter().all(|t| !t.contains('+')));
    }

    #[test]
    fn unit_on_a_middle_file_cannot_be_mirrored() {
        let fen = "4k/5/5/2P2/5/K4 w - - 0 1";
        assert_eq!(legal(V, fen), ["a1b2", "c3b4", "c3d4"]);
    }

    #[test]
    fn mirroring_may_meet_a_check() {
        let fen = "k7/8/8/8/7b/8/P1N5/4K3 w - - 0 1";
        assert!(!is_legal(V, fen, "a2b3"));
        assert!(is_legal(V, fen, "c2f2+a2b3"));
    }

    #[test]
    fn mirroring_a_pawn_resets_the_clock() {
        let fen = "7k/8/8/8/8/8/P7/4K3 w - - 9 5";
        let there = "7k/8/8/8/8/8/3K3P/8 b - - 0 5";
        assert_eq!(after(V, fen, &["a2h2+e1d2"]), there);
    }

    #[test]
    fn mirrored_unit_may_not_itself_attack_a_monarch() {
        let fen = "k7/8/8/8/8/8/8/B3K3 w - - 0 1";
        assert_eq!(legal_from(V, fen, "a1h1+").len(), 0);
        let fen = "k7/8/8/3p4/8/8/8/B3K3 w - - 0 1";
        assert!(is_legal(V, fen, "a1h1+e1d2"));
        let fen = "q5k1/8/8/8/8/8/8/B3K3 w - - 0 1";
        assert_eq!(legal_from(V, fen, "a1h1+").len(), 0);
    }

    #[test]
    fn mirrored_pawn_knight_and_rook_may_not_attack_a_monarch() {
        // The pawn attacks h3, not h4; the knight a5, not a6; the rook h8, not h7.
        for (attacked, free, mirrored, step) in [
            (
                "8/8/8/8/8/7k/1P6/K7",
                "8/8/8/8/7k/8/1P6/K7",
                "b2g2+",
                "a1b2",
            ),
            (
                "8/8/8/k7/4N3/8/8/7K",
                "8/8/k7/8/4N3/8/8/7K",
                "e4d4+",
                "h1g2",
            ),
            (
                "7k/8/8/8/8/8/R7/4K3",
                "8/7k/8/8/8/8/R7/4K3",
                "a2h2+",
                "e1d2",
            ),
        ] {
            let turns = legal_from(V, &format!("{attacked} w - - 0 1"), mirrored);
            assert_eq!(turns.len(), 0, "{attacked}");
            let turn = format!("{mirrored}{step}");
            assert!(is_legal(V, &format!("{free} w - - 0 1"), &turn), "{free}");
        }
    }

    #[test]
    fn mirrored_unit_sees_across_the_square_that_it_left() {
        // From d3 the rook attacks f3 over e3.
        let fen = "8/8/8/8/8/4Rk2/8/K7 w - - 0 1";
        assert_eq!(legal_from(V, fen, "e3d3+").len(), 0);
        let fen = "8/8/8/5k2/8/4R3/8/K7 w - - 0 1";
        assert!(is_legal(V, fen, "e3d3+a1b2"));
    }

    #[test]
    fn mirroring_may_uncover_an_attack() {
        let fen = "k7/8/8/8/4N3/8/8/4K2B w - - 0 1";
        assert!(is_legal(V, fen, "e4d4+e1d2"));
    }

    #[test]
    fn monarch_whose_attack_was_uncovered_is_not_captured() {
        for men in ["k7", "q6k"] {
            let fen = format!("{men}/8/8/8/4N3/8/8/4K2B w - - 0 1");
            assert!(is_legal(V, &fen, "e4d4+h1b7"), "{men}");
            assert!(!is_legal(V, &fen, "e4d4+h1a8"), "{men}");
        }
    }

    #[test]
    fn own_safety_is_asked_at_the_end_of_the_turn() {
        let fen = "k7/8/8/8/7b/8/5N2/4K3 w - - 0 1";
        let all = legal_from(V, fen, "f2c2");
        assert_eq!(all, ["f2c2+e1d2"]);
    }

    #[test]
    fn attacked_queen_mates_as_an_attacked_king_does() {
        let fen = "k7/8/8/4b3/8/8/8/K1b5 w - - 0 1";
        assert_eq!(outcome(V, fen), "black-wins checkmate");
        let fen = "k7/8/8/4b3/8/8/8/Q1b4K w - - 0 1";
        assert_eq!(outcome(V, fen), "black-wins checkmate");
    }

    #[test]
    fn stalemate_is_a_draw() {
        let fen = "7k/8/8/8/8/8/8/K1b5 w - - 0 1";
        assert_eq!(outcome(V, fen), "draw stalemate");
    }

    #[test]
    fn mover_with_attacked_queen_is_refused() {
        refused(V, "k7/8/8/4b3/8/8/8/Q6K b - - 0 1");
    }
}

mod contravention {
    use super::*;
    const V: &str = "contravention";

    #[test]
    fn example_of_the_page_the_check_has_to_be_removed() {
        let line = ["d2d3", "d7d5", "e2e4", "d5e4", "d3e4", "e8d7"];
        let there = after(V, "start", &line);
        assert_eq!(
            there,
            "rnbq1bnr/pppkpppp/8/8/4P3/8/PPP2PPP/RNBQKBNR w KQ - 1 4 into=b"
        );
        assert!(is_legal(V, &there, "d1e2"));
        assert!(is_legal(V, &there, "f1d3"));
        assert!(!is_legal(V, &there, "d1d2"));
        assert!(!is_legal(V, &there, "d1d7"));
        assert!(!is_legal(V, &there, "a2a3"));
    }

    #[test]
    fn king_in_check_has_to_leave_it() {
        let fen = "k3r3/8/8/8/8/7N/8/4K3 w - - 0 1";
        assert_eq!(legal(V, fen), ["e1d1", "e1d2", "e1f1", "e1f2"]);
    }

    #[test]
    fn another_unit_may_expose_the_king_and_is_not_remembered() {
        let fen = "k3r3/8/8/8/8/8/4N3/4K3 w - - 0 1";
        let there = "k3r3/8/8/8/8/2N5/8/4K3 b - - 1 1";
        assert_eq!(after(V, fen, &["e2c3"]), there);
    }

    #[test]
    fn king_may_step_into_check_by_knight_bishop_rook_and_queen() {
        // Each attacks g2, not h1.
        for men in ["8/4n3/8/7K", "8/8/8/5b1K", "8/8/1r6/7K", "8/8/1q6/7K"] {
            let fen = format!("k7/8/8/8/{men} w - - 0 1");
            let there = after(V, &fen, &["h1g2"]);
            assert!(there.ends_with(" b - - 1 1 into=w"), "{there}");
        }
    }

    #[test]
    fn check_may_be_given() {
        assert!(is_legal(V, "k7/8/8/8/8/8/8/1R5K w - - 0 1", "b1a1"));
    }

    #[test]
    fn turn_into_check_may_give_check_and_both_have_to_end_at_once() {
        let fen = "kr6/8/8/8/8/8/K7/R7 w - - 0 1";
        let there = after(V, fen, &["a2b2"]);
        assert_eq!(there, "kr6/8/8/8/8/8/1K6/R7 b - - 1 1 into=w");
        assert_eq!(legal(V, &there), ["a8b7"]);
    }

    #[test]
    fn step_into_check_is_remembered_until_the_next_own_turn() {
        let fen = "k2r4/8/8/8/8/8/8/4K3 w - - 0 1";
        let there = after(V, fen, &["e1d1", "d8c8"]);
        assert_eq!(there, "k1r5/8/8/8/8/8/8/3K4 w - - 2 2 into=w");
        assert_eq!(legal(V, &there), ["d1d2", "d1e1", "d1e2"]);
    }

    #[test]
    fn no_king_step_into_check_by_pawn_or_king() {
        let fen = "k7/8/8/8/8/3p4/8/4K3 w - - 0 1";
        assert_eq!(legal(V, fen), ["e1d1", "e1d2", "e1f1", "e1f2"]);
        let fen = "8/8/8/8/8/4k3/8/4K3 w - - 0 1";
        assert_eq!(legal(V, fen), ["e1d1", "e1f1"]);
    }

    #[test]
    fn no_double_check_with_a_pawn_or_king_in_it() {
        // d2 is attacked by the rook and by the pawn.
        let fen = "k2r4/8/8/8/8/2p5/8/4K3 w - - 0 1";
        assert!(!is_legal(V, fen, "e1d2"));
        assert!(is_legal(V, fen, "e1d1"));
    }

    #[test]
    fn king_does_not_step_into_check_twice_running() {
        let fen = "k2r4/8/8/8/8/8/8/4K3 w - - 0 1";
        assert!(is_legal(V, fen, "e1d1"));
        let fen = "k2r4/8/8/8/8/8/8/4K3 w - - 0 1 into=w";
        assert_eq!(legal(V, fen), ["e1e2", "e1f1", "e1f2"]);
        assert_eq!(after(V, fen, &["e1e2"]), "k2r4/8/8/8/8/8/4K3/8 b - - 1 1");
    }

    #[test]
    fn after_a_step_into_check_another_unit_may_expose_the_king() {
        let fen = "k3r3/8/8/8/8/8/4N3/4K3 w - - 0 1 into=w";
        assert!(is_legal(V, fen, "e2c3"));
    }

    #[test]
    fn turn_may_give_check_while_own_king_goes_into_check() {
        let fen = "k2r4/8/8/8/4R3/8/8/4K3 w - - 0 1";
        let fen = after(V, fen, &["e1d1"]);
        // Black ends the check that White has put himself into.
        assert!(is_legal(V, &fen, "d8c8"));
        assert!(!is_legal(V, &fen, "a8a7"));
        assert!(!is_legal(V, &fen, "d8d7"));
    }

    #[test]
    fn check_that_the_enemy_put_himself_into_has_to_end() {
        let fen = "k7/8/8/8/8/8/8/R3K3 w Q - 0 1";
        assert_eq!(legal(V, fen), ["a1b1", "a1c1", "a1d1", "e1c1"]);
        // Castling with the other rook leaves the check.
        let fen = "k7/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        assert!(is_legal(V, fen, "e1c1"));
        assert!(!is_legal(V, fen, "e1g1"));
    }

    #[test]
    fn castling_into_check_is_remembered() {
        let fen = "k5r1/8/8/8/8/8/8/4K2R w K - 0 1";
        let there = "k5r1/8/8/8/8/8/8/5RK1 b - - 1 1 into=w";
        assert_eq!(after(V, fen, &["e1g1"]), there);
        assert!(!is_legal(V, &format!("{fen} into=w"), "e1g1"));
    }

    #[test]
    fn no_castling_over_check_or_out_of_it() {
        assert!(!is_legal(V, "k4r2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"));
        assert!(!is_legal(V, "k3r3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"));
    }

    #[test]
    fn no_castling_into_check_by_a_pawn() {
        assert!(is_legal(V, "k7/8/8/8/8/7p/8/4K2R w K - 0 1", "e1g1"));
        assert!(!is_legal(V, "k7/8/8/8/8/8/7p/4K2R w K - 0 1", "e1g1"));
    }

    #[test]
    fn no_turn_out_of_check_is_checkmate() {
        let fen = "7k/8/8/8/8/8/5PPP/r5K1 w - - 0 1";
        assert_eq!(outcome(V, fen), "black-wins checkmate");
    }

    #[test]
    fn checkmate_comes_before_a_check_that_cannot_be_removed() {
        let fen = "kr6/7R/8/8/8/8/1K6/R7 b - - 0 1";
        assert_eq!(outcome(V, fen), "white-wins checkmate");
    }

    #[test]
    fn check_that_cannot_be_removed_loses() {
        let fen = "k6R/8/8/8/8/8/8/R3K3 w - - 0 1";
        assert_eq!(outcome(V, fen), "black-wins check-not-removed");
    }

    #[test]
    fn stalemate_loses() {
        let fen = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
        assert_eq!(legal(V, fen), ["h8g8"]);
        let fen = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1 into=b";
        assert_eq!(outcome(V, fen), "white-wins stalemate");
    }

    #[test]
    fn mover_attacked_by_pawn_or_king_is_refused() {
        refused(V, "7k/8/8/8/8/8/3p4/4K3 b - - 0 1");
        refused(V, "8/8/8/8/8/8/3k4/4K3 b - - 0 1");
        open(V, "4r2k/8/8/8/8/8/8/4K3 b - - 0 1");
    }

    #[test]
    fn state_names_only_what_can_be() {
        refused(V, "4r2k/8/8/8/8/8/8/4K3 b - - 0 1 into=bw");
        refused(V, "7k/8/8/8/8/8/8/4K3 b - - 0 1 into=w");
        refused(V, "4r2k/8/8/8/8/8/8/4K3 w - - 0 1 into=w");
        open(V, "4r2k/8/8/8/8/8/8/4K3 b - - 0 1 into=wb");
    }
}

mod counselor {
    use super::*;
    const V: &str = "counselor";

    #[test]
    fn queen_goes_two_squares_without_leaping() {
        let fen = "7k/8/8/8/8/8/P7/Q6K w - - 0 1";
        assert_eq!(legal_from(V, fen, "a1"), ["a1b1", "a1b2", "a1c1", "a1c3"]);
    }

    #[test]
    fn attack_on_the_queen_has_to_be_met() {
        let fen = "k7/8/8/8/8/8/r7/Q6K w - - 0 1";
        assert_eq!(legal(V, fen), ["a1a2", "a1b1", "a1c1", "a1c3"]);
    }

    #[test]
    fn unit_pinned_to_the_queen_stays_in_line() {
        let fen = "r6k/8/8/8/8/8/N7/Q6K w - - 0 1";
        assert_eq!(legal_from(V, fen, "a2").len(), 0);
    }

    #[test]
    fn queen_that_can_be_mated_has_to_be() {
        let fen = "q7/pp6/8/8/8/k7/8/4K1R1 w - - 0 1";
        assert_eq!(legal(V, fen), ["g1g8"]);
        let there = after(V, fen, &["g1g8"]);
        assert_eq!(outcome(V, &there), "black-wins queen-checkmated");
    }

    #[test]
    fn queen_that_is_mated_together_with_her_king_has_to_be() {
        let fen = "q6k/8/8/8/8/8/8/K3R3 w - - 0 1";
        assert_eq!(legal(V, fen), ["e1e8"]);
    }

    #[test]
    fn mates_of_the_queen_by_uncovering_and_promotion_are_duties_too() {
        let fen = "q3N1R1/pp6/8/8/8/k7/8/4K3 w - - 0 1";
        assert_eq!(legal(V, fen), ["e8c7", "e8d6", "e8f6", "e8g7"]);
        let fen = "q7/pp4P1/8/8/8/k7/8/4K3 w - - 0 1";
        assert_eq!(legal(V, fen), ["g7g8r"]);
    }

    #[test]
    fn attack_on_the_queen_that_is_no_mate_is_no_duty() {
        let fen = "q7/p7/8/8/8/k7/8/4K1R1 w - - 0 1";
        assert!(is_legal(V, fen, "g1g8"));
        assert!(is_legal(V, fen, "e1e2"));
    }

    #[test]
    fn mating_the_king_alone_is_no_duty() {
        let fen = "k7/8/1K6/8/8/8/8/7R w - - 0 1";
        assert!(is_legal(V, fen, "h1h8"));
        assert!(is_legal(V, fen, "h1h2"));
    }

    #[test]
    fn king_and_queen_attacked_without_answer_wins() {
        let fen = "q3R2k/8/8/8/8/8/8/K7 b - - 0 1";
        assert_eq!(outcome(V, fen), "black-wins queen-checkmated");
    }

    #[test]
    fn mate_of_the_king_alone_loses() {
        let fen = "k6R/8/1K6/8/8/8/8/8 b - - 0 1";
        assert_eq!(outcome(V, fen), "white-wins checkmate");
    }

    #[test]
    fn stalemate_is_a_draw() {
        let fen = "k7/8/1Q6/8/8/8/8/K7 b - - 0 1";
        assert_eq!(outcome(V, fen), "draw stalemate");
    }

    #[test]
    fn pawn_promotes_to_rook_bishop_knight() {
        let fen = "8/P6k/8/8/8/8/8/7K w - - 0 1";
        assert_eq!(legal_from(V, fen, "a7"), ["a7a8b", "a7a8n", "a7a8r"]);
    }

    #[test]
    fn mover_with_attacked_queen_is_refused() {
        refused(V, "r6k/8/8/8/8/8/8/Q6K b - - 0 1");
    }
}

mod deadline {
    use super::*;
    const V: &str = "deadline";

    #[test]
    fn example_of_the_page_has_six_answers() {
        let fen = after(V, "start", &["e2e3", "d7d6", "f1b5"]);
        let six = [
            "a7a6+a6b5",
            "c8e6+e6d7",
            "c8f5+f5d7",
            "c8g4+g4d7",
            "c8h3+h3d7",
            "g8f6+f6d7",
        ];
        assert_eq!(legal(V, &fen), six);
    }

    #[test]
    fn first_step_may_not_check_the_enemy_king() {
        let fen = "4k3/8/8/5n2/8/8/8/4R2K b - - 0 1";
        assert!(is_legal(V, fen, "f5d4+d4e2"));
        assert_eq!(legal_from(V, fen, "f5g3").len(), 0);
    }

    #[test]
    fn first_step_may_not_end_the_check() {
        let fen = "4k3/8/8/5n2/8/8/8/4R2K b - - 0 1";
        assert_eq!(legal_from(V, fen, "f5e3").len(), 0);
    }

    #[test]
    fn capturing_the_checking_unit_in_one_step_is_no_answer() {
        let fen = "4k3/8/8/8/8/3n4/8/4R2K b - - 0 1";
        assert_eq!(legal_from(V, fen, "d3e1").len(), 0);
        assert!(is_legal(V, fen, "d3c1+c1e2"));
    }

    #[test]
    fn first_step_may_capture_and_second_may_give_check() {
        let fen = "4r2k/B7/8/8/8/8/8/4K3 w - - 0 1";
        assert!(is_legal(V, fen, "a7b8+b8e5"));
        let fen = "1n2r2k/B7/8/8/8/8/8/4K3 w - - 0 1";
        assert!(is_legal(V, fen, "a7b8+b8e5"));
    }

    #[test]
    fn two_steps_may_meet_a_double_check() {
        // The bishop takes the knight, then stands before the rook.
        let fen = "4r2k/8/8/8/8/8/2n5/3BK3 w - - 0 1";
        assert_eq!(legal_from(V, fen, "d1"), ["d1c2+c2e4"]);
    }

    #[test]
    fn capture_with_either_step_resets_the_clock() {
        let answer = ["a7b8+b8e5"];
        let fen = "1n2r2k/B7/8/8/8/8/8/4K3 w - - 7 9";
        let there = "4r2k/8/8/4B3/8/8/8/4K3 b - - 0 9";
        assert_eq!(after(V, fen, &answer), there);
        let fen = "7k/B7/8/4r3/8/8/8/4K3 w - - 7 9";
        let there = "7k/8/8/4B3/8/8/8/4K3 b - - 0 9";
        assert_eq!(after(V, fen, &answer), there);
        let fen = "4r2k/B7/8/8/8/8/8/4K3 w - - 7 9";
        let there = "4r2k/8/8/4B3/8/8/8/4K3 b - - 8 9";
        assert_eq!(after(V, fen, &answer), there);
    }

    #[test]
    fn first_step_may_uncover_another_check() {
        // With the knight gone the rook attacks, until the bishop is back on the rank.
        let fen = "7k/8/8/8/8/8/2n5/r2BK3 w - - 0 1";
        assert_eq!(legal_from(V, fen, "d1c2"), ["d1c2+c2b1", "d1c2+c2d1"]);
    }

    #[test]
    fn king_answers_in_one_step_and_may_capture() {
        let fen = "4k3/4R3/8/8/8/8/8/7K b - - 0 1";
        assert_eq!(legal(V, fen), ["e8d8", "e8e7", "e8f8"]);
    }

    #[test]
    fn castling_is_no_answer() {
        let fen = "6k1/8/8/8/8/8/4r3/R3K2R w KQ - 0 1";
        assert_eq!(legal_from(V, fen, "e1"), ["e1d1", "e1e2", "e1f1"]);
    }

    #[test]
    fn en_passant_is_taken_with_the_first_step() {
        let fen = "7k/2n5/8/1K1pP3/8/8/8/8 w - d6 0 1";
        assert_eq!(legal_from(V, fen, "e5"), ["e5d6+d6c7"]);
        let there = "7k/2P5/8/1K6/8/8/8/8 b - - 0 1";
        assert_eq!(after(V, fen, &["e5d6+d6c7"]), there);
    }

    #[test]
    fn en_passant_is_no_second_step() {
        // From c5 the pawn could take the checking pawn d5 in passing.
        let fen = "7k/8/8/3pP3/2P1K3/8/8/8 w - d6 0 1";
        assert!(after(V, fen, &[]).contains(" d6 "));
        assert_eq!(legal_from(V, fen, "c4").len(), 0);
    }

    #[test]
    fn pawn_goes_on_as_what_it_has_become() {
        let fen = "r7/4P3/7k/8/8/8/8/K7 w - - 0 1";
        assert_eq!(
            legal_from(V, fen, "e7"),
            ["e7e8b+e8a4", "e7e8q+e8a4", "e7e8q+e8a8", "e7e8r+e8a8"]
        );
    }

    #[test]
    fn double_step_and_another_leave_nothing_to_take_in_passing() {
        let fen = "7k/8/8/K6r/3p4/8/4P3/8 w - - 0 1";
        let there = "7k/8/8/K3P2r/3p4/8/8/8 b - - 0 1";
        assert_eq!(after(V, fen, &["e2e4+e4e5"]), there);
    }

    #[test]
    fn out_of_check_turns_are_orthodox() {
        assert_eq!(legal(V, "start").len(), 20);
        let fen = "6k1/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        assert!(is_legal(V, fen, "e1c1"));
    }

    #[test]
    fn check_without_answer_is_mate() {
        let fen = "4R1k1/5ppp/8/8/8/8/8/K7 b - - 0 1";
        assert_eq!(outcome(V, fen), "white-wins checkmate");
        // A knight that could only capture at once does not help.
        let fen = "4R1k1/2n2ppp/8/8/8/8/8/K7 b - - 0 1";
        assert_eq!(legal_from(V, fen, "c7e8").len(), 0);
    }

    #[test]
    fn stalemate_is_a_draw() {
        let fen = "7k/5Q2/8/8/8/8/8/K7 b - - 0 1";
        assert_eq!(outcome(V, fen), "draw stalemate");
    }
}

mod dowager {
    use super::*;
    const V: &str = "dowager";

    #[test]
    fn queen_steps_as_the_highest_of_her_men() {
        let queen = |men: &str| legal_from(V, &format!("1q5k/8/8/8/8/8/{men} w - - 0 1"), "a1");
        assert_eq!(queen("8/Q3KR2"), ["a1a2", "a1b1", "a1b2"]);
        assert_eq!(
            queen("8/Q3RB2"),
            [
                "a1a2", "a1a3", "a1a4", "a1a5", "a1a6", "a1b1", "a1c1", "a1d1"
            ]
        );
        assert_eq!(
            queen("8/Q3NB2"),
            ["a1b2", "a1c3", "a1d4", "a1e5", "a1f6"],
            "the king attacks g7"
        );
        assert_eq!(queen("3P4/Q3N3"), ["a1b3", "a1c2"]);
        assert_eq!(queen("3P4/Q7"), ["a1a2"]);
    }

    #[test]
    fn queen_may_not_pass_an_attacked_square() {
        // The rook on d8 attacks d1, the queen on b8 (a king in power) a7.
        let fen = "1q1r3k/8/8/8/8/8/7R/Q7 w - - 0 1";
        assert_eq!(
            legal_from(V, fen, "a1"),
            ["a1a2", "a1a3", "a1a4", "a1a5", "a1a6", "a1b1", "a1c1"]
        );
    }

    #[test]
    fn queen_does_not_pass_what_pawn_knight_or_queen_attacks() {
        // Pawn b5, knight b6, and on b6 a queen who goes as a knight attack a4.
        let rook = |men: &str| legal_from(V, &format!("{men}/Q5R1 w - - 0 1"), "a1");
        for men in ["7q/8/8/1p6/8/8/8", "7q/8/1n6/8/8/8/8", "7n/8/1q6/8/8/8/8"] {
            assert_eq!(
                rook(men),
                ["a1a2", "a1a3", "a1b1", "a1c1", "a1d1", "a1e1", "a1f1"],
                "{men}"
            );
        }
    }

    #[test]
    fn queen_does_not_pass_an_attacked_square_to_capture() {
        // The pawn b5 attacks a4.
        let fen = "7q/8/n7/1p6/8/8/8/Q5R1 w - - 0 1";
        assert!(!is_legal(V, fen, "a1a6"));
        let fen = "7q/8/n7/1p6/n7/8/8/Q5R1 w - - 0 1";
        assert!(!is_legal(V, fen, "a1a4"));
        let fen = "7q/8/n7/7p/8/8/8/Q5R1 w - - 0 1";
        assert!(is_legal(V, fen, "a1a6"));
    }

    #[test]
    fn queen_attacks_beyond_squares_that_she_may_not_pass() {
        // The rook on e1 keeps the black queen from passing e4, but she attacks a4.
        let fen = "7r/8/8/8/7q/8/8/Q3R3 w - - 0 1";
        assert_eq!(
            legal_from(V, fen, "a1"),
            ["a1a2", "a1a3", "a1b1", "a1c1", "a1d1"]
        );
        refused(V, "7r/8/8/8/Q6q/8/8/4R3 b - - 0 1");
    }

    #[test]
    fn attacked_queen_passes_what_is_not_attacked() {
        let fen = "1qr4k/8/8/8/8/8/R7/2Q5 w - - 0 1";
        assert_eq!(
            legal(V, fen),
            [
                "a2c2", "c1a1", "c1b1", "c1d1", "c1e1", "c1f1", "c1g1", "c1h1"
            ]
        );
    }

    #[test]
    fn queen_as_a_pawn_captures_diagonally_and_has_no_double_step() {
        let fen = "q6k/8/8/8/8/8/Pp6/Q7 w - - 0 1";
        assert_eq!(legal(V, fen), ["a1b2"]);
        let fen = "q6k/8/8/8/8/P7/1Q6/8 w - - 0 1";
        assert_eq!(legal_from(V, fen, "b2"), ["b2b3"]);
        let fen = "q6k/1Q6/8/8/8/P7/8/8 b - - 0 1";
        refused(V, fen);
    }

    #[test]
    fn queen_as_a_pawn_captures_neither_ahead_nor_in_passing() {
        let fen = "q6k/8/8/8/8/1n5P/1Q6/8 w - - 0 1";
        assert_eq!(legal(V, fen), ["h3h4"]);
        let fen = "q6k/8/8/2PpQ3/8/8/8/8 w - d6 0 1";
        assert!(is_legal(V, fen, "c5d6"));
        assert_eq!(legal_from(V, fen, "e5"), ["e5e6"]);
    }

    #[test]
    fn queen_as_a_pawn_attacks_diagonally_ahead() {
        // Of a2, b1, b2 the queen on b3 attacks a2.
        let fen = "8/7p/8/8/8/1q6/8/Q6K w - - 0 1";
        assert_eq!(legal_from(V, fen, "a1"), ["a1b1", "a1b2"]);
    }

    #[test]
    fn queen_as_a_pawn_does_not_promote() {
        let fen = "7k/4Q3/8/8/q7/P7/8/8 w - - 0 1";
        assert_eq!(legal_from(V, fen, "e7"), ["e7e8"]);
    }

    #[test]
    fn capture_that_gives_the_enemy_queen_more_power_may_be_illegal() {
        let fen = "q6r/8/8/8/3N4/1k6/8/Q6K w - - 0 1";
        assert!(!is_legal(V, fen, "d4b3"));
        let fen = "q6r/8/7k/8/3N4/1k6/8/Q6K w - - 0 1";
        assert!(is_legal(V, fen, "d4b3"));
    }

    #[test]
    fn king_may_be_taken() {
        let fen = "q6k/8/8/8/8/8/8/QK5R w - - 0 1";
        assert!(is_legal(V, fen, "h1h8"));
    }

    #[test]
    fn pawn_promotes_to_king_rook_bishop_knight() {
        let fen = "q6k/4P3/8/8/8/8/8/Q7 w - - 0 1";
        assert_eq!(legal(V, fen), ["a1a2", "e7e8b", "e7e8k", "e7e8n", "e7e8r"]);
    }

    #[test]
    fn attacked_queen_without_turn_is_mate() {
        let fen = "q6k/8/8/8/8/8/r7/Q7 w - - 0 1";
        assert_eq!(outcome(V, fen), "black-wins checkmate");
    }

    #[test]
    fn lone_queen_is_stalemated_and_loses() {
        let fen = "q6k/8/8/8/8/8/8/Q7 w - - 0 1";
        assert_eq!(outcome(V, fen), "black-wins stalemate");
    }

    #[test]
    fn two_queens_or_none_are_refused() {
        refused(V, "q6k/8/8/8/8/8/8/QQ5K w - - 0 1");
        refused(V, "q6k/8/8/8/8/8/8/7K w - - 0 1");
        open(V, "q5kk/8/8/8/8/8/8/Q7 w - - 0 1");
    }
}

mod kingmaker {
    use super::*;
    const V: &str = "kingmaker";

    #[test]
    fn nobody_has_a_king_at_the_start() {
        let fen = "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1";
        assert_eq!(after(V, "start", &[]), fen);
    }

    #[test]
    fn made_kings_do_not_castle() {
        let fen = "4k3/p7/8/8/8/8/P7/4K2R w K - 0 1";
        assert!(is_legal(V, fen, "e1f1"));
        assert!(!is_legal(V, fen, "e1g1"));
    }

    #[test]
    fn first_pawn_becomes_a_king_of_the_opponent() {
        let fen = "8/P7/8/8/8/8/7p/6R1 w - - 0 1";
        assert_eq!(legal_from(V, fen, "a7"), ["a7a8k"]);
        let there = "k7/8/8/8/8/8/7p/6R1 b - - 0 1";
        assert_eq!(after(V, fen, &["a7a8k"]), there);
    }

    #[test]
    fn new_king_may_come_of_a_capture() {
        let fen = "1n6/P7/8/8/8/8/7p/6R1 w - - 0 1";
        assert_eq!(legal_from(V, fen, "a7"), ["a7a8k", "a7b8k"]);
    }

    #[test]
    fn new_king_may_not_be_attacked() {
        let fen = "7R/P7/8/8/8/8/7p/8 w - - 0 1";
        assert_eq!(legal_from(V, fen, "a7").len(), 0);
        let fen = "8/PP6/8/8/8/8/7p/8 w - - 0 1";
        assert_eq!(legal_from(V, fen, "a7").len(), 0);
    }

    #[test]
    fn new_king_may_not_be_attacked_over_the_square_that_the_pawn_leaves() {
        let fen = "8/P7/8/8/8/8/7p/R7 w - - 0 1";
        assert_eq!(legal_from(V, fen, "a7").len(), 0);
    }

    #[test]
    fn pawn_that_makes_a_king_may_not_expose_its_own() {
        let fen = "8/r2P3K/8/8/8/8/8/8 w - - 0 1";
        assert_eq!(legal_from(V, fen, "d7").len(), 0);
        let fen = "8/3P3K/8/8/8/8/r7/8 w - - 0 1";
        assert_eq!(legal_from(V, fen, "d7"), ["d7d8k"]);
    }

    #[test]
    fn against_a_king_pawns_promote_as_usual() {
        let fen = "k7/7P/8/8/8/8/8/8 w - - 0 1";
        assert_eq!(legal(V, fen), ["h7h8b", "h7h8n", "h7h8q", "h7h8r"]);
    }

    #[test]
    fn side_that_can_only_move_its_king_has_lost() {
        let fen = "k7/8/8/8/8/8/8/K6R b - - 0 1";
        assert_eq!(outcome(V, fen), "white-wins king-forced");
        assert_eq!(legal(V, fen).len(), 0);
        let fen = "k7/7p/8/8/8/8/8/K6R b - - 0 1";
        assert_eq!(outcome(V, fen), "ongoing");
    }

    #[test]
    fn making_a_king_is_no_king_step() {
        let fen = "k7/8/8/8/8/8/7p/8 b - - 0 1";
        assert_eq!(outcome(V, fen), "ongoing");
    }

    #[test]
    fn checkmate_comes_before_forced_king() {
        let fen = "k6R/8/1K6/8/8/8/8/8 b - - 0 1";
        assert_eq!(outcome(V, fen), "white-wins checkmate");
        let fen = "k6R/8/8/8/8/8/8/1K6 b - - 0 1";
        assert_eq!(outcome(V, fen), "white-wins king-forced");
    }

    #[test]
    fn side_without_turn_has_lost() {
        let fen = "k7/8/1Q6/8/8/8/8/K7 b - - 0 1";
        assert_eq!(outcome(V, fen), "white-wins no-turn");
        let fen = "8/8/8/8/8/8/8/R7 b - - 0 1";
        assert_eq!(outcome(V, fen), "white-wins no-turn");
    }

    #[test]
    fn kings_are_royal() {
        let fen = "k7/r7/8/8/8/8/R7/K7 b - - 0 1";
        assert!(!is_legal(V, fen, "a7b7"));
        refused(V, "k7/8/8/8/8/8/8/R7 w - - 0 1");
        refused(V, "kk6/8/8/8/8/8/8/R7 b - - 0 1");
    }
}

mod linkage {
    use super::*;
    const V: &str = "linkage";

    #[test]
    fn example_of_the_page_is_linkage_mate() {
        let fen = after(V, "start", &["g2g3", "d7d5", "c2c3", "e7e6"]);
        assert_eq!(outcome(V, &fen), "black-wins linkage-mate");
    }

    #[test]
    fn either_threat_of_the_example_alone_can_be_met() {
        let fen = after(V, "start", &["g2g3", "d7d5", "h2h3", "e7e6"]);
        assert_eq!(outcome(V, &fen), "ongoing");
        assert!(!is_legal(V, &fen, "a2a3"));
        assert!(is_legal(V, &fen, "g3g4"));
        assert!(is_legal(V, &fen, "f2f3"));
        // The queen would enter the row by taking the pawn.
        assert!(!is_legal(V, &fen, "h3h4"));
    }

    #[test]
    fn row_of_four_through_a_step_to_its_end_has_to_be_prevented() {
        let danger = "3r3k/8/8/8/8/8/P7/KBN5 w - - 0 1";
        assert!(!is_legal(V, danger, "a2a3"));
        assert!(is_legal(V, danger, "c1d3"));
        let no_danger = "4r2k/8/8/8/8/8/P7/KBN5 w - - 0 1";
        assert!(is_legal(V, no_danger, "a2a3"));
    }

    #[test]
    fn row_along_a_file_counts_too() {
        assert!(!is_legal(V, "7k/8/8/8/7r/N7/B6P/K7 w - - 0 1", "h2h3"));
        assert!(is_legal(V, "7k/8/8/7r/8/N7/B6P/K7 w - - 0 1", "h2h3"));
    }

    #[test]
    fn other_two_units_of_a_row_may_be_of_either_color() {
        for two in ["BN", "Bn", "nB", "bn"] {
            let fen = format!("3r3k/8/8/8/8/8/P7/K{two}5 w - - 0 1");
            assert!(!is_legal(V, &fen, "a2a3"), "{two}");
        }
    }

    #[test]
    fn row_that_merely_stands_is_no_danger() {
        // The rook is in the row; nobody can enter it.
        assert!(is_legal(V, "7k/8/8/8/8/8/P7/KBNr4 w - - 0 1", "a2a3"));
    }

    #[test]
    fn unit_that_steps_within_a_row_leaves_a_gap() {
        assert!(is_legal(V, "7k/8/8/8/8/8/P7/KB1r4 w - - 0 1", "a2a3"));
    }

    #[test]
    fn step_between_two_ends_makes_five() {
        // With the black king on e1 the row would go from a1 to e1.
        assert!(is_legal(V, "8/8/8/8/8/8/7P/nBKN1k2 w - - 0 1", "h2h3"));
        assert!(!is_legal(V, "8/8/8/8/8/8/7P/1BKN1k2 w - - 0 1", "h2h3"));
    }

    #[test]
    fn pinned_unit_completes_a_row_too() {
        assert!(!is_legal(V, "R2r3k/8/8/8/8/8/P7/KBN5 w - - 0 1", "a2a3"));
    }

    #[test]
    fn castling_may_lead_out_of_linkage_danger() {
        // The rook threatens to complete e1-f2-g3-h4.
        let fen = "4k2r/8/8/8/8/6P1/5P2/R3K3 w Q - 0 1";
        assert!(!is_legal(V, fen, "a1a2"));
        assert!(is_legal(V, fen, "e1c1"));
    }

    #[test]
    fn checkmate_comes_before_linkage_mate() {
        // The rook on d8 could complete g1-f2-e3-d4.
        let fen = "3r3k/8/8/8/8/4P3/5PPP/r5K1 w - - 0 1";
        assert_eq!(outcome(V, fen), "black-wins checkmate");
    }

    #[test]
    fn row_of_five_does_not_count() {
        assert!(is_legal(V, "3r3k/8/8/8/8/8/P7/KBN1R3 w - - 0 1", "a2a3"));
    }

    #[test]
    fn row_of_three_does_not_count() {
        assert!(is_legal(V, "2r4k/8/8/8/8/8/P7/KB6 w - - 0 1", "a2a3"));
    }

    #[test]
    fn unit_beyond_the_end_may_be_the_one_that_steps() {
        assert!(!is_legal(V, "7k/8/8/8/8/8/P7/KBN1r3 w - - 0 1", "a2a3"));
    }

    #[test]
    fn enemy_king_completes_a_row_too() {
        assert!(!is_legal(V, "8/8/8/8/8/8/P2k4/KBN5 w - - 0 1", "a2a3"));
    }

    #[test]
    fn pawn_completes_a_row_by_its_push_not_by_an_empty_capture() {
        assert!(!is_legal(V, "7k/8/8/8/8/8/P2p4/KBN5 w - - 0 1", "a2a3"));
        assert!(is_legal(V, "7k/8/8/8/8/8/P3p3/KBN5 w - - 0 1", "a2a3"));
    }

    #[test]
    fn white_pawn_completes_a_row_on_its_last_rank() {
        assert!(!is_legal(V, "kbn5/p2P4/8/8/8/8/8/7K b - - 0 1", "a7a6"));
        assert!(is_legal(V, "kbn5/p3P3/8/8/8/8/8/7K b - - 0 1", "a7a6"));
    }

    #[test]
    fn pawn_completes_a_row_by_its_double_step() {
        let fen = |rank: &str| format!("k7/{rank}/8/KBN5/8/8/P7/8 w - - 0 1");
        assert!(!is_legal(V, &fen("3p4"), "a2a3"));
        assert!(is_legal(V, &fen("8"), "a2a3"));
        let blocked = "k7/3p4/3P4/KBN5/8/8/P7/8 w - - 0 1";
        assert!(is_legal(V, blocked, "a2a3"));
    }

    #[test]
    fn row_that_stands_is_entered_by_a_capture() {
        assert!(!is_legal(V, "3r3k/8/8/8/8/8/P7/KBNN4 w - - 0 1", "a2a3"));
        assert!(is_legal(V, "4r2k/8/8/8/8/8/P7/KBNN4 w - - 0 1", "a2a3"));
        // An enemy unit may be in it already.
        assert!(!is_legal(V, "3r3k/8/8/8/8/8/P7/KnNB4 w - - 0 1", "a2a3"));
    }

    #[test]
    fn en_passant_capture_completes_a_row() {
        assert!(!is_legal(V, "k7/8/8/8/3p4/5NPK/4P3/8 w - - 0 1", "e2e4"));
        assert!(is_legal(V, "k7/8/8/8/2p5/5NPK/4P3/8 w - - 0 1", "e2e4"));
    }

    #[test]
    fn units_of_the_king_s_own_side_complete_nothing() {
        assert!(is_legal(V, "6k1/8/8/8/8/8/P7/KBN4R w - - 0 1", "h1d1"));
    }

    #[test]
    fn hole_ends_a_row() {
        assert!(is_legal(V, "3r3k/8/8/8/8/8/P7/KB*5 w - - 0 1", "a2a3"));
        // Four squares between edge and hole.
        assert!(!is_legal(V, "3r3k/8/8/8/8/8/P7/KBN1*3 w - - 0 1", "a2a3"));
    }

    #[test]
    fn castling_conditions_ask_for_attacks_only() {
        // With the king on f1 the rook would complete f1-e2-d3-c4.
        let fen = "k1r5/8/8/8/8/3N4/4P3/4K2R w K - 0 1";
        assert!(!is_legal(V, fen, "e1f1"));
        assert!(is_legal(V, fen, "e1g1"));
    }

    #[test]
    fn attacked_king_without_turn_is_checkmate() {
        let fen = "7k/8/8/8/8/8/5PPP/r5K1 w - - 0 1";
        assert_eq!(outcome(V, fen), "black-wins checkmate");
    }

    #[test]
    fn stalemate_is_a_draw() {
        let fen = "7k/5Q2/8/8/8/8/8/K7 b - - 0 1";
        assert_eq!(outcome(V, fen), "draw stalemate");
    }

    #[test]
    fn mover_linkage_attacked_is_refused() {
        refused(V, "3r3k/8/8/8/8/8/P7/KBN5 b - - 0 1");
    }
}

mod reentrant {
    use super::*;
    const V: &str = "reentrant";

    #[test]
    fn start_has_king_and_queen_in_different_halves_and_no_bishops() {
        let fen = "rnq2knr/pppppppp/8/8/8/8/PPPPPPPP/RNQ2KNR w - - 0 1";
        assert_eq!(after(V, "start", &[]), fen);
    }

    #[test]
    fn castling_does_not_exist() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        assert!(is_legal(V, fen, "e1f1"));
        assert!(!is_legal(V, fen, "e1g1"));
    }

    #[test]
    fn nobody_steps_into_the_other_half() {
        let fen = "4k3/q7/8/8/8/8/Q7/3rK3 w - - 0 1";
        assert_eq!(
            legal(V, fen),
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
        assert!(!is_legal(V, fen, "d3e4"));
    }

    #[test]
    fn pawn_attacks_backwards_too() {
        let fen = "4k3/8/8/8/8/8/8/4Kp2 w - - 0 1";
        assert!(!is_legal(V, fen, "e1e2"), "f1 attacks e2");
        assert!(is_legal(V, fen, "e1f1"));
    }

    #[test]
    fn pawn_and_queen_attack_nothing_in_the_other_half() {
        assert!(is_legal(V, "7k/8/8/8/8/3p4/8/5K2 w - - 0 1", "f1e2"));
        assert!(is_legal(V, "7k/8/8/3q4/5K2/8/8/8 w - - 0 1", "f4e4"));
    }

    #[test]
    fn pawn_stays_a_pawn_on_the_last_rank_and_has_no_double_step() {
        let fen = "4k3/P7/8/8/8/8/1P6/4K3 w - - 0 1";
        assert!(is_legal(V, fen, "a7a8"));
        assert!(!is_legal(V, fen, "b2b4"));
    }

    #[test]
    fn captured_unit_may_be_dropped_in_the_other_half() {
        let fen = "4k3/8/8/8/3p4/2P5/8/4K3 w - - 5 1";
        let there = "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1 hand=-/P/-/-";
        assert_eq!(after(V, fen, &["c3d4"]), there);
        let fen = "4k3/8/8/5r2/5R2/8/8/4K3 b - - 5 1 hand=-/-/N/-";
        let there = "4k3/8/8/8/5r2/8/8/4K3 w - - 0 2 hand=-/-/RN/-";
        assert_eq!(after(V, fen, &["f5f4"]), there);
    }

    #[test]
    fn captured_knight_goes_to_the_hand_too() {
        let fen = "4k3/8/8/8/3n4/2P5/8/4K3 w - - 5 1";
        let there = "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1 hand=-/N/-/-";
        assert_eq!(after(V, fen, &["c3d4"]), there);
    }

    #[test]
    fn hand_holds_several_units_of_a_kind() {
        let fen = "4k3/8/8/8/3p4/2P5/8/4K3 w - - 5 1 hand=-/P/-/-";
        let there = "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1 hand=-/PP/-/-";
        assert_eq!(after(V, fen, &["c3d4"]), there);
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 3 1 hand=-/PP/-/-";
        let there = "4k2P/8/8/8/8/8/8/4K3 b - - 4 1 hand=-/P/-/-";
        assert_eq!(after(V, fen, &["P@h8"]), there);
    }

    #[test]
    fn unit_pinned_to_the_queen_stays_in_line() {
        let fen = "r3k3/8/8/8/8/8/N7/Q3K3 w - - 0 1";
        assert_eq!(legal_from(V, fen, "a2").len(), 0);
    }

    #[test]
    fn second_queen_and_mover_with_attacked_monarch_are_refused() {
        refused(V, "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1");
        refused(V, "r3k3/8/8/8/8/8/8/Q3K3 b - - 0 1");
        refused(V, "4k2r/8/8/8/8/8/8/Q6K b - - 0 1");
        open(V, "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    }

    #[test]
    fn drop_goes_to_any_vacant_square_of_its_half() {
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 3 1 hand=-/P/-/-";
        let drops = legal_from(V, fen, "P@");
        assert_eq!(drops.len(), 30);
        assert!(drops.contains(&"P@h8".to_string()));
        assert!(!drops.contains(&"P@d4".to_string()));
        let there = "4k2P/8/8/8/8/8/8/4K3 b - - 4 1";
        assert_eq!(after(V, fen, &["P@h8"]), there);
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
    fn opponent_s_hand_is_not_mine() {
        let fen = "4k3/8/8/8/8/8/8/4K3 b - - 0 1 hand=-/P/-/-";
        assert_eq!(legal_from(V, fen, "P@").len(), 0);
    }

    #[test]
    fn drop_may_meet_an_attack_and_must() {
        let fen = "4k3/8/8/8/8/8/8/4K2r w - - 0 1 hand=-/R/-/-";
        assert_eq!(legal(V, fen), ["R@f1", "R@g1", "e1e2", "e1f2"]);
    }

    #[test]
    fn attacked_queen_without_turn_is_mate() {
        let fen = "rr2k3/8/8/8/8/8/8/Q3K3 w - - 0 1";
        assert_eq!(outcome(V, fen), "black-wins checkmate");
        let fen = "rr2k3/8/8/8/8/8/8/Q3K3 w - - 0 1 hand=P/-/-/-";
        assert_eq!(outcome(V, fen), "ongoing");
    }

    #[test]
    fn stalemate_is_a_draw() {
        let fen = "4k1r1/8/8/8/8/5n2/8/7K w - - 0 1";
        assert_eq!(outcome(V, fen), "draw stalemate");
    }

    #[test]
    fn odd_number_of_files_is_refused() {
        let why = refused(V, "4k2/7/7/7/7/7/7/4K2 w - - 0 1");
        assert!(why.contains("7 files"), "{why}");
    }

    #[test]
    fn hands_are_written_in_one_way() {
        let fen = |hand: &str| format!("4k3/8/8/8/8/8/8/4K3 w - - 0 1 hand={hand}");
        refused(V, &fen("PN/-/-/-"));
        refused(V, &fen("-/-/-"));
        refused(V, &fen("//-/-"));
        refused(V, &fen("Q/-/-/-"));
        refused(V, &fen(&format!("{}/-/-/-", "R".repeat(32))));
        open(V, &fen(&format!("{}/-/-/-", "P".repeat(63))));
        open(V, &fen("-/-/-/-"));
    }
}

mod regent {
    use super::*;
    const V: &str = "regent";

    #[test]
    fn attacked_along_a_file_the_queen_keeps_her_diagonals() {
        let fen = "1q2r2k/8/8/8/8/8/8/4Q2K w - - 0 1";
        assert_eq!(legal(V, fen), ["e1a5", "e1c3", "e1d2", "e1f2", "e1h4"]);
    }

    #[test]
    fn attacked_along_a_diagonal_the_queen_keeps_rank_and_file() {
        let fen = "1q5k/8/8/8/7b/8/8/4Q2K w - - 0 1";
        assert_eq!(
            legal(V, fen),
            [
                "e1a1", "e1c1", "e1d1", "e1e2", "e1e3", "e1e4", "e1e6", "e1f1", "e1g1"
            ]
        );
    }

    #[test]
    fn attacks_by_pawn_and_neighboring_king_count_as_what_they_are() {
        let fen = "1q5k/8/8/8/8/8/3p4/4Q2K w - - 0 1";
        assert!(!is_legal(V, fen, "e1d2"));
        assert!(is_legal(V, fen, "e1e2"));
        let fen = "1q6/8/8/8/8/8/4k3/4Q3 w - - 0 1";
        assert!(!is_legal(V, fen, "e1e2"));
        assert!(is_legal(V, fen, "e1h4"));
    }

    #[test]
    fn attacked_by_a_knight_the_queen_stays() {
        let fen = "1q5k/8/8/8/8/5n2/6P1/4Q2K w - - 0 1";
        assert_eq!(legal(V, fen), ["g2f3"]);
    }

    #[test]
    fn attacked_both_ways_the_queen_stays() {
        // By the rook along the file, by the bishop along the diagonal.
        let fen = "1q2r2k/8/8/8/7b/8/8/4Q2K w - - 0 1";
        assert_eq!(outcome(V, fen), "black-wins checkmate");
    }

    #[test]
    fn no_castling_and_one_queen_of_each_side() {
        let fen = "1q5k/8/8/8/8/8/Q7/4K2R w K - 0 1";
        assert!(is_legal(V, fen, "e1f1"));
        assert!(!is_legal(V, fen, "e1g1"));
        refused(V, "1q5k/8/8/8/8/8/8/4QQ1K w - - 0 1");
        refused(V, "1q5k/8/8/8/8/8/8/7K w - - 0 1");
    }

    #[test]
    fn queens_may_not_face_each_other() {
        let fen = "q6k/8/8/8/N7/8/8/Q6K w - - 0 1";
        assert_eq!(legal_from(V, fen, "a4").len(), 0);
        refused(V, "q6k/8/8/8/8/8/8/Q6K w - - 0 1");
    }

    #[test]
    fn king_may_be_taken_and_left_attacked() {
        let fen = "1q5k/8/8/8/8/8/6R1/4Q2K b - - 0 1";
        assert!(is_legal(V, fen, "h8g8"));
        let fen = "1q5k/7R/8/8/8/8/8/4Q2K w - - 0 1";
        assert!(is_legal(V, fen, "h7h8"));
    }

    #[test]
    fn pawn_promotes_to_king_rook_bishop_knight() {
        let fen = "6qk/P7/8/8/8/8/8/4Q2K w - - 0 1";
        assert_eq!(
            legal_from(V, fen, "a7"),
            ["a7a8b", "a7a8k", "a7a8n", "a7a8r"]
        );
    }

    #[test]
    fn attacked_queen_without_turn_is_mate() {
        let fen = "1q5k/8/8/8/8/5n2/8/4Q2K w - - 0 1";
        assert_eq!(outcome(V, fen), "black-wins checkmate");
    }

    #[test]
    fn stalemate_is_a_draw() {
        assert_eq!(outcome(V, "2q/Q2 w - - 0 1"), "draw stalemate");
    }
}

mod separation {
    use super::*;
    const V: &str = "separation";

    #[test]
    fn king_and_queen_do_not_enter_each_other_s_quadrant() {
        let fen = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";
        assert_eq!(legal(V, fen), ["d1b2", "d1c3", "e1e2", "e1f1", "e1f2"]);
    }

    #[test]
    fn nor_do_they_step_within_a_quadrant_that_they_share() {
        let fen = "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1";
        assert_eq!(legal(V, fen), ["e1d1", "e1d2", "f1d2"]);
    }

    #[test]
    fn middle_file_and_rank_belong_to_the_right_and_upper_part() {
        // 5x5: c1 lies in the lower right quadrant, c3 in the upper right.
        let fen = "k4/5/5/5/Q1K2 w - - 0 1";
        let king = legal_from(V, fen, "c1");
        assert_eq!(king, ["c1c2", "c1d1", "c1d2"]);
        let fen = "4k/5/2K2/5/Q4 w - - 0 1";
        assert_eq!(legal_from(V, fen, "a1"), ["a1b3", "a1c2"]);
    }

    #[test]
    fn knight_goes_as_a_queen() {
        let fen = "k7/8/8/8/8/8/1N6/7K w - - 0 1";
        assert!(is_legal(V, fen, "b2b8"));
        assert!(is_legal(V, fen, "b2h8"));
        assert!(!is_legal(V, fen, "b2d3"));
    }

    #[test]
    fn attack_on_the_queen_alone_has_to_be_met() {
        let fen = "k2r4/8/8/8/8/8/8/3QK3 w - - 0 1";
        assert_eq!(legal(V, fen), ["d1b2", "d1c3"]);
    }

    #[test]
    fn with_both_attacked_the_queen_may_stay_so_but_is_not_captured() {
        let fen = "k2rr3/8/8/8/8/8/8/3QK3 w - - 0 1";
        assert_eq!(legal(V, fen), ["e1f1", "e1f2"]);
        let there = after(V, fen, &["e1f1"]);
        assert!(!is_legal(V, &there, "d8d1"));
    }

    #[test]
    fn with_both_attacked_the_queen_does_not_step_to_an_attacked_square() {
        let fen = "k1r1r3/8/8/8/2Q5/8/8/4K3 w - - 0 1";
        assert_eq!(legal(V, fen), ["e1f1", "e1f2"]);
    }

    #[test]
    fn pawn_promotes_to_knight_rook_bishop() {
        let fen = "8/P6k/8/8/8/8/8/7K w - - 0 1";
        assert_eq!(legal_from(V, fen, "a7"), ["a7a8b", "a7a8n", "a7a8r"]);
    }

    #[test]
    fn attacked_king_or_queen_without_turn_is_mate() {
        let fen = "k6R/8/1K6/8/8/8/8/8 b - - 0 1";
        assert_eq!(outcome(V, fen), "white-wins checkmate");
        let fen = "rrr4k/8/8/8/8/8/8/Q6K w - - 0 1";
        assert_eq!(outcome(V, fen), "black-wins checkmate");
    }

    #[test]
    fn unit_that_shields_the_queen_may_not_leave_even_to_end_a_check() {
        let fen = "r6k/8/8/8/R7/8/8/Q3K3 w - - 0 1";
        assert!(!is_legal(V, fen, "a4e4"));
        let fen = "r3r2k/8/8/8/R7/8/8/Q3K3 w - - 0 1";
        assert!(!is_legal(V, fen, "a4e4"));
        let fen = "4r2k/8/8/8/R7/8/8/Q3K3 w - - 0 1";
        assert!(is_legal(V, fen, "a4e4"));
    }

    #[test]
    fn no_castling_and_one_queen_at_most() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        assert!(is_legal(V, fen, "e1f1"));
        assert!(!is_legal(V, fen, "e1g1"));
        refused(V, "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1");
    }

    #[test]
    fn check_that_only_a_turn_into_the_same_quadrant_ends_is_checkmate() {
        // The king could go to a2; the queen would be attacked on b3.
        assert_eq!(outcome(V, "kr/2/2/QK w - - 0 1"), "black-wins checkmate");
    }

    #[test]
    fn queen_that_can_only_join_the_king_loses() {
        // b3 is free of attacks; a2 and b2 are attacked.
        assert_eq!(
            outcome(V, "k1/2/2/bp/2/QK w - - 0 1"),
            "black-wins same-quadrant"
        );
    }

    #[test]
    fn turn_that_is_illegal_for_an_attack_too_does_not_lose() {
        // The pawn attacks a2, the bishop b2, the king b3.
        assert_eq!(outcome(V, "k1/bp/2/QK w - - 0 1"), "draw stalemate");
    }

    #[test]
    fn only_turns_into_the_same_quadrant_lose() {
        assert_eq!(
            outcome(V, "k1/b1/2/QK w - - 0 1"),
            "black-wins same-quadrant"
        );
    }

    #[test]
    fn stalemate_is_a_draw() {
        let fen = "7k/5N2/8/8/8/8/8/K7 b - - 0 1";
        assert_eq!(outcome(V, fen), "draw stalemate");
    }

    #[test]
    fn mover_with_attacked_queen_is_accepted_with_attacked_king_refused() {
        open(V, "3r3k/8/8/8/8/8/8/3Q3K b - - 0 1");
        refused(V, "7k/8/8/8/8/8/7r/Q6K b - - 0 1");
    }
}
