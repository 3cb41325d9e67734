//! The ledger: what the source pages assert, and what a check finds.
//!
//! One file for each source page. A verdict is always computed from the rules on request; no
//! verdict and no figure is stored here as an answer. To add a claim: write its check in the page's
//! file and list it in that file's `CLAIMS`. Checks that split their work do so on rayon's current
//! pool.

mod ledger;
mod listed;
mod new;

pub mod checks;
pub mod file;
pub mod pages;
pub mod scan;
pub mod subject;
mod vacuity;
mod verify;

pub mod bachelor;
pub mod convergent;
pub mod french_revolution;
pub mod goal;

pub use ledger::{Claim, Effort, Evidence, Finding, Scope, Shared, Verdict, evidence_file};
pub use listed::{Listed, built_in_pages};
pub use new::new_file;
pub use verify::OpenFile;

use catalog::Catalog;
use notation::Setup;

/// Returns every claim, page by page, in the order in which the ledger lists them.
pub fn all() -> Vec<&'static Claim> {
    [
        bachelor::CLAIMS,
        convergent::CLAIMS,
        french_revolution::CLAIMS,
        goal::CLAIMS,
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The claims whose checks take longest, the longest first: where several are checked at a time,
/// the whole is done sooner if these are begun early.
pub const SLOWEST: [&str; 6] = [
    "french-revolution/24-turns",
    "contravention/double-check",
    "bachelor/no-married-check",
    "french-revolution/32-tight",
    "convergent/intruder-mates",
    "french-revolution/avalanche",
];

/// Returns a variant of the registry with a position that is known to be right.
fn opened(id: &str, fen: Option<&str>) -> Setup {
    match Catalog::new()
        .open(id)
        .and_then(|variant| Setup::read(&variant, fen))
    {
        Ok(setup) => setup,
        Err(error) => unreachable!("{id}: {error}"),
    }
}

/// Returns the words with commas and a last `and`.
fn listed(words: &[String]) -> String {
    match words {
        [] => "none".to_string(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
