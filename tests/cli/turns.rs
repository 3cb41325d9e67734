//! `fairyproof turns`: the legal turns.

use crate::run::{answer, holds};

#[test]
fn turns_come_one_a_line_in_byte_order() {
    let out = answer(&["turns", "fide", "4k3/P7/8/8/8/8/8/R3K3 w Q - 0 1"]);
    let turns: Vec<&str> = out.lines().collect();
    assert!(turns.is_sorted());
    assert_eq!(turns.len(), 18);
    holds(&out, &["a7a8q\n", "e1c1\n"]);
}

#[test]
fn turns_of_the_start_without_a_fen() {
    assert_eq!(answer(&["turns", "fide"]).lines().count(), 20);
}

#[test]
fn turns_of_a_terminal_position_are_nothing() {
    assert_eq!(
        answer(&["turns", "fide", "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"]),
        ""
    );
}
