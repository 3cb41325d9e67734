//! The ledger: what the source pages assert, and what a check finds.
//!
//! One file for each source page. A verdict is always computed from the rules when asked for; no
//! verdict and no figure stands here as an answer. To add a claim: write its check in the page's
//! file and list it in that file's `CLAIMS`.

mod ledger;

pub mod bachelor;

pub use ledger::{Claim, Effort, Evidence, Finding, Scope, Verdict};

/// Every claim, page by page, in the order in which the ledger lists them.
pub fn all() -> Vec<&'static Claim> {
    [bachelor::CLAIMS].into_iter().flatten().collect()
}
