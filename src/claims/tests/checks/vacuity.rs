//! Claims that hold only vacuously.

use super::{judged, says, verified};
use fairyproof_claims::Verdict;

#[test]
fn premise_of_a_missing_value_is_not_equality() {
    // The value is missing where Black is in check and White would be to move.
    let claim = |check: &str| {
        verified(&format!(
            "over = {{ table = 'KRvK', board = '4x4' }}\nalways = \"flip.value != 'weak-win' || {check}\""
        ))
    };
    judged(&claim("check"), Verdict::Confirmed);
    judged(&claim("!check"), Verdict::Refuted);
    let found = verified(
        "over = { table = 'KRvK', board = '4x4' }\nalways = \"value != 'weak-win' || check\"",
    );
    judged(&found, Verdict::Vacuous);
}

#[test]
fn every_one_of_100_implications_is_examined() {
    let implications = |last: &str| {
        let mut list = vec!["!(side == white) || !check"; 99];
        list.push(last);
        let list: Vec<String> = list.iter().map(|part| format!("({part})")).collect();
        let over = "over = { graph = { depth = 2 } }";
        verified(&format!("{over}\nalways = '{}'", list.join(" && ")))
    };
    judged(
        &implications("!(side == black) || !check"),
        Verdict::Confirmed,
    );
    let found = implications("!check || over");
    judged(&found, Verdict::Vacuous);
    says(&found, "check");
}
