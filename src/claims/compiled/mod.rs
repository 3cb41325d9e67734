//! Claims that no claims file can state, or that would take minutes as expressions. Each is a function of the
//! program, in a file of its own.
//!
//! | file | claim | why it is compiled |
//! |---|---|---|
//! | `marriages.rs` | Bachelor: a turn that marries leaves the king out of check | 12 million positions |
//! | `intruders.rs` | Convergent: an intruder that cannot be captured mates | 15 million positions |
//! | `double_check.rs` | Contravention: a king that steps into a double check generally wins | positions by their last turn |
//! | `spartan_match.rs` | Spartan: the match of two games | not about positions |
//! | `words.rs` | GOAL variants: the length of the descriptions | about a text |

pub mod double_check;
pub mod intruders;
pub mod marriages;
pub mod spartan_match;
pub mod words;

use super::Claim;
use catalog::Catalog;
use notation::{Setup, Start};
use position::Narrow;

const BACHELOR: &str = "Bachelor Chess, The Chess Variant Pages, 2002";
const CONVERGENT: &str = "Convergent Chess, The Chess Variant Pages, 1999";
const GOAL: &str = "Modest Proposals: GOAL Variants, The Chess Variant Pages, 2001";

/// The compiled claims.
pub static CLAIMS: &[Claim] = &[
    Claim {
        id: "bachelor/no-married-check",
        source: BACHELOR,
        claim: "a turn that marries always leaves the king out of check",
        check: marriages::check,
    },
    Claim {
        id: "convergent/intruder-mates",
        source: CONVERGENT,
        claim: "an intruder that cannot be captured mates",
        check: intruders::check,
    },
    Claim {
        id: "contravention/double-check",
        source: GOAL,
        claim: "a king that legally steps into a double check generally wins",
        check: double_check::check,
    },
    Claim {
        id: "spartan/match",
        source: GOAL,
        claim: "the words about the match of two games decide every pair of results, and one way",
        check: spartan_match::check,
    },
    Claim {
        id: "goal/words",
        source: GOAL,
        claim: "each description has at most 400 words",
        check: words::check,
    },
];

/// Returns the start position of a variant.
fn start(id: &str) -> Start<Narrow> {
    let variant = Catalog::new().open(id);
    let setup = variant.and_then(|variant| Setup::read(&variant, None));
    let start = setup.ok().and_then(|setup| setup.get().cloned());
    start.unwrap_or_else(|| unreachable!("{id} is a rule set with a narrow board"))
}

/// Returns a part of a whole as a percentage, for a summary.
fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "none".to_string();
    }
    format!("{:.2} %", 100.0 * part as f64 / whole as f64)
}
