//! Numbers near a limit, empty sets and texts that are too long.

use super::{judged, opened, refused, says, verified, verified_with};
use fairyproof_claims::Verdict;

#[test]
fn numbers_are_compared_exactly_after_a_limit() {
    let claim = |measure: &str| {
        verified(&format!(
            "over = 'graph'\nlimits = {{ states = 100 }}\n{measure}"
        ))
    };
    for open in [
        "max = '9007199254740992'\nat_least = 9007199254740993",
        "min = '9007199254740993'\nat_most = 9007199254740992",
    ] {
        judged(&claim(open), Verdict::Open);
    }
    judged(
        &claim("max = '9007199254740993'\nat_least = 9007199254740993"),
        Verdict::Confirmed,
    );
    judged(
        &claim("max = '9007199254740993'\nat_most = 9007199254740992"),
        Verdict::Refuted,
    );
}

#[test]
fn numbers_of_random_games_are_compared_exactly() {
    let claim = |is: &str| {
        verified(&format!(
            "over = {{ games = 8 }}\nmax = '9007199254740993'\nat_most = {is}"
        ))
    };
    judged(&claim("9007199254740992"), Verdict::Refuted);
    // Every game has the same number of positions with this sum, so that the interval is narrow.
    let found = verified(
        "over = { games = 8, ends = true }\nsum = '9007199254740993'\nis = 72057594037927944",
    );
    judged(&found, Verdict::Consistent);
}

/// Two kings that cannot take each other, and a counter that ends the game after 1,020 plies.
const LONG: &str = "[kk:chess]
maxRank = 2
maxFile = 4
startFen = k2K/4 w - - 0 1
nMoveRule = 510
nMoveRuleKept = true
castling = false
doubleStep = false
";

#[test]
fn forced_goal_in_more_plies_than_a_bounded_search_takes_is_found() {
    let claim = |holds: bool| {
        let claim = format!(
            "[[claim]]\nid = 'a'\nsays = 'a'\nvariant = 'kk'\nforce = 'not-lose'\nwithin = 2000\n\
             holds = {holds}\nlimits = {{ states = 1 }}\n"
        );
        verified_with(&claim, LONG).remove(0)
    };
    let found = claim(true);
    judged(&found, Verdict::Confirmed);
    says(&found, "1020 plies");
    judged(&claim(false), Verdict::Refuted);
}

#[test]
fn nothing_is_asserted_of_an_empty_set() {
    let fen = "fen = '4k3/8/8/8/8/8/8/4K3 w - - 0 1'\n";
    for claim in [
        "always = 'turns.filter(t, t.castles).all(t, t.checks)'",
        "always = \"['a1', 'b1'].all(s, !check || empty(s))\"",
        "count = 'true'\namong = 'check'\nis = 0",
        "sum = '5'\namong = 'check'\nis = 0",
        "share = 'true'\namong = 'check'\nis = 0",
        "over = { placements = 'Q' }\ncount = 'true'\nis = 0",
    ] {
        judged(&verified(&format!("{fen}{claim}")), Verdict::Vacuous);
    }
    // Another part of the conjunction states that there is none.
    judged(
        &verified(&format!(
            "{fen}always = 'turns.filter(t, t.castles).size() == 0 && turns.filter(t, t.castles).all(t, t.checks)'"
        )),
        Verdict::Confirmed,
    );
    let found = verified_with(
        &format!(
            "[[claim]]\nid = 'none'\nsays = 'a'\n{fen}sum = '5'\namong = 'check'\nis = 0\n\
             [[claim]]\nid = 'a'\nsays = 'a'\n{fen}sum = '5'\nat_least = 'none'\n"
        ),
        "",
    );
    judged(&found[1], Verdict::Vacuous);
}

#[test]
fn share_is_printed_with_the_numbers_that_were_counted() {
    let found =
        verified("over = { placements = 'K, Q, k', board = '4x4' }\nshare = 'check'\nat_most = 1");
    let counted = found.evidence.rows[0][5].clone();
    let positions = &found.evidence.rows[0][3];
    assert!(counted.ends_with(&format!("/{positions})")), "{counted}");
}

#[test]
fn more_units_than_squares_are_refused_with_both_numbers() {
    let error = refused(
        "over = { placements = 'K, k, Q, q, R, r, N', board = '2x3' }\ncount = 'true'\nis = 0",
    );
    assert!(
        error.contains("7 units do not fit on the 6 squares of the board of 2x3"),
        "{error}"
    );
    let any = ["any"; 8].join(", ");
    let error = refused(&format!(
        "over = {{ placements = '{any}' }}\ncount = 'true'\nis = 0"
    ));
    assert!(error.contains("more than 100000 combinations"), "{error}");
}

#[test]
fn steps_of_rules_without_independent_steps_are_open() {
    let over = "over = { steps = true }\nalways = \"kind != 'knight' || length2 == 5\"";
    judged(&verified(over), Verdict::Confirmed);
    let found = verified(&format!("variant = 'atomic'\n{over}"));
    judged(&found, Verdict::Open);
    says(&found, "steps depend on more than the units that take part");
}

#[test]
fn id_that_is_too_long_for_a_file_is_refused_before_the_work() {
    let id = "a".repeat(300);
    let text = format!(
        "[page]\ntitle = 'A'\nvariant = 'fide'\n[[claim]]\nid = '{id}'\nsays = 'a'\nsum = '1'\nis = 1\n"
    );
    let catalog = std::sync::Arc::new(catalog::Catalog::new());
    let error = fairyproof_claims::OpenFile::read("p.toml", &text, None, &catalog);
    let error = error.err().expect("a long id");
    assert!(error.why.contains("302 letters; at most 200"), "{error}");
    let file = opened("[[claim]]\nid = 'a'\nsays = 'a'\nsum = '1'\nis = 1\n", "");
    assert_eq!(file.file.entries.len(), 1);
}
