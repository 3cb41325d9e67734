//! The ledger: claims about rule sets, and the checks that verify them.
//!
//! Claims are entries of claims files. Those of the source pages are in `pages/`, and `compiled/` contains
//! the few claims that no file can state. Verdicts are always computed from the rules on request; the crate
//! stores no verdicts and no figures. Checks that split their work use rayon's current pool.

pub mod compiled;
mod ledger;
mod listed;
mod new;
mod sensitivity;

pub mod checks;
pub mod file;
pub mod pages;
pub mod scan;
pub mod single_steps;
pub mod subject;
mod vacuity;
mod verify;

pub use ledger::{Claim, Effort, Evidence, Finding, Scope, Verdict, evidence_file};
pub use listed::{Listed, built_in_pages};
pub use new::new_file;
pub use sensitivity::{ClaimsAbout, Effect, Limits, Rule, Sensitivity, sensitivity};
pub use verify::OpenFile;

/// Returns the compiled claims in ledger order, in which they follow the claims of the files.
pub fn all() -> Vec<&'static Claim> {
    compiled::CLAIMS.iter().collect()
}

/// The claims with the longest checks, the longest first. If several checks run at a time, starting these
/// early shortens the whole run.
pub const SLOWEST: [&str; 6] = [
    "contravention/double-check",
    "french-revolution/avalanche",
    "french-revolution/32-turns",
    "french-revolution/24-turns",
    "bachelor/no-married-check",
    "convergent/intruder-mates",
];
