//! Decides whether a side can still win a game if its opponent helps: the question of the "dead position" (FIDE
//! Laws, article 5.2.2) for one side, and whether a side that runs out of time loses or draws (article 6.9).
//!
//! Every answer is proven:
//!
//! * **Yes** is a line of legal turns that ends with a win of the side, found by a search (`search`) or in random
//!   games (`games`). It is not necessarily the shortest one.
//! * **No** has one of two proofs. Either all positions that legal turns reach from the position are searched
//!   (`search`), and the side wins in none of them. Or, in rule sets that promise orthodox turns, men and ends, an
//!   argument about all of them
//!   (`mobility`, `mates`) shows that the side can never checkmate: it computes sets that contain every
//!   square that each unit can ever reach, and shows that no placement of units within these sets is a mate.
//!   The search also uses the argument for positions after captures and pawn moves, which it then does not
//!   continue from.
//! * **Not settled** means that a limit was reached first.
//!
//! Repetition and the counting of moves without progress do not end a game here. This crate never prints and
//! never decides how long to search.

mod aim;
mod estimate;
mod games;
mod grid;
mod mates;
mod mobility;
mod patterns;
mod search;
#[cfg(test)]
mod tests;

use board::{Color, Men};
use control::{Control, Stopped};
use per_layout::per_layout;
use position::{Layout, Position};
use rules::{Game, MATE, Outcome, Plain, STALEMATE, Turn};
use thiserror::Error;

/// Whether a side can win with the opponent's help.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A line that ends with the win; empty if the side has won.
    Yes(Vec<Turn>),
    /// The side cannot win.
    No(Proof),
    /// A limit was reached.
    Unsettled(Stopped),
}

/// The reason why a side cannot win.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Proof {
    /// The game is over.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// No placement of the units on squares that they can reach is a checkmate.
    #[error("no placement of the units on squares that they can ever reach is a mate")]
    NoMate,
    /// All reachable positions were searched. Those after which no placement is a mate count as one each.
    #[error("all {0} reachable positions were searched")]
    Searched(u64),
}

/// Returns whether `side` can win from a position if both sides play for that.
#[per_layout]
pub fn can_win<W: Layout>(
    game: &dyn Game<W>,
    root: &Position<W>,
    side: Color,
    control: &Control<'_>,
) -> Answer {
    let outcome = game.outcome(root);
    if is_win(outcome, side) {
        return Answer::Yes(Vec::new());
    }
    if !outcome.is_ongoing() {
        return Answer::No(Proof::Over(outcome));
    }
    let argument = Argument::of(game);
    if argument.refutes(game, root, side) {
        return Answer::No(Proof::NoMate);
    }
    search::search(game, root, side, argument, control)
}

/// Returns whether an outcome is a win of a side, weak wins included.
fn is_win(outcome: Outcome, side: Color) -> bool {
    matches!(outcome, Outcome::Win(winner, _) | Outcome::WeakWin(winner, _) if winner == side)
}

/// Whether the argument about mates applies to a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Argument {
    /// The rule set promises orthodox turns, men and ends.
    Mates,
    /// The rule set does not promise them: only search decides.
    None,
}

impl Argument {
    fn of<W: Layout>(game: &dyn Game<W>) -> Argument {
        let (facts, board) = (game.facts(), game.board());
        let reasons = game.variant().rule_set.reasons();
        let only_mate_wins =
            reasons.contains(&MATE) && reasons.iter().all(|r| [MATE, STALEMATE].contains(r));
        let orthodox_turns = facts.plain == Plain::Lasting
            && facts.orthodox_flights()
            && facts.changes.is_empty()
            && !facts.binds;
        let orthodox_men = *board.men() == Men::FIDE && !board.geometry().wraps();
        match only_mate_wins && orthodox_turns && orthodox_men {
            true => Argument::Mates,
            false => Argument::None,
        }
    }

    /// Returns whether the argument shows that a side cannot win.
    pub(crate) fn refutes<W: Layout>(
        self,
        game: &dyn Game<W>,
        p: &Position<W>,
        side: Color,
    ) -> bool {
        self == Argument::Mates && !mates::possible(&mobility::reachable(game, p), side)
    }
}
