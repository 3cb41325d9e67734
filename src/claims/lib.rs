//! The ledger: what pages assert of rule sets, and what a check finds.
//!
//! Claims are entries of claims files: those of the source pages are in `pages/`, and `compiled/` has the few
//! that no file can state. A verdict is always computed from the rules on request; no verdict and no figure is
//! stored here as an answer. Checks that split their work do so on rayon's current pool.

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
pub use sensitivity::{ClaimsAbout, Effect, Rule, Sensitivity, is_playable, sensitivity};
pub use verify::OpenFile;

/// Returns the compiled claims, in the order in which the ledger lists them after those of the files.
pub fn all() -> Vec<&'static Claim> {
    compiled::CLAIMS.iter().collect()
}

/// The claims whose checks take longest, the longest first. Where several are verified at a time, the whole takes
/// less time if these begin early.
pub const SLOWEST: [&str; 6] = [
    "contravention/double-check",
    "french-revolution/avalanche",
    "french-revolution/32-turns",
    "french-revolution/24-turns",
    "bachelor/no-married-check",
    "convergent/intruder-mates",
];
