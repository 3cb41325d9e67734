//! Clauses about the steps of a turn, drops, and units that are taken off.

use crate::rule::{of_place, of_position, side as side_of};
use crate::set::ClauseSet;
use board::{Color, Kind, Square, Squares};
use interpreter::{Continues, KindChoices, Place, Play};
use position::{Layout, Position};
use rules::{Step, Turn};
use smallvec::SmallVec;

/// Returns the number of steps of a turn.
pub fn count<W: Layout>(set: &ClauseSet<W>, p: &Position<W>) -> u8 {
    let number = set
        .step_count
        .as_ref()
        .map_or(1, |rule| rule.number_at(p, of_position(p)));
    if number > 1 { 2 } else { 1 }
}

/// Returns whether a second step follows a first.
pub fn continues<W: Layout>(set: &ClauseSet<W>, step: &Play<'_, W>) -> Continues {
    let word = set.continues.as_ref().map(|rule| rule.word_of(step));
    match word.as_deref() {
        Some("may") => Continues::May,
        Some("must") => Continues::Must,
        _ => Continues::No,
    }
}

/// Returns the side whose units make a step.
pub fn side<W: Layout>(set: &ClauseSet<W>, p: &Position<W>, place: Place<'_, W>) -> Color {
    let given = set
        .step_side
        .as_ref()
        .map(|rule| rule.number_at(p, of_place(place)));
    given.and_then(side_of).unwrap_or(p.side)
}

/// Returns the units that a step can take off the board.
pub fn taken_off<W: Layout>(set: &ClauseSet<W>, p: &Position<W>, place: Place<'_, W>) -> W::Set {
    let squares = set
        .take_off
        .as_ref()
        .map_or(0, |rule| rule.squares_at(p, of_place(place)));
    W::Set::from_bits(squares)
}

/// Returns the kinds that a step can put on the board.
pub fn dropped<W: Layout>(set: &ClauseSet<W>, p: &Position<W>, place: Place<'_, W>) -> KindChoices {
    let kinds = set
        .drops
        .as_ref()
        .map(|rule| rule.kinds_at(p, of_place(place)));
    SmallVec::from_vec(kinds.unwrap_or_default())
}

/// Returns whether a step may put a kind on a square.
pub fn may_drop<W: Layout>(
    set: &ClauseSet<W>,
    p: &Position<W>,
    (kind, to): (Kind, Square),
    place: Place<'_, W>,
) -> bool {
    let mut after = *p;
    after.put(p.side, kind, to);
    after.side = !p.side;
    let play = Play {
        before: p,
        turn: Turn::of(Step::place(kind, to)),
        after: &after,
        captures: W::Set::EMPTY,
        becomes: kind,
        owner: p.side,
        at: to,
        place,
    };
    set.drop_if.iter().all(|rule| rule.number_of(&play) != 0)
}
