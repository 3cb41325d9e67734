//! Null moves. In series play, one side passes after each turn of the other; a threat is what would follow if
//! the opponent passed.

use per_layout::per_layout;
use position::{Layout, Position};
use rules::Game;

/// Returns the position after the side to move has passed: en passant rights lapse, and so does a state that
/// only the side to move can have. Nothing else changes.
/// Returns `None` if the game is over, if the side to move is in check, or if the rules do not allow the
/// position after the pass.
#[per_layout]
pub fn passed<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> Option<Position<W>> {
    if game.settled(p).is_some() {
        return None;
    }
    if game.in_check(p, p.side) {
        return None;
    }
    let mut after = *p;
    after.side = !p.side;
    after.set_en_passant(None);
    after.state = game.carried().passed_state(after.state);
    if game.facts().orthodox_flights() && game.carried().state_bits() == 0 {
        return Some(after);
    }
    (game.check_no_opposite_check(&after).is_ok() && game.check_position(&after).is_ok())
        .then_some(after)
}
