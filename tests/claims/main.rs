//! What the checks of the claims say is found again by other means: lines in the evidence are
//! replayed, counts are recounted with the naive second implementation, and checks are run on what
//! is deliberately wrong. One file for each source page.

#[path = "../random/mod.rs"]
mod random;

mod evidence;
mod faults;
mod files;

mod bachelor;
mod convergent;
mod french_revolution;
mod goal;
mod ledger;
mod pages;
mod planted;
mod sensitivity;
