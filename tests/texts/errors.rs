//! Errors of rule texts: line and column, reason and remedy.

use fairyproof::catalog::Catalog;
use fairyproof::diagnostics::Severity;

/// Lines after `[t:fide-text]`, and the first error as it is printed.
const ERRORS: [(&str, &str); 35] = [
    (
        "leglIf = true",
        "2:1: error: [t] there is no key `leglIf`; did you mean `legalIf`?",
    ),
    (
        "legalIf = captues.all(c, true)",
        "2:11: error: [t] `legalIf`: there is no name `captues`; did you mean `captures`?",
    ),
    (
        "legalIf = size(turns)",
        "2:11: error: [t] `legalIf`: a value of the type bool is wanted here; this is of the type int",
    ),
    (
        "landsOn = 3",
        "2:11: error: [t] `landsOn`: a value of the type square is wanted here; this is of the type int",
    ),
    (
        "removes = 'a1'",
        "2:11: error: [t] `removes`: a value of the type list of unit is wanted here",
    ),
    (
        "joins = 'knight'",
        "2:9: error: [t] `joins`: 'knight' is not a side; 'white' or 'black'",
    ),
    ("legalIf =", "2:10: error: [t] `legalIf`: it is empty"),
    (
        "legalIf = (to == ",
        "2:17: error: [t] `legalIf`: the expression ends where a value should follow",
    ),
    (
        "captureIf = size(turns) > 0",
        "2:18: error: [t] `captureIf`: `turns` is decided by a later stage of the rules",
    ),
    (
        "movement.rook = check ? 'R' : 'N'",
        "2:17: error: [t] `movement.rook`: `check` is decided by a later stage of the rules",
    ),
    (
        "royalIf = size(turns) > 0",
        "2:16: error: [t] `royalIf`: `turns` is decided by a later stage of the rules",
    ),
    (
        "ends = x: draw if over",
        "2:19: error: [t] `ends`: `over` is decided by a later stage of the rules",
    ),
    (
        "let.a = b\nlet.b = a\nlegalIf = a",
        "2:1: error: [t] the definitions a, b are a circle",
    ),
    (
        "legalIf = size(under('t').turns) > 0",
        "2:22: error: [t] `legalIf`: variant `t`: its rules ask `t`, whose rules ask them again",
    ),
    (
        "legalIf = size(under('nothing').turns) > 0",
        "2:22: error: [t] `legalIf`: variant `nothing`: there is no rule set of this name",
    ),
    (
        "let.f(x) = x\nlegalIf = f(1, 2)",
        "3:11: error: [t] `legalIf`: `f` has 1 parameters, 2 are given",
    ),
    (
        "legalIf = parent.prefer",
        "2:11: error: [t] `legalIf`: a value of the type bool is wanted here; this is of the type int",
    ),
    (
        "state = n: 0..3\nstate.n = 7",
        "3:1: error: [t] `state.n`: the field holds numbers from 0 to 3, not 7",
    ),
    (
        "state = x: none K N\nstate.x = kind == 'king' ? 'K' : kind == 'rook' ? 'R' : 'none'",
        "3:1: error: [t] `state.x`: the field holds one of none K N, not `R`",
    ),
    (
        "state = n: 0..99999999999999999999",
        "2:9: error: [t] `99999999999999999999` is not a whole number up to 1000000",
    ),
    (
        "state = a: - x x",
        "2:9: error: [t] the word `x` is given twice",
    ),
    (
        "state = a; b: 0..1",
        "2:9: error: [t] `a` is not a declaration such as `count: 0..3`",
    ),
    (
        "state.n = 2",
        "2:1: error: [t] `state.n`: the state has no such field; `state = NAME: TYPE` declares one",
    ),
    (
        "state = n[side]: 0..3\nlegalIf = state.n > 1",
        "3:17: error: [t] `legalIf`: each side has its own `n`; write `state.n(side)`",
    ),
    (
        "legalIf = option.x",
        "2:18: error: [t] `legalIf`: there is no option `x`; `options = moves: 1..9999 = 60` declares one",
    ),
    (
        "options = moves: 1..9 = 20",
        "2:11: error: [t] the default of `moves` is not a number from 1 to 9",
    ),
    (
        "legalIf = to != 'j9'",
        "2:17: error: [t] `legalIf`: 'j9' is not a square of this 8x8 board",
    ),
    (
        "ends = stalemte",
        "2:8: error: [t] `ends`: an entry is `REASON: RESULT if CONDITION`",
    ),
    (
        "ends = foo: mover win if true",
        "2:13: error: [t] `ends`: `mover win` is not a result: `mover wins`",
    ),
    (
        "stepCount = 3",
        "2:1: error: [t] `stepCount`: a turn has 1 or 2 steps, not 3",
    ),
    (
        "movement.rook = 'Zz'",
        "2:17: error: [t] `movement.rook`: 'Zz': `z` has no meaning in Betza notation (character 2)",
    ),
    (
        "movement.dragon = 'R'",
        "2:1: error: [t] `movement.dragon`: there is no piece `dragon`; the pieces: pawn, knight",
    ),
    (
        "legalIf = squares.all(a, squares.all(b, squares.all(c, squares.all(d, a != b || c != d))))",
        "2:64: error: [t] `legalIf`: the lists of a clause are nested too deeply",
    ),
    (
        "conditions = nowhere",
        "2:14: error: [t] there is no condition `nowhere`",
    ),
    (
        "conditions = a, b\n[a]\ncondition = true\ntoHand = mover\n[b]\ncondition = true\ntoHand = foe",
        "8:10: error: [t] `toHand`: the conditions `a` and `b` both have `toHand`",
    ),
];

/// Returns the first error of a file, or "" without one.
fn first_error(text: &str) -> String {
    let findings = Catalog::new().check_text(text).findings;
    let mut errors = findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    errors
        .next()
        .map_or_else(String::new, |error| error.line().to_string())
}

#[test]
fn errors_have_a_place_a_reason_and_a_remedy() {
    for (lines, expected) in ERRORS {
        let error = first_error(&format!("[t:fide-text]\n{lines}\n"));
        assert!(
            error.starts_with(expected),
            "{lines}\n  expected: {expected}\n  said:     {error}"
        );
    }
}

#[test]
fn squares_that_a_smaller_board_lacks_are_named() {
    let small = "maxRank = 5\nmaxFile = e\nstartFen = 4k/5/5/5/K4 w - - 0 1";
    let error = first_error(&format!("[t:fide-text]\n{small}\nlegalIf = to != 'h8'\n"));
    assert!(
        error.starts_with("5:17: error: [t] `legalIf`: 'h8' is not a square of this 5x5 board"),
        "{error}"
    );
}

#[test]
fn the_second_implementation_refuses_what_clauses_cannot_take() {
    let refuses = |text: &str, id: &str, fen: &str, why: &str| {
        let turns = naive::texts::open(text, id).and_then(|rules| rules.turns(fen));
        let error = turns.expect_err(text);
        assert!(error.contains(why), "{text}: {error}");
    };
    let corner = "[t:fide-text]\nlegalIf = kind != 'pawn' || to != 'h8'\n";
    let small = "k3/4/K3/3R w - - 0 1";
    refuses(corner, "t", small, "'h8' is not a square of this 4x4 board");
    refuses(
        &format!("{corner}[asks:fide-text]\nlet.t = 't'\nlegalIf = size(under(t).turns) > 0\n"),
        "asks",
        small,
        "'h8' is not a square of this 4x4 board",
    );
    let fen = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
    for value in ["option.k", "n", "f(0)"] {
        let text = format!(
            "[t:fide-text]\noptions = k: 0..9 = 1\nstate = x: 0..3\nlet.n = option.k\nlet.f(a) = a + n\n\
             state.x = {value}\n"
        );
        refuses(&text, "t:k=4", fen, "state.x: 4 is out of range");
        let played = naive::texts::open(&text, "t:k=3").and_then(|rules| rules.turns(fen));
        assert!(played.is_ok_and(|turns| turns.len() == 16), "{text}");
    }
}

#[test]
fn conditions_have_no_board() {
    let error = first_error("[t]\ncondition = true\nmaxRank = 5\n");
    assert!(
        error.starts_with("3:1: error: [t] `maxRank` in a condition, which has clauses only"),
        "{error}"
    );
}
