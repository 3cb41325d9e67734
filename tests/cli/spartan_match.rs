//! `fairyproof spartan-match`: who wins a match of two games of Spartan Chess.

use crate::run::{answer, refusal};

#[test]
fn match_names_the_winner_and_refuses_other_words() {
    let winner = |games: &[&str]| answer(&[&["spartan-match"], games].concat());
    assert_eq!(winner(&["black:31", "black:44"]), "first-black\n");
    assert_eq!(winner(&["white:12", "none"]), "second-black\n");
    assert_eq!(winner(&["white:12", "white:11"]), "first-black\n");
    assert_eq!(winner(&["none", "none"]), "draw\n");
    assert_eq!(
        winner(&["black:90", "none", "--moves", "100"]),
        "first-black\n"
    );
    for wrong in ["black:61", "black:0", "red:3", "black", "white:-1", ""] {
        refusal(&["spartan-match", "none", wrong]);
    }
}
