//! Clauses about the effects of a step.

use crate::rule::{of_captured, of_turn, side as side_of, square};
use crate::set::{ClauseSet, RebirthRules, Shared};
use board::{Color, Kind, Square, Squares};
use interpreter::{Captured, KindChoices, Play, Rebirth, exchanges};
use language::GivenValues;
use position::Layout;
use rules::Action;

/// Returns the units that a step captures.
pub fn taken<W: Layout>(set: &ClauseSet<W>, step: &Play<'_, W>) -> W::Set {
    match &set.takes {
        Some(rule) => W::Set::from_bits(rule.squares_of(step)),
        None => step.captures,
    }
}

/// Returns where the moved unit is after a step.
pub fn landing<W: Layout>(set: &ClauseSet<W>, step: &Play<'_, W>) -> Option<Square> {
    match &set.lands {
        Some(rule) => square(rule.number_of(step)),
        None => Some(step.at),
    }
}

/// Returns the possible kinds of the moved unit: each clause is applied to the results of the one before.
pub fn kinds_after<W: Layout>(set: &ClauseSet<W>, step: &Play<'_, W>) -> KindChoices {
    let mut kinds = KindChoices::from_slice(&[step.becomes]);
    for (rule, _) in &set.turns_into {
        let mut next = KindChoices::new();
        for &kind in &kinds {
            let given = GivenValues {
                becomes: Some(kind),
                ..of_turn(step)
            };
            for becomes in rule.kinds_with(step, given) {
                if !next.contains(&becomes) {
                    next.push(becomes);
                }
            }
        }
        kinds = next;
    }
    kinds
}

/// Returns the side of the moved unit: each clause is applied to the result of the one before.
pub fn side_after<W: Layout>(set: &ClauseSet<W>, step: &Play<'_, W>) -> Color {
    set.joins.iter().fold(step.owner, |owner, rule| {
        let given = GivenValues {
            owner,
            ..of_turn(step)
        };
        side_of(rule.number_with(step, given)).unwrap_or(owner)
    })
}

/// Returns where the moved unit goes after changes of its kind and side, if it does not stay.
pub fn last_square<W: Layout>(set: &ClauseSet<W>, step: &Play<'_, W>) -> Option<Square> {
    let rule = set.ends_on.as_ref()?;
    let given = GivenValues {
        owner: step.owner,
        ..of_turn(step)
    };
    square(rule.number_with(step, given))
}

/// Returns the union of the units of several clauses, in the position after the step. A unit of the position before
/// counts if it is still on its square.
pub fn united<W: Layout>(rules: &[Shared<W>], step: &Play<'_, W>) -> W::Set {
    let [before, after] = rules.iter().fold([0; 2], |[before, after], rule| {
        let units = rule.units_of(step);
        [before | units[0], after | units[1]]
    });
    let first = step.turn.first();
    let moves = matches!(
        first.action(),
        Action::Go | Action::Push | Action::EnPassant
    );
    let exchanged = exchanges(step.before, &step.turn, step.captures);
    let moves_away =
        // Of units that exchange their squares, both move away.
        |square: Square| {
            moves && square == first.from && step.at != first.from || exchanged && square == first.to
        };
    let stands = |square: &Square| {
        let unit = step.before.unit(*square);
        unit.is_some()
            && unit == step.after.unit(*square)
            && !step.captures.has(*square)
            && !moves_away(*square)
    };
    let standing = W::Set::from_bits(before).iter().filter(stands);
    standing.fold(W::Set::from_bits(after), W::Set::with)
}

/// Returns the first of the clauses that puts a unit on the board again, with where.
fn found<'s, W: Layout>(
    set: &'s ClauseSet<W>,
    step: &Play<'_, W>,
    unit: Captured,
) -> Option<(&'s RebirthRules<W>, Rebirth<W::Set>)> {
    set.rebirth.iter().find_map(|rules| {
        let given = of_captured(step, unit);
        if let Some(condition) = &rules.condition
            && condition.number_with(step, given) == 0
        {
            return None;
        }
        if rules.is_list {
            let squares = W::Set::from_bits(rules.squares.squares_with(step, given));
            return Some((rules, Rebirth::OneOf(squares)));
        }
        let square = square(rules.squares.number_with(step, given))?;
        Some((rules, Rebirth::On(square)))
    })
}

/// Returns whether and where a captured unit is put on the board again.
pub fn rebirth<W: Layout>(
    set: &ClauseSet<W>,
    step: &Play<'_, W>,
    unit: Captured,
) -> Rebirth<W::Set> {
    found(set, step, unit).map_or(Rebirth::No, |(_, rebirth)| rebirth)
}

/// Returns as whose and as what a captured unit is put on the board again.
pub fn reborn<W: Layout>(set: &ClauseSet<W>, step: &Play<'_, W>, unit: Captured) -> (Color, Kind) {
    let Some((rules, _)) = found(set, step, unit) else {
        return (unit.side, unit.kind);
    };
    let given = of_captured(step, unit);
    let side = rules
        .side
        .as_ref()
        .and_then(|rule| side_of(rule.number_with(step, given)));
    let kind = rules
        .kind
        .as_ref()
        .and_then(|rule| rule.kinds_with(step, given).first().copied());
    (side.unwrap_or(unit.side), kind.unwrap_or(unit.kind))
}

/// Returns whose hand a captured unit goes to, and its kind there if a clause changes it.
pub fn hand<W: Layout>(
    set: &ClauseSet<W>,
    step: &Play<'_, W>,
    unit: Captured,
) -> Option<(Color, Option<Kind>)> {
    let given = of_captured(step, unit);
    let side = match &set.hand {
        Some(rule) => side_of(rule.number_with(step, given))?,
        None => !unit.side,
    };
    let kind = set
        .hand_kind
        .as_ref()
        .and_then(|rule| rule.kinds_with(step, given).first().copied());
    Some((side, kind))
}
