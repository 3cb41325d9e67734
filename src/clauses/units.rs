//! Clauses about units: movement, captures, royal units, checks.

use crate::rule::{of_place, of_unit};
use crate::set::{ClauseSet, MovementOf};
use board::{Color, Square, Squares};
use interpreter::{OntoOwn, Place, Reach, Target};
use language::GivenValues;
use position::{Layout, Position};

/// Returns the movement of a unit. A clause for its piece comes before one for all pieces.
pub fn movement<W: Layout>(
    set: &ClauseSet<W>,
    p: &Position<W>,
    unit: Square,
    place: Place<'_, W>,
) -> Reach<W::Set> {
    let kind = p.kind_on(unit);
    let given = GivenValues {
        unit: Some(unit),
        owner: p.unit(unit).map_or(p.side, |(color, _)| color),
        ..of_place(place)
    };
    let of = |wanted: MovementOf| {
        let fits = |clause: &&crate::set::MovementRule<W>| {
            clause.of == wanted && clause.kinds >> kind.index() & 1 == 1
        };
        set.movement.iter().find(fits).map(|clause| &clause.rule)
    };
    // A unit never steps to its own square, so it does not attack it either.
    let squares = |wanted: MovementOf| {
        let rule = of(wanted)?;
        Some(W::Set::from_bits(rule.squares_at(p, given)).without(unit))
    };
    if let Some(targets) = squares(MovementOf::Targets) {
        return Reach::Squares {
            quiet: Some(squares(MovementOf::Quiet).unwrap_or(targets)),
            attacks: Some(squares(MovementOf::Attacks).unwrap_or(targets)),
            otherwise: None,
        };
    }
    let union = of(MovementOf::Betza).map(|rule| rule.number_at(p, given) as u64);
    let (quiet, attacks) = (squares(MovementOf::Quiet), squares(MovementOf::Attacks));
    match (quiet.is_some() || attacks.is_some(), union) {
        (true, otherwise) => Reach::Squares {
            quiet,
            attacks,
            otherwise,
        },
        (false, Some(numbers)) => Reach::Union(numbers),
        (false, None) => Reach::OfKind,
    }
}

/// Returns what a step onto an own unit does.
pub fn onto_own<W: Layout>(
    set: &ClauseSet<W>,
    p: &Position<W>,
    unit: Square,
    target: Square,
) -> OntoOwn {
    let given = GivenValues {
        target: Some(target),
        ..of_unit(p, unit)
    };
    let word = set.onto_own.as_ref().map(|rule| rule.word_at(p, given));
    match word.as_deref() {
        Some("captures") => OntoOwn::Captures,
        Some("swaps") => OntoOwn::Swaps,
        _ => OntoOwn::No,
    }
}

/// Returns whether a unit moves and attacks.
pub fn is_active<W: Layout>(set: &ClauseSet<W>, p: &Position<W>, unit: Square) -> bool {
    set.active.iter().all(|rule| rule.holds(p, unit, None))
}

/// Returns whether a unit may capture a target.
pub fn may_capture<W: Layout>(
    set: &ClauseSet<W>,
    p: &Position<W>,
    unit: Square,
    target: Target,
) -> bool {
    let target = match target {
        Target::Unit(square) => Some(square),
        Target::Missing => None,
    };
    set.capture.iter().all(|rule| rule.holds(p, unit, target))
}

/// Returns the royal units of a side.
pub fn royal<W: Layout>(set: &ClauseSet<W>, p: &Position<W>, side: Color) -> W::Set {
    let rule = set.royal.as_ref();
    rule.map_or(W::Set::EMPTY, |rule| rule.units(p, side))
}

/// Returns whether a side is in check by a clause.
pub fn is_checked<W: Layout>(set: &ClauseSet<W>, p: &Position<W>, side: Color) -> bool {
    let given = GivenValues {
        owner: side,
        ..GivenValues::default()
    };
    set.check.iter().any(|rule| rule.number_at(p, given) != 0)
}
