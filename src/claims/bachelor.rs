//! Claims about Bachelor Chess (Doug Chatham, The Chess Variant Pages, 2002).

use super::{Claim, Effort, Evidence, Finding, Scope, Verdict};
use crate::board::Squares;
use crate::notation::{Setup, Start};
use crate::position::Narrow;
use crate::rules::Variant;

const PAGE: &str = "Bachelor Chess, The Chess Variant Pages, 2002";

/// The claims of this page.
pub static CLAIMS: &[Claim] = &[Claim {
    id: "bachelor/squares",
    source: PAGE,
    claim: "the board has 42 squares",
    check: squares,
}];

/// The game at its start.
fn start() -> Start<Narrow> {
    let setup = Variant::parse("bachelor").and_then(|variant| Setup::read(&variant, None));
    match setup {
        Ok(Setup::Narrow(start)) => start,
        _ => unreachable!("the start position of a registered variant reads, and is narrow"),
    }
}

fn squares(_: &Effort) -> Finding {
    let start = start();
    let board = start.game.board();
    let mut evidence = Evidence::new(&["rank", "squares"]);
    for rank in 0..board.geometry().ranks() {
        evidence.row([u32::from(rank) + 1, board.rank_set(rank).len()]);
    }
    let n = board.squares().len();
    Finding {
        verdict: if n == 42 {
            Verdict::Confirmed
        } else {
            Verdict::Refuted
        },
        scope: Scope::Exhaustive,
        summary: format!("{n} squares on {} ranks", board.geometry().ranks()),
        evidence,
    }
}
