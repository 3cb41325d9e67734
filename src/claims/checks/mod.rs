//! The checks of claims files, one file for each check.
//!
//! Each check has two functions. `validate` compiles everything that the file states for the rule set, so
//! mistakes are reported before anything is verified. `run` computes the verdict. Checks are limited by
//! counts only, never by time, so they give the same finding for any number of threads. A check ends at its
//! first counterexample.

mod amend;
mod bound;
mod bound_reduced;
mod bound_steps;
mod bound_turns;
mod force;
pub mod line;
mod long_games;
mod longest;
pub mod measure;
pub mod property;
mod reduced;
mod replies;
mod shares;
mod solve;

use crate::file::{Check, Limits};
use crate::subject::Subject;
use crate::{Finding, Verdict};
use control::Control;
use diagnostics::Diagnostic;

/// The maximum number of bytes of a search's transposition table. The size is the same wherever this much is
/// allowed, so the positions that a search examines do not depend on the machine.
const MAX_SEARCH_BYTES: u64 = 256 << 20;

/// Returns the control of a search. On one thread, the result depends only on the position and the limits.
fn search_control<'a>(control: &Control<'a>) -> Control<'a> {
    let bytes = control.memory_bytes().min(MAX_SEARCH_BYTES);
    control.for_part().with_memory(bytes)
}

/// A finding, and the number nearest to the printed one that would make the claim true, if it is known.
struct Checked {
    finding: Finding,
    number: Option<i64>,
}

impl From<Finding> for Checked {
    fn from(finding: Finding) -> Checked {
        Checked {
            finding,
            number: None,
        }
    }
}

/// Checks all statements of a claim against its rule set, without verifying the claim.
///
/// # Errors
/// The first error, with its place in the file.
pub fn validate(check: &Check, subject: &Subject<'_>) -> Result<(), Diagnostic> {
    match check {
        Check::Line(check) => line::validate(check, subject),
        Check::Replies(list) => replies::validate(list, subject),
        Check::Property(property) => property::validate(property, subject),
        Check::Measure(measure) => measure::validate(measure, subject),
        Check::Solve(check) => solve::validate(check, subject),
        Check::Force(check) => force::validate(check, subject),
        Check::Bound(check) => bound::validate(check, subject),
    }
}

/// Verifies a claim. If the claim is refuted as printed, each correction that it allows is verified as well.
/// If `control` stops the check, the finding may rest on incomplete work and the caller must discard it.
///
/// # Errors
/// The errors of [`validate`].
pub fn run(
    check: &Check,
    subject: &Subject<'_>,
    control: &Control<'_>,
) -> Result<Finding, Diagnostic> {
    let printed = run_as_printed(check, subject, control)?;
    match printed.verdict == Verdict::Refuted && !subject.claim.amend.is_empty() {
        true => amend::amended(check, subject, printed, control),
        false => Ok(printed),
    }
}

/// Verifies a claim as printed, without corrections.
fn run_as_printed(
    check: &Check,
    subject: &Subject<'_>,
    control: &Control<'_>,
) -> Result<Finding, Diagnostic> {
    match check {
        Check::Line(check) => line::run(check, subject),
        Check::Replies(list) => Ok(replies::run(list, subject)),
        Check::Property(property) => property::run(property, subject, control),
        Check::Measure(measure) => measure::run(measure, subject, control),
        Check::Solve(check) => solve::run(check, subject, control),
        Check::Force(check) => force::run(check, subject, control).map(|c| c.finding),
        Check::Bound(check) => bound::run(check, subject, control).map(|c| c.finding),
    }
}

/// Returns the maximum number of positions of a search: the limit of the claim, or `usual` if the claim sets
/// none.
fn search_positions(limits: &Limits, usual: u64) -> u64 {
    match limits.positions == Limits::default().positions {
        true => usual,
        false => limits.positions,
    }
}
