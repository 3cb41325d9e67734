//! The clause `ends`: how games end.

use crate::entries::{Verdict, Winner};
use crate::rule::of_position;
use crate::set::{ClauseSet, Shared};
use interpreter::ParentEnds;
use language::GivenValues;
use position::{Layout, Position};
use rules::{Outcome, Turn, reason};

/// Returns whether the condition of an entry holds.
fn holds<W: Layout>(rule: Option<&Shared<W>>, p: &Position<W>, parent: &dyn ParentEnds<W>) -> bool {
    let Some(rule) = rule else {
        return true;
    };
    let list = |turns: &mut Vec<Turn>| parent.first_steps(p, &mut |turn| turns.push(*turn));
    rule.holds_at_end(
        p,
        GivenValues {
            first_steps: Some(&list),
            ..of_position(p)
        },
    )
}

/// Returns the outcome that an entry gives.
fn outcome<W: Layout>(verdict: &Verdict, p: &Position<W>) -> Option<Outcome> {
    let Verdict::Outcome {
        reason,
        result,
        weakly,
    } = *verdict
    else {
        return None;
    };
    let winner = match result {
        Winner::Draw => return Some(Outcome::Draw(reason)),
        Winner::Mover(true) => !p.side,
        Winner::Mover(false) => p.side,
        Winner::Color(color) => color,
    };
    Some(match weakly {
        true => Outcome::WeakWin(winner, reason),
        false => Outcome::Win(winner, reason),
    })
}

/// Returns the parent's checkmate or stalemate, if the position without a legal turn is one.
fn of_parent<W: Layout>(
    verdict: &Verdict,
    p: &Position<W>,
    parent: &dyn ParentEnds<W>,
) -> Option<Outcome> {
    let outcome = parent.without_turn(p);
    let is_mate = outcome.reason().is_some_and(is_mate);
    let fits = match verdict {
        Verdict::Checkmate => is_mate,
        Verdict::Stalemate => !is_mate,
        _ => false,
    };
    fits.then_some(outcome)
}

/// Returns whether a reason is one of positions in check.
fn is_mate(why: &str) -> bool {
    why == reason::CHECKMATE || why == "checkmated"
}

/// Returns the outcome of a position whether or not there are legal turns: the first entry that holds, or the ending of
/// the definition. An entry that needs a position without turns comes before later ones and before that ending if it
/// holds.
pub fn ended<W: Layout>(
    set: &ClauseSet<W>,
    p: &Position<W>,
    parent: &dyn ParentEnds<W>,
) -> Option<Outcome> {
    let mut settled = None;
    let mut needs_no_turn = false;
    for (end, rule) in &set.ends {
        if end.without_turn || !matches!(end.verdict, Verdict::Outcome { .. }) {
            needs_no_turn = true;
            continue;
        }
        if holds(rule.as_ref(), p, parent) {
            settled = outcome(&end.verdict, p);
            break;
        }
    }
    let settled = settled.or_else(|| parent.ended(p))?;
    if needs_no_turn && !parent.has_turn(p) {
        return of_entries(set, p, parent).or(Some(settled));
    }
    Some(settled)
}

/// Returns the outcome of a position without a legal turn.
pub fn without_turn<W: Layout>(
    set: &ClauseSet<W>,
    p: &Position<W>,
    parent: &dyn ParentEnds<W>,
) -> Outcome {
    of_entries(set, p, parent).unwrap_or_else(|| parent.without_turn(p))
}

/// Returns the outcome that the first entry gives that holds in a position without a legal turn.
fn of_entries<W: Layout>(
    set: &ClauseSet<W>,
    p: &Position<W>,
    parent: &dyn ParentEnds<W>,
) -> Option<Outcome> {
    set.ends.iter().find_map(|(end, rule)| match end.verdict {
        Verdict::Outcome { .. } => match holds(rule.as_ref(), p, parent) {
            true => outcome(&end.verdict, p),
            false => None,
        },
        _ => of_parent(&end.verdict, p, parent),
    })
}
