//! The checks of claims files: one file for each.
//!
//! A check has two functions. `validate` compiles everything that the file says for the rule set, so that
//! mistakes are reported before anything is verified. `run` computes the verdict. A check is bounded by
//! counts alone, ends at its first counterexample, and gives the same finding for any number of threads.

mod longest;
pub mod measure;
pub mod property;

use crate::Finding;
use crate::file::{Check, Limits};
use crate::subject::Subject;
use control::Control;
use diagnostics::Diagnostic;

/// Checks everything that a claim says against its rule set, without verifying it.
///
/// # Errors
/// The first thing that is wrong, at its place in the file.
pub fn validate(check: &Check, subject: &Subject<'_>) -> Result<(), Diagnostic> {
    match check {
        Check::Line(_) => Err(unsupported(subject, "line")),
        Check::Property(property) => property::validate(property, subject),
        Check::Measure(measure) => measure::validate(measure, subject),
        Check::Solve(_) => Err(unsupported(subject, "solve")),
        Check::Force(_) => Err(unsupported(subject, "force")),
        Check::Bound(_) => Err(unsupported(subject, "bound")),
    }
}

/// Verifies a claim. If `control` stops it, the finding may rest on a part of the work; the caller discards
/// it.
///
/// # Errors
/// The errors of [`validate`].
pub fn run(
    check: &Check,
    subject: &Subject<'_>,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<Finding, Diagnostic> {
    match check {
        Check::Line(_) => Err(unsupported(subject, "line")),
        Check::Property(property) => property::run(property, subject, limits, control),
        Check::Measure(measure) => measure::run(measure, subject, limits, control),
        Check::Solve(_) => Err(unsupported(subject, "solve")),
        Check::Force(_) => Err(unsupported(subject, "force")),
        Check::Bound(_) => Err(unsupported(subject, "bound")),
    }
}

/// Returns the error for a check that cannot be verified.
fn unsupported(subject: &Subject<'_>, check: &str) -> Diagnostic {
    let why = format!("the check `{check}` is not supported yet");
    subject.file.error(&subject.claim.at, why)
}
