//! Prop Chess, checked by hand: for each clause a test that fails without it.

use crate::clauses::shared_clauses;
use crate::hand::{after, at, positions, read};
use fairyproof::notation::{fen, turns};
use fairyproof::position::{KEY_WORDS, Narrow};
use fairyproof::with_setup;

const V: &str = "prop";

shared_clauses! {
    V:
    two_kings_are_refused,
}

positions! {
    V:
    king_may_be_left_attacked {
        // With support, and forward.
        "k3r3/8/8/8/8/8/1R6/4K3 w - - 0 1": legal "e1e2";
    }

    rights_to_castle_are_kept {
        "r3k2r/8/2b2b2/8/8/2B2B2/8/R3K2R w KQkq - 0 1": fen_contains " KQkq ";
    }

    pawn_promotes_with_support_only {
        // Unsupported.
        "8/P6k/8/8/R7/8/8/K6R w - - 0 1": goes "a7a8" "";
        // Supported.
        "8/P6k/1N6/8/8/8/8/K7 w - - 0 1": goes "a7a8" "b n q r";
    }

    only_supported_squares_may_be_entered {
        "start": turns "a2a3 b1a3 b1c3 c2c3 f2f3 g1f3 g1h3 h2h3";
    }

    pawn_supports_ahead_but_diagonally_only_to_capture {
        // d3: pawn and knight. c3: the pawns b2, d2 could not capture there.
        // Quiet.
        "k7/8/8/8/8/8/1P1P4/1N3N1K w - - 0 1": illegal "b1c3";
        // Capture.
        "k7/8/8/8/8/2p5/3P4/1N5K w - - 0 1": legal "b1c3 d2c3";
        // The pawn's double step supports too.
        // Double.
        "k7/8/8/8/8/1N6/3P4/7K w - - 0 1": legal "b3d4 d2d4";
    }

    possible_en_passant_capture_supports {
        "k7/8/8/3pP3/8/B7/8/7K w - d6 0 1": turns "a3d6 e5d6";
        // Without.
        "k7/8/8/3pP3/8/B7/8/7K w - - 0 1": turns "";
    }

    forward_turns_are_compulsory {
        // Rook and knight have a5 (forward for both) and e3 in common.
        "k7/8/8/8/2N5/R7/8/7K w - - 0 1": turns "a3a5 c4a5";
        // Forward for Black is down the board.
        "K7/8/8/8/2n5/r7/8/7k b - - 0 1": turns "c4e3";
    }

    support_by_a_step_that_is_not_legal_itself_counts {
        // On e5 and e7 rook and knight support each other, but to e5 the knight would go backward.
        "k7/8/2N5/8/8/8/8/4R2K w - - 0 1": turns "c6e7 e1e5 e1e7";
    }

    backward_turns_are_legal_without_a_forward_one {
        // The own pawn on a5 takes the one forward square that rook and knight have in common.
        "7k/8/8/P7/2N5/R7/8/7K w - - 0 1": turns "a3e3 c4e3";
    }

    castling_needs_its_target_supported_by_the_rook {
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1": turns "e1f1 e1g1 h1f1";
    }

    castling_passes_attacked_squares {
        "4kr2/8/8/8/8/8/8/4K2R w K - 0 1": legal "e1g1";
    }

    castling_is_not_forward {
        // Knight and pawn both reach d4, so castling has to wait.
        "4k3/8/8/8/8/1N6/3P4/4K2R w K - 0 1": legal "b3d4", illegal "e1g1";
    }

    no_turn_loses {
        "k7/8/8/8/8/8/8/7K w - - 0 1": outcome "black-wins no-turn";
        "k7/8/8/8/8/8/8/7K b - - 0 1": outcome "white-wins no-turn";
    }

    capturing_the_king_decides_nothing {
        // The queen supports the rook on a8.
        "k7/8/1n6/2n5/4Q3/R7/8/4K3 w - - 0 1" after "a3a8":
            fen "R7/8/1n6/2n5/4Q3/8/8/4K3 b - - 0 1", outcome "ongoing";
    }
}

#[test]
fn fifty_half_moves_without_capture_draw() {
    let clock_at = |clock| format!("k7/8/8/8/2N5/R7/8/7K w - - {clock} 60");
    assert_eq!(at(V, &clock_at(49)).outcome, "ongoing");
    assert_eq!(at(V, &clock_at(50)).outcome, "draw fifty-half-moves");
    assert_eq!(at(V, &clock_at(77)).outcome, "draw fifty-half-moves");
    assert_eq!(
        after(V, &clock_at(49), "a3a5").outcome,
        "draw fifty-half-moves"
    );
}

positions! {
    V:
    fifty_half_moves_come_before_no_turn {
        "k7/8/8/8/8/8/8/7K w - - 50 60": outcome "draw fifty-half-moves";
    }

    only_captures_reset_the_clock {
        "k7/8/8/8/8/1N6/3P4/7K w - - 20 60" after "d2d4": fen_ends_with " 21 60";
        // Capture.
        "k7/8/8/8/3p4/1N6/8/3R3K w - - 20 60" after "b3d4": fen_ends_with " 0 60";
        // En passant.
        "k7/8/8/3pP3/8/B7/8/7K w - d6 20 60" after "e5d6": fen_ends_with " 0 60";
    }
}

#[test]
fn clock_belongs_to_the_position() {
    for (variant, equal) in [(V, false), ("zoo", true)] {
        let board = |clock| read(variant, &format!("k7/8/8/8/2N5/R7/8/7K w - - {clock} 60"));
        let position = |clock| board(clock).get::<Narrow>().expect("64 squares").position;
        assert_eq!(position(3) == position(4), equal, "{variant}");
    }
    // A position restored from its key shows its clock.
    let setup = read(V, "k7/8/8/8/2N5/R7/8/7K w - - 37 1");
    let s = setup.get::<Narrow>().expect("64 squares");
    let codec = s.game.codec(&s.position);
    let mut key = [0; KEY_WORDS];
    codec.encode(&s.position, &mut key);
    assert_eq!(
        fen::print(s.game.as_ref(), &codec.decode(&key)),
        "k7/8/8/8/2N5/R7/8/7K w - - 37 1"
    );
}

#[test]
fn refusals_say_what_is_missing() {
    let why = |fen: &str, text: &str| {
        with_setup!(&read(V, fen), s => {
            turns::find(s.game.as_ref(), &s.position, text, 1)
                .expect_err("an illegal turn")
                .to_string()
        })
    };
    let board = "k7/8/8/8/2N5/R7/8/7K w - - 0 1";
    assert!(why(board, "a3a6").contains("no other unit"));
    assert!(why(board, "a3e3").contains("forward"));
}
