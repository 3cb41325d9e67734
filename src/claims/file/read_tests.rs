//! Tests that each faulty claims file is refused with the right error.

use super::super::spec::{MeasureKind, Operand, Relation};
use super::*;

const HEAD: &str = "[page]\ntitle = 'T'\nvariant = 'fide'\n";

fn error(claim: &str) -> Diagnostic {
    let text = format!("{HEAD}[[claim]]\nid = 'a'\nsays = 's'\n{claim}\n");
    read("t.toml", &text).expect_err(claim)
}

fn entries(claims: &str) -> Vec<Entry> {
    read("t.toml", &format!("{HEAD}{claims}"))
        .expect("it reads")
        .entries
}

#[test]
fn ids_begin_with_the_page_unless_they_contain_a_slash() {
    let claim = |id: &str| format!("[[claim]]\nid = '{id}'\nsays = 's'\nalways = 'check'\n");
    let read = entries(&(claim("a") + &claim("x/b")));
    assert_eq!(read[0].id, "t/a");
    assert_eq!(read[1].id, "x/b");
}

#[test]
fn id_with_placeholder_makes_claims_and_one_without_makes_instances() {
    let claim = |id: &str| {
        format!(
            "[[claim]]\nid = '{id}'\nsays = 'n is {{n}}'\nfor = {{ n = [1, 2] }}\n\
             perft = '{{n}}'\nis = '{{n}}'\n"
        )
    };
    let separate = entries(&claim("a-{n}"));
    assert_eq!(separate.len(), 2);
    assert_eq!(separate[1].id, "t/a-2");
    assert_eq!(separate[1].says, "n is 2");
    let Check::Measure(measure) = &separate[1].instances[0].claim.check else {
        panic!("a measure");
    };
    assert!(matches!(measure.kind, MeasureKind::Perft { depth: 2, .. }));
    assert!(
        matches!(&measure.relations[..], [(Relation::Is, Operand::Number(n))] if n.text == "2")
    );
    let rows = entries(&claim("a"));
    assert_eq!((rows.len(), rows[0].instances.len()), (1, 2));
}

/// Faulty claims, each with the error that it must cause.
const FAULTS: &[(&str, &str)] = &[
    ("alwys = 'check'", "`alwys` is not a key of a claim"),
    ("", "a claim without a check"),
    ("always = 3", "`always` is a number, not a text"),
    ("always = ''", "`always` is empty"),
    (
        "always = 'a'\ncount = 'b'",
        "two checks in one claim: `always` and `count`",
    ),
    (
        "always = 'a'\nends = 'draw'",
        "`ends` does not belong to the check `always`",
    ),
    (
        "always = 'a'\nis = 3",
        "`is` does not belong to the check `always`",
    ),
    (
        "always = 'a'\nover = 'grph'",
        "`grph` is not a set of positions",
    ),
    (
        "always = 'a'\nover = 3",
        "`over` is a table, but this is a number",
    ),
    (
        "always = 'a'\nover = {}",
        "`over` names no set of positions",
    ),
    (
        "always = 'a'\nover = { grap = 3 }",
        "`grap` is not a key of `over`",
    ),
    (
        "always = 'a'\nover = { graph = { depht = 3 } }",
        "`depht` is not a key of `graph`",
    ),
    (
        "always = 'a'\nover = { graph = { depth = 'x' } }",
        "`depth` is a text, not a whole number from 0 to 4294967295",
    ),
    (
        "always = 'a'\nover = { graph = { depth = -1 } }",
        "`depth` is -1, not a whole number from 0 to 4294967295",
    ),
    (
        "always = 'a'\nover = { games = 0 }",
        "`games` is 0; it must be a whole number from 1 to 1000000000",
    ),
    (
        "always = 'a'\nover = { games = 1, table = 'KvK' }",
        "two sets in one `over`: `table` and `games`",
    ),
    (
        "always = 'a'\nover = { games = 1, board = '4x4' }",
        "`board` does not belong to `games`",
    ),
    (
        "always = 'a'\nover = { placements = 3 }",
        "`placements` is a number, not a text",
    ),
    (
        "always = 'a'\nover = { placements = 'K', legal = 1 }",
        "`legal` is a number, not true or false",
    ),
    (
        "always = 'a'\nover = { positions = [] }",
        "`positions` is an empty list",
    ),
    (
        "always = 'a'\nover = { positions = [1] }",
        "`positions` is a list, not a list of texts",
    ),
    (
        "always = 'a'\nover = { steps = false }",
        "`steps` can only be `true`",
    ),
    (
        "always = 'a'\nlimits = 3",
        "`limits` is a table, but this is a number",
    ),
    (
        "always = 'a'\nlimits = { seconds = 3 }",
        "`seconds` is not a key of `limits`",
    ),
    (
        "always = 'a'\nlimits = { states = 0 }",
        "`states` is 0; it must be a whole number from 1 to 4294967294",
    ),
    (
        "always = 'a'\namend = true",
        "`amend` is true or false, not a list of tables",
    ),
    ("always = 'a'\namend = [{}]", "an amendment without a kind"),
    (
        "always = 'a'\namend = [{ move_unit = 1 }, { replace_turn = true }]",
        "this claim has no turns to correct",
    ),
    (
        "always = 'a'\namend = [{ number = [1, 3] }]",
        "this claim has no number to correct",
    ),
    (
        "line = 'e4'\namend = [{ mark = 1 }]",
        "this claim has no marks to correct",
    ),
    (
        "always = 'a'\namend = [{ mark = 1, add_unit = 1 }]",
        "two kinds of amendment in one table: `add_unit` and `mark`",
    ),
    (
        "always = 'a'\namend = [{ mark = 1, at = 1 }]",
        "`at` does not belong to `mark`",
    ),
    (
        "line = 'e4'\namend = [{ replace_turn = true, at = 1 }, { replace_turn = true, at = 2 }]",
        "a second amendment of the same kind",
    ),
    (
        "line = 'e4'\namend = [{ replace_turn = true, at = [1, 0] }]",
        "`at` is 0; it must be a whole number from 1 to 4294967295",
    ),
    (
        "line = 'e4'\namend = [{ replace_turn = true, at = [] }]",
        "`at` has no place",
    ),
    (
        "always = 'a'\namend = [{ number = [3, 1] }]",
        "the range from 3 to 1 is empty",
    ),
    (
        "always = 'a'\namend = [{ number = 3 }]",
        "`number` is a number, not a list of two whole numbers",
    ),
    (
        "always = 'a'\ndeep = 'yes'",
        "`deep` is a table, but this is a text",
    ),
    (
        "always = 'a'\ndeep = { id = 'b' }",
        "`id` is not a key of `deep`",
    ),
    (
        "count = 'a'\nis = 1\namong = 2",
        "`among` is a number, not a text",
    ),
    (
        "always = 'a'\nnonvacuous = 1",
        "`nonvacuous` is a number, not a text",
    ),
    (
        "always = 'a'\nvariant = 1",
        "`variant` is a number, not a text",
    ),
    ("always = 'a'\nfen = 1", "`fen` is a number, not a text"),
    (
        "always = '{n}'",
        "`{n}` is not a placeholder: `for` does not name it",
    ),
    (
        "count = 'a'",
        "`count` without `is`, `at_least` or `at_most`: nothing is asserted",
    ),
    (
        "count = 'a'\nis = true",
        "`is` is true or false, not a number or the id of another measure",
    ),
    (
        "count = 'a'\nis = 'b'",
        "`b` is neither a number nor the id of a measure of this file",
    ),
    ("count = 'a'\nis = 'a'", "a measure compared with itself"),
    (
        "perft = 'x'\nis = 1",
        "`perft` is a text, not a whole number from 0 to 100",
    ),
    (
        "perft = 1\ndivide = 3",
        "`divide` is a table, but this is a number",
    ),
    (
        "perft = 1\ndivide = { e2e4 = 'x' }",
        "`e2e4` is a text, not a whole number from 0",
    ),
    ("longest = 'game'\nis = 1", "`longest` is `game`"),
    (
        "longest = 'win'\nover = { games = 3 }\nis = 1",
        "`longest` is measured over a graph, not over this set",
    ),
    (
        "states = 'x'\nis = 1",
        "`states` is a text, not true or false",
    ),
    (
        "value = true\nis = 'won'",
        "`is` is a text, not the value of a position",
    ),
    (
        "solve = '#2'",
        "`solve` without `keys`, `solutions` or `sound`: nothing is asserted",
    ),
    (
        "solve = '#2'\nkeys = 'a'",
        "`keys` is a text, not a list of texts",
    ),
    (
        "force = 'win'\nwithin = 0",
        "`within` is 0; it must be a whole number from 1 to 4294967295",
    ),
    ("bound = '1'", "`bound` without `turns`"),
    (
        "bound = '1'\nturns = 'x'",
        "`turns` is a text, not a whole number from 0 to 4294967295",
    ),
    (
        "line = 'e4'\nmarks = 'x'",
        "`marks` is a table, but this is a text",
    ),
    (
        "line = 'e4'\nmarks = { '+' = 1 }",
        "`+` is a number, not an expression in quotation marks",
    ),
    (
        "line = 'e4'\nlegal = 1",
        "`legal` is a number, not true or false",
    ),
];

#[test]
fn every_wrong_value_is_refused_at_its_line() {
    for (claim, why) in FAULTS {
        let error = error(claim);
        assert_eq!(error.why, *why, "{claim}");
        let place = error.position().expect("a place");
        assert!((4..=9).contains(&place.line), "{claim}: {place}");
        assert!(error.excerpt.is_some(), "{claim}");
    }
}

#[test]
fn nearest_key_is_named() {
    assert_eq!(
        error("alwys = 'check'").help.as_deref(),
        Some("did you mean `always`?")
    );
    assert_eq!(
        error("always = 'a'\nlimits = { state = 3 }")
            .help
            .as_deref(),
        Some("did you mean `states`?")
    );
}

#[test]
fn wrong_files_are_refused() {
    for (text, why) in [
        ("", "a claims file without the table `[page]`"),
        ("[page]\ntitle = 'T'", "a claims file without a claim"),
        ("[page]\n", "a page without `title`"),
        (
            "[page]\ntitle = 'T'\nname = 'x'",
            "`name` is not a key of a page",
        ),
        (
            "[page]\ntitle = 'T'\nrules = 'x'",
            "`rules` is a text, not a list of texts",
        ),
        (
            "[page]\ntitle = 'T'\nid = 'a b'",
            "an id consists of visible ASCII characters without blanks",
        ),
        (
            "[page]\ntitle = 'T'\n[claim]\n",
            "`claim` is a table, not a list of tables",
        ),
        ("[page]\ntitle = 'T'\n[[claim]]\n", "a claim without `id`"),
        (
            "[page]\ntitle = 'T'\n[[claims]]\n",
            "`claims` is not a key of a claims file",
        ),
        (
            "[page]\ntitle = 'T'\n[[claim]]\nid = 'a'\nsays = 's'\nalways = 'x'",
            "a claim without `variant`",
        ),
        (
            "[page]\ntitle = 'T'\nvariant = 'fide'\n[[claim]]\nid = 'a'\nalways = 'x'",
            "a claim without `says`",
        ),
    ] {
        assert_eq!(read("t.toml", text).expect_err(text).why, why, "{text}");
    }
    let twice = "[[claim]]\nid = 'a'\nsays = 's'\nalways = 'x'\n".repeat(2);
    let error = read("t.toml", &format!("{HEAD}{twice}")).expect_err("twice");
    assert_eq!(error.why, "another claim of this file has the id `a`");
    assert_eq!(error.position().map(|place| place.line), Some(9));
    let broken = read("t.toml", "[page]\ntitle = \n").expect_err("broken");
    assert!(broken.why.starts_with("not TOML: "), "{}", broken.why);
}
