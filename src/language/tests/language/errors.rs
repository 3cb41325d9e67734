//! Errors: the fault, its place, and a correction.

use crate::{compile, setup};
use language::{About, Environment, Expression};

/// An expression, the column of its error, a part of the message, and a part of the help.
type Wrong = (&'static str, usize, &'static str, &'static str);

/// Expressions in orthodox chess.
const WRONG: [Wrong; 53] = [
    ("size == 1", 1, "`size` is a function", "size(list)"),
    ("turns.size == 1", 7, "`size` is a function", "list.size()"),
    (
        "turns.exists",
        7,
        "`exists` is a function",
        "list.exists(x, condition)",
    ),
    ("", 1, "it is empty", "for example"),
    (
        "chek",
        1,
        "there is no name `chek`",
        "did you mean `check`?",
    ),
    (
        "won(white) || chek",
        15,
        "there is no name `chek`",
        "`check`",
    ),
    ("check && ", 9, "the expression ends", ""),
    ("(check", 7, "`)` should follow", ""),
    (
        "check)",
        6,
        "`)` where an operator or the end should follow",
        "",
    ),
    ("check and over", 7, "`and`", "write `&&`"),
    ("over || not check", 13, "`check`", "`!check`"),
    ("not(check)", 1, "no function `not`", "`!check`"),
    ("check = over", 7, "`=` has no meaning here", "`==`"),
    ("check & over", 7, "`&` has no meaning here", "`&&`"),
    (
        "count(white, 'quen') == 1",
        14,
        "no rule set has a kind 'quen'",
        "did you mean 'queen'?",
    ),
    (
        "empty('i9')",
        7,
        "'i9' is not a square of this 8x8 board",
        "on_board",
    ),
    (
        "empty(e4)",
        7,
        "there is no name `e4`",
        "kinds and squares are texts: 'e4'",
    ),
    ("count(queen)", 7, "there is no name `queen`", "'queen'"),
    (
        "count(white) == 'queen'",
        17,
        "a value of the type int is wanted",
        "",
    ),
    (
        "turns && check",
        1,
        "a value of the type bool is wanted here; this is of the type list of turn",
        "size(list) > 0",
    ),
    (
        "turns > 3",
        1,
        "a value of the type int is wanted",
        "size(list)",
    ),
    (
        "kind == 'queen'",
        1,
        "`kind` belongs to turns, not to the position",
        "turns.exists",
    ),
    (
        "captures.size() > 0",
        1,
        "`captures` belongs to turns",
        "turns.exists",
    ),
    (
        "value == 'win'",
        1,
        "`value` is not known here",
        "table find",
    ),
    ("depth == 1", 1, "`depth` is not known here", "explore"),
    ("mover == white", 1, "`mover` is not known here", "`side`"),
    (
        "won(white, 'marriage')",
        12,
        "no game of this rule set ends for the reason 'marriage'",
        "checkmate",
    ),
    (
        "won(white, 'chekmate')",
        12,
        "no game of this rule set",
        "did you mean 'checkmate'?",
    ),
    (
        "outcome == 'white-win'",
        12,
        "'white-win' is not an outcome",
        "did you mean 'white-wins'?",
    ),
    (
        "side == 'whit'",
        9,
        "'whit' is not a side",
        "did you mean 'white'?",
    ),
    (
        "units.al(u, true)",
        7,
        "has no member `al`",
        "did you mean `all`?",
    ),
    (
        "units.all(u)",
        7,
        "`all` takes a variable and an expression",
        "units.all(u,",
    ),
    (
        "units.all('u', true)",
        11,
        "the name of a variable is wanted",
        "",
    ),
    (
        "check.all(u, true)",
        1,
        "`all` follows a list; this is of the type bool",
        "",
    ),
    (
        "units.map(u, u.moves)",
        14,
        "a list cannot be an element of a list",
        "size",
    ),
    (
        "units[0].kid",
        10,
        "has no member `kid`",
        "did you mean `kind`?",
    ),
    (
        "check()",
        1,
        "`check` does not take 0 arguments",
        "check(side)",
    ),
    (
        "turns()",
        1,
        "`turns` is not a function",
        "without parentheses",
    ),
    (
        "attacked",
        1,
        "`attacked` is a function",
        "attacked(square, side)",
    ),
    (
        "atacked('e4', white)",
        1,
        "there is no function `atacked`",
        "`attacked`",
    ),
    (
        "state.blunder == 1",
        7,
        "the state has no field `blunder`",
        "`fide` has no state",
    ),
    ("under('minishogi').check", 7, "own board", ""),
    (
        "under('fid').check",
        7,
        "there is no rule set of this name",
        "`fide`",
    ),
    (
        "9223372036854775808 > 1",
        1,
        "the number is greater than",
        "",
    ),
    ("1.5 > 1", 3, "`5` where a name", ""),
    ("1u > 1", 1, "`1u` is not a number", "whole"),
    (
        "reason == 'mate",
        11,
        "the text has no end",
        "quotation mark",
    ),
    ("for.x", 1, "`for` is a reserved word", ""),
    (
        "if check then 1 else 0",
        1,
        "`if` is a reserved word",
        "write `condition ? a : b`",
    ),
    (
        "king(white)",
        1,
        "there is no function `king`",
        "write `units(white, 'king')`",
    ),
    (
        "mate(white)",
        1,
        "there is no function `mate`",
        "write `reason == 'checkmate'`",
    ),
    (
        "1.5 > 1",
        3,
        "`5` where a name should follow",
        "numbers are whole",
    ),
    (
        "hand(white)",
        1,
        "`hand` does not take 1 argument",
        "hand(side, kind)",
    ),
];

/// Expressions in other rule sets.
const WRONG_ELSEWHERE: [(&str, Wrong); 2] = [
    (
        "blunder-mate",
        (
            "state.blundr == 1",
            7,
            "the state has no field `blundr`",
            "blunder",
        ),
    ),
    (
        "chromopolis",
        (
            "under('fide').check",
            7,
            "the boards differ: this position has 7x6, a cylinder, `fide` has 7x6",
            "",
        ),
    ),
];

#[track_caller]
fn assert_contains(text: &str, part: &str) {
    assert!(text.contains(part), "{text}");
}

#[test]
fn errors_say_what_where_and_what_would_be_right() {
    let orthodox = WRONG.map(|wrong| ("fide", wrong));
    for (variant, (text, column, why, help)) in orthodox.into_iter().chain(WRONG_ELSEWHERE) {
        let error = compile(&setup(variant, ""), text, false).expect_err(text);
        let found = error.help.clone().unwrap_or_default();
        assert!(error.why.contains(why), "{text}: {}", error.why);
        assert!(found.contains(help), "{text}: {}: {found}", error.why);
        assert_eq!(
            error.place(text).column as usize,
            column,
            "{text}: {}",
            error.why
        );
    }
}

#[test]
fn the_caret_is_below_the_error() {
    let text = "check ||\n  chek ||\n over";
    let error = compile(&setup("fide", ""), text, false).expect_err(text);
    assert_eq!(error.place(text).to_string(), "line 2, column 3");
    assert_eq!(error.excerpt(text), "  chek ||\n  ^^^^");
    let long = format!(
        "{} || chek || {}",
        "over || ".repeat(40) + "over",
        "over || ".repeat(40) + "over"
    );
    let error = compile(&setup("fide", ""), &long, false).expect_err("unknown name");
    let excerpt = error.excerpt(&long);
    let [line, carets] = excerpt.lines().collect::<Vec<_>>()[..] else {
        panic!("two lines");
    };
    assert!(line.chars().count() <= 100);
    assert_eq!(&line[carets.find('^').expect("a caret")..][..4], "chek");
}

/// Expressions with an error inside a list, and the text that the carets underline.
const UNDERLINED: [(&str, &str); 12] = [
    ("1 in ['e4']", "'e4'"),
    ("sum(['a', 'b'])", "'a'"),
    ("[1, 2] == [check]", "check"),
    ("max(units.map(u, u.kind))", "u.kind"),
    ("sum(units.map(u, [u.rank, check].size() + 1))", "check"),
    ("sum(['a', 'b'].filter(x, x == 'a'))", "'a'"),
    ("[1, [2, check]]", "check"),
    ("[[1], 2]", "[1]"),
    ("[1].map(x, [x, check])", "check"),
    ("units.filter(u, u.kind in ['king', 'e4'])", "'e4'"),
    ("squares.all(s, s in ['a1', 'j1'])", "'j1'"),
    (
        "turns.all(a, a.after.turns.exists(b, b.after.turns.all(c, c.checks)))",
        "b.after.turns",
    ),
];

#[test]
fn the_caret_is_below_the_part_of_a_list_that_is_wrong() {
    for (text, part) in UNDERLINED {
        let error = compile(&setup("fide", ""), text, false).expect_err(text);
        assert_eq!(&text[error.span.clone()], part, "{text}: {}", error.why);
    }
}

#[test]
fn deep_and_long_expressions_are_refused() {
    let start = setup("fide", "");
    let compile = |text: &str| compile(&start, text, false);
    let nested = |n: usize| "(".repeat(n) + "check" + &")".repeat(n);
    assert!(compile(&nested(199)).is_ok());
    let forms: [fn(usize) -> String; 7] = [
        |n| "(".repeat(n) + "check" + &")".repeat(n),
        |n| "!".repeat(n) + "check",
        |n| format!("{} == 0", "-".repeat(n) + "1"),
        |n| "1".to_owned() + &"+1".repeat(n) + " == 0",
        |n| "turns[0]".to_owned() + &".after.turns[0]".repeat(n) + ".checks",
        |n| "units.all(u, ".repeat(n) + "check" + &")".repeat(n),
        |n| "check ? over : ".repeat(n) + "over",
    ];
    for form in forms {
        let error = compile(&form(300)).expect_err("300 levels");
        assert_contains(&error.why, "nested deeper than 200 levels");
        let error = compile(&form(4_000)).expect_err("4,000 levels");
        assert_contains(&error.why, "nested deeper than 200 levels");
    }
    let wide = "check || ".repeat(5_000) + "check";
    assert!(compile(&wide).is_ok(), "a long condition is not a deep one");
    let error = compile(&"check || ".repeat(8_000)).expect_err("72,000 bytes");
    assert_contains(&error.why, "at most 65536");
}

#[test]
fn three_nested_lists_of_turns_are_refused() {
    let start = setup("fide", "");
    let two = "turns.all(a, a.after.turns.exists(b, b.checks))";
    assert!(compile(&start, two, false).is_ok());
    let three = "turns.all(a, a.after.turns.exists(b, b.after.turns.all(c, c.checks)))";
    let error = compile(&start, three, false).expect_err("three lists");
    assert_contains(&error.why, "more than 2 lists of turns");
    let hidden = "turns.map(a, a.after).all(p, p.turns.exists(b, units.all(u, size(b.after.at(u.square).moves) > 0)))";
    assert!(compile(&start, hidden, false).is_err());
}

#[test]
fn kinds_of_other_rule_sets_count_no_units_and_warn() {
    let start = setup("fide", "");
    let expression = compile(&start, "count('advocate') == 0", false).expect("a known kind");
    assert_eq!(expression.warnings().len(), 1);
    let other = compile(&start, "under('bachelor').count('advocate') == 0", false);
    assert_eq!(other.expect("a known kind").warnings().len(), 1);
    let expression = compile(&start, "count('n') == 4 && count('Q') == 2", false).expect("letters");
    assert!(expression.warnings().is_empty());
}

#[test]
fn flip_has_values_only() {
    let start = setup("fide", "");
    let game = start.game();
    let environment = Environment::new(&game, About::VALUED);
    let compile = |text| Expression::compile(text, &environment);
    assert!(compile("value == 'loss' && flip.value == 'loss' && flip.plies > 3").is_ok());
    for text in [
        "flip.check",
        "flip.units(white).size() > 0",
        "flip.turns.size() > 0",
    ] {
        let error = compile(text).expect_err(text);
        assert_contains(&error.why, "does not exist of `flip`");
    }
}

#[test]
fn values_are_accepted_only_where_they_are_known() {
    let start = setup("fide", "");
    let game = start.game();
    let fide = |_: &str, _| Ok(start.game());
    let environment = Environment {
        open: &fide,
        ..Environment::new(&game, About::VALUED)
    };
    let compile = |text: &str| Expression::compile(text, &environment);
    let known = [
        "P",
        "turns[0].before.P",
        "turns[0].after.P",
        "turns[0].steps[0].after.P",
        "turns.exists(t, t.after.P)",
        "turns.filter(t, t.checks).map(t, t.after).exists(p, p.P)",
        "turns.exists(t, t.after.turns.exists(u, u.before.P))",
        "[turns[0].before, turns[0].after].exists(p, p.P)",
        "(check ? turns[0].before : turns[0].after).P",
        "pseudo.exists(t, t.before.P)",
        "pass.pseudo.size() > 0 && P",
    ];
    let unknown = [
        "under('fide').P",
        "pass.P",
        "pass.pass.P",
        "pass.under('fide').P",
        "under('fide').pass.P",
        "under('fide').turns.exists(t, t.after.P)",
        "under('fide').turns.exists(t, t.before.P)",
        "turns.exists(t, t.after.under('fide').P)",
        "turns.exists(t, t.after.pass.P)",
        "turns.exists(t, t.before.pass.P)",
        "pass.turns[0].after.P",
        "pass.turns[0].before.P",
        "pass.turns[0].steps[0].after.P",
        "pass.turns.filter(t, t.checks).exists(t, t.after.P)",
        "turns.map(t, t.after.pass).exists(p, p.P)",
        "pseudo.exists(t, t.after.P)",
        "pseudo.map(t, t.after).exists(p, p.P)",
        "[turns[0].before, pass].exists(p, p.P)",
        "(check ? pass : turns[0].after).P",
    ];
    for condition in [
        "value == 'win'",
        "plies == -1",
        "flip.value == 'win'",
        "flip.plies == -1",
    ] {
        for form in known {
            let text = form.replace('P', condition);
            assert!(compile(&text).is_ok(), "{text}");
        }
        for form in unknown {
            let text = form.replace('P', condition);
            let error = compile(&text).expect_err(&text);
            assert_contains(&error.why, "is not known of this position");
        }
    }
    for text in [
        "flip.under('fide').value == 'win'",
        "flip.pass.value == 'win'",
        "flip.flip.value == 'win'",
        "flip.turns.exists(t, t.after.value == 'win')",
        "turns.map(t, t.after.flip).exists(p, p.check)",
        "[flip].exists(p, p.check)",
        "(check ? flip : turns[0].after).check",
        "flip.state.x == ''",
    ] {
        let error = compile(text).expect_err(text);
        assert_contains(&error.why, "does not exist of `flip`");
    }
}

#[test]
fn words_for_other_names_are_answered_with_an_expression() {
    let assert_answered = |variant: &str, word: &str, expression: &str| {
        let setup = setup(variant, "");
        let error = compile(&setup, word, false).expect_err(word);
        assert_eq!(error.help, Some(format!("write `{expression}`")), "{word}");
        compile(&setup, expression, false).expect(expression);
    };
    for (word, expression) in [
        ("mate", "reason == 'checkmate'"),
        ("stalemate", "reason == 'stalemate'"),
        ("checkmate", "reason == 'checkmate'"),
        ("wins", "won(white)"),
        ("lost", "won(other(side))"),
        ("draw", "drawn"),
        ("in_check", "check"),
        ("legal_moves", "size(turns)"),
        ("capture", "turns.exists(t, size(t.captures) > 0)"),
        ("promotion", "turns.exists(t, t.promotes)"),
        ("turn", "side == white"),
        ("game_over", "over"),
        ("men", "count()"),
        ("result", "outcome"),
    ] {
        assert_answered("fide", word, expression);
    }
    assert_answered("xiangqi", "stalemate", "reason == 'stalemate'");
    for (word, expression) in [
        ("mate", "mates"),
        ("capture", "size(captures) > 0"),
        ("promotion", "promotes"),
        ("game_over", "ends"),
    ] {
        let setup = setup("fide", "");
        let error = compile(&setup, word, true).expect_err(word);
        assert_eq!(error.help, Some(format!("write `{expression}`")), "{word}");
        compile(&setup, expression, true).expect(expression);
    }
}
