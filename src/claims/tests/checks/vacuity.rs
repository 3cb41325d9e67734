//! Claims that hold only vacuously.

use super::{judged, verified};
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
