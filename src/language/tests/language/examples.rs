//! Tests of the examples in the table of names.

use crate::{compile, setup, value};
use language::{FORMS, NAMES};

#[test]
fn every_example_has_its_answer() {
    let rows = NAMES
        .iter()
        .filter(|row| !row.needs_facts())
        .map(|row| row.example);
    for example in rows.chain(FORMS.iter().map(|form| form.3)) {
        let answer = value(example.variant, example.fen, example.expression);
        assert_eq!(answer, example.answer, "{}", example.expression);
    }
}

#[test]
fn names_that_need_facts_are_refused_without_them() {
    for row in NAMES.iter().filter(|row| row.needs_facts()) {
        let example = row.example;
        let error = compile(
            &setup(example.variant, example.fen),
            example.expression,
            false,
        )
        .expect_err(example.expression);
        assert!(error.why.contains("is not known here"), "{}", error.why);
    }
}

/// Conditions from the specification that can be evaluated on any position.
#[test]
fn conditions_of_rules_can_be_written() {
    let beside_queen = "turns.filter(t, t.after.units(t.before.side, 'queen').exists(q, \
        distance(q.square, t.after.units(t.before.side, 'king')[0].square) == 1))\
        .all(t, !t.after.check(t.before.side) && t.after.won(t.before.side))";
    let bachelor = "4k2/7/7/7/3Q3/K6 w - - 0 1";
    assert_eq!(value("bachelor", bachelor, beside_queen), "true");
    let marriages = "turns.filter(t, t.after.won(side, 'marriage'))";
    assert_ne!(value("bachelor", bachelor, marriages), "");

    let mark = "!won(other(side)) && pass.turns.exists(t, t.after.won(t.before.side))";
    assert_eq!(
        value("bachelor", "4k2/7/7/7/3Q3/K6 b - - 0 1", mark),
        "true"
    );

    let pawns = "turns.all(t, sum(t.after.units(side, 'pawn').map(u, 8 - u.row)) \
        <= sum(units(side, 'pawn').map(u, 8 - u.row)))";
    assert_eq!(value("fide", "", pawns), "true");

    let mates = "turns.all(a, a.after.won(other(side)) || a.after.turns.exists(b, b.mates))";
    assert_eq!(value("fide", "", mates), "false");

    let reach = "units.filter(u, !(u.kind in ['king', 'pawn']))\
        .all(u, size(reach(u)) <= size(under('fide').reach(u)))";
    assert_eq!(value("fide", "", reach), "true");
}
