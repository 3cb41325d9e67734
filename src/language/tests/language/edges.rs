//! Values at the edges: missing elements, overflow, castling, drops, turns of several steps.

use crate::{catalog, value, variant};
use notation::Setup;

/// Asserts the values of expressions at the orthodox start position.
#[track_caller]
fn assert_values(cases: &[(&str, &str)]) {
    for (text, answer) in cases {
        assert_eq!(value("fide", "", text), *answer, "{text}");
    }
}

#[test]
fn nothing_fails_while_an_expression_runs() {
    assert_values(&[
        ("1 / 0", "0"),
        ("7 % 0", "0"),
        ("-7 / 2", "-3"),
        ("-7 % 2", "-1"),
        ("9223372036854775807 + 1", "9223372036854775807"),
        ("-9223372036854775807 - 2", "-9223372036854775808"),
        ("-(-9223372036854775807 - 1)", "9223372036854775807"),
        ("(-9223372036854775807 - 1) / -1", "9223372036854775807"),
        ("(-9223372036854775807 - 1) % -1", "0"),
        ("9223372036854775807 * -2", "-9223372036854775808"),
        (
            "min(units('bishop').filter(u, u.rank == 4).map(u, u.file))",
            "0",
        ),
        ("max([3, 1, 2])", "3"),
        ("units[99].kind == ''", "true"),
        ("units[99].exists", "false"),
        ("units[-1].exists", "false"),
        ("at('e4').side == white || at('e4').side == black", "false"),
        ("other(at('e4').side) == at('e5').side", "true"),
        ("at('e4').square == ''", "true"),
        ("turns[99].exists || turns[99].mates", "false"),
        ("turns[99].after.count()", "32"),
        ("turns[99].from == '' && turns[99].text == ''", "true"),
        ("squares[64] == ''", "true"),
        ("[1, 2][5]", "0"),
        ("count(at('e4').side)", "0"),
        ("attacked(at('e4').square, white)", "false"),
        ("distance('a1', at('e4').square)", "-1"),
        ("aligned('a1', 'b3')", "false"),
        ("between('a1', 'b3').size()", "0"),
        ("walk('bishop', white, 'a1', 'a2')", "-1"),
        ("walk('pawn', white, 'e2', 'e1')", "-1"),
        ("walk('pawn', white, 'e2', 'e5')", "2"),
    ]);
}

#[test]
fn missing_elements_refer_to_the_position_of_their_list() {
    assert_values(&[
        ("turns[0].after.turns[99].before.side", "black"),
        ("turns[0].after.turns[99].after.side", "black"),
        (
            "turns[0].after.turns.filter(t, t.mates)[0].before.side",
            "black",
        ),
        ("turns[0].after.units[99].side == white", "false"),
        ("turns.map(t, t.after)[99].side", "white"),
        ("turns[0].after.at('e4').moves.size()", "0"),
        ("turns[0].after.turns[0].captures[0].exists", "false"),
        ("units[-9223372036854775807 - 1].exists", "false"),
        ("[1, 2][-9223372036854775807 - 1]", "0"),
    ]);
}

#[test]
fn empty_lists_take_the_type_of_their_use() {
    assert_values(&[
        ("turns.all(t, t.captures == [])", "true"),
        ("[] == turns", "false"),
        ("sum([]) + max([]) + size([])", "0"),
        ("[].all(x, x == 'e4')", "true"),
        ("'e4' in []", "false"),
        ("units[0] in []", "false"),
        ("check ? [] : units('king')", "Ke1 ke8"),
        ("[] == []", "true"),
        ("[]", ""),
    ]);
}

#[test]
fn units_of_definitions_have_reaches_and_walks() {
    let cases = [
        ("xiangqi", "reach(at('b3')).size()", "17"),
        ("minishogi", "reach(at('a1'))", "b1 a2 b2"),
        ("minishogi", "walk('gold', white, 'b1', 'b5')", "4"),
        ("minishogi", "walk('dragonHorse', black, 'a1', 'e5')", "1"),
    ];
    for (variant, text, answer) in cases {
        assert_eq!(value(variant, "", text), answer, "{variant}: {text}");
    }
    // Every kind of a definition has a reach from every square, and the evaluation never fails.
    for name in [
        "xiangqi",
        "euroshogi",
        "gorogoro",
        "seirawan",
        "courier",
        "zoo",
    ] {
        let all = "units.all(u, squares.all(s, walk(u.kind, u.side, u.square, s) >= -1))";
        assert_eq!(value(name, "", all), "true", "{name}");
    }
}

#[test]
fn texts_take_the_type_of_their_use() {
    let cases = [
        ("['d4', 'e4'].all(s, empty(s))", "true"),
        ("['d4', 'e8'].filter(s, empty(s))", "d4"),
        ("['white', 'black'].map(c, count(c))", "16 16"),
        ("['queen', 'n'].map(k, count(k))", "2 4"),
        ("at('e1').kind in ['king', 'queen']", "true"),
        ("(check ? 'queen' : 'rook') == at('a1').kind", "true"),
        ("['x', 'yy'].map(t, size(t))", "1 2"),
        ("['d2', 'c7'].map(s, s.file)", "4 3"),
        ("'e4'.rank", "4"),
        ("'a' == \"a\"", "true"),
        (
            "['a1', 'b2'] == squares.filter(s, s == 'a1' || s == 'b2')",
            "true",
        ),
        ("['d8', 'e8'].filter(s, s == 'd8' && !empty(s))", "d8"),
        ("'\\'' + '' == 'x'", ""),
    ];
    for (text, answer) in &cases[..12] {
        assert_eq!(value("fide", "", text), *answer, "{text}");
    }
}

#[test]
fn members_of_turns_cover_castlings_drops_and_promotions() {
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let cases = [
        ("turns.filter(t, t.castles).size()", "2"),
        (
            "turns.filter(t, t.castles).all(t, t.kind == 'king' && t.length2 == 4)",
            "true",
        ),
        (
            "turns.filter(t, t.castles).all(t, size(t.captures) == 0)",
            "true",
        ),
        (
            "turns.filter(t, size(t.captures) > 0).map(t, t.captures[0]).all(u, u.kind == 'rook')",
            "true",
        ),
    ];
    for (text, answer) in cases {
        assert_eq!(value("fide", castling, text), answer, "{text}");
    }
    let rights = "castling_rights(white) == 2 && castling_rights(black) == 1";
    assert_eq!(
        value("fide", "r3k3/8/8/8/8/8/8/R3K2R w KQq - 0 1", rights),
        "true"
    );
    let lost = "turns.filter(t, t.after.castling_rights(white) == 1).map(t, t.from)";
    let rook = "4k3/8/8/8/8/8/7p/R3K1NR w KQ - 0 1";
    assert_eq!(
        value("fide", rook, lost),
        "a1 a1 a1 a1 a1 a1 a1 a1 a1 a1 h1"
    );
    let checks = "7k/8/8/8/8/8/8/R3K3 w - - 2+3 0 1";
    let left = "turns.filter(t, t.after.checks_left(white) == 1)";
    assert_eq!(value("3check", checks, left), "a1a8");
    assert_eq!(value("3check", checks, "checks_left(black)"), "3");
    assert_eq!(value("fide", rook, "checks_left(white)"), "0");
    let hand = "4k3/8/8/8/8/8/4K3/8[N] w - - 0 1";
    assert_eq!(value("crazyhouse", hand, "hand(white, 'knight')"), "1");
    let drops = "turns.filter(t, t.drops).all(t, t.kind == 'knight' && t.from == '' && t.becomes == 'knight')";
    assert_eq!(value("crazyhouse", hand, drops), "true");
    let promoted = "4k3/8/8/8/8/8/4K3/7Q~[] w - - 0 1";
    assert_eq!(
        value(
            "crazyhouse",
            promoted,
            "units.filter(u, u.promoted).map(u, u.kind)"
        ),
        "queen"
    );
    assert_eq!(value("crazyhouse", promoted, "count(white, 'queen')"), "1");
}

#[test]
fn other_rule_sets_judge_the_same_units() {
    let cases = [
        (
            "submission",
            "size(under('fide').turns) == 20 && size(turns) == 20",
            "true",
        ),
        (
            "convergent",
            "under('convergent').turns.size() == turns.size()",
            "true",
        ),
    ];
    for (variant, text, answer) in cases {
        assert_eq!(value(variant, "", text), answer, "{text}");
    }
}

#[test]
fn a_start_position_after_a_pass_can_be_read() {
    for name in catalog().ids() {
        let fen = value(name, "", "pass.fen");
        let variant = variant(name).expect("a rule set of the catalog");
        if let Err(why) = Setup::read(&variant, Some(&fen)) {
            panic!("{name}: {fen}: {why}");
        }
    }
}
