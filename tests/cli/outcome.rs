//! `fairyproof outcome`: winner and reason.

use crate::run::answer;

#[test]
fn outcome_names_winner_and_reason() {
    let mate = "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1";
    let stalemate = "k7/8/1Q6/8/8/8/8/1K6 b - - 0 1";
    assert_eq!(answer(&["outcome", "fide"]), "ongoing\n");
    assert_eq!(answer(&["outcome", "fide", mate]), "white-wins checkmate\n");
    assert_eq!(answer(&["outcome", "fide", stalemate]), "draw stalemate\n");
    assert_eq!(
        answer(&["outcome", "bachelor", "3k3/7/7/7/7/3KQ2 b - - 0 1"]),
        "white-wins marriage\n"
    );
}
