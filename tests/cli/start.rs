//! `fairyproof start`: the start FEN.

use crate::run::answer;

#[test]
fn start_is_the_start_fen() {
    assert_eq!(
        answer(&["start", "fide"]),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
    );
}
