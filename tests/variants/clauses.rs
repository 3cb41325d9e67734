//! Clauses that several rule sets share: each is written once here, and listed in the file of every rule
//! set that has it.

use crate::hand::{after, at, can, legal_from, refused};

/// Declares a test for each clause that a variant shares with others, named as the clause. Arguments of a
/// clause other than the variant follow in parentheses.
macro_rules! shared_clauses {
    ($variant:ident: $($clause:ident $(($($argument:expr),*))?,)*) => {
        $(
            #[test]
            fn $clause() {
                $crate::clauses::$clause($variant $(, $($argument),*)?);
            }
        )*
    };
}
pub(crate) use shared_clauses;

/// The king may step to a square that is attacked.
#[track_caller]
pub fn king_may_be_left_attacked(variant: &str) {
    let text = "k3r3/b7/8/8/8/5N2/B7/1R2K3 w - - 0 1";
    assert!(can(variant, text, "e1e2"));
}

/// The king may be captured. (In Dynastic he steps like a king because there is no queen.)
#[track_caller]
pub fn king_may_be_captured(variant: &str) {
    let text = "k3r3/8/7b/8/8/8/1B6/R3K3 w - - 0 1";
    assert!(can(variant, text, "a1a8"));
}

/// No side has two kings.
#[track_caller]
pub fn two_kings_are_refused(variant: &str) {
    assert!(refused(variant, "k1k5/b7/8/8/8/8/B7/K7 w - - 0 1"));
}

/// Each side has one king, no more and no less.
#[track_caller]
pub fn each_side_has_exactly_one_king(variant: &str) {
    for board in [
        "3k3/7/7/7/7/7",
        "7/7/7/7/7/3K3",
        "3k3/7/7/7/7/1K3K1",
        "1k3k1/7/7/7/7/3K3",
        "k7/8/8/8/8/8/8/7N",
        "k7/8/8/8/8/8/8/K6K",
    ] {
        assert!(refused(variant, &format!("{board} w - - 0 1")), "{board}");
    }
    for board in ["3k3/7/7/7/7/3K3", "k7/8/8/8/8/8/8/7K"] {
        assert!(!refused(variant, &format!("{board} w - - 0 1")), "{board}");
    }
}

/// Whose king is attacked, it is his turn.
#[track_caller]
pub fn mover_with_attacked_king_is_refused(variant: &str) {
    assert!(refused(variant, "7k/8/8/8/8/8/8/K1r5 b - - 0 1"));
    assert!(!refused(variant, "7k/8/8/8/8/8/8/K1r5 w - - 0 1"));
    assert!(refused(variant, "8/8/8/8/8/8/1k6/K7 b - - 0 1"));
}

/// Kings do not stand side by side, whoever is to move.
#[track_caller]
pub fn kings_side_by_side_are_refused(variant: &str) {
    for side in ["w", "b"] {
        let text = format!("7/7/3k3/2K4/7/7 {side} - - 0 1");
        assert!(refused(variant, &text), "{text}");
    }
}

/// The queen is royal, and may be missing.
#[track_caller]
pub fn royal_queen_may_be_missing_but_not_doubled(variant: &str) {
    assert!(!refused(variant, "k7/8/8/8/8/8/8/7K w - - 0 1"));
    assert!(!refused(variant, "k7/8/8/8/8/8/8/3Q3K w - - 0 1"));
    assert!(refused(variant, "k7/8/8/8/8/8/8/3QQ2K w - - 0 1"));
}

/// Pawns stand neither on the first nor on the last rank.
#[track_caller]
pub fn pawns_on_first_or_last_rank_are_refused(variant: &str) {
    for text in [
        "3k2P/7/7/7/7/3K3 w - - 0 1",
        "3k2p/7/7/7/7/3K3 w - - 0 1",
        "3k3/7/7/7/7/3K2P w - - 0 1",
        "3k3/7/7/7/7/3K2p w - - 0 1",
    ] {
        assert!(refused(variant, text), "{text}");
    }
}

/// The FEN has no seventh field.
#[track_caller]
pub fn there_is_no_state(variant: &str) {
    for state in ["x=1", "checks=0,0", "over=", "-"] {
        let text = format!("3k3/7/7/7/7/3K3 w - - 0 1 {state}");
        assert!(refused(variant, &text), "{state}");
    }
}

/// Rights to castle are dropped, and nobody castles. `board` has kings and rooks at home; White is
/// to move.
#[track_caller]
pub fn castling_does_not_exist(variant: &str, board: &str, rights: &str) {
    let seen = at(variant, &format!("{board} w {rights} - 0 1"));
    assert_eq!(seen.fen, format!("{board} w - - 0 1"));
    assert!(!seen.can("e1g1"));
}

/// A board of capture games with kings and rooks at home.
pub const HOME: &str = "r3k2r/8/2b2b2/8/8/2B2B2/8/R3K2R";

/// A double step sets the square that it passes, and can be taken there. White stands with these
/// units on the first rank and a pawn on e2, Black on the last and with a pawn on d4.
#[track_caller]
pub fn double_step_may_be_taken_in_passing(variant: &str, black: &str, white: &str) {
    let before = format!("{black}/8/8/8/3p4/8/4P3/{white} w - - 0 1");
    let there = format!("{black}/8/8/8/3pP3/8/8/{white} b - e3 0 1");
    let seen = after(variant, &before, "e2e4");
    assert_eq!(seen.fen, there);
    assert!(seen.can("d4e3"));
    assert!(can(variant, &there, "d4e3"));
}

/// A pawn that comes to its last rank becomes one of these.
#[track_caller]
pub fn pawn_promotes_to(variant: &str, letters: &str) {
    let board = "7k/P7/8/1b1r4/1B1R4/8/8/K7 w - - 0 1";
    let right: Vec<String> = letters.chars().map(|c| format!("a7a8{c}")).collect();
    assert_eq!(legal_from(variant, board, "a7a8"), right);
}
